import { readConfig } from '../config/config.ts'
import { pepperKeys, readPepper } from '../otp/pepper.ts'
import { accountSid, makeAuthTokenOf } from '../organisations/auth-token.ts'
import { createKey } from '../organisations/keys.ts'
import { SCOPES, type Scope } from '../organisations/schema.ts'
import { listKeys, revokeKey } from '../organisations/key-store.ts'
import { isId } from '../values/id.ts'
import { form, type Command } from './terminal/command.ts'
import { withDatabase } from './database.ts'
import { OperatorFault } from './terminal/operator-fault.ts'
import { table } from './terminal/table.ts'
import { whichOrganisation } from './which-organisation.ts'

type Options = { organisation?: string; test?: boolean; scopes?: string; expires?: string; name?: string }

const ORGANISATION_OPTIONS = { organisation: 'text' } as const

export const keys: Command = [
  form('create', { ...ORGANISATION_OPTIONS, test: 'flag', scopes: 'text', expires: 'text', name: 'text' }, create),
  form('list', ORGANISATION_OPTIONS, list),
  form('twilio KEY_ID', ORGANISATION_OPTIONS, showLogin),
  form('revoke KEY_ID', ORGANISATION_OPTIONS, revoke),
]

async function create(options: Options): Promise<void> {
  const wish = {
    name: options.name ?? null,
    scopes: readScopes(options.scopes),
    expires_datetime: readExpiry(options.expires),
  }
  const { id, key } = await withDatabase(readConfig(), async (db) =>
    createKey({ db }, await whichOrganisation(db, options.organisation), options.test ? 'test' : 'live', wish),
  )
  process.stdout.write(`${key}\n`)
  process.stderr.write(`Key ${id}: shown only this once.\n`)
}

async function list(options: Options): Promise<void> {
  const rows = await withDatabase(readConfig(), async (db) =>
    listKeys(db, await whichOrganisation(db, options.organisation)),
  )
  process.stdout.write(
    table(
      ['id', 'key', 'scopes', 'expires', 'revoked', 'last used', 'name'],
      rows.map((row) => [
        row.id,
        row.hint,
        row.scopes?.join(',') ?? 'all',
        row.expires_datetime ?? '-',
        row.revoked_datetime ?? '-',
        row.last_used_datetime ?? '-',
        row.name ?? '',
      ]),
    ),
  )
}

/** The key as Twilio's clients know credentials. */
async function showLogin(options: Options, key_id = ''): Promise<void> {
  const config = readConfig()
  const login = await withDatabase(config, async (db) => {
    const rows = await listKeys(db, await whichOrganisation(db, options.organisation))
    const key = rows.find(({ id, revoked_datetime, expired }) => id === key_id && !revoked_datetime && !expired)
    if (!key) throw new OperatorFault(`There is no active key ${key_id}; gangan keys list shows them.`)
    const { auth_token_key } = pepperKeys(await readPepper({ db }, config))
    return { sid: accountSid(key.organisation_id), token: makeAuthTokenOf(auth_token_key)(key.id) }
  })
  process.stdout.write(`Account SID ${login.sid}\nAuth token  ${login.token}\n`)
}

async function revoke(options: Options, key_id = ''): Promise<void> {
  const revoked = await withDatabase(readConfig(), async (db) => {
    const organisation_id = await whichOrganisation(db, options.organisation)
    return isId(key_id) && revokeKey(db, organisation_id, key_id)
  })
  if (!revoked) throw new OperatorFault(`There is no active key ${key_id}; gangan keys list shows them.`)
  process.stdout.write(`Revoked ${key_id}.\n`)
}

function readScopes(text: string | undefined): Scope[] | null {
  if (text === undefined) return null
  const scopes = text.split(',').map((scope) => scope.trim())
  const unknown = scopes.filter((scope) => !isScope(scope))
  if (unknown.length > 0) throw new OperatorFault(`Unknown scopes ${unknown.join(', ')}; known: ${SCOPES.join(', ')}.`)
  return scopes.filter(isScope)
}

function isScope(word: string): word is Scope {
  return SCOPES.some((scope) => scope === word)
}

function readExpiry(text: string | undefined): string | null {
  if (text === undefined) return null
  const when = new Date(text)
  if (Number.isNaN(when.getTime())) throw new OperatorFault(`${text} is not a date such as 2027-01-31.`)
  if (when.getTime() <= Date.now()) throw new OperatorFault(`${text} has passed already.`)
  return when.toISOString()
}
