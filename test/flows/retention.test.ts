import { afterAll, beforeAll, expect, test } from 'vitest'
import { runHousekeeping } from '../../src/housekeeping.ts'
import { storeMessage } from '../support/message.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

const DAY_MS = 86_400_000

/** An id as created the given number of days ago. */
function idOf(days: number, n: number): string {
  const time = Math.floor(Date.now() - days * DAY_MS)
    .toString(16)
    .padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(n).padStart(12, '0')}`
}

function sweep(more: object): Promise<void> {
  const { settings } = service.config
  return runHousekeeping({
    db: service.db,
    retention: { ...settings.retention, window_minutes: 60, ...more },
    fresh: settings.lookup,
  })
}

async function aged(days: number, n: number, status: 'delivered' | 'scheduled'): Promise<string> {
  const { db, id: o } = service
  const id = idOf(days, n)
  const stored = await storeMessage(db, o, { recipients: [`23480300000${n}0`], status })
  await db`update messages set id = ${id}, content = 'a secret' where organisation_id = ${o} and id = ${stored}`
  await db`
    update deliveries set message_id = ${id}, text = 'to you', whatsapp = '{}'
    where organisation_id = ${o} and message_id = ${stored}`
  return id
}

test('texts are deleted before their messages, except queued ones', async () => {
  const { db, id: o } = service
  const old = await aged(8, 1, 'delivered')
  const young = await aged(6, 2, 'delivered')
  const waiting = await aged(8, 3, 'scheduled')
  const texts = async () =>
    Object.fromEntries(
      (
        await db<{ id: string; content: string | null; text: string | null }[]>`
          select id, content, text from messages join deliveries using (organisation_id)
          where organisation_id = ${o} and message_id = id`
      ).map(({ id, content, text }) => [id, [content, text]]),
    )
  await sweep({})
  expect(Object.values(await texts())).toEqual(Array.from({ length: 3 }, () => ['a secret', 'to you']))
  await sweep({ texts_days: 7 })
  expect(await texts()).toEqual({
    [old]: [null, null],
    [young]: ['a secret', 'to you'],
    [waiting]: ['a secret', 'to you'],
  })
  const shown = await service.call<{ deliveries: object[] }>('GET', `/sms/${old}`)
  expect([shown.status, shown.body.deliveries.length, 'content' in shown.body]).toEqual([200, 1, false])

  // A message that was queued at that time is found a day later.
  await db`update deliveries set status = 'delivered' where organisation_id = ${o} and message_id = ${waiting}`
  await sweep({ texts_days: 7 })
  expect((await texts())[waiting]).toEqual(['a secret', 'to you'])
  await db`update sweeps set done_until = now() - interval '25 hours' where name = 'message texts again'`
  await sweep({ texts_days: 7 })
  expect((await texts())[waiting]).toEqual([null, null])
})

test('inbound texts, the audit log and stored responses are kept as long as configured', async () => {
  const { db, id: o } = service
  for (const [days, n] of [[40, 1] as const, [20, 2] as const]) {
    await db`
      insert into inbound_messages (organisation_id, id, "from", "to", channel, text, carrier)
      values (${o}, ${idOf(days, n)}, '2348030000000', '33445', 'sms', 'Hi', 'mtn')`
    await db`
      insert into audit_entries (organisation_id, id, actor, action)
      values (${o}, ${idOf(days, n)}, 'ada@example.com', 'POST /optouts')`
    await db`
      insert into idempotency_keys (organisation_id, key, request_hash, answer, created_datetime)
      values (${o}, ${`key ${n}`}, '', '{}', now() - ${days} * interval '1 hour')`
  }
  const left = async () => [
    (await db`select 1 from inbound_messages where organisation_id = ${o}`).length,
    (await db`select 1 from audit_entries where organisation_id = ${o}`).length,
    (await db`select 1 from idempotency_keys where organisation_id = ${o}`).length,
  ]
  await sweep({ answers_days: 2 })
  expect(await left()).toEqual([2, 2, 2])
  await sweep({ inbound_days: 30, audit_days: 30 })
  expect(await left()).toEqual([1, 1, 1])
})
