import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { makeChargeSale, type ChargeSale } from '../../src/billing/charge.ts'
import { connect, connectBeside, type Db } from '../../src/db/connect.ts'
import { transaction } from '../../src/db/transaction.ts'
import { makeAcceptMessages } from '../../src/messaging/accept/accept.ts'
import type { Draft } from '../../src/messaging/draft.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { draftOf, numbersOf, PRICE, saleOf } from '../support/drafts.ts'
import { foundOrganisation } from '../support/organisation.ts'

/** Messages of several organisations, charged and stored in one statement. On a cluster each organisation is charged alone. */

const CREDIT = 1_000n * PRICE

let database: TestDatabase
let organisations: string[]
let charge: ChargeSale<Draft>

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  organisations = await Promise.all(Array.from({ length: 8 }, () => foundOrganisation(database.db, CREDIT)))
  charge = chargeOn(database.db)
})
afterEach(async () => {
  const faults = await auditMoney(database.db)
  if (faults.length > 0) throw new Error(faults.join('\n'))
})

/** As a process does it that submits nothing. */
function chargeOn(db: Db, shared_db = db): ChargeSale<Draft> {
  const wakeups = { wake() {}, onWake: () => () => {}, close: async () => {} }
  const accept = makeAcceptMessages({ db, shared_db, wakeups, submittersOf: () => [], depth: { add() {} } })
  return makeChargeSale(accept.storeSales, accept.storeMany)
}

const [first, second, third] = [0, 1, 2].map((n) => (): string => organisations[n] ?? '') as [
  () => string,
  () => string,
  () => string,
]

/** The transactions that charged messages, with the number of organisations each has charged. */
async function writes(): Promise<number[]> {
  const rows = await database.db<{ organisations: number }[]>`
    select count(distinct organisation_id)::integer as organisations from ledger_lines
    where organisation_id = any (${organisations}::uuid[]) and kind = 'message'
    group by xmin::text order by 1 desc`
  return rows.map((row) => row.organisations)
}

async function stateOf(organisation_id: string) {
  const [row] = await database.db<{ balance: bigint; lines: number; waiting: number }[]>`
    select balance,
      (select count(*)::integer from ledger_lines where organisation_id = ${organisation_id} and kind = 'message') as lines,
      (select coalesce(sum(size), 0)::integer from intake where organisation_id = ${organisation_id}) as waiting
    from balances where organisation_id = ${organisation_id}`
  return row
}

