import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeAcceptMessages } from '../../src/messaging/accept/accept.ts'
import type { Outcome } from '../../src/messaging/dispatch/decide.ts'
import { routeQueue } from '../../src/messaging/dispatch/queues.ts'
import { firstAttempts } from '../../src/messaging/dispatch/first-attempts.ts'
import { makeRecorder } from '../../src/messaging/dispatch/recorder.ts'
import type { Unsent } from '../../src/messaging/submission.ts'
import type { Draft } from '../../src/messaging/draft.ts'
import type { LeasedDelivery, LeasedRow } from '../../src/messaging/intake/leased-row.ts'
import { claimRows, countRows, releaseRows, recordIntake } from '../../src/messaging/intake/store.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { draftOf, numbersOf, PRICE, saleOf } from '../support/drafts.ts'
import { claimAll, putOff, writeOutcomes } from '../support/intake.ts'
import { foundOrganisation } from '../support/organisation.ts'
import { makeTestCarrier, startRouteProcess } from '../support/route.ts'
import { makeSettler } from '../support/settling.ts'
import { between } from '../support/statements.ts'
import { until } from '../support/until.ts'

/** Processes that are slower than their lease: two process the same row, one after the other. */

const CREDIT = 1_000_0000n

let database: TestDatabase
let by: string

beforeEach(async () => {
  database = await freshDatabase()
  by = await foundOrganisation(database.db, CREDIT)
})
afterEach(async () => {
  vi.restoreAllMocks()
  const faults = await auditMoney(database.db)
  await database.drop()
  if (faults.length > 0) throw new Error(faults.join('\n'))
})

const quiet = { wake() {}, onWake: () => () => {}, close: async () => {} }

/** Stores a batch; by default in a process that submits nothing. */
function accept(drafts: readonly Draft[], hands: Parameters<typeof makeAcceptMessages>[0]['submittersOf'] = () => []) {
  const { storeSales } = makeAcceptMessages({
    db: database.db,
    shared_db: database.db,
    wakeups: quiet,
    submittersOf: hands,
    depth: { add() {} },
  })
  return storeSales(
    by,
    drafts.map((draft) => saleOf(draft)),
  )
}

const endLeases = () => database.db`update intake set leased_until = now() where leased_until is not null`

const rows = () => database.db`
  select size, submitted, claims, leased_until > now() as leased from intake where organisation_id = ${by}`

const deliveries = () => database.db`
  select recipient, status, code, description, refunded, carrier from deliveries
  where organisation_id = ${by} order by position`

const refunds = () => database.db<{ subject_key: string; amount: bigint }[]>`
  select subject_key, amount from ledger_lines where organisation_id = ${by} and kind = 'refund' order by sequence`

const idsOf = async () =>
  (
    await database.db<{ carrier_message_id: string }[]>`
      select carrier_message_id from submissions where organisation_id = ${by} order by 1`
  ).map((row) => row.carrier_message_id)

const balance = async () =>
  (await database.db<{ balance: bigint }[]>`select balance from balances where organisation_id = ${by}`)[0]?.balance

/** Records the outcomes of its carrier like a process with a route, and collects its notifications. */
function recorder(name: string) {
  const { deps, seen } = makeSettler(database.db)
  const log = { info() {}, warn() {}, error() {} }
  // Its rejections count, whichever process submitted the message before.
  const carrier = makeTestCarrier({ name, resubmittable: true })
  const target = { queue: routeQueue('sms'), carrier }
  const settling = { ...deps, log }
  const { record } = makeRecorder(settling, { route: 'sms' }, firstAttempts(settling, 'sms'))
  const recordAll = (held: readonly LeasedDelivery[], outcome: (delivery: LeasedDelivery) => Outcome) =>
    Promise.all(held.map((delivery) => record(target, delivery, outcome(delivery))))
  return { recordAll, seen }
}

const sent =
  (name: string) =>
  ({ recipient }: LeasedDelivery): Outcome => ({
    kind: 'accepted',
    carrier_message_id: `${name}-${recipient}`,
    report_due_s: 3_600,
  })
const ENDS = {
  unknown: { kind: 'unknown', description: 'the line was cut' },
  given_up: { kind: 'given_up', description: 'interrupted during submission' },
  rejected: { kind: 'rejected', code: '11', description: 'no such number' },
} satisfies Record<string, Outcome>

/** The same deliveries leased by two processes, the first of which exceeded its lease. */
async function twoHolders(recipients: number): Promise<{ slow: LeasedDelivery[]; quick: LeasedDelivery[] }> {
  await accept([draftOf({ deliveries: numbersOf(recipients), callback: 'https://example.com/callback' })])
  const claim = () => claimRows(database.db, by, { route: 'sms', priority: 1, budget: 100 })
  const [slow] = await claim()
  await endLeases()
  const [quick] = await claim()
  if (!slow || !quick) throw new Error('nothing was claimed')
  return { slow: slow.granted, quick: quick.granted }
}

