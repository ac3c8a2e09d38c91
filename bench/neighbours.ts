import { compared } from './builds.ts'
import type { Result } from './load.ts'
import { listOf } from './measure-sends.ts'
import type { Stage } from './organisations.ts'
import { runLoad } from './processes.ts'
import type { Figure } from './sends.ts'
import { until } from './until.ts'

/** Organisations that send one message a second each, which is enough for a 99th percentile in half a minute. */
const SMALL = 20
const EVERY_MS = 1_000
const LIST = 10_000
const SECONDS = 20
/** A message that takes longer is counted with this time. */
const LIMIT_MS = 30_000

type Waits = { p50_ms: number; p99_ms: number; delivered_p50_ms: number; delivered_p99_ms: number }

/**
 * How long organisations with one message a second wait for the response and for the delivery: without a neighbour, and
 * while another organisation sends a list of 10,000 recipients a second.
 */
export async function benchNeighbours(stages: readonly Stage[]): Promise<Figure[]> {
  const alone: Waits[] = []
  const beside: Waits[] = []
  for (const stage of stages) alone.push(await measure(stage, 'alone'))
  for (const stage of stages) {
    const lists = sendLists(stage)
    beside.push(await measure(stage, 'beside'))
    const { failures, failure } = await lists
    if (failures > 0) throw new Error(`${failures} lists failed: ${failure}`)
  }
  return [
    ...figuresOf(alone, `${SMALL} organisations, one message a second each`),
    ...figuresOf(beside, `the same while another sends lists of ${LIST.toLocaleString('en')}`),
  ]
}

function sendLists({ gangan, keys: [large = ''] }: Stage): Promise<Result> {
  return runLoad({
    port: gangan.port,
    path: '/sms/send',
    headers: { authorization: large },
    body: JSON.stringify({ recipients: listOf(LIST), content: 'Your order is on its way.' }),
    connections: 1,
    seconds: SECONDS,
    every_ms: EVERY_MS,
    warm: true,
  })
}

async function measure({ gangan: { db, port }, keys }: Stage, external_ref: string): Promise<Waits> {
  const { requests, failures, failure, p50_ms, p99_ms } = await runLoad({
    port,
    path: '/sms/send',
    headers: {},
    keys: keys.slice(1, SMALL + 1),
    body: JSON.stringify({ recipients: '234803#######', content: 'Your order is on its way.', external_ref }),
    connections: SMALL,
    seconds: SECONDS,
    every_ms: EVERY_MS,
    warm: true,
  })
  if (failures > 0) throw new Error(`${failures} requests failed: ${failure}`)
  let times: number[] = []
  const isDone = async (): Promise<boolean> => {
    const rows = await db<{ ms: number }[]>`
      select 1000 * extract(epoch from deliveries.updated_datetime - messages.created_datetime)::float8 as ms
      from messages join deliveries on deliveries.organisation_id = messages.organisation_id and message_id = id
      where external_ref = ${external_ref} and status = 'delivered'`
    times = rows.map(({ ms }) => ms)
    return times.length >= requests
  }
  await until('the deliveries', LIMIT_MS, isDone, 1_000).catch(() => {}) // counted with the limit
  while (times.length < requests) times.push(LIMIT_MS)
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? NaN
  return { p50_ms, p99_ms, delivered_p50_ms: at(0.5), delivered_p99_ms: at(0.99) }
}

function figuresOf(seen: readonly Waits[], name: string): Figure[] {
  const values = (field: keyof Waits, digits = 0): string =>
    compared(
      seen.map((one) => one[field]),
      digits,
    )
  return [
    { name: `${name}: response`, figure: `p50 ${values('p50_ms', 1)} ms, p99 ${values('p99_ms', 1)} ms` },
    {
      name: '  from the acceptance to the delivery',
      figure: `p50 ${values('delivered_p50_ms')} ms, p99 ${values('delivered_p99_ms')} ms`,
    },
  ]
}
