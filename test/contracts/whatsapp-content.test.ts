import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeMessage } from '../../src/carriers/whatsapp/wire.ts'
import { checkMessage } from '../../src/emulators/whatsapp/check-message.ts'
import { CloudFault } from '../../src/emulators/whatsapp/errors.ts'
import type { MediaKind } from '../../src/emulators/whatsapp/media.ts'
import { textFault } from '../../src/messaging/compose/check.ts'
import { readContent } from '../../src/messaging/compose/whatsapp-content.ts'
import { checkFiles } from '../../src/messaging/compose/whatsapp-media.ts'
import { WhatsappContent } from '../../src/carriers/whatsapp/content-schema.ts'
import { isRecord } from '../../src/values/record.ts'
import { fits } from '../../src/values/schema/check.ts'
import type { Fault } from '../../src/values/refusal.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { fileIds, storeFiles } from '../support/stored-files.ts'

/** Like `whatsapp-templates.test.ts`, for what is sent within the 24-hour window. */
const RUNS = { numRuns: 3_000 }

type Case = { content: string | undefined; whatsapp: Record<string, unknown> }

let database: TestDatabase
let files: Awaited<ReturnType<typeof storeFiles>>

beforeAll(async () => {
  database = await freshDatabase()
  files = await storeFiles(database.db, ID)
})
afterAll(() => database.drop())

test('content is refused locally if and only if the Cloud API would refuse it', async () => {
  const seen = { accepted: 0, refused: 0, with_file: 0 }
  await fc.assert(
    fc.asyncProperty(cases(), async ({ content, whatsapp }) => {
      const message = await compose(content, whatsapp)
      const reason = refusalOf(naiveMessage(content, whatsapp))
      const composed = message === undefined ? 'not composed' : refusalOf(message)
      expect({ local: message === undefined, reason, composed }).toEqual({
        local: reason !== undefined,
        reason,
        composed: reason === undefined ? undefined : 'not composed',
      })
      seen[reason === undefined ? 'accepted' : 'refused'] += 1
      if (reason === undefined && JSON.stringify(whatsapp).includes('"id":"019a8475')) seen.with_file += 1
    }),
    RUNS,
  )
  expect(seen.accepted).toBeGreaterThan(RUNS.numRuns / 20)
  expect(seen.refused).toBeGreaterThan(RUNS.numRuns / 20)
  expect(seen.with_file).toBeGreaterThan(RUNS.numRuns / 20)
})

const TO = '2348031234567'
const ID = '01890000-0000-7000-8000-000000000000'

/** The message as it would be submitted; undefined if it is refused. */
async function compose(content: string | undefined, whatsapp: object): Promise<unknown> {
  if (!fits(WhatsappContent, whatsapp)) return undefined
  const faults: Fault[] = []
  const read = readContent(whatsapp, content === undefined ? {} : { content }, 'whatsapp', faults)
  if (read) await checkFiles(database, ID, read.files, undefined, faults)
  const text = content ?? read?.stand_in ?? ''
  const size = { encoding: 'GSM' as const, message_length: text.length, pages: 1 }
  const fault = textFault(text, size, { channel: 'whatsapp', most: read?.most || undefined })
  if (!read || faults.length > 0 || fault) return undefined
  const about = { organisation_id: ID, message_id: ID, recipient: TO, channel: 'whatsapp' as const, sender_id: null }
  const received_id = whatsapp.reply_to === undefined ? {} : { received_id: 'wamid.received' }
  const outgoing = { ...read.outgoing, ...received_id }
  const message = { ...about, text, expires_in_s: null, attempt: 1, urgent: false, whatsapp: outgoing }
  return JSON.parse(writeMessage(message, undefined, files.at_meta)) as unknown
}

function refusalOf(message: unknown): string | undefined {
  try {
    checkMessage({ templates: [], media: files.media }, message)
    return undefined
  } catch (fault) {
    if (fault instanceof CloudFault) return `${fault.code} ${fault.details}`
    throw fault
  }
}

/** The message that says just what `whatsapp` says. */
function naiveMessage(content: string | undefined, { reply_to, ...whatsapp }: Record<string, unknown>): unknown {
  const kind = Object.keys(whatsapp).find((key) => !['preview_url', 'header', 'footer'].includes(key)) ?? 'text'
  const value = whatsapp[kind]
  const text = content === undefined ? {} : { body: { text: content } }
  const header = whatsapp.header as Record<string, unknown> | undefined
  const [format = ''] = Object.keys(header ?? {})
  const around = {
    ...(header ? { header: { type: format, [format]: atMeta(header[format]) } } : {}),
    ...(whatsapp.footer === undefined ? {} : { footer: { text: whatsapp.footer } }),
    ...text,
  }
  const context = reply_to === undefined || kind === 'reaction' ? {} : { context: { message_id: 'wamid.received' } }
  const shared = { messaging_product: 'whatsapp', to: TO, ...context }
  switch (kind) {
    case 'text':
      return {
        ...shared,
        type: 'text',
        text: { ...(content === undefined ? {} : { body: content }), preview_url: whatsapp.preview_url },
      }
    case 'reaction':
      return { ...shared, type: 'reaction', reaction: { message_id: 'wamid.received', emoji: value } }
    case 'reply_buttons': {
      const buttons = (value as object[]).map((reply) => ({ type: 'reply', reply }))
      return { ...shared, type: 'interactive', interactive: { type: 'button', ...around, action: { buttons } } }
    }
    case 'list':
      return { ...shared, type: 'interactive', interactive: { type: 'list', ...around, action: value } }
    case 'url_button': {
      const { title, url } = value as { title: string; url: string }
      const action = { name: 'cta_url', parameters: { display_text: title, url } }
      return { ...shared, type: 'interactive', interactive: { type: 'cta_url', ...around, action } }
    }
    case 'location':
    case 'contacts':
      return { ...shared, type: kind, [kind]: value }
    default:
      return {
        ...shared,
        type: kind,
        [kind]: { ...(atMeta(value) as object), ...(content === undefined ? {} : { caption: content }) },
      }
  }
}

