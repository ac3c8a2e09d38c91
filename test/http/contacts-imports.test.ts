import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { csvLine } from '../../src/values/csv-write.ts'
import { newId } from '../../src/values/id.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { until } from '../support/until.ts'

type Fault = { field: string; type: string }
type Import = {
  id: string
  status: string
  dry_run: boolean
  columns: { header: string; column_id?: string; name?: string; type?: string; is_new: boolean; samples?: string[] }[]
  upsert_by?: string
  progress: number
  lines: number
  created: number
  updated: number
  rejected: number
  fault?: string
  faults: (Fault & { line: number })[]
  errors: Fault[]
}
type Found = { rows: { columns: Record<string, string> }[]; table: { columns: { id: string; name: string }[] } }

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const faults = (errors: Fault[]) => errors.map(({ field, type }) => `${field} ${type}`).sort()
const upload = (by: Organisation, csv: string, params = '') =>
  by.call<Import>('POST', `/lists/contact/imports${params}`, csv, { 'content-type': 'text/csv' })
const manyHeaders = (count: number) => Array.from({ length: count }, (_, n) => `Header ${n}`).join()
const ended = (by: Organisation, id: string) =>
  until('the import to end', async () => {
    const { body } = await by.call<Import>('GET', `/lists/contact/imports/${id}`)
    return ['done', 'failed', 'canceled'].includes(body.status) && body
  })
const imported = async (by: Organisation, csv: string, params = '') => {
  const { status, body } = await upload(by, csv, params)
  expect(status).toBe(200)
  return ended(by, body.id)
}
/** Rows as header → value, oldest first. */
const rows = async (by: Organisation) => {
  const { body } = await by.call<Found>('POST', '/lists/contact/rows/query', { limit: 1_000 })
  const name_of = new Map(body.table.columns.map(({ id, name }) => [id, name]))
  return body.rows
    .map(({ columns }) => Object.fromEntries(Object.entries(columns).map(([id, value]) => [name_of.get(id), value])))
    .reverse()
}

