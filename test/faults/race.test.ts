import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { caller, openService, type TestService } from '../support/service.ts'
import { everyDelivery } from '../support/every.ts'

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

const MESSAGE = { recipients: '08031234567', content: 'Hello' }
type Account = { balance: number; entries: { kind: string; amount: number; balance_after: number }[] }

describe('a balance', () => {
  test('for 50 allows exactly 50 of 200 concurrent sends, at two processes', async () => {
    const by = await service.organisation({ credit: 200 })
    const callOf = (n: number) => (n % 2 === 0 ? by.call : caller(second.url, by.key))
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => callOf(n)('POST', '/sms/send', MESSAGE)))
    const statuses = answers.map((answer) => answer.status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(50)
    expect(statuses.filter((status) => status === 402)).toHaveLength(150)
    const { body } = await by.call<Account>('GET', '/balance')
    expect(body.balance).toBe(0)
    const [charged] = await service.db`
      select sum(subjects)::integer as messages, sum(amount)::integer / 10000 as amount from ledger_lines
      where organisation_id = ${by.id} and kind = 'message'`
    expect(charged).toEqual({ messages: 50, amount: -200 })
    expect(body.entries.every(({ balance_after }) => balance_after >= 0)).toBe(true)
    const [row] = await service.db`
      select count(*)::integer as count from ${everyDelivery(service.db)} delivery where organisation_id = ${by.id}`
    expect(row?.count).toBe(50)
    expect(await auditMoney(service.db)).toEqual([])
  })

  test('allows a small request beside a large one that it does not cover', async () => {
    const by = await service.organisation({ credit: 40 })
    const large = { ...MESSAGE, recipients: Array.from({ length: 11 }, (_, n) => `080312345${n + 10}`) }
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => by.call('POST', '/sms/send', n % 2 === 0 ? large : MESSAGE)),
    )
    const passed = answers.filter(({ status }) => status === 200)
    expect(passed).toHaveLength(10)
    expect(answers.filter((_, n) => n % 2 === 0).every(({ status }) => status === 402)).toBe(true)
  })
})

describe('an Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'once' }

  test('returns the first response again, byte for byte', async () => {
    const by = await service.organisation()
    const first = await by.call('POST', '/sms/send', MESSAGE, headers)
    const again = await by.call('POST', '/sms/send', MESSAGE, headers)
    const elsewhere = await caller(second.url, by.key)('POST', '/sms/send', MESSAGE, headers)
    expect([first.status, again.status, elsewhere.status]).toEqual([200, 200, 200])
    expect(again.text).toBe(first.text)
    expect(elsewhere.text).toBe(first.text)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    const { body } = await by.call<Account>('GET', '/balance')
    expect(body.balance).toBe(996)
  })

  test('with another body is rejected', async () => {
    const by = await service.organisation()
    await by.call('POST', '/sms/send', MESSAGE, headers)
    const other = await by.call('POST', '/sms/send', { ...MESSAGE, content: 'Other' }, headers)
    expect(other.status).toBe(409)
    expect(other.body).toMatchObject({ status: 409 })
  })

  test('charges once for any number of concurrent requests, at two processes', async () => {
    const by = await service.organisation()
    const callOf = (n: number) => (n % 2 === 0 ? by.call : caller(second.url, by.key))
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => callOf(n)('POST', '/sms/send', MESSAGE, headers)),
    )
    const texts = new Set(answers.filter((answer) => answer.status === 200).map((answer) => answer.text))
    expect(texts.size).toBe(1)
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 409]))
    expect((await by.call<Account>('GET', '/balance')).body.balance).toBe(996)
  })

  test('is not used up by a request that was rejected', async () => {
    const by = await service.organisation({ credit: 3 })
    expect((await by.call('POST', '/sms/send', MESSAGE, headers)).status).toBe(402)
    expect((await by.call('POST', '/sms/send', { ...MESSAGE, recipients: 'x' }, headers)).status).toBe(400)
  })

  test('belongs to its organisation, and has 1 to 255 characters', async () => {
    const [one, other] = [await service.organisation(), await service.organisation()]
    const first = await one.call<{ id: string }>('POST', '/sms/send', MESSAGE, headers)
    const others = await other.call<{ id: string }>('POST', '/sms/send', MESSAGE, headers)
    expect(others.body.id).not.toBe(first.body.id)
    const long = await one.call('POST', '/sms/send', MESSAGE, { 'idempotency-key': 'x'.repeat(256) })
    expect(long.status).toBe(400)
    expect((await one.call('POST', '/sms/send', MESSAGE, { 'idempotency-key': 'x'.repeat(255) })).status).toBe(200)
  })
})
