import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import type { Explanation } from '../../src/explain/schema.ts'
import { startNpmSmsc, type NpmSmsc } from '../support/npm-smsc.ts'
import { person } from '../support/person.ts'
import { openService, type TestService } from '../support/service.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

const NAMES = ['direct', 'regional', 'bargain'] as const
type Name = (typeof NAMES)[number]

/** Costs: bargain is the least expensive carrier to MTN, regional to Airtel. */
const COSTS: Record<Name, [string, number][]> = {
  direct: [['234', 4]],
  regional: [
    ['234803', 3],
    ['234802', 1],
  ],
  bargain: [['234', 2]],
}
const MTN = '2348031234567'
const AIRTEL = '2348021234567'

const peers = {} as Record<Name, NpmSmsc>
let service: TestService | undefined

beforeAll(async () => {
  for (const name of NAMES) peers[name] = await startNpmSmsc()
})
afterAll(async () => {
  await Promise.all(Object.values(peers).map((peer) => peer.close()))
})
beforeEach(() => {
  for (const peer of Object.values(peers)) {
    peer.submits.length = 0
    peer.binds.length = 0
    peer.answer = (_, n) => ({ message_id: `m${n}-${peer.port}` })
  }
})
afterEach(() => service?.close())

async function open(route: object, carrier: object = {}): Promise<TestService> {
  const carriers = NAMES.map((name) => smppCarrier(peers[name].port, { name, ...carrier }))
  const routes = [{ name: 'sms', channel: 'sms', carriers: [...NAMES], ...route }]
  service = await openService({ credit: 100_000, settings: { carriers, routes } })
  await until('all binds', () => Object.values(peers).every(({ binds }) => binds.length > 0))
  return service
}

async function withCosts(by: TestService): Promise<void> {
  const operator = await person(by, null)
  for (const name of NAMES) {
    expect((await operator.call('POST', '/console/api/price-lists', { name, kind: 'cost' })).status).toBe(200)
    for (const [version, [prefix, price]] of COSTS[name].entries()) {
      const rule = { version, channel: 'sms', prefix, price }
      expect((await operator.call('POST', `/console/api/price-lists/${name}/rules`, rule)).status).toBe(200)
    }
    const assigned = await operator.call('POST', `/console/api/cost-assignments/${name}`, { cost_list: name })
    expect([assigned.status, assigned.text]).toEqual([200, expect.any(String)])
  }
}

/** Processes learn of costs within two seconds. */
async function untilCheapest(by: TestService, recipient: string, name: Name): Promise<void> {
  await until(`${name} for ${recipient}`, async () =>
    (await sendTo(by, [recipient])).every((one) => one.carrier === name),
  )
}

type Row = {
  message_id: string
  recipient: string
  status: string
  carrier: string | null
  tried: string[] | null
  refunded: boolean
}

const rowsOf = (by: TestService, id: string) => by.db<Row[]>`
  select message_id, recipient, status, carrier, tried, refunded from deliveries where message_id = ${id} order by recipient`

async function send(by: TestService, recipients: readonly string[]): Promise<string> {
  const sent = await by.call<{ id: string }>('POST', '/sms/send', { recipients, content: 'Hello' })
  expect([sent.status, sent.text]).toEqual([200, expect.any(String)])
  return sent.body.id
}

async function ended(by: TestService, id: string, count: number): Promise<Row[]> {
  return until(
    'every delivery to be submitted',
    async () => {
      const rows = await rowsOf(by, id)
      return rows.length === count && rows.every(({ status }) => status !== 'queued') && rows
    },
    60_000,
  )
}

async function sendTo(by: TestService, recipients: readonly string[]): Promise<Row[]> {
  return ended(by, await send(by, recipients), recipients.length)
}

async function choiceOf(by: TestService, id: string): Promise<Explanation['deliveries'][number]> {
  const { body } = await by.call<Explanation>('GET', `/sms/${id}/explain`)
  return body.deliveries[0]!
}

const many = (count: number) => Array.from({ length: count }, (_, n) => `234803${String(1_000_000 + n)}`)
const counts = (rows: readonly Row[]) => NAMES.map((name) => rows.filter(({ carrier }) => carrier === name).length)

describe('by shares', () => {
  test('messages are split by the weights, and each is explained', async () => {
    const by = await open({ choose: 'shares', shares: { direct: 60, regional: 40 }, evidence: { seed: 7 } })
    const rows = await sendTo(by, many(400))
    const [direct = 0, regional = 0, bargain] = counts(rows)
    expect([direct + regional, bargain]).toEqual([400, 0])
    expect(Math.abs(direct - 240)).toBeLessThan(50) // five standard deviations
    const { choice, carriers, sentences } = await choiceOf(by, rows[0]!.message_id)
    expect(choice).toEqual({ reason: 'share' })
    expect(carriers.map(({ result }) => result).toSorted()).toEqual(['accepted', 'not_chosen', 'not_chosen'])
    expect(sentences).toContain('The carrier was chosen by the shares of the route.')
  })

  test('a carrier that answers nothing does not delay what is chosen for another one', async () => {
    const shares = { direct: 50, regional: 50 }
    const by = await open({ choose: 'shares', shares, evidence: { seed: 7 } }, { window: 2, response_timeout_s: 60 })
    peers.direct.answer = () => 'silence'
    await send(by, many(100))
    await until('the half of the other carrier', () => peers.regional.submits.length > 35)
    expect(peers.direct.submits).toHaveLength(2)
  })
})

