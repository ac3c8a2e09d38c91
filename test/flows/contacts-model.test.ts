import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService, type Organisation } from '../support/service.ts'

/**
 * Random filters, sorts and pages against a simple model of the rules that reads every row, compares values by type
 * (numbers as numbers, times as times) and shares no code with the service.
 */

type Column = 'Name' | 'Email' | 'Mobile' | 'Age' | 'Born' | 'City' | 'Tags'
type Person = Partial<Record<Column, string>>
type Filter = { name: Column; operator: string; value?: string | string[] }
type Group = { any: Filter[] }
type Found = {
  rows: { id: string; columns: Record<string, string> }[]
  meta: { pagination: { next_page: string; count_total: number; page: number; query_id: string } }
}

const CITIES = ['Lagos', 'Abuja', 'Port Harcourt']
const TAGS = ['vip', 'new', 'old']
const pick = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values)

const NAMES = [
  'Ada',
  'ADA',
  'ada obi',
  'Adaeze',
  'Ọlá',
  'ọlá',
  '50%',
  'a_b',
  'a\\b',
  "O'Neil",
  '%',
  'zz top',
  'obi-ada',
]
const MAILS = ['ada@gmail.com', 'ADA@gmail.com', 'obi@mail.ng', 'x_y@mail.ng']
const PHONES = ['08031234567', '+234 803 123 4567', '234-805-123-4567', '0044 7700 900123', '07030000001']
const AGES = ['0', '-0', '1', '1.0', '10', '9', '-3', '-3.5', '1e2', '100', '0.001', '99999999999999999999']
const BIRTHS = ['1990-01-01', '1990-01-01T00:00:00Z', '1989-12-31', '1990-01-01T00:30:00+01:00', '2020-02-29']

const person: fc.Arbitrary<Person> = fc.record(
  {
    Name: fc.oneof(pick(...NAMES), fc.string({ minLength: 1, maxLength: 6 })),
    Email: pick(...MAILS),
    Mobile: pick(...PHONES),
    Age: pick(...AGES),
    Born: pick(...BIRTHS),
    City: pick(...CITIES),
    Tags: fc.subarray(TAGS, { minLength: 1 }).map((tags) => tags.join(', ')),
  },
  { requiredKeys: [] },
)

const PARTS = ['contain', 'not_contain', 'start_with', 'end_with']
const part = (name: Column, values: string[]): fc.Arbitrary<Filter> =>
  fc
    .tuple(pick(...PARTS), pick(...values), fc.nat(5), fc.integer({ min: 1, max: 6 }))
    .map(([operator, value, from, length]) => ({ name, operator, value: value.slice(from, from + length) || value }))
const whole = (name: Column, values: string[]): fc.Arbitrary<Filter> =>
  fc.oneof(
    fc.tuple(pick('equal', 'not_equal'), pick(...values)).map(([operator, value]) => ({ name, operator, value })),
    fc
      .tuple(pick('is_any', 'is_none_of'), fc.array(pick(...values), { minLength: 1, maxLength: 3 }))
      .map(([operator, value]) => ({ name, operator, value })),
    pick('empty', 'not_empty').map((operator) => ({ name, operator })),
  )
const ranged = (name: Column, operators: string[], values: string[]): fc.Arbitrary<Filter> =>
  fc.tuple(pick(...operators), pick(...values)).map(([operator, value]) => ({ name, operator, value }))

const filter: fc.Arbitrary<Filter> = fc.oneof(
  part('Name', NAMES),
  whole('Name', NAMES),
  part('Email', MAILS),
  whole('Email', MAILS),
  whole('Mobile', PHONES),
  ranged('Mobile', PARTS, ['123', '0803', '+23480', '4567', '0044', '900']),
  whole('Age', AGES),
  ranged('Age', ['greater', 'less'], AGES),
  whole('Born', BIRTHS),
  ranged('Born', ['before', 'after'], BIRTHS),
  part('City', CITIES),
  whole('City', CITIES),
  whole('Tags', TAGS),
)

const group: fc.Arbitrary<Group> = fc.array(filter, { minLength: 1, maxLength: 3 }).map((any) => ({ any }))

