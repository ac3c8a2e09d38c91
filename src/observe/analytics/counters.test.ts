import { expect, test } from 'vitest'
import { ALL, MAX_VALUES, OTHER } from './figures.ts'
import { makeAnalytics, SLOT_MS } from './counters.ts'
import { hoursOf } from './flush.ts'

const AT = Date.parse('2026-11-16T10:20:00Z')

/** What was counted, as lines. */
function lines(zone: string, analytics = makeAnalytics()): string[] {
  return [...analytics.drain()].flatMap(([organisation_id, tallied]) =>
    hoursOf(zone, tallied).map(
      ({ dimension, hour_ms, value, counted }) =>
        `${organisation_id} ${new Date(hour_ms).toISOString().slice(11, 16)} ${dimension} ${value} ${counted.accepted}`,
    ),
  )
}

test('what belongs to one hour of the organisation’s clock is added up', () => {
  const analytics = makeAnalytics()
  analytics.note('a', AT, 'channel', 'sms', { accepted: 1 })
  analytics.note('a', AT + SLOT_MS, 'channel', 'sms', { accepted: 2 })
  analytics.note('a', AT + 3 * SLOT_MS, 'channel', 'sms', { accepted: 4 })
  analytics.note('b', AT, 'channel', 'sms', { accepted: 8 })
  const again = makeAnalytics()
  for (const at_ms of [AT, AT + SLOT_MS]) again.note('a', at_ms, ALL, '', { accepted: 1 })
  expect(lines('Africa/Lagos', analytics)).toEqual([
    'a 10:00 channel sms 3',
    'a 11:00 channel sms 4',
    'b 10:00 channel sms 8',
  ])
  expect(lines('Asia/Kolkata', again)).toEqual(['a 09:30 all  1', 'a 10:30 all  1'])
})

test('no more values are held than an hour keeps; the others are counted together', () => {
  const analytics = makeAnalytics()
  for (let n = 0; n < MAX_VALUES + 50; n += 1) analytics.note('a', AT, 'sender', `S${n}`, { accepted: 1 })
  analytics.note('a', AT, 'sender', 'S0', { accepted: 1 })
  const held = lines('UTC', analytics)
  expect(held).toHaveLength(MAX_VALUES + 1)
  expect(held).toContain('a 10:00 sender S0 2')
  expect(held).toContain(`a 10:00 sender ${OTHER} 50`)
})

test('a word of a carrier that is too long is cut, between characters', () => {
  const analytics = makeAnalytics()
  for (const end of ['😀', '😁']) analytics.note('a', AT, 'error', '😀'.repeat(100) + end, { accepted: 1 })
  expect(lines('UTC', analytics)).toEqual([`a 10:00 error ${'😀'.repeat(100)} 2`])
})
