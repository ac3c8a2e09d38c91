import { describe, expect, test } from 'vitest'
import { judgeSegments, type SegmentState } from './segments.ts'

type Status = SegmentState['status']
const states = (...statuses: Status[]): SegmentState[] =>
  statuses.map((status, n) => ({ segment: n + 1, status, code: `c${n + 1}`, description: status }))

describe('a message in segments', () => {
  test.each<[Status | undefined, string | undefined, Status[]]>([
    ['delivered', 'c1', ['delivered', 'delivered', 'delivered']],
    [undefined, undefined, ['delivered', 'delivered', null]],
    [undefined, undefined, [null, null, null]],
    ['undelivered', 'c2', [null, 'undelivered', null]],
    ['expired', 'c3', ['delivered', null, 'expired']],
    ['undelivered', 'c3', ['expired', null, 'undelivered']],
    ['rejected', 'c1', ['rejected', 'rejected', 'rejected']],
    [undefined, undefined, ['rejected', null, null]],
    ['undelivered', 'c1', ['rejected', 'delivered', null]],
    ['undelivered', 'c2', ['unknown', 'rejected', null]],
    ['unknown', 'c2', ['delivered', 'unknown', 'delivered']],
    [undefined, undefined, ['delivered', 'unknown', null]],
  ])('is %s (%s) when its segments are %j', (status, code, segments) => {
    const verdict = judgeSegments(3, states(...segments))
    const description = segments[Number(code?.slice(1)) - 1]
    expect(verdict).toEqual(status && { status, code, description })
  })

  test('is not delivered while a segment is not even known to be taken', () => {
    expect(judgeSegments(3, states('delivered', 'delivered'))).toBeUndefined()
  })

  test('a segment that was sent again and lost twice is lost as the first time', () => {
    const lost = { segment: 1, status: 'undelivered', description: null } as const
    expect(
      judgeSegments(2, [
        { ...lost, code: 'first' },
        { ...lost, code: 'second' },
      ]),
    ).toEqual({ status: 'undelivered', code: 'first', description: null })
  })

  test('a segment that was sent again is lost while neither has arrived, and on its way while one is', () => {
    const segment = { segment: 1, code: null, description: null }
    expect(
      judgeSegments(1, [
        { ...segment, status: 'expired' },
        { ...segment, status: null },
      ]),
    ).toBeUndefined()
    expect(
      judgeSegments(1, [
        { ...segment, status: null },
        { ...segment, status: 'expired' },
      ]),
    ).toBeUndefined()
    const arrived = judgeSegments(1, [
      { ...segment, status: 'delivered' },
      { ...segment, status: null },
      { ...segment, status: 'rejected' },
    ])
    expect(arrived?.status).toBe('delivered')
  })

  test('a segment that was sent again has arrived if either has', () => {
    const [one, two] = states('undelivered', 'delivered')
    const again = { segment: 1, status: 'delivered', code: 'again', description: null } as const
    expect(
      judgeSegments(
        2,
        [one, two, again].filter((segment) => segment !== undefined),
      )?.status,
    ).toBe('delivered')
    expect(
      judgeSegments(
        2,
        [one, two, { ...again, status: null }].filter((segment) => segment !== undefined),
      ),
    ).toBeUndefined()
  })
})
