import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'
import { faults, letTimePass, request, RIGHT, verify, type Otp } from '../support/otp.ts'

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

const fresh = async () => (await request(service)).body.id
const read = async (id: string) => (await service.call<Otp>('GET', `/otp/${id}`)).body

describe('the right token', () => {
  test('verifies once', async () => {
    const id = await fresh()
    const { status, body } = await verify(service, id)
    expect(status).toBe(200)
    expect(body).toEqual({
      id,
      recipient: '2348031234567',
      status: 4,
      status_desc: 'VERIFIED',
      created_datetime: expect.any(String),
      updated_datetime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
    })
    expect(await read(id)).toEqual(body)
    const again = await verify(service, id)
    expect(again.status).toBe(404)
    expect(again.body).toMatchObject({ status: 404, message: 'Token not found or expired' })
    expect(faults(again.body)).toEqual(['token used'])
    expect(await read(id)).toEqual(body)
  })

  test('verifies after four wrong ones, with surrounding blanks, and by an id in capitals', async () => {
    const id = await fresh()
    for (let tries = 1; tries <= 4; tries++)
      expect(faults((await verify(service, id, '0000')).body)).toEqual(['token invalid'])
    expect(await read(id)).not.toHaveProperty('updated_datetime')
    expect((await verify(service, id.toUpperCase(), ` ${RIGHT} `)).body.status).toBe(4)
  })

  test('keeps leading zeros and is case-sensitive', async () => {
    const { body } = await request(service, { token: '0012' })
    expect(faults((await verify(service, body.id, '12')).body)).toEqual(['token invalid'])
    expect((await verify(service, body.id, '0012')).status).toBe(200)
    const other = await request(service, { token: 'abcd' })
    expect((await verify(service, other.body.id, 'ABCD')).status).toBe(404)
  })

  test('of another OTP is wrong', async () => {
    const first = await request(service, { token: '111111' })
    const second = await request(service, { token: '222222' })
    expect(faults((await verify(service, first.body.id, '222222')).body)).toEqual(['token invalid'])
    expect((await verify(service, second.body.id, '222222')).status).toBe(200)
  })
})

describe('an OTP that cannot be verified', () => {
  test('is FAILED after five wrong attempts, whatever follows', async () => {
    const id = await fresh()
    for (let tries = 1; tries <= 5; tries++) {
      const { status, body } = await verify(service, id, '0000')
      expect(status).toBe(404)
      expect(faults(body)).toEqual(['token invalid'])
    }
    const right = await verify(service, id)
    expect(right.status).toBe(404)
    expect(faults(right.body)).toEqual(['token max_attempts'])
    expect(await read(id)).toMatchObject({ status: 3, status_desc: 'FAILED', updated_datetime: expect.any(String) })
  })

  test('is EXPIRED after its validity, without a write', async () => {
    const { body: otp } = await request(service, { expires_in: 1 })
    await letTimePass(service, otp.id, 0.9)
    expect(await read(otp.id)).toMatchObject({ status: 1 })
    await letTimePass(service, otp.id, 0.1)
    const record = await read(otp.id)
    expect(record).toMatchObject({ status: 2, status_desc: 'EXPIRED' })
    expect(Date.parse(record.updated_datetime ?? '') - Date.parse(record.created_datetime)).toBe(60_000)
    const late = await verify(service, otp.id)
    expect(late.status).toBe(404)
    expect(faults(late.body)).toEqual(['token expired'])
    const [row] = await service.db`select status, attempts from otps where id = ${otp.id}`
    expect(row).toEqual({ status: 1, attempts: 0 })
  })

  test('was revoked', async () => {
    const id = await fresh()
    await service.call('DELETE', `/otp/${id}`)
    expect(faults((await verify(service, id)).body)).toEqual(['token revoked'])
  })

  test('belongs to another organisation, or does not exist', async () => {
    const id = await fresh()
    const stranger = await service.organisation()
    const twin = await service.organisation({ of: service, mode: 'test' })
    for (const answer of [
      await verify(stranger, id),
      await verify(twin, id),
      await verify(service, '01890000-0000-7000-8000-000000000000'),
      await verify(service, 'nonsense'),
    ]) {
      expect(answer.status).toBe(404)
      expect(answer.body).toMatchObject({ status: 404, message: 'Token not found or expired' })
      expect(faults(answer.body)).toEqual(['id not_found'])
    }
    expect((await verify(service, id)).status).toBe(200)
  })
})

test.each([
  ['nothing', undefined, ['id missing', 'token missing']],
  ['no token', { id: 'x' }, ['token missing']],
  ['a numeric token', { id: 'x', token: 1234 }, ['token string_type']],
  ['a list', [], ['body dict_type']],
])('responds with 400 to %s', async (_, body, expected) => {
  const answer = await service.call<Otp>('POST', '/otp/verify', body)
  expect(answer.status).toBe(400)
  expect(faults(answer.body)).toEqual(expected)
})

test('responds with 401, 403, 405, 413 and 415', async () => {
  const body = { id: 'x', token: '1234' }
  const ask = (given: unknown, headers: Record<string, string>) => service.call('POST', '/otp/verify', given, headers)
  expect((await ask(body, { authorization: '' })).status).toBe(401)
  expect((await (await service.organisation({ scopes: ['sms'] })).call('POST', '/otp/verify', body)).status).toBe(403)
  expect((await service.call('GET', '/otp/verify')).status).toBe(405)
  expect((await ask({ ...body, x: 'x'.repeat(1024 * 1024) }, {})).status).toBe(413)
  expect((await ask('x=1', { 'content-type': 'text/plain' })).status).toBe(415)
})
