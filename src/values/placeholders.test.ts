import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { distinctPlaceholders, fillPattern, readPattern } from './placeholders.ts'

function fill(content: string, values: Record<string, string>): { text: string; missing: string[] } {
  const missing: string[] = []
  const text = fillPattern(
    readPattern(content),
    (name) => values[name],
    (name) => missing.push(name),
  )
  return { text, missing }
}

describe('a pattern', () => {
  test.each([
    ['Hello', {}, 'Hello'],
    ['Hello {{name}}', { name: 'Ada' }, 'Hello Ada'],
    ['{{ name }}!', { name: 'Ada' }, 'Ada!'],
    ['{{name|there}}', {}, 'there'],
    ['{{ name | there }}', {}, 'there'],
    ['{{name|}}.', {}, '.'],
    ['{{name|a|b}}', {}, 'a|b'],
    ['{{name|there}}', { name: 'Ada' }, 'Ada'],
    ['{{name|there}}', { name: '' }, ''],
    ['{{a}}{{b}}{{a}}', { a: '1', b: '2' }, '121'],
    ['{{a}}', { a: '{{b}}', b: 'no' }, '{{b}}'],
    ['{{a}}', { a: '$& $1' }, '$& $1'],
    ['{{}} {{ }} {{|x}} {a} {{a', {}, '{{}} {{ }} {{|x}} {a} {{a'],
    ['{{{a}}}', { a: '1' }, '{1}'],
    ['{{First name}}', { 'First name': 'Ada' }, 'Ada'],
  ])('%s', (content, values, expected) => {
    expect(fill(content, values)).toEqual({ text: expected, missing: [] })
  })

  test('reports the names without a value', () => {
    expect(fill('{{a}} {{b|x}} {{c}} {{a}}', { a: '1' })).toEqual({ text: '1 x  1', missing: ['c'] })
  })

  test('is read in time that grows with its length only', () => {
    const content = `${'{{'.repeat(200_000)}${'{{ '.repeat(100_000)}${' '.repeat(400_000)}`
    expect(readPattern(content).placeholders).toEqual([])
  })
})

test('each name is listed once, with its default only if every occurrence has one', () => {
  const pattern = readPattern('{{a|x}} {{b}} {{a|y}} {{c|z}} {{c}} {{b|w}}')
  expect(distinctPlaceholders(pattern)).toEqual([{ name: 'a', default: 'x' }, { name: 'b' }, { name: 'c' }])
})

test('any text without double braces is itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(!text.includes('{{'))
      expect(fill(text, {})).toEqual({ text, missing: [] })
    }),
  )
})
