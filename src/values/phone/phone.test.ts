import * as fc from 'fast-check'
import examples from 'libphonenumber-js/mobile/examples'
import metadata from 'libphonenumber-js/min/metadata'
import { describe, expect, test } from 'vitest'
import { cleanDigits, cleanNational, cleanPhone, dialPlan, isPossible, sampleNumber, shortenPhone } from './phone.ts'

const NG = dialPlan('NG')
const IT = dialPlan('IT')
const HU = dialPlan('HU')
const US = dialPlan('US')
const RU = dialPlan('RU')
const IN = dialPlan('IN')
const BR = dialPlan('BR')
const DE = dialPlan('DE')
const FO = dialPlan('FO')

describe('dialPlan', () => {
  test.each([
    ['NG', '234', '0', /^(?:009)/],
    ['GB', '44', '0', undefined],
    ['US', '1', '1', /^(?:011)/],
    ['IT', '39', '', undefined],
    ['HU', '36', '06', undefined],
    ['RU', '7', '8', /^(?:810)/],
    ['KE', '254', '0', /^(?:000)/],
    ['CI', '225', '', undefined],
  ])('%s', (country, calling_code, national_prefix, international_prefix) => {
    expect(dialPlan(country)).toEqual({ calling_code, national_prefix, international_prefix })
  })

  test.each(['', 'XX', 'ng', 'NGA', '001', 'toString', '__proto__'])('%j is unknown', (country) => {
    expect(() => dialPlan(country)).toThrow(RangeError)
  })
})

