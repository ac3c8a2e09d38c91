import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../src/db/connect.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { settle, type SettleDeps } from '../../src/messaging/settle/settle.ts'
import { makeMeters } from '../../src/observe/meters.ts'
import { caller, openService, type TestService } from '../support/service.ts'
import { emptyIntake } from '../support/intake.ts'
import { count, note } from './scale.ts'

const CONNECTIONS = 50
const DEBITS = 2_000
const FUNDS_FOR = 1_000
const PRICE = 4

let service: TestService
let second: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
  second = await openService({ workers: false, beside: service })
})
afterAll(async () => {
  await second.close()
  await service.close()
})

/**
 * Tries to charge the whole balance many times over, on many connections concurrently; counts the successful charges.
 */
async function rushFor(debit: (n: number) => Promise<boolean>): Promise<number> {
  let next = 0
  let granted = 0
  const client = async (): Promise<void> => {
    while (next < DEBITS) {
      next += 1
      if (await debit(next)) granted += 1
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  return granted
}

describe('no overspend', () => {
  test('of 2,000 debits over 50 connections, with funds for 1,000, exactly 1,000 are granted', async () => {
    const by = await service.organisation({ credit: FUNDS_FOR * PRICE })
    const processes = [by.call, caller(second.url, by.key)]
    const granted = await rushFor(async (n) => {
      const body = { recipients: '08031234567', content: `Message ${n}` }
      const answer = await (processes[n % 2] ?? by.call)('POST', '/sms/send', body)
      expect([200, 402]).toContain(answer.status)
      return answer.status === 200
    })
    expect(granted).toBe(FUNDS_FOR)
    const { body } = await by.call<{ balance: number }>('GET', '/balance')
    expect(body.balance).toBe(0)
    expect(await auditMoney(service.db)).toEqual([])
    note({
      promise: 'no overspend',
      figure: `${count(DEBITS)} debits over ${CONNECTIONS} connections and two processes, funds for ${count(FUNDS_FOR)}: ${count(granted)} granted, balance ${body.balance}`,
      goal: `${count(FUNDS_FOR)} granted, balance 0`,
      met: granted === FUNDS_FOR && body.balance === 0,
    })
  })

  test('the same race detects the error of an implementation that reads, then writes', async () => {
    const db = connect(service.database.address, { connections: CONNECTIONS })
    await db.unsafe(`create table naive_purse (balance integer); insert into naive_purse values (${FUNDS_FOR * PRICE})`)
    const granted = await rushFor(async () => {
      const [purse] = await db<{ balance: number }[]>`select balance from naive_purse`
      if (!purse || purse.balance < PRICE) return false
      await db`update naive_purse set balance = ${purse.balance - PRICE}`
      return true
    })
    await db.end()
    expect(granted).toBeGreaterThan(FUNDS_FOR)
  })
})

const nothing = { wake() {}, onWake: () => () => {}, close: async () => {} }

/** Settles in this process, like a worker. */
function settler(of: TestService): SettleDeps {
  return {
    db: of.db,
    wakeups: nothing,
    meters: makeMeters(),
    onChanged: async () => {},
    onSettled: () => {},
    noteFacts: async () => {},
  }
}

describe('refund once', () => {
  test('500 deliveries that fail twice concurrently are refunded 500 times', async () => {
    const by = await service.organisation({ credit: 500 * PRICE })
    const recipients = Array.from({ length: 500 }, (_, n) => `234803${String(n).padStart(7, '0')}`)
    const sent = await by.call<{ id: string }>('POST', '/sms/send', { recipients, content: 'Hello' })
    expect(sent.status).toBe(200)
    await emptyIntake(service.db, by.id)
    const changes = recipients.map((recipient) => ({
      message_id: sent.body.id,
      recipient,
      status: 'rejected' as const,
      code: '00a',
      description: null,
    }))
    // Every delivery is in two batches of different composition.
    const there = chunks(changes, 10)
    const back = chunks([...changes].reverse(), 7)
    const batches = back.flatMap((batch, n) => [batch, ...(there[n] ? [there[n]] : [])])
    let next = 0
    const moved: unknown[] = []
    const worker = async (deps: SettleDeps): Promise<void> => {
      for (let batch = batches[next++]; batch; batch = batches[next++]) {
        moved.push(...(await settle(deps, by.id, batch, async () => {})))
      }
    }
    await Promise.all(Array.from({ length: 16 }, (_, n) => worker(settler(n % 2 === 0 ? service : second))))
    expect(moved).toHaveLength(500)
    const [row] = await service.db<{ refunds: number }[]>`
      select count(*)::integer as refunds from ledger_lines where organisation_id = ${by.id} and kind = 'refund'`
    expect(row?.refunds).toBe(500)
    expect((await by.call<{ balance: number }>('GET', '/balance')).body.balance).toBe(500 * PRICE)
    expect(await auditMoney(service.db)).toEqual([])
    note({
      promise: 'refund once',
      figure: `500 deliveries rejected twice concurrently: ${moved.length} moved, ${row?.refunds} refunds; 100 racers for one refund: 1 winner`,
      goal: '500 / 500, 1 winner',
      met: row?.refunds === 500,
    })
  })

  test('100 concurrent refunds of one delivery: one succeeds', async () => {
    const by = await service.organisation()
    const sent = await by.call<{ id: string }>('POST', '/sms/send', { recipients: '08031234567', content: 'Hello' })
    await emptyIntake(service.db, by.id)
    const change = {
      message_id: sent.body.id,
      recipient: '2348031234567',
      status: 'failed' as const,
      code: null,
      description: null,
    }
    const moved = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        settle(settler(n % 2 === 0 ? service : second), by.id, [change], async () => {}),
      ),
    )
    expect(moved.flat()).toHaveLength(1)
    expect((await by.call<{ balance: number }>('GET', '/balance')).body.balance).toBe(1_000)
  })

  test('a transaction that fails after the refund rolls it back', async () => {
    const by = await service.organisation()
    const sent = await by.call<{ id: string }>('POST', '/sms/send', { recipients: '08031234567', content: 'Hello' })
    await emptyIntake(service.db, by.id)
    const change = {
      message_id: sent.body.id,
      recipient: '2348031234567',
      status: 'failed' as const,
      code: null,
      description: null,
    }
    const dies = settle(settler(service), by.id, [change], async () => {
      throw new Error('the transaction fails')
    })
    await expect(dies).rejects.toThrow('the transaction fails')
    expect((await by.call<{ balance: number }>('GET', '/balance')).body.balance).toBe(996)
    const [row] = await service.db`select status from deliveries where message_id = ${sent.body.id}`
    expect(row).toEqual({ status: 'queued' })
    expect(await settle(settler(service), by.id, [change], async () => {})).toHaveLength(1)
  })
})

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
}
