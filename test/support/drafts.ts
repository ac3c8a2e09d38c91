import * as fc from 'fast-check'
import type { Sale } from '../../src/billing/charge.ts'
import { PRIORITY, type Draft, type DraftDelivery } from '../../src/messaging/draft.ts'
import { leaseNewRow, type LeasedDelivery } from '../../src/messaging/intake/leased-row.ts'
import { fillRows } from '../../src/messaging/intake/row.ts'
import { newId } from '../../src/values/id.ts'

export const PRICE = 4_0000n

type Wish = Partial<Omit<Draft, 'deliveries'>> & { deliveries?: readonly (Partial<DraftDelivery> | string)[] }

/** A message before it is stored; recipients may be given by their number alone. */
export function draftOf({ deliveries = ['2348031234567'], ...wish }: Wish = {}): Draft {
  const all = deliveries.map((one): DraftDelivery => ({
    recipient: '2348031234567',
    charge: PRICE,
    price_rule_id: null,
    pages: 1,
    route: 'sms',
    ...(typeof one === 'string' ? { recipient: one } : one),
  }))
  return {
    id: newId(),
    channel: 'sms',
    sender_id: 'Gangan',
    content: 'Hello',
    personalisation: undefined,
    external_ref: undefined,
    is_trackable: false,
    callback: undefined,
    encoding: 'GSM',
    message_length: 5,
    pages: 1,
    charge: all.reduce((sum, { charge }) => sum + charge, 0n),
    priority: PRIORITY.single,
    deliveries: all,
    ...wish,
  }
}

/** Its first recipient as leased by the process that accepted it; `stored`: that found the message in its table. */
export function heldOf(organisation_id: string, draft: Draft, { stored = false } = {}): LeasedDelivery {
  const [row] = fillRows([draft]).rows
  if (!row) throw new Error('the message has no recipients')
  const items = stored ? row.items.map((item) => ({ ...item, facts: undefined })) : row.items
  const [held] = leaseNewRow(organisation_id, { ...row, items }, { accepted: '', opted_out: new Set() }).deliveries
  if (!held) throw new Error('the row is empty')
  return held
}

/** The given number of phone numbers, the same ones each time. */
export function numbersOf(count: number, prefix = '234803'): string[] {
  return Array.from({ length: count }, (_, n) => prefix + String(n).padStart(7, '0'))
}

export function saleOf(draft: Draft, key?: string): Sale<Draft> {
  return {
    subject_id: draft.id,
    amount: draft.charge,
    answer: ({ balance_after }) => `{"id":"${draft.id}","left":${balance_after}}`,
    item: draft,
    weight: 1,
    ...(key === undefined ? {} : { idempotency: { key, request_hash: Buffer.from('the body') } }),
  }
}

/** Characters that are escaped in JSON, in SQL or in an array, and line separators. */
const AWKWARD = [
  '"',
  '\\',
  '\\u0000',
  '\\ud800',
  "'",
  '{',
  '}',
  ',',
  ',\n',
  '\n',
  '\t',
  '\u2028',
  '\u007f',
  '🎉',
  'ẹ',
  '₦',
]

/** Any text that may be stored: no NUL, no halves of a surrogate pair. */
export const anyText = fc
  .array(fc.oneof(fc.constantFrom(...AWKWARD), fc.string({ unit: 'binary' })), { maxLength: 6 })
  .map((parts) => parts.join('').replaceAll('\0', ''))

const template = fc.record({ name: anyText, language: fc.constant('en'), parameters: fc.array(anyText) })

/** One of the ways in which recipients of a message differ. */
const anyWay = fc.record(
  {
    charge: fc.constantFrom(0n, 4_0000n, 35_0000n),
    pages: fc.constantFrom(1, 2),
    route: fc.constantFrom('sms', 'mtn', 'one "route"'),
    text: fc.option(anyText, { nil: undefined, freq: 2 }),
    send_at: fc.option(fc.constant('2030-01-01T10:00:00.000Z'), { nil: undefined, freq: 3 }),
    whatsapp: fc.option(template, { nil: undefined, freq: 5 }),
    sealed_text: fc.option(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      { nil: undefined, freq: 5 },
    ),
  },
  { requiredKeys: ['charge', 'pages', 'route'] },
)

/** Most messages have one recipient, some a few, and some more than fit into a row. */
const anySize = fc.oneof(
  { weight: 4, arbitrary: fc.constant(1) },
  { weight: 3, arbitrary: fc.integer({ min: 2, max: 9 }) },
  { weight: 1, arbitrary: fc.integer({ min: 250, max: 600 }) },
)

export const anyDraft: fc.Arbitrary<Draft> = fc
  .record({
    size: anySize,
    ways: fc.array(anyWay, { minLength: 1, maxLength: 3 }),
    pattern: fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 5 }),
    sender_id: fc.option(anyText),
    content: anyText,
    external_ref: fc.option(anyText, { nil: undefined }),
    callback: fc.option(fc.constant('https://example.com/?a="b"'), { nil: undefined }),
    template: fc.option(fc.record({ id: anyText, version: fc.constant(3) }), { nil: undefined }),
    names: fc.option(fc.array(anyText, { minLength: 1, maxLength: 2 }), { nil: undefined }),
    is_trackable: fc.boolean(),
    priority: fc.constantFrom(...Object.values(PRIORITY)),
    expires_in_s: fc.option(fc.integer({ min: 1, max: 9_000 }), { nil: undefined }),
    trace: fc.option(fc.constant('4bf92f3577b34da6a3ce929d0e0e4736'), { nil: undefined }),
  })
  .map(({ size, ways, pattern, names, expires_in_s, trace, ...rest }) => {
    const deliveries = numbersOf(size).map((recipient, n) => {
      const { text, send_at, whatsapp, sealed_text, ...way } = ways[(pattern[n % pattern.length] ?? 0) % ways.length]!
      return {
        ...way,
        recipient,
        ...(text === undefined ? {} : { text: `${text}${n}` }),
        ...(send_at === undefined ? {} : { send_at }),
        ...(whatsapp === undefined ? {} : { whatsapp }),
        ...(sealed_text === undefined ? {} : { sealed_text }),
      }
    })
    const personalisation = names?.map((name) => ({ to: '2348030000000', substitutions: { name } }))
    return draftOf({
      ...rest,
      personalisation,
      deliveries,
      ...(expires_in_s === undefined ? {} : { expires_in_s }),
      ...(trace === undefined ? {} : { trace }),
    })
  })
