import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService, type Organisation } from '../support/service.ts'

type Fault = { field: string; type: string }
type Row = { id: string; columns: Record<string, string> }
type Pagination = {
  next_page: string
  prev_page: string
  per_page: number
  count_total: number
  page_total: number
  page: number
  query_id: string
}
type Found = {
  rows: Row[]
  table: { columns: { id: string; name: string }[] }
  smartlist: null
  meta: { method: string; resource: string; pagination: Pagination }
  errors: Fault[]
}

let service: TestService
let by: Organisation
let names: (rows: Row[]) => string[]

const PEOPLE = [
  { Name: 'Ada Obi', Email: 'ada@gmail.com', Mobile: '0803 123 4567', Age: '31', Born: '1995-03-01', Tags: 'vip,new' },
  { Name: 'ADAEZE Eze', Email: 'eze@mail.ng', Mobile: '+2348051234567', Age: '9', Born: '2017-01-15T10:00:00+01:00' },
  { Name: '100% Bola_Ojo', Email: 'Bola@Gmail.com', Mobile: '234 703 000 0001', Age: '-2.5', Tags: 'vip' },
  { Name: 'Ọlá Ńkem', Mobile: '+44 7700 900123', Age: '1e3', Born: '1980-12-31', Tags: 'old' },
  { Email: 'nameless@example.com' },
]

beforeAll(async () => {
  service = await openService({ workers: false })
  by = await service.organisation()
  for (const column of [
    { name: 'Age', type: 'NUMBER' },
    { name: 'Born', type: 'DATE' },
    { name: 'Tags', type: 'MULTI SELECT', options: ['vip', 'new', 'old'] },
  ]) {
    await by.call('POST', '/lists/contact/columns', column)
  }
  const rows = PEOPLE.map((columns) => ({ columns }))
  const { body } = await by.call<Found>('POST', '/lists/contact/rows/bulk', { rows })
  const name_id = body.table.columns[0]?.id ?? ''
  names = (found) => found.map(({ columns }) => columns[name_id]?.split(' ')[0] ?? '-')
})
afterAll(() => service.close())

const faults = (errors: Fault[]) => errors.map(({ field, type }) => `${field} ${type}`).sort()
const query = (body: unknown, params = '', who = by) =>
  who.call<Found>('POST', `/lists/contact/rows/query${params}`, body)
const filtered = async (name: string, operator: string, value?: unknown) => {
  const answer = await query({ filters: [{ name, operator, value }] })
  expect(answer.status).toBe(200)
  expect(answer.body.meta.pagination.count_total).toBe(answer.body.rows.length)
  return names(answer.body.rows)
}

const [ADA, EZE, BOLA, OLA, NONE] = ['Ada', 'ADAEZE', '100%', 'Ọlá', '-']

