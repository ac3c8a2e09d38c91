import { array, assert, boolean, constantFrom, integer, property, record, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { makeEntries } from './entries.ts'

/** Short digits, so that numbers and prefixes meet often. */
const digits = integer({ min: 1, max: 9_999 }).map(String)
const entry = tuple(digits, boolean()).map(([text, is_prefix]) => (is_prefix ? `${text}*` : text))
const change = record({ entry, what: constantFrom('set', 'delete', 'expired') })

const NOW = 1_000

/** The entry that blocks a number, by its definition. */
function naive(entries: ReadonlyMap<string, number>, number: string): string | undefined {
  const live = [...entries].filter(([, expires]) => expires > NOW).map(([one]) => one)
  if (live.includes(number)) return number
  const prefixes = live.filter((one) => one.endsWith('*') && number.startsWith(one.slice(0, -1)))
  return prefixes.sort((a, b) => b.length - a.length)[0]
}

test('finds the entry that blocks a number, as a scan of all entries does, after any changes', () => {
  assert(
    property(array(change, { maxLength: 60 }), array(digits, { maxLength: 20 }), (changes, numbers) => {
      const entries = makeEntries()
      const known = new Map<string, number>()
      for (const { entry: one, what } of changes) {
        if (what === 'delete') {
          entries.delete(one)
          known.delete(one)
        } else {
          const expires = what === 'set' ? Infinity : NOW
          entries.set(one, expires)
          known.set(one, expires)
        }
      }
      expect(entries.size).toBe(known.size)
      for (const number of numbers) expect(entries.find(number, NOW)).toBe(naive(known, number))
    }),
  )
})

test('holds numbers of fifteen digits exactly', () => {
  const entries = makeEntries()
  entries.set('999999999999998', Infinity)
  expect(entries.find('999999999999998', NOW)).toBe('999999999999998')
  expect(entries.find('999999999999999', NOW)).toBeUndefined()
})