const WORDS = ['ada', 'ADA', 'obi', 'gmail', 'ọlá', 'zz', 'o', '%', '-', 'a_b', 'lag', 'vip', 'ne', 'old', '100', '1.0']
const PHRASES = [
  '0803 123 4567',
  '+234 803',
  '(0803) 123',
  '1990-01',
  '1990-01-01T00:00:00Z',
  '2020',
  'ada obi',
  'x gmail',
]
const any_search = fc.option(
  fc.oneof(
    pick(...PHRASES),
    fc.array(pick(...WORDS), { minLength: 1, maxLength: 2 }).map((words) => words.join(' ')),
  ),
  { nil: undefined, freq: 2 },
)

const any_sort = fc.option(pick('Name', '-Name', 'Age', '-Age', '-Born', 'Mobile', 'City'), { nil: undefined })

// The model.

const fold = (text: string) => text.normalize('NFC').toLowerCase()
const scaled = (text: string): bigint => {
  const [, sign, units = '0', fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e(\d+))?$/.exec(text) ?? []
  const digits = BigInt(units + fraction.padEnd(6, '0')) * 10n ** BigInt(power)
  return sign === '-' ? -digits : digits
}
const phone = (text: string) => text.replace(/\D/g, '').replace(/^00/, '+').replace(/^0/, '+234').replace(/^\+/, '')
const tagsOf = (text: string) => new Set(text.split(',').map((one) => fold(one.trim())))

function same(column: Column, cell: string, value: string): boolean {
  if (column === 'Age') return scaled(cell) === scaled(value)
  if (column === 'Born') return Date.parse(cell) === Date.parse(value)
  if (column === 'Mobile') return phone(cell) === phone(value)
  if (column === 'Tags') return [...tagsOf(cell)].sort().join() === [...tagsOf(value)].sort().join()
  return fold(cell) === fold(value)
}

function fits(column: Column, cell: string, kind: string, value: string): boolean {
  if (column === 'Mobile') {
    const digits = value.replace(/\D/g, '')
    const national = digits.startsWith('0') && !value.startsWith('+') ? phone(value) : undefined
    if (kind === 'start_with') return phone(cell).startsWith(national ?? digits)
    if (kind === 'end_with') return phone(cell).endsWith(digits)
    return phone(cell).includes(digits) || (national !== undefined && phone(cell).startsWith(national))
  }
  const [text, wanted] = [fold(cell), fold(value)]
  if (kind === 'contain') return text.includes(wanted)
  return kind === 'start_with' ? text.startsWith(wanted) : text.endsWith(wanted)
}

function holds(one: Person, { name, operator, value = '' }: Filter): boolean {
  const cell = one[name]
  const values = Array.isArray(value) ? value : [value]
  const among = (): boolean =>
    cell !== undefined &&
    values.some((wanted) => (name === 'Tags' ? tagsOf(cell).has(fold(wanted)) : same(name, cell, wanted)))
  const [first = ''] = values
  switch (operator) {
    case 'empty':
      return cell === undefined
    case 'not_empty':
      return cell !== undefined
    case 'equal':
      return cell !== undefined && same(name, cell, first)
    case 'not_equal':
      return cell === undefined || !same(name, cell, first)
    case 'is_any':
      return among()
    case 'is_none_of':
      return !among()
    case 'not_contain':
      return cell === undefined || !fits(name, cell, 'contain', first)
    case 'greater':
      return cell !== undefined && scaled(cell) > scaled(first)
    case 'less':
      return cell !== undefined && scaled(cell) < scaled(first)
    case 'after':
      return cell !== undefined && Date.parse(cell) > Date.parse(first)
    case 'before':
      return cell !== undefined && Date.parse(cell) < Date.parse(first)
    default:
      return cell !== undefined && fits(name, cell, operator, first)
  }
}

function holdsAny(one: Person, asked: Filter | Group): boolean {
  return 'any' in asked ? asked.any.some((each) => holds(one, each)) : holds(one, asked)
}

