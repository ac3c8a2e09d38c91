import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { connect } from '../../src/db/connect.ts'
import { startEmbedded } from '../../src/db/embedded/start.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { temporaryFolder } from '../support/folder.ts'
import { caller } from '../support/service.ts'
import { startGangan } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { everyDelivery } from '../support/every.ts'

/**
 * `npm run soak [minutes]`: fifteen minutes of mixed load on a real process with its own database, and `docs/soak.md`
 * with memory and file handles over time. They are stable if the second half is at most a tenth higher than the first:
 * a leak grows steadily, normal use fluctuates.
 */
const FILE = new URL('../../docs/soak.md', import.meta.url)
const MINUTES = Number(process.argv[2] ?? 15)
const CLIENTS = 16
const PAUSE_MS = 40
const SAMPLE_MS = 1_000
/** Caches are filled and code is compiled at first. */
const WARM_UP_SHARE = 0.2
const GROWTH = 1.1

type Sample = { s: number; rss_mb: number; handles: number; requests: number }

const folder = await temporaryFolder()
const receiver = await startReceiver()
const gangan = await startGangan({ GANGAN_DATA: folder.path, GANGAN_CREDIT: '1000000000' })
const call = caller(gangan.url, gangan.key ?? '')
const statuses = new Map<number, number>()
const samples: Sample[] = []
let requests = 0
let running = true
let heard = 0
receiver.answer = () => {
  heard += 1
  receiver.received.length = 0 // The receiver itself must not grow.
  return 200
}

const began = Date.now()
const sampler = setInterval(() => samples.push(measure()), SAMPLE_MS)
const clients = Array.from({ length: CLIENTS }, (_, n) => client(n))
await new Promise((resolve) => setTimeout(resolve, MINUTES * 60_000))
running = false
clearInterval(sampler)
await Promise.all(clients)
const embedded = await startEmbedded({ data_dir: folder.path, owner: false })
const db = connect(embedded.url_options, { connections: 2 })
await until(
  'rest',
  async () => (await db`select 1 from jobs where run_at < now() union all select 1 from intake limit 1`).length === 0,
  120_000,
)
const faults = await auditMoney(db)
const [stored] = await db<{ deliveries: number; open: number }[]>`
  select count(*)::integer as deliveries, (count(*) filter (where status in ('queued', 'sent')))::integer as open
  from ${everyDelivery(db)} delivery`
await db.end()
await gangan.end('SIGTERM')
await receiver.close()
await folder.remove()
finish()

/** One customer after the other, with operations of all kinds. */
async function client(n: number): Promise<void> {
  const work = [sendOne, sendMany, otp, airtime, lookUp, contacts, read, refusals]
  for (let step = n; running; step += 1) {
    await (work[step % work.length] ?? sendOne)(step * CLIENTS + n)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

async function asked<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
  const answer = await call<T>(method, path, body, headers)
  requests += 1
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  return answer
}

function phone(n: number): string {
  return `234803${String(n % 10_000_000).padStart(7, '0')}`
}

async function sendOne(n: number): Promise<void> {
  const body = { recipients: phone(n), content: `Message ${n}`, callback: receiver.url, external_ref: `ref-${n}` }
  await asked('POST', '/sms/send', body, { 'idempotency-key': `key-${n}` })
}

async function sendMany(n: number): Promise<void> {
  const recipients = Array.from({ length: 50 }, (_, i) => phone(n * 50 + i))
  await asked('POST', '/sms/send', { recipients, content: 'Olá 😀' })
}

async function otp(n: number): Promise<void> {
  const { body } = await asked<{ id: string }>('POST', '/otp/request_token', { recipient: phone(n), token: '482913' })
  await asked('POST', '/otp/verify', { id: body.id, token: n % 3 === 0 ? '000000' : '482913' })
}

async function airtime(n: number): Promise<void> {
  const body = { network: 'MTN', amount: 50, recipient: phone(n), external_ref: `buy-${n}`, callback: receiver.url }
  await asked('POST', '/airtime/buy', body)
}

async function lookUp(n: number): Promise<void> {
  await asked('POST', '/lookup/phone', { phone: phone(n) })
}

async function contacts(n: number): Promise<void> {
  await asked('POST', '/lists/contact/rows', { columns: { Name: `Person ${n}`, Mobile: phone(n) } })
  const filters = [{ name: 'Name', operator: 'contain', value: String(n % 1_000) }]
  await asked('POST', '/lists/contact/rows/query?limit=20', { filters })
}

async function read(n: number): Promise<void> {
  await asked('GET', `/sms?external_ref=ref-${n}`)
  await asked('GET', '/balance?limit=20')
  await asked('GET', '/callbacks?limit=5')
}

async function refusals(n: number): Promise<void> {
  await asked('POST', '/sms/send', { recipients: 'x', content: n })
  await asked('GET', '/balance', undefined, { authorization: 'gg_live_nobody' })
  await asked('GET', `/sms/${n}`)
}

function measure(): Sample {
  const status = readFileSync(`/proc/${gangan.pid}/status`, 'utf8')
  const handles = readdirSync(`/proc/${gangan.pid}/fd`)
  return {
    s: Math.round((Date.now() - began) / 1_000),
    rss_mb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024,
    handles: handles.length,
    requests,
  }
}

function finish(): void {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP_SHARE))
  const half = Math.floor(warm.length / 2)
  const peak = (part: readonly Sample[], of: 'rss_mb' | 'handles') => Math.max(...part.map((one) => one[of]))
  const [first, second] = [warm.slice(0, half), warm.slice(half)]
  const memory = { first: peak(first, 'rss_mb'), second: peak(second, 'rss_mb') }
  const handles = { first: peak(first, 'handles'), second: peak(second, 'handles') }
  const flat = memory.second <= memory.first * GROWTH && handles.second <= handles.first * GROWTH
  const broken = [...statuses].filter(([status]) => status >= 500)
  const sound = flat && broken.length === 0 && faults.length === 0 && stored?.open === 0
  const every = Math.max(1, Math.floor(samples.length / 15))
  const page = `# Soak: mixed load for a while

Written by \`npm run soak ${MINUTES}\` (fifteen minutes by default).

| | |
|---|---|
| machine | ${cpus().length} × ${cpus()[0]?.model ?? '?'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version} |
| load | ${MINUTES} minutes, ${CLIENTS} clients: ${requests.toLocaleString('en')} requests (sends to one and to 50, OTP, airtime, lookup, contacts, reads, refusals), ${stored?.deliveries.toLocaleString('en')} deliveries, ${heard.toLocaleString('en')} callbacks |
| answers | ${[...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, of]) => `${status}: ${of.toLocaleString('en')}`)
    .join(', ')} |
| memory, highest | ${memory.first.toFixed(0)} MB in the first half, ${memory.second.toFixed(0)} MB in the second (after a warm-up) |
| file handles, highest | ${handles.first} in the first half, ${handles.second} in the second |
| afterwards | ${stored?.open} deliveries without an end, ${faults.length} faults in the money |
| verdict | ${sound ? 'flat and sound' : '**not flat or not sound**'} |

| s | memory MB | file handles | requests |
|---|---|---|---|
${samples
  .filter((_, n) => n % every === 0)
  .map((one) => `| ${one.s} | ${one.rss_mb.toFixed(0)} | ${one.handles} | ${one.requests.toLocaleString('en')} |`)
  .join('\n')}
`
  writeFileSync(FILE, page)
  process.stdout.write(page)
  process.exit(sound ? 0 : 1)
}
