import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../src/db/connect.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { newId } from '../../src/values/id.ts'
import {
  failure,
  inbound,
  NUMBER,
  postWebhook,
  SECOND,
  sign,
  startMetaServer,
  statusOf,
  webhookBody,
  type MetaServer,
  type Taken,
} from '../support/meta-server.ts'
import { possessions } from '../support/possessions.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let meta: MetaServer
let service: TestService
let victim: Organisation
let other: Organisation

/** A second business, at another app with another secret. */
const RIVAL = { phone_number_id: '777', waba_id: '888', display: '15557770000' }
const RIVAL_SECRET = 'the secret of the rival'

const settings = () => ({
  carriers: [
    { kind: 'simulator', name: 'simulator', report_delay_ms: 20 },
    meta.settings({
      digits: NUMBER.display,
      numbers: [{ phone_number_id: SECOND.phone_number_id, digits: SECOND.display }],
    }),
    meta.settings({
      name: 'rival',
      phone_number_id: RIVAL.phone_number_id,
      waba_id: RIVAL.waba_id,
      digits: RIVAL.display,
      app_secrets: [RIVAL_SECRET],
    }),
  ],
  routes: [
    { name: 'sms', channel: 'sms', carrier: 'simulator' },
    { name: 'whatsapp', channel: 'whatsapp', carrier: 'meta' },
  ],
})

beforeAll(async () => {
  meta = await startMetaServer()
  service = await openService({ settings: settings(), config: { sandbox: true } })
  victim = await service.organisation({ credit: 1_000 })
  other = await service.organisation({ credit: 100_000 })
})
afterAll(async () => {
  await service.close()
  await meta.close()
})

let next_number = 2_348_038_000_000
async function person(db = service.db): Promise<string> {
  const recipient = String((next_number += 1))
  await db`insert into whatsapp_users (carrier, recipient, received_datetime) values ('meta', ${recipient}, now())`
  return recipient
}
type Sent = { id: string }
async function send(by: Organisation, recipients: string): Promise<string> {
  const body = { recipients, content: 'Hello', channel: 'whatsapp' }
  const { status, body: sent } = await by.call<Sent>('POST', '/sms/send', body)
  expect(status).toBe(200)
  return sent.id
}
type Delivery = { recipient: string; status: string; read_datetime?: string; code?: string }
const deliveriesOf = async (by: Organisation, id: string) =>
  (await by.call<{ deliveries: Delivery[] }>('GET', `/sms/${id}`)).body.deliveries
const sentMessages = (id: string, count: number): Promise<Taken[]> =>
  until('the messages', () => {
    const own = meta.taken.filter(({ biz_opaque_callback_data }) => biz_opaque_callback_data.includes(id))
    return own.length === count && own
  })
const recorded = (by: Organisation, id: string) =>
  until('the record', async () => (await deliveriesOf(by, id)).every(({ status }) => status !== 'queued'))

describe('a post with a status of a message that is not stored yet', () => {
  test('is repeated by Meta, but all else in it is stored; and not repeated for ever', async () => {
    const quiet = await openService({ settings: settings(), config: { sandbox: true }, workers: false })
    const worker = await openService({ settings: settings(), config: { sandbox: true }, beside: quiet })
    const by = await quiet.organisation({ credit: 100 })
    const known = await send(by, await person(quiet.db))
    const [message] = await sentMessages(known, 1)
    await recorded(by, known)
    await worker.close()

    // It stays in the intake, as if the process that had submitted it were dead.
    const recipient = await person(quiet.db)
    const waiting = await send(by, recipient)
    const early = {
      wamid: 'wamid.early',
      to: recipient,
      biz_opaque_callback_data: `${by.id} ${waiting} ${recipient}`,
    }
    const writer = await person(quiet.db)
    const body = webhookBody([
      { statuses: [statusOf(early, 'read'), statusOf(message!, 'read')] },
      { messages: [inbound('wamid.text', writer, 'Hi')] },
    ])
    expect(await postWebhook(quiet, body)).toBe(503)
    expect(await deliveriesOf(by, known)).toMatchObject([{ status: 'delivered', read_datetime: expect.any(String) }])
    const texts = await quiet.db`select 1 from inbound_messages where "from" = ${writer}`
    expect(texts).toHaveLength(1)
    const old = { ...statusOf(early, 'read'), timestamp: String(Math.floor(Date.now() / 1_000) - 3_600) }
    expect(await postWebhook(quiet, webhookBody([{ statuses: [old] }]))).toBe(200)

    await quiet.db`update intake set leased_until = now() - interval '1 second', claims = claims + 1`
    const again = await openService({ settings: settings(), config: { sandbox: true }, beside: quiet })
    await recorded(by, waiting)
    expect(await postWebhook(quiet, body)).toBe(200)
    expect(await quiet.db`select 1 from inbound_messages where "from" = ${writer}`).toHaveLength(1)
    await until('the receipt', async () => (await deliveriesOf(by, waiting))[0]?.read_datetime !== undefined)
    await again.close()
    await quiet.close()
  })
})

