import { describe, expect, test } from 'vitest'
import { differing, readKept } from '../../console/src/draft-fields.ts'

const EMPTY = { name: '', scopes: ['sms', 'otp'], live: true, password: '' }

describe('a draft', () => {
  test('holds only the fields that were changed, and never a password', () => {
    const changed = { name: 'Shop', scopes: ['sms', 'otp'], live: true, password: 'a drum that talks' }
    expect(differing(EMPTY, changed)).toEqual({ name: 'Shop' })
    expect(differing(EMPTY, { ...EMPTY, scopes: ['sms'] })).toEqual({ scopes: ['sms'] })
    expect(differing(EMPTY, EMPTY)).toEqual({})
  })

  test('is restored as far as the form still has its fields', () => {
    const kept = JSON.stringify({ at: 1, fields: { name: 'Shop', gone: 'x', live: 'yes', scopes: null } })
    expect(readKept(kept, EMPTY)).toEqual({ name: 'Shop' })
  })

  test.each([null, '', '{', '[]', 'null', '{"fields":null}', '{"name":"of an earlier version"}'])(
    'that cannot be read (%s) is none',
    (text) => {
      expect(readKept(text, EMPTY)).toEqual({})
    },
  )
})
