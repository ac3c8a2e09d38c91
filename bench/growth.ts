import { readFileSync } from 'node:fs'
import { connect as openSocket, type Socket } from 'node:net'
import { once } from 'node:events'
import type { Db } from '../src/db/connect.ts'
import { serveGangan, servePostgres, type Database, type Served } from './processes.ts'
import { familyMs, processorMs } from './processor.ts'
import type { Figure } from './sends.ts'
import { WARM_UP_S } from './warm-up.ts'
import { load } from './wrk.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
/** The largest table to measure at: ten million take a quarter of an hour and six gigabytes. */
const LARGEST = Number(process.env.BENCH_MESSAGES ?? 1_000_000)
const STEPS = [1_000, 100_000, 10_000_000].map((step) => Math.min(step, LARGEST))
const PER_INSERT = 50_000
const CONNECTIONS = [1, 100, 1_000]

/** What a message costs when many are stored already; memory by connections; the start on a full database. */
export async function benchGrowth(): Promise<Figure[]> {
  const database = await servePostgres()
  const figures: Figure[] = []
  let gangan = await serveGangan({}, ['--http'], database)
  for (const messages of new Set(STEPS)) {
    await fill(database.db, messages)
    const { rate, micros } = await measure(gangan, database)
    const what = `one recipient a request, ${messages.toLocaleString('en')} messages stored`
    figures.push({
      name: what,
      figure: `${Math.round(rate).toLocaleString('en')} /s, ${micros} µs of processor a message`,
    })
  }
  for (const connections of CONNECTIONS) {
    const figure = `${await memoryWith(gangan, connections)} MiB`
    figures.push({ name: `memory of the process, ${connections.toLocaleString('en')} connections`, figure })
  }
  await gangan.stop()
  const started = performance.now()
  gangan = await serveGangan({}, [], database)
  const figure = `${Math.round(performance.now() - started).toLocaleString('en')} ms`
  figures.push({ name: `start with ${Math.max(...STEPS).toLocaleString('en')} messages stored`, figure })
  await gangan.stop()
  await database.stop()
  return figures
}

/** Messages of the past, delivered and paid for, up to so many. The balance's triggers would take longer than the rows. */
export async function fill(db: Db, wanted: number): Promise<void> {
  const [row] = await db<{ count: number }[]>`select count(*)::integer as count from messages`
  for (let stored = row?.count ?? 0; stored < wanted; stored += PER_INSERT) {
    const count = Math.min(PER_INSERT, wanted - stored)
    await db.unsafe('set session_replication_role = replica')
    await db`
      with organisation as (
        select organisation_id, sequence, balance from balances join organisations on id = organisation_id and mode = 'live'
        order by created_datetime limit 1
      ),
      made as (
        select organisation_id, sequence + n as sequence, balance, n,
          overlay(gen_random_uuid()::text placing
            lpad(to_hex((extract(epoch from now()) * 1000)::bigint - 100000000 + ${stored} + n), 12, '0') from 1 for 12
          ) as text
        from organisation, generate_series(1, ${count}::integer) as n
      ),
      message as (
        select organisation_id, sequence, balance, n,
          (substr(text, 1, 8) || '-' || substr(text, 9, 4) || '-7' || substr(text, 16))::uuid as id
        from made
      ),
      stored as (
        insert into messages (organisation_id, id, channel, sender_id, content, external_ref, encoding, message_length, pages, charge)
        select organisation_id, id, 'sms', 'Gangan', 'Your order is on its way.', n::text, 'GSM', 25, 1, 40000 from message
      ),
      delivery as (
        insert into deliveries (organisation_id, message_id, recipient, position, status, pages, charge, route, carrier, code)
        select organisation_id, id, '234803' || lpad(n::text, 7, '0'), 0, 'delivered', 1, 40000, 'sms', 'bench', '000' from message
      ),
      line as (
        insert into ledger_lines (organisation_id, sequence, kind, amount, balance_after, subject_id)
        select organisation_id, sequence, 'message', -40000, balance, id from message
      )
      update balances set sequence = balances.sequence + ${count}
      from organisation where balances.organisation_id = organisation.organisation_id`
    await db.unsafe('set session_replication_role = origin')
  }
  await db.unsafe('vacuum analyze')
  await db.unsafe('checkpoint')
}

/** The processor time is that of the service and of PostgreSQL together. */
async function measure(gangan: Served, database: Database): Promise<{ rate: number; micros: number }> {
  const spentMs = (): number => processorMs(gangan.pid) + familyMs(database.pid)
  const before = spentMs()
  const result = await load({
    port: gangan.port,
    path: '/sms/send',
    headers: { authorization: gangan.key },
    body: '{"recipients":"234803#######","content":"Your order is on its way."}',
    connections: 64,
    seconds: SECONDS,
  })
  if (result.failures > 0) throw new Error(`${result.failures} of ${result.requests} requests failed`)
  const spent = spentMs() - before
  const messages = result.requests * (1 + WARM_UP_S / result.seconds) // the warm-up, too
  return { rate: result.requests / result.seconds, micros: Math.round((1_000 * spent) / messages) }
}

async function memoryWith({ port, pid, key }: Served, connections: number): Promise<number> {
  const body = '{"recipients":"2348031234567","content":"Hello"}'
  const request = `POST /sms/send HTTP/1.1\r\nhost: bench\r\nauthorization: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const sockets: Socket[] = []
  for (let n = 0; n < connections; n += 1) {
    const socket = openSocket(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(request)
    await once(socket, 'data')
    sockets.push(socket)
  }
  const kib = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  for (const socket of sockets) socket.destroy()
  return Math.round(kib / 1_024)
}
