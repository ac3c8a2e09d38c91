import { describe, expect, test } from 'vitest'
import type { MessageCarrier } from '../../carriers/message-carrier.ts'
import { decide, type NotAccepted, type Tried } from './decide.ts'
import { makeRefusingCarrier, OPTED_OUT_ROUTE } from './refusing-carrier.ts'
import type { DispatchTarget } from './target.ts'

const carrier: MessageCarrier = {
  name: 'line',
  batch: 1,
  resubmittable: false,
  submit: async () => [],
  stop: async () => {},
}
const target: DispatchTarget = { queue: 'route:sms', carrier }
const otp: Tried = {
  recipient: '2348031234567',
  channel: 'sms',
  attempt: 1,
  sealed_text: Buffer.from('sealed'),
  tried: [],
  pages: 1,
  interrupted: false,
  possible_carrier: null,
}

const UNKNOWN: NotAccepted = { kind: 'unknown', description: 'the line was cut' }
const REFUSED: NotAccepted = { kind: 'rejected', code: '00a', description: 'sender restricted' }
const BUSY: NotAccepted = { kind: 'temporary', code: '14', description: 'queue full' }
const HELD: NotAccepted = { kind: 'held' }
const GIVEN_UP: NotAccepted = { kind: 'given_up', description: 'it is late' }

const after = (tried: Partial<Tried>, outcome: NotAccepted, more: Partial<DispatchTarget> = {}) =>
  decide({ ...target, ...more }, { ...otp, ...tried }, outcome)
const keysOf = (taken: ReturnType<typeof decide>['taken']) => (taken ?? []).flatMap(({ ids }) => ids.length)

test('a one-time password without an answer is retried, and the carrier that may have it is stored', () => {
  expect(after({}, UNKNOWN)).toMatchObject({ kind: 'retry', possible_carrier: 'line' })
  expect(after({ attempt: 3 }, UNKNOWN)).toMatchObject({ kind: 'ended', status: 'unknown' })
})

describe('a delivery that a carrier may have from an earlier attempt', () => {
  test.each([
    ['is rejected', {}, REFUSED],
    ['is rejected at the last attempt', { attempt: 12 }, BUSY],
    ['is given up', {}, GIVEN_UP],
  ])('is unknown when it %s', (_, tried, outcome) => {
    for (const before of [{ possible_carrier: 'line' }, { interrupted: true }]) {
      const decision = after({ ...tried, ...before }, outcome)
      expect(decision).toMatchObject({ kind: 'ended', status: 'unknown', code: null })
      expect(keysOf(decision.taken)).toEqual([1])
    }
  })

  test.each([
    ['retried', {}, BUSY, {}, 'retry'],
    ['held', {}, HELD, {}, 'held'],
    ['passed to the next carrier', { attempt: 3 }, BUSY, { nextQueue: () => 'route:sms>other' }, 'failover'],
  ])('keeps the carrier that may have it when it is %s', (_, tried, outcome, more, kind) => {
    expect(after({ ...tried, possible_carrier: 'first' }, outcome, more)).toMatchObject({
      kind,
      possible_carrier: 'first',
    })
    expect(after({ ...tried, interrupted: true }, outcome, more)).toMatchObject({ kind, possible_carrier: 'line' })
    expect(after(tried, outcome, more)).not.toHaveProperty('possible_carrier')
  })

  test('is not matched by its number at a carrier that never had it', () => {
    const decision = after({ possible_carrier: 'first' }, REFUSED)
    expect(decision).toMatchObject({ kind: 'ended', status: 'unknown' })
    expect(keysOf(decision.taken)).toEqual([])
  })

  test('is failed with on_unknown: fail', () => {
    const decision = after({ possible_carrier: 'line' }, GIVEN_UP, { on_unknown: 'fail' })
    expect(decision).toMatchObject({ kind: 'ended', status: 'failed' })
  })
})

test('a resubmittable carrier is believed when it rejects a delivery that a dead worker had in flight', () => {
  const knowing = { ...carrier, resubmittable: true }
  expect(after({ interrupted: true }, REFUSED, { carrier: knowing })).toMatchObject({ status: 'rejected' })
  expect(after({ interrupted: true }, REFUSED, { carrier: knowing, shared: true })).toMatchObject({ status: 'unknown' })
})

test('an interrupted delivery of a refusing route is never unknown', () => {
  const refusing = makeRefusingCarrier(OPTED_OUT_ROUTE)
  const late: NotAccepted = { kind: 'failed', description: 'it is late' }
  expect(after({ interrupted: true }, late, { carrier: refusing })).toMatchObject({ status: 'failed' })
})
