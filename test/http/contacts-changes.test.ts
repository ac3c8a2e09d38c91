import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../src/values/id.ts'
import { person } from '../support/person.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

type Fault = { field: string; type: string }
type Change = {
  id: string
  status: string
  rows: number
  restored: number
  not_restored: number
  undo_until?: string
  fault?: string
  message: string
  errors: Fault[]
}
type Row = { id: string; columns: Record<string, string>; created_datetime: string; updated_datetime?: string }
type Found = { rows: Row[]; table: { columns: { id: string; name: string }[] } }

let service: TestService
let by: Organisation
let rows: Row[]

beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

beforeEach(async () => {
  by = await service.organisation()
  const people = ['Ada', 'Bola', 'Chidi', 'Dayo'].map((Name, n) => ({
    columns: { Name, Email: n < 2 ? `${Name}@mail.ng` : '', Mobile: `0803123456${n}` },
  }))
  rows = (await by.call<Found>('POST', '/lists/contact/rows/bulk', { rows: people })).body.rows
})

const PATH = '/lists/contact/changes'
const faults = (errors: Fault[]) => errors.map(({ field, type }) => `${field} ${type}`).sort()
const change = (body: object, who = by) => who.call<Change>('POST', PATH, body)
const undo = (id: string, who = by) => who.call<Change>('POST', `${PATH}/${id}/undo`)
const all = async (body: object = {}) => (await by.call<Found>('POST', '/lists/contact/rows/query', body)).body
const cells = async (name: string) => {
  const { rows: found, table } = await all()
  const id = table.columns.find((column) => column.name === name)?.id ?? ''
  return found.map(({ columns }) => columns[id] ?? '').toReversed()
}
const id = (n: number) => rows[n]?.id ?? ''

