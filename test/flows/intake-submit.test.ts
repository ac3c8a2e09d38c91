import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { OutgoingMessage, SubmitOutcome } from '../../src/carriers/message-carrier.ts'
import { PRIORITY, type Draft } from '../../src/messaging/draft.ts'
import type { Route } from '../../src/messaging/dispatch/route.ts'
import { deliverySeal, joinToken } from '../../src/messaging/sealed-text.ts'
import { refundLines } from '../../src/billing/store.ts'
import { transaction } from '../../src/db/transaction.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { newId } from '../../src/values/id.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { draftOf, numbersOf, saleOf } from '../support/drafts.ts'
import { claimAll, taken, writeOutcomes } from '../support/intake.ts'
import { foundOrganisation } from '../support/organisation.ts'
import {
  accepted,
  makeTestCarrier,
  seal,
  startRouteProcess,
  type RouteProcess,
  type TestCarrier,
} from '../support/route.ts'
import { until } from '../support/until.ts'

let database: TestDatabase
let by: string
let carrier: TestCarrier
const running: RouteProcess[] = []

/** A database per test: the carrier of one test would get the messages that another leaves. */
beforeEach(async () => {
  database = await freshDatabase()
  by = await organisation()
  carrier = makeTestCarrier()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()))
  const faults = await auditMoney(database.db)
  await database.drop()
  if (faults.length > 0) throw new Error(faults.join('\n'))
})

const organisation = () => foundOrganisation(database.db, 1_000_000_0000n)

async function process(route: Partial<Route> = {}): Promise<RouteProcess> {
  const one = await startRouteProcess(database.db, { carriers: [carrier], ...route })
  running.push(one)
  return one
}

/** In a process that only accepts. */
async function accept(drafts: readonly Draft[], of = by): Promise<void> {
  const accepting = await startRouteProcess(database.db, {
    carriers: [makeTestCarrier({ freeCapacity: () => 0 })],
    name: 'nowhere',
  })
  await accepting.accept(
    of,
    drafts.map((draft) => saleOf(draft)),
  )
  await accepting.stop()
}

type Delivery = {
  recipient: string
  status: string
  code: string | null
  description: string | null
  carrier: string | null
}

const deliveries = (of = by) => database.db<Delivery[]>`
  select recipient, status, code, description, carrier from deliveries
  where organisation_id = ${of} order by message_id, position`

const statuses = async () => (await deliveries()).map(({ status }) => status)

const allWritten = (count: number, of = by) =>
  until('everything to be recorded', async () => {
    const rows = await deliveries(of)
    const left = await database.db`select 1 from intake where organisation_id = ${of}`
    return rows.length === count && left.length === 0 && rows.every(({ status }) => status !== 'queued')
  })

const attempts = ({ taken: all }: TestCarrier) => all.map(({ recipient, attempt }) => `${recipient} ${attempt}`).sort()

/** A one-time password, sealed as it is. */
function otp(more: Parameters<typeof draftOf>[0] = {}): Draft {
  const draft = draftOf({ priority: PRIORITY.otp, content: '****', ...more })
  for (const one of draft.deliveries) {
    const where = deliverySeal({ message_id: draft.id, recipient: one.recipient })
    one.sealed_text = seal.close(joinToken('Code 482913', '482913'), where)
  }
  return draft
}

describe('a queued message in the intake', () => {
  test('is submitted unchanged, once, and recorded', async () => {
    const personal = numbersOf(3).map((recipient, n) => ({ recipient, text: `Dear ${n}` }))
    const drafts = [draftOf({ content: 'Hello "you"' }), draftOf({ deliveries: personal, sender_id: null }), otp()]
    await accept(drafts)
    await process()
    await allWritten(5)
    const sent = (message: Partial<OutgoingMessage>) =>
      expect.objectContaining({ organisation_id: by, attempt: 1, ...message })
    expect(carrier.taken).toHaveLength(5)
    expect(carrier.taken).toEqual(
      expect.arrayContaining([
        sent({ message_id: drafts[0]?.id ?? '', sender_id: 'Gangan', text: 'Hello "you"', urgent: false }),
        ...personal.map(({ recipient, text }) =>
          sent({ message_id: drafts[1]?.id ?? '', sender_id: null, recipient, text }),
        ),
        sent({ message_id: drafts[2]?.id ?? '', text: 'Code 482913', token: '482913', urgent: true }),
      ]),
    )
    expect((await deliveries()).every(({ status, carrier: name }) => status === 'sent' && name === 'own')).toBe(true)
    const [kept] = await database.db`select count(*)::integer as sealed from deliveries where sealed_text is not null`
    expect(kept).toEqual({ sealed: 0 })
  })

  test('is found by the poll if the wake-up was lost', async () => {
    await process()
    await accept([draftOf()])
    await allWritten(1)
    expect(carrier.taken).toHaveLength(1)
  })

  test('of a list of thousands is submitted to each recipient once', async () => {
    await accept([draftOf({ deliveries: numbersOf(2_000), priority: PRIORITY.bulk })])
    const second = makeTestCarrier()
    await process()
    await process({ carriers: [second] })
    await allWritten(2_000)
    expect([...carrier.taken, ...second.taken].map(({ recipient }) => recipient).sort()).toEqual(numbersOf(2_000))
  })
})

