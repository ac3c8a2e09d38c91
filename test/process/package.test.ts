import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.ts'
import { caller } from '../support/service.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)
/** Packages come from where `npm install` put them, if they are still there. */
const INSTALL = ['install', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--no-progress']
/** Unpacking PostgreSQL takes its time on a busy disk. */
const PATIENCE_MS = 180_000

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let packed: string[]

beforeAll(async () => {
  folder = await temporaryFolder()
  // Built before the tests were.
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder.path])
  const [pack] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[]
  packed = pack?.files.map(({ path }) => path) ?? []
  await run('npm', [...INSTALL, join(folder.path, pack?.filename ?? '')], { cwd: folder.path })
}, PATIENCE_MS)
afterAll(() => folder.remove())

test('the package holds what is run, and nothing that only builds or tests it', () => {
  const tops = new Set(packed.map((path) => path.split('/')[0]))
  const texts = ['.env.example', 'CHANGELOG.md', 'LICENSE', 'README.md', 'gangan.example.yaml']
  const wanted = ['assets', 'bin', 'dist', 'functions', 'migrations', 'openapi.json', 'package.json', 'presets']
  expect([...tops].sort()).toEqual(wanted.concat(texts).sort())
  expect(packed).toContain('dist/console/index.html')
  expect(packed.filter((path) => path.endsWith('.map') || path.includes('.test.'))).toEqual([])
  const installed = readdirSync(join(folder.path, 'node_modules'))
  expect(installed).toContain('fastify')
  expect(['vitest', 'typescript', 'vite', 'react'].filter((name) => installed.includes(name))).toEqual([])
})

test('in an empty folder it serves, and the first message arrives', { timeout: PATIENCE_MS }, async () => {
  const child = spawn(join(folder.path, 'node_modules/.bin/gangan'), {
    cwd: folder.path,
    env: { PATH: process.env.PATH, PORT: '0', GANGAN_LOG: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await until('the banner', () => /Gangan is ready[\s\S]*\n\n/.test(output), PATIENCE_MS)
  const url = /http:\/\/[\w.[\]:]+/.exec(output)?.[0] ?? ''
  const call = caller(url, /gg_live_\w+/.exec(output)?.[0] ?? '')
  expect((await call('POST', '/sms/send', { recipients: '08031234567', content: 'From a package' })).status).toBe(200)
  await until('the text on the handset', async () => {
    const { body } = await call<{ messages: { text: string }[] }>('GET', '/sandbox/messages?recipient=08031234567')
    return body.messages.some(({ text }) => text === 'From a package')
  })
  for (const path of ['/console', '/docs', '/openapi.json', '/ready']) {
    expect([path, (await fetch(url + path)).status]).toEqual([path, 200])
  }
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(readdirSync(folder.path)).toContain('data')
})
