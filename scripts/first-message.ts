import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `npm run test:npx`: packs Gangan and, in empty folders, acts as a new user: `npx FILE` with an empty npm cache, and
 * `npm install` with `npx gangan`. Prints how long each took until a text was on a virtual phone, and fails if that is
 * longer than a minute.
 */
const WITHIN_S = 60
const NUMBER = '08031234567'

const root = fileURLToPath(new URL('../', import.meta.url))
const place = mkdtempSync(join(tmpdir(), 'gangan-npx-'))
try {
  const said = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', place], { cwd: root })
  const [pack]: { filename: string }[] = JSON.parse(said.toString())
  const file = join(place, pack?.filename ?? '')
  await measure('npx FILE, nothing cached', async (folder) => firstMessage(folder, ['--yes', `file:${file}`]))
  await measure('npm install FILE, npx gangan', async (folder) => {
    const install = ['install', '--no-audit', '--no-fund', file]
    execFileSync('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], env: env() })
    await firstMessage(folder, ['gangan'])
  })
} finally {
  rmSync(place, { recursive: true, force: true })
}

async function measure(what: string, story: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(place, 'empty-'))
  const began = performance.now()
  await story(folder)
  const seconds = (performance.now() - began) / 1_000
  process.stdout.write(`${what}: the first text was on the phone after ${seconds.toFixed(1)} s\n`)
  if (seconds > WITHIN_S) process.exitCode = 1
}

async function firstMessage(folder: string, args: string[]): Promise<void> {
  // In its own process group, which is terminated like by Ctrl-C.
  const child = spawn('npx', args, { cwd: folder, env: env(), stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const ended = once(child, 'exit')
  try {
    const banner = await bannerOf(child.stdout, ended)
    const url = /http:\/\/[\w.[\]:]+/.exec(banner)?.[0] ?? ''
    const headers = { authorization: /gg_live_\w+/.exec(banner)?.[0] ?? '', 'content-type': 'application/json' }
    const body = JSON.stringify({ recipients: NUMBER, content: 'The drum is heard.' })
    const sent = await fetch(`${url}/sms/send`, { method: 'POST', headers, body })
    if (!sent.ok) throw new Error(`the first message was answered with ${sent.status}`)
    while (!(await isOnPhone(url, headers))) await new Promise((resolve) => setTimeout(resolve, 50))
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGINT')
    await ended
  }
}

async function bannerOf(output: NodeJS.ReadableStream, ended: Promise<unknown>): Promise<string> {
  let text = ''
  const banner = new Promise<string>((resolve) => {
    output.setEncoding('utf8')
    output.on('data', (part: string) => {
      text += part
      if (/Gangan is ready[\s\S]*\n\n/.test(text)) resolve(text)
    })
  })
  const early = ended.then(() => {
    throw new Error(`it ended before it was ready: ${text}`)
  })
  early.catch(() => {}) // It also ends after the test.
  return Promise.race([banner, early])
}

async function isOnPhone(url: string, headers: Record<string, string>): Promise<boolean> {
  const answer = await fetch(`${url}/sandbox/messages?recipient=${NUMBER}`, { headers })
  return (await answer.text()).includes('The drum is heard.')
}

/** A new cache: everything is downloaded from the registry. */
function env(): NodeJS.ProcessEnv {
  const cache = join(place, 'cache')
  mkdirSync(cache, { recursive: true })
  const { GANGAN_API_KEY: _key, DATABASE_URL: _database, ...others } = process.env
  return { ...others, PORT: '0', GANGAN_LOG: 'error', npm_config_cache: cache }
}
