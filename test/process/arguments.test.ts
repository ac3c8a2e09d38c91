import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import { run } from '../../src/cli/run.ts'
import { allOptions } from '../../src/cli/terminal/command.ts'
import { EXIT } from '../../src/cli/terminal/operator-fault.ts'
import { temporaryFolder } from '../support/folder.ts'
import { spawnGangan } from '../support/process.ts'

const LOADED = await Promise.all(
  Object.entries(COMMANDS).map(async ([name, { load }]) => ({ name, forms: await load() })),
)
const FORMS = LOADED.flatMap(({ name, forms }) =>
  forms.map((one) => ({ name, words: one.words, options: allOptions(one) })),
)
/** A form as an operator would enter it, with all values. */
const sayOf = ({ name, words }: { name: string; words: string }) => [
  name,
  ...words.split(' ').flatMap((word) => (word === '' ? [] : [/^[a-z-]+$/.test(word) ? word : 'something'])),
]
const SAID = FORMS.map((form) => ({ ...form, args: sayOf(form), said: sayOf(form).join(' ') }))

let data: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  data = await temporaryFolder()
})
afterAll(() => data.remove())

/** The output of the command line, without access to a database. */
async function refusal(args: string[]): Promise<string> {
  const folder = join(data.path, 'untouched')
  vi.stubEnv('GANGAN_DATA', folder)
  vi.stubEnv('DATABASE_URL', '')
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    expect(await run(args)).toBe(EXIT.usage)
    expect(stdout).not.toHaveBeenCalled()
    expect(existsSync(folder)).toBe(false)
    return stderr.mock.calls.map(([text]) => String(text)).join('')
  } finally {
    vi.unstubAllEnvs()
    stderr.mockRestore()
    stdout.mockRestore()
  }
}

test('smpp add takes a password that every client can send: eight characters', async () => {
  for (const password of ['1234567890123456', '123456789', '1234567', '1234 678']) {
    const sentence = await refusal(['smpp', 'add', 'shop', '--password', password])
    expect(sentence).toContain('A password has 8 characters without spaces.')
  }
})

describe('every command', () => {
  test('is tested', () => {
    expect(Object.keys(COMMANDS).length).toBeGreaterThan(24)
    expect(SAID.length).toBeGreaterThan(60)
  })

  test.each(SAID)('$said rejects an unknown option', async ({ args }) => {
    for (const option of ['--dispersed', '--dispersed=yes', '-x', '--__proto__', '--constructor']) {
      const sentence = await refusal([...args, option])
      expect(sentence).toContain(`has no option ${option.split('=')[0]}`)
      expect(sentence).not.toContain('    at ') // No stack trace: the operator can correct it.
    }
  })

  test.each(SAID)('$said rejects an additional argument', async ({ args }) => {
    // Optional arguments are given, so one more is too many for every form.
    const sentence = await refusal([...args, 'surplus', 'surplus'])
    expect(sentence).toMatch(/^gangan: surplus has no meaning after gangan/)
  })

  test.each(SAID)('$said rejects the options of other commands', async ({ name, args, options }) => {
    const foreign = FORMS.filter((form) => form.name === name).flatMap((form) =>
      Object.entries(form.options).filter(([option]) => !(option in options)),
    )
    for (const [option, { kind }] of foreign) {
      const sentence = await refusal([...args, `--${option}`, ...(kind === 'text' ? ['x'] : [])])
      expect(sentence).toContain(`has no option --${option}`)
    }
  })

  test.each(SAID)('$said accepts each option once, with a value where it needs one', async ({ args, options }) => {
    for (const [option, { kind }] of Object.entries(options)) {
      const twice = kind === 'text' ? [`--${option}=a`, `--${option}=b`] : [`--${option}`, `--${option}`]
      expect(await refusal([...args, ...twice])).toContain(`--${option} is given twice`)
      const wrong = kind === 'text' ? `--${option}` : `--${option}=a`
      expect(await refusal([...args, wrong])).toMatch(new RegExp(`--${option} (needs a value|takes no value)`))
    }
  })
})

test.each([
  [['mirgate'], 'there is no command mirgate; did you mean migrate?'],
  [['help', 'kyes'], 'there is no command kyes; did you mean keys?'],
  [['__proto__'], 'there is no command __proto__; gangan --help lists them.'],
  [['serve', '--procesess', '4'], 'gangan serve has no option --procesess; did you mean --processes?'],
  [['keys', 'creat'], 'creat has no meaning after gangan keys; did you mean create?'],
  [['keys', 'list', '--tset'], 'gangan keys has no option --tset; did you mean --test?'],
  [
    ['airtime', 'review', 'ID', 'sucess'],
    'sucess has no meaning after gangan airtime review ID; did you mean success?',
  ],
  [['keys', 'revoke'], 'Say gangan keys revoke KEY_ID.'],
  [['numbers', 'import', 'file.csv'], 'Say gangan numbers import --kind ported FILE, or --kind dnd FILE.'],
  [['users', 'invite', '--name', '--operator', 'a@b.example'], '--name needs a value.'],
  [['migrate', '-'], '- has no meaning after gangan migrate. Say gangan migrate.'],
])('%j is answered: %s', async (args, sentence) => {
  expect(await refusal(args)).toBe(`gangan: ${sentence}\n`)
})

test('the process ends with 2, and has no effect', async () => {
  const folder = join(data.path, 'process')
  const { code, stdout, stderr } = await spawnGangan(['migrate', '--dispersed'], { GANGAN_DATA: folder })
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toBe('gangan: gangan migrate has no option --dispersed; gangan migrate --help lists the options.\n')
  expect(existsSync(folder)).toBe(false)
})
