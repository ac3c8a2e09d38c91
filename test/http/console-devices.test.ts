import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND_LINE } from '../../src/users/audit.ts'
import { inviteAgain } from '../../src/users/invite.ts'
import { totpCode } from '../../src/users/login/totp.ts'
import { openService, type Answer, type TestService } from '../support/service.ts'
import { PASSWORD, person, post, type Person } from '../support/person.ts'

const RESET = { may_reset: true, role: 'operator' } as const

let service: TestService

beforeAll(async () => {
  // Behind a trusted proxy, a test can use any client address.
  service = await openService({ workers: false, settings: { console: { trusted_proxies: ['127.0.0.0/8'] } } })
})
afterAll(() => service.close())
afterEach(async () => {
  await service.db`delete from login_tries`
})

type Wish = { password?: string; from?: string; device?: string | undefined; code?: string }

const login = (email: string, { password = PASSWORD, from = '198.51.100.1', device, code }: Wish = {}) =>
  post(service, '/console/api/login', code === undefined ? { email, password } : { email, password, code }, {
    'x-forwarded-for': from,
    ...(device === undefined ? {} : { cookie: `other=1; ${device}` }),
  })

/** Stores ten failed attempts, without the time it takes to check passwords. */
async function exhaust(email: string, wish: Wish = {}): Promise<void> {
  expect(await guess(email, 1, wish)).toEqual([401])
  await service.db`
    update login_tries set tries = greatest(tries, 10)
    where until_datetime between now() and now() + interval '16 minutes'`
  expect(await guess(email, 1, wish)).toEqual([429])
}

/** Tries wrong passwords one after the other, and returns the statuses. */
async function guess(email: string, times: number, wish: Wish & { sources?: (n: number) => string } = {}) {
  const statuses: number[] = []
  for (let n = 0; n < times; n += 1) {
    const from = wish.sources?.(n) ?? wish.from
    statuses.push((await login(email, { password: 'wrong', ...wish, ...(from ? { from } : {}) })).status)
  }
  return statuses
}

const cookieOf = ({ headers }: Answer<unknown>, name: string) =>
  headers
    .getSetCookie()
    .find((one) => one.startsWith(`${name}=`))
    ?.split(';')[0]

async function deviceOf(who: Person, wish: Wish = {}): Promise<string> {
  const answer = await login(who.email, wish)
  expect(answer.status).toBe(200)
  return cookieOf(answer, 'gangan_device') ?? ''
}

describe('strangers', () => {
  test('who guess from one address lock out only that address', async () => {
    const { email } = await person(service, service.id)
    expect(await guess(email, 12, { from: '203.0.113.9' })).toEqual([...Array<number>(10).fill(401), 429, 429])
    expect((await login(email, { from: '203.0.113.9' })).status).toBe(429)
    expect((await login(email, { from: '198.51.100.7' })).status).toBe(200)
  })

  test('who have a whole IPv6 network count as one address', async () => {
    const { email } = await person(service, service.id)
    await exhaust(email, { from: '2001:db8:0:1::1' })
    expect((await login(email, { from: '2001:db8:0:1:ffff::2' })).status).toBe(429)
    expect((await login(email, { from: '2001:db8:0:2::1' })).status).toBe(200)
  })

  test('who guess from many addresses are slowed down, and a known device still signs in', async () => {
    const ada = await person(service, service.id)
    const device = await deviceOf(ada)
    await guess(ada.email, 2, { sources: (n) => `198.18.0.${n}` })
    await service.db`update login_tries set tries = tries + 98 where tries = 2` // Of all sources together.
    expect((await login(ada.email, { from: '192.0.2.1' })).status).toBe(429)
    expect((await login(ada.email, { from: '192.0.2.1', device })).status).toBe(200)
  })

  test('who reach the limit of an address do not lock out the known devices behind it', async () => {
    const ada = await person(service, service.id)
    const device = await deviceOf(ada)
    await service.db`delete from login_tries`
    await guess('nobody@example.com', 1)
    await service.db`update login_tries set tries = 49 where until_datetime < now() + interval '11 minutes'`
    expect(await guess('nobody-else@example.com', 2)).toEqual([401, 429])
    expect((await login(ada.email)).status).toBe(429)
    expect((await login(ada.email, { device })).status).toBe(200)
  })

  test('cannot lock out an account by names that resemble the keys of its counters', async () => {
    const { email } = await person(service, service.id)
    for (const spelling of [`${email} from 192.0.2.4`, `${email}","192.0.2.4`, `account ${email}`]) {
      await exhaust(spelling, { from: '203.0.113.20' })
    }
    expect((await login(email, { from: '192.0.2.4' })).status).toBe(200)
  })

  test('do not prevent a logged-in user from changing the password', async () => {
    const ada = await person(service, service.id)
    await exhaust(ada.email, { from: '127.0.0.1' })
    const body = { current_password: PASSWORD, password: 'another good one' }
    expect((await ada.call('POST', '/console/api/me/password', body)).status).toBe(200)
  })

  test('with the right password can try only a few codes of the second factor', async () => {
    const { email } = await withSecondFactor()
    const wrong = (n: number) => login(email, { code: '000000', from: `198.18.1.${n}` })
    expect((await wrong(0)).status).toBe(401)
    const codes = await service.db`update login_tries set tries = 30 where until_datetime > now() + interval '2 hours'`
    expect(codes.count).toBe(1)
    expect((await wrong(1)).status).toBe(429)
  })
})