describe.skipIf(inject('cluster'))('messages of several organisations', () => {
  test('are charged and stored in one transaction, each organisation by a line of its own', async () => {
    const drafts = organisations.flatMap((id, n) =>
      [draftOf({ deliveries: numbersOf(n + 1) }), draftOf()].map((draft) => ({ id, draft })),
    )
    const receipts = await Promise.all(drafts.map(({ id, draft }) => charge(id, saleOf(draft))))
    expect(await writes()).toEqual([8])
    for (const [n, id] of organisations.entries()) {
      const spent = BigInt(n + 2) * PRICE
      expect(await stateOf(id)).toEqual({ balance: CREDIT - spent, lines: 1, waiting: n + 2 })
      const left = (amount: bigint) => Number(CREDIT - amount) / 10_000
      expect(receipts.slice(2 * n, 2 * n + 2).map(({ answer }) => answer)).toEqual([
        `{"id":"${drafts[2 * n]?.draft.id}","left":${left(spent - PRICE)}}`,
        `{"id":"${drafts[2 * n + 1]?.draft.id}","left":${left(spent)}}`,
      ])
    }
    const [line] = await database.db`
      select subjects, subject_id, last_subject_id from ledger_lines where organisation_id = ${first()} and kind = 'message'`
    const ids = drafts.slice(0, 2).map(({ draft }) => draft.id)
    expect(line).toEqual({ subjects: 2, subject_id: ids.toSorted()[0], last_subject_id: ids.toSorted()[1] })
  })

  test('have their links, scheduled deliveries and idempotency keys', async () => {
    const linked = draftOf()
    const url = 'https://example.com'
    linked.links = [{ code: linked.id.slice(-7), message_id: linked.id, recipient: '2348031234567', position: 0, url }]
    const late = draftOf({ deliveries: [{ send_at: '2030-01-01T10:00:00.000Z' }] })
    const keyed = draftOf()
    const [, , receipt] = await Promise.all([
      charge(first(), saleOf(linked)),
      charge(second(), saleOf(late)),
      charge(third(), saleOf(keyed, 'key')),
    ])
    expect(await writes()).toEqual([3])
    expect(await database.db`select organisation_id, url from links where message_id = ${linked.id}`).toEqual([
      { organisation_id: first(), url },
    ])
    expect(await database.db`select organisation_id, status from deliveries where message_id = ${late.id}`).toEqual([
      { organisation_id: second(), status: 'scheduled' },
    ])
    // The retry comes together with new messages of the others, and of the same organisation.
    const [again, , conflicting] = await Promise.all([
      charge(third(), saleOf(draftOf(), 'key')),
      charge(third(), saleOf(draftOf())),
      charge(first(), { ...saleOf(draftOf(), 'key'), amount: PRICE }),
    ])
    expect(again).toEqual({ answer: receipt?.answer, replayed: true })
    expect(conflicting.replayed).toBe(false)
    expect(await stateOf(third())).toMatchObject({ balance: CREDIT - 2n * PRICE, waiting: 2 })
    const other_body = { key: 'key', request_hash: Buffer.from('another body') }
    const outcomes = await Promise.allSettled([
      charge(third(), { ...saleOf(draftOf()), idempotency: other_body }),
      charge(first(), saleOf(draftOf())),
    ])
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { code: 'idempotency_conflict' } },
      { status: 'fulfilled' },
    ])
  })

  test('of which one cannot pay: only it is refused', async () => {
    const poor = await foundOrganisation(database.db, PRICE)
    const outcomes = await Promise.allSettled([
      charge(poor, saleOf(draftOf())),
      ...organisations.map((id) => charge(id, saleOf(draftOf()))),
      charge(poor, saleOf(draftOf())),
    ])
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'insufficient_balance' } },
    ])
    expect(await writes()).toEqual([8])
    expect(await stateOf(poor)).toEqual({ balance: 0n, lines: 1, waiting: 1 })
  })

  test.each([
    ['whose text cannot be stored', { content: 'a\0b' }],
    ['that violates a constraint', { deliveries: [{ route: 'sms', pages: 100_000 }], priority: 99_999 }],
  ])('of which one has a message %s: only that message fails', async (_, wish) => {
    const outcomes = await Promise.allSettled([
      charge(first(), saleOf(draftOf(wish))),
      charge(first(), saleOf(draftOf())),
      charge(second(), saleOf(draftOf())),
      charge(third(), saleOf(draftOf())),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
    for (const id of [first(), second(), third()]) {
      expect(await stateOf(id)).toEqual({ balance: CREDIT - PRICE, lines: 1, waiting: 1 })
    }
  })

  test('of which one has a locked balance: the others are charged meanwhile, and it is when the lock is released', async () => {
    let locked: Promise<unknown> = Promise.resolve()
    await transaction(database.db, async (tx) => {
      await tx`select 1 from balances where organisation_id = ${first()} for update`
      locked = charge(first(), saleOf(draftOf()))
      for (let round = 0; round < 3; round += 1) {
        await Promise.all(organisations.slice(1).map((id) => charge(id, saleOf(draftOf()))))
      }
      expect(await stateOf(first())).toEqual({ balance: CREDIT, lines: 0, waiting: 0 })
    })
    await locked
    expect(await stateOf(first())).toEqual({ balance: CREDIT - PRICE, lines: 1, waiting: 1 })
    // The first burst contained all organisations and left one out, which was then charged alone.
    expect(await writes()).toEqual([7, 7, 7, 1])
  })

  test('are charged although more balances are locked than there are connections for single organisations', async () => {
    const few = connectBeside(database.db, { connections: 2, plans: 'kept' })
    const own = chargeOn(few, database.db)
    const [locked, free] = [organisations.slice(0, 5), organisations.slice(5)]
    let waiting: Promise<unknown> = Promise.resolve()
    await transaction(database.db, async (tx) => {
      await tx`select 1 from balances where organisation_id = any (${locked}::uuid[]) for update`
      waiting = Promise.all(locked.map((id) => own(id, saleOf(draftOf()))))
      for (let round = 0; round < 3; round += 1) await Promise.all(free.map((id) => own(id, saleOf(draftOf()))))
    })
    await waiting
    for (const id of locked) expect(await stateOf(id)).toEqual({ balance: CREDIT - PRICE, lines: 1, waiting: 1 })
    await few.end()
  })

  test('are charged by two processes at the same time, in opposite orders', async () => {
    const other = connect(database.address, { connections: 4 })
    const processes = [charge, chargeOn(connectBeside(other, { connections: 4, plans: 'kept' }))]
    await Promise.all(
      processes.flatMap((own, n) =>
        Array.from({ length: 40 }, async () => {
          const order = n === 0 ? organisations : organisations.toReversed()
          for (const id of order) await own(id, saleOf(draftOf()))
        }),
      ),
    )
    for (const id of organisations)
      expect(await stateOf(id)).toMatchObject({ balance: CREDIT - 80n * PRICE, waiting: 80 })
    await other.end()
  })
})
