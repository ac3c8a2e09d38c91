import { describe, expect, test } from 'vitest'
import { spellingsOf } from '../people/spellings.ts'
import { LONGEST_CONTENT, maskAnswer, maskPath, writeMasked } from './mask.ts'

const SECRET = 'hunter2-482913'

describe('a body', () => {
  test.each([
    { token: SECRET },
    { Token: SECRET },
    { authToken: SECRET },
    { 'X-Api-Key': SECRET },
    { api_key: SECRET, apiKey: SECRET, apikey: SECRET },
    { password: SECRET, pass: SECRET },
    { secret: { deep: [SECRET] } },
    { otp: SECRET, Code: SECRET, verification_code: SECRET, pin: SECRET },
    { CustomCode: SECRET, custom_code: SECRET, customcode: SECRET },
    { login_code: SECRET, 'security code': SECRET, recovery_codes: [SECRET], OTPCode: SECRET },
    { totp: SECRET, pwd: SECRET, passphrase: SECRET },
    { ContentVariables: JSON.stringify({ 1: SECRET }) },
    { TemplateCustomSubstitutions: JSON.stringify({ code: SECRET }) },
    { test_numbers: [{ recipient: '2348000000021', token: SECRET }] },
    { personalisation: [{ to: '2348031234567', substitutions: { code: SECRET } }] },
    { note: `my key is gg_live_${'a1'.repeat(20)}` },
    { callback: `https://ada:${SECRET}@example.com/hook` },
    { callback: `https://example.com/hook?access_token=${SECRET}&x=1` },
    { StatusCallback: `https://example.com/hook?otp=${SECRET}&CustomCode=${SECRET}` },
    { text: `Authorization: Bearer ${SECRET}` },
  ])('has no secret in it: %j', (body) => {
    const written = writeMasked(JSON.parse(JSON.stringify(body)))
    expect(written).not.toContain(SECRET)
    expect(written).not.toContain('a1a1')
    expect(written).toContain('•••')
  })

  test('keeps what is none', () => {
    const body = {
      recipients: ['2348031234567'],
      content: 'Hi "you"',
      external_ref: 'key-1',
      country_code: 'NG',
      CountryCode: 'NG',
      sender_short_code: '32811',
      CodeLength: '6',
      postcode: '100001',
      n: 4,
      b: null,
    }
    expect(JSON.parse(writeMasked(body))).toEqual(body)
  })

  test('is cut, between numbers, whatever its size and shape', () => {
    const recipients = Array.from({ length: 10_000 }, (_, n) => `23480300${String(n).padStart(5, '0')}`)
    for (const body of [{ recipients }, { recipients: recipients.join(',') }, { text: '\u0000😀'.repeat(5_000) }]) {
      const written = writeMasked(body)
      expect(written.length).toBeLessThanOrEqual(LONGEST_CONTENT + 1)
      expect(written).toMatch(/…("\})?$/)
      expect(written.isWellFormed()).toBe(true)
      expect(written).not.toContain('\u0000')
      expect(written).not.toMatch(/\d…("\})?$/)
    }
  })
})

test('an answer has no secret in it, also where it is cut in the middle of one', () => {
  const answer = JSON.stringify({ secret: `whsec_${SECRET}`, password: SECRET, code: '000', auth_token: SECRET })
  expect(maskAnswer(answer)).not.toContain(SECRET)
  expect(maskAnswer(answer)).toContain('"code":"000"')
  const long = JSON.stringify({ filler: 'x'.repeat(LONGEST_CONTENT - 30), secret: SECRET.repeat(10) })
  expect(maskAnswer(long)).not.toContain('hunter2')
  expect(maskAnswer('0: Accepted for delivery')).toBe('0: Accepted for delivery')
})

test('an address has no code in it that Twilio’s clients choose themselves', () => {
  const path = maskPath(`/v2/Services/VA0/Verifications?To=%2B2348031234567&CustomCode=${SECRET}&CodeLength=6`)
  expect(path).toBe('/v2/Services/VA0/Verifications?To=+2348031234567&CustomCode=•••&CodeLength=6')
})

test('an address has no secret in it, and a number in it is found again however it was written', () => {
  const path = maskPath(`/cgi-bin/sendsms?username=ada&password=${SECRET}&to=%2B234%20803%20123%204567&text=Hi`)
  expect(path).not.toContain(SECRET)
  expect(spellingsOf('2348031234567').isIn(path)).toBe(true)
  const odd = maskPath('/otp/get-by-recipient/%32348031234567')
  expect(spellingsOf('2348031234567').isIn(odd)).toBe(true)
  expect(maskPath('/%').length).toBe(2)
  expect(maskPath(`/${'x'.repeat(5_000)}`).length).toBeLessThan(600)
})
