import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { beginDownload } from '../../src/media/download-store.ts'
import { runHousekeeping } from '../../src/housekeeping.ts'
import { CloudFault } from '../../src/emulators/whatsapp/errors.ts'
import { transaction } from '../../src/db/transaction.ts'
import { fileOf } from '../support/files.ts'
import {
  inboundFile,
  NUMBER,
  postWebhook,
  startMetaServer,
  webhookBody,
  type MetaServer,
} from '../support/meta-server.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const MB = 1024 * 1024

type File = { id: string; type: string; filename?: string; size?: number; state: string }
type Text = { id: string; from: string; text: string; media?: File }

let meta: MetaServer
let service: TestService
let receiver: Receiver
let by: Organisation

beforeAll(async () => {
  meta = await startMetaServer()
  receiver = await startReceiver()
  service = await openService({
    settings: {
      carriers: [{ kind: 'simulator', name: 'simulator' }, meta.settings()],
      routes: [
        { name: 'sms', channel: 'sms', carrier: 'simulator' },
        { name: 'whatsapp', channel: 'whatsapp', carrier: 'meta' },
      ],
      media: { quota_mb: 20 },
    },
    config: { sandbox: true },
  })
})
afterAll(async () => {
  await service.close()
  await receiver.close()
  await meta.close()
})
beforeEach(async () => {
  by = await service.organisation()
  await service.db`delete from senders where sender_id = ${NUMBER.display}`
  await by.call('POST', '/senders', { sender_id: NUMBER.display })
  await service.db`update senders set state = 'approved' where organisation_id = ${by.id}`
  delete meta.beforeDownload
  meta.media.downloads = 0
})

let next_number = 2_348_038_000_000

/** A person sends a file. */
async function sendFile(bytes: Buffer, type: string, more: object = {}) {
  const from = String((next_number += 1))
  const media = meta.media.receive(bytes, type)
  const webhook = webhookBody([{ messages: [inboundFile(`wamid.IN${from}`, from, media, more)] }])
  expect(await postWebhook(service, webhook)).toBe(200)
  const text = await textFrom(from)
  return { from, text, webhook }
}

async function textFrom(from: string): Promise<Text> {
  const { body } = await by.call<{ inbound: Text[] }>('GET', `/inbound?from=${from}`)
  const [text] = body.inbound
  if (!text) throw new Error('no text')
  return text
}

const inState = (id: string, state: string): Promise<File> =>
  until(`a file that is ${state}`, async () => {
    const { body } = await by.call<File>('GET', `/media/${id}`)
    return body.state === state && body
  })

const content = async (id: string, key = by.key) =>
  fetch(`${service.url}/media/${id}/content`, { headers: { authorization: key } })

const rowsOf = async (id: string): Promise<number> => {
  const [row] = await service.db<{ count: number }[]>`
    select (select count(*) from media where id = ${id})::integer
      + (select count(*) from media_chunks where media_id = ${id})::integer as count`
  return row?.count ?? 0
}

/** So that a job that waits for its next attempt makes it now. */
const hurry = () => service.db`update jobs set run_at = now() where queue = 'media:downloads' and not leased`