describe('POST /lists/contact/rows/query', () => {
  test('responds in the shape of the reference, newest first', async () => {
    const { status, body } = await query(undefined)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['rows', 'table', 'smartlist', 'meta'])
    expect(names(body.rows)).toEqual([NONE, OLA, BOLA, EZE, ADA])
    expect(body.smartlist).toBeNull()
    expect(body.meta).toEqual({
      method: 'POST',
      resource: '/lists/contact/rows/query',
      pagination: {
        next_page: 'False',
        prev_page: 'False',
        per_page: 100,
        count_total: 5,
        page_total: 1,
        page: 1,
        query_id: expect.any(String),
      },
    })
    const { body: table } = await by.call('GET', '/lists/contact')
    expect(body.table).toEqual(table)
    expect((await by.call<Found>('GET', '/lists/contact/rows')).body.rows).toEqual(body.rows)
  })

  test.each<[string, string, unknown, (string | undefined)[]]>([
    ['Name', 'equal', 'ada obi', [ADA]],
    ['Name', 'not_equal', 'ada obi', [NONE, OLA, BOLA, EZE]],
    ['Name', 'contain', 'ADA', [EZE, ADA]],
    ['name', 'contain', 'z', [EZE]],
    ['Name', 'contain', '%', [BOLA]],
    ['Name', 'contain', '_', [BOLA]],
    ['Name', 'contain', '0% bola_o', [BOLA]],
    ['Name', 'contain', '\\', []],
    ['Name', 'not_contain', 'ada', [NONE, OLA, BOLA]],
    ['Name', 'start_with', 'ọlá', [OLA]],
    ['Name', 'start_with', '100%', [BOLA]],
    ['Name', 'end_with', 'ŃKEM', [OLA]],
    ['Name', 'end_with', 'N\u0301kem', [OLA]],
    ['Name', 'empty', undefined, [NONE]],
    ['Name', 'not_empty', undefined, [OLA, BOLA, EZE, ADA]],
    ['Name', 'is_any', 'ada obi, ADAEZE EZE', [EZE, ADA]],
    ['Name', 'is_any', ['Ada Obi'], [ADA]],
    ['Name', 'is_none_of', ['ada obi', 'adaeze eze'], [NONE, OLA, BOLA]],
    ['Email', 'end_with', '@GMAIL.COM', [BOLA, ADA]],
    ['Mobile', 'equal', '+234 803-123-4567', [ADA]],
    ['Mobile', 'equal', '08051234567', [EZE]],
    ['Mobile', 'start_with', '0803', [ADA]],
    ['Mobile', 'start_with', '+23470', [BOLA]],
    ['Mobile', 'start_with', '0044', [OLA]],
    ['Mobile', 'contain', '0805', [EZE]],
    ['Mobile', 'contain', '123', [OLA, EZE, ADA]],
    ['Mobile', 'not_contain', '080', [NONE, OLA, BOLA]],
    ['Mobile', 'end_with', '4567', [EZE, ADA]],
    ['Mobile', 'end_with', '08031234567', [ADA]],
    ['Mobile', 'contain', 'abc', []],
    ['Mobile', 'is_any', '08031234567,447700900123', [OLA, ADA]],
    ['Age', 'equal', '31.0', [ADA]],
    ['Age', 'greater', 9, [OLA, ADA]],
    ['Age', 'less', '9', [BOLA]],
    ['Age', 'is_none_of', '31,9', [NONE, OLA, BOLA]],
    ['Born', 'before', '1995-03-01', [OLA]],
    ['Born', 'after', '1995-02-28', [EZE, ADA]],
    ['Born', 'equal', '2017-01-15T09:00:00Z', [EZE]],
    ['Tags', 'is_any', 'new,old', [OLA, ADA]],
    ['Tags', 'is_any', 'VIP', [BOLA, ADA]],
    ['Tags', 'is_none_of', 'vip', [NONE, OLA, EZE]],
    ['Tags', 'equal', 'new, vip', [ADA]],
    ['Tags', 'equal', 'vip', [BOLA]],
    ['Tags', 'contain', 'ol', [OLA]],
  ])('finds %s %s %j', async (name, operator, value, expected) => {
    expect(await filtered(name, operator, value)).toEqual(expected)
  })

  test('combines filters with AND, and resolves a column by id before its name', async () => {
    const { body: all } = await query({})
    const column_id = all.table.columns.find(({ name }) => name === 'Email')?.id
    const both = [
      { column_id, name: 'Name', operator: 'contain', value: 'gmail' },
      { name: 'Tags', operator: 'is_any', value: 'new' },
    ]
    expect(names((await query({ filters: both })).body.rows)).toEqual([ADA])
  })

  test('finds rows that match one filter of a group', async () => {
    const group = {
      any: [
        { name: 'Mobile', operator: 'start_with', value: '+44' },
        { name: 'Name', operator: 'contain', value: 'ada' },
        { name: 'Name', operator: 'empty' },
      ],
    }
    expect(names((await query({ filters: [group] })).body.rows)).toEqual([NONE, OLA, EZE, ADA])
    const tagged = { any: [{ name: 'Tags', operator: 'is_any', value: 'vip' }] }
    expect(names((await query({ filters: [group, tagged] })).body.rows)).toEqual([ADA])
  })

  test.each<[string, (string | undefined)[]]>([
    ['ada', [EZE, ADA]],
    ['  ADA   gmail ', [ADA]],
    ['ada mail.ng', [EZE]],
    ['0803 123 4567', [ADA]],
    ['+44 (7700)', [OLA]],
    ['0803', [ADA]],
    ['ọlá', [OLA]],
    ['100%', [BOLA]],
    ['31', [ADA]],
    ['1980', [OLA]],
    ['2017-01-15', [EZE]],
    ['old', [OLA]],
    ['a', [EZE, ADA]],
    ['ola', [BOLA]],
    ['nobody', []],
    ['%', []],
    ['', [NONE, OLA, BOLA, EZE, ADA]],
  ])('searches all cells for %j', async (search, expected) => {
    const { body } = await query({ search })
    expect(names(body.rows)).toEqual(expected)
    expect(body.meta.pagination.count_total).toBe(expected.length)
    const listed = await by.call<Found>('GET', `/lists/contact/rows?search=${encodeURIComponent(search)}`)
    expect(names(listed.body.rows)).toEqual(expected)
    const exported = await by.call('POST', '/lists/contact/rows/export', { search })
    expect(exported.text.trim().split('\n')).toHaveLength(expected.length + 1)
  })

  test.each([
    ['a text', { filters: 'x' }, ['filters list_type']],
    ['no column', { filters: [{ operator: 'empty' }] }, ['filters[0].column_id missing']],
    ['no operator', { filters: [{ name: 'Name' }] }, ['filters[0].operator missing']],
    ['no value', { filters: [{ name: 'Name', operator: 'equal' }] }, ['filters[0].value missing']],
    [
      'an empty value',
      { filters: [{ name: 'Name', operator: 'contain', value: '' }] },
      ['filters[0].value string_too_short'],
    ],
    [
      'an empty list',
      { filters: [{ name: 'Name', operator: 'is_any', value: [] }] },
      ['filters[0].value string_too_short'],
    ],
    [
      'a list for one',
      { filters: [{ name: 'Name', operator: 'equal', value: ['a'] }] },
      ['filters[0].value string_type'],
    ],
    ['an object', { filters: [{ name: 'Name', operator: 'equal', value: {} }] }, ['filters[0].value string_type']],
    ['a NUL', { filters: [{ name: 'Name', operator: 'equal', value: '\u0000' }] }, ['filters[0].value invalid']],
    [
      'a long value',
      { filters: [{ name: 'Name', operator: 'equal', value: 'x'.repeat(1_001) }] },
      ['filters[0].value string_too_long'],
    ],
    [
      'an unknown operator',
      { filters: [{ name: 'Name', operator: 'like', value: 'x' }] },
      ['filters[0].operator enum'],
    ],
    [
      'an operator that is no text',
      { filters: [{ name: 'Name', operator: { toString: 2 }, value: 'x' }] },
      ['filters[0].operator string_type'],
    ],
    [
      'the operator of another type',
      { filters: [{ name: 'Name', operator: 'greater', value: '1' }] },
      ['filters[0].operator enum'],
    ],
    [
      'text where a number is due',
      { filters: [{ name: 'Age', operator: 'less', value: 'x' }] },
      ['filters[0].value number_type'],
    ],
    [
      'text where a date is due',
      { filters: [{ name: 'Born', operator: 'after', value: 'x' }] },
      ['filters[0].value date_invalid'],
    ],
    [
      'an unknown column',
      { filters: [{ column_id: 'x', operator: 'empty' }] },
      ['filters[0].column_id unknown_column'],
    ],
    [
      'too many filters',
      { filters: Array.from({ length: 21 }, () => ({ name: 'Name', operator: 'empty' })) },
      ['filters less_than_equal'],
    ],
    [
      'faults in a group',
      {
        filters: [
          { any: [{ name: 'Name', operator: 'equal' }, { name: 'Town', operator: 'empty' }, { name: 'Name' }, 5] },
          { any: [] },
          { any: [{ name: 'Name', operator: 'empty' }], name: 'Name' },
        ],
      },
      [
        'filters[0].any[0].value missing',
        'filters[0].any[1].name unknown_column',
        'filters[0].any[2].operator missing',
        'filters[0].any[3] dict_type',
        'filters[1].any greater_than_equal',
        'filters[2].name invalid',
      ],
    ],
    [
      'a group in a group',
      { filters: [{ any: [{ any: [{ name: 'Name', operator: 'empty' }] }] }] },
      ['filters[0].any[0].operator missing'],
    ],
    [
      'too many in groups',
      {
        filters: Array.from({ length: 3 }, () => ({
          any: Array.from({ length: 17 }, () => ({ name: 'Name', operator: 'empty' })),
        })),
      },
      ['filters less_than_equal'],
    ],
    ['a long search', { search: 'x'.repeat(201) }, ['search string_too_long']],
    ['a search of many words', { search: 'a b c d e f g h i' }, ['search less_than_equal']],
    ['a search for a NUL', { search: 'a\u0000' }, ['search invalid']],
    ['an unknown sort', { sort: 'Height' }, ['sort unknown_column']],
    ['a sort without order', { sort: 'Tags' }, ['sort invalid']],
    ['limit 0', { limit: 0 }, ['limit greater_than_equal']],
    ['limit 1001', { per_page: 1_001 }, ['per_page less_than_equal']],
    ['a foreign query_id', { query_id: 'abc' }, ['query_id invalid']],
  ])('rejects %s', async (_what, body, expected) => {
    const answer = await query(body)
    expect(answer.status).toBe(400)
    expect(faults(answer.body.errors)).toEqual(expected)
  })

  test('reports the errors of query string and body together', async () => {
    const filter = { name: 'x', operator: 'y' }
    const all = await query({ filters: [filter], smartlist_id: 'nope' }, '?limit=5000&query_id=zz')
    expect(all.status).toBe(400)
    expect(faults(all.body.errors)).toEqual([
      'filters[0].name unknown_column',
      'filters[0].operator enum',
      'limit less_than_equal',
      'query_id invalid',
      'smartlist_id not_found',
    ])
    const both = await query({ filters: 'x' }, '?limit=0')
    expect(faults(both.body.errors)).toEqual(['filters list_type', 'limit greater_than_equal'])
    expect(faults((await query([], '?limit=0')).body.errors)).toEqual(['body dict_type', 'limit greater_than_equal'])
    const alone = await query({ smartlist_id: 'nope' })
    expect([alone.status, faults(alone.body.errors)]).toEqual([404, ['smartlist_id not_found']])
  })

  test('rejects invalid query parameters, deep pages, and other content types', async () => {
    expect(faults((await query({}, '?limit=x')).body.errors)).toEqual(['limit number_type'])
    expect(faults((await query({}, '?page=0')).body.errors)).toEqual(['page greater_than_equal'])
    expect(faults((await query({}, '?page=100002&limit=100')).body.errors)).toEqual(['page less_than_equal'])
    expect((await by.call('POST', '/lists/contact/rows/query', 'x', { 'content-type': 'text/csv' })).status).toBe(415)
    expect((await query({ pad: 'x'.repeat(1024 * 1024) })).status).toBe(413)
    expect((await query({ filters: [{ name: 'Name', operator: 'like', value: 'x' }, 7] })).body.errors).toHaveLength(2)
  })
})

