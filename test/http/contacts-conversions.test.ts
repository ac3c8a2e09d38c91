import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { transaction } from '../../src/db/transaction.ts'
import { newId } from '../../src/values/id.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** There, the node that has the rows waits. */
const on_cluster = inject('cluster') !== undefined

type Fault = { field: string; type: string; message: string }
type Conversion = {
  id: string
  status: string
  type: string
  format?: string
  options?: string[]
  rows: number
  fits: number
  unfit: number
  examples: { value: string; becomes: string }[]
  faults: { row_id: string; value: string; message: string; type: string }[]
  undo_until?: string
  fault?: string
  message: string
  errors: Fault[]
}
type Column = { id: string; name: string; type: string; options?: string[]; conversion_id?: string }
type Found = { rows: { id: string; columns: Record<string, string> }[]; table: { columns: Column[] } }

let service: TestService
let by: Organisation
let rows: Found['rows']

beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const PEOPLE = [
  { Name: 'Ada', Balance: '50,000', Joined: '25/12/2025', City: 'Lagos' },
  { Name: 'Bola', Balance: '120,000.50', Joined: '3/4/2026', City: 'Kano' },
  { Name: 'Chidi', Balance: '900', Joined: '1 June 2026', City: 'lagos' },
  { Name: 'Dayo' },
]
beforeEach(async () => {
  by = await service.organisation()
  for (const name of ['Balance', 'Joined', 'City']) await by.call('POST', '/lists/contact/columns', { name })
  const body = { rows: PEOPLE.map((columns) => ({ columns })) }
  rows = (await by.call<Found>('POST', '/lists/contact/rows/bulk', body)).body.rows
})

const path = (id: string) => `/lists/contact/conversions/${id}`
const convert = (column: string, body: object, who = by) =>
  who.call<Conversion>('POST', `/lists/contact/columns/${column}/conversions`, body)
const undo = (id: string, who = by) => who.call<Conversion>('POST', `${path(id)}/undo`)
const faults = (errors: Fault[]) => errors.map(({ field, type }) => `${field} ${type}`).sort()
const all = async (body: object = {}) => (await by.call<Found>('POST', '/lists/contact/rows/query', body)).body
const columnOf = async (name: string) => (await all()).table.columns.find((one) => one.name === name)
async function cells(name: string): Promise<string[]> {
  const { rows: found, table } = await all()
  const id = table.columns.find((column) => column.name === name)?.id ?? ''
  return found.map(({ columns }) => columns[id] ?? '').toReversed()
}
async function ended(id: string): Promise<Conversion> {
  return until('the conversion to end', async () => {
    const { body } = await by.call<Conversion>('GET', path(id))
    return !['checking', 'running'].includes(body.status) && body
  })
}
async function converted(column: string, body: object): Promise<Conversion> {
  const begun = await convert(column, body)
  expect(begun).toMatchObject({ status: 200 })
  return ended(begun.body.id)
}
const over_50000 = { name: 'Balance', operator: 'greater', value: '49,999'.replace(',', '') }

