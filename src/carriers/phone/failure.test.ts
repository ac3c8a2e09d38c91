import { describe, expect, test } from 'vitest'
import { isOfSim, outcomeOf, reportOf, type Failure } from './failure.ts'

const failure = (error: string | null, more: Partial<Failure> = {}): Failure => ({
  phone_state: 'Failed',
  error,
  was_sent: false,
  ...more,
})

describe('a message that failed on a phone', () => {
  test.each([
    ['Send result: RESULT_ERROR_NO_SERVICE (Failed …)', { kind: 'temporary', code: 'no_service' }, true],
    ['Send result: RESULT_ERROR_RADIO_OFF (Failed …)', { kind: 'temporary', code: 'radio_off' }, true],
    ['TTL expired', { kind: 'temporary', code: 'expired' }, true],
    ['Send result: RESULT_ERROR_FDN_CHECK_FAILURE (…)', { kind: 'rejected', elsewhere: true }, false],
    ['Send result: RESULT_ERROR_SHORT_CODE_NOT_ALLOWED (…)', { kind: 'rejected', elsewhere: true }, false],
    ["Can't send message: SIM 2 not found", { kind: 'rejected', elsewhere: true, code: 'app' }, false],
    ['Send result: RESULT_INVALID_ARGUMENTS (…)', { kind: 'rejected', code: 'invalid_arguments' }, false],
    ['sendSMS: Invalid destinationAddress', { kind: 'rejected', code: 'app' }, false],
  ])('%s', (error, outcome, of_sim) => {
    expect(outcomeOf(failure(error))).toMatchObject(outcome)
    expect('elsewhere' in outcomeOf(failure(error))).toBe('elsewhere' in outcome)
    expect(isOfSim(failure(error))).toBe(of_sim)
    expect(reportOf(failure(error)).status).toBe('rejected')
  })

  test.each([
    'Send result: RESULT_ERROR_GENERIC_FAILURE (Generic failure cause)',
    'Send result: RESULT_NETWORK_ERROR (Failed because of a network error)',
    'Send result: RESULT_RIL_SMS_SEND_FAIL_RETRY (…)',
    'Send result: RESULT_OF_NEXT_YEAR (…)',
  ])('%s: the network may have it, so it is not sent again', (error) => {
    const outcome = outcomeOf(failure(error))
    expect(outcome.kind).toBe('rejected')
    expect(outcome).not.toHaveProperty('elsewhere')
    expect(isOfSim(failure(error))).toBe(true)
  })

  test('is undelivered once the network has taken it', () => {
    const lost = failure('Delivery result from SC +2348030000000: 64', { was_sent: true })
    expect(outcomeOf(lost)).toMatchObject({ kind: 'undelivered', code: 'status 64' })
    expect(reportOf(lost)).toMatchObject({ status: 'undelivered', code: 'status 64' })
    expect(isOfSim(lost)).toBe(false)
    expect(reportOf(failure('Send result: RESULT_ERROR_NO_SERVICE', { was_sent: true })).status).toBe('undelivered')
  })

  test('without an error text, or canceled on the phone', () => {
    expect(outcomeOf(failure(null))).toMatchObject({ kind: 'rejected', description: 'the phone did not say why' })
    const cancelled = failure(null, { phone_state: 'Cancelled' })
    expect(outcomeOf(cancelled)).toMatchObject({ kind: 'rejected', code: 'canceled', elsewhere: true })
    expect(isOfSim(cancelled)).toBe(false)
  })
})
