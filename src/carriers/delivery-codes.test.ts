import { expect, test } from 'vitest'
import { adviceFor, ALL_ADVICE, DELIVERY_CODES, describeCode, descriptionOf, wordsOfCode } from './delivery-codes.ts'

test('the meaning of a receipt code depends on its stat, in any of its spellings', () => {
  expect(describeCode('UNDELIV', '008')).toBe('subscriber on DND')
  expect(describeCode('undeliverable', '20B')).toBe('invalid or inactive number')
  expect(describeCode('REJECTD', '008')).toBe('phone inbox full')
  expect(describeCode('EXPIRED', '004')).toBeUndefined()
})

test('a delivery that did not arrive has advice: by its code, else by its status', () => {
  expect(adviceFor({ status: 'expired', code: '027' })).toBe('The phone was off or out of coverage: retry later.')
  expect(adviceFor({ status: 'rejected', code: 'opted_out' })).toMatch(/START/)
  expect(adviceFor({ status: 'undelivered', code: '9zz' })).toMatch(/check the number/)
  expect(adviceFor({ status: 'failed', code: null })).toMatch(/refunded/)
  expect(adviceFor({ status: 'unknown' })).toMatch(/twice/)
})

test('a code that is counted without its status has the words of all its meanings', () => {
  expect(wordsOfCode('027')).toEqual({
    description: 'absent subscriber',
    advice: 'The phone was off or out of coverage: retry later.',
  })
  expect(wordsOfCode('254').description).toBe('inbox full')
  const both = wordsOfCode('008')
  expect(both.description).toBe('subscriber on DND / phone inbox full')
  expect(both.advice).toMatch(/^Send it as transactional .* \/ Retry later: /)
  expect(wordsOfCode('RINVDSTADR').advice).toMatch(/^Check the number/)
  expect(wordsOfCode('undelivered')).toEqual({ advice: 'Retry once later; if that fails too, check the number.' })
  // A status, and a code of phones that send.
  expect(wordsOfCode('expired').description).toBeUndefined()
  expect(wordsOfCode('9zz')).toEqual({})
})

test.each(['queued', 'sent', 'scheduled', 'delivered', 'canceled', 'constructor'])(
  'a delivery that is %s has no advice, whatever its code',
  (status) => expect(adviceFor({ status, code: 'RINVDSTADR' })).toBeUndefined(),
)

test('a code of the table always has its description, another is a bug', () => {
  expect(descriptionOf('dnd')).toBe('the recipient is on a do-not-disturb list')
  expect(() => descriptionOf('nothing')).toThrow('lacks nothing')
})

test('no code has two meanings, and every row but the first has advice, in one or two sentences', () => {
  const keys = DELIVERY_CODES.flatMap(({ codes = [], receipts = {} }) => [
    ...codes,
    ...Object.entries(receipts).flatMap(([stat, own]) => own.map((code) => `${stat} ${code}`)),
  ])
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
  expect(DELIVERY_CODES.filter(({ advice }) => advice === undefined).map(({ description }) => description)).toEqual([
    'delivered',
  ])
  expect([...ALL_ADVICE].filter((advice) => !/^[A-Z].*\.$/.test(advice))).toEqual([])
})
