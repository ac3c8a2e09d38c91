import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { topUp } from '../../src/billing/balance.ts'
import { findImbalances, refundLines } from '../../src/billing/store.ts'
import type { Db, Tx } from '../../src/db/connect.ts'
import { transaction } from '../../src/db/transaction.ts'
import { newId } from '../../src/values/id.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
/** On a cluster triggers cannot guard the ledger: the functions do, and the audit verifies it. */
const on_cluster = inject('cluster') !== undefined

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

type Line = { organisation_id: string; sequence: number; amount: number; balance_after: number }
type Balance = { organisation_id: string; sequence: number; balance: number }

/** Changes balances and adds lines in one statement, as they are. */
async function write(lines: readonly Line[], balances: readonly Balance[], sql: Db | Tx = service.db): Promise<void> {
  await sql`
    with changed as (
      update balances set sequence = given.sequence, balance = given.balance
      from json_to_recordset(${JSON.stringify(balances)}::json)
        as given (organisation_id uuid, sequence bigint, balance bigint)
      where balances.organisation_id = given.organisation_id
    )
    insert into ledger_lines (organisation_id, sequence, kind, amount, balance_after, subject_id)
    select organisation_id, sequence, 'top_up', amount, balance_after, gen_random_uuid()
    from json_to_recordset(${JSON.stringify(lines)}::json)
      as given (organisation_id uuid, sequence bigint, amount bigint, balance_after bigint)`
}

