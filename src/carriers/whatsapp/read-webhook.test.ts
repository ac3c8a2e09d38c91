import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { misfits } from '../../../test/support/shape.ts'
import { ReceivedContent } from './content-schema.ts'
import { readTimestamp, readWebhook, type NumberOf, type WebhookContents } from './read-webhook.ts'
import { readRef, writeRef } from './wire.ts'

const numberOf: NumberOf = {
  byId: (phone_number_id) => (phone_number_id === '1' ? { name: 'meta' } : undefined),
  byDigits: (waba_id, digits) => (waba_id === '9' && digits === '15550783881' ? 'meta' : undefined),
  accounts: (waba_id) => (waba_id === '9' ? ['meta'] : []),
}
const ref = '019a8475-0000-7000-8000-000000000001 019a8475-0000-7000-8000-000000000002 2348031234567'

function webhook(value: object, field = 'messages'): object {
  return {
    entry: [
      {
        id: '9',
        changes: [
          { field, value: { metadata: { phone_number_id: '1', display_phone_number: '+1 555-078-3881' }, ...value } },
        ],
      },
    ],
  }
}

/** A post with few updates is one part. */
function wholeOf(...given: Parameters<typeof readWebhook>): WebhookContents {
  const [contents, ...others] = readWebhook(...given)
  if (!contents || others.length > 0) throw new Error('the post is not one part')
  return contents
}

test('a post with many updates is read in parts, and none is lost', () => {
  const statuses = Array.from({ length: 2_500 }, (_, n) => ({ id: `wamid.${n}`, status: 'delivered' }))
  const parts = [...readWebhook(webhook({ statuses }), numberOf)].map(({ reports }) => reports)
  expect(parts.map(({ length }) => length)).toEqual([1_000, 1_000, 500])
  expect(new Set(parts.flat().map(({ carrier_message_id }) => carrier_message_id)).size).toBe(2_500)
})

