import { describe, expect, test } from 'vitest'
import { matching, step } from '../../console/src/layout/palette/match.ts'

const ENTRIES = [
  { title: 'Overview', detail: 'Today' },
  { title: 'Messages', detail: 'Sending' },
  { title: 'Send a message', words: 'sms whatsapp' },
  { title: 'Senders', detail: 'Set up' },
  { title: 'Register a sender', words: 'new sender id' },
]
const found = (text: string) => matching(ENTRIES, text).map(({ title }) => title)

describe('a search term', () => {
  test('finds prefixes before other matches', () => {
    expect(found('send')).toEqual(['Send a message', 'Senders', 'Register a sender', 'Messages'])
    expect(found('mess')).toEqual(['Messages', 'Send a message'])
  })

  test('finds several words, in any order and case', () => {
    expect(found('WhatsApp')).toEqual(['Send a message'])
    expect(found('message send')).toEqual(['Send a message', 'Messages'])
    expect(found('sender new')).toEqual(['Register a sender'])
    expect(found('senders template')).toEqual([])
  })

  test('finds everything if it is empty', () => {
    expect(found('  ')).toEqual(ENTRIES.map(({ title }) => title))
  })
})

test('the arrow keys wrap around, and do nothing without results', () => {
  expect([step(0, 1, 3), step(2, 1, 3), step(0, -1, 3), step(0, 1, 0)]).toEqual([1, 0, 2, 0])
})
