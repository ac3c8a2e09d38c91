import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CloudFault } from '../../src/emulators/whatsapp/errors.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { fileOf } from '../support/files.ts'
import {
  inbound,
  NUMBER,
  postWebhook,
  startMetaServer,
  webhookBody,
  type MetaServer,
  type Taken,
} from '../support/meta-server.ts'
import { balance, faults } from '../support/otp.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let meta: MetaServer
let service: TestService
let by: Organisation

const settings = () => ({
  carriers: [{ kind: 'simulator', name: 'simulator' }, meta.settings()],
  routes: [
    { name: 'sms', channel: 'sms', carrier: 'simulator' },
    { name: 'whatsapp', channel: 'whatsapp', carrier: 'meta' },
  ],
  media: { uploads_per_s: 1_000 },
})

beforeAll(async () => {
  meta = await startMetaServer()
  meta.templates.push(OFFER, CAROUSEL)
  service = await openService({ settings: settings(), config: { sandbox: true } })
  await until('the templates', async () => (await service.db`select 1 from whatsapp_templates`).length === 4, 60_000)
})
afterAll(async () => {
  await service.close()
  await meta.close()
})
beforeEach(async () => {
  by = await service.organisation({ credit: 10_000 })
  meta.taken.length = 0
  meta.media.uploads = 0
  meta.mood = 'take'
  delete meta.beforeUpload
})

const body = (text: string) => ({ type: 'BODY', text })
const image_header = { type: 'HEADER', format: 'IMAGE' }
const OFFER = {
  name: 'offer',
  language: 'en',
  status: 'APPROVED',
  category: 'MARKETING',
  components: [image_header, body('Look at this.')],
}
const CAROUSEL = {
  name: 'cards',
  language: 'en',
  status: 'APPROVED',
  category: 'MARKETING',
  components: [
    body('New'),
    {
      type: 'CAROUSEL',
      cards: [0, 1].map(() => ({ components: [image_header, body('A card')] })),
    },
  ],
}

let next_number = 2_348_037_000_000
const stranger = (): string => String((next_number += 1))

async function friend(): Promise<string> {
  const recipient = stranger()
  await postWebhook(service, webhookBody([{ messages: [inbound(`wamid.IN${recipient}`, recipient, 'Hi')] }]))
  return recipient
}

async function upload(type: 'png' | 'pdf' | 'mp4', size = 2_000, query = '', owner = by): Promise<string> {
  const content = { png: 'image/png', pdf: 'application/pdf', mp4: 'video/mp4' }[type]
  const answer = await owner.call<{ id: string }>('POST', `/media${query}`, fileOf(type, size), {
    'content-type': content,
  })
  expect(answer.text).toContain('"id"')
  return answer.body.id
}

type Sent = { id: string; errors?: { field: string; type: string; message: string }[] }
const send = (recipients: string | string[], more: object) =>
  by.call<Sent>('POST', '/sms/send', { recipients, channel: 'whatsapp', ...more })
const taken = (count = 1): Promise<Taken[]> =>
  until(`${count} accepted`, () => meta.taken.length >= count && meta.taken, 60_000)
const deliveryOf = async (id: string) =>
  (await by.call<{ deliveries: { status: string; code?: string; refunded: boolean }[] }>('GET', `/sms/${id}`)).body
    .deliveries[0]
const template = async (whatsapp: object): Promise<string> =>
  (await by.call<{ id: string }>('POST', '/templates', { name: 'x', content: 'Look at this.', whatsapp })).body.id
const offer = (id: string) => ({ name: 'offer', language: 'en', parameters: [], header: { image: { id } } })

