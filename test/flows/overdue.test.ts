import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readBalance } from '../../src/billing/store.ts'
import { deleteExpiredSubmissions, startOverdue, sweepOverdue } from '../../src/messaging/settle/overdue.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { storeMessage } from '../support/message.ts'
import { foundOrganisation } from '../support/organisation.ts'
import { makeSettler } from '../support/settling.ts'
import { until } from '../support/until.ts'

const ONE = '2348031234567'

let database: TestDatabase
let us: string

beforeAll(async () => {
  database = await freshDatabase()
  us = await organisation()
})
afterAll(() => database.drop())

const organisation = () => foundOrganisation(database.db, 100_0000n)

beforeEach(async () => {
  await database.db`delete from submissions`
  await database.db`delete from sweeps`
})

/** A submitted message whose report was due the given number of seconds ago. */
async function sent(overdue_s: number, by: string = us): Promise<string> {
  const id = await storeMessage(database.db, by, { status: 'sent', callback: 'https://receiver.example/reports' })
  await handOver(id, overdue_s, by)
  return id
}

async function handOver(id: string, overdue_s: number, by: string = us, times = 1): Promise<void> {
  await database.db`
    insert into submissions (carrier, carrier_message_id, organisation_id, message_id, recipient, report_due)
    select 'line', ${id} || n, ${by}, ${id}, ${ONE}, now() - (${overdue_s} + n * 0.001) * interval '1 s'
    from generate_series(1, ${times}::integer) n`
}

async function stateOf(id: string) {
  const [row] = await database.db<
    { status: string; code: string | null; description: string | null; refunded: boolean }[]
  >`
    select status, code, description, refunded from deliveries where message_id = ${id}`
  return row
}
const statusOf = async (id: string) => (await stateOf(id))?.status

describe('a delivery without a report', () => {
  test('is unknown once its report is overdue, without a callback or a refund', async () => {
    const by = await organisation()
    const [overdue, waiting] = [await sent(1, by), await sent(-60, by)]
    const { deps, counted } = makeSettler(database.db)
    await sweepOverdue(deps)
    expect(await stateOf(overdue)).toEqual({
      status: 'unknown',
      code: null,
      description: 'the carrier never reported',
      refunded: false,
    })
    expect(await statusOf(waiting)).toBe('sent')
    expect(await counted()).toEqual({ unknown: 1 })
    expect(await database.db`select 1 from callbacks where subject_id = ${overdue}`).toHaveLength(0)
    expect((await readBalance(database.db, by)).balance).toBe(100_0000n)
  })

  test('belongs to its organisation, and one with a report is unchanged', async () => {
    const other = await organisation()
    const [here, there, reported, queued] = [await sent(4), await sent(3, other), await sent(2), await sent(1)]
    await database.db`update deliveries set status = 'undelivered' where message_id = ${reported}`
    // Submitted, but the carrier requested a retry.
    await database.db`update deliveries set status = 'queued' where message_id = ${queued}`
    const { deps, seen } = makeSettler(database.db)
    await sweepOverdue(deps)
    expect(await Promise.all([here, there, reported, queued].map(statusOf))).toEqual([
      'unknown',
      'unknown',
      'undelivered',
      'queued',
    ])
    const moved = seen.settled.flatMap(({ organisation_id, changed }) => changed.map(() => organisation_id))
    expect(moved.sort()).toEqual([us, other].sort())
  })

  test('is processed once', async () => {
    const first = await sent(2)
    const { deps } = makeSettler(database.db)
    await sweepOverdue(deps)
    await database.db`update deliveries set status = 'sent' where message_id = ${first}`
    const second = await sent(1)
    await sweepOverdue(deps)
    await sweepOverdue(deps)
    expect([await statusOf(first), await statusOf(second)]).toEqual(['sent', 'unknown'])
  })

  test('is found behind a thousand others', async () => {
    const [first, last] = [await sent(100), await sent(1)]
    await handOver(first, 100, us, 999)
    await sweepOverdue(makeSettler(database.db).deps)
    expect([await statusOf(first), await statusOf(last)]).toEqual(['unknown', 'unknown'])
  })

  test('may be absent: then nothing is stored', async () => {
    await sent(-60)
    await sweepOverdue(makeSettler(database.db).deps)
    expect(await database.db`select 1 from sweeps`).toHaveLength(0)
  })
})

describe('the sweep', () => {
  test('runs every five seconds, survives an error, and ends when it is stopped', async () => {
    const id = await sent(1)
    const fault = new Error('not now')
    let faulty = true
    const onChanged = async () => {
      if (faulty) throw fault
    }
    const warned: unknown[] = []
    const log = { info: () => {}, error: () => {}, warn: (...given: unknown[]) => void warned.push(given) }
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const overdue = startOverdue({ ...makeSettler(database.db, { onChanged }).deps, log })
    vi.advanceTimersByTime(4_999)
    expect(warned).toEqual([])
    vi.advanceTimersByTime(1)
    await until('the error to be logged', () => warned.length > 0)
    expect(warned).toEqual([[{ err: fault }, 'the sweep of overdue reports failed']])
    expect(await statusOf(id)).toBe('sent')
    faulty = false
    vi.advanceTimersByTime(5_000)
    await overdue.stop() // Waits for the sweep in progress.
    expect(await statusOf(id)).toBe('unknown')
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('submissions are deleted three days after their report was due', async () => {
  const old = await sent(72 * 3_600 - 60)
  await sent(72 * 3_600 + 60)
  expect(await deleteExpiredSubmissions({ db: database.db })).toBe(1)
  const left = await database.db<{ message_id: string }[]>`select message_id from submissions`
  expect(left.map(({ message_id }) => message_id)).toEqual([old])
})
