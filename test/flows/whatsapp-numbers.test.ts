import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { recountLimit, registerNumber, saveLimit } from '../../src/carriers/whatsapp/number-store.ts'
import { claimRecipients } from '../../src/carriers/whatsapp/store.ts'
import { transaction } from '../../src/db/transaction.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { assignNumber } from '../../src/senders/decide.ts'
import { temporaryFolder } from '../support/folder.ts'
import {
  inbound,
  NUMBER,
  ORDER_UPDATE,
  postWebhook,
  SECOND,
  sign,
  startMetaServer,
  THIRD,
  webhookBody,
  type MetaServer,
} from '../support/meta-server.ts'
import { balance, faults, request } from '../support/otp.ts'
import { runGangan } from '../support/process.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let meta: MetaServer
let service: TestService
/** Owns the second number, and later the third. */
let owner: Organisation
/** Has no number. */
let tenant: Organisation

const DAY_S = 86_400
const numbers = [NUMBER, SECOND, THIRD].map(({ phone_number_id, display }) => ({ phone_number_id, digits: display }))
const account = () => {
  const { phone_number_id: _in_the_list, ...settings } = meta.settings({ numbers })
  return settings
}
const routes = [
  { name: 'sms', channel: 'sms', carrier: 'simulator' },
  { name: 'whatsapp', channel: 'whatsapp', carrier: 'meta' },
]

beforeAll(async () => {
  meta = await startMetaServer()
  service = await openService({
    settings: { carriers: [{ kind: 'simulator', name: 'simulator', report_delay_ms: 20 }, account()], routes },
    config: { sandbox: true },
  })
  await until('templates and numbers', async () => {
    const [known] = await service.db<{ templates: number; numbers: number }[]>`
      select (select count(*)::integer from whatsapp_templates) as templates,
        (select count(*)::integer from whatsapp_numbers where quality = 'GREEN') as numbers`
    return known?.templates === 2 && known.numbers === 3
  })
})
afterAll(async () => {
  await service.close()
  await meta.close()
})
beforeEach(async () => {
  owner = await service.organisation({ credit: 1_000 })
  tenant = await service.organisation({ credit: 1_000 })
  await service.db`delete from senders where sender_id = any (${[SECOND.display, THIRD.display]}::text[])`
  await assignNumber(service, owner.id, SECOND.display)
  meta.mood = 'take'
  meta.taken.length = 0
  meta.calls.length = 0
  await service.db`delete from carrier_pauses`
  await service.db`delete from whatsapp_limits`
})

let next_number = 2_348_037_000_000
const stranger = (): string => String((next_number += 1))

/** A person writes to a number. */
async function write(to: typeof NUMBER, from = stranger(), text = 'Hi'): Promise<string> {
  const body = webhookBody([{ messages: [inbound(`wamid.${from}.${to.display}`, from, text)] }], to)
  expect(await postWebhook(service, body)).toBe(200)
  return from
}

type Sent = { id: string; errors?: { field: string; type: string; message: string }[] }
const send = (by: Organisation, recipients: string, more: object = {}) =>
  by.call<Sent>('POST', '/sms/send', { recipients, channel: 'whatsapp', content: 'Hello', ...more })

/** The number that a person got a message from. */
const sentFrom = (to: string) =>
  until(`a message to ${to}`, () => {
    const found = meta.taken.find((one) => one.to === to)
    return found && meta.numberOf(found.wamid).display
  })

type Delivery = { status: string; code?: string; refunded: boolean }
const ended = (by: Organisation, id: string, status: string) =>
  until(status, async () => {
    const { body } = await by.call<{ deliveries: Delivery[] }>('GET', `/sms/${id}`)
    const [delivery] = body.deliveries
    return delivery?.status === status && delivery
  })

async function template(by: Organisation): Promise<string> {
  const whatsapp = { name: ORDER_UPDATE.name, language: 'en', parameters: ['name', 'order'] }
  const content = 'Hello {{name|you}}, {{order|it}} is there.'
  return (await by.call<{ id: string }>('POST', '/templates', { name: 'order', content, whatsapp })).body.id
}