describe('POST /lists/contact/columns/{column_id}/conversions', () => {
  test('previews what becomes of the cells, and changes nothing', async () => {
    await by.call('PATCH', `/lists/contact/rows/${rows[3]?.id}`, { columns: { Balance: 'n/a' } })
    const checked = await converted('balance', { type: 'number', dry_run: true })
    expect(checked).toMatchObject({ status: 'checked', format: '1,234.5', rows: 4, fits: 3, unfit: 1 })
    expect(checked.examples.map(({ value, becomes }) => [value, becomes])).toEqual([
      ['50,000', '50000'],
      ['120,000.50', '120000.50'],
      ['900', '900'],
    ])
    expect(checked.faults).toEqual([
      { row_id: rows[3]?.id, value: 'n/a', message: 'This is not a number.', type: 'number_type' },
    ])
    expect(await columnOf('Balance')).toEqual({ id: expect.any(String), name: 'Balance', type: 'TEXT' })
    const failed = await converted('Balance', { type: 'NUMBER' })
    expect(failed).toMatchObject({ status: 'failed', fault: '1 of the cells do not fit NUMBER.' })
    expect(await cells('Balance')).toEqual(['50,000', '120,000.50', '900', 'n/a'])
    expect((await undo(failed.id)).status).toBe(409)
  })

  test('makes "balance over" and "joined before" lists of a column of texts', async () => {
    const numbers = await converted('Balance', { type: 'NUMBER' })
    expect(numbers).toMatchObject({ status: 'done', fits: 3, unfit: 0, undo_until: expect.any(String) })
    const dates = await converted('Joined', { type: 'DATE', format: 'dd/mm/yyyy' })
    expect(dates).toMatchObject({ status: 'done', format: 'DD/MM/YYYY' })
    expect(await cells('Balance')).toEqual(['50000', '120000.50', '900', ''])
    expect(await cells('Joined')).toEqual(['2025-12-25', '2026-04-03', '2026-06-01', ''])
    const filters = [over_50000, { name: 'Joined', operator: 'before', value: '2026-01-01' }]
    const list = await by.call<{ id: string; count: number }>('POST', '/lists/contact/smartlists', {
      name: 'Rich',
      filters,
    })
    expect(list.body.count).toBe(1)
    const found = await all({ smartlist_id: list.body.id, sort: '-Balance' })
    expect(found.rows.map(({ id }) => id)).toEqual([rows[0]?.id])
    expect((await columnOf('Balance'))?.conversion_id).toBe(numbers.id)
    // The list depends on the new type now.
    const late = await undo(numbers.id)
    expect(late.status).toBe(409)
    expect(late.body.message).toContain('The smartlist Rich')
  })

  test('is undone: previous cells are restored, and later ones kept if they fit', async () => {
    await by.call('PATCH', `/lists/contact/rows/${rows[3]?.id}`, { columns: { Balance: 'n/a' } })
    const done = await converted('Balance', { type: 'NUMBER', clear_unfit: true })
    expect(done).toMatchObject({ status: 'done', unfit: 1 })
    expect(await cells('Balance')).toEqual(['50000', '120000.50', '900', ''])
    await by.call('PATCH', `/lists/contact/rows/${rows[1]?.id}`, { columns: { Balance: 7 } })
    const added = await by.call<{ row: { id: string } }>('POST', '/lists/contact/rows', { columns: { Balance: 8 } })
    const undone = await undo(done.id)
    expect(undone).toMatchObject({ status: 200, body: { status: 'undone' } })
    expect(await cells('Balance')).toEqual(['50,000', '7', '900', 'n/a', '8'])
    expect(await columnOf('Balance')).toEqual({ id: expect.any(String), name: 'Balance', type: 'TEXT' })
    expect((await undo(done.id)).status).toBe(409)
    const { rows: found } = await all({ filters: [{ name: 'Balance', operator: 'equal', value: '8' }] })
    expect(found.map(({ id }) => id)).toEqual([added.body.row.id])
    await until('the converted cells to be deleted', async () => {
      const left = await service.db`
        select 1 from contact_cells join contact_conversions v using (organisation_id, number)
        where organisation_id = ${by.id} and v.id = ${done.id}`
      return left.length === 0
    })
  })

  test('becomes final when the time is over, or with the next conversion', async () => {
    const first = await converted('Balance', { type: 'NUMBER' })
    const second = await converted('Balance', { type: 'TEXT' })
    expect(await ended(first.id)).toMatchObject({ status: 'final' })
    expect(await cells('Balance')).toEqual(['50000', '120000.50', '900', ''])
    await service.db`
      update contact_conversions set undo_until = now() where organisation_id = ${by.id} and id = ${second.id}`
    expect((await undo(second.id)).status).toBe(409)
    await service.db`
      update jobs set run_at = now(), leased_until = now() where queue = 'contacts:convert' and subject_id = ${second.id}`
    await until('its end', async () => (await ended(second.id)).status === 'final')
    await until('one cell each', async () => {
      const left = await service.db<{ cells: number }[]>`
        select count(*)::integer as cells from contact_rows, jsonb_object_keys(cells)
        where organisation_id = ${by.id}`
      return left[0]?.cells === PEOPLE.flatMap((person) => Object.keys(person)).length
    })
  })

  test('makes options of the different values', async () => {
    const done = await converted('City', { type: 'SELECT' })
    expect(done).toMatchObject({ status: 'done', options: ['Kano', 'Lagos'] })
    expect(await cells('City')).toEqual(['Lagos', 'Kano', 'Lagos', ''])
    expect((await columnOf('City'))?.options).toEqual(['Kano', 'Lagos'])
    const changed = await by.call<Conversion>('PATCH', '/lists/contact/columns/City', { options: ['Jos'] })
    expect(changed.status).toBe(409)
    const several = await converted('City', { type: 'MULTI SELECT' })
    expect(several).toMatchObject({ status: 'done', options: ['Kano', 'Lagos'] })
    const { rows: found } = await all({ filters: [{ name: 'City', operator: 'is_any', value: 'Lagos' }] })
    expect(found).toHaveLength(2)
  })

  test('reports all faults, and asks how ambiguous dates are written', async () => {
    const wrong = await convert('Balance', { type: 'MONEY', format: 'x', clear_unfit: 'no' })
    expect(wrong.status).toBe(400)
    expect(faults(wrong.body.errors)).toEqual(['clear_unfit boolean_type', 'format enum', 'type enum'])
    expect(faults((await convert('Balance', { type: 'TEXT' })).body.errors)).toEqual(['type invalid'])
    expect(faults((await convert('Balance', {})).body.errors)).toEqual(['type missing'])
    const format = await convert('Balance', { type: 'DATE', format: '1,234.5', options: ['a'] })
    expect(faults(format.body.errors)).toEqual(['format enum', 'options invalid'])
    expect(faults((await convert('Email', { type: 'SELECT' })).body.errors)).toEqual(['options missing'])
    for (const row of [rows[0], rows[2]]) await by.call('DELETE', `/lists/contact/rows/${row?.id}`)
    const asked = await convert('Joined', { type: 'DATE' })
    expect(asked.status).toBe(400)
    expect(asked.body.errors).toEqual([
      {
        field: 'format',
        type: 'missing',
        message: 'The dates are ambiguous, as 03/04/2026 is: the format is DD/MM/YYYY or MM/DD/YYYY.',
      },
    ])
  })

  test('is refused while smartlists or campaigns need the present type, and names them', async () => {
    const filters = [{ any: [{ name: 'Balance', operator: 'contain', value: '0' }] }]
    await by.call('POST', '/lists/contact/smartlists', { name: 'With a zero', filters })
    const everybody = await by.call<{ id: string }>('POST', '/lists/contact/smartlists', { name: 'All', filters: [] })
    await by.call('POST', '/campaigns', {
      name: 'Autumn',
      content: 'Hello',
      smartlist_id: everybody.body.id,
      filters: [{ name: 'Balance', operator: 'start_with', value: '5' }],
    })
    const refused = await convert('Balance', { type: 'NUMBER', dry_run: true })
    expect(refused.status).toBe(400)
    expect(refused.body.errors.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'type: The smartlist With a zero filters by this column in a way that a NUMBER column cannot: change or delete it first.',
      'type: The campaign Autumn filters by this column in a way that a NUMBER column cannot: change or delete it first.',
    ])
    const phones = await convert('Mobile', { type: 'TEXT' })
    expect(phones.body.errors.map(({ message }) => message)).toEqual([
      'The campaign Autumn sends to the numbers in this column: change or delete it first.',
    ])
    expect((await convert('Balance', { type: 'URL', dry_run: true })).status).toBe(200)
  })

  test('belongs to its organisation', async () => {
    const done = await converted('Balance', { type: 'NUMBER' })
    const other = await service.organisation()
    expect((await convert(newId(), { type: 'NUMBER' })).status).toBe(404)
    expect((await by.call('GET', path(newId()))).status).toBe(404)
    expect((await other.call('GET', path(done.id))).status).toBe(404)
    expect((await undo(done.id, other)).status).toBe(404)
  })
})

