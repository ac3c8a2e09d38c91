import { describe, expect, test } from 'vitest'
import type { MessageCarrier } from '../../carriers/message-carrier.ts'
import { makeSeal } from '../../values/secrets/seal.ts'
import { makeRefusingCarrier, OPTED_OUT_ROUTE } from './refusing-carrier.ts'
import { sortTurn, type Turn } from './prepare.ts'

const seal = makeSeal(Buffer.alloc(32))

function carrierThat(resubmittable: boolean): MessageCarrier {
  return { name: 'line', batch: 1, resubmittable, submit: async () => [], stop: async () => {} }
}

const turn: Turn = {
  organisation_id: '01a1e2f1-ef2a-7491-a64e-737e4e132d1d',
  message_id: '01a1e2f1-ef2a-7491-a64e-737e4e132d1e',
  recipient: '2348031234567',
  channel: 'sms',
  sender_id: 'Gangan',
  text: 'Hello',
  expires_in_s: null,
  attempt: 2,
  sealed_text: null,
  whatsapp: null,
  is_binary: false,
  opted_out: false,
  interrupted: true,
  maybe_with: null,
}

test.each([
  ['knows what it has, and serves the queue alone', true, false, true],
  ['knows what it has, but another may have had the message', true, true, false],
  ['does not know what it has', false, false, false],
])('what a dead worker had in hand, by a carrier that %s', (_, resubmittable, shared, again) => {
  const target = { queue: 'route:sms', carrier: carrierThat(resubmittable), shared }
  const { message, outcome } = sortTurn({ seal }, target, turn)
  expect([message !== undefined, outcome?.kind]).toEqual(again ? [true, undefined] : [false, 'given_up'])
})

describe.each([
  ['is late', { expires_in_s: 0 }, 'failed'],
  ['is for somebody who has opted out since', { opted_out: true }, 'rejected'],
  ['is no text', { is_binary: true, text: '04 027000 0102' }, 'rejected'],
  ['cannot be opened', { sealed_text: Buffer.from('sealed by somebody else') }, 'failed'],
] as const)('what %s', (_, given, never_carried) => {
  const target = { queue: 'route:sms', carrier: carrierThat(true) }
  test.each([
    ['was never tried', { interrupted: false, maybe_with: null }, never_carried],
    ['a dead worker had in hand', { interrupted: true, maybe_with: null }, 'given_up'],
    ['was not answered before', { interrupted: false, maybe_with: 'line' }, 'given_up'],
  ])('and %s', (__, before, kind) => {
    expect(sortTurn({ seal }, target, { ...turn, ...given, ...before }).outcome?.kind).toBe(kind)
  })
})

test('what waits to be refused is with no carrier, whoever died with it', () => {
  const target = { queue: 'route:refused', carrier: makeRefusingCarrier(OPTED_OUT_ROUTE) }
  expect(sortTurn({ seal }, target, { ...turn, opted_out: true }).outcome?.kind).toBe('rejected')
})

test('what is no text goes to a carrier that takes it, as octets, and past one that takes texts only', () => {
  const binary = { ...turn, interrupted: false, is_binary: true, text: '04 027000 0102' }
  const texts_only = { queue: 'route:sms', carrier: carrierThat(true) }
  expect(sortTurn({ seal }, texts_only, binary).outcome).toMatchObject({ kind: 'rejected', elsewhere: true })
  const target = { queue: 'route:sms', carrier: { ...carrierThat(true), takes_binary: true } }
  expect(sortTurn({ seal }, target, binary).message?.binary).toEqual({
    data_coding: 4,
    header: Buffer.from([2, 0x70, 0]),
    data: Buffer.from([1, 2]),
  })
})