describe('a change of many rows', () => {
  test('sets one cell of the named rows, which are then found by it, and is undone', async () => {
    const before = await all()
    const made = await change({ action: 'set', columns: { email: 'all@mail.ng' }, row_ids: [id(0), id(2), newId()] })
    expect(made.status).toBe(200)
    expect(made.body).toMatchObject({ status: 'done', rows: 2, restored: 0, not_restored: 0 })
    expect(await cells('Email')).toEqual(['all@mail.ng', 'Bola@mail.ng', 'all@mail.ng', ''])
    const found = await all({ filters: [{ name: 'Email', operator: 'equal', value: 'ALL@mail.ng' }] })
    expect(found.rows).toHaveLength(2)

    const back = await undo(made.body.id)
    expect(back.body).toMatchObject({ status: 'undone', restored: 2, not_restored: 0 })
    expect((await all()).rows.map(({ columns }) => columns)).toEqual(before.rows.map(({ columns }) => columns))
    expect((await all({ filters: [{ name: 'Email', operator: 'equal', value: 'ada@mail.ng' }] })).rows).toHaveLength(1)
    expect((await all({ filters: [{ name: 'Email', operator: 'equal', value: 'all@mail.ng' }] })).rows).toEqual([])
    const again = await undo(made.body.id)
    expect([again.status, again.body.message]).toEqual([409, 'This change was undone already.'])
  })

  test('clears cells, and counts only rows whose value differed', async () => {
    const made = await change({ action: 'set', columns: { Email: '' }, query: {} })
    expect(made.body).toMatchObject({ status: 'done', rows: 2 })
    expect(await cells('Email')).toEqual(['', '', '', ''])
  })

  test('deletes the rows a query finds, without the exceptions; an undo restores them unchanged', async () => {
    const before = await all()
    const query = {
      search: '0803123',
      filters: [{ name: 'Name', operator: 'not_equal', value: 'Dayo' }],
      except: [id(1)],
    }
    const made = await change({ action: 'delete', query })
    expect(made.body).toMatchObject({ status: 'done', rows: 2 })
    expect(await cells('Name')).toEqual(['Bola', 'Dayo'])
    expect(await service.db`select 1 from contact_cells where row_id = ${id(0)}`).toHaveLength(0)
    expect((await undo(made.body.id)).body).toMatchObject({ restored: 2, not_restored: 0 })
    expect((await all()).rows).toEqual(before.rows)
    expect((await all({ search: 'chidi' })).rows).toHaveLength(1)
  })

  test('undone, keeps cells that were changed since', async () => {
    const made = await change({ action: 'set', columns: { Email: 'all@mail.ng' }, query: {} })
    await by.call('PATCH', `/lists/contact/rows/${id(0)}`, { columns: { Email: 'mine@mail.ng' } })
    await by.call('PATCH', `/lists/contact/rows/${id(1)}`, { columns: { Name: 'Bolanle' } })
    await by.call('DELETE', `/lists/contact/rows/${id(3)}`)
    expect((await undo(made.body.id)).body).toMatchObject({ restored: 2, not_restored: 2 })
    expect(await cells('Email')).toEqual(['mine@mail.ng', 'Bola@mail.ng', ''])
    expect(await cells('Name')).toEqual(['Ada', 'Bolanle', 'Chidi'])
  })

  test('can be undone until the next change, and within the undo window', async () => {
    const first = await change({ action: 'delete', row_ids: [id(0)] })
    const second = await change({ action: 'delete', row_ids: [id(1)] })
    const late = await undo(first.body.id)
    expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('too late')])
    await service.db`
      update contact_changes set undo_until = now() - interval '1 second' where id = ${second.body.id}`
    expect((await undo(second.body.id)).status).toBe(409)
    expect(await cells('Name')).toEqual(['Chidi', 'Dayo'])
    await service.db`update jobs set run_at = now() where queue = 'contacts:change' and organisation_id = ${by.id}`
    await until('the previous values to be deleted', async () => {
      const kept = await service.db`select 1 from contact_change_rows where organisation_id = ${by.id}`
      return kept.length === 0
    })
  })

  test('belongs to its user: others cannot read or undo it', async () => {
    const [ada, bola] = [await person(service, by.id), await person(service, by.id)]
    const made = await ada.call<Change>('POST', PATH, { action: 'delete', row_ids: [id(0)] })
    expect(made.status).toBe(200)
    expect((await bola.call('POST', `${PATH}/${made.body.id}/undo`)).status).toBe(404)
    expect((await by.call('GET', `${PATH}/${made.body.id}`)).status).toBe(404)
    // Another user's change does not affect it.
    await bola.call('POST', PATH, { action: 'delete', row_ids: [id(1)] })
    expect((await ada.call<Change>('POST', `${PATH}/${made.body.id}/undo`)).body).toMatchObject({ restored: 1 })
    expect(await cells('Name')).toEqual(['Ada', 'Chidi', 'Dayo'])
  })

  test('of thousands of rows continues in the background, and stops if its column is deleted', async () => {
    for (let n = 0; n < 3; n += 1) {
      const more = Array.from({ length: 1_000 }, (_, m) => ({ columns: { Name: `Person ${n * 1_000 + m}` } }))
      await by.call('POST', '/lists/contact/rows/bulk', { rows: more })
    }
    const made = await change({ action: 'set', columns: { Name: 'Everybody' }, query: {} })
    const ended = await until('the change to end', async () => {
      const { body } = await by.call<Change>('GET', `${PATH}/${made.body.id}`)
      return body.status === 'done' ? body : undefined
    })
    expect(ended.rows).toBe(3_004)
    await undo(made.body.id)
    await until('it to be undone', async () => {
      const { body } = await by.call<Change>('GET', `${PATH}/${made.body.id}`)
      return body.status === 'undone' && body.restored === 3_004
    })
    expect((await all({ search: 'everybody' })).rows).toEqual([])

    const [stopped] = await service.db<{ id: string }[]>`
      insert into contact_changes (organisation_id, id, action, number, value, key, query, row_ids)
      values (${by.id}, ${newId()}, 'set', 99, 'x', 'x', '{"filters": []}', '{}') returning id`
    await service.db`
      insert into jobs (queue, priority, lane, organisation_id, subject_id, subject_key, run_at)
      values ('contacts:change', 1, ${by.id}, ${by.id}, ${stopped?.id}, '', now())`
    await until('it to stop', async () => {
      const { body } = await by.call<Change>('GET', `${PATH}/${stopped?.id}`)
      return body.fault === 'The column was deleted.'
    })
  })

  test.each<[string, object, string[]]>([
    ['nothing', {}, ['action missing', 'row_ids missing']],
    ['no column', { action: 'set', query: {} }, ['columns missing']],
    ['two columns', { action: 'set', columns: { Name: 'a', Email: '' }, query: {} }, ['columns less_than_equal']],
    ['a bad value', { action: 'set', columns: { Mobile: 'x' }, query: {} }, ['columns.Mobile phone_invalid']],
    ['an unknown column', { action: 'set', columns: { Town: 'x' }, query: {} }, ['columns.Town unknown_column']],
    ['cells of what is deleted', { action: 'delete', columns: { Name: 'x' }, query: {} }, ['columns invalid']],
    ['both', { action: 'delete', row_ids: [newId()], query: {} }, ['row_ids invalid']],
    ['no id', { action: 'delete', row_ids: ['x'] }, ['row_ids[0] invalid']],
    ['too many', { action: 'delete', row_ids: Array(10_001).fill(newId()) }, ['row_ids less_than_equal']],
    [
      'a bad query and a bad value',
      { action: 'set', columns: { Mobile: 'x' }, query: { filters: [{ name: 'Town', operator: 'empty' }] } },
      ['columns.Mobile phone_invalid', 'query.filters[0].name unknown_column'],
    ],
  ])('is rejected with %s', async (_what, body, expected) => {
    const { status, body: answer } = await change(body)
    expect([status, faults(answer.errors)]).toEqual([400, expected])
    expect(await cells('Name')).toHaveLength(4)
  })

  test('of an unknown list is rejected, and does not delete all rows', async () => {
    expect((await change({ action: 'delete', query: { smartlist_id: newId() } })).status).toBe(404)
    expect(await cells('Name')).toHaveLength(4)
  })
})
