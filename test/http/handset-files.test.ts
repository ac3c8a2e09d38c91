import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeHandsetDownload } from '../../src/messaging/inbound/handset-files.ts'
import { fileOf } from '../support/files.ts'
import { faults } from '../support/otp.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

type Received = { id: string; text: string; whatsapp?: object; media?: { id: string; state: string; size?: number } }
type Answer = Received & { errors?: { field: string; type: string; message: string }[] }

const ADA = '2348031234567'
let service: TestService
let by: Organisation
let other: Organisation

beforeAll(async () => {
  const settings = {
    carriers: [{ kind: 'simulator', name: 'simulator' }],
    routes: [{ name: 'all', channel: 'whatsapp', carrier: 'simulator' }],
    media: { uploads_per_s: 1_000 },
  }
  service = await openService({ settings, config: { sandbox: true } })
  other = await service.organisation({ credit: 10 })
})
afterAll(() => service.close())
beforeEach(async () => {
  by = await service.organisation({ credit: 10 })
})

async function upload(content: Buffer, filename = 'photo.bin', from = by): Promise<string> {
  const headers = { 'content-type': 'application/octet-stream' }
  const { status, body } = await from.call<{ id: string }>('POST', `/media?filename=${filename}`, content, headers)
  expect(status).toBe(200)
  return body.id
}
const reply = (more: object) =>
  by.call<Answer>('POST', '/sandbox/reply', { from: ADA, to: 'WhatsApp', channel: 'whatsapp', ...more })
const inbound = async () => (await by.call<{ inbound: Received[] }>('GET', '/inbound')).body.inbound

describe('a handset sends a file of the organisation', () => {
  const [png, pdf] = [fileOf('png', 700_000), fileOf('pdf')]

  test.each([
    ['image', 'Here it is', 'Here it is', png],
    ['image', undefined, '[image]', png],
    ['document', undefined, '[document]', pdf],
  ])('%s with the caption %s', async (type, text, shown, content) => {
    const media_id = await upload(content)
    const sent = await reply({ media_id, ...(text === undefined ? {} : { text }) })
    expect(sent).toMatchObject({ status: 200, body: { text: shown, whatsapp: { type }, media: { state: 'pending' } } })
    expect(sent.body.media?.id).toBe(sent.body.id)
    const stored = await until('it is stored', async () => {
      const [one] = await inbound()
      return one?.media?.state === 'stored' && one
    })
    expect(stored.media).toMatchObject({ id: sent.body.id, size: content.length })
    // A copy: what was uploaded may be deleted.
    expect((await by.call('DELETE', `/media/${media_id}`)).status).toBe(204)
    const found = await fetch(`${service.url}/media/${sent.body.id}/content`, { headers: { authorization: by.key } })
    expect(Buffer.from(await found.arrayBuffer()).equals(content)).toBe(true)
  })
})

test('a file that was deleted before it was copied is gone, and has no content', async () => {
  const download = makeHandsetDownload(service.db)
  const found = await download(`${by.id}/019a8475-0000-7000-8000-000000000001`, async () => 'content')
  expect(found).toEqual({ kind: 'gone' })
})

test.each([
  ['over SMS', { channel: 'sms' }, ['media_id invalid']],
  ['beside a reaction', { whatsapp: { location: { latitude: 1, longitude: 2 } } }, ['media_id invalid']],
  ['with a NUL in its caption', { text: 'a\u0000b' }, ['text invalid']],
])('a file %s is refused', async (_, more, expected) => {
  const { status, body } = await reply({ media_id: await upload(fileOf('png')), ...more })
  expect([status, ...faults(body)]).toEqual([400, ...expected])
  expect(await inbound()).toEqual([])
})

test('a file that is unknown, of another organisation, or with a text that it cannot have is refused', async () => {
  const refused = async (more: object): Promise<(string | number)[]> => {
    const { status, body } = await reply(more)
    return [status, ...faults(body)]
  }
  const theirs = await upload(fileOf('png'), 'photo.png', other)
  expect(await refused({ media_id: theirs })).toEqual([400, 'media_id not_found'])
  expect(await refused({ media_id: '019a8475-0000-7000-8000-000000000001' })).toEqual([400, 'media_id not_found'])
  expect(await refused({ media_id: 'photo.png' })).toEqual([400, 'media_id not_found'])
  expect(await refused({ media_id: 7 })).toEqual([400, 'media_id string_type'])
  const recording = await upload(Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(500)]))
  expect(await refused({ media_id: recording, text: 'Listen' })).toEqual([400, 'media_id invalid'])
  expect((await reply({ media_id: recording })).status).toBe(200)
})
