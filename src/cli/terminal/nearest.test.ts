import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const KNOWN = ['serve', 'migrate', 'organisations', 'organisation', 'test', 'http']

test.each([
  ['mirgate', 'migrate'],
  ['migrat', 'migrate'],
  ['organization', 'organisation'],
  ['organisations', 'organisations'],
  ['SERVE', 'serve'],
  ['tset', 'test'],
  ['distributed', undefined],
  ['x', undefined],
  ['', undefined],
  ['migrate'.repeat(100), undefined],
])('%s is near %s', (word, near) => {
  expect(nearest(word, KNOWN)).toBe(near)
})
