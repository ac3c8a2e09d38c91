import { describe, expect, test } from 'vitest'
import { differing, pick, readKept } from '../../console/src/draft-fields.ts'

const EMPTY = { name: '', scopes: ['sms', 'otp'], live: true, password: '' }

describe('a draft', () => {
  test('holds only the fields that were changed, and never a password', () => {
    const changed = { name: 'Shop', scopes: ['sms', 'otp'], live: true, password: 'a drum that talks' }
    expect(differing(EMPTY, changed)).toEqual({ name: 'Shop' })
    expect(differing(EMPTY, { ...EMPTY, scopes: ['sms'] })).toEqual({ scopes: ['sms'] })
    expect(differing(EMPTY, EMPTY)).toEqual({})
    expect(pick(EMPTY, ['name', 'live'])).toEqual({ name: '', live: true })
  })

  test('is restored as far as the form still has its fields', () => {
    const kept = JSON.stringify({ at: 1, fields: { name: 'Shop', gone: 'x', live: 'yes', scopes: null } })
    expect(readKept(kept, EMPTY)).toEqual({ fields: { name: 'Shop' }, is_outdated: false })
  })

  test('is none where it was saved in the meantime, and is outdated where something else was', () => {
    const kept = JSON.stringify({ at: 1, fields: { name: 'Shop' }, base: { name: '' } })
    expect(readKept(kept, EMPTY)).toEqual({ fields: { name: 'Shop' }, is_outdated: false })
    expect(readKept(kept, { ...EMPTY, name: 'Shop' })).toEqual({ fields: {}, is_outdated: false })
    expect(readKept(kept, { ...EMPTY, live: false })).toEqual({ fields: { name: 'Shop' }, is_outdated: false })
    expect(readKept(kept, { ...EMPTY, name: 'Store' })).toEqual({ fields: { name: 'Shop' }, is_outdated: true })
  })

  test.each([null, '', '{', '[]', 'null', '{"fields":null}', '{"fields":{"name":"x"},"base":null}', '{"name":"old"}'])(
    'that cannot be read (%s) is none',
    (text) => {
      expect(readKept(text, EMPTY)).toEqual({ fields: {}, is_outdated: false })
    },
  )
})
