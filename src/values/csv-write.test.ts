import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvLine, withoutApostrophe } from './csv-write.ts'

const UNITS = ['a', '"', ',', ';', '|', '\n', '\r', '\t', ' ', '\u00a0', "'", '=', '+', '-', '@', '＝']
const cell = fc.string({ unit: fc.constantFrom(...UNITS), maxLength: 12 })

/** As a spreadsheet reads: quotes count at the beginning of a cell only, and what follows them is taken as it is. */
function readAs(separator: string, text: string): string[] {
  const cells: string[] = []
  for (let at = 0; at <= text.length;) {
    let value = ''
    if (text[at] === '"') {
      for (at += 1; at < text.length; at += 1) {
        if (text[at] !== '"') value += text[at]
        else if (text[at + 1] === '"') value += text[(at += 1)]
        else break
      }
      at += 1
    }
    while (at < text.length && text[at] !== separator && !/[\r\n]/.test(text[at] ?? '')) value += text[at++]
    cells.push(value)
    at += 1
  }
  return cells
}

describe('a cell', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['a;=cmd()', '"a;\'=cmd()"'],
    ['a\t=cmd()', '"a\t\'=cmd()"'],
    ['a\n@cmd', '"a\n\'@cmd"'],
    ['a;"=cmd()"', '"a;\'""=cmd()"""'],
    ['a; -1', '"a; -1"'.replace('; ', ";' ")],
    ['\t=1', '"\'\t\'=1"'],
    ['\r=1', '"\'\r\'=1"'],
    [' =1', "' =1"],
    ['＝1', "'＝1"],
    ["'=1", "''=1"],
    ['a;b', '"a;b"'],
    ['a|b', '"a|b"'],
    ['a\tb', '"a\tb"'],
    ["O'Neil; the 'first'", "\"O'Neil; the 'first'\""],
    ['2-1=1', '2-1=1'],
  ])('%j is written %j, and is itself again', (text, written) => {
    expect(csvLine([text])).toBe(`${written}\r\n`)
    const [read = ''] = readAs(',', written)
    expect(withoutApostrophe(read)).toBe(text)
  })

  test('is no formula, whatever parts the cells', () => {
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 4 }), (cells) => {
        for (const separator of [',', ';', '\t']) {
          for (const read of readAs(separator, csvLine(cells))) expect(read).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('comes back as it was', () => {
    fc.assert(
      fc.property(cell, (text) => {
        const [read = ''] = readAs(',', csvLine([text]))
        expect(withoutApostrophe(read)).toBe(text)
      }),
      { numRuns: 2_000 },
    )
  })
})
