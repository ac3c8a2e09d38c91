import { describe, expect, test } from 'vitest'
import type { MessageCarrier } from '../../carriers/message-carrier.ts'
import { makeSeal } from '../../values/secrets/seal.ts'
import { makeRefusingCarrier, OPTED_OUT_ROUTE } from './refusing-carrier.ts'
import { prepareAttempt } from './prepare.ts'
import type { Attempt } from './target.ts'

const seal = makeSeal(Buffer.alloc(32))

function carrierThat(resubmittable: boolean): MessageCarrier {
  return { name: 'line', batch: 1, resubmittable, submit: async () => [], stop: async () => {} }
}

const attempt: Attempt = {
  organisation_id: '01a1e2f1-ef2a-7491-a64e-737e4e132d1d',
  message_id: '01a1e2f1-ef2a-7491-a64e-737e4e132d1e',
  recipient: '2348031234567',
  channel: 'sms',
  sender_id: 'Gangan',
  text: 'Hello',
  expires_in_s: null,
  attempt: 2,
  pages: 1,
  sealed_text: null,
  tried: [],
  whatsapp: null,
  is_binary: false,
  opted_out: false,
  interrupted: true,
  possible_carrier: null,
}

test.each([
  ['is resubmittable and serves the queue alone', true, false, true],
  ['is resubmittable, but shares the queue', true, true, false],
  ['is not resubmittable', false, false, false],
])('an interrupted delivery, with a carrier that %s', (_, resubmittable, shared, again) => {
  const target = { queue: 'route:sms', carrier: carrierThat(resubmittable), shared }
  const { message, outcome } = prepareAttempt({ seal }, target, attempt)
  expect([message !== undefined, outcome?.kind]).toEqual(again ? [true, undefined] : [false, 'given_up'])
})

describe.each([
  ['has expired', { expires_in_s: 0 }, 'failed'],
  ['is for a recipient who has opted out since', { opted_out: true }, 'rejected'],
  ['is binary', { is_binary: true, text: '04 027000 0102' }, 'rejected'],
  ['cannot be opened', { sealed_text: Buffer.from('sealed with another key') }, 'failed'],
] as const)('a delivery that %s', (_, given, never_carried) => {
  const target = { queue: 'route:sms', carrier: carrierThat(true) }
  test.each([
    ['was never submitted', { interrupted: false, possible_carrier: null }, never_carried],
    ['was interrupted', { interrupted: true, possible_carrier: null }, 'given_up'],
    ['was not answered at an earlier attempt', { interrupted: false, possible_carrier: 'line' }, 'given_up'],
  ])('and %s', (__, before, kind) => {
    expect(prepareAttempt({ seal }, target, { ...attempt, ...given, ...before }).outcome?.kind).toBe(kind)
  })
})

test('an interrupted delivery of a refusing route is rejected', () => {
  const target = { queue: 'route:refused', carrier: makeRefusingCarrier(OPTED_OUT_ROUTE) }
  expect(prepareAttempt({ seal }, target, { ...attempt, opted_out: true }).outcome?.kind).toBe('rejected')
})

test('binary content goes as octets to a carrier that takes it, and past one that takes texts only', () => {
  const binary = { ...attempt, interrupted: false, is_binary: true, text: '04 027000 0102' }
  const texts_only = { queue: 'route:sms', carrier: carrierThat(true) }
  expect(prepareAttempt({ seal }, texts_only, binary).outcome).toMatchObject({ kind: 'rejected', elsewhere: true })
  const target = { queue: 'route:sms', carrier: { ...carrierThat(true), takes_binary: true } }
  expect(prepareAttempt({ seal }, target, binary).message?.binary).toEqual({
    data_coding: 4,
    header: Buffer.from([2, 0x70, 0]),
    data: Buffer.from([1, 2]),
  })
})