describe('a known device', () => {
  test('has a cookie that scripts cannot read, and of which only a hash is stored', async () => {
    const ada = await person(service, service.id)
    const answer = await login(ada.email)
    const cookies = answer.headers.getSetCookie()
    expect(cookies).toHaveLength(2)
    expect(cookies[1]).toMatch(/^gangan_device=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/)
    const token = cookieOf(answer, 'gangan_device')?.slice('gangan_device='.length) ?? ''
    const [found] = await service.db<{ found: boolean }[]>`
      select exists (select 1 from user_devices d where d::text like ${`%${token}%`}) as found`
    expect(found?.found).toBe(false)
    expect((await service.db`select 1 from user_devices where user_id = ${ada.id}`).count).toBe(2)
  })

  test('keeps its cookie when it signs in again, also as another user', async () => {
    const [ada, ben] = [await person(service, service.id), await person(service, service.id)]
    const device = await deviceOf(ada)
    expect(await deviceOf(ada, { device })).toBe(device)
    expect(await deviceOf(ben, { device })).toBe(device)
    await exhaust(ada.email, { from: '192.0.2.20' })
    await exhaust(ben.email, { from: '192.0.2.20' })
    for (const wish of [{ from: '192.0.2.20' }, { from: '192.0.2.20', device }]) {
      expect((await login(ada.email, wish)).status).toBe('device' in wish ? 200 : 429)
    }
    expect((await login(ben.email, { from: '192.0.2.20', device })).status).toBe(200)
  })

  test('gets a new cookie instead of a planted one', async () => {
    const ada = await person(service, service.id)
    const planted = `gangan_device=${'a'.repeat(43)}`
    expect(await deviceOf(ada, { device: planted })).not.toBe(planted)
    expect((await login(ada.email, { device: `gangan_device=${'a'.repeat(5000)}` })).status).toBe(200)
  })

  test('of another user counts as unknown', async () => {
    const [ada, eve] = [await person(service, service.id), await person(service, service.id)]
    const device = await deviceOf(eve)
    await exhaust(ada.email, { device })
    expect((await login(ada.email, { device })).status).toBe(429)
  })

  test('that was stolen guesses no faster than an unknown device, and only for a limited time', async () => {
    const ada = await person(service, service.id)
    const device = await deviceOf(ada)
    const spread = (n: number) => `198.18.2.${n}`
    expect((await guess(ada.email, 11, { device, sources: spread })).filter((one) => one === 401)).toHaveLength(10)
    // The owner's own device is not affected.
    expect((await login(ada.email, { from: '192.0.2.30' })).status).toBe(200)
    // After a number of windows it counts as an unknown device.
    await service.db`update login_tries set tries = 100 where until_datetime > now() + interval '100 days'`
    await service.db`update login_tries set until_datetime = now() where until_datetime < now() + interval '1 day'`
    await exhaust(ada.email, { from: '192.0.2.31' })
    expect((await login(ada.email, { from: '192.0.2.31', device })).status).toBe(429)
  })

  test('that was stolen can try no more codes of the second factor than an unknown device', async () => {
    const { email, device } = await withSecondFactor()
    const wrong = (n: number) => login(email, { device, code: '000000', from: `198.18.3.${n}` })
    expect((await wrong(0)).status).toBe(401)
    await service.db`update login_tries set tries = 100 where until_datetime > now() + interval '100 days'`
    expect((await wrong(1)).status).toBe(401)
    const codes = await service.db`
      update login_tries set tries = 30
      where until_datetime between now() + interval '2 hours' and now() + interval '2 days'`
    expect(codes.count).toBe(1)
    expect((await wrong(2)).status).toBe(429)
  })

  test('has its failed attempts cleared when it signs in', async () => {
    const ada = await person(service, service.id)
    const device = await deviceOf(ada)
    await service.db`delete from login_tries`
    expect(await guess(ada.email, 1, { device })).toEqual([401])
    await service.db`update login_tries set tries = 9`
    expect((await login(ada.email, { device })).status).toBe(200)
    expect((await service.db`select 1 from login_tries`).count).toBe(0)
  })

  test('is forgotten when the password changes', async () => {
    const ada = await person(service, service.id)
    const device = await deviceOf(ada)
    const body = { current_password: PASSWORD, password: 'another good one' }
    const cookie = `${ada.cookie}; ${device}`
    const changed = await ada.call('POST', '/console/api/me/password', body, { cookie })
    expect(cookieOf(changed, 'gangan_device')).toMatch(/^gangan_device=[\w-]{43}$/)
    expect(cookieOf(changed, 'gangan_device')).not.toBe(device)
    await expectForgotten(ada, device, 'another good one')
  })

  test('is forgotten by a reset', async () => {
    const ada = await person(service, service.id)
    const device = await deviceOf(ada)
    const { token } = await inviteAgain(service, COMMAND_LINE, service.id, ada.id, RESET)
    const answer = await post(service, '/console/api/welcome', { token, password: PASSWORD }, { cookie: device })
    expect(cookieOf(answer, 'gangan_device')).not.toBe(device)
    await expectForgotten(ada, device, PASSWORD)
  })

  test('is forgotten when the user is disabled', async () => {
    const ada = await person(service, service.id)
    const device = await deviceOf(ada)
    const operator = await person(service, null, service.id)
    for (const disabled of [true, false]) {
      expect((await operator.call('PATCH', `/console/api/users/${ada.id}`, { disabled })).status).toBe(200)
    }
    await expectForgotten(ada, device, PASSWORD)
  })

  test('is limited to twenty per user, and forgotten when it is not used for long', async () => {
    const ada = await person(service, service.id)
    const device = await deviceOf(ada)
    await service.db`
      insert into user_devices (user_id, token_hash)
      select ${ada.id}, sha256(n::text::bytea) from generate_series(1, 30) n`
    await deviceOf(ada)
    expect((await service.db`select 1 from user_devices where user_id = ${ada.id}`).count).toBe(20)
    const again = await deviceOf(ada, { device })
    await service.db`update user_devices set seen_datetime = now() - interval '181 days' where user_id = ${ada.id}`
    await exhaust(ada.email)
    expect((await login(ada.email, { device: again })).status).toBe(429)
  })

  test('has its attempts of the second factor limited like passwords', async () => {
    const { email, device, code } = await withSecondFactor()
    await exhaust(email)
    expect((await login(email, { device, code: '000000' })).status).toBe(401)
    expect((await login(email, { device, code: code() })).status).toBe(200)
    expect((await login(email, { device, code: '000000' })).status).toBe(401)
    await service.db`update login_tries set tries = 10`
    expect((await login(email, { device, code: '000000' })).status).toBe(429)
  })
})

