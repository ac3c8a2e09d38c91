import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'

type Listed = { messages: object[]; purchases: object[] }

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

const get = (path: string) => service.call<Listed>('GET', path)

describe('an empty filter', () => {
  test('of external_ref or query_id is as good as none', async () => {
    const purchase = { network: 'MTN', amount: 100, recipient: '08031234567' }
    await service.call('POST', '/sms/send', { recipients: '08031234567', content: 'x', external_ref: 'mine' })
    await service.call('POST', '/airtime/buy', { ...purchase, external_ref: 'mine' })
    expect((await get('/sms?external_ref=&query_id=')).body.messages).toHaveLength(1)
    expect((await get('/sms?external_ref=other')).body.messages).toHaveLength(0)
    expect((await get('/airtime?external_ref=&query_id=')).body.purchases).toHaveLength(1)
    expect((await get('/airtime?external_ref=other')).body.purchases).toHaveLength(0)
  })
})
