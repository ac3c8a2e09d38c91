import { describe, expect, test } from 'vitest'
import { anchorOf, makeChecks, worst, type Check, type Finding } from './check.ts'
import { fill, fillCount } from '../values/fill.ts'
import { levelOf, THRESHOLDS } from './thresholds.ts'
import { bytesInWords, countInWords, percentInWords, secondsInWords } from './units.ts'

const ok: Finding = { level: 'ok', summary: 'Fine.' }
const bad: Finding = { level: 'critical', summary: 'Broken.', advice: 'Repair it.' }
const check = (name: string, find: Check<undefined>['find']): Check<undefined> => ({ name, section: 'A section', find })
const made = (checks: Check<undefined>[]) => makeChecks(checks, undefined, { timeout_ms: 50 })

describe('a list of checks', () => {
  test('returns every finding with the name of its check, and a link unless it is ok', async () => {
    const findings = await made([check('a', () => ok), check('b', async () => [bad, ok]), check('c', () => [])])
    expect(findings).toEqual([
      { check: 'a', level: 'ok', summary: 'Fine.' },
      { check: 'b', level: 'critical', summary: 'Broken.', advice: 'Repair it.', runbook: 'a-section' },
      { check: 'b', level: 'ok', summary: 'Fine.' },
    ])
  })

  test('reports a check that throws or never ends, and the others all the same', async () => {
    const findings = await made([
      check('throws', () => {
        throw new Error('no such table')
      }),
      check('rejects', () => Promise.reject(new Error('gone'))),
      check('hangs', () => new Promise(() => {})),
      check('works', () => ok),
    ])
    expect(findings.map(({ check: name, level, summary }) => [name, level, summary])).toEqual([
      ['throws', 'warning', 'The check failed: no such table'],
      ['rejects', 'warning', 'The check failed: gone'],
      ['hangs', 'warning', 'The check did not end within 0.05 s.'],
      ['works', 'ok', 'Fine.'],
    ])
    expect(findings.slice(0, 3).every(({ advice }) => advice !== undefined)).toBe(true)
  })

  test('makes them at the same time', async () => {
    let waiting = 0
    let release: () => void = () => {}
    const all = new Promise<void>((resolve) => (release = resolve))
    const together = async (): Promise<Finding> => {
      waiting += 1
      if (waiting === 3) release()
      await all
      return ok
    }
    expect(await made([check('a', together), check('b', together), check('c', together)])).toHaveLength(3)
  })

  test('shows the worst findings of a check, and counts the rest', async () => {
    const many = [...Array.from({ length: 30 }, () => ok), bad]
    const findings = await made([check('many', () => many)])
    expect(findings).toHaveLength(11)
    expect(findings[0]).toMatchObject({ level: 'critical' })
    expect(findings.at(-1)).toMatchObject({ level: 'ok', summary: 'There are 21 more.' })
  })
})

test('the worst level is that of all', () => {
  expect(worst([])).toBe('ok')
  expect(worst(['ok', 'warning', 'ok'])).toBe('warning')
  expect(worst(['critical', 'warning'])).toBe('critical')
})

test('a sentence gets its values; a place without a value stays', () => {
  expect(fill('{n} of {all}: {other}', { n: 1, all: 'two' })).toBe('1 of two: {other}')
  expect(fill('{a}', { a: '{b}', b: 'not again' })).toBe('{b}')
})

test('a sentence of one is in the singular', () => {
  const words = (n: number) => fillCount(n, '{n} job is {state}.', '{n} jobs are {state}.', { state: 'due' })
  expect([0, 1, 2].map(words)).toEqual(['0 jobs are due.', '1 job is due.', '2 jobs are due.'])
  expect([0, 1, 2].map((n) => countInWords(n, 'day'))).toEqual(['0 days', '1 day', '2 days'])
})

test('an anchor is that of GitHub', () => {
  expect(anchorOf('GanganDown')).toBe('gangandown')
  expect(anchorOf("A customer's message, it did not arrive")).toBe('a-customers-message-it-did-not-arrive')
})

test('a threshold is passed above it, or below it', () => {
  expect([60, 61, 300, 301].map((age) => levelOf(THRESHOLDS.queue_age, age))).toEqual([
    'ok',
    'warning',
    'warning',
    'critical',
  ])
  expect([0.2, 0.19, 0.1, 0.09].map((free) => levelOf(THRESHOLDS.disk_free, free))).toEqual([
    'ok',
    'warning',
    'warning',
    'critical',
  ])
  expect([2, 2.01].map((intervals) => levelOf(THRESHOLDS.backup_age, intervals))).toEqual(['ok', 'critical'])
})

test('units are short', () => {
  expect([0, 999, 1_000, 123_456_789, 2.5e12].map(bytesInWords)).toEqual(['0 B', '999 B', '1.0 kB', '123 MB', '2.5 TB'])
  expect([0, 119, 120, 7_199, 7_200, 360_000].map(secondsInWords)).toEqual([
    '0 s',
    '119 s',
    '2 min',
    '120 min',
    '2 h',
    '100 h',
  ])
  expect(percentInWords(0.999)).toBe('99 %')
})
