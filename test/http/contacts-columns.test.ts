import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { until } from '../support/until.ts'

type Fault = { field: string; type: string }
type Column = { id: string; name: string; type: string; options?: string[] }
type Answer = { column: Column; table: { columns: Column[]; updated_datetime?: string }; errors: Fault[] }
type RowAnswer = { row: { id: string; columns: Record<string, string> }; errors: Fault[] }

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const faults = (errors: Fault[]) => errors.map(({ field, type }) => `${field} ${type}`).sort()
const add = (body: unknown, by: Organisation = service) => by.call<Answer>('POST', '/lists/contact/columns', body)
const change = (id: string, body: unknown) => service.call<Answer>('PATCH', `/lists/contact/columns/${id}`, body)
const addRow = (columns: unknown, by: Organisation = service) =>
  by.call<RowAnswer>('POST', '/lists/contact/rows', { columns })

describe('columns', () => {
  test('are added, listed, renamed and deleted with their cells', async () => {
    const by = await service.organisation()
    const made = await add({ name: ' City ', type: 'select', options: ['Lagos', 'Abuja'] }, by)
    expect(made.status).toBe(200)
    const { column } = made.body
    expect(column).toEqual({ id: expect.any(String), name: 'City', type: 'SELECT', options: ['Lagos', 'Abuja'] })
    expect(made.body.table.columns).toHaveLength(4)
    expect(made.body.table.updated_datetime).toMatch(/\+00:00$/)
    const listed = await by.call<{ columns: Column[]; meta: object }>('GET', '/lists/contact/columns')
    expect(listed.body.columns).toEqual(made.body.table.columns)
    expect(listed.body.meta).toEqual({ method: 'GET', resource: '/lists/contact/columns' })

    const { body: row } = await addRow({ City: 'lagos' }, by)
    expect(row.row.columns[column.id]).toBe('Lagos')
    const renamed = await by.call<Answer>('PATCH', `/lists/contact/columns/${column.id}`, { name: 'Town' })
    expect(renamed.body.column).toEqual({ ...column, name: 'Town' })
    const fewer = await by.call<Answer>('PATCH', '/lists/contact/columns/town', { options: ['Kano'] })
    expect(fewer.body.column.options).toEqual(['Kano'])
    expect((await addRow({ Town: 'Lagos' }, by)).status).toBe(400)
    const kept = await by.call<RowAnswer>('GET', `/lists/contact/row/${row.row.id}`)
    expect(kept.body.row.columns[column.id]).toBe('Lagos')

    expect((await by.call('DELETE', `/lists/contact/columns/${column.id}`)).status).toBe(204)
    const after = await by.call<RowAnswer>('GET', `/lists/contact/row/${row.row.id}`)
    expect(after.body.row.columns).toEqual({})
    expect((await by.call('DELETE', `/lists/contact/columns/${column.id}`)).status).toBe(404)
    await until('the cells to be cleared', async () => {
      const [left] = await service.db`
        select count(*)::integer as count from contact_cells where row_id = ${row.row.id}`
      const [stored] = await service.db`select cells, keys from contact_rows where id = ${row.row.id}`
      return left?.count === 0 && JSON.stringify([stored?.cells, stored?.keys]) === '[{},{}]'
    })
    const again = await add({ name: 'Town' }, by)
    const fresh = await by.call<RowAnswer>('GET', `/lists/contact/row/${row.row.id}`)
    expect(fresh.body.row.columns[again.body.column.id]).toBeUndefined()
  })

  test('are reordered for all users, and a new one is added at the end', async () => {
    const by = await service.organisation()
    const path = (name: string) => `/lists/contact/columns/${name}`
    const order = ({ table }: Answer) => table.columns.map(({ name }) => name)
    const move = async (name: string, position: number) =>
      order((await by.call<Answer>('PATCH', path(name), { position })).body)
    await add({ name: 'City' }, by)
    expect(await move('Mobile', 1)).toEqual(['Mobile', 'Name', 'Email', 'City'])
    expect(await move('Mobile', 2)).toEqual(['Name', 'Mobile', 'Email', 'City'])
    expect(await move('name', 100)).toEqual(['Mobile', 'Email', 'City', 'Name'])
    await by.call('DELETE', path('Email'))
    expect(order((await add({ name: 'Town' }, by)).body)).toEqual(['Mobile', 'City', 'Name', 'Town'])
    const listed = await by.call<{ columns: Column[] }>('GET', '/lists/contact/columns')
    expect(listed.body.columns.map(({ name }) => name)).toEqual(['Mobile', 'City', 'Name', 'Town'])
    const wrong = await by.call<Answer>('PATCH', path('Town'), { position: 0 })
    expect(faults(wrong.body.errors)).toEqual(['position greater_than_equal'])
  })

  test.each([
    ['nothing', undefined, ['name missing']],
    ['a blank name', { name: ' ' }, ['name string_too_short']],
    ['an empty name', { name: '' }, ['name string_too_short']],
    ['a long name', { name: 'x'.repeat(101) }, ['name string_too_long']],
    ['a name that is taken', { name: ' EMAIL' }, ['name invalid']],
    ['a NUL in the name', { name: 'a\u0000' }, ['name invalid']],
    ['an unknown type', { name: 'A', type: 'COLOUR' }, ['type enum']],
    ['no options', { name: 'A', type: 'SELECT' }, ['options missing']],
    ['an empty list of options', { name: 'A', type: 'SELECT', options: [] }, ['options greater_than_equal']],
    [
      'bad options',
      { name: 'A', type: 'MULTI SELECT', options: ['a', 'A ', 'b,c', 5, ''] },
      ['options[1] invalid', 'options[2] invalid', 'options[3] string_type', 'options[4] string_too_short'],
    ],
  ])('are rejected with %s', async (_what, body, expected) => {
    const answer = await add(body)
    expect(answer.status).toBe(400)
    expect(faults(answer.body.errors)).toEqual(expected)
  })

  test('reject invalid changes', async () => {
    const { body } = await add({ name: 'Notes' })
    expect(faults((await change(body.column.id, { name: 'mobile' })).body.errors)).toEqual(['name invalid'])
    expect(faults((await change(body.column.id, { options: ['a'] })).body.errors)).toEqual(['options invalid'])
    expect((await change('nothing', { name: 'x' })).status).toBe(404)
    expect((await service.call('PATCH', '/lists/contact/columns/x', 'x', { 'content-type': 'text/csv' })).status).toBe(
      415,
    )
  })

  test('are limited to a hundred, also when many are added concurrently', async () => {
    const by = await service.organisation()
    const answers = await Promise.all(Array.from({ length: 105 }, (_, n) => add({ name: `Column ${n}` }, by)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(97)
    const refused = answers.find(({ status }) => status === 400)
    expect(faults(refused?.body.errors ?? [])).toEqual(['columns less_than_equal'])
  })

  test('validate their cells', async () => {
    const by = await service.organisation()
    await add({ name: 'Age', type: 'NUMBER' }, by)
    await add({ name: 'Born', type: 'DATE' }, by)
    await add({ name: 'Site', type: 'URL' }, by)
    await add({ name: 'Tags', type: 'MULTI SELECT', options: ['Red', 'Green', 'Blue'] }, by)
    await add({ name: 'Size', type: 'SELECT', options: ['S', 'M'] }, by)
    const good = await addRow(
      { Age: '-1.50', Born: '1990-02-28', Site: 'https://example.com/x', Tags: ['blue', 'RED', 'red'], Size: 'm' },
      by,
    )
    expect(Object.values(good.body.row.columns)).toEqual([
      '-1.50',
      '1990-02-28',
      'https://example.com/x',
      'Red, Blue',
      'M',
    ])
    const bad = await addRow({ Age: 'old', Born: '1990-02-30', Site: 'example', Tags: 'Red, Pink', Size: 'XL' }, by)
    expect(faults(bad.body.errors)).toEqual([
      'columns.Age number_type',
      'columns.Born date_invalid',
      'columns.Site url_parsing',
      'columns.Size enum',
      'columns.Tags enum',
    ])
    expect(faults((await addRow({ Tags: [5] }, by)).body.errors)).toEqual(['columns.Tags string_type'])
  })
})
