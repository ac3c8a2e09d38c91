import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { COMMANDS, GROUPS } from './commands.ts'
import { run } from './run.ts'
import { allOptions, said, type Command } from './terminal/command.ts'
import { examplesOf, optionUsage } from './terminal/help.ts'

const LOADED = await Promise.all(
  Object.entries(COMMANDS).map(async ([name, { about, load }]) => ({ name, about, forms: await load() })),
)

async function output(...args: string[]): Promise<string> {
  const write = process.stdout.write.bind(process.stdout)
  let printed = ''
  process.stdout.write = (text: string | Uint8Array) => {
    printed += String(text)
    return true
  }
  try {
    expect(await run(args)).toBe(0)
  } finally {
    process.stdout.write = write
  }
  return printed
}

const HEAD = `# Command line

Generated from the commands; \`npx vitest run src/cli/reference.test.ts --update\` writes it. \`gangan --help\` lists the
commands, \`gangan COMMAND --help\` explains one, and \`gangan help COMMAND SUBCOMMAND\` a part of it.

**JSON.** Every command that prints data takes \`--json\` and prints one JSON document on standard output: lists as arrays,
with the field names of the API, amounts as numbers in currency units, and fields without a value left out. Notes for a
person, such as how long a link works, go to standard error in both forms.

**Colour** is used on terminals only, and not if \`NO_COLOR\` is set.

**Completion.** \`gangan completion bash\`, \`zsh\` or \`fish\` prints a script; \`source <(gangan completion bash)\` tries it.

**Databases.** A command connects to the database of a running \`gangan serve\` in the same data folder, or of \`DATABASE_URL\`, or
starts the embedded one while it runs. Only \`serve\`, \`migrate\` and \`restore\` create a database.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | internal error: a bug, printed with its stack trace |
| 2 | usage: an unknown command or option, a value that is not accepted, or a configuration that is not valid |
| 3 | not found: the object or file that the command names does not exist |
| 4 | refused: the command is not possible in the present state, such as a balance below zero |
| 5 | unavailable: the database, a carrier, a port or the disk cannot be used; try again |
| 10 | a check found warnings (commands that check, such as \`gangan status\`) |
| 11 | a check found a critical state |
`

function reference(): string {
  const chapters = Object.entries(GROUPS).map(([group, commands]) => {
    const names = Object.keys(commands)
    const sections = LOADED.filter(({ name }) => names.includes(name)).map(section)
    return `## ${group}\n\n${sections.join('\n')}`
  })
  return `${HEAD}\n${chapters.join('\n')}`
}

function section({ name, about, forms }: { name: string; about: string; forms: Command }): string {
  const lines = forms.map((one) => {
    const options = Object.entries(allOptions(one)).map(
      ([option, what]) => `  - \`${optionUsage(option, what)}\`: ${what.about}`,
    )
    return [`- \`gangan ${said(name, one)}\`: ${one.about}`, ...options].join('\n')
  })
  const examples = examplesOf(forms)
  const block = examples.length === 0 ? '' : `\n\`\`\`sh\n${examples.join('\n')}\n\`\`\`\n`
  return `### ${name}\n\n${about}\n\n${lines.join('\n')}\n${block}`
}

test('docs/cli.md describes every command', async () => {
  await expect(reference()).toMatchFileSnapshot('../../docs/cli.md')
})

describe('the help', () => {
  test('lists every command in less than a screen', async () => {
    const text = await output('--help')
    for (const { name, about } of LOADED) expect(text).toMatch(new RegExp(`^  ${name} +${about}$`, 'm'))
    expect(text.split('\n').length).toBeLessThan(70)
    expect(await output('help')).toBe(text)
  })

  test.each(LOADED)(
    'of $name names its forms, options and examples, in lines of 100 characters',
    async ({ name, forms }) => {
      const text = await output(name, '--help')
      expect(await output('help', name)).toBe(text)
      for (const one of forms) {
        expect(text).toContain(`gangan ${said(name, one)}\n`)
        for (const [option, what] of Object.entries(allOptions(one))) expect(text).toContain(optionUsage(option, what))
      }
      for (const example of examplesOf(forms)) expect(text).toContain(example)
      expect(text.split('\n').filter((line) => line.length > 100)).toEqual([])
      for (const one of forms) expect(one.about).not.toBe('')
    },
  )

  test('of a subcommand leaves the others out', async () => {
    const text = await output('help', 'keys', 'revoke')
    expect(text).toContain('gangan keys revoke KEY_ID\n')
    expect(text).not.toContain('keys create')
    expect(await output('keys', 'revoke', '--help')).toBe(text)
  })

  test('is not printed for --help as an argument after --', async () => {
    expect(await run(['keys', 'revoke', '--', '--help', 'surplus'])).toBe(2)
  })
})

test.each(LOADED)('the examples of $name begin with it', ({ name, forms }) => {
  for (const example of examplesOf(forms)) expect(example).toMatch(new RegExp(`^gangan ${name} `))
})

describe('completion', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gangan-completion-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('for bash completes commands, subcommands, options and their values', async () => {
    const script = join(folder, 'gangan.bash')
    writeFileSync(script, await output('completion', 'bash'))
    execFileSync('bash', ['-n', script])
    const complete = (...words: string[]): string[] =>
      execFileSync(
        'bash',
        [
          '-c',
          'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gangan; printf "%s\\n" "${COMPREPLY[@]}"',
          script,
          ...words,
        ],
        { encoding: 'utf8' },
      )
        .split('\n')
        .filter(Boolean)
    expect(complete('gangan', 'org')).toEqual(['organisations'])
    expect(complete('gangan', 'help', 'org')).toEqual(['organisations'])
    expect(complete('gangan', 'keys', '')).toEqual(['create', 'list', 'limit', 'twilio', 'revoke'])
    expect(complete('gangan', 'keys', 'create', '--s')).toEqual(['--scopes'])
    expect(complete('gangan', 'keys', 'create', '--name', 'revoke', '--e')).toEqual(['--expires'])
    expect(complete('gangan', 'numbers', 'import', 'file.csv', '--kind', 'd')).toEqual(['dnd'])
    expect(complete('gangan', 'airtime', 'review', 'ID', '')).toEqual(['success', 'failed'])
    expect(complete('gangan', 'balance', 'top-up', '5', '--t')).toEqual(['--test'])
    expect(complete('gangan', 'vendor', '--l')).toEqual(['--latency', '--lose', '--limit'])
    expect(complete('gangan', 'dance', '')).toEqual([])
  })

  test('for zsh and fish names every option', async () => {
    const [zsh, fish] = [await output('completion', 'zsh'), await output('completion', 'fish')]
    expect(zsh).toMatch(/^#compdef gangan\n/)
    for (const { name, forms } of LOADED) {
      expect(fish).toContain(`-a '${name}'`)
      for (const option of forms.flatMap((one) => Object.keys(one.options))) {
        expect(zsh).toContain(`--${option}`)
        expect(fish).toContain(`-l ${option} `)
      }
    }
  })
})
