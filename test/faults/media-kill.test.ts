import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileOf } from '../support/files.ts'
import { temporaryFolder } from '../support/folder.ts'
import { inboundFile, postWebhook, startMetaServer, webhookBody, type MetaServer } from '../support/meta-server.ts'
import { runGangan, startGangan, type Gangan } from '../support/process.ts'
import { caller } from '../support/service.ts'
import { until } from '../support/until.ts'
import { count, note, scale } from './scale.ts'

const RECIPIENTS = scale(60, 600)
/** Messages in flight to the Cloud API, or waiting there for their file: the maximum that a kill may leave unknown. */
const IN_FLIGHT = 128
const KILLS = 2
const OFFER = {
  name: 'offer',
  language: 'en',
  status: 'APPROVED',
  category: 'MARKETING',
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Look.' },
  ],
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let meta: MetaServer
let gangan: Gangan
let env: Record<string, string>
let call: ReturnType<typeof caller>

beforeAll(async () => {
  folder = await temporaryFolder()
  meta = await startMetaServer()
  meta.templates = [OFFER]
  const path = join(folder.path, 'gangan.json')
  const carriers = [
    { kind: 'simulator', name: 'simulator' },
    meta.settings({ otp_template: undefined, rate_per_s: 1_000 }),
  ]
  const routes = [
    { name: 'sms', channel: 'sms', carrier: 'simulator' },
    { name: 'whatsapp', channel: 'whatsapp', carrier: 'meta' },
  ]
  await writeFile(path, JSON.stringify({ carriers, routes }))
  env = { GANGAN_DATA: join(folder.path, 'data'), GANGAN_CONFIG: path, GANGAN_CREDIT: '100000' }
  gangan = await startGangan(env)
  call = caller(gangan.url, gangan.key ?? '')
})
afterAll(async () => {
  await gangan.end('SIGTERM')
  await meta.close()
  await folder.remove()
})

async function restart(): Promise<void> {
  const { key = '' } = gangan
  await gangan.end('SIGKILL')
  gangan = { ...(await startGangan(env)), key }
  call = caller(gangan.url, key)
}

type Text = { id: string; media?: { state: string } }

test('killed while a received file is downloaded: it is downloaded again, once', async () => {
  const file = fileOf('pdf', 700_000)
  const from = '2348031234567'
  let hanging = 0
  meta.beforeDownload = () => new Promise<void>(() => (hanging += 1))
  const media = meta.media.receive(file, 'application/pdf')
  const webhook = webhookBody([{ messages: [inboundFile('wamid.IN1', from, media)] }])
  expect(await postWebhook(gangan, webhook)).toBe(200)
  await until('the download', () => hanging === 1)
  await restart()
  delete meta.beforeDownload
  // As Meta does with a webhook whose answer was lost.
  expect(await postWebhook(gangan, webhook)).toBe(200)
  const text = await until(
    'the file',
    async () => {
      const { body } = await call<{ inbound: Text[] }>('GET', `/inbound?from=${from}`)
      expect(body.inbound).toHaveLength(1)
      return body.inbound[0]?.media?.state === 'stored' && body.inbound[0]
    },
    60_000,
  )
  const headers = { authorization: gangan.key ?? '' }
  const loaded = await fetch(`${gangan.url}/media/${text.id}/content`, { headers })
  expect(Buffer.from(await loaded.arrayBuffer()).equals(file)).toBe(true)
}, 120_000)

test('killed while a file is uploaded, and while it is sent: nothing is lost or sent twice', async () => {
  const uploaded = await call<{ id: string }>('POST', '/media', fileOf('png', 700_000), { 'content-type': 'image/png' })
  const whatsapp = { name: 'offer', language: 'en', parameters: [], header: { image: { id: uploaded.body.id } } }
  const made = await call<{ id: string }>('POST', '/templates', { name: 'Offer', content: 'Look.', whatsapp })
  const recipients = Array.from({ length: RECIPIENTS }, (_, n) => `234803${String(n).padStart(7, '0')}`)
  let stored = 0
  meta.afterUpload = () => new Promise<void>(() => (stored += 1))
  const sent = await until('the template', async () => {
    const answer = await call<{ id: string }>('POST', '/sms/send', {
      recipients,
      channel: 'whatsapp',
      template_id: made.body.id,
    })
    return answer.status === 200 && answer
  })
  // Meta has the file, and we do not know its id.
  await until('the upload', () => stored === 1)
  type Message = { deliveries: { recipient: string; status: string }[] }
  const read = async () => (await call<Message>('GET', `/sms/${sent.body.id}`)).body.deliveries
  await restart()
  expect(meta.taken).toHaveLength(0)
  delete meta.afterUpload
  // Those that waited for the file are retried within a minute.
  await until('the first messages', () => meta.taken.length > 0, 150_000)
  await restart()
  const deliveries = await until(
    'the last message',
    async () => {
      const all = await read()
      return all.every(({ status }) => status !== 'queued') && all
    },
    90_000,
  )
  const arrived = meta.taken.map(({ to }) => to)
  expect(new Set(arrived).size).toBe(arrived.length)
  const unknown = deliveries.filter(({ status }) => status === 'unknown').map(({ recipient }) => recipient)
  expect(recipients.filter((one) => !arrived.includes(one) && !unknown.includes(one))).toEqual([])
  expect(unknown.length).toBeLessThanOrEqual(KILLS * IN_FLIGHT)
  expect(meta.media.uploads).toBe(2)
  await gangan.end('SIGTERM')
  expect(await runGangan(['balance', 'audit'], { GANGAN_DATA: env.GANGAN_DATA ?? '' })).toMatchObject({ code: 0 })
  note({
    promise: 'nothing accepted is lost or sent twice: killed while its file is uploaded to WhatsApp',
    figure: `${KILLS} kills, ${count(RECIPIENTS)} messages with one file: ${count(arrived.length)} at Meta, each once; ${unknown.length} left open`,
    goal: 'none twice, open at most what was in flight',
    met: true,
  })
}, 300_000)
