import { createHmac } from 'node:crypto'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'

let service: TestService
let receiver: Receiver

beforeAll(async () => {
  service = await openService()
  receiver = await startReceiver()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

test('a webhook in the form of Simpu is told and signed as its clients know it', async () => {
  const by = await service.organisation()
  const wish = { url: `${receiver.url}/events`, format: 'simpu' }
  const made = await by.call<{ id: string; secret: string; format: string }>('POST', '/webhooks', wish)
  expect(made.body.format).toBe('simpu')
  await by.call('POST', '/airtime/buy', { network: 'MTN', amount: 100, recipient: '08031234567' })
  await by.call('POST', '/sms/send', { recipients: '08031234567', content: 'Hello ₦', external_ref: 'order-7' })
  const posts = await receiver.wait(2)
  const bodies = posts.map(({ body }) => JSON.parse(body) as { type: string; data: { object: object } })
  expect(bodies.map(({ type }) => type).sort()).toEqual(['AIRTIME_SUCCESS', 'TEXT_DELIVERED'])
  const text = bodies.find(({ type }) => type === 'TEXT_DELIVERED')
  expect(text).toEqual({
    data: {
      object: expect.objectContaining({ recipient: '2348031234567', status: 'delivered', external_ref: 'order-7' }),
    },
    object: 'event',
    type: 'TEXT_DELIVERED',
    timestamp: expect.stringMatching(/^\d{4}-.*\+00:00$/),
  })
  for (const { body, headers } of posts) {
    const expected = createHmac('sha512', made.body.secret).update(body).digest('base64')
    expect(headers['x-simpu-webhook-signature']).toBe(expected)
    expect(() => new Verifier(made.body.secret).verify(body, headers as Record<string, string>)).not.toThrow()
  }
  const list = await by.call<{ webhooks: { format: string }[] }>('GET', '/webhooks')
  expect(list.body.webhooks[0]?.format).toBe('simpu')
})

test('only forms that are known can be asked for, and others go on as they were', async () => {
  const by = await service.organisation()
  const refused = await by.call('POST', '/webhooks', { url: `${receiver.url}/events`, format: 'klingon' })
  expect(refused.body).toMatchObject({ errors: [{ field: 'format', type: 'enum' }] })
  const made = await by.call<{ format?: string }>('POST', '/webhooks', { url: `${receiver.url}/plain` })
  expect(made.body.format).toBeUndefined()
  receiver.received.length = 0
  await by.call('POST', '/sms/send', { recipients: '08031234567', content: 'x' })
  const [post] = await receiver.wait(1)
  expect(post?.json.type).toBe('text.delivered')
  expect(post?.headers['x-simpu-webhook-signature']).toBeUndefined()
})
