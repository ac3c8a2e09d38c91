import { afterAll, beforeAll, expect, test } from 'vitest'
import { runHousekeeping } from '../../src/housekeeping.ts'
import { newId } from '../../src/values/id.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

test('expired queries, imports and recipients are deleted, others are kept', async () => {
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
  for (const [id, gathered] of [[old_send, true] as const, [new_send, false] as const]) {
    await db`
      insert into campaigns (organisation_id, id, name, message, texts, status, gathered, ended_datetime)
      values (${organisation_id}, ${id}, 'List', '{}', '[]', ${gathered ? 'finished' : 'estimating'}, ${gathered},
        ${gathered ? db`now() - interval '91 days'` : db`null`})`
    await db`
      insert into campaign_recipients (organisation_id, campaign_id, estimate, recipient)
      values (${organisation_id}, ${id}, 0, '2348031234567')`
    await db`
      insert into campaign_slices (organisation_id, campaign_id, number, recipients, people, charge)
      values (${organisation_id}, ${id}, 1, '[["2348031234567", "Ada"]]', 1, 40000)`
  }

  await runHousekeeping({
    db,
    retention: { ...service.config.settings.retention, messages_days: 90, window_minutes: 10 },
    fresh: service.config.settings.lookup,
  })

  expect(await db`select query -> 'filters' as filters from contact_queries`).toHaveLength(1)
  expect(await db`select id from contact_imports`).toEqual([{ id: new_import }])
  expect(await db`select import_id from contact_import_rejects`).toEqual([{ import_id: new_import }])
  expect(await db`select campaign_id from campaign_recipients`).toEqual([{ campaign_id: new_send }])
  expect(await db`select id from campaigns`).toEqual([{ id: new_send }])
  expect(await db`select campaign_id from campaign_slices`).toEqual([{ campaign_id: new_send }])
})
