import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService, type Organisation } from '../support/service.ts'

type List = {
  messages: { id: string; recipients: string[]; external_ref?: string }[]
  meta: { method: string; resource: string; pagination: Record<string, string | number> & { query_id: string } }
}

let service: TestService
let by: Organisation
const ids: string[] = []

beforeAll(async () => {
  service = await openService({ workers: false })
  by = await service.organisation()
  for (let n = 0; n < 25; n += 1) {
    const body = {
      recipients: '08031234567,08051234567',
      content: `Number ${n}`,
      external_ref: n < 3 ? 'few' : `ref ${n}`,
    }
    ids.unshift((await by.call<{ id: string }>('POST', '/sms/send', body)).body.id)
  }
})
afterAll(() => service.close())

const list = (query: string, who: Organisation = by) => who.call<List>('GET', `/sms${query}`)

describe('GET /sms', () => {
  test('lists newest first, with the pagination of the seed', async () => {
    const { status, body } = await list('?limit=10')
    expect(status).toBe(200)
    expect(body.messages.map(({ id }) => id)).toEqual(ids.slice(0, 10))
    expect(body.messages[0]?.recipients).toEqual(['2348031234567', '2348051234567'])
    expect(body.meta).toEqual({
      method: 'GET',
      resource: '/sms',
      pagination: {
        next_page: 'True',
        prev_page: 'False',
        per_page: 10,
        count_total: 25,
        page_total: 3,
        page: 1,
        query_id: expect.any(String),
      },
    })
  })

  test('pages by number', async () => {
    const { body } = await list('?limit=10&page=3')
    expect(body.messages.map(({ id }) => id)).toEqual(ids.slice(20))
    expect(body.meta.pagination).toMatchObject({ next_page: 'False', prev_page: 'True', page: 3 })
  })

  test('pages by query_id, unaffected by new messages', async () => {
    const seen: string[] = []
    let query = '?limit=7'
    for (let page = 1; ; page += 1) {
      const { body } = await list(query)
      seen.push(...body.messages.map(({ id }) => id))
      expect(body.meta.pagination.page).toBe(page)
      if (body.meta.pagination.next_page === 'False') break
      await by.call('POST', '/sms/send', { recipients: '08031234567', content: 'In between' })
      query = `?limit=7&query_id=${body.meta.pagination.query_id}`
    }
    expect(seen).toEqual(ids)
  })

  test('filters by external_ref, and returns an empty list if there is none', async () => {
    const few = await list('?external_ref=few')
    expect(few.body.messages.map(({ id }) => id)).toEqual(ids.slice(-3))
    const none = await list('?external_ref=none')
    expect(none.body.messages).toEqual([])
    expect(none.body.meta.pagination).toMatchObject({ count_total: 0, page_total: 0, next_page: 'False' })
  })

  test('rejects invalid parameters', async () => {
    const { status, body } = await by.call<{ errors: object[] }>('GET', '/sms?limit=0&page=x')
    expect(status).toBe(400)
    expect(body.errors).toEqual([
      { field: 'limit', message: expect.any(String), type: 'greater_than_equal' },
      { field: 'page', message: expect.any(String), type: 'number_type' },
    ])
    for (const query of ['?limit=1001', '?external_ref=%00', '?query_id=nonsense', '?query_id=MiA%3D']) {
      expect((await list(query)).status).toBe(400)
    }
  })
})

describe('GET /sms/{id}', () => {
  test('returns the message as sent, with its deliveries', async () => {
    const { status, body } = await by.call('GET', `/sms/${ids[0]}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: ids[0],
      recipients: ['2348031234567', '2348051234567'],
      sender_id: 'Gangan',
      channel: 'sms',
      is_trackable: false,
      content: 'Number 24',
      external_ref: 'ref 24',
      created_datetime: expect.any(String),
      deliveries: ['2348031234567', '2348051234567'].map((recipient) => ({
        recipient,
        status: 'queued',
        pages: 1,
        charge: 4,
        refunded: false,
        created_datetime: expect.any(String),
      })),
      meta: { method: 'GET', resource: `/sms/${ids[0]}` },
    })
  })

  test('responds with 404 for unknown ids, other organisations and invalid ids', async () => {
    const other = await service.organisation()
    expect((await other.call('GET', `/sms/${ids[0]}`)).status).toBe(404)
    expect((await by.call('GET', '/sms/01a1dcf1-abbe-714f-91ca-12edd7567289')).status).toBe(404)
    expect((await by.call('GET', '/sms/nonsense')).status).toBe(404)
    expect((await list('', other)).body.messages).toEqual([])
  })
})

describe('GET /balance', () => {
  test('returns the balance and the ledger entries, newest first, paged', async () => {
    const one = await service.organisation({ credit: 100 })
    for (let n = 0; n < 3; n += 1) await one.call('POST', '/sms/send', { recipients: '08031234567', content: 'x' })
    type Account = { balance: number; entries: { id: string }[]; meta: List['meta'] }
    const first = await one.call<Account>('GET', '/balance?limit=3')
    expect(first.body).toMatchObject({
      balance: 88,
      currency: 'NGN',
      entries: [
        { id: '4', kind: 'message', amount: -4, balance_after: 88 },
        { id: '3', kind: 'message', amount: -4, balance_after: 92 },
        { id: '2', kind: 'message', amount: -4, balance_after: 96 },
      ],
      meta: { method: 'GET', resource: '/balance', pagination: { next_page: 'True', count_total: 4 } },
    })
    const next = await one.call<Account>('GET', `/balance?limit=3&query_id=${first.body.meta.pagination.query_id}`)
    expect(next.body.entries).toMatchObject([{ id: '1', kind: 'opening', amount: 100 }])
    expect(next.body.meta.pagination).toMatchObject({ next_page: 'False', prev_page: 'True', page: 2 })
    expect((await one.call<Account>('GET', '/balance?limit=3&page=2')).body.entries).toEqual(next.body.entries)
  })
})
