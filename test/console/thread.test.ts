import { expect, test } from 'vitest'
import { arrange } from '../../console/src/pages/conversations/thread.ts'
import { filesOf, isStandIn, wordsOf } from '../../console/src/ui/whatsapp/content.ts'

const created_datetime = '2026-11-14T23:42:46.539766+00:00'
const row = (id: string, direction: 'in' | 'out', more: object = {}) => ({ id, direction, created_datetime, ...more })
const reaction = (emoji: string, reply_to: string) => ({ whatsapp: { reaction: emoji, reply_to } })

test('a reaction stands on its text, the newest of each side; alone if its text is not loaded, or if it failed', () => {
  const rows = [
    row('7', 'in', reaction('', 'b')),
    row('6', 'out', reaction('🙏', 'a')),
    row('5', 'out', { ...reaction('😂', 'a'), status: 'rejected' }),
    row('4', 'in', reaction('👍', 'b')),
    row('3', 'in', reaction('👍', 'gone')),
    row('b', 'out', { text: 'Hello' }),
    row('a', 'in', { text: 'Hi' }),
  ]
  const { shown, reactions } = arrange(rows)
  expect(shown.map(({ id }) => id)).toEqual(['5', '3', 'b', 'a'])
  expect(Object.fromEntries(reactions)).toEqual({ a: { out: '🙏' }, b: { in: '' } })
})

test('a type in brackets is named, and left out beside what it stands for', () => {
  const link = 'https://shop.example/a.jpg'
  expect(wordsOf('[image]')).toBe('Image')
  expect(wordsOf('[hello]')).toBe('[hello]')
  expect(filesOf({ header: { image: { link } } })).toEqual([{ kind: 'image', link }])
  expect(isStandIn('[image]', { image: { link } })).toBe(true)
  expect(isStandIn('[image]', { type: 'text' })).toBe(false)
  expect(isStandIn('Our shop', { location: { latitude: 1, longitude: 2, name: 'Our shop' } })).toBe(true)
  expect(isStandIn('Look', { image: { link } })).toBe(false)
})
