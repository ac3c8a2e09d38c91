import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readBalance } from '../../src/billing/store.ts'
import type { CallbackSender } from '../../src/callbacks/deliver/reserved.ts'
import { createWebhook } from '../../src/callbacks/webhooks/webhooks.ts'
import { findReportedDeliveries, type ReportMatch } from '../../src/messaging/reports/find-delivery-store.ts'
import type { NewReport } from '../../src/messaging/reports/store.ts'
import { settleDelivered } from '../../src/messaging/reports/settle-delivered.ts'
import type { Change, Changed } from '../../src/messaging/settle/store.ts'
import { callbackOf, settle } from '../../src/messaging/settle/settle.ts'
import { newId } from '../../src/values/id.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { storeMessage, type StoredMessage } from '../support/message.ts'
import { foundOrganisation } from '../support/organisation.ts'
import { makeSettler } from '../support/settling.ts'
import { secret_seal } from '../support/secret-seal.ts'

const CALLBACK = 'https://receiver.example/reports'
const ONE = '2348031234567'
const OTHER = '2348059876543'
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/
const nothing = async () => {}

let database: TestDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const organisation = () => foundOrganisation(database.db, 100_0000n)
const send = (by: string, more: StoredMessage = {}) => storeMessage(database.db, by, { callback: CALLBACK, ...more })

const change = (message_id: string, status: Change['status'], more: Partial<Change> = {}): Change => ({
  message_id,
  recipient: ONE,
  status,
  code: '042',
  description: 'what the carrier says',
  ...more,
})

const balance = async (by: string) => (await readBalance(database.db, by)).balance

async function stateOf(message_id: string, recipient = ONE) {
  const [row] = await database.db<
    { status: string; code: string | null; description: string | null; refunded: boolean }[]
  >`
    select status, code, description, refunded from deliveries
    where message_id = ${message_id} and recipient = ${recipient}`
  return row
}

const callbacksOf = async (message_id: string) =>
  (
    await database.db<{ body: string; url: string }[]>`
      select body, url from callbacks where subject_id = ${message_id} order by id`
  ).map(({ body, url }) => ({ ...(JSON.parse(body) as { type: string; data: Record<string, unknown> }), url }))

