import { stringify } from 'yaml'
import { makeConfiguration } from '../../config/entries.ts'
import { createEntry, deleteEntry, updateEntry } from '../../live-config/change.ts'
import { readEntry, type LiveConfigDeps } from '../../live-config/read.ts'
import { listProcesses } from '../../status/process-store.ts'
import { ENTRY_NAME, type ChangesMade, type EntryKind, type EntrySettings } from '../../live-config/schema.ts'
import { COMMAND_LINE } from '../../users/audit.ts'
import { isRecord } from '../../values/record.ts'
import { Refusal } from '../../values/refusal.ts'
import { readConfig } from '../../config/config.ts'
import { readEffective } from '../../config/effective.ts'
import { withDatabase } from '../database.ts'
import { readSecretSeal } from '../secret-seal.ts'
import { form, integer, type Form } from '../terminal/command.ts'
import { usageFault } from '../terminal/operator-fault.ts'
import { done, type Result } from '../terminal/result.ts'
import { readYaml } from './yaml-file.ts'

const VERSION = {
  version: integer(1, 999_999_999, 'refuse if it has another version; show prints it'),
}

/** `show`, `create`, `update` and `delete` of carriers or of routes. */
export function entryForms(kind: EntryKind): Form[] {
  const example = { carrier: 'mtn', route: 'nigeria' }[kind]
  return [
    form(
      'show NAME',
      `print a ${kind} as YAML, with placeholders for secrets`,
      {},
      (_, name = '') => show(kind, name),
      [`gangan ${kind}s show ${example} > ${example}.yaml`],
    ),
    form(
      'create FILE',
      `create a ${kind}, in effect in every process within two seconds; the file (- is standard input) has it as YAML or JSON`,
      {},
      (_, file = '') => create(kind, file),
      [`gangan ${kind}s create ${example}.yaml`],
    ),
    form(
      'update FILE',
      `replace the settings of a ${kind}; a placeholder keeps the stored secret`,
      VERSION,
      ({ version }, file = '') => update(kind, file, version),
      [`gangan ${kind}s update ${example}.yaml --version 12`],
    ),
    form(
      'delete NAME',
      kind === 'carrier' ? 'delete a carrier that no route names' : 'delete a route that no message waits for',
      VERSION,
      ({ version }, name = '') => remove(kind, name, version),
    ),
  ]
}

async function show(kind: EntryKind, name: string): Promise<Result> {
  const entry = await withEntries((deps) => readEntry(deps, kind, name))
  const { managed_by, version, settings } = entry
  const head = managed_by === 'operator' ? `# version ${version}\n` : `# managed by the configuration ${managed_by}\n`
  return { data: entry, text: head + stringify(settings) }
}

async function create(kind: EntryKind, file: string): Promise<Result> {
  const settings = await readSettings(file)
  const made = await changeEntries((deps) => createEntry(deps, COMMAND_LINE, kind, settings))
  return outcome(`The ${kind} ${String(settings.name)} is created`, made)
}

async function update(kind: EntryKind, file: string, given: string | undefined): Promise<Result> {
  const settings = await readSettings(file)
  const { name } = settings
  if (typeof name !== 'string' || !ENTRY_NAME.test(name)) throw usageFault(`${file} has no valid name.`)
  const made = await changeEntries(async (deps) => {
    const version = given === undefined ? (await readEntry(deps, kind, name)).version : Number(given)
    return updateEntry(deps, COMMAND_LINE, kind, name, { version, settings })
  })
  if (!made.applied) return done(`The ${kind} ${name} has these settings already.`, made)
  return outcome(`The ${kind} ${name} is changed`, made)
}

async function remove(kind: EntryKind, name: string, given: string | undefined): Promise<Result> {
  const version = given === undefined ? undefined : Number(given)
  const made = await changeEntries((deps) => deleteEntry(deps, COMMAND_LINE, kind, name, version))
  return outcome(`The ${kind} ${name} is deleted`, made)
}

function outcome(sentence: string, made: ChangesMade): Result {
  return done(`${sentence}, ${whenInEffect(made)}.`, made)
}

export function whenInEffect({ needs_restart, ends_sandbox }: ChangesMade): string {
  if (needs_restart) return 'once the service has been restarted, because the sandbox begins with it'
  if (ends_sandbox) return 'in effect within a few seconds: it ends the sandbox, and the service restarts itself'
  return 'in every process within two seconds'
}

/** Changes carriers and routes. */
export async function changeEntries(work: (deps: LiveConfigDeps) => Promise<ChangesMade>): Promise<ChangesMade> {
  return withEntries(async (deps) => {
    const made = await work(deps)
    return { ...made, needs_restart: made.needs_restart || (!made.ends_sandbox && (await isOutdated(deps))) }
  })
}

/** Whether a process runs live although the sandbox has begun: it applies no change until it is restarted. */
async function isOutdated({ db }: LiveConfigDeps): Promise<boolean> {
  const config = readConfig()
  const effective = await readEffective({ db }, config).catch(() => config)
  return effective.sandbox && (await listProcesses(db)).some(({ sandbox }) => sandbox === false)
}

async function readSettings(file: string): Promise<EntrySettings> {
  const settings = await readYaml(file)
  if (!isRecord(settings) || Array.isArray(settings)) throw usageFault(`${file} is not one entry, such as name: mtn.`)
  return settings
}

/** Opens the database for a change of carriers and routes. All faults of a refusal are printed, one per line. */
export async function withEntries<T>(work: (deps: LiveConfigDeps) => Promise<T>): Promise<T> {
  const config = readConfig()
  try {
    return await withDatabase(config, async (db) => {
      const secret_seal = await readSecretSeal({ db }, config)
      // A configuration that does not fit is what the command may be there to mend.
      const effective = await readEffective({ db }, config).catch(() => config)
      return work({ db, secret_seal, configuration: makeConfiguration(() => effective) })
    })
  } catch (fault) {
    if (!(fault instanceof Refusal) || fault.faults.length === 0) throw fault
    const lines = fault.faults.map(({ field, message }) => `  ${field.replace(/^settings\./, '')}: ${message}`)
    throw usageFault(['Nothing was changed:', ...lines].join('\n'))
  }
}
