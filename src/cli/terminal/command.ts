import { nearest } from './nearest.ts'
import { usageFault, type OperatorFault } from './operator-fault.ts'
import type { Result } from './result.ts'

/** An option of a command: a flag, or one with a value, whose placeholder the help shows. */
export type Option =
  | { kind: 'flag'; about: string }
  | { kind: 'text'; about: string; value: string; words?: readonly string[]; integer?: readonly [number, number] }
export type Options = Readonly<Record<string, Option>>
type Values<O extends Options> = { [name in keyof O]?: O[name]['kind'] extends 'flag' ? boolean : string }
type Given = Record<string, string | boolean>

/** One form of a command: its words, with placeholders in capitals, its options, and what the help says of both. */
export type Form = {
  words: string
  about: string
  options: Options
  examples: readonly string[]
  /** Whether it takes `--json`. */
  json: boolean
  run(values: Given, ...filled: string[]): Promise<Result | void>
}

/** All forms of a command. */
export type Command = readonly Form[]

/** Given with every form that returns a result. */
const JSON_OPTION = 'json'

export function flag(about: string) {
  return { kind: 'flag', about } as const
}

export function valued(value: string, about: string) {
  return { kind: 'text', value, about } as const
}

/** One of some words, which the help and completion list. */
export function choice(words: readonly string[], about: string) {
  return { kind: 'text', value: words.join('|'), about, words } as const
}

/** An integer within bounds. */
export function integer(least: number, most: number, about: string, value = 'N') {
  return { kind: 'text', value, about, integer: [least, most] } as const
}

export function form<const O extends Options>(
  words: string,
  about: string,
  options: O,
  run: (values: Values<O>, ...filled: string[]) => Promise<Result>,
  examples?: readonly string[],
): Form {
  return { ...plainForm(words, about, options, run, examples), json: true }
}

/** A form that prints no data: a server, an emulator, a file's text. */
export function plainForm<const O extends Options>(
  words: string,
  about: string,
  options: O,
  run: (values: Values<O>, ...filled: string[]) => Promise<Result | void>,
  examples: readonly string[] = [],
): Form {
  return {
    words,
    about,
    options,
    examples,
    json: false,
    run(values, ...filled) {
      if (!areOf(options, values)) throw new Error(`gangan ${words} received unknown options.`)
      return run(values, ...filled)
    },
  }
}

function areOf<O extends Options>(options: O, values: object): values is Values<O> {
  return Object.entries(values).every(([name, value]) => options[name]?.kind === (value === true ? 'flag' : 'text'))
}

/** The form that the arguments mean, ready to run. Unknown words and options are rejected. */
export function chooseForm(
  name: string,
  command: Command,
  args: readonly string[],
): { json: boolean; run: () => Promise<Result | void> } {
  const { words, values } = readArgs(name, command, args)
  const chosen = command.find((one) => filledIn(one, words) !== undefined)
  if (!chosen) throw wordFault(name, command, words)
  const options = allOptions(chosen)
  const foreign = Object.keys(values).find((option) => options[option] === undefined)
  if (foreign !== undefined) throw optionFault(`gangan ${said(name, chosen)}`, foreign, Object.keys(options))
  for (const [option, value] of Object.entries(values)) checkValue(option, options[option], value)
  const { [JSON_OPTION]: json = false, ...own } = values
  const given = chosen.json ? own : values
  return { json: json === true, run: () => chosen.run(given, ...(filledIn(chosen, words) ?? [])) }
}

/** The forms that begin with the given words: those a help is asked for. */
export function formsBeginning(name: string, command: Command, words: readonly string[]): Command {
  const found = command.filter((one) => rightUntil(partsOf(one), words) === words.length)
  if (found.length === 0) throw wordFault(name, command, words)
  return found
}

/** Its options, with those of the command line itself. */
export function allOptions({ options, json }: Form): Options {
  return json ? { ...options, [JSON_OPTION]: flag('print JSON') } : options
}

export function partsOf({ words }: Form): string[] {
  return words.split(' ').filter((part) => part !== '')
}

export function isFixed(part: string): boolean {
  return /^[a-z-]+$/.test(part)
}

export function said(name: string, { words }: Form): string {
  return `${name} ${words}`.trimEnd()
}

type Said = { words: string[]; values: Given }

function readArgs(name: string, command: Command, args: readonly string[]): Said {
  const options: Options = Object.assign({}, ...command.map(allOptions))
  const words: string[] = []
  const values: Given = {}
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    if (arg === '--') return { words: [...words, ...args.slice(at + 1)], values }
    // A negative amount is no option.
    if (!/^-\D/.test(arg)) {
      words.push(arg)
      continue
    }
    const [, option = arg.slice(1), inline] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(arg) ?? []
    const kind = Object.hasOwn(options, option) && arg.startsWith('--') ? options[option]?.kind : undefined
    if (kind === undefined) throw optionFault(`gangan ${name}`, option, Object.keys(options), arg)
    if (Object.hasOwn(values, option)) throw usageFault(`--${option} is given twice.`)
    if (kind === 'flag') {
      if (inline !== undefined) throw usageFault(`--${option} takes no value.`)
      values[option] = true
      continue
    }
    const value = inline ?? args[(at += 1)]
    if (value === undefined || (inline === undefined && value.startsWith('--'))) {
      throw usageFault(`--${option} needs a value.`)
    }
    values[option] = value
  }
  return { words, values }
}

function checkValue(name: string, option: Option | undefined, value: string | boolean): void {
  if (option?.kind !== 'text' || typeof value !== 'string') return
  const { words, integer: bounds } = option
  if (words && !words.includes(value)) throw usageFault(`--${name} must be one of ${words.join(', ')}.`)
  if (!bounds) return
  const [least, most] = bounds
  if (!/^\d{1,15}$/.test(value) || Number(value) < least || Number(value) > most) {
    throw usageFault(`--${name} takes a number from ${least} to ${most}.`)
  }
}

/** The values of a form's placeholders; undefined if the words do not match it. */
function filledIn(one: Form, given: readonly string[]): string[] | undefined {
  const parts = partsOf(one)
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
  // The longest prefix that matches a form, and the forms that continue it.
  const right = Math.max(...command.map((one) => rightUntil(partsOf(one), given)))
  const continuing = command.filter((one) => rightUntil(partsOf(one), given) === right)
  const say = `Say gangan ${continuing.map((one) => said(name, one)).join(', or ')}.`
  const wrong = given[right]
  if (wrong === undefined) return usageFault(say)
  const next = continuing.flatMap((one) =>
    partsOf(one)
      .slice(right, right + 1)
      .filter(isFixed),
  )
  const meant = nearest(wrong, next)
  const before = ['gangan', name, ...given.slice(0, right)].join(' ')
  return usageFault(`${wrong} has no meaning after ${before}${meant ? `; did you mean ${meant}?` : `. ${say}`}`)
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
  const help = meant ? `did you mean --${meant}?` : `${where} --help lists the options.`
  return usageFault(`${where} has no option ${arg.split('=')[0]}; ${help}`)
}