test('a bulk change or an import that is running holds up a conversion and its undo', async () => {
  const done = await converted('Balance', { type: 'NUMBER' })
  await service.db`insert into contact_changes (organisation_id, id, action, row_ids)
    values (${by.id}, ${newId()}, 'delete', '{}')`
  expect((await undo(done.id)).status).toBe(409)
  expect((await convert('Joined', { type: 'DATE', format: 'DD/MM/YYYY' })).status).toBe(409)
  await service.db`delete from contact_changes where organisation_id = ${by.id}`
  expect((await undo(done.id)).status).toBe(200)
  expect(await cells('Balance')).toEqual(['50,000', '120,000.50', '900', ''])
})

test('a conversion that waits for a lock of its organisation delays neither writes nor conversions of a neighbour', async () => {
  const neighbour = await service.organisation()
  await neighbour.call('POST', '/lists/contact/columns', { name: 'Balance' })
  const row = await neighbour.call<{ row: { id: string } }>('POST', '/lists/contact/rows', {
    columns: { Balance: '1,000' },
  })
  const many = Array.from({ length: 1_000 }, (_, n) => ({ columns: { Balance: String(n) } }))
  await by.call('POST', '/lists/contact/rows/bulk', { rows: many })
  await by.call('POST', '/lists/contact/rows/bulk', { rows: many })
  const newest = (await all({ limit: 1 })).rows[0]?.id ?? ''
  const begun = await transaction(service.db, async (tx) => {
    // The last step cannot lock all its rows; it holds the others, and the conversion.
    await tx`select 1 from contact_rows where organisation_id = ${by.id} and id = ${newest} for update`
    const { body } = await convert('Balance', { type: 'NUMBER' })
    await until('the step that waits', async () => {
      const waiting = await service.db.unsafe(`
        select 1 from ${on_cluster ? 'citus_stat_activity' : 'pg_stat_activity'}
        where wait_event_type = 'Lock' and datname = current_database() and query ilike '%contact_rows%for update%'`)
      return waiting.length > 0
    })
    const written = await neighbour.call('PATCH', `/lists/contact/rows/${row.body.row.id}`, {
      columns: { Balance: '2,000' },
    })
    expect(written.status).toBe(200)
    expect((await neighbour.call('POST', '/lists/contact/rows/bulk', { rows: many })).status).toBe(200)
    const own = await convert('Balance', { type: 'NUMBER' }, neighbour)
    await until('the conversion of the neighbour', async () => {
      const { status } = (await neighbour.call<Conversion>('GET', path(own.body.id))).body
      return status === 'done'
    })
    expect((await by.call<Conversion>('GET', path(body.id))).body.status).toBe('running')
    return body
  })
  expect(await ended(begun.id)).toMatchObject({ status: 'done', fits: 2_003, unfit: 0 })
})