const PHONE = /^[+(]?[\d\s().\-/]*$/

/** Every word of any cell; a phone number is one word. */
function says(one: Person, search: string): boolean {
  const words = PHONE.test(search) && /\d{3}/.test(search) ? [search] : search.split(/\s+/)
  return words.every((word) => Object.entries(one).some(([column, cell]) => isIn(column as Column, cell, word)))
}

function isIn(column: Column, cell: string, word: string): boolean {
  const is_short = Array.from(word).length < 3
  switch (column) {
    case 'Mobile': {
      const digits = word.replace(/\D/g, '')
      return PHONE.test(word) && digits !== '' && fits(column, cell, digits.length < 3 ? 'start_with' : 'contain', word)
    }
    case 'Age':
      return /^-?\d+(\.\d+)?$/.test(word) && same(column, cell, word)
    case 'Born':
      return /^\d{4}(-|$)/.test(word) && new Date(cell).toISOString().startsWith(word.slice(0, 10))
    case 'Tags':
      return [...tagsOf(cell)].some((tag) => (is_short ? tag === fold(word) : tag.includes(fold(word))))
    case 'Name':
    case 'Email':
    case 'City':
      return fits(column, cell, is_short ? 'start_with' : 'contain', word)
  }
}

/** Rows have their index, which is their age: it breaks ties. */
function ordered(people: { one: Person; n: number }[], by: string | undefined) {
  if (by === undefined) return people.toReversed()
  const column = by.replace('-', '') as Column
  const sign = by.startsWith('-') ? -1 : 1
  return people.toSorted((a, b) => {
    const [x, y] = [a.one[column], b.one[column]]
    if (x !== undefined && y !== undefined) return sign * (compare(column, x, y) || a.n - b.n)
    if (x === y) return sign * (a.n - b.n)
    return x === undefined ? 1 : -1
  })
}

function compare(column: Column, x: string, y: string): number {
  if (column === 'Age') return scaled(x) < scaled(y) ? -1 : scaled(x) > scaled(y) ? 1 : 0
  if (column === 'Born') return Date.parse(x) - Date.parse(y)
  if (column === 'Mobile') return Buffer.compare(Buffer.from(phone(x)), Buffer.from(phone(y)))
  return Buffer.compare(Buffer.from(fold(x)), Buffer.from(fold(y)))
}

// The comparison.

let service: TestService
beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

async function fill(people: Person[]): Promise<{ by: Organisation; ids: string[] }> {
  const by = await service.organisation()
  for (const column of [
    { name: 'Age', type: 'NUMBER' },
    { name: 'Born', type: 'DATE' },
    { name: 'City', type: 'SELECT', options: CITIES },
    { name: 'Tags', type: 'MULTI SELECT', options: TAGS },
  ]) {
    await by.call('POST', '/lists/contact/columns', column)
  }
  const rows = people.map((columns) => ({ columns }))
  const { status, body } = await by.call<Found>('POST', '/lists/contact/rows/bulk', { rows })
  expect(status).toBe(200)
  return { by, ids: body.rows.map(({ id }) => id) }
}

const query = (by: Organisation, body: unknown) => by.call<Found>('POST', '/lists/contact/rows/query', body)

test('queries return the same as a simple model of the rules', async () => {
  const people = fc.array(person, { minLength: 25, maxLength: 40, size: 'max' })
  const questions = fc.array(
    fc.record({
      filters: fc.array(fc.oneof({ weight: 3, arbitrary: filter }, { weight: 1, arbitrary: group }), { maxLength: 3 }),
      search: any_search,
      sort: any_sort,
      limit: fc.integer({ min: 1, max: 12 }),
      page: fc.integer({ min: 1, max: 4 }),
    }),
    { minLength: 40, maxLength: 40, size: 'max' },
  )
  await fc.assert(
    fc.asyncProperty(people, questions, async (given, asked) => {
      const { by, ids } = await fill(given)
      for (const { filters, search, sort, limit, page } of asked) {
        const matching = given
          .map((one, n) => ({ one, n }))
          .filter(({ one }) => filters.every((each) => holdsAny(one, each)))
          .filter(({ one }) => search === undefined || says(one, search))
        const expected = ordered(matching, sort).map(({ n }) => ids[n])
        const question = JSON.stringify({ filters, search, sort, limit, page })

        const paged = await query(by, { filters, search, sort, limit, page })
        const shown = expected.slice((page - 1) * limit, page * limit)
        const found = paged.body.rows.map(({ id }) => id)
        const { count_total, next_page } = paged.body.meta.pagination
        expect({ question, found, count_total, next_page }).toEqual({
          question,
          found: shown,
          count_total: expected.length,
          next_page: expected.length > page * limit ? 'True' : 'False',
        })

        const scrolled: string[] = []
        for (let next: object | undefined = { filters, search, sort, limit }; next;) {
          const { body } = await query(by, next)
          scrolled.push(...body.rows.map(({ id }) => id))
          const { pagination } = body.meta
          next = pagination.next_page === 'True' ? { query_id: pagination.query_id } : undefined
        }
        expect({ question, scrolled }).toEqual({ question, scrolled: expected })
      }
    }),
    { numRuns: 4, endOnFailure: true },
  )
}, 120_000)