describe('pages', () => {
  test('are selected by number, with limit or per_page, in the query string or the body', async () => {
    const first = await query({}, '?limit=2')
    expect(names(first.body.rows)).toEqual([NONE, OLA])
    expect(first.body.meta.pagination).toMatchObject({
      next_page: 'True',
      prev_page: 'False',
      per_page: 2,
      count_total: 5,
      page_total: 3,
      page: 1,
    })
    const second = await query({ per_page: 2, page: 2 })
    expect(names(second.body.rows)).toEqual([BOLA, EZE])
    expect(second.body.meta.pagination).toMatchObject({ next_page: 'True', prev_page: 'True', page: 2, count_total: 5 })
    const third = await query({ page: 1 }, '?per_page=2&page=3')
    expect(names(third.body.rows)).toEqual([ADA])
    expect(third.body.meta.pagination).toMatchObject({ next_page: 'False', prev_page: 'True', count_total: 5 })
    const fourth = await query({}, '?limit=2&page=4')
    expect(fourth.body.rows).toEqual([])
    expect(fourth.body.meta.pagination).toMatchObject({ next_page: 'False', prev_page: 'True', count_total: 5 })
  })

  test('are continued by query_id alone, with the same filters, sort and limit', async () => {
    const filters = [{ name: 'Name', operator: 'not_empty' }]
    const seen: string[][] = []
    let answer = await query({ filters, sort: '-name' }, '?limit=3')
    for (;;) {
      seen.push(names(answer.body.rows))
      const { next_page, query_id, count_total, page } = answer.body.meta.pagination
      expect([count_total, page]).toEqual([4, seen.length])
      if (next_page === 'False') break
      answer = await query(undefined, `?query_id=${query_id}`)
    }
    expect(seen).toEqual([[OLA, EZE, ADA], [BOLA]])
    const beyond = await query({ query_id: answer.body.meta.pagination.query_id })
    expect(beyond.body.rows).toEqual([])
    const last = await query({ query_id: beyond.body.meta.pagination.query_id })
    expect(last.status).toBe(200)
    expect(last.body.rows).toEqual([])
  })

  test('are continued with the same body, but not with another', async () => {
    const filters = [{ name: 'Name', operator: 'not_empty' }]
    const first = await query({ filters }, '?limit=1')
    const { query_id } = first.body.meta.pagination
    expect(names((await query({ filters, query_id, limit: 2 })).body.rows)).toEqual([BOLA, EZE])
    const other = await query({ filters: [{ name: 'Name', operator: 'empty' }], query_id })
    expect(faults(other.body.errors)).toEqual(['query_id invalid'])
  })

  test('of another organisation cannot be read by its query_id', async () => {
    const other = await service.organisation()
    await other.call('POST', '/lists/contact/rows', { columns: { Name: 'Theirs' } })
    const filters = [{ name: 'Name', operator: 'not_empty' }]
    const mine = await query({ filters }, '?limit=1')
    const { query_id } = mine.body.meta.pagination
    const stolen = await query(undefined, `?query_id=${query_id}`, other)
    expect(faults(stolen.body.errors)).toEqual(['query_id invalid'])
    const { query_id: whole } = (await query({}, '?limit=1')).body.meta.pagination
    const rows = (await query(undefined, `?query_id=${whole}`, other)).body.rows
    expect(rows.every(({ columns }) => Object.values(columns)[0] === 'Theirs')).toBe(true)
  })

  test.each([
    ['Name', [BOLA, ADA, EZE, OLA, NONE]],
    ['-Name', [OLA, EZE, ADA, BOLA, NONE]],
    ['Age', [BOLA, EZE, ADA, OLA, NONE]],
    ['-Born', [EZE, ADA, OLA, NONE, BOLA]],
  ])('are sorted by %s', async (sort, expected) => {
    expect(names((await query({ sort })).body.rows)).toEqual(expected)
    const one_by_one: string[] = []
    for (let page = 1; page <= 5; page += 1) {
      one_by_one.push(...names((await query({ sort, page, limit: 1 })).body.rows))
    }
    expect(one_by_one).toEqual(expected)
  })
})