describe('the outcome of a delivery', () => {
  test('is stored, reported to callbacks and live pages, and counted', async () => {
    const by = await organisation()
    const id = await send(by, { external_ref: 'order 1' })
    const { deps, seen, counted } = makeSettler(database.db)
    const moved = await settle(deps, by, [change(id, 'undelivered', { operator: 'MTN' })], nothing)
    const expected: Changed = {
      message_id: id,
      recipient: ONE,
      status: 'undelivered',
      code: '042',
      description: 'what the carrier says',
      channel: 'sms',
      sender_id: 'Gangan',
      template_id: null,
      external_ref: 'order 1',
      callback: CALLBACK,
      has_webhooks: false,
      route: expect.any(String) as string,
      pages: 1,
      charge: 4_0000n,
      refunded: false,
      was: 'queued',
      was_code: null,
      updated_datetime: expect.stringMatching(TIMESTAMP) as string,
      carrier: null,
      cost: null,
      cost_if_delivered: null,
      routing: null,
      sent_datetime: null,
    }
    expect(moved).toEqual([expected])
    expect(await stateOf(id)).toEqual({
      status: 'undelivered',
      code: '042',
      description: 'what the carrier says',
      refunded: false,
    })
    expect(await callbacksOf(id)).toEqual([
      {
        id: expect.any(String),
        type: 'text.undelivered',
        created_datetime: moved[0]?.updated_datetime,
        url: CALLBACK,
        data: {
          id,
          recipient: ONE,
          status: 'undelivered',
          channel: 'sms',
          sender_id: 'Gangan',
          external_ref: 'order 1',
          pages: 1,
          charge: 4,
          refunded: false,
          code: '042',
          description: 'what the carrier says',
          updated_datetime: moved[0]?.updated_datetime,
        },
      },
    ])
    expect(seen).toEqual({
      wakes: [{ queue: 'callbacks', delay_ms: 0 }],
      changed: [{ organisation_id: by, changed: moved }],
      settled: [{ organisation_id: by, changed: moved }],
      facts: [[{ recipient: ONE, status: 'undelivered', operator: 'MTN' }]],
      learned: [],
    })
    expect(await counted()).toEqual({ undelivered: 1 })
  })

  test.each([
    ['failed', true],
    ['rejected', true],
    ['delivered', false],
    ['undelivered', false],
    ['expired', false],
    ['unknown', false],
  ] as const)('%s refunds the charge: %s', async (status, refunded) => {
    const by = await organisation()
    const id = await send(by)
    const [moved] = await settle(makeSettler(database.db).deps, by, [change(id, status)], nothing)
    expect(moved?.refunded).toBe(refunded)
    expect(await stateOf(id)).toMatchObject({ status, refunded })
    expect(await balance(by)).toBe(refunded ? 104_0000n : 100_0000n)
    expect((await callbacksOf(id)).map(({ type, data }) => [type, data['refunded']])).toEqual(
      status === 'unknown' ? [] : [[`text.${status}`, refunded]],
    )
  })

  test('of a free message refunds nothing', async () => {
    const by = await organisation()
    const id = await send(by)
    await database.db`update deliveries set charge = 0 where message_id = ${id}`
    const [moved] = await settle(makeSettler(database.db).deps, by, [change(id, 'failed')], nothing)
    expect(moved).toMatchObject({ status: 'failed', charge: 0n, refunded: false })
    expect(await database.db`select 1 from ledger_lines where subject_id = ${id} and kind = 'refund'`).toHaveLength(0)
  })

  test('is refunded by delivery, each to its own entry', async () => {
    const by = await organisation()
    const id = await send(by, { recipients: [ONE, OTHER] })
    const changes = [change(id, 'failed'), change(id, 'rejected', { recipient: OTHER })]
    await settle(makeSettler(database.db).deps, by, changes, nothing)
    const lines = await database.db`
      select subject_key, amount from ledger_lines where subject_id = ${id} and kind = 'refund' order by subject_key`
    expect(lines).toMatchObject([
      { subject_key: ONE, amount: 4_0000n },
      { subject_key: OTHER, amount: 4_0000n },
    ])
  })

  test("may be computed inside the transaction, and is rolled back with the caller's changes", async () => {
    const by = await organisation()
    const id = await send(by)
    const { deps, seen, counted } = makeSettler(database.db)
    const dies = settle(deps, by, [change(id, 'failed')], async () => {
      throw new Error('the transaction fails')
    })
    await expect(dies).rejects.toThrow('the transaction fails')
    expect(await stateOf(id)).toMatchObject({ status: 'queued', refunded: false })
    expect(await callbacksOf(id)).toEqual([])
    expect(seen).toMatchObject({ wakes: [], settled: [], facts: [] })
    expect(await counted()).toEqual({})
    let joined: unknown
    await settle(
      deps,
      by,
      async (tx) => {
        const [row] = await tx<{ id: string }[]>`select message_id as id from deliveries where message_id = ${id}`
        return [change(row?.id ?? '', 'delivered', { operator: 'MTN' })]
      },
      async (tx) => {
        ;[joined] = await tx`select status from deliveries where message_id = ${id}`
      },
    )
    expect(joined).toEqual({ status: 'delivered' })
    expect(seen.facts).toEqual([[{ recipient: ONE, status: 'delivered', operator: 'MTN' }]])
  })

  test("may be empty: the caller's changes are made, and no worker is woken", async () => {
    const by = await organisation()
    const id = await send(by)
    const { deps, seen, counted } = makeSettler(database.db)
    let joined = 0
    const also = async () => void (joined += 1)
    expect(await settle(deps, by, [], also)).toEqual([])
    expect(await settle(deps, by, [change(newId(), 'delivered')], also)).toEqual([])
    const stranger = await organisation()
    expect(await settle(deps, stranger, [change(id, 'delivered')], also)).toEqual([])
    expect(joined).toBe(3)
    expect(seen.wakes).toEqual([])
    expect(await counted()).toEqual({})
    expect(await stateOf(id)).toMatchObject({ status: 'queued' })
  })

  test('is reported to webhooks, with and without a callback in the request', async () => {
    const by = await organisation()
    const { deps, seen } = makeSettler(database.db)
    const quiet = await send(by, { callback: null })
    await settle(deps, by, [change(quiet, 'delivered')], nothing)
    expect(seen.wakes).toEqual([])
    expect(await callbacksOf(quiet)).toEqual([])
    const url = 'https://example.com/events'
    await createWebhook({ db: database.db, address_mode: { private_allowed: false }, secret_seal }, by, { url }, [])
    const heard = await send(by, { callback: null })
    const [moved] = await settle(deps, by, [change(heard, 'delivered')], nothing)
    expect(moved).toMatchObject({ has_webhooks: true, callback: null })
    expect(seen.wakes).toEqual([{ queue: 'callbacks', delay_ms: 0 }])
    expect(await callbacksOf(heard)).toMatchObject([{ type: 'text.delivered', url }])
  })

  test('is reported with the channel of its route', async () => {
    const by = await organisation()
    const id = await send(by)
    const asked: string[] = []
    const channelOf = (route: string) => (asked.push(route) > 0 ? ('whatsapp' as const) : undefined)
    const { deps } = makeSettler(database.db, { channelOf })
    const [moved] = await settle(deps, by, [change(id, 'delivered')], nothing)
    expect(asked).toEqual([moved?.route])
    expect((await callbacksOf(id))[0]?.data).toMatchObject({ channel: 'whatsapp' })
  })

  test("contains each recipient's operator, and none if the carrier names none", async () => {
    const by = await organisation()
    const [first, second] = [await send(by, { recipients: [ONE, OTHER] }), await send(by)]
    const { deps, seen } = makeSettler(database.db)
    await settle(
      deps,
      by,
      [
        change(first, 'delivered', { operator: 'MTN' }),
        change(first, 'delivered', { recipient: OTHER, operator: 'GLO' }),
        change(second, 'delivered', { operator: '' }),
      ],
      nothing,
    )
    const operators = seen.facts.flat().map(({ recipient, operator }) => `${recipient} ${operator}`)
    expect(operators.sort()).toEqual([`${ONE} MTN`, `${ONE} undefined`, `${OTHER} GLO`].sort())
  })

  test('omits absent fields in the callback', async () => {
    const by = await organisation()
    const id = await send(by, { channel: 'whatsapp', sender_id: null })
    await settle(
      makeSettler(database.db).deps,
      by,
      [change(id, 'delivered', { code: null, description: null })],
      nothing,
    )
    expect(Object.keys((await callbacksOf(id))[0]?.data ?? {})).toEqual([
      'id',
      'recipient',
      'status',
      'channel',
      'pages',
      'charge',
      'refunded',
      'updated_datetime',
    ])
  })
})

