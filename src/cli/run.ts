import type { RefusalCode } from '../values/refusal.ts'
import { asError, codeOf } from '../values/thrown.ts'
import { readVersion } from '../values/version.ts'
import { COMMANDS, GROUPS } from './commands.ts'
import { chooseForm, formsBeginning } from './terminal/command.ts'
import { helpOf, overview, type Listed } from './terminal/help.ts'
import { nearest } from './terminal/nearest.ts'
import { requireOpenFiles, tooFewFiles } from './terminal/open-files.ts'
import { EXIT, OperatorFault, usageFault, type FaultKind } from './terminal/operator-fault.ts'
import { paint } from './terminal/paint.ts'
import { jsonText } from './terminal/result.ts'

/** Runs a command and returns the exit code. Errors of the operator are one sentence; others have a stack trace. */
export async function run([name = 'serve', ...args]: string[]): Promise<number> {
  try {
    if (VERSIONS.includes(name)) {
      process.stdout.write(`${readVersion()}\n`)
      return EXIT.ok
    }
    requireOpenFiles()
    const asked = helpAsked(name, args)
    if (asked) process.stdout.write(await helpText(asked))
    else return await runNamed(name, args)
    return EXIT.ok
  } catch (fault) {
    const known = await explain(fault)
    process.stderr.write(`${paint('red', 'gangan:', process.stderr)} ${known?.message ?? asError(fault).stack}\n`)
    return known ? EXIT[known.kind] : EXIT.internal
  }
}

async function runNamed(name: string, args: readonly string[]): Promise<number> {
  const { json, run: runForm } = chooseForm(name, await listed(name).load(), args)
  const result = await runForm()
  if (!result) return EXIT.ok
  process.stdout.write(json ? jsonText(result.data) : result.text)
  if (result.note !== undefined) process.stderr.write(`${result.note}\n`)
  return result.exit ?? EXIT.ok
}

const HELPS = ['--help', '-h']
const VERSIONS = ['version', '--version', '-v']

/** The words that help is asked about; undefined if the arguments are a command to run. */
function helpAsked(name: string, args: readonly string[]): string[] | undefined {
  if (name === 'help' || HELPS.includes(name)) return args.filter((arg) => !arg.startsWith('-'))
  const end = args.indexOf('--')
  const own = end === -1 ? args : args.slice(0, end)
  const at = own.findIndex((arg) => HELPS.includes(arg))
  return at === -1 ? undefined : [name, ...own.slice(0, at).filter((arg) => !arg.startsWith('-'))]
}

async function helpText([name, ...words]: readonly string[]): Promise<string> {
  if (name === undefined) return overview(GROUPS)
  const { about, load } = listed(name)
  const forms = await load()
  return helpOf(name, about, formsBeginning(name, forms, words))
}

function listed(name: string): Listed {
  const found = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (found) return found
  const meant = nearest(name, Object.keys(COMMANDS))
  const help = meant ? `did you mean ${meant}?` : 'gangan --help lists them.'
  throw usageFault(`there is no command ${name}; ${help}`)
}

/** The error as the operator reads it; undefined for a bug. */
async function explain(fault: unknown): Promise<OperatorFault | undefined> {
  if (fault instanceof OperatorFault) return fault
  const code = codeOf(fault) ?? ''
  if (FILE_LIMITS.has(code)) return new OperatorFault(tooFewFiles(code), 'unavailable')
  const { Refusal } = await import('../values/refusal.ts')
  if (fault instanceof Refusal) return new OperatorFault(fault.faults[0]?.message ?? fault.message, kindOf(fault.code))
  const { ConfigFault } = await import('../config/config.ts')
  if (fault instanceof ConfigFault) return usageFault(fault.message)
  const { EmbeddedFault } = await import('../db/embedded/start.ts')
  const { NewerSchema } = await import('../db/migrate.ts')
  const { OutdatedSchema } = await import('../db/schema/baseline.ts')
  const { UnfinishedRestore } = await import('../db/backup/unfinished.ts')
  const { isDatabaseUnreachable } = await import('../db/unreachable.ts')
  const { faultInWords } = await import('../db/fault-words.ts')
  const { UnusableFolder } = await import('../db/backup/require-folder.ts')
  const kinds = [UnusableFolder, EmbeddedFault, NewerSchema, OutdatedSchema, UnfinishedRestore]
  if (kinds.some((kind) => fault instanceof kind)) return new OperatorFault(asError(fault).message, 'unavailable')
  if (!isDatabaseUnreachable(fault)) return undefined
  return new OperatorFault(`The database cannot be used (${faultInWords(fault)}).`, 'unavailable')
}

const FILE_LIMITS: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE'])

function kindOf(code: RefusalCode): FaultKind {
  if (code === 'not_found' || code === 'unavailable') return code
  return code === 'invalid_request' ? 'usage' : 'refused'
}