describe('pages far down a long list', () => {
  const COUNT = 11_300
  const NAMED = 10_600
  let many: Organisation
  let numbersOf: (rows: Row[]) => string[]

  beforeAll(async () => {
    many = await service.organisation()
    for (let from = 0; from < COUNT; from += 1_000) {
      const rows = Array.from({ length: Math.min(1_000, COUNT - from) }, (_, n) => {
        const number = from + n
        // In an order of their own, with equal ones among them.
        const Name = number < NAMED ? { Name: `n${(number * 7_919) % 5_000}` } : {}
        return { columns: { ...Name, Email: `${number}@example.com` } }
      })
      await many.call('POST', '/lists/contact/rows/bulk', { rows })
    }
    const { body } = await query({}, '?limit=1', many)
    const email = body.table.columns.find(({ name }) => name === 'Email')?.id ?? ''
    numbersOf = (rows) => rows.map(({ columns }) => columns[email]?.replace('@example.com', '') ?? '')
  }, 60_000)

  test.each<[string, object, number]>([
    ['newest first', {}, COUNT],
    ['sorted by a column', { sort: 'Name' }, COUNT],
    ['sorted descending', { sort: '-Name' }, COUNT],
    ['filtered and sorted', { sort: 'Name', filters: [{ name: 'Email', operator: 'not_equal', value: 'x' }] }, COUNT],
    ['filtered', { filters: [{ name: 'Name', operator: 'start_with', value: 'n' }] }, NAMED],
  ])('have the rows that scrolling finds there: %s', async (_what, body, count) => {
    const scrolled: string[] = []
    let answer = await query(body, '?limit=1000', many)
    for (;;) {
      scrolled.push(...numbersOf(answer.body.rows))
      const { next_page, query_id } = answer.body.meta.pagination
      if (next_page === 'False') break
      answer = await query(undefined, `?query_id=${query_id}`, many)
    }
    expect(new Set(scrolled).size).toBe(count)
    for (const page of [13, 26, 27, Math.ceil(count / 400), Math.ceil(count / 400) + 1]) {
      const far = await query(body, `?limit=400&page=${page}`, many)
      expect(numbersOf(far.body.rows)).toEqual(scrolled.slice((page - 1) * 400, page * 400))
      expect(far.body.meta.pagination).toMatchObject({
        page,
        count_total: count,
        next_page: page * 400 < count ? 'True' : 'False',
      })
    }
  })

  test('are continued by query_id', async () => {
    const far = await query({ sort: 'Name' }, '?limit=300&page=34', many)
    const next = await query(undefined, `?query_id=${far.body.meta.pagination.query_id}`, many)
    const there = await query({ sort: 'Name' }, '?limit=300&page=35', many)
    expect(next.body.rows).toEqual(there.body.rows)
    expect(next.body.rows).toHaveLength(300)
  })
})