const callbacks = async () =>
  (await database.db`select type from callbacks where organisation_id = ${by}`).map(({ type }) => type)

describe('a delivery that the first process recorded as sent', () => {
  test.each(Object.entries(ENDS))('is not ended as %s by the second: no refund, no callback', async (_, end) => {
    const { slow, quick } = await twoHolders(3)
    await recorder('first').recordAll(slow, sent('first'))
    const before = [await deliveries(), await idsOf(), await balance()]
    expect(before[1]).toEqual(numbersOf(3).map((one) => `first-${one}`))
    const second = recorder('second')
    await second.recordAll(quick, () => end)
    expect([await deliveries(), await idsOf(), await balance()]).toEqual(before)
    expect(await deliveries()).toMatchObject(numbersOf(3).map(() => ({ status: 'sent', carrier: 'first' })))
    expect([await refunds(), await callbacks(), second.seen.changed.flatMap(({ changed }) => changed)]).toEqual([
      [],
      [],
      [],
    ])
    expect(await rows()).toEqual([])
  })

  test('in part: the second ends the rest, and only that is refunded and reported', async () => {
    const { slow, quick } = await twoHolders(4)
    await recorder('first').recordAll(slow.slice(0, 2), sent('first'))
    await recorder('second').recordAll(quick, () => ENDS.rejected)
    expect((await deliveries()).map(({ status }) => status)).toEqual(['sent', 'sent', 'rejected', 'rejected'])
    const left = numbersOf(4).slice(2)
    expect((await refunds()).map((one) => one.subject_key).sort()).toEqual(left)
    expect(await balance()).toBe(CREDIT - 2n * PRICE)
    expect(await callbacks()).toEqual(['text.rejected', 'text.rejected'])
    await recorder('first').recordAll(slow.slice(2), sent('first'))
    expect((await deliveries()).map(({ status }) => status)).toEqual(['sent', 'sent', 'rejected', 'rejected'])
    expect(await rows()).toEqual([])
  })

  test('is not requeued by the second', async () => {
    const { slow, quick } = await twoHolders(2)
    await recorder('first').recordAll(slow, sent('first'))
    await recorder('second').recordAll(quick, () => ({ kind: 'temporary', code: '58', description: 'throttled' }))
    expect((await deliveries()).map(({ status }) => status)).toEqual(['sent', 'sent'])
    expect(await database.db`select 1 from jobs where organisation_id = ${by}`).toEqual([])
  })
})

describe('a delivery that the second process ended', () => {
  test.each(Object.entries(ENDS))('as %s keeps that status when the first records it as sent', async (kind, end) => {
    const { slow, quick } = await twoHolders(2)
    await recorder('second').recordAll(quick, () => end)
    const before = [await deliveries(), await refunds(), await balance(), await callbacks()]
    const is_refunded = kind === 'rejected'
    const status = is_refunded ? 'rejected' : 'unknown'
    expect(before[0]).toMatchObject(numbersOf(2).map(() => ({ status, refunded: is_refunded })))
    expect(before[2]).toBe(is_refunded ? CREDIT : CREDIT - 2n * PRICE)
    await recorder('first').recordAll(slow, sent('first'))
    expect([await deliveries(), await refunds(), await balance(), await callbacks()]).toEqual(before)
    // A report on the first submission still finds its delivery.
    expect(await idsOf()).toEqual(expect.arrayContaining(numbersOf(2).map((one) => `first-${one}`)))
  })

  test('is refunded and reported once when both end it', async () => {
    const { slow, quick } = await twoHolders(3)
    await Promise.all([
      recorder('first').recordAll(slow, () => ENDS.rejected),
      recorder('second').recordAll(quick, () => ENDS.rejected),
    ])
    expect((await refunds()).map((one) => one.subject_key).sort()).toEqual(numbersOf(3))
    expect(await balance()).toBe(CREDIT)
    expect(await callbacks()).toHaveLength(3)
    expect(await rows()).toEqual([])
  })
})

describe('a process that records a final status', () => {
  async function write(held: readonly LeasedDelivery[]): Promise<Unsent<LeasedDelivery>[]> {
    const unsent = held.map((delivery): Unsent<LeasedDelivery> => ({
      delivery,
      end: { status: 'failed', code: null, description: null },
    }))
    return (await recordIntake(database.db, 'sms', countRows(unsent), [], unsent)).stored
  }

  test('gets the deliveries it has stored, and none of another process', async () => {
    const { slow, quick } = await twoHolders(4)
    const first = await write(slow.slice(1, 3))
    expect(first.map(({ delivery }) => delivery)).toEqual(slow.slice(1, 3))
    const second = await write(quick)
    expect(second.map(({ delivery }) => delivery.recipient)).toEqual([quick[0]?.recipient, quick[3]?.recipient])
    expect(await write(quick)).toEqual([])
  })

  test('and fails to store it refunds nothing: both are one transaction', async () => {
    const { quick } = await twoHolders(2)
    const own = recorder('second')
    let failures = 0
    await between(
      database.db,
      async (asked, ask) => {
        if (failures < 2 && asked.text.includes('update deliveries')) {
          failures += 1
          throw Object.assign(new Error('the status cannot be stored'), { code: 'XX000' })
        }
        return ask(asked)
      },
      () => own.recordAll(quick.slice(0, 1), () => ENDS.rejected),
    )
    expect(failures).toBe(2)
    expect([await deliveries(), await refunds(), await callbacks()]).toEqual([[], [], []])
    expect(await rows()).toHaveLength(1)
    await own.recordAll(quick, () => ENDS.rejected)
    expect((await refunds()).map((one) => one.subject_key).sort()).toEqual(numbersOf(2))
  })
})

