import { describe, expect, test } from 'vitest'
import { isProfileFault, refusalOf } from './outcome.ts'
import { STATUS, type StatusName } from '../../codec/status.ts'

const kindOf = (status: number): string => {
  const { kind, ...more } = refusalOf(status, 1)
  return 'elsewhere' in more ? 'elsewhere' : kind
}

describe('a status other than ROK', () => {
  test('is permanent, except for the temporary statuses', () => {
    const names = (Object.keys(STATUS) as StatusName[]).filter((name) => name !== 'ROK')
    const of = (kind: string): string[] => names.filter((name) => kindOf(STATUS[name]) === kind).sort()
    expect(of('temporary')).toEqual(['RINVBNDSTS', 'RMSGQFUL', 'RSYSERR', 'RTHROTTLED', 'RX_T_APPN'])
    expect(of('elsewhere')).toEqual(['RSUBMITFAIL', 'RX_P_APPN', 'RX_R_APPN'])
    expect(kindOf(0x400)).toBe('rejected')
  })

  test('RMSGQFUL is retried at growing intervals, up to three minutes', () => {
    const waits = [1, 3, 6, 9].map((attempt) => refusalOf(STATUS.RMSGQFUL, attempt))
    expect(waits).toMatchObject([30, 90, 180, 180].map((retry_after_s) => ({ retry_after_s })))
  })

  test.each(['0x40b', '1035', '0x0000040b'])('is what the carrier says it is (%s)', (key) => {
    const errors = { [key]: { kind: 'elsewhere' as const, description: 'no credit' } }
    expect(refusalOf(0x40b, 1, errors)).toEqual({
      kind: 'rejected',
      code: '0x0000040b',
      description: 'no credit',
      elsewhere: true,
    })
  })

  test('can be overridden by name in the profile', () => {
    const errors = { RINVDSTADR: { kind: 'temporary' as const, description: '' } }
    expect(refusalOf(STATUS.RINVDSTADR, 1, errors)).toMatchObject({
      kind: 'temporary',
      description: 'the carrier does not know this number',
    })
  })

  test('may be a profile error', () => {
    expect(isProfileFault(STATUS.RINVESMCLASS)).toBe(true)
    expect(isProfileFault(STATUS.RINVDSTADR)).toBe(false)
  })
})