describe('a message accepted by a process that can submit it', () => {
  test('is leased from the start, and needs no claim', async () => {
    let letGo = () => {}
    const gate = new Promise<void>((resolve) => (letGo = resolve))
    carrier.answer = async (message) => gate.then(() => accepted(message))
    const own = await process()
    await until('the first poll', async () =>
      own.submitters.some((submitter) => submitter.reserve({ priority: 0, size: 0 })),
    )
    await own.accept(by, [saleOf(draftOf({ deliveries: numbersOf(3) })), saleOf(draftOf())], true)
    await until('all with the carrier', () => carrier.taken.length === 4)
    const rows = await database.db`
      select size, submitted, claims, leased_until > now() as leased from intake where organisation_id = ${by}`
    expect(rows).toEqual([{ size: 4, submitted: 4, claims: 1, leased: true }])
    letGo()
    await allWritten(4)
    expect(carrier.taken).toHaveLength(4)
  })

  test.each([
    ['few', 20],
    ['more than are read with the acceptance', 300],
  ])('is not sent to a recipient who has just opted out, among %s', async (_, count) => {
    const own = await process()
    await until('the first poll', async () =>
      own.submitters.some((submitter) => submitter.reserve({ priority: 0, size: 0 })),
    )
    const optouts = numbersOf(count)
    await database.db`
      insert into optouts (organisation_id, id, recipient, source)
      select ${by}, id, recipient, 'api'
      from unnest(${optouts.map(() => newId())}::uuid[], ${optouts}::text[]) as given (id, recipient)`
    const last = optouts.at(-1) ?? ''
    await own.accept(by, [saleOf(draftOf({ deliveries: [last, '2348059999999'] }))], true)
    await allWritten(2)
    expect(carrier.taken.map(({ recipient }) => recipient)).toEqual(['2348059999999'])
    expect((await deliveries()).map(({ status }) => status).toSorted()).toEqual(['rejected', 'sent'])
  })

  test('is queued if there is no capacity, or others of its priority are queued', async () => {
    const own = await process()
    const [submitter] = own.submitters
    await until('the first poll', async () => submitter?.reserve({ priority: 0, size: 0 }))
    expect(submitter?.reserve({ priority: 1, size: 101 })).toBe(false)
    expect(submitter?.reserve({ priority: 1, size: 100 })).toBe(true)
    expect(submitter?.reserve({ priority: 0, size: 1 })).toBe(false)
    submitter?.startReserved(100, undefined)
    expect(submitter?.reserve({ priority: 1, size: 1 })).toBe(true)
    submitter?.startReserved(1, undefined)
  })

  test('in a batch of which a part was not charged: the rest is submitted, and capacity is released', async () => {
    const poor = await foundOrganisation(database.db, 8_0000n)
    const own = await process()
    const [submitter] = own.submitters
    await until('the first poll', async () => submitter?.reserve({ priority: 0, size: 0 }))
    await own.accept(
      poor,
      [saleOf(draftOf({ deliveries: numbersOf(3) })), saleOf(draftOf({ deliveries: numbersOf(2) }))],
      true,
    )
    await allWritten(2, poor)
    await own.accept(poor, [saleOf(draftOf())], true)
    expect(submitter?.reserve({ priority: 1, size: 100 })).toBe(true)
    submitter?.startReserved(100, undefined)
    expect(carrier.taken.map(({ recipient }) => recipient)).toEqual(numbersOf(2))
  })

  test('and not stored is not submitted', async () => {
    const own = await process()
    const [submitter] = own.submitters
    await until('the first poll', async () => submitter?.reserve({ priority: 0, size: 0 }))
    const twice = saleOf(draftOf())
    await own.accept(by, [twice], true)
    await allWritten(1)
    await expect(own.accept(by, [twice], true)).rejects.toMatchObject({ code: '23505' })
    expect(carrier.taken).toHaveLength(1)
    expect(submitter?.reserve({ priority: 1, size: 100 })).toBe(true)
    submitter?.startReserved(100, undefined)
  })
})

