import { afterAll, beforeAll, expect, test } from 'vitest'
import { noCounts, type Counts } from '../../src/emulators/network/counts.ts'
import { makePeople } from '../../src/emulators/network/model/people.ts'
import { checkScenario } from '../../src/emulators/network/scenario/read.ts'
import { startNetwork, type Network } from '../../src/emulators/network/start.ts'
import type { HonestyReport, HonestyRow } from '../../src/evidence/schema.ts'
import { person } from '../support/person.ts'
import { caller, openService, type TestService } from '../support/service.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

const NAMES = ['first', 'second', 'faker']
const FAKER = NAMES.indexOf('faker')
const NUMBERS = Array.from({ length: 300 }, (_, n) => `234803${1_000_000 + n}`)
const ROUNDS = 2
const AT_ONCE = 30
/** A round takes a few seconds on an idle machine. */
const ROUND_MS = 60_000

const SCENARIO = checkScenario({
  seed: 7,
  acceleration: 100,
  operators: [{ name: 'MTN', mcc_mnc: '62130', subscribers: { absent: 0.1 } }],
  carriers: NAMES.map((name, n) => ({ name, faked: n === FAKER ? 0.5 : 0 })),
  people: { otp: { enter: 0.85, after: { median: '1s' } } },
})

let network: Network
/** It has the database, and answers operators. */
let service: TestService
/** It sends. What it has counted is written when it stops, also what would be judged five minutes later. */
let sending: TestService

beforeAll(async () => {
  const otp_service = { url: '', key: '' }
  network = await startNetwork(SCENARIO, { host: '127.0.0.1', otp_service, onNote: () => {} })
  const limits = { number_per_10_minutes: 100, number_per_day: 100, prefix_per_hour: 10_000 }
  const settings = {
    otp: { limits, guard: { conversion: 0 } },
    carriers: NAMES.map((name, n) => smppCarrier(network.ports[n]?.port ?? 0, { name })),
    routes: [
      {
        name: 'sms',
        channel: 'sms',
        carriers: NAMES,
        choose: 'shares',
        shares: { first: 34, second: 33, faker: 33 },
        evidence: { seed: 7 },
      },
    ],
  }
  service = await openService({ credit: 100_000, workers: false, settings })
  sending = await openService({ beside: service, settings })
  Object.assign(otp_service, { url: sending.url, key: service.key })
})
afterAll(async () => {
  await service.close()
  await network.stop()
})

function totals(carrier?: number): Counts {
  const sums = noCounts()
  for (const { carrier: of, counts } of network.counts.all()) {
    if (carrier !== undefined && of !== carrier) continue
    for (const [key, value] of Object.entries(counts)) {
      if (typeof value === 'number') Object.assign(sums, { [key]: Number(Reflect.get(sums, key)) + value })
    }
  }
  return sums
}

const react = makePeople(SCENARIO)
/** How many one-time passwords people enter, of those that their phones have shown. */
function expectedEntries(): number {
  const counts = new Map<string, number>()
  let entries = 0
  for (const { to, text } of network.ports.flatMap(({ handsets }) => handsets.shown)) {
    const number = to.replace(/^\+/, '')
    const count = counts.get(number) ?? 0
    counts.set(number, count + 1)
    entries += react(number, text, count).length
  }
  return entries
}

const isEnded = async (): Promise<boolean> => {
  const { accepted, delivered, faked, undelivered, receipts_acknowledged, otps_entered, otps_verified } = totals()
  const ended = delivered + faked + undelivered
  if (accepted !== ended || receipts_acknowledged !== ended) return false
  const expected = expectedEntries()
  if (otps_entered !== expected || otps_verified !== expected) return false
  const [row] = await service.db<{ open: number; waiting: number }[]>`
    select (select count(*)::integer from deliveries where status in ('queued', 'sent')) as open,
      (select count(*)::integer from intake) as waiting`
  return row?.open === 0 && row.waiting === 0
}

/** Requests a one-time password for every number, and waits until all are verified or lost. */
async function round(nth: number): Promise<void> {
  const call = caller(sending.url, service.key)
  for (let n = 0; n < NUMBERS.length; n += AT_ONCE) {
    const asked = await Promise.all(
      NUMBERS.slice(n, n + AT_ONCE).map((recipient) => call('POST', '/otp/request_token', { recipient })),
    )
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 200))
  }
  // Of an absent number all messages fail, one after the other.
  const messages = async () => (await service.db`select from messages`).length
  await until(
    `the end of round ${nth}`,
    async () => {
      const before = await messages()
      if (before < nth * NUMBERS.length || !(await isEnded())) return false
      const jobs = await service.db`
      select from jobs join otps on otps.id = subject_id
      where queue = 'otp-fallback' and otps.status = 1 and not exists (
        select from deliveries
        where status = 'delivered' and message_id = any (array[otps.id, fallback_message_id] || resent_message_ids)
      )`
      return jobs.length === 0 && (await messages()) === before
    },
    ROUND_MS,
  )
}

test('a carrier that fakes receipts is identified by the one-time passwords that people verify', async () => {
  const settings = { resend_after_s: 60, resend_times: 2 }
  expect((await service.call('PATCH', '/otp/settings', settings)).status).toBe(200)
  for (let nth = 1; nth <= ROUNDS; nth += 1) await round(nth)
  await sending.close()

  const operator = await person(service, null)
  const { status, body } = await operator.call<HonestyReport>('GET', '/console/api/evidence/honesty')
  expect(status).toBe(200)
  const of = (carrier: string): HonestyRow | undefined =>
    body.rows.find((row) => row.carrier === carrier && row.operator === undefined)
  const rows = NAMES.map(of)
  expect(rows.map((row) => row?.is_doubtful)).toEqual([false, false, true])

  // What the reports claim, what people have proven, and how much of it was true.
  const { delivered, faked, otps_verified } = totals(FAKER)
  const faker = rows[FAKER]
  expect(faker).toMatchObject({ otps: delivered + faked, verified: otps_verified })
  const true_share = delivered / (delivered + faked)
  expect(faker?.low).toBeLessThan(true_share)
  expect(faker?.high).toBeGreaterThan(true_share)
  expect(faker?.high).toBeLessThan(1)
  for (const [n, row] of rows.entries()) {
    if (n === FAKER) continue
    expect(row).toMatchObject({ otps: totals(n).delivered, verified: totals(n).otps_verified, contradicted: 0 })
    expect(row?.high).toBe(1)
    expect(row?.confirmed).toBeGreaterThan(10)
  }
  // Numbers that others had reported as not in use.
  expect(faker?.contradicted).toBeGreaterThan(3)
  expect(body.rows.find((row) => row.carrier === 'faker' && row.operator === 'MTN')?.is_doubtful).toBe(true)
}, 180_000)
