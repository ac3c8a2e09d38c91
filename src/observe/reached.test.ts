import { expect, test } from 'vitest'
import { makeReached } from './reached.ts'

const NUMBER = '2348031234567'

test('a delivery to a number that another carrier reported as not in use is contradicted', () => {
  const reached = makeReached()
  reached.noteAbsent(NUMBER, 'one')
  expect(reached.noteReached('2348030000000', 'two')).toBeUndefined()
  expect(reached.noteReached(NUMBER, 'one')).toBeUndefined()
  reached.noteAbsent(NUMBER, 'one')
  expect(reached.noteReached(NUMBER, 'two')).toBe('contradicted')
  // The report that contradicts does not replace the first one.
  expect(reached.noteReached(NUMBER, 'three')).toBe('contradicted')
})

test('a delivery that another carrier also reported is confirmed', () => {
  const reached = makeReached()
  expect(reached.noteReached(NUMBER, 'one')).toBeUndefined()
  expect(reached.noteReached(NUMBER, 'one')).toBeUndefined()
  expect(reached.noteReached(NUMBER, 'two')).toBe('confirmed')
})

test('reports are forgotten after an hour', () => {
  const time = { ms: 0 }
  const reached = makeReached(() => time.ms)
  reached.noteAbsent(NUMBER, 'one')
  time.ms = 3_600_000
  expect(reached.noteReached(NUMBER, 'two')).toBeUndefined()
})
