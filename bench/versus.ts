import { connectBeside, type Db } from '../src/db/connect.ts'
import { unpack, UNPACK_QUEUE } from '../src/messaging/pack-store.ts'
import { claim } from '../src/queue/store.ts'
import { newId } from '../src/values/id.ts'
import { hasKannel, startKannel } from './kannel.ts'
import type { Result, Task } from './load.ts'
import { serveEcho, serveGangan } from './processes.ts'
import type { Figure } from './sends.ts'
import { load, loadName } from './wrk.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const CONNECTIONS = 64
const LIST_CONNECTIONS = 8
const TEXT = 'Your order is on its way.'
const LIST = Array.from({ length: 1_000 }, (_, n) => `234803${String(n).padStart(7, '0')}`)
/** A port nobody listens on: what is accepted stays in the store, of both. */
const NO_SMSC = 9

/** Accepting messages, beside Kannel and beside what the machine can do at most. */
export async function benchVersus(): Promise<Figure[]> {
  const echo = await measureEcho()
  const kannel = hasKannel() ? await measureKannel() : undefined
  const one = await measureGangan(['--http'])
  const two = await measureGangan(['--http', '--processes', '2'])
  const keyed = await measureGangan(['--http', '--processes', '2'], { 'idempotency-key': `bench ${newId()} #######` })
  const best = Math.max(one.single, two.single)
  const best_list = Math.max(one.list, two.list)
  return [
    { name: 'load generator', figure: loadName() },
    { name: `bare node:http echo, ${CONNECTIONS} connections`, figure: perSecond(echo) },
    ...(kannel
      ? [
          { name: 'Kannel: one recipient a request', figure: perSecond(kannel.single) },
          { name: 'Kannel: 1,000 recipients a request', figure: perSecond(kannel.list) },
        ]
      : [{ name: 'Kannel', figure: 'not installed (Debian package kannel): left out' }]),
    { name: 'Gangan, one process: one recipient a request', figure: perSecond(one.single) },
    { name: 'Gangan, two processes: one recipient a request', figure: perSecond(two.single) },
    { name: '  with an Idempotency-Key each', figure: perSecond(keyed.single) },
    { name: '  best, as a share of the bare echo', figure: share(best, echo) },
    ...(kannel ? [{ name: '  best, against Kannel', figure: times(best, kannel.single) }] : []),
    { name: 'Gangan, one process: 1,000 recipients a request', figure: perSecond(one.list) },
    { name: 'Gangan, two processes: 1,000 recipients a request', figure: perSecond(two.list) },
    ...(kannel ? [{ name: '  best, against Kannel', figure: times(best_list, kannel.list) }] : []),
    { name: 'the same rows by one SQL statement', figure: perSecond(one.rows) },
    { name: '  accepting, as a share of it', figure: share(best_list, one.rows) },
    { name: 'packs of accepted lists made into rows, by one worker', figure: perSecond(one.unpacked) },
    { name: '  as a share of it', figure: share(one.unpacked, one.rows) },
  ]
}

async function measureEcho(): Promise<number> {
  const server = await serveEcho()
  const body = JSON.stringify({ recipients: LIST[0], content: TEXT })
  const result = await load({
    port: server.port,
    path: '/',
    headers: {},
    body,
    connections: CONNECTIONS,
    seconds: SECONDS,
  })
  await server.stop()
  return rateOf(result)
}

async function measureKannel(): Promise<{ single: number; list: number }> {
  const kannel = await startKannel(NO_SMSC)
  const ask = (to: string, connections: number): Task => ({
    port: kannel.port,
    method: 'GET',
    path: `/cgi-bin/sendsms?username=bench&password=bench&from=Gangan&text=${TEXT.replaceAll(' ', '+')}&to=${to}`,
    headers: {},
    body: '',
    connections,
    seconds: SECONDS,
  })
  const single = rateOf(await load(ask('234803#######', CONNECTIONS)))
  const list = 1_000 * rateOf(await load(ask(LIST.join('+'), LIST_CONNECTIONS)))
  await kannel.stop()
  return { single, list }
}

async function measureGangan(
  roles: string[],
  headers: Record<string, string> = {},
): Promise<{ single: number; list: number; rows: number; unpacked: number }> {
  const gangan = await serveGangan({}, roles)
  const ask = (recipients: string, connections: number): Task => ({
    port: gangan.port,
    path: '/sms/send',
    headers: { authorization: gangan.key, ...headers },
    body: JSON.stringify({ recipients, content: TEXT }),
    connections,
    seconds: SECONDS,
  })
  const single = rateOf(await load(ask('234803#######', CONNECTIONS)))
  const keyed = headers['idempotency-key'] !== undefined
  const list = keyed ? 0 : 1_000 * rateOf(await load(ask(LIST.join(','), LIST_CONNECTIONS)))
  const rows = keyed ? 0 : await insertRows(gangan.db)
  const unpacked = keyed ? 0 : await unpackRows(gangan.db)
  await gangan.stop()
  return { single, list, rows, unpacked }
}

/** The rows of messages to a thousand recipients, written by PostgreSQL alone: deliveries and their queue entries. */
async function insertRows(db: Db): Promise<number> {
  const started = performance.now()
  let rows = 0
  while (performance.now() - started < 1_000 * SECONDS) {
    await db`
      with organisation as (select id from organisations order by created_datetime limit 1),
      message as (
        insert into messages (organisation_id, id, channel, content, encoding, message_length, pages, charge)
        select id, gen_random_uuid(), 'sms', ${TEXT}, 'GSM', 25, 1, 40000 from organisation
        returning organisation_id, id
      ),
      given as (
        select organisation_id, id, '234803' || lpad(n::text, 7, '0') as recipient, n
        from message, generate_series(1, 1000) as n
      ),
      delivery as (
        insert into deliveries (organisation_id, message_id, recipient, position, status, pages, charge, route)
        select organisation_id, id, recipient, n, 'queued', 1, 40000, 'bench' from given
      )
      insert into jobs (queue, priority, lane, organisation_id, subject_id, subject_key)
      select 'bench', 2, organisation_id, organisation_id, id, recipient from given`
    rows += 1_000
  }
  return rows / ((performance.now() - started) / 1_000)
}

/** Lists are accepted in packs, which a worker makes into those rows afterwards. */
async function unpackRows(db: Db): Promise<number> {
  const work_db = connectBeside(db, { connections: 1, plans: 'kept' })
  const wanted = { queue: UNPACK_QUEUE, limit: 4, lease_s: 60, except: [], after: newId() }
  const started = performance.now()
  let rows = 0
  while (performance.now() - started < 1_000 * SECONDS) {
    const jobs = await claim(work_db, wanted)
    if (jobs.length === 0) break
    await unpack(work_db, jobs[0]?.organisation_id ?? '', jobs)
    rows += 1_000 * jobs.length
  }
  const rate = rows / ((performance.now() - started) / 1_000)
  await work_db.end({ timeout: 1 })
  return rate
}

function rateOf({ requests, seconds, failures }: Result): number {
  if (failures > requests / 100) throw new Error(`${failures} of ${requests} requests failed`)
  return requests / seconds
}

function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')} /s`
}

function share(rate: number, of: number): string {
  return `${Math.round((100 * rate) / of)} %`
}

function times(rate: number, of: number): string {
  return `${(rate / of).toFixed(2)} ×`
}