describe('10,000 statuses in a post', () => {
  test('are stored, in any order and twice, while other posts are answered', async () => {
    const recipients = await Promise.all(Array.from({ length: 50 }, () => person()))
    const id = await send(other, recipients.join(','))
    const messages = await sentMessages(id, 50)
    await recorded(other, id)
    const unknown = Array.from({ length: 9_850 }, (_, n) => ({ id: `wamid.none${n}`, status: 'delivered' }))
    const own = messages.flatMap((message) => [
      statusOf(message, 'read'),
      statusOf(message, 'delivered'),
      statusOf(message, 'sent'),
    ])
    const body = webhookBody([{ statuses: [...own, ...unknown].sort(() => Math.random() - 0.5) }])
    expect(body.length).toBeGreaterThan(400_000)
    const small = webhookBody([{ messages: [inbound('wamid.small', await person(), 'Hi')] }])
    expect(await Promise.all([postWebhook(service, body), postWebhook(service, small)])).toEqual([200, 200])
    expect(await postWebhook(service, body)).toBe(200)
    await until('all are read', async () => {
      const deliveries = await deliveriesOf(other, id)
      return deliveries.every(({ status, read_datetime }) => status === 'delivered' && read_datetime !== undefined)
    })
    await until('its reports to be deleted', () => forgetReports(service.db))
  })
})

