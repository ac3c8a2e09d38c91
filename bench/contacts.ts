import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { openAccount } from '../src/billing/balance.ts'
import { newSecret } from '../src/callbacks/signing/signature.ts'
import { registerFirstSender } from '../src/senders/decide.ts'
import { decideConfig } from '../src/config/config.ts'
import { connect, type Db } from '../src/db/connect.ts'
import { startEmbedded } from '../src/db/embedded/start.ts'
import { migrate } from '../src/db/migrate.ts'
import { buildServer } from '../src/http/server.ts'
import { createOrganisation } from '../src/organisations/create.ts'
import { createKey } from '../src/organisations/keys.ts'
import { makeSecretSeal } from '../src/values/secrets/secret-seal.ts'
import { makeService } from '../src/service.ts'
import { fillContacts } from './contacts-data.ts'
import { folderOnDisk } from '../test/support/folder.ts'

export type Figure = { name: string; figure: string }
type Found = { rows: { id: string }[]; meta: { pagination: { query_id: string; next_page: string } } }
type Call = <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<T>

const ROWS = Number(process.env.BENCH_CONTACTS ?? 1_000_000)
const RUNS = 30
const IMPORT_LINES = 100_000

/** The contact list of one organisation with a million rows, through HTTP, on an embedded PostgreSQL of its own. */
export function benchContacts(): Promise<Figure[]> {
  return withService(async ({ db, url, address }) => {
    const { id, call } = await makeCustomer(db, url)
    await prepareList(call)
    await fillContacts(address, id, ROWS)
    const other = await makeCustomer(db, url)
    return [
      ...(await benchOperators(call)),
      ...(await benchSearch(call)),
      ...(await benchScroll(call)),
      await benchExport(call),
      await benchImport(other.call),
    ]
  })
}

type Serving = { db: Db; url: string; address: Parameters<typeof fillContacts>[0] }

/** The whole service on an embedded PostgreSQL of its own, while something is measured. */
export async function withService(measure: (serving: Serving) => Promise<Figure[]>): Promise<Figure[]> {
  const data_dir = (await folderOnDisk()).path
  const embedded = await startEmbedded({ data_dir })
  const db = connect(embedded.url_options)
  await migrate(db)
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const service = await makeService({ config: decideConfig({ PORT: '0', GANGAN_DATA: data_dir }, {}), db, log })
  service.startWorkers()
  const app = await buildServer(service.http)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  try {
    return await measure({ db, url, address: embedded.url_options })
  } finally {
    await app.close()
    await service.stop()
    await db.end({ timeout: 1 })
    await embedded.stop()
    await rm(data_dir, { recursive: true, force: true })
  }
}

/** This benchmark never dials a number. */
const secret_seal = makeSecretSeal(Buffer.alloc(32))

export async function makeCustomer(db: Db, url: string, credit = 0n): Promise<{ id: string; key: string; call: Call }> {
  const id = await createOrganisation(
    { db, openAccount, newCallbackSecret: newSecret, secret_seal, registerSender: registerFirstSender },
    { name: 'Bench', default_country: 'NG', default_sender_id: 'Bench', currency: 'NGN', credit },
  )
  const { key } = await createKey({ db }, id, 'live', { name: null, scopes: null, expires_datetime: null })
  const call: Call = async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    const text = await response.text()
    return (text.startsWith('{') ? JSON.parse(text) : text) as never
  }
  return { id, key, call }
}

/** Columns 4 to 7, as the data has them. */
export async function prepareList(call: Call): Promise<void> {
  const path = '/lists/contact/columns'
  await call('POST', path, { name: 'Spent', type: 'NUMBER' })
  await call('POST', path, {
    name: 'City',
    type: 'SELECT',
    options: ['Lagos', 'Abuja', 'Kano', 'Ibadan', 'Enugu', 'Jos'],
  })
  await call('POST', path, { name: 'Joined', type: 'DATE' })
}

/** Of each operator: a question many rows answer and one few do. */
const QUESTIONS: [string, string, (n: number) => unknown][] = [
  ['Mobile', 'equal', (n) => `0803${String(1_000_000 + n * 7_919).padStart(7, '0')}`],
  ['City', 'equal', () => 'Lagos'],
  ['City', 'not_equal', () => 'Lagos'],
  ['Name', 'contain', (n) => `-q${n.toString(16)}`],
  ['Name', 'contain', () => 'obi'],
  ['Name', 'contain', () => 'a'],
  ['Name', 'not_contain', () => 'ada'],
  ['Mobile', 'start_with', (n) => `0803${String(100 + n)}`],
  ['Name', 'start_with', () => 'chi'],
  ['Email', 'end_with', (n) => `${(0xabc + n).toString(16)}@gmail.com`],
  ['Mobile', 'end_with', (n) => `${1_000 + n}`],
  ['Email', 'empty', () => undefined],
  ['Email', 'not_empty', () => undefined],
  ['Name', 'empty', () => undefined],
  ['Mobile', 'is_any', (n) => Array.from({ length: 50 }, (_, m) => `0805${String(n * 50 + m).padStart(7, '0')}`)],
  ['City', 'is_any', () => ['Kano', 'Jos']],
  ['City', 'is_none_of', () => ['Kano', 'Jos']],
  ['Spent', 'greater', (n) => 99_990 - n],
  ['Spent', 'greater', () => 50_000],
  ['Spent', 'less', (n) => 10 + n],
  ['Joined', 'before', (n) => `2015-01-${String(1 + (n % 28)).padStart(2, '0')}`],
  ['Joined', 'after', () => '2020-01-01'],
]

