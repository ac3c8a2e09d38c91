import { describe, expect, test } from 'vitest'
import { describeError, judgeError, saysNotSent } from './codes.ts'

describe('an error of Meta', () => {
  test.each([
    [130429, 429, 'retry'],
    [131056, 400, 'retry'],
    [131053, 400, 'retry'],
    [131057, 500, 'retry'],
    [33, 400, 'pause'],
    [131037, 400, 'pause'],
    [131045, 500, 'pause'],
    [4, 400, 'pause'],
    [80007, 400, 'pause'],
    [131048, 400, 'pause'],
    [133016, 400, 'pause'],
    [190, 401, 'pause'],
    [0, 401, 'pause'],
    [3, 403, 'pause'],
    [10, 403, 'pause'],
    [200, 403, 'pause'],
    [299, 403, 'pause'],
    [300, 403, 'fail'],
    [131049, 400, 'fail'],
    [131050, 400, 'fail'],
    [130497, 403, 'fail'],
    [131026, 400, 'fail'],
    [131047, 400, 'fail'],
    [132000, 400, 'fail'],
    [132001, 404, 'fail'],
    [132015, 400, 'fail'],
    [100, 400, 'fail'],
    [undefined, 429, 'retry'],
    [undefined, 401, 'pause'],
    [undefined, 403, 'pause'],
    [undefined, 400, 'fail'],
    [139999, 429, 'retry'],
  ])('%s with HTTP %d: %s', (code, status, action) => {
    expect(judgeError(code, status, 1).action).toBe(action)
  })

  test('131050 is an opt-out, 131049 is not', () => {
    expect(judgeError(131050, 400, 1)).toEqual({ action: 'fail', opted_out: true })
    expect(judgeError(131049, 400, 1)).toEqual({ action: 'fail' })
  })

  test.each([
    [3, true],
    [131037, true],
    [131045, true],
    [131057, true],
    [1, false],
    [2, false],
    [131000, false],
    [131016, false],
    [undefined, false],
  ])('%s with HTTP 500 says that nothing was sent: %s', (code, says) => {
    expect(saysNotSent(code)).toBe(says)
  })

  test('of a rate limit delays the retry: 1 to 8 s for the number, from 6 s for a recipient', () => {
    const waits = (code: number) => [1, 2, 3, 4, 5, 12].map((attempt) => judgeError(code, 400, attempt))
    expect(waits(130429).map((verdict) => verdict.action === 'retry' && verdict.after_s)).toEqual([1, 2, 4, 8, 8, 8])
    expect(waits(131056).map((verdict) => verdict.action === 'retry' && verdict.after_s)).toEqual([
      6, 12, 24, 48, 96, 300,
    ])
  })

  test('alerts the operator if only the operator can fix it, not for the call rate', () => {
    expect(judgeError(190, 401, 1)).toMatchObject({ alert: true })
    expect(judgeError(131048, 400, 1)).toMatchObject({ alert: true })
    expect(judgeError(80007, 400, 1)).toMatchObject({ alert: false })
  })

  test('has a description of ours, otherwise that of Meta', () => {
    expect(describeError(131026, 'Message undeliverable')).toBe(
      'the number is not on WhatsApp or cannot receive this message',
    )
    expect(describeError(139999, 'Something new')).toBe('Something new')
    expect(describeError(undefined, undefined)).toBe('refused without a reason')
  })
})
