import { readConfig } from '../../config/config.ts'
import { readKeys } from '../../otp/pepper.ts'
import { accountSid, makeAuthTokenOf } from '../../organisations/auth-token.ts'
import { createKey } from '../../organisations/keys.ts'
import { SCOPES, type Scope } from '../../organisations/schema.ts'
import { listKeys, revokeKey } from '../../organisations/key-store.ts'
import { limitKey } from '../../organisations/manage-keys.ts'
import { COMMAND_LINE, recordAudit } from '../../users/audit.ts'
import { moneyFromText, moneyToNumber, moneyToText } from '../../values/money.ts'
import { isId } from '../../values/id.ts'
import { withDatabase } from '../database.ts'
import { flag, form, valued, type Command } from '../terminal/command.ts'
import { notFound, usageFault } from '../terminal/operator-fault.ts'
import { done, rows, type Result } from '../terminal/result.ts'
import { ORGANISATION, whichOrganisation, withAccount } from './which-organisation.ts'

type Given = { organisation?: string }
type Options = Given & { test?: boolean; scopes?: string; expires?: string; name?: string; 'daily-limit'?: string }

const CREATE = {
  ...ORGANISATION,
  test: flag('for the test twin: only the simulator, own balance'),
  scopes: valued('LIST', `scopes separated by commas (all): ${SCOPES.join(', ')}; see /docs`),
  expires: valued('WHEN', 'a date or date-time, such as 2027-01-31'),
  name: valued('TEXT', 'a name to recognise it by'),
  'daily-limit': valued('AMOUNT', 'what it may spend per day, UTC (unlimited)'),
}

export const keys: Command = [
  form('create', 'issue an API key; it is shown once', CREATE, create, [
    'gangan keys create --name shop --scopes sms,balance --expires 2027-01-31',
  ]),
  form('list', 'list keys, without the secret part', ORGANISATION, list),
  form(
    'limit KEY_ID',
    'set what a key may spend per day (UTC), or lift the limit; within a second in all processes',
    { ...ORGANISATION, daily: valued('AMOUNT', 'in currency units, or none (required)') },
    limit,
    ['gangan keys limit 0197c1f2-3f5e-7aa4-9a51-2f8d7c6b5a40 --daily 500'],
  ),
  form('twilio KEY_ID', 'show the key as account SID and auth token, for Twilio clients', ORGANISATION, showLogin),
  form('revoke KEY_ID', 'revoke it, within a second in all processes', ORGANISATION, revoke),
]

async function create(options: Options): Promise<Result> {
  const wish = {
    name: options.name ?? null,
    scopes: readScopes(options.scopes),
    expires_datetime: readExpiry(options.expires),
    daily_spending_limit: options['daily-limit'] === undefined ? null : readLimit(options['daily-limit']),
  }
  const { id, key } = await withDatabase(readConfig(), async (db) =>
    createKey({ db }, await whichOrganisation(db, options.organisation), options.test ? 'test' : 'live', wish),
  )
  return { data: { id, key }, text: `${key}\n`, note: `Key ${id}: shown only this once.` }
}

async function list(given: Given): Promise<Result> {
  return rows(await withAccount(given, listKeys), {
    id: (one) => one.id,
    key: (one) => one.hint,
    scopes: (one) => one.scopes?.join(',') ?? 'all',
    'daily limit': (one) => (one.daily_spending_limit === null ? '-' : moneyToText(one.daily_spending_limit)),
    expires: (one) => one.expires_datetime ?? '-',
    revoked: (one) => one.revoked_datetime ?? '-',
    'last used': (one) => one.last_used_datetime ?? '-',
    name: (one) => one.name,
  })
}

/** The key as Twilio's clients know credentials. */
async function showLogin(given: Given, key_id = ''): Promise<Result> {
  const config = readConfig()
  const login = await withAccount(
    given,
    async (db, organisation_id) => {
      const found = await listKeys(db, organisation_id)
      const key = found.find(({ id, revoked_datetime, expired }) => id === key_id && !revoked_datetime && !expired)
      if (!key) throw notFound(`There is no active key ${key_id}; gangan keys list shows them.`)
      const { auth_token_key } = await readKeys({ db }, config)
      return { account_sid: accountSid(key.organisation_id), auth_token: makeAuthTokenOf(auth_token_key)(key.id) }
    },
    config,
  )
  return { data: login, text: `Account SID ${login.account_sid}\nAuth token  ${login.auth_token}\n` }
}

async function revoke(given: Given, key_id = ''): Promise<Result> {
  const revoked = await withAccount(
    given,
    async (db, organisation_id) => isId(key_id) && revokeKey(db, organisation_id, key_id),
  )
  if (!revoked) throw notFound(`There is no active key ${key_id}; gangan keys list shows them.`)
  return done(`Revoked ${key_id}.`, { id: key_id })
}

async function limit({ daily, ...given }: Given & { daily?: string }, key_id = ''): Promise<Result> {
  if (daily === undefined) throw usageFault('--daily is required: an amount, or none.')
  const daily_spending_limit = daily === 'none' ? null : moneyToNumber(readLimit(daily))
  const key = await withAccount(given, (db, organisation_id) =>
    limitKey({ db }, organisation_id, key_id, { daily_spending_limit }, [], (tx, deed) =>
      recordAudit(tx, COMMAND_LINE, { organisation_id, ...deed }),
    ),
  )
  const words = daily_spending_limit === null ? 'as much as the balance covers' : `${daily} per day (UTC)`
  return done(`${key.hint} may spend ${words}.`, key)
}

function readLimit(text: string): bigint {
  const amount = moneyFromText(text)
  if (amount === undefined || amount < 0n) throw usageFault(`${text} is not an amount such as 500.`)
  return amount
}

function readScopes(text: string | undefined): Scope[] | null {
  if (text === undefined) return null
  const scopes = text.split(',').map((scope) => scope.trim())
  const unknown = scopes.filter((scope) => !isScope(scope))
  if (unknown.length > 0) throw usageFault(`Unknown scopes ${unknown.join(', ')}; known: ${SCOPES.join(', ')}.`)
  return scopes.filter(isScope)
}

function isScope(word: string): word is Scope {
  return SCOPES.some((scope) => scope === word)
}

function readExpiry(text: string | undefined): string | null {
  if (text === undefined) return null
  const when = new Date(text)
  if (Number.isNaN(when.getTime())) throw usageFault(`${text} is not a date such as 2027-01-31.`)
  if (when.getTime() <= Date.now()) throw usageFault(`${text} has passed already.`)
  return when.toISOString()
}
