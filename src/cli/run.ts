import { readFileSync } from 'node:fs'
import { asError, codeOf } from '../values/thrown.ts'
import { runCommand, type Command } from './terminal/command.ts'
import { HELP } from './terminal/help.ts'
import { nearest } from './terminal/nearest.ts'
import { requireOpenFiles, tooFewFiles } from './terminal/open-files.ts'
import { OperatorFault } from './terminal/operator-fault.ts'

/** The commands. Each module is loaded on use: loading the service takes a second. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  organisations: async () => (await import('./organisations.ts')).organisations,
  keys: async () => (await import('./keys.ts')).keys,
  callbacks: async () => (await import('./callbacks.ts')).callbacks,
  balance: async () => (await import('./balance.ts')).balance,
  otp: async () => (await import('./otp.ts')).otp,
  senders: async () => (await import('./senders.ts')).senders,
  inbound: async () => (await import('./inbound.ts')).inbound,
  airtime: async () => (await import('./airtime.ts')).airtime,
  numbers: async () => (await import('./numbers.ts')).numbers,
  contacts: async () => (await import('./contacts.ts')).contacts,
  import: async () => (await import('./import.ts')).importCommand,
  hooks: async () => (await import('./hooks.ts')).hooks,
  smpp: async () => (await import('./smpp.ts')).smpp,
  carriers: async () => (await import('./carriers/carriers.ts')).carriers,
  smsc: async () => (await import('./emulators/smsc.ts')).smsc,
  vendor: async () => (await import('./emulators/vendor.ts')).vendor,
  whatsapp: async () => (await import('./carriers/whatsapp.ts')).whatsapp,
  phones: async () => (await import('./carriers/phones.ts')).phones,
  phone: async () => (await import('./emulators/phone.ts')).phone,
  users: async () => (await import('./users.ts')).users,
}

/** Runs a command and returns the exit code. Errors of the operator are one sentence; others have a stack trace. */
export async function run([name = 'serve', ...args]: string[]): Promise<number> {
  try {
    if (VERSIONS.includes(name)) {
      process.stdout.write(`${versionOf()}\n`)
      return 0
    }
    requireOpenFiles()
    const help = HELPS.includes(name)
    const asked = help ? args[0] : name
    const load = asked === undefined ? undefined : commandOf(asked)
    if (help || !load || args.some((arg) => HELPS.includes(arg) && arg.startsWith('-'))) process.stdout.write(HELP)
    else await runCommand(name, await load(), args)
    return 0
  } catch (fault) {
    const text = (await sentenceFor(fault)) ?? asError(fault).stack
    process.stderr.write(`gangan: ${text}\n`)
    return 1
  }
}

const HELPS = ['help', '--help', '-h']
const VERSIONS = ['version', '--version', '-v']

function versionOf(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  return version
}

function commandOf(name: string): () => Promise<Command> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (load) return load
  const meant = nearest(name, Object.keys(COMMANDS))
  const help = meant ? `did you mean ${meant}?` : 'gangan --help lists them.'
  throw new OperatorFault(`there is no command ${name}; ${help}`)
}

/** What the operator reads of an error; undefined for a bug. */
async function sentenceFor(fault: unknown): Promise<string | undefined> {
  if (fault instanceof OperatorFault) return fault.message
  const code = codeOf(fault) ?? ''
  if (FILE_LIMITS.has(code)) return tooFewFiles(code)
  const { ConfigFault } = await import('../config/config.ts')
  const { EmbeddedFault } = await import('../db/embedded/start.ts')
  const { NewerSchema } = await import('../db/migrate.ts')
  const { OutdatedSchema } = await import('../db/baseline.ts')
  const { UnfinishedRestore } = await import('../db/backup/unfinished.ts')
  const { isDatabaseUnreachable } = await import('../db/unreachable.ts')
  const { faultInWords } = await import('../db/fault-words.ts')
  const { UnusableFolder } = await import('../db/backup/require-folder.ts')
  const kinds = [ConfigFault, UnusableFolder, EmbeddedFault, NewerSchema, OutdatedSchema, UnfinishedRestore]
  if (kinds.some((kind) => fault instanceof kind)) return asError(fault).message
  return isDatabaseUnreachable(fault) ? `The database cannot be used (${faultInWords(fault)}).` : undefined
}

const FILE_LIMITS: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE'])
