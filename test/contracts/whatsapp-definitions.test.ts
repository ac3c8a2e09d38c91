import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkTemplate as checkLocally } from '../../src/carriers/whatsapp/check-template.ts'
import { submittedTemplate } from '../../src/carriers/whatsapp/manage-templates.ts'
import { withHandles } from '../../src/carriers/whatsapp/sample-files.ts'
import { MetaTemplateBody } from '../../src/carriers/whatsapp/template-schema.ts'
import { checkTemplate } from '../../src/emulators/whatsapp/check-template.ts'
import { CloudFault } from '../../src/emulators/whatsapp/errors.ts'
import { isRecord } from '../../src/values/record.ts'
import type { Fault } from '../../src/values/refusal.ts'
import { fits } from '../../src/values/schema/check.ts'

/** Like `whatsapp-templates.test.ts`, for templates that are created. */
const RUNS = { numRuns: 4_000 }

test('a template is refused locally if and only if the Cloud API would refuse it', () => {
  const seen = { accepted: 0, refused: 0 }
  fc.assert(
    fc.property(definitions(), (definition) => {
      const faults = localFaults(definition)
      const reason = refusalOf(
        faults.length > 0 || !fits(MetaTemplateBody, definition) ? definition : submitted(definition),
      )
      expect({ local: faults.length > 0, faults, reason }).toEqual({ local: reason !== undefined, faults, reason })
      seen[reason === undefined ? 'accepted' : 'refused'] += 1
    }),
    RUNS,
  )
  expect(seen.accepted).toBeGreaterThan(RUNS.numRuns / 20)
  expect(seen.refused).toBeGreaterThan(RUNS.numRuns / 20)
})

function localFaults(definition: object): Fault[] {
  if (!fits(MetaTemplateBody, definition)) return [{ field: 'body', message: 'Its shape is wrong.', type: 'invalid' }]
  const faults: Fault[] = []
  checkLocally(definition, faults)
  return faults
}

function submitted(definition: MetaTemplateBody): object {
  return submittedTemplate({ ...definition, components: withHandles(definition.components, HANDLES) })
}

function refusalOf(definition: object): string | undefined {
  try {
    if (!isRecord(definition)) return 'no object'
    checkTemplate(definition)
    return undefined
  } catch (fault) {
    if (fault instanceof CloudFault) return `${fault.code} ${fault.details}`
    throw fault
  }
}

/** A file of the organisation, as it is submitted. */
const FILE = '019a8475-0000-7000-8000-000000000001'
const HANDLES = new Map([[FILE, '4::aW']])

/** A length at or beside a limit now and then, otherwise a short text. */
const text = (most: number) =>
  fc.oneof(
    { weight: 14, arbitrary: fc.constantFrom('Hello', 'Your order', 'Ça va ?') },
    { weight: 1, arbitrary: fc.constantFrom(0, most, most + 1).map((length) => 'x'.repeat(length)) },
  )
const parameters = (named: boolean) =>
  fc.constantFrom<[string, number]>(
    ...(named
      ? ([
          ['Hello {{first}}, it is {{what}}.', 2],
          ['Hello {{first}}, {{first}} again.', 1],
          ['Hello {{First}}.', 1],
          ['Hello {{1}}.', 1],
        ] as [string, number][])
      : ([
          ['Hello {{1}}, it is {{2}}.', 2],
          ['Hello {{ 1 }}.', 1],
          ['Hello {{1}}, {{1}} again.', 1],
          ['{{1}} is there.', 1],
          ['Hello {{2}}.', 1],
          ['Hello {{1}', 0],
          ['Hello {{name}}.', 1],
        ] as [string, number][])),
  )
/** As many samples as there are parameters, or one more, or an empty one. */
const samples = (count: number) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(Array.from({ length: count }, (_, n) => `s${n}`)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        Array.from({ length: count + 1 }, () => 's'),
        count > 0 ? [''] : [],
      ),
    },
  )
const namesOf = (given: string) => [
  ...new Set([...given.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, name = '']) => name.trim())),
]

function body(named: boolean, most: number): fc.Arbitrary<object> {
  const plain = text(most).map((given) => ({ type: 'BODY', text: given }))
  const filled = parameters(named).chain(([given, count]) =>
    samples(count).map((values) => ({
      type: 'BODY',
      text: given,
      example: named
        ? { body_text_named_params: namesOf(given).map((param_name, n) => ({ param_name, example: values[n] ?? '' })) }
        : { body_text: [values] },
    })),
  )
  return fc.oneof({ weight: 2, arbitrary: plain }, { weight: 3, arbitrary: filled })
}

function header(named: boolean, formats: readonly string[]): fc.Arbitrary<object> {
  const media = fc
    .constantFrom(...formats)
    .chain((format) =>
      fc
        .constantFrom({ header_handle: ['4::aW'] }, { header_media_id: FILE })
        .map((example) => ({ type: 'HEADER', format, example })),
    )
  const words = text(60).map((given) => ({ type: 'HEADER', format: 'TEXT', text: given }))
  const one = named
    ? { text: 'Order {{order}}', example: { header_text_named_params: [{ param_name: 'order', example: '1' }] } }
    : { text: 'Order {{1}}', example: { header_text: ['1'] } }
  const odd = fc.constantFrom<object>(
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'HEADER', format: 'VIDEO', example: { header_handle: [] } },
    { type: 'HEADER', format: 'GIF' },
    { type: 'HEADER', format: 'LOCATION' },
    { type: 'HEADER', format: 'TEXT', ...one },
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
  )
  return fc.oneof({ weight: 3, arbitrary: media }, { weight: 3, arbitrary: words }, { weight: 2, arbitrary: odd })
}

