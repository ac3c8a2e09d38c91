import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'

type Listed = { messages: object[]; purchases: object[]; errors: { field: string; type: string }[] }

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

const get = (path: string) => service.call<Listed>('GET', path)

describe('an empty filter', () => {
  test('of external_ref or query_id is ignored', async () => {
    const purchase = { network: 'MTN', amount: 100, recipient: '08031234567' }
    await service.call('POST', '/sms/send', { recipients: '08031234567', content: 'x', external_ref: 'mine' })
    await service.call('POST', '/airtime/buy', { ...purchase, external_ref: 'mine' })
    expect((await get('/sms?external_ref=&query_id=')).body.messages).toHaveLength(1)
    expect((await get('/sms?external_ref=other')).body.messages).toHaveLength(0)
    expect((await get('/airtime?external_ref=&query_id=')).body.purchases).toHaveLength(1)
    expect((await get('/airtime?external_ref=other')).body.purchases).toHaveLength(0)
  })
})

describe('all errors of a list query are returned in one response', () => {
  test.each(['/airtime', '/sms', '/templates', '/balance'])('%s', async (path) => {
    const { status, body } = await get(`${path}?limit=1001&page=0&query_id=zz`)
    expect(status).toBe(400)
    expect(body.errors.map(({ field, type }) => `${field} ${type}`).sort()).toEqual([
      'limit less_than_equal',
      'page greater_than_equal',
      'query_id invalid',
    ])
  })

  test('an empty query_id, or one of ours, is not among them', async () => {
    const { body } = await service.call<{ meta: { pagination: { query_id: string } } }>('GET', '/sms')
    for (const query_id of ['', '0', body.meta.pagination.query_id]) {
      expect((await get(`/sms?limit=0&query_id=${query_id}`)).body.errors).toMatchObject([{ field: 'limit' }])
    }
  })
})
