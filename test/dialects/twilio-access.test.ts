import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { clientOf, loginOf, type Login } from './twilio-setup.ts'

const TO = '+2348031234567'
const SERVICE = `VA${'a'.repeat(32)}`

let service: TestService
let owner: Organisation
let stranger: Organisation
let login: Login
let other: Login

beforeAll(async () => {
  service = await openService()
  owner = await service.organisation()
  stranger = await service.organisation()
  login = await loginOf(service, owner)
  other = await loginOf(service, stranger)
})
afterAll(() => service.close())

type Answer = { status: number; body: Record<string, unknown>; headers: Headers }

async function call(
  method: string,
  path: string,
  who: { user: string; password: string } | undefined,
  form?: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = typeof form === 'object' ? new URLSearchParams(form).toString() : form
  const response = await fetch(service.url + path, {
    method,
    headers: {
      ...(who && { authorization: `Basic ${Buffer.from(`${who.user}:${who.password}`).toString('base64')}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.status, body: (await response.json()) as Answer['body'], headers: response.headers }
}

/** Every route, with a request that is valid apart from its caller. */
async function routes(account: string): Promise<[string, string, Record<string, string>?][]> {
  const mine = clientOf(service, login.account_sid, login.auth_token)
  const sent = await mine.messages.create({ to: TO, from: 'Gangan', body: 'Mine' })
  const otp = await mine.verify.v2
    .services(SERVICE)
    .verifications.create({ to: TO, channel: 'sms', customCode: '482913' })
  return [
    ['GET', `/2010-04-01/Accounts/${account}/Messages/${sent.sid}.json`],
    ['POST', `/2010-04-01/Accounts/${account}/Messages/${sent.sid}.json`, { Status: 'canceled' }],
    ['POST', `/2010-04-01/Accounts/${account}/Messages/${sent.sid}.json`, { Body: '' }],
    ['DELETE', `/2010-04-01/Accounts/${account}/Messages/${sent.sid}.json`],
    ['GET', `/2010-04-01/Accounts/${account}/Messages/${sent.sid}/Media.json`],
    ['GET', `/v2/Services/${SERVICE}/Verifications/${otp.sid}`],
    ['POST', `/v2/Services/${SERVICE}/Verifications/${otp.sid}`, { Status: 'canceled' }],
    ['POST', `/v2/Services/${SERVICE}/Verifications/${otp.sid}`, { Status: 'approved' }],
    ['POST', `/v2/Services/${SERVICE}/VerificationCheck`, { VerificationSid: otp.sid, Code: '482913' }],
    ['POST', `/v2/Services/${SERVICE}/VerificationCheck`, { To: TO, Code: '482913' }],
  ]
}

describe('another organisation', () => {
  test('gets 404 on every route, with its token or its key, whatever account it names', async () => {
    const logins = [
      { user: other.account_sid, password: other.auth_token },
      { user: other.account_sid, password: stranger.key },
      { user: login.account_sid, password: stranger.key },
    ]
    for (const who of logins) {
      for (const [method, path, form] of await routes(who.user)) {
        const { status, body } = await call(method, path, who, form)
        expect(`${method} ${path} ${status} ${String(body.code)}`).toBe(`${method} ${path} 404 20404`)
      }
      const listed = await call('GET', `/2010-04-01/Accounts/${who.user}/Messages.json`, who)
      expect(listed.body.messages).toEqual([])
    }
  })

  test('is not let in with its token under the account of the first', async () => {
    const who = { user: login.account_sid, password: other.auth_token }
    const { status, body, headers } = await call('GET', `/2010-04-01/Accounts/${who.user}/Messages.json`, who)
    expect([status, body.code, headers.get('www-authenticate')]).toEqual([401, 20003, 'Basic realm="Gangan"'])
  })

  test('an account in the path is the one of the login', async () => {
    const who = { user: login.account_sid, password: login.auth_token }
    const path = `/2010-04-01/Accounts/${other.account_sid}/Messages.json`
    expect((await call('GET', path, who)).status).toBe(404)
    expect((await call('GET', path, { user: `SK${'0'.repeat(32)}`, password: owner.key })).status).toBe(200)
  })
})

describe('a login', () => {
  const path = () => `/2010-04-01/Accounts/${login.account_sid}/Messages.json`

  test('is a key under any account, or its auth token under its own', async () => {
    const any = `AC${'1'.repeat(32)}`
    const by_key = await call('GET', `/2010-04-01/Accounts/${any}/Messages.json`, { user: any, password: owner.key })
    expect(by_key.status).toBe(200)
    expect((await call('GET', path(), { user: login.account_sid, password: login.auth_token })).status).toBe(200)
  })

  test('that is none is refused before anything is read', async () => {
    const wrong: ({ user: string; password: string } | undefined)[] = [
      undefined,
      { user: '', password: '' },
      { user: login.account_sid, password: '' },
      { user: login.account_sid, password: '0'.repeat(32) },
      { user: login.account_sid, password: 'x'.repeat(600) },
      { user: login.key_id, password: login.auth_token },
      { user: 'AC%00', password: owner.key },
    ]
    for (const who of wrong) {
      const { status, body } = await call('POST', path(), who, { To: TO, From: 'Gangan', Body: 'x' })
      expect([status, body.code]).toEqual([401, 20003])
    }
    const bare = await call('GET', path(), undefined, undefined, { authorization: owner.key })
    expect(bare.status).toBe(401)
  })

  test('ends with the key it is made of', async () => {
    const ending = await service.organisation()
    const { account_sid, auth_token, key_id } = await loginOf(service, ending)
    const client = clientOf(service, account_sid, auth_token)
    expect(await client.messages.list()).toEqual([])
    await service.db`update api_keys set revoked_datetime = now() where id = ${key_id}`
    await expect.poll(() => client.messages.list().catch((fault: { code: number }) => fault.code)).toBe(20003)
  })

  test('opens what the scopes of its key open', async () => {
    const narrow = await service.organisation({ scopes: ['lookup'] })
    const { account_sid, auth_token } = await loginOf(service, narrow)
    const client = clientOf(service, account_sid, auth_token)
    expect((await client.lookups.v2.phoneNumbers(TO).fetch()).valid).toBe(true)
    const refused = { status: 403, code: 20003 }
    await expect(client.messages.list()).rejects.toMatchObject(refused)
    await expect(client.messages.create({ to: TO, from: 'Gangan', body: 'x' })).rejects.toMatchObject(refused)
    const verify = client.verify.v2.services(SERVICE)
    await expect(verify.verifications.create({ to: TO, channel: 'sms' })).rejects.toMatchObject(refused)
    await expect(client.balance.fetch()).rejects.toMatchObject(refused)
  })
})

describe('what is too large or no form', () => {
  const who = () => ({ user: login.account_sid, password: login.auth_token })
  const path = () => `/2010-04-01/Accounts/${login.account_sid}/Messages.json`

  test('is refused in Twilio’s words', async () => {
    const large = await call('POST', path(), who(), `Body=${'x'.repeat(300_000)}`)
    expect([large.status, large.body.code]).toEqual([413, 20001])
    const many = await call('POST', path(), who(), 'a=1&'.repeat(300))
    expect([many.status, many.body.code]).toEqual([400, 20001])
    const xml = await call('POST', path(), who(), '<a/>', { 'content-type': 'text/xml' })
    expect([xml.status, xml.body.code]).toEqual([415, 20001])
    const nul = await call('POST', path(), who(), { To: TO, From: 'Gangan', Body: 'a\u0000b' })
    expect([nul.status, nul.body.code]).toEqual([400, 21602])
    const token = await call('POST', path(), who(), { To: TO }, { 'i-twilio-idempotency-token': 'x'.repeat(300) })
    expect([token.status, token.body.code]).toEqual([400, 20001])
    const page = await call('GET', `${path()}?PageToken=1&PageSize=0`, who())
    expect([page.status, page.body.code]).toEqual([400, 20001])
  })
})