describe('the database', () => {
  test.skipIf(on_cluster)('prevents changes and deletions of ledger entries', async () => {
    const { db } = service
    const never = 'ledger lines are never changed or removed'
    await expect(db`update ledger_lines set amount = 1`).rejects.toThrow(never)
    await expect(db`delete from ledger_lines`).rejects.toThrow(never)
    await expect(db.unsafe('truncate ledger_lines')).rejects.toThrow(never)
  })

  test.skipIf(on_cluster)('prevents a change of a balance without its entry', async () => {
    const by = await service.organisation({ credit: 10 })
    const change = service.db`update balances set balance = balance + 1 where organisation_id = ${by.id}`
    await expect(change).rejects.toThrow('a balance was changed without its ledger line')
  })

  test.skipIf(on_cluster)('accepts lines of several organisations in one statement, several of each', async () => {
    const [one, other] = [await service.organisation({ credit: 10 }), await service.organisation({ credit: 20 })]
    const added = [
      { organisation_id: other.id, sequence: 3, amount: -10, balance_after: 199_985 },
      { organisation_id: one.id, sequence: 2, amount: 7, balance_after: 100_007 },
      { organisation_id: other.id, sequence: 2, amount: -5, balance_after: 199_995 },
    ]
    await write(added, [
      { organisation_id: one.id, sequence: 2, balance: 100_007 },
      { organisation_id: other.id, sequence: 3, balance: 199_985 },
    ])
    expect(await findImbalances(service.db)).toEqual([])
  })

  describe.skipIf(on_cluster)('refuses a ledger line', () => {
    const broken = 'a ledger line does not continue the one before it'
    const alone = 'a ledger line was written without its balance'
    const unmatched = 'a balance was changed without its ledger line'
    /** Sequence, amount and balance after each new line of an organisation that has one line, of 100,000. */
    test.each<[string, [number, number, number][], [sequence: number, balance: number], string]>([
      ['whose balance is not the sum', [[2, 1, 5]], [2, 5], broken],
      ['that leaves out a number', [[3, 1, 100_001]], [3, 100_001], broken],
      ['whose balance was not changed', [[2, 1, 100_001]], [1, 100_000], alone],
      ['whose balance is another', [[2, 1, 100_001]], [2, 100_002], unmatched],
      ['that is older than its balance', [[2, 1, 100_001]], [3, 100_001], unmatched],
      [
        'that is newer than its balance',
        [
          [2, 1, 100_001],
          [3, 1, 100_002],
        ],
        [2, 100_001],
        alone,
      ],
      [
        'that does not continue one of the same statement',
        [
          [2, 1, 100_001],
          [3, 1, 100_005],
        ],
        [3, 100_005],
        broken,
      ],
      [
        'that leaves out a number within a statement',
        [
          [2, 1, 100_001],
          [4, 1, 100_002],
        ],
        [4, 100_002],
        broken,
      ],
    ])('%s', async (_, lines, [sequence, balance], fault) => {
      const [one, other] = [await service.organisation({ credit: 10 }), await service.organisation({ credit: 10 })]
      const added = lines.map(([number, amount, balance_after]) => {
        return { organisation_id: one.id, sequence: number, amount, balance_after }
      })
      const changed = { organisation_id: one.id, sequence, balance }
      await expect(write(added, [changed])).rejects.toThrow(fault)
      // The lines of another organisation do not hide it, whichever is first.
      const right = { organisation_id: other.id, sequence: 2, amount: 1, balance_after: 100_001 }
      const changes = [changed, { organisation_id: other.id, sequence: 2, balance: 100_001 }]
      await expect(write([...added, right], changes)).rejects.toThrow(fault)
      await expect(write([right, ...added], changes)).rejects.toThrow(fault)
    })

    test('that is the first and does not begin at zero', async () => {
      const { id: organisation_id } = await service.organisation({ credit: 0 })
      const [own] = await service.db`select sequence from balances where organisation_id = ${organisation_id}`
      expect(own).toEqual({ sequence: 0n })
      const line = { organisation_id, sequence: 1, amount: 5 }
      const change = { organisation_id, sequence: 1 }
      await expect(write([{ ...line, balance_after: 6 }], [{ ...change, balance: 6 }])).rejects.toThrow(broken)
      await write([{ ...line, balance_after: 5 }], [{ ...change, balance: 5 }])
    })

    test('of an organisation without a balance', async () => {
      const line = { organisation_id: newId(), sequence: 1, amount: 5, balance_after: 5 }
      await expect(write([line], [])).rejects.toThrow(alone)
    })
  })

  test.skipIf(on_cluster)('checks a line by its key, also with a plan made while there were few', async () => {
    for (const plans of ['force_generic_plan', 'force_custom_plan']) {
      const { id: organisation_id } = await service.organisation({ credit: 10 })
      const lines_read = await transaction(service.db, async (tx) => {
        const add = (first: number, count: number) => {
          const lines = Array.from({ length: count }, (_, n) => {
            return { organisation_id, sequence: first + n, amount: 1, balance_after: 100_000 + first - 1 + n }
          })
          const { sequence = 0, balance_after: balance = 0 } = lines.at(-1) ?? {}
          return write(lines, [{ organisation_id, sequence, balance }], tx)
        }
        await tx.unsafe(`set local plan_cache_mode = ${plans}; analyze ledger_lines; analyze balances`)
        await add(2, 1)
        await add(3, 1_000)
        await add(1_003, 1)
        await tx.unsafe('set constraints all immediate')
        const [row] = await tx<{ read: bigint }[]>`
          select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'ledger_lines'`
        return Number(row?.read)
      })
      expect(lines_read).toBeLessThan(10_000) // not a thousand for each of a thousand
    }
  })

  test('prevents a negative balance', async () => {
    const by = await service.organisation({ credit: 10 })
    await expect(topUp({ db: service.db }, by.id, -100_001n)).rejects.toMatchObject({ code: '23514' })
    expect(await topUp({ db: service.db }, by.id, -100_000n)).toBe(0n)
  })

  test('refunds a subject once, also concurrently', async () => {
    const by = await service.organisation({ credit: 10 })
    const refund = { subject_id: newId(), subject_key: '2348031234567', amount: 40_000n }
    const tries = await Promise.allSettled(
      Array.from({ length: 100 }, () => transaction(service.db, (tx) => refundLines(tx, by.id, [refund]))),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { body } = await by.call<{ balance: number }>('GET', '/balance')
    expect(body.balance).toBe(14)
    expect(await findImbalances(service.db)).toEqual([])
  })
})