describe('a process that died', () => {
  /** Claims all, submits the first of them, and records some of those. */
  async function die({ submitted, written = 0 }: { submitted: number; written?: number }): Promise<void> {
    const [claimed] = await claimAll(database.db, by)
    const sent = claimed?.granted.slice(0, written).map((delivery) => taken(delivery)) ?? []
    if (claimed && written === claimed.granted.length) claimed.row.left = Infinity
    await writeOutcomes(database.db, 'sms', { sent })
    await database.db`update intake set submitted = ${submitted}, leased_until = now() where organisation_id = ${by}`
  }

  test('before it submitted anything: all messages are sent as usual', async () => {
    await accept([draftOf({ deliveries: numbersOf(5) })])
    await die({ submitted: 0 })
    await process()
    await allWritten(5)
    expect(attempts(carrier)).toEqual(numbersOf(5).map((one) => `${one} 1`))
    expect(await statuses()).toEqual(numbersOf(5).map(() => 'sent'))
  })

  test('with some in flight: recorded ones stay, those the carrier may have are unknown, and the rest is sent', async () => {
    await accept([draftOf({ deliveries: numbersOf(6) })])
    await die({ submitted: 4, written: 2 })
    await process()
    await allWritten(6)
    expect(await statuses()).toEqual(['sent', 'sent', 'unknown', 'unknown', 'sent', 'sent'])
    expect(attempts(carrier)).toEqual(
      numbersOf(6)
        .slice(4)
        .map((one) => `${one} 1`),
    )
    expect((await deliveries())[2]).toMatchObject({ description: 'interrupted during submission' })
    // A report on its number may still settle it.
    const keys = await database.db`
      select recipient from submissions where organisation_id = ${by} and carrier_message_id like 'to:%' order by 1`
    expect(keys.map(({ recipient }) => recipient)).toEqual(numbersOf(6).slice(2, 4))
  })

  test('with some in flight at a carrier that recognises repeated messages: they are sent again', async () => {
    carrier = makeTestCarrier({ resubmittable: true })
    await accept([draftOf({ deliveries: numbersOf(6) })])
    await die({ submitted: 4, written: 2 })
    await process()
    await allWritten(6)
    expect(attempts(carrier)).toEqual(
      numbersOf(6)
        .slice(2)
        .map((one, n) => `${one} ${n < 2 ? 2 : 1}`),
    )
    expect(await statuses()).toEqual(numbersOf(6).map(() => 'sent'))
  })

  test.each([
    [undefined, 1],
    ['hold', 0],
  ] as const)('with a one-time password in flight, on_unknown %s: it is sent %i times', async (on_unknown, times) => {
    await accept([otp()])
    await die({ submitted: 1 })
    await process({ on_unknown })
    await allWritten(1)
    expect(carrier.taken).toHaveLength(times)
    expect(await statuses()).toEqual([times === 1 ? 'sent' : 'unknown'])
  })

  test('after it had recorded everything, but not deleted the row: nothing is sent again', async () => {
    await accept([draftOf({ deliveries: numbersOf(3) })])
    await die({ submitted: 3, written: 3 })
    await process()
    await allWritten(3)
    expect(carrier.taken).toEqual([])
    expect(await statuses()).toEqual(['sent', 'sent', 'sent'])
  })

  test('again and again: messages that may crash their process are given up', async () => {
    carrier = makeTestCarrier({ resubmittable: true })
    await accept([draftOf()])
    await database.db`update intake set submitted = 1, claims = 10, leased_until = now() where organisation_id = ${by}`
    await process()
    await allWritten(1)
    expect([carrier.taken.length, await statuses()]).toEqual([0, ['unknown']])
  })

  test('only in appearance records late: nothing twice, and its ids find their reports', async () => {
    await accept([draftOf({ deliveries: numbersOf(2) })])
    const [slow] = await claimAll(database.db, by)
    await database.db`update intake set leased_until = now() where organisation_id = ${by}`
    await process()
    await allWritten(2)
    expect(await statuses()).toEqual(['unknown', 'unknown'])
    await writeOutcomes(database.db, 'sms', { sent: slow?.granted.map((delivery) => taken(delivery)) ?? [] })
    expect(await deliveries()).toHaveLength(2)
    const ids = await database.db`
      select carrier_message_id from submissions
      where organisation_id = ${by} and carrier_message_id not like 'to:%' order by recipient`
    expect(ids.map((row) => row.carrier_message_id)).toEqual(slow?.granted.flatMap((delivery) => taken(delivery).ids))
  })
})

