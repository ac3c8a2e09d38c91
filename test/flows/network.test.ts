import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { STATUS } from '../../src/carriers/codec/status.ts'
import { noCounts, type Counts } from '../../src/emulators/network/counts.ts'
import { checkScenario } from '../../src/emulators/network/scenario/read.ts'
import { makePeople } from '../../src/emulators/network/model/people.ts'
import { startNetwork, type Network } from '../../src/emulators/network/start.ts'
import { openService, type TestService } from '../support/service.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { bind, tryBind, type SmppClient } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'

const OPERATORS = [
  { name: 'MTN', mcc_mnc: '62130', subscribers: { absent: 0.1, inbox_full: 0.05 } },
  { name: 'Airtel', mcc_mnc: '62120', subscribers: { ported_to: { MTN: 0.2 } } },
]
const LOGIN = { system_id: 'gangan', password: 'secret' }

const running: Network[] = []
const notes: string[] = []

async function start(scenario: object): Promise<Network> {
  const given = checkScenario({ seed: 11, acceleration: 100, operators: OPERATORS, ...scenario })
  const onNote = (note: string) => void notes.push(note)
  const network = await startNetwork(given, { host: '127.0.0.1', otp_service: null, onNote })
  running.push(network)
  return network
}

function totalsOf({ counts }: Network): Counts {
  const totals = noCounts()
  for (const { counts: own } of counts.all()) {
    for (const [key, value] of Object.entries(own)) {
      if (typeof value === 'number') Object.assign(totals, { [key]: Number(Reflect.get(totals, key)) + value })
    }
  }
  return totals
}