describe('cleanPhone', () => {
  test.each([
    '2348031234567',
    '+2348031234567',
    '002348031234567',
    '08031234567',
    '0803 123 4567',
    '0803-123-4567',
    '(0803) 123.4567',
    '(0)803 123 4567',
    '+234 (0)803 123 4567',
    '+234(0)803/1234567',
    '00234 (0)803 123 4567',
    '234 (0)803 123 4567',
    '(+234) 803 123 4567',
    '[+234] 803 123 4567',
    ' +234\u00a0803\u202f123\t4567 ',
    '0803\u2013123\u20114567',
    '0803\u2212123\u20144567',
    '\u202a+234 803 123 4567\u202c',
    '\ufeff08031234567\r\n',
    '8031234567',
    '803 123 4567',
    '+803 123 4567',
    '23408031234567',
    '+23408031234567',
    '0023408031234567',
    '+234 0803 123 4567',
    '0092348031234567',
    '009 234 803 123 4567',
    '009 234 (0)803 123 4567',
    '00923408031234567',
    'tel:+2348031234567',
    'TEL:+234-803-123-4567',
    'tel:08031234567',
    'tel:+234(803)123.4567',
    'tel:8031234567;phone-context=+234',
    'tel:0803-123-4567;phone-context=+234',
    'tel:08031234567;phone-context=ng.example.com',
    'tel:+2348031234567;rn=+2348090000000;npdi',
    '٠٨٠٣١٢٣٤٥٦٧',
    '+٢٣٤ ٨٠٣ ١٢٣ ٤٥٦٧',
    '\u061c٠٨٠٣ ١٢٣ ٤٥٦٧',
    '۰۸۰۳۱۲۳۴۵۶۷',
    '＋２３４８０３１２３４５６７',
    '（０８０３）１２３－４５６７',
    'tel:+٢٣٤٨٠٣١٢٣٤٥٦٧',
  ])('%j in Nigeria', (raw) => {
    expect(cleanPhone(raw, NG)).toBe('2348031234567')
  })

  test.each([
    ['shortest', '+290 8123', NG, '2908123'],
    ['of a country whose mobile numbers are short', '+290 51234', NG, '29051234'],
    ['longest', '496912345678901', NG, '496912345678901'],
    ['of no country', '210123456789012', NG, '210123456789012'],
    ['a land line that is shorter than mobile numbers', '+49 30 123456', NG, '4930123456'],
    ['a free number that is longer than mobile numbers', '0800 1234 5678', NG, '23480012345678'],
    ['a mobile number that is not in the plan', '0799 000 1234', NG, '2347990001234'],
    ['011 in the United States', '011 234 803 123 4567', US, '2348031234567'],
    ['011 in the United States before its own number', '011 1 212 555 0123', US, '12125550123'],
    ['810 in Russia', '810 234 803 123 4567', RU, '2348031234567'],
    ['000 in Kenya', '000 254 712 345678', dialPlan('KE'), '254712345678'],
    ['010 in Japan', '010 234 803 123 4567', dialPlan('JP'), '2348031234567'],
    ['0011 in Australia', '0011 44 7911 123456', dialPlan('AU'), '447911123456'],
    ['Great Britain behind 009', '009 44 7911 123456', NG, '447911123456'],
    ['Pakistan behind 00, not 009', '0092 300 123 4567', NG, '923001234567'],
    ['India behind 00, which is also America behind 009', '0091 212 555 0123', NG, '912125550123'],
    ['a context that is another country', 'tel:7911123456;phone-context=+44', NG, '447911123456'],
    ['another country', '+44 20 7946 0018', NG, '442079460018'],
    ['a trunk zero of another country', '+44 (0)20 7946 0018', NG, '442079460018'],
    ['Italy in national form', '06 1234 5678', IT, '390612345678'],
    ['a zero that belongs to the number', '+39 (0)6 1234 5678', NG, '390612345678'],
    ['Hungary in national form', '06 20 123 4567', HU, '36201234567'],
    ['the United States in national form', '1 (212) 555-0123', US, '12125550123'],
    ['a bracketed zero that follows no country code', '+2348 (0) 31234567', NG, '2348031234567'],
    ['a bracketed zero within the country code', '+2(0)1001234567', NG, '201001234567'],
    ['China, seen from a country that dials 8', '8613800138000', RU, '8613800138000'],
  ])('%s', (_, raw, plan, expected) => {
    expect(cleanPhone(raw, plan)).toBe(expected)
  })

  test.each([
    ['a mobile that begins like Japan', '8121234567', NG, '2348121234567'],
    ['one that begins like a free number of Japan', '8100123456', NG, '2348100123456'],
    ['one that begins like a free number of India', '9111234567', NG, '2349111234567'],
    ['one that begins like Russia', '7031234567', NG, '2347031234567'],
    ['one that begins like Turkey', '9031234567', NG, '2349031234567'],
    ['a number that no handset has', '8000000001', NG, '2348000000001'],
    ['the United States', '212 555 0123', US, '12125550123'],
    ['Italy', '393 123 4567', IT, '393931234567'],
    ['India, whose mobiles may begin with its own code', '91123 45678', IN, '919112345678'],
    ['Brazil, where 55 is an area too', '55 91234-5678', BR, '5555912345678'],
    ['one with six digits', '21 23 45', FO, '298212345'],
    ['one that is not in the plan, with its zero', '+234 0799 000 1234', NG, '2347990001234'],
    ['a zero kept after the code of another country', '+44 020 7946 0018', NG, '442079460018'],
    ['the long zero of Hungary', '+36 06 20 123 4567', NG, '36201234567'],
    ['a zero that belongs to the number', '+39 06 1234 5678', NG, '390612345678'],
    ['a zero in Germany, where 490 could begin an area', '+49 030 123456', DE, '4930123456'],
  ])('national without what one dials first: %s', (_, raw, plan, expected) => {
    expect(cleanPhone(raw, plan)).toBe(expected)
  })

  test.each([
    ['the United States', '14155552671'],
    ['Nigeria', '2348031234567'],
    ['China', '8613912345678'],
    ['Great Britain', '447911123456'],
    ['Japan', '819012345678'],
    ['India', '919112345678'],
    ['Russia', '79161234567'],
    ['Turkey', '905321234567'],
    ['Singapore, seen from where its digits are an area', '6581234567', US],
    ['Lebanon', '9613123456'],
    ['no known numbering plan', '8921234567'],
  ])('with its country code it stays: %s', (_, digits, plan = NG) => {
    expect(cleanPhone(digits, plan)).toBe(digits)
  })

  test.each([
    ['nothing', '', NG],
    ['blanks', '   ', NG],
    ['a plus alone', '+', NG],
    ['too short', '123456', NG],
    ['too long', '1234567890123456', NG],
    ['zero after the plus', '+0803 123 4567', NG],
    ['three zeros', '000803123456', NG],
    ['only zeros', '0000000', NG],
    ['a plus after the prefix', '00+2348031234567', NG],
    ['two pluses', '++2348031234567', NG],
    ['a plus inside', '234+8031234567', NG],
    ['a plus at the end', '2348031234567+', NG],
    ['letters', '0803CALLME1', NG],
    ['an extension', '08031234567 x12', NG],
    ['a comma', '0803,1234567', NG],
    ['two numbers on two lines', '1234567\n1234567', NG],
    ['national zero before the country code', '02348031234567', NG],
    ['digits of another script', '०८०३१२३४५६७', NG],
    ['a number that is too short for its country', '080312345', NG],
    ['the same with the code', '+234 80312345', NG],
    ['the same with the code kept and its zero', '+234 080312345', NG],
    ['one digit too few', '0803123456', NG],
    ['one digit too many', '080312345678', NG],
    ['one digit too many behind 009', '00923480312345678', NG],
    ['too short for America', '1234567', NG],
    ['too long for America', '123456789012345', NG],
    ['too short for Great Britain', '+44 7911 12345', NG],
    ['too long for Ghana', '+233 24 123 45678', NG],
    ['009 where it is not dialled', '009 234 803 123 4567', HU],
    ['a URI with an extension', 'tel:+2348031234567;ext=12', NG],
    ['a URI with a subaddress', 'tel:+2348031234567;isub=12', NG],
    ['a URI with a parameter that must be understood', 'tel:+2348031234567;m-x=1', NG],
    ['a URI with two contexts', 'tel:8031234567;phone-context=+234;phone-context=+44', NG],
    ['a URI without a number', 'tel:', NG],
    ['a URI with letters', 'tel:+234803CALLME1', NG],
    ['a URI in a URI', 'tel:tel:+2348031234567', NG],
    ['another URI', 'sip:+2348031234567', NG],
    ['a URI that is too long', `tel:+2348031234567;x=${'y'.repeat(200)}`, NG],
    ['an astral character', '0803 123 4567 📞', NG],
    ['more than forty characters', `0803 123 4567${' '.repeat(40)}`, NG],
    ['a zero that is not the national prefix', '0201234567', HU],
    ['a zero where one dials 8', '09161234567', RU],
    ['an invalid number in India that is valid elsewhere with its code', '012345678', IN],
  ])('refuses %s', (_, raw, plan) => {
    expect(cleanPhone(raw, plan)).toBeUndefined()
  })
})