describe('a process that stops', () => {
  test('finishes messages in flight and releases the others, for other processes to continue immediately', async () => {
    await accept([draftOf({ deliveries: numbersOf(20), priority: PRIORITY.bulk })])
    const first = await process({ rate_per_s: 5 })
    await until('some to be submitted', () => carrier.taken.length >= 5)
    running.splice(0)
    await first.stop()
    const before = carrier.taken.length
    const [row] = await database.db`
      select submitted, leased_until <= now() as free from intake where organisation_id = ${by}`
    expect(row).toEqual({ submitted: before, free: true })
    expect(await deliveries()).toHaveLength(before)
    await database.db`delete from queue_rates`
    const second = makeTestCarrier()
    await process({ carriers: [second] })
    await allWritten(20)
    expect([...carrier.taken, ...second.taken].map(({ recipient }) => recipient).sort()).toEqual(numbersOf(20))
    expect(attempts(second).every((one) => one.endsWith(' 1'))).toBe(true)
    expect(new Set(await statuses())).toEqual(new Set(['sent']))
  })
})

describe('a delivery that is not accepted', () => {
  test('temporarily becomes a job with its attempts, and is retried', async () => {
    const busy: SubmitOutcome = { kind: 'temporary', code: '58', description: 'throttled', retry_after_s: 0.05 }
    carrier.answer = (message) => (message.attempt < 3 && message.recipient.endsWith('1') ? busy : accepted(message))
    await accept([draftOf({ deliveries: numbersOf(3) })])
    await process()
    await allWritten(3)
    const [zero, one, two] = numbersOf(3)
    expect(attempts(carrier)).toEqual([`${zero} 1`, `${one} 1`, `${one} 2`, `${one} 3`, `${two} 1`])
    expect(await statuses()).toEqual(['sent', 'sent', 'sent'])
  })

  test('because it was not submitted uses no attempt', async () => {
    let held = 0
    carrier.answer = (message) => (held++ < 2 ? { kind: 'held', retry_after_s: 0.05 } : accepted(message))
    await accept([draftOf()])
    await process()
    await allWritten(1)
    expect(carrier.taken.map(({ attempt }) => attempt)).toEqual([1, 1, 1])
  })

  test('but may be by another carrier goes to the next one', async () => {
    const refused: SubmitOutcome = { kind: 'rejected', code: '11', description: 'not ours', elsewhere: true }
    carrier.answer = (message) => (message.recipient.endsWith('1') ? refused : accepted(message))
    const next = makeTestCarrier({ name: 'next' })
    await accept([draftOf({ deliveries: numbersOf(2) })])
    await process({ carriers: [carrier, next] })
    await allWritten(2)
    expect((await deliveries()).map((one) => one.carrier)).toEqual(['own', 'next'])
    expect(next.taken.map(({ recipient, attempt }) => [recipient, attempt])).toEqual([[numbersOf(2)[1], 1]])
    const [row] = await database.db`select tried from deliveries where organisation_id = ${by} and position = 1`
    expect(row).toEqual({ tried: ['own'] })
  })

  test('by a carrier that has long been down goes to the one that replaces it', async () => {
    carrier = makeTestCarrier({ freeCapacity: () => 0, downFor: () => 60_000 })
    const next = makeTestCarrier({ name: 'next' })
    await accept([draftOf()])
    await process({ carriers: [carrier, next] })
    await allWritten(1)
    expect([carrier.taken.length, next.taken.length]).toEqual([0, 1])
  })

  test('permanently is refunded', async () => {
    carrier.answer = () => ({ kind: 'rejected', code: '11', description: 'no such number' })
    await accept([draftOf()])
    await process()
    await allWritten(1)
    expect(await deliveries()).toMatchObject([{ status: 'rejected', code: '11', description: 'no such number' }])
    const lines = await database.db`select amount from ledger_lines where organisation_id = ${by} and kind = 'refund'`
    expect(lines).toEqual([{ amount: 4_0000n }])
  })

  test('by a carrier that fails for the whole batch is retried', async () => {
    let calls = 0
    const own = makeTestCarrier()
    carrier = {
      ...own,
      submit: (messages) => (calls++ === 0 ? Promise.reject(new Error('the line broke')) : own.submit(messages)),
    }
    await accept([draftOf({ deliveries: numbersOf(2) })])
    await process()
    await allWritten(2)
    expect(own.taken.map(({ recipient }) => recipient).sort()).toEqual(numbersOf(2))
  })

  test('and has no outcome from the carrier is never sent again without knowing', async () => {
    const own = makeTestCarrier()
    carrier = {
      ...own,
      async submit(messages) {
        own.taken.push(...messages)
        return messages.slice(1).map(accepted) // The last has no outcome.
      },
    }
    await accept([draftOf({ deliveries: numbersOf(2) })])
    await process()
    await allWritten(2)
    expect(own.taken).toHaveLength(2)
    expect(await statuses()).toEqual(['sent', 'unknown'])
  })
})