describe('POST /lists/contact/imports', () => {
  test('guesses columns, creates new ones by their values, imports valid lines and stores invalid ones', async () => {
    const by = await service.organisation()
    const csv = [
      '\ufeffFull name;E-Mail;Phone;Age;Site;Joined;Notes;',
      'Ada Obi;ada@example.com;0803 123 4567;31;https://a.ng;2024-01-31;"likes; semicolons"',
      '"Bola\nOjo";bola@;12;x;http://b.ng;2024-02-30',
      '',
      "Eze;;'+2348051234567;9;;2024-03-01;a;b;c",
      "Ngozi;n@e.ng;'+2348051234567;10;;;",
    ].join('\r\n')
    const made = await upload(by, csv)
    expect(made.status).toBe(200)
    expect(made.body).toMatchObject({ dry_run: false, columns: { length: 8 } })
    const done = await ended(by, made.body.id)
    expect(done.columns.map(({ header, name, type, is_new }) => [header, name, type, is_new])).toEqual([
      ['Full name', 'Name', 'TEXT', false],
      ['E-Mail', 'Email', 'EMAIL', false],
      ['Phone', 'Mobile', 'PHONE NUMBER', false],
      ['Age', 'Age', 'TEXT', true],
      ['Site', 'Site', 'URL', true],
      ['Joined', 'Joined', 'TEXT', true],
      ['Notes', 'Notes', 'TEXT', true],
      ['', undefined, undefined, false],
    ])
    expect(done).toMatchObject({ status: 'done', progress: 1, created: 2, updated: 0, rejected: 2 })
    expect(done.faults.map(({ line, field, type }) => [line, field, type])).toEqual([
      [3, 'E-Mail', 'email_invalid'],
      [3, 'Phone', 'phone_invalid'],
      [6, 'line', 'invalid'],
    ])
    expect(await rows(by)).toEqual([
      {
        Name: 'Ada Obi',
        Email: 'ada@example.com',
        Mobile: '0803 123 4567',
        Age: '31',
        Site: 'https://a.ng',
        Joined: '2024-01-31',
        Notes: 'likes; semicolons',
      },
      { Name: 'Ngozi', Email: 'n@e.ng', Mobile: '+2348051234567', Age: '10' },
    ])

    const rejects = await by.call('GET', `/lists/contact/imports/${done.id}/rejects`)
    expect(rejects.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(rejects.text.split('\r\n').slice(0, 2)).toEqual([
      'line,faults,Full name,E-Mail,Phone,Age,Site,Joined,Notes,',
      '3,E-Mail: This is not an email address. Phone: This is not a phone number.,"Bola\nOjo",bola@,12,x,http://b.ng,2024-02-30',
    ])
    const left = await service.db`select 1 from contact_import_chunks where import_id = ${done.id}`
    expect(left).toHaveLength(0)
  })

  test('infers the type of a new column from its values', async () => {
    const by = await service.organisation()
    const csv =
      'Amount,Born,Second phone,Code,Web\n1.5,2020-01-01,08031234567,007,https://x.ng\n-2,,+44 7700 900123,,\n'
    const done = await imported(by, csv)
    expect(done.columns.map(({ type }) => type)).toEqual(['NUMBER', 'DATE', 'PHONE NUMBER', 'NUMBER', 'URL'])
    expect(done).toMatchObject({ created: 2, rejected: 0 })
  })

  test('reads numbers and dates as they are written; ambiguous dates stay text until their format is chosen', async () => {
    const by = await service.organisation()
    const csv = 'Name,Balance,Joined,Paid\nAda,"50,000",3/4/2026,25/12/2025\nBola,"1,250.5",12/1/2026,1 Jun 2026\n'
    const { columns } = await imported(by, csv, '?dry_run=true')
    expect(columns.slice(1)).toEqual([
      { header: 'Balance', name: 'Balance', type: 'NUMBER', format: '1,234.5', is_new: true },
      {
        header: 'Joined',
        name: 'Joined',
        type: 'TEXT',
        detected: 'DATE',
        formats: ['DD/MM/YYYY', 'MM/DD/YYYY'],
        is_new: true,
      },
      { header: 'Paid', name: 'Paid', type: 'DATE', format: 'DD/MM/YYYY', is_new: true },
    ])
    const params = new URLSearchParams({ formats: '{"joined":"DD/MM/YYYY"}' })
    const done = await imported(by, csv, `?${params.toString()}`)
    expect(done).toMatchObject({ created: 2, rejected: 0 })
    expect(await rows(by)).toEqual([
      { Name: 'Ada', Balance: '50000', Joined: '2026-04-03', Paid: '2025-12-25' },
      { Name: 'Bola', Balance: '1250.5', Joined: '2026-01-12', Paid: '2026-06-01' },
    ])
    // The columns are there now, and the values of another file are written in another way.
    const german = await imported(by, 'Name,Balance,Paid\nChidi,"7.500,25",31.12.2025\nDayo,n/a,\n')
    expect(german).toMatchObject({ created: 1, rejected: 1 })
    expect((await rows(by))[2]).toEqual({ Name: 'Chidi', Balance: '7500.25', Paid: '2025-12-31' })
  })

  test('detects likely types on request, and creates columns of chosen ones', async () => {
    const by = await service.organisation()
    const lines = Array.from({ length: 40 }, (_, n) => `P${n},${['Lagos', 'Kano'][n % 2]},${n === 7 ? 'none' : n}`)
    const csv = `Name,City,Score\n${lines.join('\n')}\n`
    const certain = await imported(by, csv, '?dry_run=true')
    expect(certain.columns.map(({ type }) => type)).toEqual(['TEXT', 'TEXT', 'TEXT'])
    const likely = await imported(by, csv, '?dry_run=true&detect=likely')
    expect(likely.columns.slice(1)).toMatchObject([{ type: 'SELECT', options: ['Lagos', 'Kano'] }, { type: 'NUMBER' }])
    expect(likely).toMatchObject({ created: 39, rejected: 1, faults: [{ line: 9, field: 'Score', value: 'none' }] })
    const params = new URLSearchParams({ types: '{"City":"select","Score":"TEXT"}' })
    const done = await imported(by, csv, `?${params.toString()}`)
    expect(done).toMatchObject({ created: 40, rejected: 0 })
    const { body } = await by.call<{ columns: { type: string; options?: string[] }[] }>('GET', '/lists/contact')
    expect(body.columns.slice(3)).toMatchObject([{ type: 'SELECT', options: ['Lagos', 'Kano'] }, { type: 'TEXT' }])
    const wrong = await by.call<{ errors: Fault[] }>('POST', '/lists/contact/imports', {
      csv,
      types: { City: 'TEXT', Nobody: 'TEXT', Score: 'MONEY' },
      formats: { Name: '1,234.5', City: 'x' },
    })
    expect(wrong.status).toBe(400)
    expect(faults(wrong.body.errors)).toEqual([
      'formats.City invalid',
      'formats.Name invalid',
      'types.City invalid',
      'types.Nobody invalid',
      'types.Score enum',
    ])
    const all = await by.call<{ errors: Fault[] }>('POST', '/lists/contact/imports', { csv, detect: 'all' })
    expect(faults(all.body.errors)).toEqual(['detect enum'])
  })

  test('only validates in a dry run', async () => {
    const by = await service.organisation()
    const done = await imported(by, 'Name,Mobile,Height\nAda,08031234567,1.7\nBola,1,1.8\n', '?dry_run=true')
    expect(done).toMatchObject({ status: 'done', dry_run: true, created: 1, rejected: 1 })
    expect(done.columns[2]).toEqual({
      header: 'Height',
      format: '1,234.5',
      name: 'Height',
      type: 'NUMBER',
      is_new: true,
    })
    expect(done.faults).toEqual([
      { line: 3, field: 'Mobile', value: '1', message: expect.any(String), type: 'phone_invalid' },
    ])
    expect(await rows(by)).toEqual([])
    expect((await by.call<Found['table']>('GET', '/lists/contact')).body.columns).toHaveLength(3)
  })

  test('updates by a chosen column, in any spelling, also within the file', async () => {
    const by = await service.organisation()
    await by.call('POST', '/lists/contact/rows', { columns: { Name: 'Ada', Mobile: '+2348031234567' } })
    const csv =
      'Name,Mobile,Email\nAda Obi,0803 123 4567,ada@x.ng\nBola,08051234567,\nBola Ojo,2348051234567,\n,,no@phone.ng\n'
    const done = await imported(by, csv, '?upsert_by=mobile')
    expect(done).toMatchObject({ created: 2, updated: 2, rejected: 0, upsert_by: 'Mobile' })
    expect(await rows(by)).toEqual([
      { Name: 'Ada Obi', Mobile: '0803 123 4567', Email: 'ada@x.ng' },
      { Name: 'Bola Ojo', Mobile: '2348051234567' },
      { Email: 'no@phone.ng' },
    ])
    const again = await imported(by, csv, '?upsert_by=mobile')
    expect(again).toMatchObject({ created: 1, updated: 3 })
  })

  test('updates by long values, too, and distinguishes values with a common prefix', async () => {
    const by = await service.organisation()
    const long = 'https://example.com/'.padEnd(260, 'a')
    await by.call('POST', '/lists/contact/columns', { name: 'Page', type: 'URL' })
    const csv = `Name,Page\nAda,${long}\nBola,${long.slice(0, 200)}\n`
    expect(await imported(by, csv, '?upsert_by=Page')).toMatchObject({ created: 2, updated: 0, rejected: 0 })
    expect(await imported(by, csv, '?upsert_by=Page')).toMatchObject({ created: 0, updated: 2 })
    expect(await rows(by)).toEqual([
      { Name: 'Ada', Page: long },
      { Name: 'Bola', Page: long.slice(0, 200) },
    ])
  })

  test('reads a Windows-1252 file, wherever its first accent is, and rejects a mixed encoding', async () => {
    const by = await service.organisation()
    const plain = `Name,Note\n${`Ada,${'x'.repeat(900)}\n`.repeat(400)}`
    const western = Buffer.from(`${plain}Jos\u00e9,here\n`, 'latin1')
    const file = (bytes: Buffer) =>
      by.call<Import>('POST', '/lists/contact/imports', bytes, { 'content-type': 'text/csv' })
    const { body } = await file(western)
    expect(await ended(by, body.id)).toMatchObject({ status: 'done', created: 401, rejected: 0 })
    expect((await rows(by)).at(-1)).toEqual({ Name: 'José', Note: 'here' })
    const mixed = await file(Buffer.concat([Buffer.from(`Ọlá,${plain}`), western]))
    expect([mixed.status, faults(mixed.body.errors)]).toEqual([400, ['file invalid']])
  })

  test('updates the row of a known phone number, unless duplicates are allowed', async () => {
    const by = await service.organisation()
    const csv = 'Name,Phone\nAda,08031234567\nAda Obi,+2348031234567\n'
    expect(await imported(by, csv)).toMatchObject({ created: 1, updated: 1, upsert_by: 'Mobile' })
    expect(await imported(by, csv)).toMatchObject({ created: 0, updated: 2 })
    expect(await rows(by)).toEqual([{ Name: 'Ada Obi', Mobile: '+2348031234567' }])
    const twice = await imported(by, csv, '?allow_duplicates=true')
    expect(twice).toMatchObject({ created: 2, updated: 0 })
    expect(twice.upsert_by).toBeUndefined()
    expect(await imported(by, 'Name\nAda\n')).toMatchObject({ created: 1, updated: 0 })
    const both = await upload(by, csv, '?allow_duplicates=true&upsert_by=Mobile')
    expect(faults(both.body.errors)).toEqual(['allow_duplicates invalid'])
  })

  test('returns sample values, and creates a column for a header that would match another', async () => {
    const by = await service.organisation()
    const csv = 'Phone,City\n08031234567,Lagos\n08031234568,\n08031234569,Kano\n'
    const mapping = encodeURIComponent(JSON.stringify({ Phone: '*' }))
    const { body } = await upload(by, csv, `?mapping=${mapping}`)
    expect(body.columns).toMatchObject([
      { header: 'Phone', name: 'Phone', type: 'PHONE NUMBER', is_new: true },
      { header: 'City', samples: ['Lagos', 'Kano'] },
    ])
    expect(body.columns[0]?.samples).toEqual(['08031234567', '08031234568', '08031234569'])
    const done = await ended(by, body.id)
    expect(done).toMatchObject({ created: 3, upsert_by: 'Phone' })
    expect(done.columns[0]?.samples).toBeUndefined()
    const taken = await upload(by, csv, `?mapping=${mapping}`)
    expect(faults(taken.body.errors)).toEqual(['mapping.Phone invalid'])
  })

  test('accepts pasted rows, CSV in JSON, and a mapping', async () => {
    const by = await service.organisation()
    const pasted = await by.call<Import>('POST', '/lists/contact/imports', {
      rows: [
        ['Who', 'Nummer', 'Ignored'],
        ['Ada', '+2348031234567', 5],
      ],
      mapping: { who: 'Name', Nummer: 'Mobile', Ignored: '' },
    })
    expect((await ended(by, pasted.body.id)).created).toBe(1)
    const mapping = encodeURIComponent(JSON.stringify({ Who: 'Name' }))
    const done = await imported(by, 'Who,Other\nBola,x\n', `?mapping=${mapping}&new_columns=false`)
    expect(done.columns[1]).toEqual({ header: 'Other', is_new: false })
    const text = await by.call<Import>('POST', '/lists/contact/imports', { csv: 'Name\nEze' })
    await ended(by, text.body.id)
    expect(await rows(by)).toEqual([{ Name: 'Ada', Mobile: '+2348031234567' }, { Name: 'Bola' }, { Name: 'Eze' }])
    const listed = await by.call<{ imports: Import[] }>('GET', '/lists/contact/imports?limit=2')
    expect(listed.body.imports.map(({ created }) => created)).toEqual([1, 1])
  })

  test.each<[string, string, string, string[]]>([
    ['an empty file', '', '', ['file missing']],
    ['no text', 'a\u0000b', '', ['file invalid']],
    ['an unknown column in the mapping', 'A\n1', '{"A":"Nothing"}', ['mapping.A unknown_column']],
    ['an unknown header in the mapping', 'A\n1', '{"B":"Name"}', ['mapping.B invalid']],
    ['two headers for one column', 'A,B\n1,2', '{"A":"Name","B":"Name"}', ['mapping.B invalid']],
    ['a mapping that is no JSON', 'A\n1', '{', ['mapping json_invalid']],
    ['a mapping that is a list', 'A\n1', '[]', ['mapping dict_type']],
    ['more columns than a list has', manyHeaders(101), '', ['mapping less_than_equal']],
    ['more headers than are read', manyHeaders(1_001), '{"B":"Name"}', ['file less_than_equal']],
    ['nothing to import', 'A\n1', '{"A":""}', ['mapping missing']],
  ])('rejects %s', async (_what, csv, mapping, expected) => {
    const params = mapping === '' ? '' : `?mapping=${encodeURIComponent(mapping)}`
    const { status, body } = await upload(service, csv, params)
    expect(status).toBe(400)
    expect(faults(body.errors)).toEqual(expected)
  })

  test('rejects an invalid upsert, other content types, and invalid parameters', async () => {
    expect(faults((await upload(service, 'Name\nAda', '?upsert_by=Nothing')).body.errors)).toEqual([
      'upsert_by unknown_column',
    ])
    expect(faults((await upload(service, manyHeaders(1_001), '?upsert_by=Nothing')).body.errors)).toEqual([
      'file less_than_equal',
      'upsert_by unknown_column',
    ])
    expect(faults((await upload(service, 'Name\nAda', '?upsert_by=Mobile')).body.errors)).toEqual(['upsert_by invalid'])
    expect(faults((await upload(service, 'Name\nAda', '?dry_run=perhaps')).body.errors)).toEqual([
      'dry_run boolean_type',
    ])
    const none = await service.call<Import>('POST', '/lists/contact/imports', {})
    expect(faults(none.body.errors)).toEqual(['csv missing', 'rows missing'])
    const wrong = await service.call<Import>('POST', '/lists/contact/imports', { csv: 5, dry_run: 'x' })
    expect(faults(wrong.body.errors)).toEqual(['csv string_type', 'dry_run boolean_type'])
    const xml = await service.call('POST', '/lists/contact/imports', '<a/>', { 'content-type': 'text/xml' })
    expect(xml.status).toBe(415)
    const long = await service.call('POST', '/lists/contact/imports', { csv: 'x'.repeat(8 * 1024 * 1024) })
    expect(long.status).toBe(413)
  })

  test('fails on an unclosed quote, and names its line', async () => {
    const by = await service.organisation()
    const done = await imported(by, `Name\nAda\n"${'x'.repeat(1_500_000)}`)
    expect(done).toMatchObject({ status: 'failed', created: 1 })
    expect(done.fault).toMatch(/quote.*line 3/)
  })

  test('belongs to its organisation', async () => {
    const by = await service.organisation()
    const other = await service.organisation()
    const { id } = await imported(by, 'Name\nAda\n')
    for (const path of [`/lists/contact/imports/${id}`, `/lists/contact/imports/${id}/rejects`]) {
      expect((await other.call('GET', path)).status).toBe(404)
    }
    expect((await other.call('DELETE', `/lists/contact/imports/${id}`)).status).toBe(404)
    expect((await by.call('GET', `/lists/contact/imports/${newId()}`)).status).toBe(404)
    expect((await by.call('GET', '/lists/contact/imports/x')).status).toBe(404)
    expect((await by.call('GET', '/lists/contact/imports?limit=x')).status).toBe(400)
    expect((await by.call('DELETE', `/lists/contact/imports/${id}`)).status).toBe(204)
    expect((await by.call<Import>('GET', `/lists/contact/imports/${id}`)).body.status).toBe('done')
  })
})

describe('/lists/contact/rows/export', () => {
  test('streams the rows of a query, and escapes spreadsheet formulas', async () => {
    const by = await service.organisation()
    const cells = ['=1+1', '@cmd', '-5', 'plain, "quoted"', "O'Neil", 'a;=cmd()', "'=1"]
    await by.call('POST', '/lists/contact/rows/bulk', {
      rows: cells.map((Name) => ({ columns: { Name, Mobile: '+2348031234567' } })),
    })
    const all = await by.call('GET', '/lists/contact/rows/export')
    expect(all.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(all.text.replace('\ufeff', '')).toBe(
      [
        'Name,Email,Mobile',
        "''=1,,'+2348031234567",
        `"a;'=cmd()",,'+2348031234567`,
        "O'Neil,,'+2348031234567",
        `"plain, ""quoted""",,'+2348031234567`,
        "'-5,,'+2348031234567",
        "'@cmd,,'+2348031234567",
        "'=1+1,,'+2348031234567",
        '',
      ].join('\r\n'),
    )
    const filters = [{ name: 'Name', operator: 'start_with', value: '=' }]
    const some = await by.call('POST', '/lists/contact/rows/export', { filters })
    expect(some.text.split('\r\n')).toHaveLength(3)
    const saved = await by.call<{ id: string }>('POST', '/lists/contact/smartlists', { name: 'x', filters })
    const listed = await by.call('GET', `/lists/contact/rows/export?smartlist_id=${saved.body.id}&sort=Name`)
    expect(listed.text).toBe(some.text)

    const copy = await service.organisation()
    await imported(copy, all.text, '?allow_duplicates=true')
    expect((await rows(copy)).map(({ Name }) => Name)).toEqual(cells.toReversed())
  })

  test('exports column names that an import recognises, and rejected lines that can be corrected', async () => {
    const by = await service.organisation()
    await by.call('POST', '/lists/contact/columns', { name: '=sum;=x', type: 'TEXT' })
    await by.call('POST', '/lists/contact/rows', { columns: { '=sum;=x': '-1' } })
    const { text } = await by.call('GET', '/lists/contact/rows/export')
    expect(text).toContain(`,"'=sum;'=x"`)
    await imported(by, text)
    const { body } = await by.call<{ columns: { name: string }[] }>('GET', '/lists/contact')
    expect(body.columns.map(({ name }) => name)).toEqual(['Name', 'Email', 'Mobile', '=sum;=x'])

    const { id } = await imported(by, csvLine(['Name', 'Email']) + csvLine(['a;=b', "'=no address"]))
    const rejects = await by.call('GET', `/lists/contact/imports/${id}/rejects`)
    expect(rejects.text.split('\r\n')[1]).toMatch(/,"a;'=b",''=no address$/)
  })

  test('rejects what a query rejects', async () => {
    const wrong = await service.call<Import>('POST', '/lists/contact/rows/export', { filters: [{ name: 'Name' }] })
    expect(wrong.status).toBe(400)
    expect((await service.call('GET', '/lists/contact/rows/export?sort=Nothing')).status).toBe(400)
    expect((await service.call('GET', `/lists/contact/rows/export?smartlist_id=${newId()}`)).status).toBe(404)
    expect((await service.call('POST', '/lists/contact/rows/export', { smartlist_id: newId() })).status).toBe(404)
    const csv = await service.call('POST', '/lists/contact/rows/export', 'x', { 'content-type': 'text/csv' })
    expect(csv.status).toBe(415)
    expect((await service.call('POST', '/lists/contact/rows/export', { pad: 'x'.repeat(1024 * 1024) })).status).toBe(
      413,
    )
  })
})
