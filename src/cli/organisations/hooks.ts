import { readConfig } from '../../config/config.ts'
import { addHook, findHooks, removeHook } from '../../hooks/hooks.ts'
import { HOOK_KINDS, type HookKind } from '../../hooks/schema.ts'
import { form, valued, type Command } from '../terminal/command.ts'
import { usageFault } from '../terminal/operator-fault.ts'
import { done, rows, type Result } from '../terminal/result.ts'
import { readSecretSeal } from '../secret-seal.ts'
import { ACCOUNT, withAccount, type Account } from './which-organisation.ts'

/** Endpoints for identity servers and other software with a fixed request format. */
export const hooks: Command = [
  form(
    'add KIND',
    `create an endpoint for other software, and its secret: ${HOOK_KINDS.join(', ')}`,
    { ...ACCOUNT, secret: valued('TEXT', 'the secret, if the other software generates it') },
    add,
    ['gangan hooks add supabase'],
  ),
  form('list', 'list hooks, without their secrets', ACCOUNT, list),
  form('remove NAME', 'remove it; further requests are rejected', ACCOUNT, remove),
]

async function add({ secret, ...given }: Account & { secret?: string }, kind = ''): Promise<Result> {
  if (!isKind(kind)) throw usageFault(`There is no kind ${kind}; known are ${HOOK_KINDS.join(', ')}.`)
  if (secret !== undefined && !/^[\x21-\x7e]{16,200}$/.test(secret)) {
    throw usageFault('A secret has 16 to 200 characters, without blanks.')
  }
  const config = readConfig()
  const made = await withAccount(
    given,
    async (db, organisation_id) => {
      const deps = { db, secret_seal: await readSecretSeal({ db }, config) }
      return addHook(deps, organisation_id, { kind, ...(secret === undefined ? {} : { secret }) }, [])
    },
    config,
  )
  const url = `${config.public_url}/hooks/${made.name}`
  return {
    data: { name: made.name, kind, url, secret: made.secret },
    text: `${url}\n${made.secret}\n`,
    note: 'The address, and the secret: shown only this once.',
  }
}

async function list(given: Account): Promise<Result> {
  const found = await withAccount(given, (db, organisation_id) => findHooks({ db }, organisation_id))
  return rows(found, { name: (one) => one.name, kind: (one) => one.kind, made: (one) => one.created_datetime })
}

async function remove(given: Account, name = ''): Promise<Result> {
  await withAccount(given, (db, organisation_id) => removeHook({ db }, organisation_id, name))
  return done(`Removed ${name}.`, { name })
}

function isKind(word: string): word is HookKind {
  return HOOK_KINDS.some((kind) => kind === word)
}