describe('between acceptance and submission', () => {
  test('a recipient who opts out is skipped and not charged, but gets a requested one-time password', async () => {
    const [zero, one] = numbersOf(2)
    await accept([draftOf({ deliveries: numbersOf(2) }), otp({ deliveries: [{ recipient: one ?? '' }] })])
    await database.db`
      insert into optouts (organisation_id, id, recipient, source) values (${by}, ${newId()}, ${one}, 'text')`
    await process()
    await allWritten(3)
    expect(carrier.taken.map(({ recipient, urgent }) => [recipient, urgent])).toEqual(
      expect.arrayContaining([
        [zero, false],
        [one, true],
      ]),
    )
    expect(carrier.taken).toHaveLength(2)
    expect(await deliveries()).toMatchObject([
      { status: 'sent' },
      { status: 'rejected', code: 'opted_out' },
      { status: 'sent' },
    ])
  })

  test('an expired message is not sent', async () => {
    await accept([otp({ expires_in_s: 60 }), otp({ expires_in_s: 600 })])
    await database.db`
      update intake set created_datetime = (created_datetime at time zone 'utc' - interval '2 minutes') at time zone 'utc' where organisation_id = ${by}`
    await process()
    await allWritten(2)
    expect(await deliveries()).toMatchObject([{ status: 'failed' }, { status: 'sent' }])
    expect(carrier.taken).toHaveLength(1)
    expect(carrier.taken[0]?.expires_in_s).toBeLessThan(481)
  })
})

describe('a slow route', () => {
  const RATE = 5
  const bulk = (prefix?: string) => draftOf({ deliveries: numbersOf(200, prefix), priority: PRIORITY.bulk })
  const placeOf = (organisation_id: string) => carrier.taken.findIndex((one) => one.organisation_id === organisation_id)

  test('sends urgent messages before a list of which a slice is in flight', async () => {
    await accept([bulk()])
    await process({ rate_per_s: RATE })
    await until('the list to be started', () => carrier.taken.length > 0)
    const before = carrier.taken.length
    await accept([otp({ deliveries: [{ recipient: '2348099999999' }] })])
    const place = await until('the urgent one', () => {
      const at = carrier.taken.findIndex(({ urgent }) => urgent)
      return at >= 0 && at
    })
    expect(place).toBeLessThan(before + 4 * RATE)
  })

  test('is shared by organisations that wait from the start', async () => {
    const other = await organisation()
    await accept([bulk()])
    await accept([bulk()], other)
    await process({ rate_per_s: RATE })
    await until('some of both', () => carrier.taken.length >= 4 * RATE, 30_000)
    const own = carrier.taken.slice(0, 4 * RATE).filter((one) => one.organisation_id === by).length
    expect(own).toBeGreaterThanOrEqual(RATE)
    expect(own).toBeLessThanOrEqual(3 * RATE)
  })

  test('is not occupied by one organisation until its slice is done: a later one is served soon', async () => {
    const other = await organisation()
    await accept([bulk()])
    await process({ rate_per_s: RATE })
    await until('the list to be started', () => carrier.taken.length > 0)
    const before = carrier.taken.length
    await accept([draftOf({ priority: PRIORITY.bulk })], other)
    await until('the other’s', () => placeOf(other) >= 0, 10_000)
    expect(placeOf(other)).toBeLessThan(before + 4 * RATE)
  })

  test('has one rate for two processes together', async () => {
    const second = makeTestCarrier()
    await accept(Array.from({ length: 30 }, () => draftOf()))
    await accept(
      Array.from({ length: 30 }, () => draftOf()),
      await organisation(),
    )
    const [clock] = await database.db<{ at: number }[]>`select extract(epoch from clock_timestamp())::float8 as at`
    await process({ rate_per_s: 10 })
    await process({ rate_per_s: 10, carriers: [second] })
    await until('40 of them', () => carrier.taken.length + second.taken.length >= 40)
    const [now] = await database.db<{ at: number }[]>`select extract(epoch from clock_timestamp())::float8 as at`
    // The burst of one second is sent immediately; each of the others takes a tenth of a second, whatever the number of
    // processes.
    const allowed = 10 + 10 * ((now?.at ?? 0) - (clock?.at ?? 0))
    expect(carrier.taken.length + second.taken.length).toBeLessThanOrEqual(Math.ceil(allowed))
  })
})