describe('by cost', () => {
  test('the least expensive carrier for the number gets it, and the next one what it rejects, also an earlier one', async () => {
    const by = await open({ choose: 'cheapest' })
    await withCosts(by)
    await untilCheapest(by, MTN, 'bargain')
    await untilCheapest(by, AIRTEL, 'regional')
    peers.bargain.answer = () => ({ command_status: 0x45 })
    const [moved] = await sendTo(by, [MTN])
    expect(moved).toMatchObject({ status: 'sent', carrier: 'regional', tried: ['bargain'] })
    expect((await choiceOf(by, moved!.message_id)).choice).toEqual({ reason: 'cheapest' })
    peers.regional.answer = () => ({ command_status: 0x45 })
    const [twice] = await sendTo(by, [MTN])
    expect(twice).toMatchObject({ status: 'sent', carrier: 'direct', tried: ['bargain', 'regional'] })
    peers.direct.answer = () => ({ command_status: 0x45 })
    const before = NAMES.map((name) => peers[name].submits.length)
    const [rejected] = await sendTo(by, [MTN])
    expect(rejected).toMatchObject({ status: 'rejected', refunded: true })
    // Each carrier had it once.
    expect(NAMES.map((name, n) => peers[name].submits.length - before[n]!)).toEqual([1, 1, 1])
    expect(await auditMoney(by.db)).toEqual([])
  })

  test('a carrier that is busy too often passes a message on, once', async () => {
    const by = await open({ choose: 'cheapest' })
    await withCosts(by)
    await untilCheapest(by, MTN, 'bargain')
    peers.bargain.answer = () => ({ command_status: 0x08 })
    const [moved] = await sendTo(by, [MTN])
    expect(moved).toMatchObject({ status: 'sent', carrier: 'regional', tried: ['bargain'] })
  })

  test('a paused carrier is left out, and gets messages again when it resumes', async () => {
    const by = await open({ choose: 'cheapest' })
    await withCosts(by)
    await untilCheapest(by, MTN, 'bargain')
    const operator = await person(by, null)
    const path = '/console/api/carriers/bargain/pause'
    expect((await operator.call('POST', path, { mode: 'draining', reason: 'maintenance' })).status).toBe(200)
    await untilCheapest(by, MTN, 'regional')
    expect((await operator.call('DELETE', path)).status).toBe(204)
    await untilCheapest(by, MTN, 'bargain')
  })

  test('bulk messages wait for a carrier without room; a one-time password takes another one', async () => {
    const by = await open({ choose: 'cheapest' }, { window: 2 })
    await withCosts(by)
    await untilCheapest(by, MTN, 'bargain')
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => (release = resolve))
    peers.bargain.answer = async (_, n) => {
      await gate
      return { message_id: `late${n}` }
    }
    const already = peers.bargain.submits.length
    const id = await send(by, many(40))
    await until('a full window', () => peers.bargain.submits.length === already + 2)
    const asked = await by.call<{ id: string }>('POST', '/otp/request_token', { recipient: MTN })
    const [otp] = await until('the one-time password', async () => {
      const rows = await rowsOf(by, asked.body.id)
      return rows[0]?.status === 'sent' && rows
    })
    expect(otp?.carrier).toBe('regional')
    release()
    expect(counts(await ended(by, id, 40))).toEqual([0, 0, 40])
    const numbers = peers.bargain.submits.map(({ destination_addr }) => destination_addr).slice(already)
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  test('what waits for a carrier that is down goes to the others, and each message to one', async () => {
    const by = await open({ choose: 'cheapest', failover_after_s: 1 })
    await withCosts(by)
    await untilCheapest(by, MTN, 'bargain')
    const { port } = peers.bargain
    await peers.bargain.close()
    try {
      const rows = await sendTo(by, many(20))
      const [direct = 0, regional = 0, bargain] = counts(rows)
      expect([direct + regional, bargain]).toEqual([20, 0])
      const numbers = Object.values(peers).flatMap((peer) => peer.submits.map((pdu) => pdu.destination_addr))
      expect(numbers.filter((one) => many(20).includes(one))).toHaveLength(20)
    } finally {
      peers.bargain = await startNpmSmsc(port)
    }
  })
})

describe('by evidence', () => {
  test('as advice, the first carrier has all messages, and what is advised is recorded', async () => {
    const by = await open({ choose: 'evidence' })
    await withCosts(by)
    // What earlier messages of the hour have shown.
    await by.db`
      insert into evidence (hour, carrier, country, operator, channel, class, submitted, rejections, delivered, undelivered,
        no_report, report_times, verified, cost, judged, good)
      select date_trunc('hour', now()), carrier, 'NG', 'MTN', 'sms', 'other', 500, '{0,0,0,0,0,0,0}', 480, 20, 0,
        '{0,0,0,500,0,0,0,0,0,0}', 0, 0, 500, 480
      from unnest(${[...NAMES]}::text[]) as carrier`
    const found = await until('an advice', async () => {
      const rows = await sendTo(by, many(30))
      expect(counts(rows)).toEqual([30, 0, 0])
      const { choice } = await choiceOf(by, rows[0]!.message_id)
      return choice?.advised_place !== undefined && choice
    })
    expect(found.advised_carrier).toBeUndefined() // for customers
  })

  test('followed, every carrier is tried, and the same seed makes the same choices', async () => {
    const runs: string[][] = []
    for (let run = 0; run < 2; run++) {
      const by = await open({ choose: 'evidence', evidence: { follow_percent: 100, explored_percent: 20, seed: 3 } })
      const chosen: string[] = []
      for (const recipient of many(12)) chosen.push((await sendTo(by, [recipient]))[0]!.carrier ?? '')
      runs.push(chosen)
      await by.close()
      service = undefined
    }
    expect(runs[0]).toEqual(runs[1])
  })
})