const button: fc.Arbitrary<object> = fc.oneof(
  { weight: 5, arbitrary: text(25).map((given) => ({ type: 'QUICK_REPLY', text: given })) },
  { weight: 2, arbitrary: fc.constant({ type: 'URL', text: 'Track', url: 'https://shop.example/a' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<object>(
      { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}', example: ['https://shop.example/1'] },
      { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' },
      { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}/x', example: ['a'] },
      { type: 'URL', text: 'Track', url: 'shop.example' },
      { type: 'URL', text: 'Track', url: `https://shop.example/${'x'.repeat(1_979)}` },
      { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+2348031234567' },
      { type: 'PHONE_NUMBER', text: 'Call', phone_number: 'none' },
      { type: 'PHONE_NUMBER', text: 'Call', phone_number: '1'.repeat(21) },
      { type: 'COPY_CODE', example: 'SAVE10' },
      { type: 'COPY_CODE', example: 'x'.repeat(16) },
      { type: 'COPY_CODE' },
      { type: 'FLOW', text: 'Go' },
    ),
  },
)
const buttons = (most: number) =>
  fc.array(button, { maxLength: most }).map((list) => ({ type: 'BUTTONS', buttons: list }))
const optional = (one: fc.Arbitrary<object>) =>
  fc.option(one, { nil: undefined }).map((given) => (given ? [given] : []))

function usual(named: boolean): fc.Arbitrary<object[]> {
  const footer = text(60).map((given) => ({ type: 'FOOTER', text: given }))
  const odd = fc.constantFrom<object>(
    { type: 'FOOTER', text: 'To {{1}}' },
    { type: 'BODY', text: 'Twice' },
    { type: 'CALL' },
  )
  return fc
    .tuple(
      fc.oneof(
        { weight: 20, arbitrary: body(named, 1_024).map((one) => [one]) },
        { weight: 1, arbitrary: fc.constant([]) },
      ),
      optional(header(named, ['IMAGE', 'VIDEO', 'DOCUMENT'])),
      optional(footer),
      optional(buttons(4)),
      fc.oneof({ weight: 15, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: odd.map((one) => [one]) }),
    )
    .map((parts) => parts.flat())
}

function carousel(): fc.Arbitrary<object[]> {
  const alike = fc
    .tuple(
      header(false, ['IMAGE', 'VIDEO']),
      optional(body(false, 160)),
      optional(buttons(2)),
      fc.integer({ min: 1, max: 4 }),
    )
    .map(([top, words, below, count]) =>
      Array.from({ length: count }, () => ({ components: [top, ...words, ...below] })),
    )
  const mixed = fc.array(
    header(false, ['IMAGE', 'VIDEO', 'DOCUMENT']).map((top) => ({ components: [top] })),
    { minLength: 1, maxLength: 3 },
  )
  return fc
    .tuple(body(false, 1_024), fc.oneof({ weight: 4, arbitrary: alike }, { weight: 1, arbitrary: mixed }))
    .map(([words, cards]) => [words, { type: 'CAROUSEL', cards }])
}

function authentication(): fc.Arbitrary<object[]> {
  const otp = fc.record(
    {
      type: fc.constantFrom('OTP', 'OTP', 'OTP', 'URL'),
      otp_type: fc.constantFrom('COPY_CODE', 'ONE_TAP', 'zero_tap', 'TWO_TAP'),
      text: text(25),
      zero_tap_terms_accepted: fc.constantFrom(true, true, false),
      supported_apps: fc.constantFrom<object[]>(
        [{ package_name: 'com.example', signature_hash: 'K8a/AINcGX7' }],
        [{ package_name: 'com.example', signature_hash: 'short' }],
        [],
      ),
    },
    { requiredKeys: ['type', 'otp_type'] },
  )
  const footer = fc
    .constantFrom(0, 1, 90, 91)
    .map((code_expiration_minutes) => ({ type: 'FOOTER', code_expiration_minutes }))
  return fc
    .tuple(
      fc.constantFrom<object>(
        { type: 'BODY' },
        { type: 'BODY', add_security_recommendation: true },
        { type: 'BODY', text: 'x' },
      ),
      optional(footer),
      fc.array(otp, { minLength: 1, maxLength: 2 }).map((list) => ({ type: 'BUTTONS', buttons: list.slice(0, 1) })),
    )
    .map(([one, below, last]) => [one, ...below, last])
}

function definitions(): fc.Arbitrary<Record<string, unknown>> {
  const rare = <T>(common: T, ...others: T[]) =>
    fc.oneof(
      { weight: 30, arbitrary: fc.constant(common) },
      { weight: 1, arbitrary: fc.constantFrom(common, ...others) },
    )
  const kinds = fc.oneof(
    usual(false).map((components) => ({ components, category: 'UTILITY' })),
    usual(true).map((components) => ({ components, category: 'MARKETING', parameter_format: 'named' })),
    carousel().map((components) => ({ components, category: 'MARKETING' })),
    carousel().map((components) => ({ components, category: 'UTILITY' })),
    authentication().map((components) => ({ components, category: 'AUTHENTICATION' })),
  )
  return fc
    .tuple(kinds, rare('order_update', 'Order', '', 'x'.repeat(513)), rare('en', 'pt_BR', 'english', 'EN'))
    .map(([kind, name, language]) => ({ ...kind, name, language }))
}