describe('an organisation with a number', () => {
  test('sends from it, and all others from the shared one', async () => {
    const [own, shared] = [await write(SECOND), await write(NUMBER)]
    expect((await send(owner, own)).status).toBe(200)
    expect((await send(tenant, shared)).status).toBe(200)
    expect(await sentFrom(own)).toBe(SECOND.display)
    expect(await sentFrom(shared)).toBe(NUMBER.display)
    expect(meta.calls.map(({ path }) => path.split('/')[2]).sort()).toEqual(
      [NUMBER.phone_number_id, SECOND.phone_number_id].sort(),
    )
  })

  test('names one of several, or the shared one, as sender', async () => {
    await assignNumber(service, owner.id, THIRD.display)
    const [third, shared] = [await write(THIRD), await write(NUMBER)]
    expect((await send(owner, third, { sender_id: THIRD.display })).status).toBe(200)
    expect((await send(owner, shared, { sender_id: NUMBER.display })).status).toBe(200)
    expect(await sentFrom(third)).toBe(THIRD.display)
    expect(await sentFrom(shared)).toBe(NUMBER.display)
  })

  test.each([SECOND, THIRD])('is alone in sending from it: others are refused before a charge', async ({ display }) => {
    const person = await write(NUMBER)
    const refused = await send(tenant, person, { sender_id: display })
    expect(refused.status).toBe(400)
    expect(faults(refused.body)).toEqual(['sender_id invalid'])
    expect(refused.body.errors?.[0]?.message).toContain('not assigned')
    expect(await balance(tenant)).toBe(1_000)
    expect(meta.calls).toHaveLength(0)
  })

  test('gets what people write to it, and replies from it', async () => {
    await assignNumber(service, owner.id, THIRD.display)
    const person = await write(SECOND)
    const { body } = await owner.call<{ inbound: { from: string; to: string }[] }>('GET', '/inbound')
    expect(body.inbound).toMatchObject([{ from: person, to: SECOND.display }])
    expect((await tenant.call<{ inbound: object[] }>('GET', '/inbound')).body.inbound ?? []).toEqual([])
    await write(THIRD, person, 'Hello?')
    const reply = await owner.call('POST', `/conversations/${person}/messages`, { content: 'Yes?' })
    expect(reply.status).toBe(200)
    expect(await sentFrom(person)).toBe(THIRD.display)
  })

  test('has windows of its own', async () => {
    const [of_owner, of_all] = [await write(SECOND), await write(NUMBER)]
    expect(faults((await send(owner, of_all)).body)).toEqual(['recipients[0] invalid'])
    expect(faults((await send(tenant, of_owner)).body)).toEqual(['recipients[0] invalid'])
    expect([await balance(owner), await balance(tenant)]).toEqual([1_000, 1_000])
    const both = await write(NUMBER, of_owner)
    expect((await send(tenant, both)).status).toBe(200)
    expect((await send(owner, both)).status).toBe(200)
    // The pair limit, too, is that of a number: neither waits for the other.
    await until('both', () => meta.taken.filter(({ to }) => to === both).length === 2)
  })

  test('sends its one-time passwords and templates from it', async () => {
    const [otp, order] = [stranger(), stranger()]
    expect((await request(owner, { recipient: otp, channel: 'whatsapp' })).status).toBe(200)
    expect((await send(owner, order, { content: undefined, template_id: await template(owner) })).status).toBe(200)
    expect(await sentFrom(otp)).toBe(SECOND.display)
    expect(await sentFrom(order)).toBe(SECOND.display)
  })

  test('may lose it while a message is scheduled: the message is not sent, and refunded', async () => {
    const person = await write(SECOND)
    const send_at = new Date(Date.now() + 3_600_000).toISOString()
    const { body } = await send(owner, person, { send_at })
    await service.db`delete from senders where sender_id = ${SECOND.display}`
    await assignNumber(service, tenant.id, SECOND.display)
    await service.db`update jobs set run_at = now() where organisation_id = ${owner.id}`
    expect(await ended(owner, body.id, 'rejected')).toMatchObject({ code: 'number', refunded: true })
    expect(await balance(owner)).toBe(1_000)
    expect(meta.calls).toHaveLength(0)
    expect(await auditMoney(service.db)).toEqual([])
  })

  test('is not stopped by another number that is', async () => {
    const [stopped, working] = [await write(SECOND), await write(NUMBER)]
    meta.mood = (_, from) => (from.display === SECOND.display ? { code: 131031 } : 'take')
    const { body } = await send(owner, stopped)
    const paused = async () => (await service.db`select carrier from carrier_pauses where until > now()`).map(carrierOf)
    await until('the pause', async () => (await paused()).length > 0)
    expect(await paused()).toEqual([`meta-${SECOND.display}`])
    expect((await send(tenant, working)).status).toBe(200)
    expect(await sentFrom(working)).toBe(NUMBER.display)
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toContain(`gangan_carrier_paused{carrier="meta-${SECOND.display}"} 1`)
    expect(metrics).toContain('gangan_carrier_paused{carrier="meta"} 0')
    meta.mood = 'take'
    await service.db`delete from carrier_pauses`
    await service.db`update whatsapp_users set sent_datetime = null`
    await ended(owner, body.id, 'sent')
  })

  test('gets the statuses of its messages', async () => {
    const person = await write(SECOND)
    const { body } = await send(owner, person)
    await sentFrom(person)
    const found = meta.taken.find(({ to }) => to === person)
    const { wamid: id, biz_opaque_callback_data } = found ?? {}
    const status = { id, status: 'delivered', biz_opaque_callback_data, timestamp: Date.now() / 1_000 }
    expect(await postWebhook(service, webhookBody([{ statuses: [status] }], SECOND))).toBe(200)
    expect(await ended(owner, body.id, 'delivered')).toMatchObject({ refunded: false })
  })
})

