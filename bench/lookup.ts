import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Pool } from 'undici'
import { makePriceTable } from '../src/messaging/compose/tariff.ts'
import { readPrefixTable } from '../src/numbers/prefix-table.ts'
import { folderOnDisk } from '../test/support/folder.ts'

type Figure = { name: string; figure: string }

const PORTED = Number(process.env.BENCH_PORTED ?? 5_000_000)
const SECONDS = 5
const WARM_UP_S = 5
const CONNECTIONS = 64
const BATCH = 1_000
const COMMAND = ['--import', 'tsx', 'src/main.ts']

/** Import and lookups of a running service with a registry of five million ported numbers. */
export async function benchLookup(): Promise<Figure[]> {
  const folder = (await folderOnDisk()).path
  const env = { ...process.env, GANGAN_DATA: join(folder, 'data'), PORT: '0', GANGAN_LOG: 'error' }
  const service = await startService(env)
  try {
    const csv = join(folder, 'ported.csv')
    await writeRegistry(csv)
    const imported = await promisify(execFile)(
      process.execPath,
      [...COMMAND, 'numbers', 'import', '--kind', 'ported', '--replace', csv],
      { env },
    )
    const pool = new Pool(service.url, { connections: CONNECTIONS, pipelining: 1 })
    const headers = { authorization: service.key }
    const one = await load(CONNECTIONS, async () => {
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: `/lookup/phone?phone=${anyNumber()}`,
        headers,
      })
      await body.text()
      return statusCode === 200 ? 1 : 0
    })
    const many = await load(4, async () => {
      const phones = JSON.stringify({ phones: Array.from({ length: BATCH }, anyNumber) })
      const json = { ...headers, 'content-type': 'application/json' }
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/lookup/phones',
        headers: json,
        body: phones,
      })
      await body.text()
      return statusCode === 200 ? BATCH : 0
    })
    await pool.close()
    return [
      { name: 'import of ported numbers', figure: imported.stdout.trim() },
      { name: `lookups over HTTP, ${CONNECTIONS} connections`, figure: `${one}/s` },
      { name: `lookups over HTTP, ${BATCH} per request`, figure: `${many}/s` },
      ...inMemory(),
    ]
  } finally {
    await stop(service.child)
    await rm(folder, { recursive: true, force: true })
  }
}

async function startService(env: NodeJS.ProcessEnv): Promise<{ child: ChildProcess; url: string; key: string }> {
  const child = spawn(process.execPath, [...COMMAND, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    const [, url] = /Base URL +(\S+)/.exec(said) ?? []
    const [, key] = /API key +(\S+)/.exec(said) ?? []
    if (url !== undefined && key !== undefined) return { child, url, key }
  }
  throw new Error(`the service did not start: ${said}`)
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

/** Every sixteenth number of a range of eighty million, in no order. */
async function writeRegistry(path: string): Promise<void> {
  const out = createWriteStream(path)
  const operators = ['MTN', 'Airtel', 'Glo', '9mobile']
  for (let n = 0; n < PORTED; n += 1) {
    const number = 2_348_030_000_000 + 16 * ((n * 7_368_787) % PORTED)
    if (!out.write(`${number},${operators[n % 4]}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}

function anyNumber(): string {
  return String(2_348_030_000_000 + Math.floor(Math.random() * 16 * PORTED))
}

/** Requests per second with this many concurrent callers. The first seconds are warm-up and do not count. */
async function load(at_once: number, ask: () => Promise<number>): Promise<string> {
  await askFor(WARM_UP_S, at_once, ask)
  return Math.round((await askFor(SECONDS, at_once, ask)) / SECONDS).toLocaleString('en')
}

async function askFor(seconds: number, at_once: number, ask: () => Promise<number>): Promise<number> {
  const until = performance.now() + 1_000 * seconds
  let done = 0
  const asker = async (): Promise<void> => {
    while (performance.now() < until) {
      const answered = await ask() // first, because `done +=` would add to what it was before the wait
      done += answered
    }
  }
  await Promise.all(Array.from({ length: at_once }, asker))
  return done
}

function inMemory(): Figure[] {
  const started = performance.now()
  const table = readPrefixTable()
  table.originOf('2348031234567')
  const loaded_ms = performance.now() - started
  const numbers = Array.from({ length: 100_000 }, anyNumber)
  const channel = 'sms' as const
  const plain = makePriceTable(
    [
      { channel, prefix: '234', price: 4 },
      { channel, prefix: '', price: 35 },
    ],
    table.originOf,
  )
  const rich = makePriceTable(
    [
      { channel, prefix: '234', operator: 'MTN', price: 4 },
      { channel, prefix: '', country: 'NG', price: 35 },
      { channel, prefix: '', price: 35 },
    ],
    table.originOf,
  )
  return [
    { name: 'prefix table, loading', figure: `${loaded_ms.toFixed(0)} ms` },
    { name: 'prefix table, per number', figure: perNumber(numbers, (msisdn) => table.originOf(msisdn).operator) },
    { name: 'price by prefix, per number', figure: perNumber(numbers, (msisdn) => plain.price(channel, msisdn)) },
    { name: 'price by operator, per number', figure: perNumber(numbers, (msisdn) => rich.price(channel, msisdn)) },
  ]
}

function perNumber(numbers: readonly string[], look: (msisdn: string) => unknown): string {
  let known = 0
  const rounds = 10
  for (const msisdn of numbers) if (look(msisdn)) known += 1
  const started = performance.now()
  for (let n = 0; n < rounds; n += 1) for (const msisdn of numbers) if (look(msisdn)) known += 1
  const each_ns = ((performance.now() - started) * 1e6) / (rounds * numbers.length)
  return `${Math.round(each_ns)} ns (${known > 0 ? 'all' : 'none'} known)`
}