describe('a file that a person sent', () => {
  test('is downloaded after its text is stored, and shown wherever the text is', async () => {
    let release: (() => void) | undefined
    meta.beforeDownload = () => new Promise<void>((resolve) => (release = resolve))
    await by.call('PATCH', '/settings', { inbound_url: `${receiver.url}/texts` })
    receiver.received.length = 0
    const file = fileOf('pdf', 700_000)
    const { from, text } = await sendFile(file, 'application/pdf', { caption: 'My passport', filename: 'a.pdf' })
    // The download hangs; the text is there.
    const pending = { id: text.id, type: 'application/pdf', filename: 'a.pdf', state: 'pending' }
    expect(text).toMatchObject({ text: 'My passport', media: pending })
    const [event] = await receiver.wait(1)
    expect(event?.json).toMatchObject({ type: 'text.received', data: { id: text.id, media: pending } })
    expect((await content(text.id)).status).toBe(409)
    await until('the download', () => release !== undefined)
    release?.()
    const stored = await inState(text.id, 'stored')
    expect(stored).toMatchObject({ direction: 'in', type: 'application/pdf', size: file.length })
    const shown = { ...pending, state: 'stored', size: file.length }
    expect((await by.call<Text>('GET', `/inbound/${text.id}`)).body.media).toEqual(shown)
    const thread = await by.call<{ messages: Text[] }>('GET', `/conversations/${from}`)
    expect(thread.body.messages[0]).toMatchObject({ text: 'My passport', media: shown })
    const loaded = await content(text.id)
    expect(Buffer.from(await loaded.arrayBuffer()).equals(file)).toBe(true)
    expect(loaded.headers.get('content-disposition')).toContain('attachment; filename="a.pdf"')
    // Not another organisation's.
    const stranger = await service.organisation()
    expect((await content(text.id, stranger.key)).status).toBe(404)
  })

  test('is downloaded once, if the webhook comes twice or concurrently', async () => {
    const { text, webhook } = await sendFile(fileOf('jpeg'), 'image/jpeg')
    const again = await Promise.all([1, 2, 3].map(() => postWebhook(service, webhook)))
    expect(again).toEqual([200, 200, 200])
    await inState(text.id, 'stored')
    const rows = await service.db`select 1 from media where organisation_id = ${by.id}`
    expect([rows.length, meta.media.downloads]).toEqual([1, 1])
  })

  test('is tried again after a failure, each time by a fresh URL', async () => {
    let attempts = 0
    meta.beforeDownload = async () => {
      attempts += 1
      if (attempts < 3) throw new CloudFault(131000, 'so it was')
    }
    const { text } = await sendFile(fileOf('jpeg'), 'image/jpeg')
    await until('two attempts', async () => {
      await hurry()
      return attempts >= 3
    })
    await inState(text.id, 'stored')
    expect(attempts).toBe(3)
  })

  test.each<[string, Buffer, string, RegExp]>([
    ['that is not what it is declared as', fileOf('pdf'), 'image/jpeg', /declared as image\/jpeg/],
    ['with a program in it', Buffer.from('MZ\x90\0'), 'application/pdf', /declared as application\/pdf/],
    ['that is too large for its type', fileOf('jpeg', 5 * MB + 1), 'image/jpeg', /too large/],
    ['that is empty', Buffer.alloc(0), 'application/pdf', /empty/],
  ])('%s is refused', async (_, file, type, reason) => {
    const { text } = await sendFile(file, type)
    expect(await inState(text.id, 'refused')).toMatchObject({ reason: expect.stringMatching(reason) })
    expect((await content(text.id)).status).toBe(409)
    expect(await rowsOf(text.id)).toBe(1)
    expect((await textFrom(text.from)).media?.state).toBe('refused')
  })

  test('of an unknown type is stored, and only ever downloaded', async () => {
    const { text } = await sendFile(Buffer.from('PK\x03\x04\0classes.dex'), 'application/zip', { filename: 'a.apk' })
    await inState(text.id, 'stored')
    const { headers } = await content(text.id)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toContain('attachment')
  })

  test('that Meta no longer has is expired', async () => {
    const from = String((next_number += 1))
    const media = meta.media.receive(fileOf('jpeg'), 'image/jpeg')
    meta.media.expireAll()
    await postWebhook(service, webhookBody([{ messages: [inboundFile(`wamid.IN${from}`, from, media)] }]))
    const { id } = await textFrom(from)
    expect(await inState(id, 'expired')).toMatchObject({ state: 'expired' })
  })

  test('is not stored beyond the quota', async () => {
    const { text } = await sendFile(fileOf('pdf', 15 * MB), 'application/pdf')
    await inState(text.id, 'stored')
    const second = await sendFile(fileOf('pdf', 6 * MB), 'application/pdf')
    expect(await inState(second.text.id, 'refused')).toMatchObject({ reason: expect.stringContaining('quota') })
    const third = await sendFile(fileOf('pdf', 2 * MB), 'application/pdf')
    await inState(third.text.id, 'stored')
  })

  test('can be sent to others by its id', async () => {
    const { text, from } = await sendFile(fileOf('jpeg'), 'image/jpeg')
    await inState(text.id, 'stored')
    meta.taken.length = 0
    await service.db`update whatsapp_users set sent_datetime = null where recipient = ${from}`
    const whatsapp = { image: { id: text.id } }
    expect((await by.call('POST', '/sms/send', { recipients: from, channel: 'whatsapp', whatsapp })).status).toBe(200)
    await until('the message', () => meta.taken.length === 1)
  })
})

