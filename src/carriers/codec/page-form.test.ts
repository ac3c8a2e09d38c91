import * as fc from 'fast-check'
import { withDefaults } from '../../values/schema/check.ts'
import { describe, expect, test } from 'vitest'
import { pageTexts } from '../../../test/support/page-texts.ts'
import { measureText } from '../../values/sms/sms-text.ts'
import { composeSubmit } from '../smpp/carrier/compose-submit.ts'
import { decodeText } from './decode-text.ts'
import { encodeGsm } from './gsm7.ts'
import { pageFormOf } from './page-form.ts'
import { makePdu, TAG } from './pdu.ts'
import { SmppSettings, type Profile } from '../smpp/schema.ts'

const { profile: usual } = withDefaults(SmppSettings, { kind: 'smpp' }) as SmppSettings
const ALPHABETS = ['gsm7', 'latin1', 'ascii', 'gsm7-packed'] as const
const LONG = ['udh8', 'udh16', 'sar', 'payload'] as const
const PROFILES = ALPHABETS.flatMap((alphabet) => LONG.map((long) => ({ ...usual, alphabet, long })))

/** What is on the line: the coding, the header in octets and the text of each submit_sm, read by the decoder. */
function onTheLine(text: string, profile: Profile) {
  const message = { organisation_id: 'o', message_id: 'm', recipient: '2348031234567', sender_id: 'Gangan', text }
  const wish = { ...message, channel: 'sms' as const, expires_in_s: null, attempt: 1, urgent: false }
  return composeSubmit(wish, profile, 7).map(({ sm, segments }) => {
    const { short_message = Buffer.alloc(0), esm_class = 0, data_coding, tlvs } = sm
    const in_header = (esm_class & 0x40) === 0 ? 0 : 1 + (short_message[0] ?? 0)
    const by_smsc = tlvs.some(({ tag }) => tag === TAG.sar_total_segments) ? 6 : 0
    return {
      text: decodeText(makePdu('submit_sm', sm), profile.alphabet).text,
      ucs2: data_coding === 8,
      header_octets: in_header + by_smsc,
      segments,
      whole: tlvs.some(({ tag }) => tag === TAG.message_payload),
    }
  })
}

const AIR_BITS = 140 * 8

/** Bits on the air, worked out anew: septets after the header, or whole octets. */
function airBits(text: string, { ucs2, header_octets }: { ucs2: boolean; header_octets: number }): number {
  if (ucs2) return 8 * header_octets + 16 * text.length
  return 7 * Math.ceil((8 * header_octets) / 7) + 7 * encodeGsm(text)!.length
}

describe.each(PROFILES.map((profile) => [profile.alphabet, profile.long, profile] as const))(
  '%s with %s',
  (_alphabet, _long, profile) => {
    test('any text: its pages are the segments on the line, all there and as full as can be', () => {
      fc.assert(
        fc.property(pageTexts, (text) => {
          fc.pre(profile.alphabet !== 'gsm7-packed' || !/[@\r]/.test(text))
          const { encoding, pages } = measureText(text, pageFormOf(profile))
          const sent = onTheLine(text, profile)
          expect(sent.map((one) => one.text).join('')).toBe(text)
          expect(sent.reduce((sum, { segments }) => sum + segments, 0)).toBe(pages)
          for (const one of sent) expect(one.ucs2).toBe(encoding === 'UCS-2')
          expect(sent).toHaveLength(sent[0]?.whole ? 1 : pages)
          const segments = sent.filter(({ whole }) => !whole)
          expect(segments.filter((segment) => airBits(segment.text, segment) > AIR_BITS)).toEqual([])
          const roomy = segments.slice(0, -1).filter((segment, n) => {
            const [next = ''] = segments[n + 1]?.text ?? ''
            return airBits(segment.text + next, segment) <= AIR_BITS
          })
          expect(roomy).toEqual([])
        }),
        { numRuns: 150 },
      )
    })
  },
)

test.each(ALPHABETS)('%s: what the carrier splits has the pages of the usual header', (alphabet) => {
  fc.assert(
    fc.property(pageTexts, (text) => {
      const [whole] = onTheLine(text, { ...usual, alphabet, long: 'payload' })
      expect(whole?.segments).toBe(onTheLine(text, { ...usual, alphabet, long: 'udh8' }).length)
    }),
    { numRuns: 50 },
  )
})

test.each([
  ['gsm7', 'udh8', 'a'.repeat(1_530), 10],
  ['gsm7', 'udh16', 'a'.repeat(1_530), 11],
  ['gsm7-packed', 'udh16', 'a'.repeat(1_520), 10],
  ['gsm7', 'sar', 'a'.repeat(1_530), 10],
  ['gsm7', 'udh16', '₦'.repeat(670), 11],
  ['latin1', 'udh8', `${'a'.repeat(70)}Ω`, 2],
  ['latin1', 'udh8', '['.repeat(80), 1],
  ['ascii', 'udh8', `${'a'.repeat(70)}é`, 2],
] as const)('%s, %s: counted by hand (%#)', (alphabet, long, text, pages) => {
  expect(onTheLine(text, { ...usual, alphabet, long })).toHaveLength(pages)
  expect(measureText(text, pageFormOf({ alphabet, long })).pages).toBe(pages)
})
