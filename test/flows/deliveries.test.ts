import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { openCallbackSecrets } from '../../src/organisations/callback-secrets.ts'
import { openService, type TestService } from '../support/service.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { secret_seal } from '../support/secret-seal.ts'
import { until } from '../support/until.ts'

type Message = { id: string; updated_datetime?: string; deliveries: Delivery[] }
type Delivery = { recipient: string; status: string; code?: string; advice?: string; charge: number; refunded: boolean }

let service: TestService
let receiver: Receiver

beforeAll(async () => {
  service = await openService({ credit: 10_000 })
  receiver = await startReceiver()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

async function send(recipients: string, more: object = {}): Promise<string> {
  const body = { recipients, content: 'Hello', callback: `${receiver.url}/reports`, ...more }
  return (await service.call<{ id: string }>('POST', '/sms/send', body)).body.id
}

async function read(id: string): Promise<Message> {
  return (await service.call<Message>('GET', `/sms/${id}`)).body
}

/** The delivery of a message to one number, once it has the status. */
async function reaches(id: string, status: string): Promise<Delivery> {
  return until(`${id} to be ${status}`, async () => (await read(id)).deliveries.find((one) => one.status === status))
}

const reportsOf = (id: string) => receiver.received.filter(({ json }) => json.data.id === id)

describe('the phones of the sandbox', () => {
  test.each([
    ['2348031234567', 'delivered', '000', false],
    ['2348000000001', 'undelivered', '004', false],
    ['2348000000002', 'expired', '027', false],
    ['2348000000003', 'rejected', '00a', true],
    ['2348000000004', 'undelivered', '008', false],
    ['2348000000006', 'delivered', '000', false],
    ['2348000000007', 'delivered', '000', false],
    ['2348000000009', 'delivered', '000', false],
  ])('%s ends %s with code %s', async (recipient, status, code, refunded) => {
    const id = await send(recipient, { external_ref: `ref ${recipient}` })
    const { advice, ...delivery } = await reaches(id, status)
    expect(advice === undefined).toBe(status === 'delivered')
    expect(delivery).toEqual({
      recipient,
      status,
      code,
      description: expect.any(String),
      pages: 1,
      charge: 4,
      refunded,
      created_datetime: expect.any(String),
      updated_datetime: expect.any(String),
    })
    const [report] = await until('the report', () => (reportsOf(id).length > 0 ? reportsOf(id) : undefined))
    expect(report?.json).toEqual({
      id: report?.headers['webhook-id'],
      type: `text.${status}`,
      created_datetime: expect.stringMatching(/\.\d{6}\+00:00$/),
      data: {
        id,
        recipient,
        status,
        channel: 'sms',
        sender_id: 'Gangan',
        external_ref: `ref ${recipient}`,
        pages: 1,
        charge: 4,
        refunded,
        code,
        description: expect.any(String),
        updated_datetime: expect.any(String),
      },
    })
    expect(report?.body).toBe(JSON.stringify(report?.json))
  })

  test('2348000000005 never reports: unknown, without a callback', async () => {
    const id = await send('2348000000005')
    expect(await reaches(id, 'unknown')).toMatchObject({ refunded: false })
    expect(reportsOf(id)).toEqual([])
  })

  test('a report received twice causes one callback', async () => {
    const id = await send('2348000000006')
    await reaches(id, 'delivered')
    await until('both reports to be processed', async () => {
      const [row] =
        await service.db`select (select count(*) from reports) + (select count(*) from jobs) + (select count(*) from intake) as left`
      return row?.left === 0n
    })
    expect(reportsOf(id)).toHaveLength(1)
  })

  test('show messages that arrive, and no others', async () => {
    const id = await send('2348161111111,2348000000001', { content: 'On the phone', sender_id: 'Shop' })
    await reaches(id, 'undelivered')
    await reaches(id, 'delivered')
    const phone = await service.call<{ messages: object[] }>('GET', '/sandbox/messages?recipient=08161111111')
    expect(phone.body.messages).toEqual([
      {
        id: expect.any(String),
        message_id: expect.any(String),
        recipient: '2348161111111',
        sender_id: 'Shop',
        channel: 'sms',
        text: 'On the phone',
        created_datetime: expect.any(String),
      },
    ])
    const other = await service.call<{ messages: object[] }>('GET', '/sandbox/messages?recipient=2348000000001')
    expect(other.body.messages).toEqual([])
  })
})

describe('money', () => {
  test('a rejected recipient is refunded once, the others are not', async () => {
    const by = await service.organisation({ credit: 100 })
    await by.call('POST', '/sms/send', { recipients: '2348000000003,2348000000001,08031234567', content: 'x' })
    const { entries } = await until('the refund', async () => {
      const { body } = await by.call<{ balance: number; entries: { kind: string; amount: number }[] }>(
        'GET',
        '/balance',
      )
      return body.balance === 92 ? body : undefined
    })
    expect(entries.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual(['refund 4', 'message -12', 'opening 100'])
  })

  test('the ledger balances at the end', async () => {
    expect(await auditMoney(service.db)).toEqual([])
  })
})

describe('states', () => {
  test('a late delivered report corrects expired, and no other final status changes', async () => {
    const id = await send('2348000000002')
    await reaches(id, 'expired')
    const report = { carrier: 'simulator', carrier_message_id: `${id}-2348000000002` }
    await say({ ...report, status: 'undelivered' })
    expect((await read(id)).deliveries[0]?.status).toBe('expired')
    await say({ ...report, status: 'delivered' })
    expect((await read(id)).deliveries[0]?.status).toBe('delivered')
    await say({ ...report, status: 'expired' })
    expect((await read(id)).deliveries[0]?.status).toBe('delivered')
    await until('both callbacks', () => reportsOf(id).length === 2)
    expect(reportsOf(id).map(({ json }) => json.type)).toEqual(['text.expired', 'text.delivered'])
  })

  /** Stores a report like a carrier does, and waits for it. */
  async function say(report: { carrier: string; carrier_message_id: string; status: string }): Promise<void> {
    const [row] = await service.db<{ id: string }[]>`
      insert into reports (id, carrier, carrier_message_id, status, code, description)
      values (gen_random_uuid(), ${report.carrier}, ${report.carrier_message_id}, ${report.status}, '000', 'said')
      returning id`
    const id = row?.id ?? ''
    await service.db`
      insert into report_jobs (queue, lane, organisation_id, subject_id) values ('reports', ${id}, ${id}, ${id})`
    await until('the report to be processed', async () => {
      const [left] = await service.db`select count(*)::integer as count from reports where id = ${id}`
      return left?.count === 0
    })
  }
})

describe('callbacks', () => {
  test('are signed as Standard Webhooks specifies', async () => {
    const [secret = ''] = await openCallbackSecrets({ db: service.db, secret_seal }, service.id)
    const id = await send('08031234567')
    await until('the report', () => reportsOf(id).length === 1)
    const [report] = reportsOf(id)
    const webhook = new Webhook(secret)
    expect(webhook.verify(report?.body ?? '', report?.headers as Record<string, string>)).toEqual(report?.json)
    expect(report?.headers['content-type']).toBe('application/json')
  })

  test('are retried with the same id, logged, and can be replayed', async () => {
    receiver.answer = ({ path }) => (path === '/failing' && receiver.received.length % 2 === 1 ? 200 : 500)
    const id = await send('08031234567', { callback: `${receiver.url}/failing` })
    const first = await until('the first attempt', () => reportsOf(id)[0])
    receiver.answer = () => 200
    const listed = await until('the attempt in the log', async () => {
      const { body } = await service.call<{ callbacks: Callback[] }>('GET', `/callbacks?subject_id=${id}`)
      return body.callbacks.find(({ attempts }) => attempts > 0)
    })
    expect(listed.id).toBe(first.headers['webhook-id'])
    const before = reportsOf(id).length
    const replay = await service.call<Callback>('POST', `/callbacks/${listed.id}/replay`)
    expect(replay.status).toBe(200)
    await until('the replay', () => reportsOf(id).length > before)
    const again = reportsOf(id).at(-1)
    expect(again?.headers['webhook-id']).toBe(listed.id)
    expect(again?.body).toBe(first.body)
    const log = await until('it to be delivered', async () => {
      const { body } = await service.call<Callback>('GET', `/callbacks/${listed.id}`)
      return body.status === 'delivered' ? body : undefined
    })
    expect(log.attempts_log?.at(-1)).toMatchObject({ status_code: 200, duration_ms: expect.any(Number) })
    expect(log.body).toBe(first.body)
  })

  test('410 stops them', async () => {
    receiver.answer = () => 410
    const id = await send('08031234567')
    const stopped = await until('it to stop', async () => {
      const { body } = await service.call<{ callbacks: Callback[] }>('GET', `/callbacks?subject_id=${id}`)
      return body.callbacks.find(({ status }) => status === 'stopped')
    })
    expect(stopped.attempts).toBe(1)
    receiver.answer = () => 200
  })

  test('one endpoint that hangs does not delay another', async () => {
    const hanging = await startReceiver()
    hanging.answer = () => new Promise(() => {})
    const many = Array.from({ length: 600 }, (_, n) => `234810${String(n).padStart(7, '0')}`).join(',')
    await send(many, { callback: `${hanging.url}/hang` })
    await until('the hanging endpoint to be busy', () => hanging.received.length > 0)
    const id = await send('08031234567')
    await until('the report of the other', () => reportsOf(id).length === 1)
    expect(hanging.received.length).toBeLessThan(600)
    await hanging.close()
  })

  type Callback = { id: string; status: string; attempts: number; body?: string; attempts_log?: object[] }
})

describe('a test organisation', () => {
  test('has its own balance and uses the simulator', async () => {
    const twin = await service.organisation({ of: service, mode: 'test' })
    expect(twin.key).toMatch(/^gg_test_/)
    const { body } = await twin.call<{ id: string }>('POST', '/sms/send', { recipients: '08031234567', content: 'x' })
    await until('it to be delivered', async () => {
      const message = await twin.call<Message>('GET', `/sms/${body.id}`)
      return message.body.deliveries[0]?.status === 'delivered'
    })
    expect((await service.call('GET', `/sms/${body.id}`)).status).toBe(404)
  })
})
