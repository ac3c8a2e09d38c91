import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { openCallbackSecrets } from '../../src/organisations/callback-secrets.ts'
import { caller, openService, type TestService, type Organisation } from '../support/service.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { secret_seal } from '../support/secret-seal.ts'
import { until } from '../support/until.ts'

type Delivery = { recipient: string; status: string; code?: string; charge: number; refunded: boolean }
type Message = { id: string; meta: { estimate: { charge: number } }; deliveries: Delivery[] }

const PHONE = '2348031234567'
const OTHER = '2348051234567'

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

async function send(by: Organisation, recipients: string, more: object = {}): Promise<Message> {
  const { status, body } = await by.call<Message>('POST', '/sms/send', { recipients, content: 'Hello', ...more })
  expect(status).toBe(200)
  return body
}

async function ended(by: Organisation, id: string): Promise<Delivery[]> {
  return until('the message to end', async () => {
    const { body } = await by.call<Message>('GET', `/sms/${id}`)
    return body.deliveries.every(({ status }) => !['queued', 'sent', 'scheduled'].includes(status)) && body.deliveries
  })
}

async function reply(by: Organisation, text: string, from = PHONE): Promise<void> {
  const answer = await by.call('POST', '/sandbox/reply', { from, to: 'Gangan', text })
  expect(answer.status).toBe(200)
}

const balanceOf = async (by: Organisation) => (await by.call<{ balance: number }>('GET', '/balance')).body.balance

describe('a person who answers STOP', () => {
  test('gets nothing more until they answer START', async () => {
    const by = await service.organisation()
    const before = await send(by, PHONE)
    expect(await ended(by, before.id)).toMatchObject([{ status: 'delivered' }])

    await reply(by, ' Stop! ')
    const blocked = await send(by, `${PHONE},${OTHER}`, { callback: receiver.url })
    expect(blocked.meta.estimate.charge).toBe(4)
    expect(await ended(by, blocked.id)).toMatchObject([
      { recipient: PHONE, status: 'rejected', code: 'opted_out', charge: 0, refunded: false },
      { recipient: OTHER, status: 'delivered', charge: 4 },
    ])
    const events = await receiver.wait(2)
    expect(events.find(({ json }) => json.type === 'text.rejected')?.json.data).toMatchObject({
      recipient: PHONE,
      code: 'opted_out',
      charge: 0,
    })
    expect(await balanceOf(by)).toBe(992)

    await reply(by, 'START')
    const after = await send(by, PHONE)
    expect(await ended(by, after.id)).toMatchObject([{ status: 'delivered' }])
  })

  test('is opted out of that organisation only, which lookups show', async () => {
    const [by, another] = [await service.organisation(), await service.organisation()]
    await reply(by, 'UNSUBSCRIBE')
    const message = await send(another, PHONE)
    expect(await ended(another, message.id)).toMatchObject([{ status: 'delivered' }])
    const dnd = async (who: Organisation) =>
      (await who.call<{ dnd: boolean }>('GET', `/lookup/phone?phone=${PHONE}`)).body.dnd
    expect([await dnd(by), await dnd(another)]).toEqual([true, false])
  })

  test('still gets a one-time password that they requested', async () => {
    const by = await service.organisation()
    await reply(by, 'STOP')
    expect((await by.call('POST', '/otp/request_token', { recipient: PHONE })).status).toBe(200)
    await until('the password', async () => {
      const { body } = await by.call<{ messages: object[] }>('GET', `/sandbox/messages?recipient=${PHONE}`)
      return body.messages.length === 1
    })
  })

  test('does not get messages accepted before and not sent yet', async () => {
    const by = await service.organisation()
    const send_at = new Date(Date.now() + 1_500).toISOString()
    const message = await send(by, `${PHONE},${OTHER}`, { send_at })
    await reply(by, 'STOP')
    expect(await ended(by, message.id)).toMatchObject([
      { recipient: PHONE, status: 'rejected', code: 'opted_out', charge: 4, refunded: true },
      { recipient: OTHER, status: 'delivered' },
    ])
    expect(await balanceOf(by)).toBe(996)
  })
})

describe('between the response to STOP and the next message', () => {
  test('there is no gap, on the same process or another', async () => {
    const second = await openService({ beside: service, workers: false })
    for (let round = 0; round < 10; round += 1) {
      const by = await service.organisation()
      const elsewhere = caller(second.url, by.key)
      // Both processes have just authenticated a call, and cache that the organisation has no opt-outs.
      await Promise.all([by.call('GET', '/balance'), elsewhere('GET', '/balance')])
      await reply(by, 'STOP')
      const body = { recipients: PHONE, content: 'Hello' }
      const [here, there] = await Promise.all([
        by.call<Message>('POST', '/sms/send', body),
        elsewhere<Message>('POST', '/sms/send', body),
      ])
      expect(here.body.meta.estimate.charge).toBe(0)
      const ends = [await ended(by, here.body.id), await ended(by, there.body.id)].flat()
      expect(ends.map(({ status, code }) => `${status} ${code}`)).toEqual(Array(2).fill('rejected opted_out'))
      expect(await balanceOf(by)).toBe(1_000)
    }
    await second.close()
  })
})

describe('a text', () => {
  test('is stored, and posted to the inbound URL once, signed', async () => {
    const by = await service.organisation()
    await by.call('PATCH', '/settings', { inbound_url: `${receiver.url}/texts` })
    await reply(by, 'What do you sell?')
    const one = await until('the post', () => receiver.received.find(({ path }) => path === '/texts'))
    expect(one.json).toMatchObject({
      type: 'text.received',
      data: { from: PHONE, to: 'Gangan', channel: 'sms', text: 'What do you sell?' },
    })
    const [secret = ''] = await openCallbackSecrets({ db: service.db, secret_seal }, by.id)
    expect(new Webhook(secret).verify(one.body, one.headers as Record<string, string>)).toEqual(one.json)
    const { body } = await by.call<{ inbound: object[] }>('GET', '/inbound')
    expect(body.inbound).toEqual([one.json.data])
  })
})
