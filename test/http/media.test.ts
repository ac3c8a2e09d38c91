import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runHousekeeping } from '../../src/housekeeping.ts'
import { fileOf } from '../support/files.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { person } from '../support/person.ts'
import { until } from '../support/until.ts'

const MB = 1024 * 1024

type Media = { id: string; type: string; kind?: string; size: number; sha256: string; state: string; filename?: string }
type Refused = { message: string; errors?: { field: string; message: string; type: string }[] }
type List = { media: Media[]; meta: { pagination: { query_id: string; next_page: string } } }

let service: TestService
let by: Organisation

beforeAll(async () => {
  service = await openService({ settings: { media: { quota_mb: 12, uploads_per_s: 1_000 } } })
})
afterAll(() => service.close())
beforeEach(async () => {
  by = await service.organisation()
})

const png = (size?: number): Buffer => fileOf('png', size)
const pdf = (size?: number): Buffer => fileOf('pdf', size)

const upload = <T = Media>(file: Buffer | string, type = 'application/octet-stream', query = '', owner = by) =>
  owner.call<T>('POST', `/media${query}`, Buffer.from(file), { 'content-type': type })
const rowsOf = async (owner = by): Promise<number> => {
  const [row] = await service.db<{ count: number }[]>`
    select (select count(*) from media where organisation_id = ${owner.id})::integer
      + (select count(*) from media_chunks where organisation_id = ${owner.id})::integer as count`
  return row?.count ?? 0
}

async function cleanUp(): Promise<void> {
  const { retention, otp, lookup } = service.config.settings
  const { window_minutes } = otp.guard
  await runHousekeeping({ db: service.db, retention: { ...retention, window_minutes }, fresh: lookup })
}

async function download(id: string, key = by.key) {
  const response = await fetch(`${service.url}/media/${id}/content`, { headers: { authorization: key } })
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) }
}

describe('an uploaded file', () => {
  test('is stored in pieces, described, listed, downloaded unchanged and deleted', async () => {
    const file = png(700_000)
    const { status, body } = await upload(file, 'image/png', '?filename=Our%20sh%C3%B6p.png')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      direction: 'out',
      type: 'image/png',
      kind: 'image',
      filename: 'Our shöp.png',
      size: file.length,
      sha256: createHash('sha256').update(file).digest('hex'),
      state: 'stored',
      expires_datetime: expect.any(String),
    })
    expect((await by.call<Media>('GET', `/media/${body.id}`)).body).toMatchObject({ id: body.id, state: 'stored' })
    expect((await by.call<List>('GET', '/media')).body.media.map(({ id }) => id)).toEqual([body.id])
    const { headers, ...loaded } = await download(body.id)
    expect(loaded.status).toBe(200)
    expect(loaded.body.equals(file)).toBe(true)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(file.length),
      'content-disposition': `inline; filename="Our sh_p.png"; filename*=UTF-8''Our%20sh%C3%B6p.png`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect((await by.call('DELETE', `/media/${body.id}`)).status).toBe(204)
    expect((await by.call('GET', `/media/${body.id}`)).status).toBe(404)
    expect((await download(body.id)).status).toBe(404)
    expect(await rowsOf()).toBe(0)
  })

  test('of any type but an image is downloaded as an attachment', async () => {
    const { body } = await upload('<script>alert(1)</script>', 'text/plain', '?filename=a.html')
    const { headers } = await download(body.id)
    expect(headers.get('content-type')).toContain('text/plain')
    expect(headers.get('content-disposition')).toContain('attachment')
  })

  test('without a declared type has that of its content', async () => {
    expect((await upload(pdf())).body).toMatchObject({ type: 'application/pdf', kind: 'document' })
  })

  test('is listed in pages, newest first, and by direction', async () => {
    const ids: string[] = []
    for (let n = 0; n < 3; n += 1) ids.unshift((await upload(`File ${n}`, 'text/plain')).body.id)
    const first = (await by.call<List>('GET', '/media?limit=2&direction=out')).body
    const { query_id, next_page } = first.meta.pagination
    expect([first.media.map(({ id }) => id), next_page]).toEqual([ids.slice(0, 2), 'True'])
    const second = (await by.call<List>('GET', `/media?limit=2&query_id=${query_id}`)).body
    expect(second.media.map(({ id }) => id)).toEqual(ids.slice(2))
    expect((await by.call<List>('GET', '/media?direction=in')).body.media).toEqual([])
  })

  test('belongs to its organisation, and needs the scope sms', async () => {
    const { body } = await upload('Ours', 'text/plain')
    const stranger = await service.organisation()
    expect((await stranger.call('GET', `/media/${body.id}`)).status).toBe(404)
    expect((await download(body.id, stranger.key)).status).toBe(404)
    expect((await stranger.call('DELETE', `/media/${body.id}`)).status).toBe(404)
    const otp = await service.organisation({ scopes: ['otp'] })
    expect((await upload('Theirs', 'text/plain', '', otp)).status).toBe(403)
    expect((await otp.call('GET', '/media')).status).toBe(403)
    const viewer = await person(service, by.id, by.id, 'viewer')
    expect((await viewer.call('GET', `/media/${body.id}`)).status).toBe(200)
    expect((await viewer.call('DELETE', `/media/${body.id}`)).status).toBe(403)
  })

  test('is deleted when it expires', async () => {
    const { body } = await upload('Old', 'text/plain')
    await service.db`update media set expires_datetime = now() - interval '1 second' where id = ${body.id}`
    await cleanUp()
    expect(await rowsOf()).toBe(0)
  })
})

