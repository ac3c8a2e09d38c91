import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvLine, withoutApostrophe } from './csv-write.ts'
import { detectCsv, makeCsvReader, MAX_EMPTY_LINES, type Encoding } from './csv-read.ts'

const UTF8: Encoding = 'utf-8'

function read(text: string | Buffer, { delimiter = ',', encoding = UTF8, step = 1e9 } = {}) {
  const bytes = Buffer.from(text as string)
  const reader = makeCsvReader(delimiter, encoding, { offset: 0, line: 1 })
  const records = []
  for (let at = 0; at < bytes.length; at += step) records.push(...reader.push(bytes.subarray(at, at + step)))
  return [...records, ...reader.finish()]
}
const fields = (text: string) => read(text).map((record) => record.fields)

describe('a CSV file', () => {
  test.each<[string, string[][]]>([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r1,2\r',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,,\n,b,',
      [
        ['a', '', ''],
        ['', 'b', ''],
      ],
    ],
    ['"a,b","c""d","e\r\nf"\n', [['a,b', 'c"d', 'e\r\nf']]],
    ['"",""\n', [['', '']]],
    ['a b, c "d" ,e\n', [['a b', ' c "d" ', 'e']]],
    ['"a"b,c\n', [['ab', 'c']]],
    ['a\n\n\r\nb\n', [['a'], ['b']]],
    ['ọlá,"ń,"\n', [['ọlá', 'ń,']]],
    ['', []],
  ])('%j is read', (text, expected) => {
    expect(fields(text)).toEqual(expected)
  })

  test('knows lines and places, to be read on from', () => {
    const text = 'h\n"a\nb"\n\nc\n'
    expect(read(text).map(({ line, end, next_line }) => [line, end, next_line])).toEqual([
      [1, 2, 2],
      [2, 8, 4],
      [5, 11, 6],
    ])
    const reader = makeCsvReader(',', 'utf-8', { offset: 8, line: 4 })
    expect(reader.push(Buffer.from(text.slice(8)))).toEqual([
      { line: 5, fields: ['c'], end: 11, next_line: 6, unclosed: false },
    ])
  })

  test('with a quote that is never closed says so', () => {
    expect(read('a\n"b,c\nd').map((record) => [record.fields, record.unclosed])).toEqual([
      [['a'], false],
      [['b,c\nd'], true],
    ])
  })

  test('ends at its empty lines where there are too many of them', () => {
    for (const line_end of ['\n', '\r', '\r\n', '""\n']) {
      const reader = makeCsvReader(',', UTF8, { offset: 0, line: 1 })
      expect(reader.push(Buffer.from(`a${line_end === '""\n' ? '\n' : line_end}`))).toHaveLength(
        line_end === '\r' ? 0 : 1,
      )
      reader.push(Buffer.from(line_end.repeat(MAX_EMPTY_LINES - 2)))
      expect(reader.fault()).toBeUndefined()
      reader.push(Buffer.from(`${line_end.repeat(10)}b\n`))
      expect(reader.fault()).toBe('empty_lines')
    }
  })

  test('with more fields in a record than any table has is read as far as that', () => {
    const [record, next] = read(`${','.repeat(1_000_000)}\nb\n`)
    expect(record?.fields).toHaveLength(10_000)
    expect(next).toMatchObject({ fields: ['b'], line: 2 })
  })

  test('with a record that does not end reports that, and scans each byte once', () => {
    const reader = makeCsvReader(',', UTF8, { offset: 0, line: 1 })
    const piece = Buffer.from('"",'.repeat(5_000))
    let pushed = 0
    while (reader.fault() === undefined) {
      expect(reader.push(piece)).toEqual([])
      pushed += piece.length
    }
    expect(reader.fault()).toBe('long_record')
    expect(pushed).toBeLessThan(1024 * 1024 + 2 * piece.length)
  })

  test('gives the first records where only those are wanted, and the others later', () => {
    const reader = makeCsvReader(',', UTF8, { offset: 0, line: 1 })
    expect(reader.push(Buffer.from('a\nb\nc\nd'), 2).map((record) => record.fields)).toEqual([['a'], ['b']])
    expect(reader.push(Buffer.from('e\n')).map((record) => [record.fields, record.line])).toEqual([
      [['c'], 3],
      [['de'], 4],
    ])
  })

  test('is the same however it is cut, and gives back what was written', () => {
    const cell = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', ';', '\t', 'ọ', '=', '+', "'"), maxLength: 8 }),
      fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => !/\p{Surrogate}/u.test(text)),
    )
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 })
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 7 }), (rows, step) => {
        const written = rows.map(csvLine).join('')
        expect(read(written, { step }).map((record) => record.fields.map(withoutApostrophe))).toEqual(rows)
        expect(read(written, { step })).toEqual(read(written))
      }),
    )
  })
})

test.each([
  ['a,b;c,d\n', ','],
  ['"a,b";c\n', ';'],
  ['a\tb\n', '\t'],
  ['a|b\n', '|'],
  ['single\n', ','],
])('the delimiter of %j is found', (text, delimiter) => {
  expect(detectCsv(Buffer.from(text))?.delimiter).toBe(delimiter)
})

test('byte order mark and encoding are found', () => {
  expect(detectCsv(Buffer.from('\ufeffa,b'))).toEqual({ skip: 3, encoding: 'utf-8', delimiter: ',' })
  const western = Buffer.from('n\xe4me,\x80\n', 'latin1')
  expect(detectCsv(western)?.encoding).toBe('windows-1252')
  const reader = makeCsvReader(',', 'windows-1252', { offset: 0, line: 1 })
  expect(reader.push(western).map((record) => record.fields)).toEqual([['näme', '€']])
  expect(detectCsv(Buffer.from('a,b', 'utf16le'))).toBeUndefined()
  expect(detectCsv(Buffer.from('Ọlá').subarray(0, 2))?.encoding).toBe('utf-8')
})