describe('a service', () => {
  const SCENARIO = checkScenario({
    seed: 11,
    acceleration: 100,
    operators: OPERATORS,
    carriers: [
      { name: 'honest', lost: 0.05, undelivered: 0.05, price: 2 },
      { name: 'faker', faked: 0.3, rejected: { RINVSRCADR: 0.05 } },
    ],
    people: { otp: { enter: 0.7, mistype: 0.3 } },
  })
  let service: TestService
  let network: Network

  beforeAll(async () => {
    // The key of the service is known only when its carriers have ports.
    const otp_service = { url: '', key: '' }
    network = await startNetwork(SCENARIO, { host: '127.0.0.1', otp_service, onNote: () => {} })
    const [honest = 0, faker = 0] = network.ports.map(({ port }) => port)
    service = await openService({
      credit: 100_000,
      settings: {
        // Sixty OTPs of one prefix are requested before the first is verified.
        otp: { guard: { conversion: 0 } },
        carriers: [smppCarrier(honest, { name: 'honest' }), smppCarrier(faker, { name: 'faker' })],
        routes: [
          { name: 'airtel', channel: 'sms', country: 'NG', operator: 'Airtel', carrier: 'faker' },
          { name: 'sms', channel: 'sms', carrier: 'honest' },
        ],
      },
    })
    Object.assign(otp_service, { url: service.url, key: service.key })
  })
  afterAll(async () => {
    await service.close()
    await network.stop()
  })

  const numbers = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${prefix}${String(1_000_000 + n)}`)

  type Delivery = { recipient: string; status: string }

  async function deliveriesTo(recipients: string[]): Promise<Map<string, string>> {
    const body = { recipients, content: 'Hello', sender_id: 'Gangan' }
    const { body: sent } = await service.call<{ id: string }>('POST', '/sms/send', body)
    const deliveries = await until('all but the lost ones to end', async () => {
      const { body: message } = await service.call<{ deliveries: Delivery[] }>('GET', `/sms/${sent.id}`)
      const { accepted, lost, delivered, faked, undelivered, receipts_acknowledged } = totalsOf(network)
      const is_over = accepted > 0 && accepted === lost + delivered + faked + undelivered
      const open = message.deliveries.filter(({ status }) => ['queued', 'sent'].includes(status)).length
      const is_known = receipts_acknowledged === delivered + faked + undelivered && open <= lost
      return is_over && is_known && message.deliveries
    })
    return new Map(deliveries.map(({ recipient, status }) => [recipient, status]))
  }

  test('reports what the receipts say, of each message what its seed decides', async () => {
    const recipients = [...numbers('234803', 150), ...numbers('234802', 150)]
    const statuses = await deliveriesTo(recipients)
    const ends: Record<string, string> = { delivered: 'delivered', faked: 'delivered', lost: 'sent' }
    for (const to of recipients) {
      const carrier = to.startsWith('234803') ? 0 : 1
      const { end } = network.model.submit({ carrier, to, attempt: 0, at_ms: 0 })
      expect([to, statuses.get(to)]).toEqual([to, ends[end] ?? end])
    }
    const totals = totalsOf(network)
    const reported = [...statuses.values()].filter((status) => status === 'delivered').length
    expect(totals.faked).toBeGreaterThan(20)
    expect(reported).toBe(totals.delivered + totals.faked)
    expect(totals.cost).toBe(2 * 10_000 * network.counts.of(0, 0).accepted)
    const rejected = network.counts.of(1, 0).rejected.RINVSRCADR ?? 0
    expect(rejected + (network.counts.of(1, 1).rejected.RINVSRCADR ?? 0)).toBe(
      [...statuses.values()].filter((status) => status === 'rejected').length,
    )
  })

  test('verifies the OTPs that people receive and enter, also after a mistake', async () => {
    const recipients = numbers('234806', 60)
    const react = makePeople(SCENARIO)
    const entering = recipients.filter(
      (to) =>
        network.model.submit({ carrier: 0, to, attempt: 0, at_ms: 0 }).end === 'delivered' &&
        react(to, 'Your code is 1234', 0).length > 0,
    )
    expect(entering.length).toBeGreaterThan(20)
    expect(entering.length).toBeLessThan(50)
    for (const recipient of recipients) {
      expect((await service.call('POST', '/otp/request_token', { recipient })).status).toBe(200)
    }
    await expect.poll(() => totalsOf(network).otps_verified).toBe(entering.length)
    const statusOf = async (to: string) =>
      (await service.call<{ status_desc: string }[]>('GET', `/otp/get-by-recipient?recipient=${to}`)).body[0]
        ?.status_desc
    const verified = await Promise.all(recipients.map(async (to) => (await statusOf(to)) === 'VERIFIED'))
    expect(recipients.filter((_, n) => verified[n])).toEqual(entering)
    expect(totalsOf(network).otps_entered).toBe(entering.length)
  })
})

describe('a gateway of another make', () => {
  let client: SmppClient | undefined
  afterEach(async () => {
    client?.close()
    for (const network of running.splice(0)) await network.stop()
  })

  const portOf = (network: Network) => network.ports[0]?.port ?? 0

  test('binds as the account of the carrier only', async () => {
    const network = await start({ carriers: [{ name: 'one', system_id: 'shop', password: 'word' }] })
    expect((await tryBind(portOf(network), LOGIN)).status).toBe(STATUS.RINVSYSID)
    expect((await tryBind(portOf(network), { system_id: 'shop', password: 'wrong' })).status).toBe(STATUS.RINVPASWD)
    client = await bind(portOf(network), { system_id: 'shop', password: 'word' })
  })

  test('receives the answers, receipts and answers of people that the seed decides', async () => {
    const answers = [{ pattern: 'back\\?$', share: 1, text: 'yes', after: { median: '10s' } }]
    const network = await start({
      carriers: [{ name: 'one', faked: 0.2, lost: 0.2, undelivered: 0.2, rejected: { RSYSERR: 0.2 } }],
      people: { answers },
    })
    client = await bind(portOf(network), LOGIN)
    const recipients = Array.from({ length: 60 }, (_, n) => `234803${1_000_000 + n}`)
    const text = { source_addr: '32811', short_message: 'Are you back?' }
    const replies = await Promise.all(
      recipients.map((destination_addr) => client!.submit({ ...text, destination_addr })),
    )
    const fates = recipients.map((to) => network.model.submit({ carrier: 0, to, attempt: 0, at_ms: 0 }))
    expect(replies.map(({ command_status }) => command_status)).toEqual(
      fates.map(({ status }) => STATUS[status ?? 'ROK']),
    )
    const wanted = fates.flatMap(({ receipt }, n) =>
      receipt ? [`${recipients[n]} ${receipt.stat} ${receipt.err}`] : [],
    )
    const answered = recipients.filter((_, n) => fates[n]?.end === 'delivered')
    await until('receipts and texts', () => client!.delivered.length === wanted.length + answered.length)
    expect(client.reports().map(({ from, stat, err }) => `${from} ${stat} ${err}`)).toEqual(
      expect.arrayContaining(wanted),
    )
    const ids = new Set(replies.map(({ message_id }) => message_id))
    expect(client.reports().filter(({ id = '' }) => !ids.has(id))).toEqual([])
    const texts = client.delivered.filter(({ esm_class }) => esm_class === 0)
    expect(texts.map(({ source_addr }) => source_addr).toSorted()).toEqual(answered)
    expect(texts[0]).toMatchObject({ destination_addr: '32811', short_message: { message: 'yes' } })
    expect(new Set(fates.map(({ end }) => end)).size).toBe(5)
  })

  test('receives the same answers again for the same seed, number and count of messages', async () => {
    const carriers = [{ name: 'one', rejected: { RSYSERR: 0.5 } }]
    const statusesOf = async (recipients: string[]) => {
      const network = await start({ carriers })
      client = await bind(portOf(network), LOGIN)
      const statuses = new Map<string, number[]>()
      for (const destination_addr of recipients) {
        const { command_status } = await client.submit({ destination_addr, short_message: 'x' })
        statuses.set(destination_addr, [...(statuses.get(destination_addr) ?? []), command_status])
      }
      client.close()
      return statuses
    }
    const recipients = Array.from({ length: 90 }, (_, n) => `234803${1_000_000 + (n % 30)}`)
    const first = await statusesOf(recipients)
    expect(await statusesOf(recipients.toReversed())).toEqual(first)
    expect([...first.values()].some((statuses) => new Set(statuses).size === 2)).toBe(true)
  })

  test('gets the receipts after it was cut off, on its next connection', async () => {
    const network = await start({ carriers: [{ name: 'one', delivery: { median: '20s' } }] })
    client = await bind(portOf(network), LOGIN)
    client.ack = undefined
    for (let n = 0; n < 10; n++) await client.submit({ destination_addr: `234802${1_000_000 + n}`, short_message: 'x' })
    await until('receipts that are not acknowledged', () => client!.delivered.length > 0)
    network.ports[0]?.cut()
    await until('the end of the connection', () => client!.is_closed)
    client = await bind(portOf(network), LOGIN)
    await expect.poll(() => totalsOf(network).receipts_acknowledged).toBe(10)
    expect(new Set(client.reports().map(({ id }) => id)).size).toBe(10)
  })

  test('is throttled above the rate and the window of the carrier', async () => {
    const carriers = [
      { name: 'rate', throughput: 5 },
      { name: 'window', window: 3, answer: { median: '1s' } },
    ]
    const network = await start({ carriers, acceleration: 1 })
    for (const { port } of network.ports) {
      client = await bind(port, LOGIN)
      const submits = Array.from({ length: 30 }, (_, n) =>
        client!.submit({ destination_addr: `234802${1_000_000 + n}`, short_message: 'x' }),
      )
      const throttled = (await Promise.all(submits)).filter(
        ({ command_status }) => command_status === STATUS.RTHROTTLED,
      )
      // They arrive together; in another second of the simulator another five would be accepted.
      expect(throttled.length).toBeGreaterThanOrEqual(10)
      client.close()
    }
    const of_window = network.counts.all().filter(({ carrier }) => carrier === 1)
    const sumOf = (key: 'submitted' | 'accepted') => of_window.reduce((sum, { counts }) => sum + counts[key], 0)
    expect([sumOf('submitted'), sumOf('accepted')]).toEqual([30, 3])
  })

  test('is refused, then kept waiting, while a port is interrupted, and binds again after each', async () => {
    const network = await start({ carriers: [{ name: 'one' }] })
    const [port] = network.ports
    client = await bind(portOf(network), LOGIN)
    await port?.interrupt('refused')
    await until('the connection to be cut', () => client!.is_closed)
    expect(await tryBind(portOf(network), LOGIN)).toMatchObject({ status: -1, is_closed: true })
    await port?.interrupt(null)
    client = await bind(portOf(network), LOGIN)
    expect((await client.submit({ destination_addr: '2348021000000', short_message: 'x' })).command_status).toBe(0)
    await port?.interrupt('silent')
    let answers = 0
    void client.submit({ destination_addr: '2348021000001', short_message: 'x' }).then(() => answers++)
    const binding = tryBind(portOf(network), LOGIN).finally(() => answers++)
    await until('both connections', () => (port?.counts.connections ?? 0) === 3)
    expect([answers, client.is_closed]).toEqual([0, false])
    await port?.interrupt(null)
    expect(await binding).toMatchObject({ status: -1, is_closed: true })
    await until('the other connection to be cut', () => client!.is_closed)
    client = await bind(portOf(network), LOGIN)
    expect(totalsOf(network)).toMatchObject({ submitted: 1, accepted: 1 })
  })

  test('meets outages by the timetable', async () => {
    const carriers = [
      { name: 'first', outages: [{ kind: 'refused', from: '5m', lasts: '1000h' }] },
      { name: 'second', outages: [{ kind: 'silent', from: '0s', lasts: '3m' }] },
      { name: 'third', outages: [{ kind: 'rejects', status: 'RMSGQFUL', from: '0s', lasts: '1000h' }] },
      { name: 'fourth', outages: [{ kind: 'drops', from: '0s', lasts: '1000h' }] },
    ]
    const network = await start({ carriers, acceleration: 60 })
    const [first, second, third, fourth] = network.ports.map(({ port }) => port)
    const submit = async () =>
      (await client!.submit({ destination_addr: '2348021000000', short_message: 'x' })).command_status
    client = await bind(first ?? 0, LOGIN)
    await until('the connection to be cut', () => client!.is_closed)
    expect(await tryBind(first ?? 0, LOGIN)).toMatchObject({ status: -1, is_closed: true })
    await until('the end of the silence', async () => (await tryBind(second ?? 0, LOGIN)).status === 0)
    client = await bind(third ?? 0, LOGIN)
    expect(await submit()).toBe(STATUS.RMSGQFUL)
    client.close()
    client = await bind(fourth ?? 0, LOGIN)
    expect(await submit()).toBe(STATUS.ROK)
    expect(totalsOf(network)).toMatchObject({ submitted: 2, lost: 1, delivered: 0, receipts: 0 })
    expect(notes).toEqual(expect.arrayContaining(['second: the outage is over', 'first: outage (refused)']))
  })
})
