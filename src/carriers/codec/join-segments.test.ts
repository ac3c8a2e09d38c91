import { expect, test } from 'vitest'
import { joinSegments, openEscape } from './join-segments.ts'

const ESCAPE = openEscape({ locking: null, single: null })

test('an escaped character that was split between segments is restored', () => {
  expect(joinSegments([`5 ${ESCAPE}`, 'e, or'], 2)).toBe('5 €, or')
  const many = Array.from({ length: 255 }, () => `e${'x'.repeat(150)}${ESCAPE}`)
  expect(joinSegments(many, 255)).toBe(`e${'x'.repeat(150)}${`€${'x'.repeat(150)}`.repeat(254)}`)
})

test('half of a split character is dropped if the other half is missing', () => {
  expect(joinSegments([`5 ${ESCAPE}`, 'e, or'], 3)).toBe('5 e, or')
  expect(joinSegments([`5 ${ESCAPE}`, '', 'e'], 3)).toBe('5 e')
  expect(joinSegments([`5 ${ESCAPE}`], 1)).toBe('5 ')
  expect(joinSegments([ESCAPE, 'x', '', '👋'], 4)).toBe('x👋')
})