describe('the statuses', () => {
  const FINAL = ['delivered', 'undelivered', 'expired', 'rejected', 'failed', 'unknown'] as const
  const FROM = ['queued', 'sent', 'scheduled', 'canceled', ...FINAL] as const
  const allowed = (from: string, to: string) =>
    from === 'queued' || from === 'sent' || (to === 'delivered' && (from === 'expired' || from === 'unknown'))

  test('change only as documented', async () => {
    const by = await organisation()
    const { deps } = makeSettler(database.db)
    const ways = FROM.flatMap((from) => FINAL.map((to) => ({ from, to })))
    const seen: string[] = []
    for (const [n, { from, to }] of ways.entries()) {
      const recipient = `23480300000${String(n).padStart(2, '0')}`
      const id = await send(by, { recipients: [recipient], status: from, callback: null })
      const moved = await settle(deps, by, [change(id, to, { recipient })], nothing)
      const after = await stateOf(id, recipient)
      expect(after?.status).toBe(moved.length > 0 ? to : from)
      if (moved.length > 0) seen.push(`${from} ${to}`)
    }
    expect(seen).toEqual(ways.filter(({ from, to }) => allowed(from, to)).map(({ from, to }) => `${from} ${to}`))
  })

  test('of one delivery reported twice in one batch: delivered takes precedence', async () => {
    const by = await organisation()
    const id = await send(by)
    const { deps } = makeSettler(database.db)
    const both = [change(id, 'expired'), change(id, 'delivered'), change(id, 'undelivered')]
    expect(await settle(deps, by, both, nothing)).toMatchObject([{ status: 'delivered' }])
  })
})

describe('callbackOf', () => {
  const changed: Changed = {
    ...change('message', 'delivered'),
    status: 'delivered',
    channel: 'sms',
    sender_id: null,
    template_id: null,
    external_ref: null,
    callback: null,
    has_webhooks: false,
    route: 'route',
    pages: 1,
    charge: 0n,
    refunded: false,
    was: 'sent',
    was_code: null,
    updated_datetime: 'then',
  }

  test('is absent without a receiver, and for unknown', () => {
    expect(callbackOf(changed)).toEqual([])
    expect(callbackOf({ ...changed, callback: CALLBACK })).toHaveLength(1)
    expect(callbackOf({ ...changed, has_webhooks: true })).toHaveLength(1)
    expect(callbackOf({ ...changed, callback: CALLBACK, has_webhooks: true, status: 'unknown' })).toEqual([])
  })
})