describe('a file named by its id', () => {
  test('is uploaded to Meta and sent by the id that it has there', async () => {
    const id = await upload('png', 700_000)
    expect((await send(await friend(), { content: 'Yours', whatsapp: { image: { id } } })).status).toBe(200)
    const [message] = (await taken()) as (Taken & { image: { id: string; caption: string } })[]
    expect(message?.image).toEqual({ id: expect.stringMatching(/^\d+$/), caption: 'Yours' })
    expect(meta.media.kindOf(message?.image.id ?? '')).toBe('image')
    expect(JSON.stringify(message)).not.toContain(id)
    // The second message has the same file, which is not uploaded again.
    expect((await send(await friend(), { whatsapp: { image: { id: id.toUpperCase() } } })).status).toBe(200)
    expect((await taken(2))[1]).toMatchObject({ image: { id: message?.image.id } })
    expect(meta.media.uploads).toBe(1)
  })

  test('is a document with its name, or the header of buttons', async () => {
    const document = { id: await upload('pdf', 2_000, '?filename=Invoice%207.pdf') }
    await send(await friend(), { whatsapp: { document } })
    expect((await taken())[0]).toMatchObject({ document: { filename: 'Invoice 7.pdf' } })
    await send(await friend(), { whatsapp: { document: { ...document, filename: 'Other.pdf' } } })
    expect((await taken(2))[1]).toMatchObject({ document: { filename: 'Other.pdf' } })
    const reply_buttons = [{ id: 'y', title: 'Yes' }]
    await send(await friend(), { content: 'Well?', whatsapp: { reply_buttons, header: { document } } })
    expect((await taken(3))[2]).toMatchObject({
      interactive: { header: { type: 'document', document: { id: expect.any(String), filename: 'Invoice 7.pdf' } } },
    })
    expect(meta.media.uploads).toBe(1)
  })

  test('is the header of a template, the same or another for each recipient, and of cards', async () => {
    const [one, two] = [await upload('png'), await upload('png')]
    const recipients = Array.from({ length: 40 }, stranger)
    expect((await send(recipients, { template_id: await template(offer(one)) })).status).toBe(200)
    await taken(40)
    expect(meta.media.uploads).toBe(1)

    const template_id = await template(offer('{{photo}}'))
    const own = [
      { to: stranger(), substitutions: { photo: one } },
      { to: stranger(), substitutions: { photo: two } },
    ]
    expect(
      (
        await send(
          own.map(({ to }) => to),
          { template_id, personalisation: own },
        )
      ).status,
    ).toBe(200)
    const messages = await taken(42)
    const sent = own.map(({ to }) =>
      JSON.stringify(messages.find((message) => message.to === to)?.template?.components),
    )
    expect(new Set(sent).size).toBe(2)

    const card = (id: string) => ({ header: { image: { id } } })
    const cards = { name: 'cards', language: 'en', parameters: [], cards: [card(one), card(two)] }
    const made = await by.call<{ id: string }>('POST', '/templates', { name: 'x', content: 'New', whatsapp: cards })
    expect((await send(stranger(), { template_id: made.body.id })).status).toBe(200)
    await taken(43)
    expect(meta.media.uploads).toBe(2)
  })

  test('is uploaded once by several processes', async () => {
    const other = await openService({ beside: service, settings: settings(), config: { sandbox: true } })
    try {
      meta.beforeUpload = () => delay(300)
      const id = await upload('png')
      const recipients = Array.from({ length: 60 }, stranger)
      const template_id = await template(offer(id))
      const halves = [recipients.slice(0, 30), recipients.slice(30)]
      await Promise.all(
        halves.map((half, n) =>
          fetch(`${n === 0 ? service.url : other.url}/sms/send`, {
            method: 'POST',
            headers: { authorization: by.key, 'content-type': 'application/json' },
            body: JSON.stringify({ recipients: half, channel: 'whatsapp', template_id }),
          }),
        ),
      )
      const messages = await taken(60)
      expect(new Set(messages.map(({ to }) => to)).size).toBe(60)
      expect([messages.length, meta.media.uploads]).toEqual([60, 1])
    } finally {
      await other.close()
    }
  })

  test('is uploaded again once Meta no longer knows its id, and sent once', async () => {
    const id = await upload('png')
    await send(await friend(), { whatsapp: { image: { id } } })
    await taken()
    meta.media.expireAll()
    const recipient = await friend()
    const { body: sent } = await send(recipient, { whatsapp: { image: { id } } })
    // The limit per person is another test's: the second attempt need not wait for it.
    await until('the first attempt', () => meta.calls.some(({ body: { to } }) => to === recipient))
    await service.db`update whatsapp_users set sent_datetime = null where recipient = ${recipient}`
    await taken(2)
    await until('its record', async () => (await deliveryOf(sent.id))?.status === 'sent')
    expect([meta.taken.length, meta.media.uploads]).toEqual([2, 2])
  })

  test('is uploaded again before its id expires', async () => {
    const id = await upload('png')
    await service.db`
      insert into media_uploads (organisation_id, media_id, phone_number_id, carrier_media_id, expires_datetime)
      values (${by.id}, ${id}, ${NUMBER.phone_number_id}, 'old', now() + interval '23 hours')`
    await send(await friend(), { whatsapp: { image: { id } } })
    const [message] = (await taken()) as (Taken & { image: { id: string } })[]
    expect(meta.media.kindOf(message?.image.id ?? '')).toBe('image')
    const [row] = await service.db`
      select carrier_media_id, expires_datetime > now() + interval '29 days' as is_new from media_uploads
      where media_id = ${id}`
    expect({ ...row }).toEqual({ carrier_media_id: message?.image.id, is_new: true })
  })

  test('is uploaded again after a temporary failure; the message is charged once', async () => {
    let failures = 0
    meta.beforeUpload = async () => {
      failures += 1
      if (failures <= 2) throw new CloudFault(131000, 'so it was')
    }
    const id = await upload('png')
    const { body: sent } = await send(await friend(), { whatsapp: { image: { id } } })
    await taken()
    await until('its record', async () => (await deliveryOf(sent.id))?.status === 'sent')
    expect([failures, meta.taken.length, await balance(by)]).toEqual([3, 1, 9_994])
  })

  test('that Meta refuses for good rejects and refunds its messages', async () => {
    meta.beforeUpload = async () => {
      throw new CloudFault(100, 'Param file must be a file with one of the following types')
    }
    const id = await upload('png')
    const { body: sent } = await send(await friend(), { whatsapp: { image: { id } } })
    const delivery = await until('its end', async () => {
      const found = await deliveryOf(sent.id)
      return found?.status === 'rejected' && found
    })
    expect(delivery).toMatchObject({ code: '100', refunded: true })
    expect(await balance(by)).toBe(10_000)
  })

  test('deleted while its messages wait rejects and refunds them', async () => {
    let attempts = 0
    meta.beforeUpload = async () => {
      attempts += 1
      throw new CloudFault(131000, 'so it was')
    }
    const id = await upload('png')
    const { body: sent } = await send(await friend(), { whatsapp: { image: { id } } })
    await until('an attempt', () => attempts > 0)
    expect((await by.call('DELETE', `/media/${id}`)).status).toBe(204)
    const delivery = await until('its end', async () => {
      const found = await deliveryOf(sent.id)
      return found?.status === 'rejected' && found
    })
    expect(delivery).toMatchObject({ code: 'media_gone', refunded: true })
    expect([meta.taken.length, await balance(by)]).toEqual([0, 10_000])
  })

  test('keeps no message without a file waiting', async () => {
    let release: (() => void) | undefined
    meta.beforeUpload = () => new Promise<void>((resolve) => (release = resolve))
    const id = await upload('png')
    await send(await friend(), { whatsapp: { image: { id } } })
    await until('the upload', () => release !== undefined)
    const quick = await friend()
    await send(quick, { content: 'Hello' })
    expect((await taken())[0]?.to).toBe(quick)
    release?.()
    await taken(2)
    expect(await auditMoney(service.db)).toEqual([])
  })
})

