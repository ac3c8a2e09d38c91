import { readConfig } from '../config/config.ts'
import { addHook, findHooks, removeHook } from '../hooks/hooks.ts'
import { HOOK_KINDS, type HookKind } from '../hooks/schema.ts'
import { Refusal } from '../values/refusal.ts'
import { form, type Command } from './terminal/command.ts'
import { withDatabase } from './database.ts'
import { OperatorFault } from './terminal/operator-fault.ts'
import { readSecretSeal } from './secret-seal.ts'
import { table } from './terminal/table.ts'
import { whichAccount } from './which-organisation.ts'

const ORGANISATION_OPTIONS = { organisation: 'text', test: 'flag' } as const

type Options = { organisation?: string; test?: boolean; secret?: string }

/** Endpoints for identity servers and other software with a fixed request format. */
export const hooks: Command = [
  form('add KIND', { ...ORGANISATION_OPTIONS, secret: 'text' }, add),
  form('list', ORGANISATION_OPTIONS, list),
  form('remove NAME', ORGANISATION_OPTIONS, remove),
]

async function add(options: Options, kind = ''): Promise<void> {
  if (!isKind(kind)) throw new OperatorFault(`There is no kind ${kind}; known are ${HOOK_KINDS.join(', ')}.`)
  const { secret } = options
  if (secret !== undefined && !/^[\x21-\x7e]{16,200}$/.test(secret)) {
    throw new OperatorFault('A secret has 16 to 200 characters, without blanks.')
  }
  const config = readConfig()
  const made = await withDatabase(config, async (db) => {
    const deps = { db, secret_seal: await readSecretSeal({ db }, config) }
    return addHook(deps, await whichAccount(db, options), { kind, ...(secret === undefined ? {} : { secret }) }, [])
  }).catch(explain)
  process.stdout.write(`${config.public_url}/hooks/${made.name}\n${made.secret}\n`)
  process.stderr.write('The address, and the secret: shown only this once.\n')
}

async function list(options: Options): Promise<void> {
  const found = await withDatabase(readConfig(), async (db) => findHooks({ db }, await whichAccount(db, options)))
  const rows = found.map(({ name, kind, created_datetime }) => [name, kind, created_datetime])
  process.stdout.write(table(['name', 'kind', 'made'], rows))
}

async function remove(options: Options, name = ''): Promise<void> {
  await withDatabase(readConfig(), async (db) => removeHook({ db }, await whichAccount(db, options), name)).catch(
    explain,
  )
  process.stdout.write(`Removed ${name}.\n`)
}

function explain(fault: unknown): never {
  if (fault instanceof Refusal) throw new OperatorFault(fault.faults[0]?.message ?? fault.message)
  throw fault
}

function isKind(word: string): word is HookKind {
  return HOOK_KINDS.some((kind) => kind === word)
}