describe('refused, with nothing stored', () => {
  test.each<[string, Buffer | string, string, string, number, string]>([
    ['a type that lies', png(), 'application/pdf', '', 400, 'declared as application/pdf, but it is image/png'],
    ['an unknown content', 'MZ\x90\0', 'application/octet-stream', '', 400, 'of no type that WhatsApp sends'],
    ['a type that is not sent', png(), 'image/gif', '', 400, 'does not send files of the type image/gif'],
    ['an empty file', '', 'text/plain', '', 400, 'empty'],
    ['an image above 5 MB', png(5 * MB + 1), 'image/png', '', 413, '5 MB'],
    ['a name with a folder', 'x', 'text/plain', '?filename=..%2Fa', 400, 'not the name of a file'],
    ['a name with a line break', 'x', 'text/plain', '?filename=a%0d%0ab', 400, 'not the name of a file'],
    ['JSON', '{}', 'application/json', '', 415, 'Content-Type'],
    ['a form', 'a=b', 'application/x-www-form-urlencoded', '', 415, 'Content-Type'],
  ])('%s', async (_, file, type, query, status, words) => {
    const answer = await upload<Refused>(file, type, query)
    expect({ status: answer.status, text: answer.text }).toEqual({ status, text: expect.stringContaining(words) })
    expect(await rowsOf()).toBe(0)
  })

  /** Sends a head, and then zeros for as long as the server takes them. */
  function pour(url: string, headers: Record<string, string | number>, head: Buffer, most: number) {
    return new Promise<{ status: number; sent: number }>((resolve, reject) => {
      let sent = 0
      const asking = request(`${url}/media`, { method: 'POST', headers: { authorization: by.key, ...headers } })
      asking.on('response', (answer) => {
        resolve({ status: answer.statusCode ?? 0, sent })
        asking.destroy()
      })
      asking.on('error', reject)
      const write = (bytes: Buffer): void => {
        sent += bytes.length
        if (sent >= most) return void asking.end()
        asking.write(bytes, () => setImmediate(write, Buffer.alloc(65_536)))
      }
      write(head)
    })
  }

  test('a file declared larger than 100 MB, before it is sent', async () => {
    const headers = { 'content-type': 'application/pdf', 'content-length': 100 * MB + 1 }
    const { status, sent } = await pour(service.url, headers, pdf(65_536), 100 * MB)
    expect(status).toBe(413)
    expect(sent).toBeLessThan(20 * MB)
    expect(await rowsOf()).toBe(0)
  })

  test('an image of unknown length, once it exceeds 5 MB', async () => {
    const other = await openService({ beside: service, settings: { media: { quota_mb: 200 } } })
    try {
      const headers = { 'content-type': 'image/png', 'transfer-encoding': 'chunked' }
      const { status, sent } = await pour(other.url, headers, png(65_536), 90 * MB)
      expect(status).toBe(413)
      expect(sent).toBeLessThan(80 * MB)
      expect(await rowsOf()).toBe(0)
    } finally {
      await other.close()
    }
  })

  test('a file that breaks off', async () => {
    const asking = request(`${service.url}/media`, {
      method: 'POST',
      headers: { authorization: by.key, 'content-type': 'application/pdf', 'content-length': 2 * MB },
    })
    asking.on('error', () => {})
    asking.write(pdf(MB))
    await until('its first chunk', async () => (await rowsOf()) > 1)
    asking.destroy()
    expect(await until('it is gone', async () => (await rowsOf()) === 0)).toBe(true)
  })

  test('what exceeds the quota, also together with concurrent uploads', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => upload<Refused>(pdf(4 * MB))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 409))
    expect(refused[0]?.body.message).toContain('12 MB')
    // Another organisation has its own quota.
    const other = await service.organisation()
    expect((await upload(pdf(4 * MB), 'application/pdf', '', other)).status).toBe(200)
  })

  test('more uploads than the rate allows', async () => {
    const slow = await openService({ beside: service, settings: { media: { uploads_per_s: 1 } } })
    try {
      const send = () =>
        fetch(`${slow.url}/media`, {
          method: 'POST',
          headers: { authorization: by.key, 'content-type': 'text/plain' },
          body: 'x',
        })
      const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status)
      expect(statuses.sort()).toEqual([200, 429, 429])
    } finally {
      await slow.close()
    }
  })
})

test('an upload that a crash left behind is deleted after an hour', async () => {
  const hour_ago = '018f0000-0000-7000-8000-000000000000'
  await service.db`
    insert into media (organisation_id, id, direction, state, type, size)
    values (${by.id}, ${hour_ago}, 'out', 'uploading', 'text/plain', 1)`
  await service.db`
    insert into media_chunks (organisation_id, media_id, attempt, position, bytes)
    values (${by.id}, ${hour_ago}, 1, 0, 'x')`
  expect((await by.call('GET', `/media/${hour_ago}`)).status).toBe(404)
  await cleanUp()
  expect(await rowsOf()).toBe(0)
})