test('no post causes an internal error or changes another organisation’s data', async () => {
  const theirs = await send(victim, await person())
  const [target] = await sentMessages(theirs, 1)
  await recorded(victim, theirs)
  expect(await postWebhook(service, webhookBody([{ statuses: [statusOf(target!, 'delivered')] }]))).toBe(200)
  const ours = await send(other, await person())
  const [own] = await sentMessages(ours, 1)
  await recorded(other, ours)
  const before = await possessions(service, victim)
  const is_ours = own!.biz_opaque_callback_data
  // References that name the other organisation, but no message of its own.
  const refs = [
    is_ours,
    is_ours.replace(other.id, victim.id),
    is_ours.replace(ours, newId()),
    `${victim.id} ${newId()} ${target!.to}`,
    `${victim.id} ${theirs}`,
    `${theirs} ${victim.id} ${target!.to}`,
  ]
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown>(null, true, -1, 1e300, '', '\u0000', '\ud800', 'x'.repeat(5_000), {}, [], [[[]]]),
  )
  const status = fc.record(
    {
      id: fc.oneof(fc.constantFrom<unknown>(own!.wamid, 'wamid.x', 17), odd),
      status: fc.oneof(fc.constantFrom<unknown>('sent', 'delivered', 'read', 'failed', 'played'), odd),
      timestamp: fc.oneof(fc.constantFrom<unknown>('1454119029', 1_454_119_029_000, 'soon', null), odd),
      biz_opaque_callback_data: fc.oneof(fc.constantFrom<unknown>(...refs), odd),
      pricing: fc.oneof(fc.constantFrom<unknown>({ category: 'Utility' }, { category: 'x'.repeat(99) }), odd),
      errors: fc.oneof(
        fc.constantFrom<unknown>([{ code: 131026 }], [{ code: '131026', title: 7 }], [{ code: {} }], [null]),
        odd,
      ),
      unknown_field: odd,
    },
    { requiredKeys: [] },
  )
  const message = fc.record(
    {
      id: fc.oneof(
        fc.uuid().map((id): unknown => `wamid.${id}`),
        odd,
      ),
      from: fc.oneof(fc.constantFrom<unknown>('2348038999999', 2_348_038_999_999, '12', 'NG.1'), odd),
      timestamp: odd,
      type: fc.oneof(fc.constantFrom<unknown>('text', 'image', '__proto__', 'constructor'), odd),
      text: fc.oneof(fc.constantFrom<unknown>({ body: 'Hi' }, { body: 7 }, { body: '\u0000' }), odd),
      image: odd,
      interactive: odd,
    },
    { requiredKeys: [] },
  )
  const ids = [NUMBER, SECOND, RIVAL].map(({ phone_number_id }): unknown => phone_number_id)
  const metadata = fc.record(
    {
      phone_number_id: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: odd }),
      display_phone_number: fc.oneof(
        fc.constantFrom<unknown>(NUMBER.display, `+${SECOND.display}`, '9'.repeat(500), 15550783881),
        odd,
      ),
    },
    { requiredKeys: ['phone_number_id'] },
  )
  const messages = fc.record(
    {
      metadata,
      statuses: fc.array(fc.oneof(status, odd), { maxLength: 4 }),
      messages: fc.array(fc.oneof(message, odd)),
    },
    { requiredKeys: ['metadata'] },
  )
  const news = fc.record(
    {
      message_template_name: fc.oneof(fc.constantFrom<unknown>('order_update', 7), odd),
      message_template_language: fc.oneof(fc.constantFrom<unknown>('en', null), odd),
      event: fc.oneof(fc.constantFrom<unknown>('APPROVED', 'FLAGGED', 'DISABLED_UPDATE', 'THROUGHPUT_UPGRADE'), odd),
      new_quality_score: odd,
      new_category: odd,
      current_limit: fc.oneof(fc.constantFrom<unknown>('TIER_UNLIMITED', 'TIER_2K', 'TIER_0'), odd),
      max_daily_conversations_per_business: odd,
      display_phone_number: fc.oneof(fc.constantFrom<unknown>(NUMBER.display), odd),
      restriction_info: odd,
      ban_info: odd,
    },
    { requiredKeys: [] },
  )
  const FIELDS = [
    'message_template_status_update',
    'message_template_quality_update',
    'template_category_update',
    'phone_number_quality_update',
    'business_capability_update',
    'account_update',
    '__proto__',
  ]
  const change = fc.oneof(
    { weight: 6, arbitrary: messages.map((value): unknown => ({ field: 'messages', value })) },
    {
      weight: 3,
      arbitrary: fc.tuple(fc.constantFrom(...FIELDS), news).map(([field, value]): unknown => ({ field, value })),
    },
    { weight: 1, arbitrary: odd },
  )
  const entry = fc.record({
    id: fc.oneof(fc.constantFrom<unknown>(NUMBER.waba_id, RIVAL.waba_id, 888), odd),
    changes: fc.oneof({ weight: 9, arbitrary: fc.array(change, { maxLength: 3 }) }, { weight: 1, arbitrary: odd }),
  })
  const post = fc.record({
    body: fc.oneof(
      { weight: 9, arbitrary: fc.array(entry, { maxLength: 3 }).map((all): unknown => ({ entry: all })) },
      { weight: 1, arbitrary: odd },
    ),
    carrier: fc.constantFrom('meta', 'rival', `meta-${SECOND.display}`),
    signature: fc.constantFrom('right', 'right', 'right', 'rival', 'forged'),
  })
  const seen = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(post, async ({ body, carrier, signature }) => {
      const text = JSON.stringify(body)
      const right = carrier === 'rival' ? RIVAL_SECRET : undefined
      const signed = signature === 'right' ? sign(text, right) : sign(text, signature === 'rival' ? RIVAL_SECRET : 'x')
      const answer = await postWebhook(service, text, signed, carrier)
      seen.set(answer, (seen.get(answer) ?? 0) + 1)
      expect([200, 401]).toContain(answer)
    }),
    { numRuns: 400 },
  )
  expect(seen.get(200)).toBeGreaterThan(100)
  const errors = service.log_lines.filter(({ level, details }) => level === 'error' && 'err' in details)
  expect(errors).toEqual([])
  // What is stored may still be on its way through the match worker.
  await until('no report is due', async () => {
    const due = await service.db`select 1 from jobs where queue = 'reports' and run_at <= now()`
    return due.length === 0
  })
  expect(await possessions(service, victim)).toEqual(before)
  expect(await auditMoney(service.db)).toEqual([])
}, 60_000)

test('another app cannot speak for a number whose secret it does not have', async () => {
  const id = await send(victim, await person())
  const [message] = await sentMessages(id, 1)
  await recorded(victim, id)
  const body = webhookBody([{ statuses: [failure(message!, 131026)] }])
  expect(await postWebhook(service, body, sign(body, RIVAL_SECRET), 'meta')).toBe(401)
  expect(await postWebhook(service, body, sign(body, RIVAL_SECRET), 'rival')).toBe(200)
  expect(await deliveriesOf(victim, id)).toMatchObject([{ status: 'sent' }])
})

/** False if the worker that matches them had locked some in another order: a deadlock. */
async function forgetReports(db: Db): Promise<boolean> {
  try {
    await db`delete from report_jobs`
    await db`delete from reports`
    return true
  } catch (fault) {
    if ((fault as { code?: string }).code === '40P01') return false
    throw fault
  }
}
