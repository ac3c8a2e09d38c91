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
