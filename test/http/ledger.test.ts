import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { topUp } from '../../src/billing/balance.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

type Line = { id: string; kind: string; amount: number; balance_after: number; subject_id: string }
type Account = {
  balance: number
  opening_balance?: number
  closing_balance?: number
  entries: Line[]
  meta: { pagination: { count_total: number; next_page: string; query_id: string } }
}
type Costs = {
  messages: { id: string; charge: number; refunded: number; net: number }[]
  meta: { pagination: { query_id?: string } }
}

const REJECTED = '2348000000003'

let service: TestService
let by: Organisation
let sent: string[]

/** An opening balance and an old top-up, three messages of which one is partly refunded, airtime and a lookup. */
beforeAll(async () => {
  service = await openService()
  by = await service.organisation({ credit: 1_000 })
  await topUp(service, by.id, 500_0000n)
  for (const sequence of [1, 2]) {
    await unguarded(
      `update ledger_lines set created_datetime = '2026-01-0${sequence}T12:00:00Z'
       where organisation_id = '${by.id}' and sequence = ${sequence}`,
    )
  }
  const send = async (recipients: string, external_ref: string) =>
    (await by.call<{ id: string }>('POST', '/sms/send', { recipients, content: 'Hello', external_ref })).body.id
  sent = [await send('08031234567', 'a'), await send(`08031234567,${REJECTED}`, 'b'), await send('08051234567', 'a')]
  await by.call('POST', '/airtime/buy', { network: 'MTN', amount: 100, recipient: '08031234567', external_ref: 'b' })
  await until('the refund', async () => (await read('?kind=refund')).entries.length === 1)
})
afterAll(() => service.close())

/** Times of ledger entries can only be changed without the triggers; on a cluster there are none. */
async function unguarded(statement: string): Promise<void> {
  if (service.db.distributed) {
    await service.db.unsafe(statement)
    return
  }
  await service.db.unsafe(`
    begin; alter table ledger_lines disable trigger ledger_lines_keep_their_money; ${statement};
    alter table ledger_lines enable trigger ledger_lines_keep_their_money; commit`)
}

const read = async (query = '') => (await by.call<Account>('GET', `/balance${query}`)).body
const kinds = async (query: string) => (await read(query)).entries.map(({ kind }) => kind)