describe('a webhook', () => {
  test('is read completely: every entry, change and status', () => {
    const one = webhook({
      statuses: [
        { id: 'a', status: 'sent' },
        { id: 'b', status: 'delivered' },
      ],
    }) as { entry: object[] }
    const other = webhook({ statuses: [{ id: 'c', status: 'read', biz_opaque_callback_data: ref }] }) as {
      entry: object[]
    }
    const contents = wholeOf({ entry: [...one.entry, ...other.entry] }, numberOf)
    expect(
      contents.reports.map(
        ({ carrier_message_id, status, description }) => `${carrier_message_id} ${status} ${description}`,
      ),
    ).toEqual(['b delivered delivered', 'c delivered read'])
    expect(contents.known).toMatchObject([{ carrier: 'meta', carrier_message_id: 'c', recipient: '2348031234567' }])
  })

  test('reads failures with their errors, and changes of templates', () => {
    const failed = {
      id: 'a',
      status: 'failed',
      errors: [{ code: 131048, title: 'Spam', error_data: { details: 'too much' } }],
    }
    expect(wholeOf(webhook({ statuses: [failed] }), numberOf)).toMatchObject({
      reports: [{ status: 'rejected', code: '131048', description: 'too much' }],
      failures: [{ carrier: 'meta', code: 131048 }],
    })
    const update = { event: 'PAUSED', message_template_name: 'order_update', message_template_language: 'en' }
    expect(wholeOf(webhook(update, 'message_template_status_update'), numberOf).templates).toEqual([
      { carrier: 'meta', name: 'order_update', language: 'en', status: 'PAUSED', reason: null, category: undefined },
    ])
  })

  const place = { latitude: 6.4, longitude: 3.4 }
  const ada = { name: { formatted_name: 'Ada Obi', first_name: 'Ada' }, phones: [{ phone: '+234 803 123 4567' }] }
  const choice = { id: '1', title: 'No' }
  test.each([
    [{ type: 'text', text: { body: 'Hi' } }, 'Hi', {}],
    [{ type: 'text', text: { body: 'a\u0000b' } }, 'ab', {}],
    [{ type: 'text', text: { body: 'So' }, context: { id: 'wamid.a' } }, 'So', {}, 'wamid.a'],
    [
      { type: 'button', button: { text: 'Yes', payload: 'y' }, context: { id: 'wamid.a' } },
      'Yes',
      { type: 'button_reply', button_reply: { id: 'y', title: 'Yes' } },
      'wamid.a',
    ],
    [
      { type: 'interactive', interactive: { type: 'button_reply', button_reply: choice } },
      'No',
      { type: 'button_reply', button_reply: choice },
    ],
    [
      { type: 'interactive', interactive: { type: 'list_reply', list_reply: { ...choice, description: 'More' } } },
      'No',
      { type: 'list_reply', list_reply: { ...choice, description: 'More' } },
    ],
    [{ type: 'interactive', interactive: { type: 'nfm_reply' } }, '[unsupported]', { type: 'unsupported' }],
    [{ type: 'image', image: { id: '1', caption: 'Look' } }, 'Look', {}],
    [{ type: 'audio', audio: { id: '1' } }, '[audio]', {}],
    [
      { type: 'location', location: { ...place, name: 'Our shop' } },
      'Our shop',
      { location: { ...place, name: 'Our shop' } },
    ],
    [{ type: 'location', location: place }, '[location]', { location: place }],
    [{ type: 'location', location: { latitude: { toString: 1 } } }, '[location]', {}],
    [{ type: 'contacts', contacts: [ada, {}, { ...ada, org: { company: 'x' } }] }, 'Ada Obi', { contacts: [ada, ada] }],
    [{ type: 'reaction', reaction: { message_id: 'wamid.a', emoji: '👍' } }, '👍', { reaction: '👍' }, 'wamid.a'],
    [{ type: 'reaction', reaction: { message_id: 'wamid.a' } }, '[reaction]', { reaction: '' }, 'wamid.a'],
    [{ type: 'order', order: { product_items: [] } }, '[order]', {}],
    [{ type: 'unsupported', errors: [{ code: 131051 }] }, '[unsupported]', {}],
    [{ type: 'constructor' }, '[unsupported]', { type: 'unsupported' }],
  ])('reads what a person wrote, chose or shared: %j', (message, text, content, replied_id?: string) => {
    const entry = { id: 'wamid.x', from: '2348031234567', timestamp: '1454119029', ...message }
    const { texts } = wholeOf(webhook({ messages: [entry] }), numberOf)
    expect(texts).toMatchObject([
      {
        carrier: 'meta',
        from: '2348031234567',
        to: '15550783881',
        text,
        channel: 'whatsapp',
        received_id: 'wamid.x',
        timestamp_s: 1_454_119_029,
        whatsapp: { type: message.type, ...content },
        ...(replied_id === undefined ? {} : { replied_id }),
      },
    ])
    expect(misfits(ReceivedContent, texts[0]?.whatsapp)).toEqual([])
  })

  test.each<[object, object | undefined]>([
    [
      { type: 'audio', audio: { id: '7', mime_type: 'audio/ogg; codecs=opus', voice: true } },
      { carrier_media_id: '7', type: 'audio/ogg' },
    ],
    [
      { type: 'document', document: { id: '7', mime_type: 'application/pdf', filename: '../../a\u0000b.pdf' } },
      { carrier_media_id: '7', type: 'application/pdf', filename: '.._.._a b.pdf' },
    ],
    [
      { type: 'image', image: { id: '7', mime_type: 'text/html\r\nx: y' } },
      { carrier_media_id: '7', type: 'application/octet-stream' },
    ],
    [{ type: 'image', image: { mime_type: 'image/png' } }, undefined],
    [{ type: 'text', text: { body: 'x' }, image: { id: '7' } }, undefined],
  ])('reads the file that came with a text: %j', (message, media) => {
    const entry = { id: 'wamid.x', from: '2348031234567', timestamp: '1454119029', ...message }
    expect(wholeOf(webhook({ messages: [entry] }), numberOf).texts[0]?.media).toEqual(media)
  })

  test('skips people without a number, and unknown business numbers', () => {
    const nameless = { id: 'wamid.x', from_user_id: 'NG.13491208655302741918', type: 'text', text: { body: 'Hi' } }
    expect(wholeOf(webhook({ messages: [nameless] }), numberOf)).toMatchObject({ texts: [], skipped: 1 })
    const foreign = webhook({ metadata: { phone_number_id: '2' }, statuses: [{ id: 'a', status: 'read' }] })
    expect(wholeOf(foreign, numberOf)).toMatchObject({ reports: [], skipped: 1 })
  })

  test('never throws, for any JSON', () => {
    const read = (json: unknown): void => {
      expect(wholeOf(json, numberOf).skipped).toBeGreaterThanOrEqual(0)
    }
    fc.assert(fc.property(fc.jsonValue(), read))
    fc.assert(fc.property(fc.jsonValue(), (value) => read(webhook({ statuses: [value], messages: [value] }))))
    const typed = fc.constantFrom('text', 'button', 'interactive', 'location', 'contacts', 'reaction').chain((type) =>
      fc.record({
        id: fc.constant('a'),
        from: fc.constant('2348031234567'),
        type: fc.constant(type),
        [type]: fc.jsonValue(),
      }),
    )
    fc.assert(fc.property(typed, (message) => read(webhook({ messages: [message] }))))
  })
})

test('times are seconds or milliseconds, as text or number', () => {
  for (const given of ['1454119029', 1_454_119_029, '1454119029000', 1_454_119_029_000]) {
    expect(readTimestamp(given)).toBe(1_454_119_029)
  }
  for (const given of [undefined, null, 'soon', '-5', {}, 1e300, '99999999999']) {
    expect(Math.abs(readTimestamp(given) - Date.now() / 1_000)).toBeLessThan(5)
  }
})

test('a reference is read as it was written, and nothing else is read as one', () => {
  const [organisation_id = '', message_id = '', recipient = ''] = ref.split(' ')
  expect(writeRef({ organisation_id, message_id, recipient })).toBe(ref)
  expect(readRef(ref)).toEqual({ organisation_id, message_id, recipient })
  const dashes = ref.replace(/[0-9a-f]{4}-/, '-----')
  for (const other of [undefined, '', `${ref} `, ref.replace('0', 'x'), ref.slice(0, -7), { $ne: 1 }, dashes]) {
    expect(readRef(other)).toBeUndefined()
  }
})
