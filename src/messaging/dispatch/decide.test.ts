import { describe, expect, test } from 'vitest'
import type { MessageCarrier } from '../../carriers/message-carrier.ts'
import { decide, type Outcome, type Tried } from './decide.ts'
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
  attempts: 1,
  is_secret: true,
  pages: 1,
  interrupted: false,
  maybe_with: null,
}

const UNKNOWN: Outcome = { kind: 'unknown', description: 'the line was cut' }
const REFUSED: Outcome = { kind: 'rejected', code: '00a', description: 'sender restricted' }
const BUSY: Outcome = { kind: 'temporary', code: '14', description: 'queue full' }
const HELD: Outcome = { kind: 'held' }
const GIVEN_UP: Outcome = { kind: 'given_up', description: 'it is late' }

const after = (tried: Partial<Tried>, outcome: Outcome, more: Partial<DispatchTarget> = {}) =>
  decide({ ...target, ...more }, { ...otp, ...tried }, outcome)
const keysOf = (taken: ReturnType<typeof decide>['taken']) => (taken ?? []).flatMap(({ ids }) => ids.length)

test('a one-time password without an answer is tried again, and it is remembered who may have it', () => {
  expect(after({}, UNKNOWN)).toMatchObject({ kind: 'again', maybe_with: 'line' })
  expect(after({ attempts: 3 }, UNKNOWN)).toMatchObject({ kind: 'ended', status: 'unknown' })
})

describe('what a carrier may have from an earlier try', () => {
  test.each([
    ['is refused', {}, REFUSED],
    ['is refused as often as it is tried', { attempts: 12 }, BUSY],
    ['is not tried again', {}, GIVEN_UP],
  ])('is unknown when it %s', (_, tried, outcome) => {
    for (const before of [{ maybe_with: 'line' }, { interrupted: true }]) {
      const decision = after({ ...tried, ...before }, outcome)
      expect(decision).toMatchObject({ kind: 'ended', status: 'unknown', code: null })
      expect(keysOf(decision.taken)).toEqual([1])
    }
  })

  test.each([
    ['put off', {}, BUSY, {}, 'again'],
    ['held', {}, HELD, {}, 'held'],
    ['moved', { attempts: 3 }, BUSY, { next_queue: 'route:sms>other' }, 'moved'],
  ])('is remembered when it is %s', (_, tried, outcome, more, kind) => {
    expect(after({ ...tried, maybe_with: 'first' }, outcome, more)).toMatchObject({ kind, maybe_with: 'first' })
    expect(after({ ...tried, interrupted: true }, outcome, more)).toMatchObject({ kind, maybe_with: 'line' })
    expect(after(tried, outcome, more)).not.toHaveProperty('maybe_with')
  })

  test('is not looked for by its number at a carrier that never had it', () => {
    const decision = after({ maybe_with: 'first' }, REFUSED)
    expect(decision).toMatchObject({ kind: 'ended', status: 'unknown' })
    expect(keysOf(decision.taken)).toEqual([])
  })

  test('is failed where the operator wants that of all that is unknown', () => {
    const decision = after({ maybe_with: 'line' }, GIVEN_UP, { on_unknown: 'fail' })
    expect(decision).toMatchObject({ kind: 'ended', status: 'failed' })
  })
})

test('a carrier that knows what it has is believed when it refuses what a dead worker had in hand', () => {
  const knowing = { ...carrier, resubmittable: true }
  expect(after({ interrupted: true }, REFUSED, { carrier: knowing })).toMatchObject({ status: 'rejected' })
  expect(after({ interrupted: true }, REFUSED, { carrier: knowing, shared: true })).toMatchObject({ status: 'unknown' })
})

test('what waits to be refused is with no carrier, whoever died with it', () => {
  const refusing = makeRefusingCarrier(OPTED_OUT_ROUTE)
  const late: Outcome = { kind: 'failed', description: 'it is late' }
  expect(after({ interrupted: true }, late, { carrier: refusing })).toMatchObject({ status: 'failed' })
})