describe('an attempt to download a file', () => {
  test('that was overtaken by another neither completes it nor mixes with it', async () => {
    let hold = true
    const waiting: (() => void)[] = []
    meta.beforeDownload = () => (hold ? new Promise<void>((resolve) => waiting.push(resolve)) : Promise.resolve())
    const file = fileOf('pdf', 600_000)
    const { text } = await sendFile(file, 'application/pdf')
    await until('the first attempt', () => waiting.length === 1)
    // As if its lease had expired: another process begins an attempt of its own, and dies.
    await transaction(service.db, (tx) => beginDownload(tx, by.id, text.id, 7))
    hold = false
    waiting[0]?.()
    await until('the first attempt to end', async () => {
      const [job] = await service.db`select 1 from jobs where subject_id = ${text.id}`
      return !job
    })
    expect((await by.call<File>('GET', `/media/${text.id}`)).body.state).toBe('pending')
    expect(await rowsOf(text.id)).toBe(1)
    // Its lease expires, and the job is claimed again.
    await service.db`
      insert into jobs (queue, lane, organisation_id, subject_id, subject_key, priority, run_at)
      values ('media:downloads', ${by.id}, ${by.id}, ${text.id}, '', 1, now())`
    await inState(text.id, 'stored')
    expect(Buffer.from(await (await content(text.id)).arrayBuffer()).equals(file)).toBe(true)
  })
})

describe('a file goes with its text', () => {
  test('when the person is erased, also while it is downloaded', async () => {
    const { text, from } = await sendFile(fileOf('jpeg'), 'image/jpeg')
    await inState(text.id, 'stored')
    let release: (() => void) | undefined
    meta.beforeDownload = () => new Promise<void>((resolve) => (release = resolve))
    const media = meta.media.receive(fileOf('pdf'), 'application/pdf')
    await postWebhook(service, webhookBody([{ messages: [inboundFile(`wamid.IN2${from}`, from, media)] }]))
    const { id } = await textFrom(from)
    await until('the download', () => release !== undefined)
    const erasure = await by.call<{ id: string }>('POST', '/people/erasures', { phone: from })
    await until(
      'the erasure',
      async () => {
        const { body } = await by.call<{ status: string }>('GET', `/people/erasures/${erasure.body.id}`)
        return body.status === 'done'
      },
      60_000,
    )
    release?.()
    await until('the download to end', async () => {
      const [job] = await service.db`select 1 from jobs where subject_id = ${id}`
      return !job
    })
    expect([await rowsOf(text.id), await rowsOf(id)]).toEqual([0, 0])
  })

  test('when the text expires', async () => {
    const { text } = await sendFile(fileOf('jpeg'), 'image/jpeg')
    await inState(text.id, 'stored')
    const { retention, otp, lookup } = service.config.settings
    const { window_minutes } = otp.guard
    const old = '01890000-0000-7000-8000-000000000001'
    await service.db`update inbound_messages set id = ${old} where id = ${text.id}`
    await service.db`delete from media_chunks where media_id = ${text.id}`
    await service.db`update media set id = ${old} where id = ${text.id}`
    await runHousekeeping({ db: service.db, retention: { ...retention, window_minutes }, fresh: lookup })
    expect(await rowsOf(old)).toBe(1) // indefinitely, as by default
    await runHousekeeping({
      db: service.db,
      retention: { ...retention, inbound_days: 30, window_minutes },
      fresh: lookup,
    })
    expect(await rowsOf(old)).toBe(0)
  })

  test('when it is deleted', async () => {
    const { text } = await sendFile(fileOf('jpeg'), 'image/jpeg')
    await inState(text.id, 'stored')
    expect((await by.call('DELETE', `/media/${text.id}`)).status).toBe(204)
    const read = await by.call<Text>('GET', `/inbound/${text.id}`)
    expect([read.status, read.body.media]).toEqual([200, undefined])
  })
})

test('a slow download delays neither the webhook nor other organisations', async () => {
  const slow = new Set<() => void>()
  meta.beforeDownload = () => (slow.size < 4 ? new Promise<void>((resolve) => slow.add(resolve)) : Promise.resolve())
  for (let n = 0; n < 6; n += 1) await sendFile(fileOf('jpeg'), 'image/jpeg')
  await until('two downloads at a time', () => slow.size === 2)
  const hanging = by
  by = await service.organisation()
  await service.db`delete from senders where sender_id = ${NUMBER.display}`
  await by.call('POST', '/senders', { sender_id: NUMBER.display })
  await service.db`update senders set state = 'approved' where organisation_id = ${by.id}`
  const { text } = await sendFile(fileOf('jpeg'), 'image/jpeg')
  await until('the download of the other', () => slow.size === 3)
  ;[...slow].at(-1)?.()
  await inState(text.id, 'stored')
  // The others of the first organisation wait for its two downloads in flight.
  expect(slow.size).toBe(3)
  meta.beforeDownload = () => Promise.resolve()
  for (const release of slow) release()
  await until('all of them', async () => {
    const rows = await service.db`select 1 from media where organisation_id = ${hanging.id} and state = 'stored'`
    return rows.length === 6
  })
})