describe('a canceled message', () => {
  const takeBack = (id: string) => database.db<{ recipient: string; charge: bigint }[]>`
    select recipient, charge from cancel_intake(${by}, ${id})`
  const waiting = async () =>
    (await database.db<{ size: number; submitted: number }[]>`select size, submitted from intake order by id`).map(
      ({ size, submitted }) => `${submitted} of ${size}`,
    )
  const refund = (gone: readonly { recipient: string; charge: bigint }[], id: string) =>
    transaction(database.db, (tx) =>
      refundLines(
        tx,
        by,
        gone.map(({ recipient, charge }) => ({ subject_id: id, subject_key: recipient, amount: charge })),
      ),
    )

  test('before any submission is canceled completely', async () => {
    const draft = draftOf({ deliveries: numbersOf(300), priority: PRIORITY.bulk, has_own_rows: true })
    await accept([draft, draftOf({ priority: PRIORITY.bulk })])
    const gone = await takeBack(draft.id)
    expect(gone).toHaveLength(300)
    await refund(gone, draft.id)
    expect(await takeBack(draft.id)).toEqual([])
    expect(await waiting()).toEqual(['0 of 1'])
    await process()
    await allWritten(301)
    expect(carrier.taken).toHaveLength(1)
  })

  test('while a carrier is slow is canceled as far as it was not submitted, and the rest ends as usual', async () => {
    let letGo = () => {}
    const gate = new Promise<void>((resolve) => (letGo = resolve))
    carrier.answer = async (message) => gate.then(() => accepted(message))
    carrier.limit = 50
    const draft = draftOf({ deliveries: numbersOf(200), priority: PRIORITY.bulk, has_own_rows: true })
    await accept([draft])
    await process()
    await until('a full window at the carrier', () => carrier.taken.length === 50)
    const gone = await takeBack(draft.id)
    expect(gone.map(({ recipient }) => recipient)).toEqual(numbersOf(200).slice(50))
    await refund(gone, draft.id)
    letGo()
    await until('the row to be deleted', async () => (await waiting()).length === 0)
    expect(carrier.taken).toHaveLength(50)
    const counts = (await statuses()).reduce<Record<string, number>>((all, one) => {
      return { ...all, [one]: (all[one] ?? 0) + 1 }
    }, {})
    expect(counts).toEqual({ sent: 50, canceled: 150 })
  })

  test('in a row whose worker died is recorded with it: submitted deliveries are unknown, the rest is canceled', async () => {
    const draft = draftOf({ deliveries: numbersOf(20), priority: PRIORITY.bulk, has_own_rows: true })
    await accept([draft])
    await database.db`select * from claim_intake(${by}, 'sms', ${PRIORITY.bulk}, 5, 0)`
    const gone = await takeBack(draft.id)
    expect(gone).toHaveLength(15)
    await refund(gone, draft.id)
    await process()
    await until('the row to be deleted', async () => (await waiting()).length === 0)
    expect(carrier.taken).toHaveLength(0)
    expect((await statuses()).sort()).toEqual([...Array(15).fill('canceled'), ...Array(5).fill('unknown')])
  })
})