describe('a delivered report', () => {
  /** A sender with the given free capacity that records what it receives. */
  function makeSender(capacity = Infinity) {
    const seen = { reserved: 0, taken: [] as string[], given_up: 0 }
    const hands: CallbackSender = {
      reserve: () => seen.reserved < capacity && (seen.reserved += 1) > 0,
      startReserved: (_, job, callback) => {
        if (job) seen.taken.push(callback.id)
        else seen.given_up += 1
      },
    }
    return { seen, hands }
  }

  /** A report on a message that a carrier knows, with its lookup. */
  async function arrived(by: string, message_id: string, more: Partial<NewReport> = {}): Promise<ReportMatch> {
    const recipient = more.recipient ?? ONE
    const key = newId()
    await database.db`
      insert into submissions (carrier, carrier_message_id, organisation_id, message_id, recipient, report_due)
      values ('line', ${key}, ${by}, ${message_id}, ${recipient}, now() + interval '1 h')`
    const report: NewReport = {
      id: newId(),
      carrier: 'line',
      carrier_message_id: key,
      status: 'delivered',
      code: '000',
      description: 'DELIVRD',
      keys: [key],
      certain: 1,
      ...more,
    }
    const [found] = await findReportedDeliveries(database.db, [report])
    if (!found) throw new Error('the report found nothing')
    return { found, report }
  }

  test('changes the delivery, creates the callback, and passes it on', async () => {
    const by = await organisation()
    const id = await send(by, { external_ref: 'order 1' })
    const { seen: leased, hands } = makeSender()
    const { deps, seen, counted } = makeSettler(database.db, { callbackSender: () => hands })
    const news = await arrived(by, id, { operator: 'MTN' })
    await settleDelivered(deps, [news])
    expect(await stateOf(id)).toEqual({ status: 'delivered', code: '000', description: 'DELIVRD', refunded: false })
    const [callback] = await callbacksOf(id)
    expect(callback).toEqual({
      id: expect.any(String),
      type: 'text.delivered',
      created_datetime: news.found.clock,
      url: CALLBACK,
      data: {
        id,
        recipient: ONE,
        status: 'delivered',
        channel: 'sms',
        sender_id: 'Gangan',
        external_ref: 'order 1',
        pages: 1,
        charge: 4,
        refunded: false,
        code: '000',
        description: 'DELIVRD',
        updated_datetime: news.found.clock,
      },
    })
    const [row] = await database.db`select id from callbacks where subject_id = ${id}`
    expect(leased).toEqual({ reserved: 1, taken: [row?.id], given_up: 0 })
    const settled = seen.settled.flatMap(({ changed }) => changed)
    expect(settled).toMatchObject([{ message_id: id, recipient: ONE, status: 'delivered', refunded: false }])
    expect(seen.settled[0]?.organisation_id).toBe(by)
    expect(seen.facts).toEqual([[{ recipient: ONE, status: 'delivered', operator: 'MTN' }]])
    expect(seen.wakes).toEqual([])
    expect(await counted()).toEqual({ delivered: 1 })
  })

  test('wakes the worker if its callback is not leased, and no worker without a callback', async () => {
    const by = await organisation()
    const { deps, seen } = makeSettler(database.db)
    await settleDelivered(deps, [await arrived(by, await send(by, { callback: null }))])
    expect(seen.wakes).toEqual([])
    expect(seen.settled).toHaveLength(1)
    await settleDelivered(deps, [await arrived(by, await send(by))])
    expect(seen.wakes).toEqual([{ queue: 'callbacks', delay_ms: 0 }])
  })

  test('of several creates a callback for each', async () => {
    const by = await organisation()
    const ids = [
      await send(by),
      await send(by, { callback: null }),
      await send(by, { callback: 'https://other.example/reports' }),
    ]
    const { seen: leased, hands } = makeSender(1)
    const { deps, seen, counted } = makeSettler(database.db, { callbackSender: () => hands })
    const news = await Promise.all(ids.map((id) => arrived(by, id)))
    await settleDelivered(deps, news.toReversed())
    const callbacks = await Promise.all(ids.map(callbacksOf))
    expect(callbacks.map((one) => one.map(({ url, data }) => `${url} ${String(data['id'])}`))).toEqual([
      [`${CALLBACK} ${ids[0]}`],
      [],
      [`https://other.example/reports ${ids[2]}`],
    ])
    expect(leased).toMatchObject({ reserved: 1, given_up: 0 })
    expect(leased.taken).toHaveLength(1)
    expect(seen.wakes).toEqual([{ queue: 'callbacks', delay_ms: 0 }])
    expect(await counted()).toEqual({ delivered: 3 })
    expect(seen.facts).toEqual([])
  })

  test.each([
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [2, 0, 3, 1],
    [1, 3, 0, 2],
  ])('is stored in the order in which all lock deliveries, whatever its own: %j', async (...order) => {
    const by = await organisation()
    const [first, second] = [await send(by, { recipients: [ONE, OTHER] }), await send(by, { recipients: [ONE, OTHER] })]
    const places = [first, second].flatMap((id) => [ONE, OTHER].map((recipient) => ({ id, recipient })))
    const news: ReportMatch[] = []
    for (const n of order) {
      const { id = '', recipient = '' } = places[n] ?? {}
      news.push(await arrived(by, id, { recipient }))
    }
    const { deps, seen } = makeSettler(database.db)
    await settleDelivered(deps, news)
    const settled = seen.settled.flatMap(({ changed }) => changed)
    expect(settled.map(({ message_id, recipient }) => ({ id: message_id, recipient }))).toEqual(places)
  })

  test('twice in one batch causes one callback', async () => {
    const by = await organisation()
    const id = await send(by, { recipients: [ONE, OTHER] })
    const news = [await arrived(by, id), await arrived(by, id, { recipient: OTHER }), await arrived(by, id)]
    const { deps, counted } = makeSettler(database.db)
    await settleDelivered(deps, news)
    expect((await callbacksOf(id)).map(({ data }) => data['recipient']).sort()).toEqual([ONE, OTHER].sort())
    expect(await counted()).toEqual({ delivered: 2 })
  })

  test('that is late changes nothing, causes no callback, and releases its slot', async () => {
    const by = await organisation()
    const [late, other] = [await send(by), await send(by)]
    const news = [await arrived(by, late, { operator: 'GLO' }), await arrived(by, other, { operator: 'MTN' })]
    await database.db`update deliveries set status = 'rejected' where message_id = ${late}`
    const { seen: leased, hands } = makeSender()
    const { deps, seen, counted } = makeSettler(database.db, { callbackSender: () => hands })
    await settleDelivered(deps, news)
    expect(await stateOf(late)).toMatchObject({ status: 'rejected' })
    expect(await callbacksOf(late)).toEqual([])
    expect(leased).toMatchObject({ reserved: 2, given_up: 1 })
    expect(seen.settled.flatMap(({ changed }) => changed).map(({ message_id }) => message_id)).toEqual([other])
    expect(seen.facts.flat().map(({ operator }) => operator)).toEqual(['MTN'])
    expect(await counted()).toEqual({ delivered: 1 })
    await settleDelivered(deps, [news[0] as ReportMatch])
    expect(seen.settled).toHaveLength(1)
    expect(await counted()).toEqual({ delivered: 1 })
  })

  test('of an empty batch has no effect', async () => {
    const { deps, seen } = makeSettler(database.db)
    await settleDelivered(deps, [])
    expect(seen).toEqual({ wakes: [], changed: [], settled: [], facts: [], learned: [] })
  })

  test('that cannot be stored releases its slot', async () => {
    const by = await organisation()
    const news = await arrived(by, await send(by))
    const { seen: leased, hands } = makeSender()
    const { deps } = makeSettler(database.db, { callbackSender: () => hands })
    const broken = { ...news, found: { ...news.found, clock: 'no time' } }
    await expect(settleDelivered(deps, [broken])).rejects.toMatchObject({ code: '22007' })
    expect(leased).toEqual({ reserved: 1, taken: [], given_up: 1 })
  })

  test('is reported with the channel of its route', async () => {
    const by = await organisation()
    const id = await send(by)
    const { deps } = makeSettler(database.db, { channelOf: () => 'whatsapp' })
    await settleDelivered(deps, [await arrived(by, id)])
    expect((await callbacksOf(id))[0]?.data).toMatchObject({ channel: 'whatsapp' })
  })
})