async function expectForgotten({ email }: Person, device: string, password: string): Promise<void> {
  await exhaust(email, { from: '192.0.2.40' })
  expect((await login(email, { from: '192.0.2.40', device, password })).status).toBe(429)
  expect((await login(email, { from: '192.0.2.41', password })).status).toBe(200)
}

/** A user with an authenticator and a known device. */
async function withSecondFactor(): Promise<{ email: string; device: string; code: () => string }> {
  const ada = await person(service, service.id)
  const device = await deviceOf(ada)
  const { body } = await ada.call<{ secret: string }>('POST', '/console/api/me/totp', { password: PASSWORD })
  const secret = decode(body.secret)
  const step = Math.floor(Date.now() / 30_000)
  await ada.call('POST', '/console/api/me/totp/confirm', { code: totpCode(secret, step) })
  return { email: ada.email, device, code: () => totpCode(secret, step + 1) }
}

function decode(text: string): Buffer {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = Array.from(text, (letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

describe('an unconfigured proxy', () => {
  type SessionBody = { notices?: { key: string; message: string }[] }
  const warnings = (place: TestService) =>
    place.log_lines.filter(({ sentence }) => sentence.includes('trusted_proxies'))

  test.each([
    ['x-forwarded-for', '203.0.113.7'],
    ['forwarded', 'for=203.0.113.7;proto=https'],
  ])('is reported to the operator by %s, and once in the log', async (header, value) => {
    const place = await openService({ workers: false })
    const operator = await person(place, null)
    const user = await person(place, place.id)
    const session = (who: Person, headers = {}) =>
      who.call<SessionBody>('GET', '/console/api/session', undefined, headers)
    expect((await session(operator)).body.notices).toEqual([])
    expect(warnings(place)).toEqual([])
    for (let n = 0; n < 3; n += 1) {
      const { body } = await session(operator, { [header]: value })
      expect(body.notices).toMatchObject([{ key: 'console.trusted_proxies' }])
      expect(body.notices?.[0]?.message).toContain('127.0.0.1')
    }
    expect((await session(user, { [header]: value })).body.notices).toEqual([])
    expect(warnings(place)).toMatchObject([{ level: 'warn' }])
    await place.close()
  })

  test('is not reported while it is trusted, and reported again for another address', async () => {
    const forwarded = { 'x-forwarded-for': '203.0.113.7' }
    const operator = await person(service, null)
    const right = await operator.call<SessionBody>('GET', '/console/api/session', undefined, forwarded)
    expect(right.body.notices).toEqual([])
    expect(warnings(service)).toEqual([])
    const place = await openService({ workers: false, settings: { console: { trusted_proxies: ['10.0.0.1'] } } })
    const wrong = await (
      await person(place, null)
    ).call<SessionBody>('GET', '/console/api/session', undefined, forwarded)
    expect(wrong.body.notices).toMatchObject([{ key: 'console.trusted_proxies' }])
    expect(warnings(place)).toHaveLength(1)
    await place.close()
  })
})
