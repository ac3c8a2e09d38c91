import { describe, expect, test } from 'vitest'
import { Refusal, type Fault } from '../values/refusal.ts'
import { checkToken, readRequest } from './read-request.ts'

const NIGERIA = { default_country: 'NG', default_sender_id: 'Gangan' }

/** All faults as they are answered, in their order; none when the request is taken. */
function faultsOf(...given: Parameters<typeof readRequest>): string[] {
  try {
    readRequest(...given)
    return []
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    return fault.faults.map(({ field, type, message }) => `${field} ${type}: ${message}`)
  }
}

describe('readRequest', () => {
  test('defaults to four digits, fifteen minutes and sms', () => {
    expect(readRequest(NIGERIA, { recipient: '0803 123 4567' }, [])).toEqual({
      recipient: '2348031234567',
      channel: 'sms',
      minutes: 15,
      token: expect.stringMatching(/^\d{4}$/),
    })
  })

  test('uses the given values, and a given token instead of a length', () => {
    const body = { recipient: '+2348031234567', channel: 'WhatsApp', length: 8, expires_in: 60 }
    expect(readRequest(NIGERIA, body, [])).toEqual({
      recipient: '2348031234567',
      channel: 'whatsapp',
      minutes: 60,
      token: expect.stringMatching(/^\d{8}$/),
    })
    expect(readRequest(NIGERIA, { ...body, token: 'aB3d' }, []).token).toBe('aB3d')
  })

  test('requires a sender on sms only', () => {
    const nameless = { ...NIGERIA, default_sender_id: null }
    const body = { recipient: '08031234567' }
    const sentence = 'Your organisation has no default sender ID, which OTPs on sms need.'
    expect(faultsOf(nameless, body, [])).toEqual([`sender_id missing: ${sentence}`])
    expect(faultsOf(nameless, { ...body, channel: 'whatsapp' }, [])).toEqual([])
  })

  test('reports faults of values after faults of the shape', () => {
    const shape: Fault[] = [{ field: 'expires_in', message: 'No number.', type: 'number_type' }]
    expect(faultsOf(NIGERIA, { recipient: 'nonsense', token: '123' }, shape)).toEqual([
      'expires_in number_type: No number.',
      'token string_too_short: A token has at least 4 characters.',
      'recipient phone_invalid: This is not a phone number.',
    ])
  })

  test('ignores an invalid length if there is a token, and nothing else', () => {
    const faulty = (field: string): Fault => ({ field, message: 'Wrong.', type: 'number_type' })
    const body = { recipient: '08031234567', length: 99 }
    const shape = [faulty('length'), faulty('expires_in')]
    expect(faultsOf(NIGERIA, body, shape)).toEqual(['length number_type: Wrong.', 'expires_in number_type: Wrong.'])
    expect(faultsOf(NIGERIA, { ...body, token: '1234' }, shape)).toEqual(['expires_in number_type: Wrong.'])
  })

  test('does not validate a value of the wrong type', () => {
    const faulty = (field: string): Fault => ({ field, message: 'Wrong.', type: 'string_type' })
    const body = { recipient: 'nonsense', token: '1', channel: 'pigeon' }
    const fields = ['recipient', 'token', 'channel']
    expect(faultsOf(NIGERIA, body, fields.map(faulty))).toEqual(fields.map((field) => `${field} string_type: Wrong.`))
  })
})

test.each([
  ['123', 'string_too_short: A token has at least 4 characters.'],
  ['1234', undefined],
  ['aZ09aZ09aZ', undefined],
  ['12345678901', 'string_too_long: A token has at most 10 characters.'],
  ['1234-', 'invalid: A token is made of letters and digits only.'],
  ['-1234', 'invalid: A token is made of letters and digits only.'],
])('checkToken(%j)', (token, expected) => {
  const faults: Fault[] = []
  checkToken('code', token, faults)
  expect(faults.map(({ field, type, message }) => `${field} ${type}: ${message}`)).toEqual(
    expected === undefined ? [] : [`code ${expected}`],
  )
})
