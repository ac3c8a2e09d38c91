import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/values/id.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'

type Fault = { field: string; type: string }
type Table = {
  id: string
  columns: { id: string; name: string; type: string }[]
  created_datetime: string
  updated_datetime?: string
}
type RowAnswer = {
  row: { id: string; columns: Record<string, string>; created_datetime: string; updated_datetime?: string }
  table: Table
  errors: Fault[]
}

const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/

let service: TestService
beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

const faults = (errors: Fault[]) => errors.map(({ field, type }) => `${field} ${type}`).sort()
const add = (columns: unknown, by: Organisation = service) =>
  by.call<RowAnswer>('POST', '/lists/contact/rows', { columns })
const idOf = (table: Table, name: string) => table.columns.find((column) => column.name === name)?.id ?? ''

describe('GET /lists/contact', () => {
  test('creates the default table on first use, once, also for ten concurrent requests', async () => {
    const by = await service.organisation()
    const answers = await Promise.all(Array.from({ length: 10 }, () => by.call<Table>('GET', '/lists/contact')))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const [first] = answers
    expect(first?.body).toEqual({
      id: expect.stringMatching(UUID7),
      columns: [
        { id: expect.stringMatching(UUID7), name: 'Name', type: 'TEXT' },
        { id: expect.stringMatching(UUID7), name: 'Email', type: 'EMAIL' },
        { id: expect.stringMatching(UUID7), name: 'Mobile', type: 'PHONE NUMBER' },
      ],
      created_datetime: expect.stringMatching(TIMESTAMP),
    })
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  test('belongs to its organisation', async () => {
    const other = await service.organisation()
    const [mine, theirs] = await Promise.all([
      service.call<Table>('GET', '/lists/contact'),
      other.call<Table>('GET', '/lists/contact'),
    ])
    expect(mine.body.id).not.toBe(theirs.body.id)
    const { body } = await add({ Name: 'Ada' })
    for (const segment of ['row', 'rows']) {
      const path = `/lists/contact/${segment}/${body.row.id}`
      expect((await other.call('GET', path)).status).toBe(404)
      expect((await other.call('PATCH', path, { columns: { Name: 'X' } })).status).toBe(404)
      expect((await other.call('DELETE', path)).status).toBe(404)
    }
  })

  test('needs a key with the scope', async () => {
    const bare = await fetch(`${service.url}/lists/contact`)
    expect(bare.status).toBe(401)
    const limited = await service.organisation({ scopes: ['sms'] })
    expect((await limited.call('GET', '/lists/contact')).status).toBe(403)
    expect((await service.call('DELETE', '/lists/contact')).status).toBe(405)
  })
})

describe('POST /lists/contact/rows', () => {
  test('stores the cells as given, by column id or name in any case', async () => {
    const { body: table } = await service.call<Table>('GET', '/lists/contact')
    const { status, body } = await add({
      [idOf(table, 'Name')]: 'Ada Obi',
      EMAIL: ' ada@example.com ',
      mobile: '+234 (803) 123-4567',
    })
    expect(status).toBe(200)
    expect(body.row).toEqual({
      id: expect.stringMatching(UUID7),
      columns: {
        [idOf(table, 'Name')]: 'Ada Obi',
        [idOf(table, 'Email')]: 'ada@example.com',
        [idOf(table, 'Mobile')]: '+234 (803) 123-4567',
      },
      created_datetime: expect.stringMatching(TIMESTAMP),
    })
    expect(body.table).toEqual(table)
  })

  test('accepts numbers and booleans as text, and omits empty cells', async () => {
    const { body } = await add({ Name: 42, Email: null, Mobile: '' })
    expect(Object.values(body.row.columns)).toEqual(['42'])
    expect(Object.values((await add({ Name: true })).body.row.columns)).toEqual(['true'])
    expect((await add({})).body.row.columns).toEqual({})
  })

  test('reports all errors together', async () => {
    const { status, body } = await add({
      Name: { first: 'Ada' },
      Email: 'ada@',
      Mobile: '12345',
      Nickname: 'x',
      'name ': 'again',
    })
    expect(status).toBe(400)
    expect(faults(body.errors)).toEqual([
      'columns.Email email_invalid',
      'columns.Mobile phone_invalid',
      'columns.Name string_type',
      'columns.Nickname unknown_column',
      'columns.name  invalid',
    ])
  })

  test.each([
    ['no body', undefined, ['columns missing']],
    ['a list', { columns: [] }, ['columns dict_type']],
    ['broken JSON', '{"columns":', ['body json_invalid']],
    ['too long a cell', { columns: { Name: 'x'.repeat(1_001) } }, ['columns.Name string_too_long']],
    ['a NUL character', { columns: { Name: 'a\u0000b' } }, ['columns.Name invalid']],
    ['half a character', '{"columns":{"Name":"\\ud800"}}', ['columns.Name invalid']],
  ])('rejects %s', async (_what, given, expected) => {
    const { status, body } = await service.call<RowAnswer>('POST', '/lists/contact/rows', given)
    expect(status).toBe(400)
    expect(faults(body.errors)).toEqual(expected)
  })

  test('rejects invalid JSON, and values that are too long', async () => {
    const csv = await service.call('POST', '/lists/contact/rows', 'Name\nAda', { 'content-type': 'text/csv' })
    expect(csv.status).toBe(415)
    const long = await service.call('POST', '/lists/contact/rows', { columns: { Name: 'x'.repeat(1024 * 1024) } })
    expect(long.status).toBe(413)
  })
})

const bulk = (rows: unknown, by: Organisation = service) =>
  by.call<{ rows: RowAnswer['row'][]; errors: Fault[] }>('POST', '/lists/contact/rows/bulk', { rows })

describe('POST /lists/contact/rows/bulk', () => {
  test('adds a thousand rows in order', async () => {
    const by = await service.organisation()
    const rows = Array.from({ length: 1_000 }, (_, n) => ({
      columns: { Name: `Person ${n}`, Mobile: `0803${1e6 + n}` },
    }))
    const { status, body } = await bulk(rows, by)
    expect(status).toBe(200)
    expect(body.rows.map(({ columns }) => Object.values(columns)[0])).toEqual(rows.map(({ columns }) => columns.Name))
    expect(body.rows.map(({ id }) => id)).toEqual(body.rows.map(({ id }) => id).sort())
    const [stored] = await service.db`
      select count(*)::integer as count from contact_rows where organisation_id = ${by.id}`
    expect(stored?.count).toBe(1_000)
  })

  test('adds none if one has an error, and names its index', async () => {
    const by = await service.organisation()
    const { status, body } = await bulk(
      [{ columns: { Name: 'Ada' } }, { columns: { Email: 'no' } }, {}, 5, { columns: { Nickname: 'x' } }],
      by,
    )
    expect(status).toBe(400)
    expect(faults(body.errors)).toEqual([
      'rows[1].columns.Email email_invalid',
      'rows[2].columns missing',
      'rows[3] dict_type',
      'rows[4].columns.Nickname unknown_column',
    ])
    const [stored] = await service.db`
      select count(*)::integer as count from contact_rows where organisation_id = ${by.id}`
    expect(stored?.count).toBe(0)
  })

  test('rejects no rows and too many', async () => {
    expect(faults((await bulk([])).body.errors)).toEqual(['rows greater_than_equal'])
    expect(faults((await bulk(Array.from({ length: 1_001 }, () => ({ columns: {} })))).body.errors)).toEqual([
      'rows less_than_equal',
    ])
    expect(faults((await bulk(undefined)).body.errors)).toEqual(['rows missing'])
    expect((await bulk([{ columns: { Name: 'x'.repeat(8 * 1024 * 1024) } }])).status).toBe(413)
    const csv = await service.call('POST', '/lists/contact/rows/bulk', 'x', { 'content-type': 'text/csv' })
    expect(csv.status).toBe(415)
  })
})

describe.each(['row', 'rows'])('/lists/contact/%s/{id}', (segment) => {
  const path = (id: string) => `/lists/contact/${segment}/${id}`

  test('reads, merges and deletes', async () => {
    const { body: made } = await add({ Name: 'Ada', Email: 'ada@example.com' })
    const read = await service.call<RowAnswer>('GET', path(made.row.id))
    expect(read.status).toBe(200)
    expect(read.body).toEqual(made)

    const patched = await service.call<RowAnswer>('PATCH', path(made.row.id), {
      columns: { name: 'Ada Obi', Email: null, Mobile: '0803 123 4567' },
    })
    expect(patched.status).toBe(200)
    const { table } = made
    expect(patched.body.row).toEqual({
      id: made.row.id,
      columns: { [idOf(table, 'Name')]: 'Ada Obi', [idOf(table, 'Mobile')]: '0803 123 4567' },
      created_datetime: made.row.created_datetime,
      updated_datetime: expect.stringMatching(TIMESTAMP),
    })
    expect((await service.call<RowAnswer>('GET', path(made.row.id))).body).toEqual(patched.body)

    const gone = await service.call('DELETE', path(made.row.id))
    expect(gone.status).toBe(204)
    expect(gone.text).toBe('')
    expect((await service.call('GET', path(made.row.id))).status).toBe(404)
    const left = await service.db`select 1 from contact_cells where row_id = ${made.row.id}`
    expect(left).toHaveLength(0)
  })

  test('responds with 404 for other rows', async () => {
    for (const id of [newId(), 'nonsense', '%00']) {
      expect((await service.call('GET', path(id))).status).toBe(404)
      expect((await service.call('PATCH', path(id), { columns: { Name: 'x' } })).status).toBe(404)
      expect((await service.call('DELETE', path(id))).status).toBe(404)
    }
  })

  test('rejects a change with all its errors, and changes nothing', async () => {
    const { body: made } = await add({ Name: 'Ada' })
    const { status, body } = await service.call<RowAnswer>('PATCH', path(made.row.id), {
      columns: { Name: 'Eve', Email: 'x', Nickname: 'y' },
    })
    expect(status).toBe(400)
    expect(faults(body.errors)).toEqual(['columns.Email email_invalid', 'columns.Nickname unknown_column'])
    expect((await service.call<RowAnswer>('GET', path(made.row.id))).body).toEqual(made)
    expect((await service.call('PATCH', path(made.row.id), 'x', { 'content-type': 'text/csv' })).status).toBe(415)
    const long = { columns: { Name: 'x'.repeat(1024 * 1024) } }
    expect((await service.call('PATCH', path(made.row.id), long)).status).toBe(413)
  })

  test('merges concurrent changes', async () => {
    const { body: made } = await add({})
    const changes = [{ Name: 'Ada' }, { Email: 'ada@example.com' }, { Mobile: '08031234567' }]
    await Promise.all(changes.map((columns) => service.call('PATCH', path(made.row.id), { columns })))
    const { body } = await service.call<RowAnswer>('GET', path(made.row.id))
    expect(Object.values(body.row.columns)).toEqual(['Ada', 'ada@example.com', '08031234567'])
  })
})
