import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/values/id.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'

type Template = {
  id: string
  version: number
  name: string
  content: string
  placeholders: { name: string; default?: string }[]
  updated_datetime?: string
  errors: { field: string; type: string }[]
}

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const words = { name: 'Shipped', content: 'Hello {{name|there}}, order {{order}} is on its way to {{ name }}.' }
const create = (body: unknown, by: Organisation = service) => by.call<Template>('POST', '/templates', body)
const read = (id: string, by: Organisation = service) => by.call<Template>('GET', `/templates/${id}`)
const faults = (body: Template) => body.errors.map(({ field, type }) => `${field} ${type}`).sort()

describe('a template', () => {
  test('is created, and returns its placeholders', async () => {
    const { status, body } = await create(words)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      version: 1,
      ...words,
      placeholders: [{ name: 'name' }, { name: 'order' }],
      created_datetime: expect.stringMatching(/\+00:00$/),
    })
    expect((await read(body.id)).body).toEqual(body)
  })

  test('has a new version after every change, and keeps the old ones', async () => {
    const { id } = (await create(words)).body
    const changed = await service.call<Template>('PATCH', `/templates/${id}`, { content: 'Gone.' })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({ id, version: 2, name: 'Shipped', content: 'Gone.', placeholders: [] })
    expect(changed.body.updated_datetime).toMatch(/\+00:00$/)
    const renamed = await service.call<Template>('PATCH', `/templates/${id}`, { name: 'Left' })
    expect(renamed.body).toMatchObject({ version: 3, name: 'Left', content: 'Gone.' })
    const again = await service.call<Template>('PATCH', `/templates/${id}`, { name: 'Left' })
    expect(again.body).toEqual(renamed.body)
    expect((await service.call<Template>('GET', `/templates/${id}?version=1`)).body).toMatchObject(words)
    expect((await service.call<Template>('GET', `/templates/${id}?version=2`)).body).toMatchObject({ content: 'Gone.' })
    expect((await service.call('GET', `/templates/${id}?version=4`)).status).toBe(404)
    expect((await read(id)).body).toEqual(renamed.body)
  })

  test('changed by concurrent requests has a version for each', async () => {
    const { id } = (await create(words)).body
    const changes = Array.from({ length: 8 }, (_, n) =>
      service.call<Template>('PATCH', `/templates/${id}`, { content: `Number ${n}` }),
    )
    const versions = (await Promise.all(changes)).map(({ body }) => body.version)
    expect(versions.sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('is deleted with all its versions', async () => {
    const { id } = (await create(words)).body
    const gone = await service.call('DELETE', `/templates/${id}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await read(id)).status).toBe(404)
    expect((await service.call('GET', `/templates/${id}?version=1`)).status).toBe(404)
    expect((await service.call('DELETE', `/templates/${id}`)).status).toBe(404)
    const [row] = await service.db`select count(*)::integer as count from template_versions where template_id = ${id}`
    expect(row?.count).toBe(0)
  })

  test('is not visible to another organisation', async () => {
    const { id } = (await create(words)).body
    const other = await service.organisation()
    expect((await read(id, other)).status).toBe(404)
    expect((await other.call('PATCH', `/templates/${id}`, { name: 'Mine' })).status).toBe(404)
    expect((await other.call('DELETE', `/templates/${id}`)).status).toBe(404)
    expect((await read(id)).body).toMatchObject({ name: 'Shipped' })
    const sent = await other.call('POST', '/sms/send', { recipients: '08031234567', template_id: id })
    expect(sent.status).toBe(404)
  })
})

test('templates are listed newest first, page by page', async () => {
  const by = await service.organisation()
  for (const name of ['One', 'Two', 'Three']) await create({ name, content: name }, by)
  type List = { templates: Template[]; meta: { pagination: Record<string, unknown> } }
  const first = await by.call<List>('GET', '/templates?limit=2')
  expect(first.body.templates.map(({ name }) => name)).toEqual(['Three', 'Two'])
  expect(first.body.meta).toMatchObject({
    method: 'GET',
    resource: '/templates',
    pagination: { next_page: 'True', count_total: 3 },
  })
  const next = await by.call<List>('GET', `/templates?limit=2&query_id=${String(first.body.meta.pagination.query_id)}`)
  expect(next.body.templates.map(({ name }) => name)).toEqual(['One'])
  expect((await by.call('GET', '/templates?limit=0')).status).toBe(400)
})

describe('is rejected', () => {
  test.each([
    ['nothing', {}, ['content missing', 'name missing']],
    ['empty words', { name: '', content: '' }, ['content string_too_short', 'name string_too_short']],
    ['blank words', { name: ' ', content: '\n' }, ['content string_too_short', 'name string_too_short']],
    ['NUL', { name: 'a\u0000', content: 'b\u0000' }, ['content invalid', 'name invalid']],
    ['a placeholder that is not closed', { name: 'a', content: 'Hello {{name' }, ['content invalid']],
    ['one that was never opened', { name: 'a', content: 'Hello {{first}} name}}' }, ['content invalid']],
    ['numbers', { name: 1, content: 2 }, ['content string_type', 'name string_type']],
    [
      'too much',
      { name: 'a'.repeat(201), content: 'b'.repeat(8_193) },
      ['content string_too_long', 'name string_too_long'],
    ],
  ])('%s', async (_, body, expected) => {
    const made = await create(body)
    expect(made.status).toBe(400)
    expect(faults(made.body)).toEqual(expected)
    if (Object.keys(body).length === 0) return
    const { id } = (await create(words)).body
    const changed = await service.call<Template>('PATCH', `/templates/${id}`, body)
    expect(faults(changed.body)).toEqual(expected)
    expect((await read(id)).body.version).toBe(1)
  })

  test('if it does not exist', async () => {
    for (const id of [newId(), 'nonsense']) {
      expect((await read(id)).status).toBe(404)
      expect((await service.call('PATCH', `/templates/${id}`, { name: 'x' })).status).toBe(404)
      expect((await service.call('DELETE', `/templates/${id}`)).status).toBe(404)
    }
    const { id } = (await create(words)).body
    expect((await service.call('GET', `/templates/${id}?version=x`)).status).toBe(400)
    expect((await service.call('GET', `/templates/${id}?version=0`)).status).toBe(400)
  })

  test('without a key or without the scope', async () => {
    expect((await service.call('GET', '/templates', undefined, { authorization: '' })).status).toBe(401)
    const by = await service.organisation({ scopes: ['otp'] })
    expect((await create(words, by)).status).toBe(403)
  })
})
