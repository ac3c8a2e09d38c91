import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makePageForm, ONE_PAGE, STANDARD_PAGES, type PageForm } from '../../values/sms/page-form.ts'
import { readPattern } from '../../values/placeholders.ts'
import { MAX_FAULTS, type Fault } from '../../values/refusal.ts'
import { measureText, splitText } from '../../values/sms/sms-text.ts'
import type { RoutedRecipient } from './routing.ts'
import { joinLinks, writeOwnTexts, writeSharedText, writeText as writeFor, type Wording } from './texts.ts'

const plain: Wording = { channel: 'sms', smart_encoding: false, track_at: undefined }
const TRACK_AT = 'https://gg.ng/l/'
const writeText = (text: string, wording: Wording) => writeFor(text, wording, { form: STANDARD_PAGES })
const wayTo = (recipient: string, page_form: PageForm): RoutedRecipient => ({
  recipient,
  route: 'x',
  per_page: 1n,
  price_rule_id: null,
  page_form,
  promotional: false,
})

test('ten thousand texts are written in many turns of the event loop', async () => {
  const recipients = Array.from({ length: 10_000 }, (_, n) => `234803${String(n).padStart(7, '0')}`)
  const values = new Map(
    recipients.map((to, n) => [to, { field: `personalisation[${n}]`, substitutions: { a: String(n) } }]),
  )
  const personal = { pattern: readPattern(`{{a}} ${'x'.repeat(300)}`), values }
  let turns = 0
  let writing = true
  const count = (): void => {
    turns += 1
    if (writing) setImmediate(count)
  }
  setImmediate(count)
  const faults: Fault[] = []
  const routed = recipients.map((recipient) => wayTo(recipient, STANDARD_PAGES))
  const texts = await writeOwnTexts(personal, routed, plain, faults)
  writing = false
  expect(faults).toEqual([])
  expect(texts.longest).toEqual({ encoding: 'GSM', message_length: 305, pages: 2 })
  expect(turns).toBeGreaterThan(30)
})

describe('many values that many recipients lack', () => {
  const names = Array.from({ length: 300 }, (_, n) => `n${n}`)
  const pattern = readPattern(names.map((name) => `{{${name}}}`).join(''))
  const routed = names.map((_, n) => wayTo(String(n), STANDARD_PAGES))
  const no_values = new Map(routed.map(({ recipient }) => [recipient, { field: recipient, substitutions: {} }]))

  test('are reported up to the limit of an answer, and that there are more', async () => {
    const faults: Fault[] = []
    const texts = await writeOwnTexts({ pattern, values: no_values }, routed, plain, faults)
    expect(faults.map(({ field }) => field)).toEqual(names.slice(0, MAX_FAULTS + 1).map((n) => `0.substitutions.${n}`))
    expect(texts.of(299).pieces).toEqual([''])
  })

  test('are reported for all recipients without values', async () => {
    const faults: Fault[] = []
    await writeOwnTexts({ pattern, values: new Map() }, routed, plain, faults)
    expect(faults).toHaveLength(MAX_FAULTS + 1)
    expect(faults[100]).toEqual({
      field: 'personalisation',
      message: 'There is no value for {{n100}} for 0, 1, 2 and 297 more.',
      type: 'unknown_placeholder',
    })
  })

  test('leave each recipient one fault, where it is decided for each', async () => {
    const faults: Fault[] = []
    await writeOwnTexts({ pattern, values: no_values }, routed, plain, faults, { each: 1, in_all: Infinity })
    expect(faults.map(({ field }) => field)).toEqual(routed.map(({ recipient }) => `${recipient}.substitutions.n0`))
  })
})

test('links count as what they become, whichever way that is', () => {
  const long = `${'x'.repeat(140)} https://example.com/${'y'.repeat(300)}`
  expect(writeText(long, plain).size.pages).toBe(4)
  expect(writeText(long, { ...plain, track_at: TRACK_AT }).size).toEqual({
    encoding: 'GSM',
    message_length: 141 + TRACK_AT.length + 7,
    pages: 2,
  })
  expect(writeText('http://a.ng', { ...plain, track_at: TRACK_AT }).size.message_length).toBe(TRACK_AT.length + 7)
})