describe('is refused before a charge', () => {
  test('an unknown file, another organisation’s, one of another kind or expired, and all faults at once', async () => {
    const rival = await service.organisation()
    const [theirs, document, old, unknown] = [
      await upload('png', 2_000, '', rival),
      await upload('pdf'),
      await upload('png'),
      '019a8475-0000-7000-8000-000000000001',
    ]
    await service.db`update media set expires_datetime = now() where id = ${old}`
    const recipient = await friend()
    for (const [id, type, words] of [
      [theirs, 'not_found', 'there is no such file'],
      [unknown, 'not_found', 'there is no such file'],
      [document, 'invalid', 'it is application/pdf, which is sent as document'],
      [old, 'expired', 'deleted before'],
    ] as const) {
      const answer = await send(recipient, { content: 'x', whatsapp: { image: { id } } })
      expect([answer.status, ...faults(answer.body)]).toEqual([400, `whatsapp.image.id ${type}`])
      expect(answer.text).toContain(words)
      const by_template = await send(recipient, { template_id: await template(offer(id)) })
      expect([by_template.status, ...faults(by_template.body)]).toEqual([400, `template_id ${type}`])
      const personalisation = [{ to: recipient, substitutions: { photo: id } }]
      const own = await send(recipient, { template_id: await template(offer('{{photo}}')), personalisation })
      expect(faults(own.body)).toEqual([`personalisation[0].substitutions.photo ${type}`])
    }
    const both = { id: old, link: 'https://a.example/b.png' }
    const wrong: [object, string][] = [
      [{ image: both }, 'whatsapp.image invalid'],
      [{ image: {} }, 'whatsapp.image missing'],
      [{ image: { id: 'x' } }, 'whatsapp.image.id invalid'],
    ]
    for (const [whatsapp, fault] of wrong) expect(faults((await send(recipient, { whatsapp })).body)).toEqual([fault])
    const made = await by.call<Sent>('POST', '/templates', {
      name: 'x',
      content: 'x',
      whatsapp: { ...offer(''), header: { image: both } },
    })
    expect(faults(made.body)).toEqual(['whatsapp.header.image invalid'])
    expect(await balance(by)).toBe(10_000)
    expect(meta.media.uploads).toBe(0)
  })

  test('a file that is deleted before the message is sent', async () => {
    const id = await upload('png')
    await service.db`update media set expires_datetime = now() + interval '1 hour' where id = ${id}`
    const send_at = new Date(Date.now() + 2 * 3_600_000).toISOString()
    const { body: refused } = await send(await friend(), { send_at, whatsapp: { image: { id } } })
    expect(faults(refused)).toEqual(['whatsapp.image.id expired'])
  })
})

test('the number that files are uploaded to is that of the carrier', async () => {
  const id = await upload('mp4')
  await send(await friend(), { whatsapp: { video: { id } } })
  await taken()
  const rows = await service.db`select phone_number_id, leased_until from media_uploads where media_id = ${id}`
  expect(rows.map((row) => ({ ...row }))).toEqual([{ phone_number_id: NUMBER.phone_number_id, leased_until: null }])
})