describe('the ledger', () => {
  test('is filtered by kind, with counts', async () => {
    expect(await kinds('?kind=message')).toEqual(['message', 'message', 'message'])
    expect(await kinds('?kind=opening')).toEqual(['opening'])
    expect(await kinds('?kind=airtime')).toEqual(['airtime'])
    expect((await read('?kind=message&limit=1')).meta.pagination).toMatchObject({ count_total: 3, next_page: 'True' })
    const walked: string[] = []
    for (let query = '?kind=message&limit=2'; query !== '';) {
      const { entries, meta } = await read(query)
      walked.push(...entries.map(({ subject_id }) => subject_id))
      query = meta.pagination.next_page === 'True' ? `?kind=message&limit=2&query_id=${meta.pagination.query_id}` : ''
    }
    expect(walked).toEqual(sent.toReversed())
    expect((await read('?kind=message&limit=1&page=2')).entries[0]?.subject_id).toBe(sent[1])
    expect((await by.call('GET', '/balance?kind=gift')).status).toBe(400)
  })

  test('of a period has the balances before and after it', async () => {
    expect(await read('?from=2026-01-01&until=2026-01-01')).toMatchObject({
      opening_balance: 0,
      closing_balance: 1_000,
    })
    expect(await kinds('?from=2026-01-01&until=2026-01-01')).toEqual(['opening'])
    expect(await read('?from=2026-01-02&until=2026-01-02T12:00:00Z')).toMatchObject({
      opening_balance: 1_000,
      closing_balance: 1_500,
    })
    expect(await read('?until=2025-12-31')).toMatchObject({ opening_balance: 0, closing_balance: 0, entries: [] })
    const since = await read('?from=2026-01-03')
    expect(since).toMatchObject({ opening_balance: 1_500, closing_balance: since.balance })
    const change = since.entries.reduce((sum, { amount }) => sum + amount, 0)
    expect(1_500 + change).toBeCloseTo(since.balance, 4)
    expect(since.meta.pagination.count_total).toBe(since.entries.length)
    expect(await read()).not.toHaveProperty('opening_balance')
    for (const query of ['?from=x', '?until=2026-13-01', '?until=9999-12-31T23:59:59-23:59', '?from=0000-01-01'])
      expect((await by.call('GET', `/balance${query}`)).status).toBe(400)
  })

  test('is filtered by message, and by reference', async () => {
    expect((await read(`?subject_id=${sent[1]}`)).entries.map(({ kind }) => kind)).toEqual(['refund', 'message'])
    expect(await kinds('?external_ref=a')).toEqual(['message', 'message'])
    expect((await kinds('?external_ref=b')).sort()).toEqual(['airtime', 'message', 'refund'])
    expect(await kinds('?external_ref=b&kind=refund')).toEqual(['refund'])
    expect(await kinds('?external_ref=c')).toEqual([])
    expect(await kinds('?subject_id=x')).toEqual([])
    const another = await service.organisation()
    expect((await another.call<Account>('GET', `/balance?subject_id=${sent[1]}`)).body.entries).toEqual([])
  })

  test('includes a message that was charged together with others', async () => {
    const many = await service.organisation({ credit: 1_000 })
    const send = () => many.call<{ id: string }>('POST', '/sms/send', { recipients: '08031234567', content: 'Hello' })
    const ids = (await Promise.all(Array.from({ length: 30 }, send))).map(({ body }) => body.id)
    const { body: all } = await many.call<Account>('GET', '/balance?kind=message')
    expect(all.entries.length).toBeLessThan(30)
    for (const id of ids.slice(0, 5)) {
      const { body } = await many.call<Account>('GET', `/balance?subject_id=${id}`)
      expect(body.entries).toHaveLength(1)
    }
  })

  test('is downloaded as listed', async () => {
    const { text, headers } = await by.call('GET', '/balance.csv')
    expect(headers.get('content-type')).toContain('text/csv')
    const lines = text.trim().split('\r\n')
    const all = await read('?limit=1000')
    expect(lines).toHaveLength(all.entries.length + 1)
    expect(lines[1]).toContain(all.entries[0]?.subject_id)
    expect((await by.call('GET', '/balance.csv?kind=top_up')).text.trim().split('\r\n')).toHaveLength(2)
    expect((await by.call('GET', '/balance.csv?from=x')).status).toBe(400)
    expect((await by.call('GET', '/balance.csv?until=9999-12-31T23:59:59-23:59')).status).toBe(400)
  })
})

describe('the costs per message', () => {
  test('are one line each: charge, refund and net', async () => {
    const { body } = await by.call<Costs>('GET', '/balance/messages')
    expect(body.messages.map(({ id, charge, refunded, net }) => ({ id, charge, refunded, net }))).toEqual([
      { id: sent[2], charge: 4, refunded: 0, net: 4 },
      { id: sent[1], charge: 8, refunded: 4, net: 4 },
      { id: sent[0], charge: 4, refunded: 0, net: 4 },
    ])
    const first = await by.call<Costs>('GET', '/balance/messages?limit=1')
    const next = await by.call<Costs>(
      'GET',
      `/balance/messages?limit=5&query_id=${first.body.meta.pagination.query_id}`,
    )
    expect(next.body.messages.map(({ id }) => id)).toEqual([sent[1], sent[0]])
    const of_b = await by.call<Costs>('GET', '/balance/messages?external_ref=b')
    expect(of_b.body.messages.map(({ id }) => id)).toEqual([sent[1]])
    expect((await by.call<Costs>('GET', '/balance/messages?until=2026-01-01')).body.messages).toEqual([])
    expect((await by.call('GET', '/balance/messages?query_id=x')).status).toBe(400)
  })

  test('can be downloaded', async () => {
    const { text } = await by.call('GET', '/balance/messages.csv')
    const lines = text.trim().split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[2]).toMatch(new RegExp(`^${sent[1]},.*,b,2,8,4,4$`))
  })
})