/** A file of ours is named by its id at the emulator, if it is there. */
function atMeta(value: unknown): unknown {
  if (!isRecord(value) || typeof value.id !== 'string') return value
  return { ...value, id: files.at_meta.get(value.id.toLowerCase())?.id ?? value.id }
}

/** A text of a length at or beside one of these limits. */
const text = (...limits: number[]) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('Yes', 'No', 'Maybe') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(0, ...limits.flatMap((most) => [most, most + 1])).map((length) => 'x'.repeat(length)),
    },
  )
const link = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('https://files.example/a.jpg', 'https://files.example/b?c=d') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', 'files.example', 'https://with a.space/', `https://a.example/${'x'.repeat(2_000)}`),
  },
)
/** Named by an id or by a link; now and then by both, or by neither. */
const file = (kind: MediaKind) => {
  const id = fileIds(kind)
  return fc.oneof(
    { weight: 9, arbitrary: fc.record({ link }) },
    { weight: 9, arbitrary: fc.record({ id }) },
    { weight: 1, arbitrary: fc.record({ id, link }, { requiredKeys: [] }) },
  )
}
const document = fc
  .tuple(file('document'), fc.record({ filename: text(240) }, { requiredKeys: [] }))
  .map(([named, more]): object => ({ ...named, ...more }))
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const header = fc.oneof(
  text(60).map((one): object => ({ text: one })),
  file('image').map((image): object => ({ image })),
  file('video').map((video): object => ({ video })),
  document.map((one): object => ({ document: one })),
)
const row = fc.record({ id: text(200), title: text(24), description: text(72) }, { requiredKeys: ['id', 'title'] })
const sections = fc.array(
  fc.record({ title: text(24), rows: fc.array(row, { minLength: 1, maxLength: 4 }) }, { requiredKeys: ['rows'] }),
  { minLength: 1, maxLength: 3 },
)
const name = fc.record(
  { formatted_name: text(1_000), first_name: text(1_000), last_name: text(1_000) },
  { requiredKeys: ['formatted_name'] },
)
const contact = fc.record(
  {
    name,
    phones: fc.array(fc.record({ phone: text(30) }), { maxLength: 2 }),
    emails: fc.array(fc.record({ email: text(320) }), { maxLength: 2 }),
  },
  { requiredKeys: ['name'] },
)
/** Rows and buttons mostly have distinct ids; here they are numbered, except for some. */
function numbered<T extends { id: string }>(items: readonly T[], are_distinct: boolean): T[] {
  return are_distinct
    ? items.map((item, n) => ({ ...item, id: item.id === '' || item.id.length > 100 ? item.id : `${item.id}${n}` }))
    : [...items]
}

function cases(): fc.Arbitrary<Case> {
  const around = fc.record({
    header: optional(header),
    footer: optional(text(60)),
    distinct: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
  })
  const kinds: fc.Arbitrary<Record<string, unknown>>[] = [
    fc.record({ preview_url: fc.boolean() }),
    ...(['image', 'video', 'audio', 'sticker'] as const).map((kind) => file(kind).map((value) => ({ [kind]: value }))),
    document.map((value) => ({ document: value })),
    fc
      .record({
        latitude: fc.constantFrom(0, 6.4, -90, 90.1, -91),
        longitude: fc.constantFrom(0, 3.4, 180, 181),
        name: text(1_000),
      })
      .map((location) => ({ location })),
    fc.array(contact, { minLength: 1, maxLength: 2 }).map((contacts) => ({ contacts })),
    fc.constantFrom('👍', '', '🇳🇬', '❤️', 'x'.repeat(41)).map((reaction) => ({ reaction, reply_to: ID })),
    fc
      .tuple(fc.array(fc.record({ id: text(256), title: text(20) }), { minLength: 1, maxLength: 4 }), around)
      .map(([buttons, { header: top, footer, distinct }]) => ({
        ...(top ? { header: top } : {}),
        ...(footer === undefined ? {} : { footer }),
        reply_buttons: numbered(buttons, distinct).map((button, n) => ({
          ...button,
          title: distinct && button.title !== '' && button.title.length < 20 ? `${button.title}${n}` : button.title,
        })),
      })),
    fc.tuple(sections, text(20), around).map(([given, button, { header: top, footer, distinct }]) => ({
      ...(top ? { header: top } : {}),
      ...(footer === undefined ? {} : { footer }),
      list: {
        button,
        sections: given.map((section, n) => ({
          ...section,
          rows: numbered(section.rows, distinct).map((one) => ({
            ...one,
            id: distinct && one.id !== '' && one.id.length < 100 ? `${n} ${one.id}` : one.id,
          })),
        })),
      },
    })),
    fc.tuple(fc.record({ title: text(20), url: link }), around).map(([url_button, { header: top, footer }]) => ({
      ...(top ? { header: top } : {}),
      ...(footer === undefined ? {} : { footer }),
      url_button,
    })),
  ]
  return fc
    .tuple(fc.oneof(...kinds), optional(text(1_024, 4_096)), fc.boolean())
    .map(([whatsapp, content, quotes]) => ({
      // Meta has no place for a text in these; that they are refused with one is tested by requests.
      content: ['location', 'contacts', 'reaction'].some((kind) => kind in whatsapp) ? undefined : content,
      whatsapp: { ...whatsapp, ...(quotes ? { reply_to: ID } : {}) },
    }))
}
