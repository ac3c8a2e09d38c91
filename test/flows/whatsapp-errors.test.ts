import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { failure, postWebhook, startMetaServer, webhookBody, type MetaServer } from '../support/meta-server.ts'
import { balance } from '../support/otp.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const CREDIT = 100

let meta: MetaServer
let service: TestService
let by: Organisation

beforeAll(async () => {
  meta = await startMetaServer()
  service = await openService({
    settings: {
      carriers: [{ kind: 'simulator', name: 'simulator', report_delay_ms: 20 }, meta.settings()],
      routes: [
        { name: 'sms', channel: 'sms', carrier: 'simulator' },
        { name: 'whatsapp', channel: 'whatsapp', carrier: 'meta' },
      ],
    },
    config: { sandbox: true },
  })
})
afterAll(async () => {
  await service.close()
  await meta.close()
})
beforeEach(async () => {
  by = await service.organisation({ credit: CREDIT })
  meta.mood = 'take'
  meta.taken.length = 0
  await service.db`delete from carrier_pauses`
})

let next_number = 2_348_031_000_000
/** A person who has just written, so that free text may be sent. */
async function person(): Promise<string> {
  const recipient = String((next_number += 1))
  await service.db`
    insert into whatsapp_users (carrier, recipient, received_datetime) values ('meta', ${recipient}, now())`
  return recipient
}

async function send(recipient: string, channel = 'whatsapp'): Promise<string> {
  const answer = await by.call<{ id: string }>('POST', '/sms/send', {
    recipients: recipient,
    content: 'Hello',
    channel,
  })
  expect(answer.status).toBe(200)
  return answer.body.id
}

type Delivery = { status: string; code?: string; charge: number; refunded: boolean }
const ended = (id: string, status: string) =>
  until(status, async () => {
    const { body } = await by.call<{ deliveries: Delivery[] }>('GET', `/sms/${id}`)
    return body.deliveries[0]?.status === status && body.deliveries[0]
  })
const postStatuses = (...statuses: object[]) => postWebhook(service, webhookBody([{ statuses }]))
const optoutsOf = async (organisation: Organisation) =>
  (await organisation.call<{ optouts: { recipient: string; source: string }[] }>('GET', '/optouts')).body.optouts

describe('a person who stopped marketing messages (131050)', () => {
  test('has opted out when Meta rejects the message', async () => {
    const other = await service.organisation()
    meta.mood = { code: 131050 }
    const recipient = await person()
    const id = await send(recipient)
    expect(await ended(id, 'rejected')).toMatchObject({ code: '131050', refunded: true })
    expect(await optoutsOf(by)).toMatchObject([{ recipient, source: 'carrier' }])
    expect(await optoutsOf(other)).toEqual([])
    meta.mood = 'take'
    const next = await send(recipient)
    expect(await ended(next, 'rejected')).toMatchObject({ code: 'opted_out', charge: 0 })
    expect(meta.taken).toHaveLength(0)
    expect(await balance(by)).toBe(CREDIT)
  })

  test('has opted out when the message fails later, once, for the organisation that sent it', async () => {
    const other = await service.organisation()
    const recipient = await person()
    const id = await send(recipient)
    const [message] = await until('it to be accepted', () => meta.taken.length > 0 && meta.taken)
    await ended(id, 'sent')
    const stranger = { ...message!, wamid: 'wamid.unknown', biz_opaque_callback_data: '' }
    expect(await postStatuses(failure(message!, 131050), failure(stranger, 131050))).toBe(200)
    expect(await postStatuses(failure(message!, 131050))).toBe(200)
    expect(await ended(id, 'rejected')).toMatchObject({ code: '131050', refunded: true })
    expect(await optoutsOf(by)).toMatchObject([{ recipient, source: 'carrier' }])
    expect(await optoutsOf(other)).toEqual([])
    const rows = await service.db`select 1 from optouts where recipient = ${recipient}`
    expect(rows).toHaveLength(1)
    expect(await ended(await send(recipient), 'rejected')).toMatchObject({ code: 'opted_out' })
    expect(await balance(by)).toBe(CREDIT)
    expect(await auditMoney(service.db)).toEqual([])
  })

  test('receives messages again when the organisation removes the opt-out', async () => {
    const recipient = await person()
    const id = await send(recipient)
    const [message] = await until('it to be accepted', () => meta.taken.length > 0 && meta.taken)
    await ended(id, 'sent')
    await postStatuses(failure(message!, 131050))
    await until('the opt-out', async () => (await optoutsOf(by)).length === 1)
    const lifted = await by.call('DELETE', `/optouts/${recipient}`)
    expect(lifted.status).toBe(204)
    expect(await ended(await send(recipient, 'sms'), 'delivered')).toMatchObject({ refunded: false })
  })
})

describe('an account in maintenance (131057)', () => {
  test('accepts the message at a later attempt, for any HTTP status', async () => {
    let refused = 0
    meta.mood = () => ((refused += 1) <= 2 ? { code: 131057, status: 500 } : 'take')
    const recipient = await person()
    const id = await send(recipient)
    await until('it to be sent', async () => {
      await service.db`update whatsapp_users set sent_datetime = null where recipient = ${recipient}`
      await service.db`update jobs set run_at = now() where run_at > now() and not leased and queue like 'route:%'`
      return meta.taken.length > 0
    })
    expect(refused).toBe(3)
    expect(await ended(id, 'sent')).toMatchObject({ refunded: false })
    expect(await service.db`select 1 from carrier_pauses`).toHaveLength(0)
  })
})

describe('a number whose display name or registration is not approved', () => {
  test.each([131037, 131045])('%d in a status pauses the carrier', async (code) => {
    const id = await send(await person())
    const [message] = await until('it to be accepted', () => meta.taken.length > 0 && meta.taken)
    await ended(id, 'sent')
    expect(await postStatuses(failure(message!, code))).toBe(200)
    expect(await ended(id, 'rejected')).toMatchObject({ code: String(code), refunded: true })
    expect(await service.db`select code from carrier_pauses where until > now()`).toMatchObject([
      { code: String(code) },
    ])
    expect(await optoutsOf(by)).toEqual([])
  })
})
