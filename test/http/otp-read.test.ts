import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'
import { faults, letTimePass, request, verify, type Otp } from '../support/otp.ts'

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

/** A GET with a body, which `fetch` refuses to send. */
async function getWithBody(path: string, body: string): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: service.key, 'content-type': 'application/json', 'content-length': body.length }
    const sent = httpRequest(service.url + path, { method: 'GET', headers }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

describe('GET /otp/{id}', () => {
  test('returns the record', async () => {
    const { body } = await request(service)
    const answer = await service.call('GET', `/otp/${body.id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(body)
  })

  test('responds with 404 for unknown ids and other organisations, 401, 403 and 405', async () => {
    const { body } = await request(service)
    const stranger = await service.organisation()
    expect((await stranger.call('GET', `/otp/${body.id}`)).status).toBe(404)
    expect((await service.call('GET', '/otp/nonsense')).status).toBe(404)
    expect((await service.call('GET', '/otp/01890000-0000-7000-8000-000000000000')).status).toBe(404)
    expect((await service.call('GET', `/otp/${body.id}`, undefined, { authorization: 'x' })).status).toBe(401)
    const without = await service.organisation({ scopes: ['sms'] })
    expect((await without.call('GET', `/otp/${body.id}`)).status).toBe(403)
    expect((await service.call('PATCH', `/otp/${body.id}`, {})).status).toBe(405)
  })
})

describe('DELETE /otp/{id}', () => {
  test('revokes, and may be repeated', async () => {
    const { body } = await request(service)
    for (let times = 1; times <= 2; times++) {
      const answer = await service.call('DELETE', `/otp/${body.id}`)
      expect(answer.status).toBe(204)
      expect(answer.text).toBe('')
    }
    expect((await service.call<Otp>('GET', `/otp/${body.id}`)).body).toMatchObject({
      status: 5,
      status_desc: 'DELETED',
    })
  })

  test('responds with 409 for one that was verified: its token has already been accepted', async () => {
    const { id } = (await request(service)).body
    await verify(service, id)
    const { body: before } = await service.call<Otp>('GET', `/otp/${id}`)
    for (let times = 1; times <= 2; times++) {
      const answer = await service.call('DELETE', `/otp/${id}`)
      expect([answer.status, answer.body]).toEqual([
        409,
        { status: 409, message: 'The token has been verified already.' },
      ])
    }
    expect((await service.call<Otp>('GET', `/otp/${id}`)).body).toEqual(before)
    expect(before.status).toBe(4)
  })

  test('changes nothing about one that has expired or failed', async () => {
    const expired = (await request(service)).body.id
    await letTimePass(service, expired, 15)
    const failed = (await request(service)).body.id
    for (let tries = 1; tries <= 5; tries++) await verify(service, failed, '0000')
    for (const [id, status] of [
      [expired, 2],
      [failed, 3],
    ] as const) {
      expect((await service.call('DELETE', `/otp/${id}`)).status).toBe(204)
      expect((await service.call<Otp>('GET', `/otp/${id}`)).body.status).toBe(status)
    }
  })

  test('responds with 404, 401 and 403', async () => {
    const { body } = await request(service)
    const stranger = await service.organisation()
    expect((await stranger.call('DELETE', `/otp/${body.id}`)).status).toBe(404)
    expect((await service.call('DELETE', '/otp/nonsense')).status).toBe(404)
    expect((await service.call('DELETE', '/otp/01890000-0000-7000-8000-000000000000')).status).toBe(404)
    expect((await service.call('DELETE', `/otp/${body.id}`, undefined, { authorization: 'x' })).status).toBe(401)
    const without = await service.organisation({ scopes: ['sms'] })
    expect((await without.call('DELETE', `/otp/${body.id}`)).status).toBe(403)
    expect((await service.call<Otp>('GET', `/otp/${body.id}`)).body.status).toBe(1)
  })
})

describe('GET /otp/get-by-recipient', () => {
  let ids: string[]

  beforeAll(async () => {
    ids = []
    for (let n = 0; n < 3; n++) ids.unshift((await request(service, { recipient: '08030000001' })).body.id)
    await verify(service, ids[0] ?? '')
    await request(service, { recipient: '08030000002' })
  })

  test.each([
    '?recipient=2348030000001',
    '?recipient=%2B2348030000001',
    '?recipient=+2348030000001',
    '?phone=08030000001',
    '?to=08030000001',
    '/2348030000001',
    '/08030000001',
  ])('newest first, by %s, in both spellings', async (tail) => {
    for (const path of ['/otp/get-by-recipient', '/otp/get_by_recipient']) {
      const { status, body } = await service.call<Otp[]>('GET', path + tail)
      expect(status).toBe(200)
      expect(body.map(({ id }) => id)).toEqual(ids)
      expect(body.map((otp) => otp.status)).toEqual([4, 1, 1])
      expect(body[2]).toEqual({
        id: ids[2],
        recipient: '2348030000001',
        status: 1,
        status_desc: 'SENT',
        created_datetime: expect.any(String),
      })
    }
  })

  test.each(['recipient', 'phone', 'to'])('by %s in a JSON body', async (name) => {
    const { status, body } = await getWithBody('/otp/get-by-recipient', JSON.stringify({ [name]: '08030000001' }))
    expect(status).toBe(200)
    expect((body as Otp[]).map(({ id }) => id)).toEqual(ids)
  })

  test('returns an empty list if there is none, also for another organisation', async () => {
    expect((await service.call('GET', '/otp/get-by-recipient?recipient=08039999999')).body).toEqual([])
    const stranger = await service.organisation()
    expect((await stranger.call('GET', '/otp/get-by-recipient?recipient=08030000001')).body).toEqual([])
    expect((await stranger.call('GET', '/otp/get-by-recipient/08030000001')).body).toEqual([])
  })

  test('responds with 400 if the number is missing or invalid, with the given field name', async () => {
    const missing = await service.call<Otp>('GET', '/otp/get-by-recipient')
    expect(missing.status).toBe(400)
    expect(faults(missing.body)).toEqual(['recipient missing'])
    const wrong = await service.call<Otp>('GET', '/otp/get-by-recipient?phone=nonsense')
    expect(wrong.status).toBe(400)
    expect(faults(wrong.body)).toEqual(['phone phone_invalid'])
    const numeric = await getWithBody('/otp/get-by-recipient', '{"to":2348030000001}')
    expect(numeric.status).toBe(400)
    expect(faults(numeric.body as Otp)).toEqual(['to string_type'])
    const broken = await getWithBody('/otp/get-by-recipient', '{"to":')
    expect(faults(broken.body as Otp)).toEqual(['body json_invalid'])
  })

  test('responds with 401, 403 and 405', async () => {
    const path = '/otp/get-by-recipient?recipient=08030000001'
    expect((await service.call('GET', path, undefined, { authorization: 'x' })).status).toBe(401)
    expect((await (await service.organisation({ scopes: ['sms'] })).call('GET', path)).status).toBe(403)
    expect((await service.call('POST', path, {})).status).toBe(405)
  })
})
