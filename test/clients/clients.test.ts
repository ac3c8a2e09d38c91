import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CALLS, snippet, type Call } from '../../console/src/code/snippets.ts'
import { startLossyProxy, type LossyProxy } from '../support/lossy-proxy.ts'
import { openService, type TestService } from '../support/service.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { temporaryFolder } from '../support/folder.ts'

const run = promisify(execFile)

type Language = {
  name: 'curl' | 'typescript' | 'python' | 'php'
  /** The command that runs it, if it differs from the language's default. */
  runtime?: 'deno' | 'bun'
  /** The language of code blocks in its README, and the extension of its programs. */
  fence: string
  ending: string
  command: string[]
  /** Makes the client available in a folder, like an installation. */
  install: (folder: string) => void
  env?: Record<string, string>
}

const TYPESCRIPT = { name: 'typescript', fence: 'ts', ending: 'mjs', install: installTypescript } as const

const PHP: Language = { name: 'php', fence: 'php', ending: 'php', command: ['php'], install: installPhp }

const CURL: Language = { name: 'curl', fence: 'sh', ending: 'sh', command: ['sh'], install: () => {} }
const LANGUAGES: Language[] = [
  { ...TYPESCRIPT, command: [process.execPath] },
  {
    ...TYPESCRIPT,
    runtime: 'deno',
    command: ['deno', 'run', '--quiet', '--allow-net', '--allow-env', '--node-modules-dir=manual'],
    env: { DENO_NO_UPDATE_CHECK: '1', DENO_DIR: join(tmpdir(), 'gangan-test-deno') },
  },
  { ...TYPESCRIPT, runtime: 'bun', command: ['bun', 'run'] },
  {
    name: 'python',
    fence: 'python',
    ending: 'py',
    command: ['python3'],
    install: () => {},
    env: { PYTHONPATH: resolve('clients/python'), PYTHONDONTWRITEBYTECODE: '1' },
  },
  PHP,
]

let service: TestService
let receiver: Receiver
let lossy: LossyProxy
let posted: string
let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  folder = await temporaryFolder()
  service = await openService({ credit: 100_000 })
  receiver = await startReceiver()
  lossy = await startLossyProxy(service.url)
  const { body } = await service.call<{ secret: string }>('POST', '/webhooks', { url: receiver.url })
  await service.call('POST', '/sms/send', { recipients: '08039990000', content: 'Hello' })
  const [post] = await receiver.wait(1)
  posted = JSON.stringify({ body: post?.body, headers: post?.headers, secret: body.secret })
})
afterAll(async () => {
  await lossy.close()
  await receiver.close()
  await service.close()
  await folder.remove()
})

const titled = LANGUAGES.map((language) => ({
  title: [language.name, language.runtime ?? []].flat().join(' in '),
  language,
}))

describe.each(titled)('the client for $title', ({ title, language }) => {
  const { name, fence, ending } = language
  const left_out = reasonToLeaveOut(language)
  if (left_out) process.stderr.write(`\n!!! NOT TESTED: the client for ${title}. ${left_out}\n\n`)

  test.skipIf(left_out !== undefined)('sends the first message with the code in its README', async () => {
    const readme = readFileSync(`clients/${name}/README.md`, 'utf8')
    const code = new RegExp('```' + fence + '\n([^]*?)```').exec(readme)?.[1] ?? ''
    expect(code.split('\n').filter((line) => line.trim() !== '' && line !== '<?php').length).toBeLessThanOrEqual(5)
    const { text, call } = await runProgram(language, `first.${ending}`, code)
    const [id = '', charge = ''] = text.trim().split(' ')
    const { body } = await call<{ content: string; deliveries: { charge: number }[] }>('GET', `/sms/${id}`)
    expect(body.content).toBe('The drum is heard.')
    expect(body.deliveries.map((delivery) => delivery.charge)).toEqual([Number(charge)])
  })

  test.skipIf(left_out !== undefined)(
    'behaves like the others: pages, errors, one charge for a lost response, events',
    async () => {
      const seen = lossy.keys.length
      const { text } = await runProgram(
        language,
        `story.${ending}`,
        readFileSync(`test/clients/story.${ending}`, 'utf8'),
      )
      expect(JSON.parse(text)).toEqual({
        paged: true,
        read: 'No. 1',
        otp: [404, 'invalid'],
        airtime: 'pending',
        lookup: '2348031234567',
        rows: true,
        deleted: null,
        csv: true,
        refused: ['content', 'recipients[0]'],
        once: true,
        unreachable: true,
        event: 'text.delivered',
        forged: 'WebhookVerificationError',
      })
      const [first, second, ...more] = lossy.keys.slice(seen)
      expect(second).toBe(first)
      expect(more).toEqual([])
    },
  )
})