function carrierOf({ carrier }: { carrier?: unknown }): unknown {
  return carrier
}

describe('a carrier with another number than before', () => {
  test('has no open windows', async () => {
    const recipient = stranger()
    const number = { name: 'former', account: 'former', phone_number_id: '1' }
    await transaction(service.db, (tx) => registerNumber(tx, number))
    await service.db`
      insert into whatsapp_users (carrier, recipient, received_datetime) values ('former', ${recipient}, now())`
    const isOpen = async () =>
      (
        await service.db`
        select 1 from whatsapp_users where carrier = 'former' and received_datetime is not null`
      ).length === 1
    await transaction(service.db, (tx) => registerNumber(tx, number))
    expect(await isOpen()).toBe(true)
    await transaction(service.db, (tx) => registerNumber(tx, { ...number, phone_number_id: '2' }))
    expect(await isOpen()).toBe(false)
    await service.db`delete from whatsapp_numbers where carrier = 'former'`
  })
})

describe('the messaging limit', () => {
  const change = (field: string, value: object): Promise<number> =>
    postWebhook(service, JSON.stringify({ entry: [{ id: NUMBER.waba_id, changes: [{ field, value }] }] }))
  const limitOf = async () =>
    (
      await service.db<{ recipients: number | null; used: number }[]>`
      select recipients, used from whatsapp_limits where account = 'meta'`
    )[0]

  test('holds templates before it is exceeded, but neither replies nor one-time passwords', async () => {
    await service.db`update whatsapp_users set initiated_datetime = null`
    expect(await change('business_capability_update', { max_daily_conversations_per_business: 20 })).toBe(200)
    const template_id = await template(owner)
    const recipients = Array.from({ length: 25 }, stranger)
    const { body } = await send(owner, recipients.join(','), { content: undefined, template_id })
    // One of twenty is left to one-time passwords.
    await until('19 messages', () => meta.taken.length >= 19)
    await until('the others wait', async () => {
      const [jobs] = await service.db<{ held: number }[]>`
        select count(*)::integer as held from jobs
        where organisation_id = ${owner.id} and subject_id = ${body.id} and run_at > now() + interval '1 minute'`
      return jobs?.held === 6
    })
    expect(meta.taken).toHaveLength(19)
    const friend = await write(NUMBER)
    expect((await send(tenant, friend)).status).toBe(200)
    expect(await sentFrom(friend)).toBe(NUMBER.display)
    const first = stranger()
    await request(tenant, { recipient: first, channel: 'whatsapp' })
    await sentFrom(first)
    expect(await limitOf()).toEqual({ recipients: 20, used: 20 })
    const warned = service.log_lines.filter(({ sentence }) => sentence.includes('messaging limit'))
    expect(warned.length).toBeGreaterThan(0)

    // Who was written to already does not count again.
    const again = meta.taken[0]?.to ?? ''
    await service.db`update whatsapp_users set sent_datetime = null`
    await send(owner, again, { content: undefined, template_id })
    await until('a second message', () => meta.taken.filter(({ to }) => to === again).length === 2)

    const raised = { event: 'UPGRADE', display_phone_number: NUMBER.display, current_limit: 'TIER_250' }
    expect(await change('phone_number_quality_update', raised)).toBe(200)
    await service.db`update jobs set run_at = now() where organisation_id = ${owner.id}`
    await until('all of them', () => recipients.every((one) => meta.taken.some(({ to }) => to === one)))
    expect(await limitOf()).toMatchObject({ recipients: 250, used: 26 })
  })

  test('a higher throughput is not a higher limit', async () => {
    await saveLimit(service.db, 'meta', 250)
    const event = { event: 'THROUGHPUT_UPGRADE', display_phone_number: NUMBER.display, current_limit: 'TIER_UNLIMITED' }
    expect(await change('phone_number_quality_update', event)).toBe(200)
    expect(await limitOf()).toMatchObject({ recipients: 250 })
    expect(await change('business_capability_update', { max_daily_conversation_per_phone: -1 })).toBe(200)
    expect(await limitOf()).toMatchObject({ recipients: null })
    for (const odd of [null, 'TIER_NOT_SET', {}, [], -5, 1e99]) {
      expect(await change('business_capability_update', { max_daily_conversations_per_business: odd })).toBe(200)
      expect(await limitOf()).toMatchObject({ recipients: null })
    }
  })

  test('is kept by processes that claim and count at the same time, to the last person', async () => {
    const of_third = { name: `meta-${THIRD.display}`, account: 'meta' }
    await service.db`update whatsapp_users set initiated_datetime = null`
    await saveLimit(service.db, 'meta', 100)
    const people = Array.from({ length: 200 }, stranger)
    const claims = await Promise.all([
      ...Array.from({ length: 20 }, (_, n) => {
        const own = people.slice(n * 10, n * 10 + 10)
        const wanted = own.map((recipient) => ({ recipient, is_template: true, urgent: false }))
        return claimRecipients(service.db, n % 2 === 0 ? of_third : { name: 'meta', account: 'meta' }, wanted, 6)
      }),
      ...Array.from({ length: 10 }, async () => {
        await transaction(service.db, (tx) => recountLimit(tx, 'meta'))
        return new Map<string, { wait_s: number; is_limited: boolean }>()
      }),
    ])
    const all = claims.flatMap((one) => [...one.values()])
    expect(all.filter(({ wait_s }) => wait_s === 0)).toHaveLength(95)
    expect(all.filter(({ is_limited }) => is_limited)).toHaveLength(105)
    expect(await limitOf()).toMatchObject({ used: 95 })
    // A day later they do not count.
    await service.db`
      update whatsapp_users set initiated_datetime = initiated_datetime - ${DAY_S + 1} * interval '1 second'`
    await transaction(service.db, (tx) => recountLimit(tx, 'meta'))
    expect(await limitOf()).toMatchObject({ used: 0 })
  })

  test('and the quality are read from Meta, and shown', async () => {
    const flagged = { event: 'FLAGGED', display_phone_number: `+${SECOND.display}`, current_limit: 'TIER_2K' }
    expect(await change('phone_number_quality_update', flagged)).toBe(200)
    const [row] = await service.db`select quality from whatsapp_numbers where carrier = ${`meta-${SECOND.display}`}`
    expect(row).toEqual({ quality: 'RED' })
    expect(await limitOf()).toMatchObject({ recipients: 2_000 })
    const restriction = { event: 'ACCOUNT_RESTRICTION', restriction_info: [{ restriction_type: 'RESTRICTED_BIZ' }] }
    expect(await change('account_update', restriction)).toBe(200)
    expect(service.log_lines.find(({ sentence }) => sentence.includes('restricts'))).toMatchObject({
      level: 'error',
      details: { carrier: 'meta', event: 'ACCOUNT_RESTRICTION', details: 'RESTRICTED_BIZ' },
    })
  })
})

