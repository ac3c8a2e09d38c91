import { describe, expect, test } from 'vitest'
import type { Fault } from '../../values/refusal.ts'
import { readSendAt } from './schedule.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')

function read(given: unknown): string | undefined {
  const faults: Fault[] = []
  const at = readSendAt(given, faults, NOW)
  return faults[0]?.type ?? at
}

describe('send_at', () => {
  test.each([
    ['2026-11-15T13:00:00Z', '2026-11-15T13:00:00.000000+00:00'],
    ['2026-11-15T14:00:00+01:00', '2026-11-15T13:00:00.000000+00:00'],
    ['2026-11-15T08:00-0500', '2026-11-15T13:00:00.000000+00:00'],
    ['2026-11-15T15:30:00.25+0230', '2026-11-15T13:00:00.250000+00:00'],
    ['2026-11-15T14:00:00,123456789+01', '2026-11-15T13:00:00.123000+00:00'],
    [' 2026-11-15t13:00:00z ', '2026-11-15T13:00:00.000000+00:00'],
    ['2026-12-20T12:00:00Z', '2026-12-20T12:00:00.000000+00:00'],
  ])('%s is %s', (given, at) => expect(read(given)).toBe(at))

  test.each([
    '',
    'tomorrow',
    '2026-11-16',
    '2026-11-16T10:00:00',
    '2026-11-16 10:00:00Z',
    '2026-11-31T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-11-16T25:00:00Z',
    '2026-11-16T10:60:00Z',
    '2026-11-16T10:00:00+25:00',
    '2026-11-16T10:00:00+01:75',
    '1794909600',
    '2026-12-20T12:00:00.001Z',
    '2026-11-15T11:58:59Z',
  ])('%j is refused', (given) => expect(read(given)).toBe('date_invalid'))

  test('just gone by means now, as clocks differ', () => {
    expect(read('2026-11-15T11:59:01Z')).toBeUndefined()
    expect(read('2026-11-15T12:00:00Z')).toBeUndefined()
    expect(read(undefined)).toBeUndefined()
  })
})