describe('the channel for Laravel', () => {
  const left_out = reasonToMiss(LARAVEL)
  if (left_out) process.stderr.write(`\n!!! NOT TESTED: the channel for Laravel. ${left_out}\n\n`)

  test.skipIf(left_out !== undefined)('sends a notification to a notifiable with a number, once', async () => {
    const code = readFileSync('test/clients/laravel.php', 'utf8')
    const { text } = await runProgram({ ...PHP, env: { CLIENT: resolve('clients/php') } }, 'laravel.php', code)
    expect(text).toBe('Your order is on its way.\n'.repeat(2))
  })
})

/** Characters that are hard to quote in some language. */
const HARD = 'It\'s "50 %" \\n of $HOME `x` {y} {$z} ₦😀\nand a second line'
const SAMPLES: Call[] = [
  ...Object.values(CALLS),
  { ...CALLS.sms, body: { recipients: ['2348031234567'], content: HARD, is_trackable: true } },
]

describe('the example in the console', () => {
  test.each([CURL, ...LANGUAGES])('runs unchanged in $name', async (language) => {
    if (reasonToLeaveOut(language)) return
    const { id, key, call } = await service.organisation({ credit: 100_000 })
    for (const [n, sample] of SAMPLES.entries()) {
      const code = snippet(sample, language.name, { origin: service.url, key })
      await runProgram(language, `sample-${n}.${language.ending}`, code)
    }
    const { body } = await call<{ messages: { content?: string }[] }>('GET', '/sms')
    const contents = body.messages.map(({ content = '' }) => content)
    expect(contents).toEqual(expect.arrayContaining([HARD, 'The drum is heard.']))
    expect(contents).toHaveLength(3) // With the one-time password.
    const [made] = await service.db`
      select (select count(*)::integer from otps where organisation_id = ${id}) as otps,
        (select count(*)::integer from purchases where organisation_id = ${id}) as purchases`
    expect(made).toEqual({ otps: 1, purchases: 1 })
  })
})

/** In a new organisation, as a separate process. */
async function runProgram({ name, runtime, command, install, env }: Language, file: string, code: string) {
  const { key, call } = await service.organisation({ credit: 100_000 })
  const here = join(folder.path, runtime ?? name)
  if (!existsSync(here)) {
    mkdirSync(here, { recursive: true })
    install(here)
  }
  writeFileSync(join(here, file), code)
  const [program = '', ...rest] = command
  const { stdout } = await run(program, [...rest, file], {
    cwd: here,
    env: {
      PATH: process.env.PATH,
      GANGAN_API_KEY: key,
      GANGAN_URL: service.url,
      LOSSY_URL: lossy.url,
      POSTED: posted,
      ...env,
    },
  })
  return { text: stdout, call }
}

/** Built as `npm pack` builds it. */
function installTypescript(here: string): void {
  const client = join(here, 'node_modules/gangan-client')
  mkdirSync(client, { recursive: true })
  writeFileSync(join(client, 'package.json'), readFileSync('clients/typescript/package.json'))
  writeFileSync(join(here, 'package.json'), '{ "type": "module", "dependencies": { "gangan-client": "*" } }')
  execFileSync('npx', ['tsc', '-p', 'clients/typescript/tsconfig.json', '--outDir', join(client, 'dist')])
}

/** As Composer would install it. */
function installPhp(here: string): void {
  mkdirSync(join(here, 'vendor'), { recursive: true })
  writeFileSync(join(here, 'vendor/autoload.php'), `<?php require '${resolve('clients/php/src/autoload.php')}';\n`)
}

function reasonToLeaveOut({ name, runtime }: Language): string | undefined {
  const asked = { curl: undefined, typescript: undefined, deno: DENO, bun: BUN, python: PYTHON, php: PHP_CLI }[
    runtime ?? name
  ]
  return asked && reasonToMiss(asked)
}

type Asked = { command: string; question: string[]; reason: string }

function reasonToMiss(asked: Asked): string | undefined {
  try {
    execFileSync(asked.command, asked.question, { stdio: 'ignore' })
    return undefined
  } catch {
    return asked.reason
  }
}

const DENO = { command: 'deno', question: ['--version'], reason: 'It needs deno, 2 or later.' }
const BUN = { command: 'bun', question: ['--version'], reason: 'It needs bun.' }
const PYTHON = {
  command: 'python3',
  question: ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))'],
  reason: 'It needs python3, 3.11 or later.',
}
const PHP_CLI = {
  command: 'php',
  question: ['-r', 'exit(PHP_VERSION_ID >= 80100 && extension_loaded("curl") ? 0 : 1);'],
  reason: 'It needs php-cli with curl, 8.1 or later.',
}
const LARAVEL = {
  command: 'php',
  question: ['-r', '(@include "Illuminate/Notifications/autoload.php") || exit(1);'],
  reason: "It needs Debian's php-illuminate-notifications and php-illuminate-events.",
}