describe('gangan whatsapp', () => {
  test('lists, assigns and unassigns numbers, and shows the state of each', async () => {
    const folder = await temporaryFolder()
    const path = join(folder.path, 'gangan.json')
    writeFileSync(path, JSON.stringify({ carriers: [account()], routes: [] }))
    const gangan = (...args: string[]) =>
      runGangan(['whatsapp', ...args], { DATABASE_URL: service.database.url, GANGAN_CONFIG: path })
    type Listed = { digits: string; carrier: string; is_shared: boolean; organisation_id?: string }[]
    const listed = async (): Promise<Listed> => JSON.parse((await gangan('numbers', '--json')).stdout) as Listed
    expect(await listed()).toMatchObject([
      { digits: NUMBER.display, carrier: 'meta', is_shared: true },
      { digits: SECOND.display, carrier: `meta-${SECOND.display}`, is_shared: false, organisation_id: owner.id },
      { digits: THIRD.display, is_shared: false },
    ])
    expect(await gangan('assign', SECOND.display, tenant.id)).toMatchObject({ code: 4 })
    expect(await gangan('assign', '15559999999', tenant.id)).not.toMatchObject({ code: 0 })
    expect(await gangan('assign', THIRD.display, tenant.id)).toMatchObject({ code: 0 })
    expect((await listed())[2]).toMatchObject({ organisation_id: tenant.id })
    const person = await write(THIRD)
    await until('the assignment', async () => (await send(tenant, person)).status === 200)
    expect(await sentFrom(person)).toBe(THIRD.display)
    expect(await gangan('unassign', THIRD.display)).toMatchObject({ code: 0 })
    expect((await listed())[2]?.organisation_id).toBeUndefined()
    meta.facts.whatsapp_business_manager_messaging_limit = 'TIER_10K'
    expect((await gangan('sync')).stdout).toContain('meta: 2 templates.\n')
    const status = await gangan('status')
    expect(status.stdout).toContain(`meta-${SECOND.display}: working, number ${SECOND.display}, quality green`)
    expect(status.stdout).toMatch(/^meta: working, .* of 10000 people written to first in 24 hours$/m)
    await folder.remove()
  })
})

test('a webhook of another app changes nothing', async () => {
  const body = webhookBody([{ messages: [inbound('wamid.forged', stranger(), 'Hi')] }], SECOND)
  expect(await postWebhook(service, body, sign(body, 'a guess'))).toBe(401)
})
