import { describe, expect, test } from 'vitest'
import { newId } from '../../values/id.ts'
import { bundleUp } from './bundle.ts'
import { PRIORITY, type Draft } from '../draft.ts'

const delivery = { recipient: '2348031234567', charge: 40_000n, pages: 1, route: 'sms' }

function draft(wish: Partial<Draft> = {}): Draft {
  return {
    id: newId(),
    channel: 'sms',
    sender_id: 'Gangan',
    content: 'Hello',
    personalisation: undefined,
    external_ref: undefined,
    is_trackable: false,
    callback: undefined,
    encoding: 'GSM',
    message_length: 5,
    pages: 1,
    charge: 40_000n,
    priority: PRIORITY.single,
    deliveries: [delivery],
    ...wish,
  }
}

const drafts = (count: number, wish: Partial<Draft> = {}): Draft[] => Array.from({ length: count }, () => draft(wish))
const bundled = (of: readonly Draft[]): boolean[] => of.map((one) => one.bundled === true)

test('a burst of messages is one bundle, with the ids it lies between and its recipients', () => {
  const burst = drafts(8)
  burst[3]!.deliveries = [delivery, { ...delivery, recipient: '2348039999999' }]
  const bundle = bundleUp(burst.toReversed())
  expect(bundle).toMatchObject({ first_id: burst[0]!.id, last_id: burst[7]!.id, size: 9 })
  expect(bundled(burst)).toEqual(burst.map(() => true))
})

test('holds all there is to say of a message, and nothing of what there is not', () => {
  const whole = draft({
    content: 'Ẹ káàbọ̀, "{{name}}" \\ 🎉\n',
    template: { id: 'welcome', version: 3 },
    personalisation: [{ to: '2348031234567', substitutions: { name: 'Ada' } }],
    external_ref: 'order 7',
    is_trackable: true,
    callback: 'https://example.com/told',
    charge: 2n ** 62n,
    deliveries: [{ ...delivery, charge: 2n ** 62n, text: 'Ẹ káàbọ̀, "Ada" \\ 🎉\n' }],
  })
  const bundle = bundleUp([...drafts(7, { sender_id: null }), whole])
  expect(bundle?.messages).toContain('"charge":4611686018427387904,"priority":1') // too great for JSON.parse
  const messages = JSON.parse(bundle?.messages ?? '') as object[]
  const { bundled: _, template: __, words: ___, ...told } = whole
  expect(messages[7]).toEqual({
    ...told,
    template_id: 'welcome',
    template_version: 3,
    charge: 2 ** 62,
    deliveries: [{ ...whole.deliveries[0], charge: 2 ** 62 }],
  })
  expect(Object.keys(messages[0] ?? {})).not.toContain('sender_id')
})

test('a message may have a few recipients', () => {
  const bundle = bundleUp(drafts(8, { deliveries: Array.from({ length: 10 }, () => delivery) }))
  expect(bundle?.size).toBe(80)
})

test('a few are stored as what they are', () => {
  const burst = drafts(7)
  expect(bundleUp(burst)).toBeUndefined()
  expect(bundled(burst)).toEqual(burst.map(() => false))
})

describe('stays outside, while the others of its burst are bundled:', () => {
  test.each<[string, Partial<Draft>]>([
    ['a long list', { packs: [] }],
    ['what goes to more than a few', { deliveries: Array.from({ length: 11 }, () => delivery) }],
    ['what says too much', { personalisation: [{ to: '1', substitutions: { x: 'x'.repeat(9_000) } }] }],
    ['what runs out', { expires_in_s: 60 }],
    ['a secret', { deliveries: [{ ...delivery, sealed_text: Buffer.from('x') }] }],
    ['what waits', { deliveries: [delivery, { ...delivery, send_at: '2026-11-15T12:00:00.000000+00:00' }] }],
  ])('%s', (_what, wish) => {
    const burst = [...drafts(8), draft(wish)]
    expect(bundleUp(burst)?.size).toBe(8)
    expect(bundled(burst)).toEqual(burst.map((_, n) => n < 8))
    expect(bundleUp([...drafts(7), draft(wish)])).toBeUndefined()
  })
})

test.each([
  ['a NUL character', 'a\u0000b'],
  ['half a character', 'a\ud83cb'],
  ['the other half', 'a\udf89b'],
])('with %s in one, which no bundle could be read with, nothing is bundled', (_, content) => {
  const burst = [...drafts(8), draft({ content })]
  expect(bundleUp(burst)).toBeUndefined()
  expect(bundled(burst)).toEqual(burst.map(() => false))
})