test.each(Object.keys(metadata.countries))('there is a number to check a message with in %s', (country) => {
  const plan = dialPlan(country)
  expect(cleanPhone(sampleNumber(plan), plan)?.startsWith(plan.calling_code)).toBe(true)
})

describe('cleanNational', () => {
  test.each([
    ['with its zero', '08031234567', NG, '2348031234567'],
    ['without it', '8031234567', NG, '2348031234567'],
    ['one that is also a valid number abroad', '2015550123', US, '12015550123'],
    ['behind the 8 of Russia', '89161234567', RU, '79161234567'],
    ['of no plan', '7990001234', NG, '2347990001234'],
    ['of no plan, with its zero', '07990001234', NG, '2347990001234'],
    ['with the country code after all', '2348031234567', NG, '2348031234567'],
    ['with the code of another country', '447911123456', NG, '447911123456'],
    ['with a plus', '+447911123456', NG, '447911123456'],
    ['a short code', '32811', NG, undefined],
    ['too long', '1234567890123456', NG, undefined],
  ])('%s', (_, raw, plan, expected) => {
    expect(cleanNational(raw, plan)).toBe(expected)
  })

  test('gives what stays as it is when it is cleaned', () => {
    const any_plan = fc.constantFrom(...Object.keys(metadata.countries).map(dialPlan))
    fc.assert(
      fc.property(
        any_plan,
        fc.constantFrom('', '0', '8', '06'),
        fc.stringMatching(/^[0-9]{4,14}$/),
        (plan, zero, rest) => {
          const number = cleanNational(zero + rest, plan)
          if (number === undefined) return
          expect([cleanDigits(number, plan), number]).toEqual([number, expect.stringMatching(/^[1-9][0-9]{6,14}$/)])
        },
      ),
      { numRuns: 20_000 },
    )
  })
})

