import { expect, test } from 'vitest'
import type { MessageCarrier } from '../../carriers/message-carrier.ts'
import { makeSeal } from '../../values/seal.ts'
import { sortTurn, type Turn } from './sort.ts'

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
  opted_out: false,
  interrupted: true,
}

test.each([
  ['knows what it has, and serves the queue alone', true, false, true],
  ['knows what it has, but another may have had the message', true, true, false],
  ['does not know what it has', false, false, false],
])('what a dead worker had in hand, by a carrier that %s', (_, resubmittable, shared, again) => {
  const target = { queue: 'route:sms', carrier: carrierThat(resubmittable), shared }
  const { message, outcome } = sortTurn({ seal }, target, turn)
  expect([message !== undefined, outcome?.kind]).toEqual(again ? [true, undefined] : [false, 'unknown'])
})
