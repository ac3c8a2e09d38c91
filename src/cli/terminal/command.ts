import { nearest } from './nearest.ts'
import { OperatorFault } from './operator-fault.ts'

/** Options of a command, with or without a value. */
type Options = Record<string, 'text' | 'flag'>
type Values<O extends Options> = { [name in keyof O]?: O[name] extends 'flag' ? boolean : string }

/** One form of a command: its words, with placeholders in capitals, and its options. */
export type Form = {
  words: string
  options: Options
  run(values: Record<string, string | boolean>, ...filled: string[]): Promise<void>
}

/** All forms of a command. */
export type Command = readonly Form[]

export function form<const O extends Options>(
  words: string,
  options: O,
  run: (values: Values<O>, ...filled: string[]) => Promise<void>,
): Form {
  return {
    words,
    options,
    run(values, ...filled) {
      if (!areOf(options, values)) throw new Error(`gangan ${words} received unknown options.`)
      return run(values, ...filled)
    },
  }
}

function areOf<O extends Options>(options: O, values: object): values is Values<O> {
  return Object.entries(values).every(([name, value]) => options[name] === (value === true ? 'flag' : 'text'))
}

/** Parses the arguments and runs the matching form; unknown words and options are rejected first. */
export async function runCommand(name: string, command: Command, args: readonly string[]): Promise<void> {
  const { words, values } = readArgs(name, command, args)
  const chosen = command.find((one) => filledIn(one, words) !== undefined)
  if (!chosen) throw wordFault(name, command, words)
  const foreign = Object.keys(values).find((option) => chosen.options[option] === undefined)
  if (foreign !== undefined) throw optionFault(`gangan ${said(name, chosen)}`, foreign, Object.keys(chosen.options))
  await chosen.run(values, ...(filledIn(chosen, words) ?? []))
}

type Said = { words: string[]; values: Record<string, string | boolean> }

function readArgs(name: string, command: Command, args: readonly string[]): Said {
  const options: Options = Object.assign({}, ...command.map((one) => one.options))
  const words: string[] = []
  const values: Said['values'] = {}
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    if (arg === '--') return { words: [...words, ...args.slice(at + 1)], values }
    // A negative amount is no option.
    if (!/^-\D/.test(arg)) {
      words.push(arg)
      continue
    }
    const [, option = arg.slice(1), inline] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(arg) ?? []
    const kind = Object.hasOwn(options, option) && arg.startsWith('--') ? options[option] : undefined
    if (kind === undefined) throw optionFault(`gangan ${name}`, option, Object.keys(options), arg)
    if (Object.hasOwn(values, option)) throw new OperatorFault(`--${option} is given twice.`)
    if (kind === 'flag') {
      if (inline !== undefined) throw new OperatorFault(`--${option} takes no value.`)
      values[option] = true
      continue
    }
    const value = inline ?? args[(at += 1)]
    if (value === undefined || (inline === undefined && value.startsWith('--'))) {
      throw new OperatorFault(`--${option} needs a value.`)
    }
    values[option] = value
  }
  return { words, values }
}

/** The values of a form's placeholders; undefined if the words do not match it. */
function filledIn({ words }: Form, given: readonly string[]): string[] | undefined {
  const parts = partsOf(words)
  const filled: string[] = []
  if (given.length > parts.length) return undefined
  for (const [at, part] of parts.entries()) {
    const word = given[at]
    if (word === undefined && part.startsWith('[')) return filled
    if (word === undefined || (isFixed(part) && part !== word)) return undefined
    if (!isFixed(part)) filled.push(word)
  }
  return filled
}

function wordFault(name: string, command: Command, given: readonly string[]): OperatorFault {
  const say = `Say gangan ${command.map((one) => said(name, one)).join(', or ')}.`
  // The longest prefix that matches a form.
  const right = Math.max(...command.map(({ words }) => rightUntil(partsOf(words), given)))
  const wrong = given[right]
  if (wrong === undefined) return new OperatorFault(say)
  const next = command.flatMap(({ words }) => {
    const parts = partsOf(words)
    return rightUntil(parts, given) === right ? parts.slice(right, right + 1).filter(isFixed) : []
  })
  const meant = nearest(wrong, next)
  const before = ['gangan', name, ...given.slice(0, right)].join(' ')
  return new OperatorFault(`${wrong} has no meaning after ${before}${meant ? `; did you mean ${meant}?` : `. ${say}`}`)
}

function rightUntil(parts: readonly string[], given: readonly string[]): number {
  const wrong = given.findIndex((word, at) => {
    const part = parts[at]
    return part === undefined || (isFixed(part) && part !== word)
  })
  return wrong === -1 ? given.length : wrong
}

function optionFault(where: string, option: string, known: readonly string[], arg = `--${option}`): OperatorFault {
  const meant = nearest(option, known)
  const help = meant ? `did you mean --${meant}?` : 'gangan --help lists the options.'
  return new OperatorFault(`${where} has no option ${arg.split('=')[0]}; ${help}`)
}

function partsOf(words: string): string[] {
  return words.split(' ').filter((part) => part !== '')
}

function isFixed(part: string): boolean {
  return /^[a-z-]+$/.test(part)
}

function said(name: string, { words }: Form): string {
  return `${name} ${words}`.trimEnd()
}