describe('a leased row whose write took half its lease', () => {
  const LATE_MS = 6_000

  /** A submitter with free capacity that records what it receives. */
  function fakeHands() {
    const given: { size: number; row: LeasedRow | undefined }[] = []
    return {
      given,
      reserve: () => true,
      startReserved: (size: number, row: LeasedRow | undefined) => void given.push({ size, row }),
    }
  }

  /** Simulates a slow write for the accepting process. */
  async function acceptLate(drafts: readonly Draft[], hands: ReturnType<typeof fakeHands>, late_ms: number) {
    const clock = performance.now.bind(performance)
    let passed_ms = 0
    vi.spyOn(performance, 'now').mockImplementation(() => clock() + passed_ms)
    await between(
      database.db,
      async (asked, ask) => {
        const answer = await ask(asked)
        if (asked.text.includes('accept_messages')) passed_ms = late_ms
        return answer
      },
      () => accept(drafts, () => [hands]),
    )
    vi.restoreAllMocks()
  }

  const drafts = () => [
    draftOf({ deliveries: numbersOf(3) }),
    draftOf({ deliveries: [{ recipient: '2348039999999' }] }),
  ]

  test('is submitted by the process that accepted it while its lease lasts', async () => {
    const hands = fakeHands()
    await acceptLate(drafts(), hands, 0)
    expect(hands.given.map(({ size, row }) => [size, row?.deliveries.length])).toEqual([[4, 4]])
    expect(await rows()).toEqual([{ size: 4, submitted: 4, claims: 1, leased: true }])
    await database.db`update intake set submitted = 0, claims = 0, leased_until = null`
  })

  test('is not submitted by the process that accepted it, but once by the one that claims it, like a queued row', async () => {
    const hands = fakeHands()
    await acceptLate(drafts(), hands, LATE_MS)
    expect(hands.given).toEqual([{ size: 4, row: undefined }])
    await until('it to be released', async () => (await rows())[0]?.submitted === 0)
    expect(await rows()).toEqual([{ size: 4, submitted: 0, claims: 1, leased: null }])
    const carriers = [makeTestCarrier(), makeTestCarrier()]
    const running = await Promise.all(
      carriers.map((carrier) => startRouteProcess(database.db, { carriers: [carrier] })),
    )
    await until('all to be sent', async () => (await deliveries()).length === 4)
    await Promise.all(running.map((one) => one.stop()))
    const taken = carriers.flatMap((carrier) => carrier.taken)
    expect(taken.map(({ recipient, attempt }) => `${recipient} ${attempt}`).sort()).toEqual(
      [...numbersOf(3), '2348039999999'].map((one) => `${one} 1`).sort(),
    )
    expect((await deliveries()).every(({ status }) => status === 'sent')).toBe(true)
  })

  test('releases its capacity if nothing of it was charged', async () => {
    const hands = fakeHands()
    const expensive = draftOf({ deliveries: [{ charge: 2n * CREDIT }] })
    await acceptLate([expensive], hands, LATE_MS)
    expect(hands.given).toEqual([{ size: 1, row: undefined }])
    expect(await rows()).toEqual([])
  })

  test('is left to the process that has claimed it meanwhile', async () => {
    await accept(drafts(), () => [fakeHands()])
    const [row] = await database.db<{ id: string }[]>`select id from intake where organisation_id = ${by}`
    await endLeases()
    const [found] = await claimAll(database.db, by)
    await releaseRows(database.db, by, row ? [row.id] : [])
    expect(await rows()).toEqual([{ size: 4, submitted: 4, claims: 2, leased: true }])
    await writeOutcomes(database.db, 'sms', { unsent: found?.granted.map((one) => putOff(one, 'sms')) ?? [] })
  })

  test('is submitted like a queued row also if the lease has expired without a poll', async () => {
    await accept(drafts(), () => [fakeHands()])
    const [row] = await database.db<{ id: string }[]>`select id from intake where organisation_id = ${by}`
    await endLeases()
    await releaseRows(database.db, by, row ? [row.id] : [])
    const [found] = await claimAll(database.db, by)
    expect(found?.granted.map(({ interrupted }) => interrupted)).toEqual([false, false, false, false])
  })
})
