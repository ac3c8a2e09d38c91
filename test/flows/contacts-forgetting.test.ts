import { afterAll, beforeAll, expect, test } from 'vitest'
import { tidy } from '../../src/housekeeping.ts'
import { newId } from '../../src/values/id.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

test('queries, imports and recipients that are over are forgotten, others stay', async () => {
  const { db, id: organisation_id } = service
  const [old_import, new_import, old_send, new_send] = [newId(), newId(), newId(), newId()]
  const asked = { filters: [{ name: 'Name', operator: 'empty' }] }
  await service.call('POST', '/lists/contact/rows/query', asked)
  await service.call('POST', '/lists/contact/rows/query', { sort: 'Name' })
  await db`
    update contact_queries set used_datetime = now() - interval '25 hours' where query ->> 'sort' = 'Name'`
  for (const [id, age] of [[old_import, '31 days'] as const, [new_import, '29 days'] as const]) {
    await db`
      insert into contact_imports (organisation_id, id, status, dry_run, encoding, delimiter, fields, created_datetime)
      values (${organisation_id}, ${id}, 'done', false, 'utf-8', ',', '[]', now() - ${age}::interval)`
    await db`
      insert into contact_import_rejects (organisation_id, import_id, line, fields, faults)
      values (${organisation_id}, ${id}, 2, '{}', '[]')`
  }
  for (const [id, status] of [[old_send, 'done'] as const, [new_send, 'running'] as const]) {
    await db`
      insert into contact_sends (organisation_id, id, smartlist_id, number, message, status, updated_datetime)
      values (${organisation_id}, ${id}, ${newId()}, 3, '{}', ${status}, now() - interval '2 days')`
    await db`
      insert into contact_send_recipients (organisation_id, send_id, recipient, chunk)
      values (${organisation_id}, ${id}, '2348031234567', 1)`
  }

  await tidy({
    db,
    retention: { ...service.config.settings.retention, window_minutes: 10 },
    fresh: service.config.settings.lookup,
  })

  expect(await db`select query -> 'filters' as filters from contact_queries`).toHaveLength(1)
  expect(await db`select id from contact_imports`).toEqual([{ id: new_import }])
  expect(await db`select import_id from contact_import_rejects`).toEqual([{ import_id: new_import }])
  expect(await db`select send_id from contact_send_recipients`).toEqual([{ send_id: new_send }])
})