async function benchOperators(call: Call): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, operator, valueOf] of QUESTIONS) {
    const times: number[] = []
    let found = 0
    for (let n = 0; n < RUNS; n += 1) {
      const filters = [{ name, operator, value: valueOf(n) }]
      const started = performance.now()
      found = (await call<Found>('POST', '/lists/contact/rows/query', { filters })).rows.length
      times.push(performance.now() - started)
    }
    const asked = JSON.stringify(valueOf(0) ?? '').slice(0, 24)
    const [p50, p99] = [0.5, 0.99].map((part) => quantile(times, part))
    figures.push({
      name: `contacts: ${name} ${operator} ${asked}`,
      figure: `p50 ${p50} ms, p99 ${p99} ms (${found} on the page)`,
    })
  }
  return figures
}

/** Typical input to the search field: a frequent word, a rare one, a number, two words. */
const SEARCHES: [string, (n: number) => string][] = [
  ['frequent', () => 'obi'],
  ['rare', (n) => `-q${n.toString(16)}`],
  ['a number', (n) => `0803 ${100 + n}`],
  ['a whole number', (n) => `0803${String(1_000_000 + n * 7_919).padStart(7, '0')}`],
  ['two words', () => 'amina kano'],
  ['one letter', () => 'z'],
  ['nothing', (n) => `qqqq${n}`],
]

async function benchSearch(call: Call): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [what, textOf] of SEARCHES) {
    const times: number[] = []
    let found = 0
    for (let n = 0; n < RUNS; n += 1) {
      const started = performance.now()
      found = (await call<Found>('POST', '/lists/contact/rows/query', { search: textOf(n) })).rows.length
      times.push(performance.now() - started)
    }
    const [p50, p99] = [0.5, 0.99].map((part) => quantile(times, part))
    figures.push({
      name: `contacts: search of all cells, ${what} (${textOf(0)})`,
      figure: `p50 ${p50} ms, p99 ${p99} ms (${found} on the page)`,
    })
  }
  return figures
}

/** A page of a hundred at the beginning, and far behind it. By name the rows lie all over the disk: not so far. */
async function benchScroll(call: Call): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [sort, deep] of [[undefined, ROWS * 0.9] as const, ['Name', ROWS * 0.02] as const]) {
    const first = await call<Found>('POST', '/lists/contact/rows/query', { sort, limit: 100 })
    let last = first
    for (let depth = 0; depth < deep; depth += 1_000) {
      const { query_id } = last.meta.pagination
      last = await call<Found>('POST', '/lists/contact/rows/query', { query_id, limit: 1_000 })
    }
    const [near, far] = await timePages(call, first, last)
    figures.push({
      name: `contacts: scroll ${sort ? `by ${sort}` : 'newest first'}`,
      figure: `depth 1 ${near} ms, depth ${deep} ${far} ms, ratio ${(far / near).toFixed(2)}`,
    })
  }
  return figures
}

/** Alternating, so that other load on the machine affects both. */
async function timePages(call: Call, near: Found, far: Found): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []]
  for (let n = 0; n < 2 * RUNS; n += 1) {
    const { query_id } = (n % 2 === 0 ? near : far).meta.pagination
    const started = performance.now()
    await call<Found>('POST', '/lists/contact/rows/query', { query_id, limit: 100 })
    times[n % 2 === 0 ? 0 : 1].push(performance.now() - started)
  }
  return [quantile(times[0], 0.5), quantile(times[1], 0.5)]
}

async function benchExport(call: Call): Promise<Figure> {
  const { id } = await call<{ id: string }>('POST', '/lists/contact/smartlists', { name: 'all', filters: [] })
  const memory = watchMemory()
  const started = performance.now()
  const csv = await call<string>('GET', `/lists/contact/rows/export?smartlist_id=${id}`)
  const seconds = (performance.now() - started) / 1_000
  const lines = csv.split('\n').length - 2
  return {
    name: `contacts: export of ${lines} rows`,
    figure: `${Math.round(lines / seconds)} rows/s, peak memory ${memory()} MB with the reader's copy`,
  }
}

async function benchImport(call: Call): Promise<Figure> {
  const lines = Array.from(
    { length: IMPORT_LINES },
    (_, n) => `Person ${n} Obi,p${n}@mail.ng,0803${String(n).padStart(7, '0')},${n % 1_000}`,
  )
  const csv = `Name,Email,Phone,Spent\n${lines.join('\n')}\n`
  const memory = watchMemory()
  const started = performance.now()
  const { id } = await call<{ id: string }>('POST', '/lists/contact/imports', csv, { 'content-type': 'text/csv' })
  for (;;) {
    const { status, created } = await call<{ status: string; created: number }>('GET', `/lists/contact/imports/${id}`)
    if (status === 'done' && created === IMPORT_LINES) break
    if (status === 'failed') throw new Error('the import failed')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const seconds = (performance.now() - started) / 1_000
  return {
    name: `contacts: import of ${IMPORT_LINES} lines`,
    figure: `${Math.round(IMPORT_LINES / seconds)} lines/s, peak memory ${memory()} MB`,
  }
}

export function watchMemory(): () => number {
  let peak = 0
  const look = (): void => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }
  const timer = setInterval(look, 20)
  return () => {
    look()
    clearInterval(timer)
    return Math.round(peak / 1024 / 1024)
  }
}

export function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0
  return Number(value.toFixed(1))
}
