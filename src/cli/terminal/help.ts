import { allOptions, said, type Command, type Form, type Option } from './command.ts'
import { paint } from './paint.ts'

/** A command in the overview; its module is loaded on use, as loading the service takes a second. */
export type Listed = { about: string; load: () => Promise<Command> }
/** The commands, by group. */
export type Groups = Readonly<Record<string, Readonly<Record<string, Listed>>>>

const NAME_WIDTH = 14
const WIDTH = 100
const OPTION_INDENT = 6
const OPTION_WIDTH = 30

/** `gangan --help`. */
export function overview(groups: Groups): string {
  const chapters = Object.entries(groups).map(([group, commands]) => {
    const lines = Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(NAME_WIDTH)}${about}`)
    return [paint('bold', group), ...lines].join('\n')
  })
  return `Gangan: messages, one-time passwords, airtime, lookup and contacts behind one HTTP API.

Usage: gangan <command> [options]

${chapters.join('\n\n')}

gangan COMMAND --help explains a command. Commands that print data take --json.
Environment: .env.example. Exit codes: docs/cli.md.
`
}

/** `gangan COMMAND --help`: its forms, or those of a subcommand. */
export function helpOf(name: string, about: string, forms: Command): string {
  const blocks = forms.map((one) => {
    const options = Object.entries(allOptions(one)).map(([option, what]) => optionLine(option, what))
    return [`  ${paint('bold', `gangan ${said(name, one)}`)}`, wrap(one.about, 4), ...options].join('\n')
  })
  const examples = examplesOf(forms)
  const shown =
    examples.length === 0 ? '' : `\n${paint('bold', 'Examples')}\n${examples.map((one) => `  ${one}\n`).join('')}`
  return `gangan ${name}: ${about}\n\n${blocks.join('\n\n')}\n${shown}`
}

export function examplesOf(forms: readonly Form[]): string[] {
  return forms.flatMap(({ examples }) => examples)
}

/** `--kind ported|dnd`, as an option is entered. */
export function optionUsage(name: string, option: Option): string {
  return option.kind === 'flag' ? `--${name}` : `--${name} ${option.value}`
}

function optionLine(name: string, option: Option): string {
  const usage = `${' '.repeat(OPTION_INDENT)}${optionUsage(name, option)}`
  const about = wrap(option.about, OPTION_WIDTH)
  return usage.length < OPTION_WIDTH ? usage + about.slice(usage.length) : `${usage}\n${about}`
}

function wrap(sentence: string, indent: number): string {
  const lines = ['']
  for (const word of sentence.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && indent + line.length + 1 + word.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.map((line) => ' '.repeat(indent) + line).join('\n')
}
