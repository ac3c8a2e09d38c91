import type { Db } from '../src/db/connect.ts'
import { newId } from '../src/values/id.ts'
import { hasKannel, startKannel } from './kannel.ts'
import type { Result, Task } from './load.ts'
import { serveEcho, serveGangan, type Served } from './processes.ts'
import type { Figure } from './sends.ts'
import { measureWholeWay, WHOLE_WAY_CONNECTIONS, type WholeWay } from './whole-way.ts'
import { load, loadName } from './wrk.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
/** One after the other; Kannel and the echo get the same. */
const CONNECTIONS = [64, 128, 256]
const LIST_CONNECTIONS = 8
const TEXT = 'Your order is on its way.'
const LIST = Array.from({ length: 1_000 }, (_, n) => `234803${String(n).padStart(7, '0')}`)
/** A closed port: accepted messages stay in the store of both gateways. */
const NO_SMSC = 9

/** Accepting messages, beside Kannel and beside what the machine can do at most. */
export async function benchVersus(): Promise<Figure[]> {
  const echo = await measureEcho()
  const kannel = hasKannel() ? await measureKannel() : undefined
  const one = await measureGangan(['--http'])
  const two = await measureGangan(['--http', '--processes', '2'])
  const keyed = await measureKeyed()
  const whole_one = await measureWholeWay([])
  const whole_two = await measureWholeWay(['--processes', '2'])
  const best = one.single.map((rate, n) => Math.max(rate, two.single[n] ?? 0))
  const best_list = Math.max(one.list, two.list)
  return [
    { name: 'load generator', figure: loadName() },
    { name: 'connections', figure: CONNECTIONS.join(' · ') },
    { name: 'bare node:http echo', figure: perSecond(...echo) },
    ...(kannel
      ? [
          { name: 'Kannel: one recipient a request', figure: perSecond(...kannel.single) },
          {
            name: `Kannel: 1,000 recipients a request, ${LIST_CONNECTIONS} connections`,
            figure: perSecond(kannel.list),
          },
        ]
      : [{ name: 'Kannel', figure: 'not installed (Debian package kannel): left out' }]),
    { name: 'Gangan, one process: one recipient a request', figure: perSecond(...one.single) },
    { name: 'Gangan, two processes: one recipient a request', figure: perSecond(...two.single) },
    { name: '  with an Idempotency-Key each', figure: perSecond(...keyed) },
    { name: '  best, as a share of the bare echo', figure: each(best, echo, share) },
    ...(kannel ? [{ name: '  best, against Kannel', figure: each(best, kannel.single, times) }] : []),
    ...wholeWayFigures('one process', whole_one, kannel?.single[0]),
    ...wholeWayFigures('two processes', whole_two, kannel?.single[0]),
    {
      name: `Gangan, one process: 1,000 recipients a request, ${LIST_CONNECTIONS} connections`,
      figure: perSecond(one.list),
    },
    { name: 'Gangan, two processes: the same', figure: perSecond(two.list) },
    ...(kannel ? [{ name: '  best, against Kannel', figure: times(best_list, kannel.list) }] : []),
    { name: 'the same rows by one SQL statement', figure: perSecond(one.rows) },
    { name: '  accepting, as a share of it', figure: share(best_list, one.rows) },
  ]
}

/** Compared with what Kannel accepts from as many callers without submitting. */
function wholeWayFigures(processes: string, { accepted, delivered }: WholeWay, kannel: number | undefined): Figure[] {
  const name = `Gangan, ${processes} end to end with a virtual handset, ${WHOLE_WAY_CONNECTIONS} connections: accepted`
  return [
    { name, figure: perSecond(accepted) },
    { name: '  delivered, from the first request to the last report', figure: perSecond(delivered) },
    ...(kannel === undefined
      ? []
      : [{ name: '  both, against Kannel accepting', figure: each([accepted, delivered], [kannel, kannel], times) }]),
  ]
}

/** One figure for each number of connections. */
async function atEach(ask: (connections: number) => Task): Promise<number[]> {
  const rates: number[] = []
  for (const connections of CONNECTIONS) rates.push(rateOf(await load(ask(connections))))
  return rates
}

async function measureEcho(): Promise<number[]> {
  const server = await serveEcho()
  const body = JSON.stringify({ recipients: LIST[0], content: TEXT })
  const rates = await atEach((connections) => {
    return { port: server.port, path: '/', headers: {}, body, connections, seconds: SECONDS }
  })
  await server.stop()
  return rates
}

async function measureKannel(): Promise<{ single: number[]; list: number }> {
  const ask = (port: number, to: string, connections: number): Task => ({
    port,
    method: 'GET',
    path: `/cgi-bin/sendsms?username=bench&password=bench&from=Gangan&text=${TEXT.replaceAll(' ', '+')}&to=${to}`,
    headers: {},
    body: '',
    connections,
    seconds: SECONDS,
  })
  const kannel = await startKannel(NO_SMSC)
  const single = await atEach((connections) => ask(kannel.port, '234803#######', connections))
  await kannel.stop()
  const fresh = await startKannel(NO_SMSC) // a full store slows it down
  const list = 1_000 * rateOf(await load(ask(fresh.port, LIST.join('+'), LIST_CONNECTIONS)))
  await fresh.stop()
  return { single, list }
}

type Accepting = { single: number[]; list: number; rows: number }

async function measureGangan(roles: string[]): Promise<Accepting> {
  const gangan = await serveGangan({}, roles)
  const ask = asking(gangan)
  const single = await atEach((connections) => ask('234803#######', connections))
  const list = 1_000 * rateOf(await load(ask(LIST.join(','), LIST_CONNECTIONS)))
  const rows = await insertRows(gangan.db)
  await gangan.stop()
  return { single, list, rows }
}

async function measureKeyed(): Promise<number[]> {
  const gangan = await serveGangan({}, ['--http', '--processes', '2'])
  const ask = asking(gangan, { 'idempotency-key': `bench ${newId()} #######` })
  const rates = await atEach((connections) => ask('234803#######', connections))
  await gangan.stop()
  return rates
}

function asking({ port, key }: Served, headers: Record<string, string> = {}) {
  return (recipients: string, connections: number): Task => ({
    port,
    path: '/sms/send',
    headers: { authorization: key, ...headers },
    body: JSON.stringify({ recipients, content: TEXT }),
    connections,
    seconds: SECONDS,
  })
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

function rateOf({ requests, seconds, failures }: Result): number {
  if (failures > requests / 100) throw new Error(`${failures} of ${requests} requests failed`)
  return requests / seconds
}

function perSecond(...rates: number[]): string {
  return `${rates.map((rate) => Math.round(rate).toLocaleString('en')).join(' · ')} /s`
}

function each(rates: readonly number[], of: readonly number[], compare: typeof share): string {
  return rates.map((rate, n) => compare(rate, of[n] ?? NaN)).join(' · ')
}

function share(rate: number, of: number): string {
  return `${Math.round((100 * rate) / of)} %`
}

function times(rate: number, of: number): string {
  return `${(rate / of).toFixed(2)} ×`
}
