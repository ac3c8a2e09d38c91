import { describe, expect, test } from 'vitest'
import { judgeParts, type PartState } from './segments.ts'

type Status = PartState['status']
const states = (...statuses: Status[]): PartState[] =>
  statuses.map((status, n) => ({ part: n + 1, status, code: `c${n + 1}`, description: status }))

describe('a message in parts', () => {
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
  ])('is %s (%s) when its parts are %j', (status, code, parts) => {
    const verdict = judgeParts(3, states(...parts))
    const description = parts[Number(code?.slice(1)) - 1]
    expect(verdict).toEqual(status && { status, code, description })
  })

  test('is not delivered while a part is not even known to be taken', () => {
    expect(judgeParts(3, states('delivered', 'delivered'))).toBeUndefined()
  })

  test('a part that was sent again and lost twice is lost as the first time', () => {
    const lost = { part: 1, status: 'undelivered', description: null } as const
    expect(
      judgeParts(2, [
        { ...lost, code: 'first' },
        { ...lost, code: 'second' },
      ]),
    ).toEqual({ status: 'undelivered', code: 'first', description: null })
  })

  test('a part that was sent again is lost while neither has arrived, and on its way while one is', () => {
    const part = { part: 1, code: null, description: null }
    expect(
      judgeParts(1, [
        { ...part, status: 'expired' },
        { ...part, status: null },
      ]),
    ).toBeUndefined()
    expect(
      judgeParts(1, [
        { ...part, status: null },
        { ...part, status: 'expired' },
      ]),
    ).toBeUndefined()
    const arrived = judgeParts(1, [
      { ...part, status: 'delivered' },
      { ...part, status: null },
      { ...part, status: 'rejected' },
    ])
    expect(arrived?.status).toBe('delivered')
  })

  test('a part that was sent again has arrived if either has', () => {
    const [one, two] = states('undelivered', 'delivered')
    const again = { part: 1, status: 'delivered', code: 'again', description: null } as const
    expect(
      judgeParts(
        2,
        [one, two, again].filter((part) => part !== undefined),
      )?.status,
    ).toBe('delivered')
    expect(
      judgeParts(
        2,
        [one, two, { ...again, status: null }].filter((part) => part !== undefined),
      ),
    ).toBeUndefined()
  })
})
