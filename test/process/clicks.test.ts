import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.ts'
import { caller } from '../support/service.ts'
import { startGangan, type Gangan } from '../support/process.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

type Message = {
  id: string
  deliveries: { status: string; clicks: number; links: { short_url: string }[] }[]
}

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let receiver: Receiver
let gangan: Gangan
let key: string

beforeAll(async () => {
  folder = await temporaryFolder()
  receiver = await startReceiver()
  gangan = await startGangan({ GANGAN_DATA: folder.path })
  key = gangan.key ?? ''
})
afterAll(async () => {
  await gangan.end('SIGTERM')
  await receiver.close()
  await folder.remove()
})

async function restart(signal: NodeJS.Signals, args: string[] = []): Promise<void> {
  await gangan.end(signal)
  gangan = await startGangan({ GANGAN_DATA: folder.path }, args)
}

async function send(): Promise<{ id: string; path: string }> {
  const body = { recipients: '08031234567', content: 'https://example.com', is_trackable: true, callback: receiver.url }
  const { id } = (await caller(gangan.url, key)<Message>('POST', '/sms/send', body)).body
  const [delivery] = (await read(id)).deliveries
  return { id, path: new URL(delivery?.links[0]?.short_url ?? '').pathname }
}

async function read(id: string): Promise<Message> {
  return (await caller(gangan.url, key)<Message>('GET', `/sms/${id}`)).body
}

async function click(path: string): Promise<void> {
  const answer = await fetch(gangan.url + path, { redirect: 'manual', headers: { 'user-agent': PHONE } })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://example.com/'])
}

const callbacksOf = (id: string) =>
  receiver.received.filter(({ json }) => json.type === 'text.clicked' && json.data.id === id).length

test('SIGTERM right after a click: it is counted and notified, on one process and on several', async () => {
  const first = await send()
  await click(first.path)
  await restart('SIGTERM', ['--processes', '2'])
  expect((await read(first.id)).deliveries).toMatchObject([{ clicks: 1 }])
  await until('its callback', () => callbacksOf(first.id) === 1)

  const second = await send()
  for (let n = 0; n < 20; n++) await click(second.path)
  await restart('SIGTERM')
  expect((await read(second.id)).deliveries).toMatchObject([{ clicks: 20 }])
  await until('its callback', () => callbacksOf(second.id) === 1)
})

test('SIGKILL right after a click: the next click makes up for it, with one callback', async () => {
  const { id, path } = await send()
  await click(path)
  await restart('SIGKILL')
  await click(path)
  await until('its callback', () => callbacksOf(id) > 0)
  await click(path)
  await until('the clicks', async () => ((await read(id)).deliveries[0]?.clicks ?? 0) >= 2)
  const { body } = await caller(gangan.url, key)<{ callbacks: { type: string }[] }>(
    'GET',
    `/callbacks?subject_id=${id}`,
  )
  expect(body.callbacks.filter(({ type }) => type === 'text.clicked')).toHaveLength(1)
})
