import { expect, test } from 'vitest'
import { countriesOf } from './country.ts'

test.each([
  ['2348031234567', 'NG'],
  ['447700900123', 'GB'],
  ['12025550123', 'US'],
  ['79161234567', 'RU'],
  ['35312345678', 'IE'],
  ['2100000000', undefined],
])('countriesOf(%s)', (recipient, country) => {
  expect(countriesOf(recipient)[0]).toBe(country)
})

test('a shared calling code has several', () => {
  expect(countriesOf('14165550123')).toContain('CA')
})
