import { expect, test } from 'vitest'
import { makeAnalytics } from '../observe/analytics/counters.ts'
import { newId } from '../values/id.ts'
import { noteAccepted, noteSettled } from './counters.ts'
import type { Changed } from './settle/store.ts'

const ID = newId()
const CHANGED: Changed = {
  message_id: ID,
  recipient: '2348031234567',
  status: 'delivered',
  code: null,
  description: null,
  channel: 'sms',
  sender_id: 'Gangan',
  template_id: null,
  external_ref: null,
  callback: null,
  has_webhooks: false,
  route: 'all',
  pages: 1,
  charge: 40_000n,
  refunded: false,
  was: 'sent',
  was_code: null,
  updated_datetime: '2026-11-16T10:00:00.000000+00:00',
}

/** What is left of some notes, by dimension and value, without what is nothing. */
function left(note: (analytics: ReturnType<typeof makeAnalytics>) => void): Record<string, object> {
  const analytics = makeAnalytics()
  note(analytics)
  const [tallied] = analytics.drain().values()
  const [slot] = tallied?.values() ?? []
  return Object.fromEntries(
    [...(slot ?? [])].flatMap(([dimension, values]) =>
      [...values].map(([value, counted]) => [
        `${dimension} ${value}`,
        Object.fromEntries(Object.entries(counted).filter(([, figure]) => figure !== 0)),
      ]),
    ),
  )
}

test('a delivery that expired and then arrived is counted as delivered, and its error is taken back', () => {
  const counted = left((analytics) => {
    noteSettled(analytics, 'o', [{ ...CHANGED, status: 'expired', code: '027' }])
    noteSettled(analytics, 'o', [{ ...CHANGED, was: 'expired', was_code: '027' }])
  })
  expect(counted['all ']).toEqual({ delivered: 1 })
  expect(counted['operator NG MTN']).toEqual({ delivered: 1 })
  expect(counted['error 027']).toEqual({})
})

test('so is one that was unknown before', () => {
  const counted = left((analytics) => {
    noteSettled(analytics, 'o', [{ ...CHANGED, status: 'unknown' }])
    noteSettled(analytics, 'o', [{ ...CHANGED, was: 'unknown' }])
  })
  expect(counted['all ']).toEqual({ delivered: 1 })
  expect(Object.keys(counted).some((key) => key.startsWith('error'))).toBe(false)
})

test('a failure without a code is counted by its status, with its refund', () => {
  const counted = left((analytics) => noteSettled(analytics, 'o', [{ ...CHANGED, status: 'failed', refunded: true }]))
  expect(counted['error failed']).toEqual({ failed: 1, refunded: 40_000 })
  expect(counted['sender Gangan']).toEqual({ failed: 1, refunded: 40_000 })
  expect(counted['template ']).toEqual({ failed: 1, refunded: 40_000 })
})

test('an erased person has no country', () => {
  const counted = left((analytics) => noteSettled(analytics, 'o', [{ ...CHANGED, recipient: 'erased-1f2e' }]))
  expect(counted['country ']).toEqual({ delivered: 1 })
  expect(counted['operator ']).toEqual({ delivered: 1 })
})

test('a long list is counted by where each of it goes', () => {
  const deliveries = ['2348031234567', '2348031234568', '233241234567'].map((recipient, n) => ({
    recipient,
    charge: 40_000n,
    price_rule_id: null,
    pages: 2,
    route: n === 2 ? 'abroad' : 'home',
  }))
  const counted = left((analytics) =>
    noteAccepted(analytics, 'o', {
      id: ID,
      channel: 'sms',
      sender_id: null,
      content: '',
      personalisation: undefined,
      external_ref: undefined,
      is_trackable: false,
      callback: undefined,
      encoding: 'GSM',
      message_length: 170,
      pages: 2,
      charge: 120_000n,
      priority: 1,
      deliveries,
    }),
  )
  expect(counted).toEqual({
    'all ': { accepted: 3, pages: 6, cost: 120_000 },
    'channel sms': { accepted: 3, pages: 6, cost: 120_000 },
    'sender ': { accepted: 3, pages: 6, cost: 120_000 },
    'template ': { accepted: 3, pages: 6, cost: 120_000 },
    'country NG': { accepted: 2, pages: 4, cost: 80_000 },
    'country GH': { accepted: 1, pages: 2, cost: 40_000 },
    'operator NG MTN': { accepted: 2, pages: 4, cost: 80_000 },
    'operator GH MTN': { accepted: 1, pages: 2, cost: 40_000 },
    'route home': { accepted: 2, pages: 4, cost: 80_000 },
    'route abroad': { accepted: 1, pages: 2, cost: 40_000 },
  })
})
