import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/values/id.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'

type Fault = { field: string; type: string }
type Smartlist = {
  id: string
  name: string
  filters: { column_id: string; name: string; operator: string; value?: string | string[] }[]
  count: number
  updated_datetime?: string
  errors: Fault[]
}
type Found = { rows: { columns: Record<string, string> }[]; smartlist: Smartlist | null; errors: Fault[] }

let service: TestService
let by: Organisation
beforeAll(async () => {
  service = await openService({ workers: false })
  by = await service.organisation()
  const rows = ['Ada Obi', 'Adaeze Eze', 'Bola Ojo'].map((Name, n) => ({
    columns: { Name, Email: `p${n}@${n === 1 ? 'mail.ng' : 'gmail.com'}` },
  }))
  await by.call('POST', '/lists/contact/rows/bulk', { rows })
})
afterAll(() => service.close())

const faults = (errors: Fault[]) => errors.map(({ field, type }) => `${field} ${type}`).sort()
const save = (body: unknown, who = by) => who.call<Smartlist>('POST', '/lists/contact/smartlists', body)
const query = (body: unknown, who = by) => who.call<Found>('POST', '/lists/contact/rows/query', body)

describe('smartlists', () => {
  test('are saved, counted, read, changed, listed, used and deleted', async () => {
    const made = await save({ name: 'Adas', filters: [{ name: 'name', operator: 'START_WITH', value: 'ada' }] })
    expect(made.status).toBe(200)
    expect(made.body).toEqual({
      id: expect.any(String),
      name: 'Adas',
      filters: [{ column_id: expect.any(String), name: 'Name', operator: 'start_with', value: 'ada' }],
      created_datetime: expect.any(String),
      count: 2,
    })
    const path = `/lists/contact/smartlists/${made.body.id}`
    expect((await by.call('GET', path)).body).toEqual(made.body)

    const found = await query({
      smartlist_id: made.body.id,
      filters: [{ name: 'Email', operator: 'contain', value: 'gmail' }],
    })
    expect(found.body.rows.map(({ columns }) => Object.values(columns)[0])).toEqual(['Ada Obi'])
    expect(found.body.smartlist).toMatchObject({ id: made.body.id, name: 'Adas' })

    const changed = await by.call<Smartlist>('PATCH', path, {
      name: 'Gmail',
      filters: [{ name: 'Email', operator: 'end_with', value: '@gmail.com' }],
    })
    expect(changed.body).toMatchObject({ name: 'Gmail', count: 2, updated_datetime: expect.any(String) })
    expect((await query({ smartlist_id: made.body.id })).body.rows).toHaveLength(2)
    const renamed = await by.call<Smartlist>('PATCH', path, { name: 'Google' })
    expect(renamed.body.filters).toEqual(changed.body.filters)

    const listed = await by.call<{ smartlists: Smartlist[]; meta: { pagination: { count_total: number } } }>(
      'GET',
      '/lists/contact/smartlists?limit=1',
    )
    expect(listed.body.smartlists.map(({ name }) => name)).toEqual(['Google'])
    expect(listed.body.meta.pagination.count_total).toBe(1)

    const column = renamed.body.filters[0]?.column_id ?? ''
    const kept = await by.call<Smartlist>('DELETE', `/lists/contact/columns/${column}`)
    expect(kept.status).toBe(400)
    expect(faults(kept.body.errors)).toEqual(['column_id invalid'])

    expect((await by.call('DELETE', path)).status).toBe(204)
    expect((await by.call('GET', path)).status).toBe(404)
    expect((await query({ smartlist_id: made.body.id })).status).toBe(404)
  })

  test('store groups of filters, return current column names, and prevent the deletion of their columns', async () => {
    const of = await service.organisation()
    const column = await of.call<{ column: { id: string } }>('POST', '/lists/contact/columns', { name: 'City' })
    const { id } = column.body.column
    const rows = [{ City: 'Kano' }, { Name: 'Ada', City: 'Jos' }, { Name: 'Bola', City: 'Jos' }]
    await of.call('POST', '/lists/contact/rows/bulk', { rows: rows.map((columns) => ({ columns })) })
    const any = [
      { name: 'City', operator: 'equal', value: 'kano' },
      { name: 'Name', operator: 'equal', value: 'ada' },
    ]
    const made = await save({ name: 'Kano or Ada', filters: [{ any }] }, of)
    expect(made.body.count).toBe(2)
    await of.call('PATCH', `/lists/contact/columns/${id}`, { name: 'Town' })
    const read = await of.call<Smartlist>('GET', `/lists/contact/smartlists/${made.body.id}`)
    expect(read.body.filters).toMatchObject([{ any: [{ column_id: id, name: 'Town' }, { name: 'Name' }] }])
    expect((await query({ smartlist_id: made.body.id }, of)).body.rows).toHaveLength(2)
    expect((await of.call('DELETE', `/lists/contact/columns/${id}`)).status).toBe(400)
  })

  test('without filters contain all rows, and return null for absent filters', async () => {
    const { body } = await save({ name: 'All', filters: [] })
    expect(body.count).toBe(3)
    expect((await query({})).body.smartlist).toBeNull()
    expect((await query({ smartlist_id: '' })).body.smartlist).toBeNull()
  })

  test('belong to their organisation', async () => {
    const other = await service.organisation()
    const { body } = await save({ name: 'Mine', filters: [] })
    const path = `/lists/contact/smartlists/${body.id}`
    expect((await other.call('GET', path)).status).toBe(404)
    expect((await other.call('PATCH', path, { name: 'x' })).status).toBe(404)
    expect((await other.call('DELETE', path)).status).toBe(404)
    expect((await query({ smartlist_id: body.id }, other)).status).toBe(404)
    expect((await query({ smartlist_id: newId() })).status).toBe(404)
    expect((await query({ smartlist_id: 'x' })).status).toBe(404)
  })

  test.each([
    ['nothing', undefined, ['filters missing', 'name missing']],
    ['a blank name', { name: ' ', filters: [] }, ['name string_too_short']],
    ['a NUL in the name', { name: '\u0000', filters: [] }, ['name invalid']],
    ['a name that is taken', { name: 'ALL ', filters: [] }, ['name invalid']],
    [
      'bad filters',
      { name: 'x', filters: [{ name: 'Nothing', operator: 'equal', value: 'x' }, { name: 'Name', operator: 'is' }, 5] },
      ['filters[0].name unknown_column', 'filters[1].operator enum', 'filters[2] dict_type'],
    ],
  ])('are rejected with %s', async (_what, body, expected) => {
    const answer = await save(body)
    expect(answer.status).toBe(400)
    expect(faults(answer.body.errors)).toEqual(expected)
  })

  test('reject invalid changes', async () => {
    const { body } = await save({ name: 'Change me', filters: [] })
    const path = `/lists/contact/smartlists/${body.id}`
    expect(faults((await by.call<Smartlist>('PATCH', path, { name: 'All' })).body.errors)).toEqual(['name invalid'])
    expect((await by.call('PATCH', path, 'x', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await by.call('GET', '/lists/contact/smartlists?limit=0')).status).toBe(400)
  })
})
