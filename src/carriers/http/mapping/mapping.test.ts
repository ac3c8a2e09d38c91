import { assert, jsonValue, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileCondition, compileWord } from './condition.ts'
import { parseFilter } from './filters.ts'
import { parsePath, readPath, readText } from './path.ts'
import { compile, compileUrl } from './template.ts'

const ROOTS = ['message', 'messages', 'options', 'body', 'item']

function compiled(given: unknown): { write: (scope: object) => unknown; faults: string[] } {
  const faults: string[] = []
  const template = compile(given, ROOTS, 'send', (place, fault) => void faults.push(`${place}: ${fault}`))
  return { write: (scope) => template({ ...scope }), faults }
}

describe('a path', () => {
  const scope = { body: { messages: [{ 'message-id': 7, empty: '' }], constructor: 'theirs' }, status: 200 }

  test.each([
    ['body.messages.0.message-id', 7],
    ['body.constructor', 'theirs'],
    ['body.messages.constructor', undefined],
    ['body.__proto__.x', undefined],
    ['body.messages.9.x', undefined],
    ['body.messages.0.message-id.more', undefined],
  ])('%s leads to %s', (text, found) => {
    const path = parsePath(text, ['body'])
    expect('fault' in path ? path : readPath(scope, path)).toBe(found)
  })

  test.each([
    '',
    'elsewhere.x',
    'body..x',
    'body. x',
    'body.x;y',
    `body.${'x.'.repeat(20)}x`,
    `body.${'x'.repeat(300)}`,
  ])('%j is not a path', (text) => {
    expect(parsePath(text, ['body'])).toHaveProperty('fault')
  })

  test('of several the first that leads to a value counts', () => {
    const paths = [
      ['body', 'messages', '0', 'empty'],
      ['body', 'none'],
      ['body', 'messages', '0', 'message-id'],
    ]
    expect(readText(scope, paths)).toBe('7')
  })
})

describe('a template', () => {
  const message = {
    to: '2348031234567',
    from: undefined,
    text: 'Hello {{message.to}}',
    expires_in_s: 90,
    urgent: true,
    unicode: false,
  }

  test.each<[unknown, unknown]>([
    ['plain', 'plain'],
    ['{{message.expires_in_s}}', 90],
    ['to {{message.to | plus}}!', 'to +2348031234567!'],
    // What is filled in is not filled in again.
    ['{{message.text}}', 'Hello {{message.to}}'],
    [{ from: '{{message.from}}', to: '{{message.to}}' }, { to: '2348031234567' }],
    [{ inner: { from: '{{message.from}}' }, n: 1 }, { n: 1 }],
    ['{{message.expires_in_s | minutes}}', 2],
    ['{{message.expires_in_s | at_least 100 | milliseconds}}', 100_000],
    ['{{message.expires_in_s | at_most 60}}', 60],
    ['{{message.urgent | then 100}}', 100],
    [{ coding: '{{message.unicode | then 2}}' }, undefined],
    ['{{message.unicode | then unicode | else plain}}', 'plain'],
    [{ to: '{{message.to | plus | unless options.id}}', n: 1 }, { n: 1 }],
    ['{{message.to | unless options.none}}', '2348031234567'],
    [{ list: { $each: { to: '{{message.to}}' } } }, { list: [{ to: '1' }, { to: '2' }] }],
    [
      [1, true, null],
      [1, true, null],
    ],
  ])('%j becomes %j', (given, filled) => {
    const { write, faults } = compiled(given)
    expect(faults).toEqual([])
    expect(write({ message, messages: [{ to: '1' }, { to: '2' }], options: { id: 'smab' } })).toEqual(filled)
  })

  test.each([
    ['{{message.to', 'has {{ without }}'],
    ['{{unknown.to}}', 'begins with none of'],
    ['{{message.to | shout}}', 'has the filter shout'],
    ['{{message.to | at_most many}}', 'wants a number'],
    ['{{message.to | plus 1}}', 'wants nothing'],
    ['{{constructor}}', 'begins with none of'],
    ['{{message.to | unless unknown.to}}', 'begins with none of'],
  ])('%s is reported as faulty', (text, fault) => {
    expect(compiled({ x: text }).faults.join()).toContain(fault)
  })

  test('values in a URL are escaped, except options', () => {
    const write = compileUrl('{{options.base}}/x?to={{message.to}}', ROOTS, 'url', (place, fault) => {
      throw new Error(`${place} ${fault}`)
    })
    expect(write({ options: { base: 'https://a.example' }, message: { to: '1&from=2 /' } })).toBe(
      'https://a.example/x?to=1%26from%3D2%20%2F',
    )
  })
})

describe('a word', () => {
  test.each([
    ['delivered', 'DELIVERED', true],
    ['delivered*', 'Delivered | to handset', true],
    ['delivered', 'delivered | to handset', false],
    ['4xx', '404', true],
    ['4xx', '4040', false],
    ['4xx', '500', false],
    ['*', 'anything', true],
    ['*', ' ', false],
    ['', '', true],
    ['', 'x', false],
    ['a.c', 'abc', false],
  ])('%j matches %j: %s', (word, text, fits) => {
    expect(compileWord(word)(text)).toBe(fits)
  })

  test('all paths of a condition must match, with one word each', () => {
    const fits = compileCondition({ 'body.a': [1, '2'], 'body.b': true }, ROOTS, 'when', () => {})
    expect(fits({ body: { a: 2, b: true } })).toBe(true)
    expect(fits({ body: { a: '1', b: 'true' } })).toBe(true)
    expect(fits({ body: { a: 3, b: true } })).toBe(false)
    expect(fits({ body: { a: 1 } })).toBe(false)
    expect(fits({})).toBe(false)
  })
})

test('compiling and filling in never throws', () => {
  const never_throws = property(jsonValue(), jsonValue(), string(), (preset, answer, text) => {
    const { write } = compiled(preset)
    write({ body: answer, message: answer, messages: [answer], item: answer, options: {} })
    compiled(`{{${text}}} {{body.${text} | ${text}}}`).write({ body: answer })
    parseFilter(text)
    compileWord(text)(JSON.stringify(answer) ?? '')
    const path = parsePath(text, ROOTS)
    if (!('fault' in path)) readPath({ body: answer }, path)
  })
  expect(() => assert(never_throws, { numRuns: 500 })).not.toThrow()
})

test('filling in takes linear time', () => {
  const { write, faults } = compiled('{{'.repeat(1_900))
  expect(faults).toHaveLength(1)
  const long = '{{message.to}}'.repeat(100_000)
  expect(compiled('{{message.text}} {{message.text}}').write({ message: { text: long } })).toBe(`${long} ${long}`)
  expect(write({})).toBeDefined()
})
