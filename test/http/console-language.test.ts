import { afterAll, beforeAll, expect, test } from 'vitest'
import { person, type Person } from '../support/person.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
let ada: Person

beforeAll(async () => {
  service = await openService()
  const { id } = await service.organisation()
  ada = await person(service, id)
})
afterAll(() => service?.close())

const change = (body: object) => ada.call<{ user: object }>('PATCH', '/console/api/me', body)

test('a user chooses the language of the console, and resets it', async () => {
  await change({ name: 'Ada' })
  const chosen = await change({ language: 'fr' })
  expect(chosen).toMatchObject({ status: 200, body: { user: { name: 'Ada', language: 'fr' } } })
  const session = await ada.call('GET', '/console/api/session')
  expect(session.body).toMatchObject({ user: { language: 'fr' } })
  const both = await change({ name: 'Ada L', language: 'en' })
  expect(both.body).toMatchObject({ user: { name: 'Ada L', language: 'en' } })
  const none = await change({ language: null })
  expect(none.body.user).not.toHaveProperty('language')
})

test('an unknown language is rejected, and so is an empty change', async () => {
  const unknown = await change({ language: 'tlh' })
  expect(unknown).toMatchObject({ status: 400, body: { errors: [{ field: 'language', type: 'enum' }] } })
  expect(await change({})).toMatchObject({ status: 400 })
})

test('only a change of name is recorded in the audit log', async () => {
  await change({ language: 'fr' })
  type Audit = { entries: { action: string; after?: object }[] }
  const { body } = await ada.call<Audit>('GET', '/console/api/audit')
  expect(body.entries.filter(({ after }) => JSON.stringify(after ?? {}).includes('"language"'))).toEqual([])
})
