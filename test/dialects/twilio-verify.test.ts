import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { clientOf, loginOf, type Login } from './twilio-setup.ts'

const TO = '+2348031234567'
const SERVICE = `VA${'a'.repeat(32)}`

let service: TestService
let by: Organisation
let login: Login
let client: ReturnType<typeof clientOf>

beforeAll(async () => {
  service = await openService()
})
beforeEach(async () => {
  by = await service.organisation()
  login = await loginOf(service, by)
  client = clientOf(service, login.account_sid, login.auth_token)
})
afterAll(() => service.close())

const verify = () => client.verify.v2.services(SERVICE)

async function codeOf(deed: () => Promise<unknown>): Promise<string> {
  try {
    await deed()
  } catch (fault) {
    const { status, code } = fault as { status?: number; code?: number }
    return `${status} ${code}`
  }
  return 'done'
}

/** The code that the handset shows. */
async function shownCode(): Promise<string> {
  return until('a code', async () => {
    const path = `/sandbox/messages?recipient=${encodeURIComponent(TO)}`
    const { body } = await by.call<{ messages: { text: string }[] }>('GET', path)
    return /^\d{6}/.exec(body.messages[0]?.text ?? '')?.[0]
  })
}

describe('Verify', () => {
  test('sends a code of six digits and approves it once', async () => {
    const started = await verify().verifications.create({ to: TO, channel: 'sms' })
    expect(started).toMatchObject({ to: TO, channel: 'sms', status: 'pending', valid: false, serviceSid: SERVICE })
    expect(started.sid).toMatch(/^VE[0-9a-f]{32}$/)
    const code = await shownCode()
    const wrong = code === '000000' ? '000001' : '000000'
    expect(await verify().verificationChecks.create({ to: TO, code: wrong })).toMatchObject({
      status: 'pending',
      valid: false,
    })
    const checked = await verify().verificationChecks.create({ to: TO, code })
    expect(checked).toMatchObject({ sid: started.sid, status: 'approved', valid: true })
    expect(await codeOf(() => verify().verificationChecks.create({ to: TO, code }))).toBe('404 20404')
    expect((await verify().verifications(started.sid).fetch()).status).toBe('approved')
  })

  test('checks by SID with a code of the caller, and five wrong ones end it', async () => {
    const { sid } = await verify().verifications.create({ to: TO, channel: 'sms', customCode: '482913' })
    const check = (code: string) => verify().verificationChecks.create({ verificationSid: sid, code })
    for (let n = 0; n < 5; n += 1) expect((await check('000000')).valid).toBe(false)
    expect(await codeOf(() => check('482913'))).toBe('429 60202')
    expect((await verify().verifications(sid).fetch()).status).toBe('failed')
  })

  test('cancels', async () => {
    const { sid } = await verify().verifications.create({ to: TO, channel: 'sms', customCode: '482913' })
    expect((await verify().verifications(sid).update({ status: 'canceled' })).status).toBe('canceled')
    const check = () => verify().verificationChecks.create({ verificationSid: sid, code: '482913' })
    expect(await codeOf(check)).toBe('404 20404')
  })

  test('sends again under the same SID, and each of its codes is valid, once', async () => {
    const balance = async () => (await by.call<{ balance: number }>('GET', '/balance')).body.balance
    const before = await balance()
    const send = (customCode: string) => verify().verifications.create({ to: TO, channel: 'sms', customCode })
    const first = await send('111111')
    const second = await send('222222')
    expect(second.sid).toBe(first.sid)
    expect(second.sendCodeAttempts).toHaveLength(2)
    expect((await send('333333')).sendCodeAttempts).toHaveLength(3)
    expect(await balance()).toBe(before - 12)
    const check = (code: string) => verify().verificationChecks.create({ to: TO, code })
    expect(await check('000000')).toMatchObject({ sid: first.sid, valid: false })
    expect(await check('111111')).toMatchObject({ sid: first.sid, status: 'approved', valid: true })
    for (const code of ['111111', '222222', '333333']) expect(await codeOf(() => check(code))).toBe('404 20404')
    const by_sid = (code: string) => verify().verificationChecks.create({ verificationSid: first.sid, code })
    expect(await codeOf(() => by_sid('333333'))).toBe('404 20404')
    expect(await verify().verifications(first.sid).fetch()).toMatchObject({ status: 'approved', valid: true })
    expect((await send('444444')).sid).not.toBe(first.sid)
  })

  test('several sent at the same time are one verification, and of several checks one approves it', async () => {
    const codes = ['111111', '222222', '333333', '444444', '555555']
    const sent = await Promise.all(
      codes.map((customCode) => verify().verifications.create({ to: TO, channel: 'sms', customCode })),
    )
    expect(new Set(sent.map(({ sid }) => sid)).size).toBe(1)
    const [{ sid } = { sid: '' }] = sent
    const check = (code: string) =>
      verify()
        .verificationChecks.create({ verificationSid: sid, code })
        .then(({ status }) => status)
        .catch(({ code: number }: { code: number }) => number)
    const outcomes = await Promise.all(codes.map(check))
    expect(outcomes.filter((outcome) => outcome === 'approved')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 20404)).toHaveLength(4)
    const open = await service.db`select 1 from otps where organisation_id = ${by.id} and status = 1`
    expect(open).toHaveLength(0)
  })

  test('wrong codes are counted over all that were sent, through our own API, too', async () => {
    const send = (customCode: string) => verify().verifications.create({ to: TO, channel: 'sms', customCode })
    const { sid } = await send('111111')
    const check = (code: string) => verify().verificationChecks.create({ verificationSid: sid, code })
    for (let n = 0; n < 2; n += 1) expect((await check('000000')).valid).toBe(false)
    await send('222222')
    const otps = await by.call<{ otps?: { id: string }[] }>('GET', `/otp/get-by-recipient?recipient=${TO.slice(1)}`)
    const ids = JSON.stringify(otps.body).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []
    expect(new Set(ids).size).toBe(2)
    for (const id of new Set(ids))
      expect((await by.call('POST', '/otp/verify', { id, token: '000000' })).status).toBe(404)
    expect((await check('000000')).valid).toBe(false)
    expect(await codeOf(() => check('222222'))).toBe('429 60202')
    expect((await verify().verifications(sid).fetch()).status).toBe('failed')
  })

  test('is of its service: another one is asked for another code', async () => {
    const { sid } = await verify().verifications.create({ to: TO, channel: 'sms', customCode: '111111' })
    const other = client.verify.v2.services(`VA${'b'.repeat(32)}`)
    const theirs = await other.verifications.create({ to: TO, channel: 'whatsapp', customCode: '222222' })
    expect(theirs.sid).not.toBe(sid)
    expect(await codeOf(() => other.verifications(sid).fetch())).toBe('404 20404')
    expect((await other.verificationChecks.create({ to: TO, code: '111111' })).valid).toBe(false)
    expect((await other.verificationChecks.create({ to: TO, code: '222222' })).valid).toBe(true)
    expect(await other.verifications(theirs.sid).fetch()).toMatchObject({ channel: 'whatsapp' })
    expect((await verify().verificationChecks.create({ to: TO, code: '111111' })).valid).toBe(true)
  })

  test('is approved or canceled by the caller, with all its codes, while it is pending', async () => {
    const send = (customCode: string) => verify().verifications.create({ to: TO, channel: 'sms', customCode })
    for (const status of ['approved', 'canceled'] as const) {
      const { sid } = await send('111111')
      await send('222222')
      expect(await verify().verifications(sid).update({ status })).toMatchObject({ sid, status })
      expect(await codeOf(() => verify().verifications(sid).update({ status }))).toBe('404 20404')
      for (const code of ['111111', '222222']) {
        const check = () => verify().verificationChecks.create({ verificationSid: sid, code })
        expect(await codeOf(check)).toBe('404 20404')
      }
    }
    const { sid } = await send('333333')
    const update = (status: string) =>
      codeOf(() =>
        verify()
          .verifications(sid)
          .update({ status: status as 'approved' }),
      )
    expect(await update('pending')).toBe('400 60200')
    const raced = await Promise.all([update('approved'), update('canceled'), update('approved')])
    expect(raced.filter((one) => one === 'done')).toHaveLength(1)
    const id = sid.slice(2).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
    const native = await by.call('DELETE', `/otp/${id}`)
    expect([204, 409]).toContain(native.status)
  })

  test('a retried request is answered as it was the first time', async () => {
    const post = async () => {
      const answer = await fetch(`${service.url}/v2/Services/${SERVICE}/Verifications`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${btoa(`${login.account_sid}:${login.auth_token}`)}`,
          'idempotency-key': 'start-1',
        },
        body: new URLSearchParams({ To: TO, Channel: 'sms', CustomCode: '111111' }),
      })
      return answer.text()
    }
    const first = await post()
    await verify().verifications.create({ to: TO, channel: 'sms', customCode: '222222' })
    await verify().verificationChecks.create({ to: TO, code: '222222' })
    expect(await post()).toBe(first)
  })

  test('a test number is verified by its fixed code however often it is asked for', async () => {
    const settings = { test_numbers: [{ recipient: TO, token: '482913' }] }
    expect((await by.call('PATCH', '/otp/settings', settings)).status).toBe(200)
    const sids = new Set<string>()
    for (let n = 0; n < 3; n += 1) sids.add((await verify().verifications.create({ to: TO, channel: 'sms' })).sid)
    expect(sids.size).toBe(1)
    expect((await verify().verificationChecks.create({ to: TO, code: '482913' })).valid).toBe(true)
  })

  test('faults have the numbers of Twilio', async () => {
    const start = (wish: object, sid = SERVICE) =>
      codeOf(() => client.verify.v2.services(sid).verifications.create({ to: TO, channel: 'sms', ...wish }))
    expect(await start({ to: 'nobody' })).toBe('400 60200')
    expect(await start({ channel: 'call' })).toBe('400 60200')
    expect(await start({ customCode: '1' })).toBe('400 60200')
    expect(await start({}, 'VAnonsense')).toBe('404 20404')
    expect(await codeOf(() => verify().verificationChecks.create({ to: TO, code: '1234' }))).toBe('404 20404')
    expect(await codeOf(() => verify().verificationChecks.create({ to: TO, code: '' }))).toBe('400 60200')
  })

  test('the limits on one number hold here, too', async () => {
    const live = await openService({ config: { sandbox: false } })
    try {
      const owner = await live.organisation()
      const { account_sid, auth_token } = await loginOf(live, owner)
      const live_client = clientOf(live, account_sid, auth_token)
      const start = () =>
        codeOf(() => live_client.verify.v2.services(SERVICE).verifications.create({ to: TO, channel: 'sms' }))
      const outcomes: string[] = []
      for (let n = 0; n < 6; n += 1) outcomes.push(await start())
      expect(outcomes).toEqual([...Array<string>(5).fill('done'), '429 60203'])
    } finally {
      await live.close()
    }
  })
})

describe('Lookup', () => {
  test('says whether it is a number, and whose', async () => {
    const plain = await client.lookups.v2.phoneNumbers(TO).fetch()
    expect(plain).toMatchObject({
      phoneNumber: TO,
      countryCode: 'NG',
      callingCountryCode: '234',
      valid: true,
      validationErrors: [],
      lineTypeIntelligence: null,
    })
    const line = await client.lookups.v2.phoneNumbers(TO).fetch({ fields: 'line_type_intelligence' })
    expect(line.lineTypeIntelligence).toMatchObject({ carrierName: 'MTN', type: 'mobile' })
    const national = await client.lookups.v2.phoneNumbers('08031234567').fetch({ countryCode: 'NG' })
    expect(national.phoneNumber).toBe(TO)
  })

  test('v1 says the same in its own form', async () => {
    const plain = await client.lookups.v1.phoneNumbers(TO).fetch()
    expect(plain).toMatchObject({ phoneNumber: TO, countryCode: 'NG', nationalFormat: '08031234567', carrier: null })
    const before = (await by.call<{ balance: number }>('GET', '/balance')).body.balance
    const line = await client.lookups.v1.phoneNumbers('08031234567').fetch({ type: ['carrier'], countryCode: 'NG' })
    expect(line.carrier).toMatchObject({ name: 'MTN', type: 'mobile' })
    expect(line.phoneNumber).toBe(TO)
    expect((await by.call<{ balance: number }>('GET', '/balance')).body.balance).toBeLessThanOrEqual(before)
    expect(await codeOf(() => client.lookups.v1.phoneNumbers('nobody').fetch())).toBe('404 20404')
    expect(await codeOf(() => client.lookups.v1.phoneNumbers(TO).fetch({ type: ['caller-name'] }))).toBe('400 60600')
  })

  test('what is no number is not valid, and unknown fields are refused', async () => {
    expect(await client.lookups.v2.phoneNumbers('nobody').fetch()).toMatchObject({
      valid: false,
      validationErrors: ['NOT_A_NUMBER'],
    })
    const fetch = (wish: object) => codeOf(() => client.lookups.v2.phoneNumbers(TO).fetch(wish))
    expect(await fetch({ fields: 'sim_swap' })).toBe('400 60600')
    expect(await fetch({ countryCode: 'XX' })).toBe('400 60600')
  })
})
