import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SavedView } from '../../src/users/schema.ts'
import { openService, type TestService } from '../support/service.ts'
import { person, type Person } from '../support/person.ts'

const VIEWS = '/console/api/me/views'

let service: TestService
let ada: Person

beforeAll(async () => {
  service = await openService({ workers: false })
  ada = await person(service, service.id)
})
afterAll(() => service.close())

const save = (who: Person, name: string, query: object = {}, headers = {}) =>
  who.call<SavedView>('POST', VIEWS, { name, query }, headers)
const names = async (who: Person, headers = {}) => {
  const { body } = await who.call<{ views: SavedView[] }>('GET', VIEWS, undefined, headers)
  return body.views.map(({ name }) => name)
}

describe('a saved view', () => {
  test('is listed by name, and saving it again replaces its filters', async () => {
    const first = await save(ada, 'Late', { status: 'expired', range: '7d' })
    expect([first.status, first.body.query]).toEqual([200, { status: 'expired', range: '7d' }])
    await save(ada, '  Failed ', { status: 'failed', q: '', other: 'dropped' })
    const again = await save(ada, 'Late', { q: 'order 7' })
    expect(again.body).toMatchObject({ id: first.body.id, query: { q: 'order 7' } })
    const { body } = await ada.call<{ views: SavedView[] }>('GET', VIEWS)
    expect(body.views.map(({ name, query }) => ({ name, query }))).toEqual([
      { name: 'Failed', query: { status: 'failed' } },
      { name: 'Late', query: { q: 'order 7' } },
    ])
  })

  test('belongs to its owner in one organisation, also for read-only roles', async () => {
    const viewer = await person(service, service.id, service.id, 'viewer')
    const { body } = await save(viewer, 'Mine')
    const [twin] = await service.db<{ id: string }[]>`select id from organisations where twin_of = ${service.id}`
    const there = { 'x-organisation-id': twin?.id }
    expect(await names(viewer)).toEqual(['Mine'])
    expect(await names(viewer, there)).toEqual([])
    expect(await names(ada)).not.toContain('Mine')
    expect((await ada.call('DELETE', `${VIEWS}/${body.id}`)).status).toBe(404)
    expect((await viewer.call('DELETE', `${VIEWS}/${body.id}`, undefined, there)).status).toBe(404)
    expect((await viewer.call('DELETE', `${VIEWS}/${body.id}`)).status).toBe(204)
    expect((await viewer.call('DELETE', `${VIEWS}/${body.id}`)).status).toBe(404)
    const other = await service.organisation()
    expect((await save(viewer, 'Theirs', {}, { 'x-organisation-id': other.id })).status).toBe(404)
  })

  test('is rejected if it is invalid', async () => {
    const bodies = [
      { name: ' ', query: {} },
      { name: 'x'.repeat(61), query: {} },
      { name: 'Half', query: { q: '\ud83d' } },
      { name: 'Long', query: { q: 'x'.repeat(256) } },
      { name: 'None' },
    ]
    const statuses = await Promise.all(bodies.map(async (body) => (await ada.call('POST', VIEWS, body)).status))
    expect(statuses).toEqual([400, 400, 400, 400, 400])
  })

  test('is limited to fifty', async () => {
    const bola = await person(service, service.id)
    await service.db`
      insert into saved_views (organisation_id, id, user_id, name, query)
      select ${service.id}, gen_random_uuid(), ${bola.id}, 'View ' || n, '{}' from generate_series(1, 50) n`
    expect((await save(bola, 'View 51')).status).toBe(400)
    expect((await save(bola, 'View 50', { status: 'sent' })).status).toBe(200)
    expect(await names(bola)).toHaveLength(50)
  })
})
