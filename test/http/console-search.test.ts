import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FoundByName } from '../../src/http/console/search/schema.ts'
import { newId } from '../../src/values/id.ts'
import { person, type Person } from '../support/person.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

const search = async (who: Person, text: string) =>
  (await who.call<FoundByName>('GET', `/console/api/search?text=${encodeURIComponent(text)}`)).body
const names = (found: FoundByName) => Object.values(found).flatMap((rows) => rows.map(({ name }) => name))

test('campaigns, templates, smartlists and senders are found by a part of the name, as far as the role may read', async () => {
  const template = { name: 'Harvest 100% off', content: 'Hello' }
  expect((await service.call('POST', '/templates', template)).status).toBe(200)
  await service.db`
    insert into campaigns (organisation_id, id, name, message, texts)
    values (${service.id}, ${newId()}, 'Harvest festival', '{}', '[]')`
  await service.db`
    insert into contact_smartlists (organisation_id, id, name, name_key, filters)
    values (${service.id}, ${newId()}, 'Harvesters', 'harvesters', '[]')`
  await service.db`
    insert into senders (organisation_id, id, sender_id) values (${service.id}, ${newId()}, 'HARVEST')`
  const all = ['Harvest festival', 'Harvest 100% off', 'Harvesters', 'HARVEST']
  const owner = await person(service, service.id)
  expect(names(await search(owner, 'harVEST'))).toEqual(all)
  expect(names(await search(owner, '0% O'))).toEqual(['Harvest 100% off'])
  expect(names(await search(owner, '%'))).toEqual(['Harvest 100% off'])
  expect(names(await search(owner, ' \0 '))).toEqual([])
  const finance = await person(service, service.id, service.id, 'finance')
  expect(names(await search(finance, 'harvest'))).toEqual(all.filter((name) => name !== 'Harvesters'))
  const other = await service.organisation()
  expect(names(await search(await person(service, other.id), 'harvest'))).toEqual([])
  expect((await owner.call('GET', '/console/api/search')).status).toBe(400)
})