test('a WhatsApp text may be longer than allowed, if its links are', () => {
  const content = `${'x'.repeat(4_000)} https://example.com/${'y'.repeat(200)}`
  const faultsWith = (track_at: string | undefined): Fault[] => {
    const faults: Fault[] = []
    const wording = { channel: 'whatsapp' as const, smart_encoding: false, track_at }
    writeSharedText({ content }, [wayTo('1', ONE_PAGE)], wording, faults)
    return faults
  }
  expect(faultsWith(undefined)).toMatchObject([{ field: 'content', type: 'string_too_long' }])
  expect(faultsWith(TRACK_AT)).toEqual([])
})

test('look-alikes stand in on SMS only, and never in a link that stays', () => {
  const smart = { ...plain, smart_encoding: true }
  expect(writeText('\u201cHi\u201d', smart)).toMatchObject({ pieces: ['"Hi"'], asked: ['\u201cHi\u201d'] })
  expect(writeText('\u201cHi\u201d', { ...smart, channel: 'whatsapp' })).toMatchObject({ pieces: ['\u201cHi\u201d'] })
  const linked = '\u201cHi\u201d https://a.ng/\u2013'
  expect(writeText(linked, smart)).toMatchObject({ pieces: [linked] })
  expect(writeText(linked, { ...smart, track_at: TRACK_AT })).toMatchObject({
    pieces: ['"Hi" ', ''],
    urls: ['https://a.ng/%E2%80%93'],
  })
  expect(writeText('\u200b', smart)).toMatchObject({ pieces: ['\u200b'] })
})

test('any text: its size is that of what is sent, and its segments join to it again', () => {
  const unit = fc.constantFrom(...Array.from('aZ €[é₦ç😀\u2019\u2026\n'), 'https://a.ng/x ', 'https://b.ng/?y=\u2013 ')
  const wordings = fc.record({
    channel: fc.constant('sms' as const),
    smart_encoding: fc.boolean(),
    track_at: fc.constantFrom(undefined, TRACK_AT),
  })
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 300, size: 'max' }), wordings, (text, wording) => {
      const written = writeText(text, wording)
      const sent = joinLinks(written, () => `${TRACK_AT}abcdefg`)
      expect(measureText(sent, STANDARD_PAGES)).toEqual(written.size)
      const { segments } = splitText(sent, STANDARD_PAGES)
      expect(segments.join('')).toBe(sent)
      expect(segments).toHaveLength(written.size.pages)
      expect(written.asked).toEqual(writeText(text, { ...wording, smart_encoding: false }).pieces)
    }),
  )
})

describe('words that go several routed', () => {
  const LATIN_1 = makePageForm({ highest: 0xff })
  const routed = [STANDARD_PAGES, LATIN_1, STANDARD_PAGES].map((form, n) => wayTo(String(n), form))

  test('have the pages of each', () => {
    const faults: Fault[] = []
    const texts = writeSharedText({ content: `${'a'.repeat(100)}Δ` }, routed, plain, faults)
    expect(routed.map((_, n) => texts.of(n).size.pages)).toEqual([1, 2, 1])
    expect(texts.longest).toEqual({ encoding: 'UCS-2', message_length: 101, pages: 2 })
    expect(faults).toEqual([])
  })

  test('are refused once, as long as they are where they are longest', () => {
    const faults: Fault[] = []
    writeSharedText({ content: `${'a'.repeat(2_000)}Δ` }, routed, plain, faults)
    const message = 'The text is 30 pages long; at most 10 are sent.'
    expect(faults).toEqual([{ field: 'content', message, type: 'string_too_long' }])
  })

  test('stay the same words: look-alikes stand in only where they win on all of them', () => {
    const smart = { ...plain, smart_encoding: true }
    const sent = (content: string) => {
      const texts = writeSharedText({ content }, routed, smart, [])
      return routed.map((_, n) => texts.of(n).pieces.join(''))
    }
    expect(sent('\u201c£5\u201d')).toEqual(['"£5"', '"£5"', '"£5"'])
    expect(sent('\u201c€5\u201d')).toEqual(['\u201c€5\u201d', '\u201c€5\u201d', '\u201c€5\u201d'])
  })

  test('of each recipient own are measured for theirs', async () => {
    const faults: Fault[] = []
    const personal = { pattern: readPattern(`{{a|Δ}}${'a'.repeat(100)}`), values: new Map() }
    const texts = await writeOwnTexts(personal, routed, plain, faults)
    expect(routed.map((_, n) => texts.of(n).size.pages)).toEqual([1, 2, 1])
    expect(faults).toEqual([])
  })
})