describe('any phone number', () => {
  // All countries: the hard ones are small, with short numbers, or have numbers that start with their own code.
  const any_plan = fc.constantFrom(...Object.keys(metadata.countries).map(dialPlan))
  const any_phone = fc.stringMatching(/^[1-9][0-9]{6,14}$/)
  const decoration = fc.constantFrom('', '', ' ', '-', '.', '/', '\u00a0', '\u2013', ') ', ' [', ']')
  // Any decoration between the digits, save one that puts a zero in round brackets: that zero has a meaning.
  const decorated = (text: string) =>
    fc.array(decoration, { minLength: text.length, maxLength: text.length }).map((between) => {
      return Array.from(text)
        .map((digit, i) => digit + between[i]!)
        .join('')
    })

  test('is clean once it is cleaned', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(...Array.from('0123456789+ ()-')),
          minLength: 7,
          maxLength: 22,
          size: 'max',
        }),
        any_plan,
        (raw, plan) => {
          const cleaned = cleanPhone(raw, plan)
          fc.pre(cleaned !== undefined)
          expect(cleaned).toMatch(/^[1-9][0-9]{6,14}$/)
          expect(cleanPhone(cleaned, plan)).toBe(cleaned)
        },
      ),
    )
  })

  test('is clean once it is cleaned, where it nearly is a number', () => {
    const any_beginning = fc.constantFrom('', '0', '00', '+', '1', '8', '06')
    const any_zero = fc.constantFrom('', '0', '00', '8', '06')
    const any_code = fc.constantFrom('', 'own', ...Object.keys(metadata.country_calling_codes))
    const any_rest = fc.stringMatching(/^[0-9]{2,11}$/)
    fc.assert(
      fc.property(any_plan, any_beginning, any_code, any_zero, any_rest, (plan, beginning, code, zero, rest) => {
        const raw = beginning + (code === 'own' ? plan.calling_code : code) + zero + rest
        const cleaned = cleanPhone(raw, plan)
        if (cleaned === undefined) return
        expect([cleanPhone(cleaned, plan), cleaned]).toEqual([cleaned, expect.stringMatching(/^[1-9][0-9]{6,14}$/)])
      }),
      { numRuns: 20_000 },
    )
  })

  // Without zero and code the example is a number there, and with its code one of another country: it stays that one.
  const AMBIGUOUS = ['CN', 'CO', 'DE', 'MP', 'MS', 'TC', 'US']

  // As the library's metadata have them where they are not a pattern.
  const DIALLED: Record<string, string> = Object.fromEntries(
    Object.entries(metadata.countries as unknown as Record<string, string[]>).flatMap(([country, [, prefix = '']]) =>
      /^[0-9]+$/.test(prefix) ? [[country, prefix]] : [],
    ),
  )
  const shifted = (digits: string, zero: number) =>
    Array.from(digits, (digit) => String.fromCharCode(zero + Number(digit))).join('')
  const inArabic = (digits: string) => shifted(digits, 0x660)
  const inFullWidth = (digits: string) => shifted(digits, 0xff10)

  test('is the same however a handset of its country is written', () => {
    for (const [country, national] of Object.entries(examples)) {
      const plan = dialPlan(country)
      const { calling_code, national_prefix } = plan
      const whole = calling_code + national
      const spellings = [`+${whole}`, `00${whole}`, whole, `tel:+${whole}`, inArabic(`00${whole}`), inFullWidth(whole)]
      const dialled = DIALLED[country]
      if (dialled !== undefined) spellings.push(dialled + whole)
      if (!AMBIGUOUS.includes(country)) spellings.push(national)
      if (national_prefix === '' && national.startsWith('0')) spellings.push(national)
      if (national_prefix.startsWith('0')) {
        spellings.push(national_prefix + national, calling_code + national_prefix + national)
      }
      const cleaned = spellings.map((raw) => `${raw}: ${cleanPhone(raw, plan)}`)
      expect.soft(cleaned, country).toEqual(spellings.map((raw) => `${raw}: ${whole}`))
      expect.soft(cleanPhone(whole, NG), `${country} from Nigeria`).toBe(whole)
    }
  })

  test('is the same in any decoration', () => {
    const cases = fc
      .tuple(any_phone, fc.constantFrom('', '+', '(+', '00'))
      .chain(([phone, prefix]) => fc.tuple(fc.constant(phone), fc.constant(prefix), decorated(phone)))
    fc.assert(
      fc.property(cases, any_plan, ([phone, prefix, text], plan) => {
        fc.pre(prefix.length + text.length <= 40)
        fc.pre(prefix !== '00' || plan.international_prefix === undefined)
        expect(cleanPhone(prefix + text, plan)).toBe(cleanPhone(phone, plan))
      }),
    )
  })

  test('is the same in national form', () => {
    const cases = fc
      .stringMatching(/^[1-9][0-9]{6,11}$/)
      .chain((rest) => fc.tuple(fc.constant(rest), decorated(`0${rest}`)))
    fc.assert(
      fc.property(cases, ([rest, text]) => {
        fc.pre(text.length <= 40)
        expect(cleanDigits(text, NG)).toBe(`234${rest}`)
        expect(cleanPhone(text, NG)).toBe(isPossible(`234${rest}`) ? `234${rest}` : undefined)
      }),
    )
  })
})

describe('shortenPhone', () => {
  test.each([
    ['23480312345678', '23480*******78'],
    ['2348031234567', '2348*******67'],
    ['234803123456', '2348******56'],
    ['1234567', '1****67'],
    ['123', '**3'],
    ['', ''],
  ])('%s', (digits, shortened) => {
    expect(shortenPhone(digits)).toBe(shortened)
  })

  test('keeps the length and shows at most half', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{0,15}$/), (digits) => {
        const shortened = shortenPhone(digits)
        expect(shortened).toHaveLength(digits.length)
        expect(shortened.replaceAll('*', '').length * 2).toBeLessThanOrEqual(digits.length)
      }),
    )
  })
})
