import { createHmac } from 'node:crypto'
import { Webhook as Signer } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOOK_KINDS, type HookKind } from '../../src/hooks/schema.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const TO = '+2348031234567'

let service: TestService
let by: Organisation

beforeAll(async () => {
  service = await openService()
})
beforeEach(async () => {
  by = await service.organisation()
})
afterAll(() => service.close())

type Made = { name: string; secret: string; kind: HookKind }
type Answer = { status: number; body: Record<string, unknown>; text: string }

async function make(kind: HookKind, secret?: string, owner = by): Promise<Made> {
  const made = await owner.call<Made>('POST', '/hooks', { kind, ...(secret && { secret }) })
  expect(made.status).toBe(200)
  return made.body
}

async function post(name: string, body: string, headers: Record<string, string>, at = service.url): Promise<Answer> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
  const response = await fetch(`${at}/hooks/${name}`, init)
  const text = await response.text()
  return { status: response.status, body: JSON.parse(text) as Answer['body'], text }
}

/** As each of them proves who it is. */
function proof(kind: HookKind, secret: string, body: string, id = 'msg_1'): Record<string, string> {
  const now = new Date()
  if (kind === 'supabase') {
    const signature = new Signer(secret.replace('v1,', '')).sign(id, now, body)
    const timestamp = String(Math.floor(now.getTime() / 1_000))
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  }
  if (kind === 'zitadel') {
    const t = Math.floor(now.getTime() / 1_000)
    return { 'zitadel-signature': `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}` }
  }
  if (kind === 'keycloak' || kind === 'listmonk') {
    return { authorization: `Basic ${Buffer.from(`gangan:${secret}`).toString('base64')}` }
  }
  if (kind === 'novu') return { 'x-api-key': secret }
  return { authorization: kind === 'logto' ? secret : `Bearer ${secret}` }
}

/** Payloads as the documentation of each shows them. */
const PAYLOADS: Record<HookKind, object> = {
  supabase: {
    user: { id: '6481a5c1-3d37-4a56-9f6a-bee08c554965', aud: 'authenticated', phone: TO.slice(1), user_metadata: {} },
    sms: { otp: '561166' },
  },
  logto: { to: TO, type: 'SignIn', payload: { code: '561166' }, ip: '192.0.2.1' },
  authentik: { From: 'Shop', To: TO, Body: '561166', Message: 'Use this code to authenticate in authentik: 561166' },
  zitadel: {
    contextInfo: { eventType: 'session.otp.sms.challenged', recipientPhoneNumber: TO },
    templateData: { title: 'Verify', text: '561166 is your code for example.com', buttonText: 'Verify' },
    args: { code: '561166', userName: 'ada' },
  },
  kratos: { From: 'Shop', To: TO, Body: 'Your login code is: 561166' },
  keycloak: { to: TO, text: 'Your SMS code is 561166 and is valid for 5 minutes.', from: 'Shop' },
  fusionauth: { message: { type: 'SMS', phoneNumber: TO, textMessage: 'Two Factor Code: 561166' } },
  listmonk: {
    subject: 'News',
    body: '<p>Hello Ada &amp; all</p>',
    content_type: 'html',
    recipients: [
      { uuid: 'e44b4135', email: 'ada@example.com', name: 'Ada', attribs: { phone: TO }, status: 'enabled' },
    ],
    campaign: { uuid: '2e7e4b51', name: 'Test', tags: [] },
  },
  novu: { to: TO, content: 'Your order is ready', sender: 'Shop' },
}

const SHOWN: Record<HookKind, string> = {
  supabase: '561166 is your Gangan code, valid for 10 min. Do not share it.',
  logto: '561166 is your Gangan code, valid for 10 min. Do not share it.',
  authentik: 'Use this code to authenticate in authentik: 561166',
  zitadel: '561166 is your code for example.com',
  kratos: 'Your login code is: 561166',
  keycloak: 'Your SMS code is 561166 and is valid for 5 minutes.',
  fusionauth: 'Two Factor Code: 561166',
  listmonk: 'Hello Ada & all',
  novu: 'Your order is ready',
}

const SENT = { id: expect.stringMatching(/^[0-9a-f-]{36}$/), date: expect.stringMatching(/^\d{4}-/) }

async function phone(count: number, owner = by): Promise<string[]> {
  return until(`${count} texts`, async () => {
    const path = `/sandbox/messages?recipient=${encodeURIComponent(TO)}`
    const { body } = await owner.call<{ messages: { text: string }[] }>('GET', path)
    return body.messages.length >= count ? body.messages.map(({ text }) => text) : undefined
  })
}
const balanceOf = async (owner = by) => (await owner.call<{ balance: number }>('GET', '/balance')).body.balance

describe.each(HOOK_KINDS)('%s', (kind) => {
  const body = JSON.stringify(PAYLOADS[kind])

  test('sends what it asks for, and is charged once', async () => {
    const { name, secret } = await make(kind)
    const before = await balanceOf()
    const { status, body: answer } = await post(name, body, proof(kind, secret, body))
    expect(status).toBe(200)
    expect(answer).toEqual(kind === 'supabase' ? {} : SENT)
    expect(await phone(1)).toEqual([SHOWN[kind]])
    expect(await balanceOf()).toBe(before - 4)
    const { messages } = (await by.call<{ messages: { content: string }[] }>('GET', '/sms')).body
    expect(messages[0]?.content).not.toContain('561166')
  })

  test('who does not have the secret is refused, and nothing is sent', async () => {
    const { name, secret } = await make(kind)
    const stranger = await service.organisation()
    const other = await make(kind, undefined, stranger)
    const before = await balanceOf()
    expect((await post(name, body, {})).status).toBe(401)
    expect((await post(name, body, { authorization: by.key })).status).toBe(401)
    expect((await post(name, body, proof(kind, other.secret, body))).status).toBe(401)
    expect((await post(`${kind}-0123456789abcdef`, body, proof(kind, secret, body))).status).toBe(404)
    expect((await post('nonsense', body, proof(kind, secret, body))).status).toBe(404)
    expect((await stranger.call('DELETE', `/hooks/${name}`)).status).toBe(404)
    expect(await balanceOf()).toBe(before)
    expect((await by.call('DELETE', `/hooks/${name}`)).status).toBe(204)
    expect((await post(name, body, proof(kind, secret, body))).status).toBe(404)
  })

  test('what is misshapen is refused', async () => {
    const { name, secret } = await make(kind)
    for (const wrong of ['', '{', '[]', 'null', '{}', '{"to":"x"}', '['.repeat(1_000)]) {
      const { status, body: answer } = await post(name, wrong, proof(kind, secret, wrong))
      const { error } = answer as { error?: { http_code: number } }
      expect([400, 404]).toContain(kind === 'supabase' && status === 200 ? error?.http_code : status)
    }
    const large = `{"to":"${'x'.repeat(70_000)}"}`
    expect((await post(name, large, proof(kind, secret, large))).status).toBe(413)
  })
})

describe('a signature', () => {
  const body = JSON.stringify(PAYLOADS.supabase)

  test('is of this body and of now', async () => {
    const { name, secret } = await make('supabase')
    const good = proof('supabase', secret, body)
    expect((await post(name, body.replace('561166', '000000'), good)).status).toBe(401)
    const old = new Date(Date.now() - 3_600_000)
    const signature = new Signer(secret.replace('v1,', '')).sign('msg_1', old, body)
    const stale = {
      ...good,
      'webhook-timestamp': String(Math.floor(old.getTime() / 1_000)),
      'webhook-signature': signature,
    }
    expect((await post(name, body, stale)).status).toBe(401)
    expect((await post(name, body, { ...good, 'webhook-id': 'other' })).status).toBe(401)
  })

  test('of a post that comes twice sends once, also when both come together', async () => {
    const { name, secret } = await make('supabase')
    const before = await balanceOf()
    const posts = await Promise.all([1, 2, 3].map(() => post(name, body, proof('supabase', secret, body))))
    await post(name, body, proof('supabase', secret, body))
    expect(posts.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(await balanceOf()).toBe(before - 4)
    const other = body.replace('561166', '561167')
    expect((await post(name, other, proof('supabase', secret, other, 'msg_2'))).body).toEqual({})
    expect(await balanceOf()).toBe(before - 8)
  })

  test('of a post that Supabase repeats under another id sends once', async () => {
    const { name, secret } = await make('supabase')
    const before = await balanceOf()
    for (const id of ['msg_1', 'msg_2', 'msg_3']) {
      const { status, body: answer } = await post(name, body, proof('supabase', secret, body, id))
      expect([status, answer]).toEqual([200, {}])
    }
    expect(await balanceOf()).toBe(before - 4)
  })

  test.each([
    ['a blank', (own: string, other: string) => `${other} ${own}`],
    ['a comma and a blank, as Supabase writes them', (own: string, other: string) => `${own}, ${other}`],
    ['a comma and a blank, ours last', (own: string, other: string) => `${other}, ${own}`],
  ])('may be one of several with %s between them', async (_, join) => {
    const { name, secret } = await make('supabase')
    const signed = proof('supabase', secret, body)
    const other = proof('supabase', `v1,whsec_${Buffer.from('another secret of theirs').toString('base64')}`, body)
    const signatures = [signed, other].map((one) => one['webhook-signature'] ?? '')
    const headers = { ...signed, 'webhook-signature': join(signatures[0] ?? '', signatures[1] ?? '') }
    expect((await post(name, body, headers)).body).toEqual({})
    expect(
      (await post(name, body, { ...signed, 'webhook-signature': `${signatures[1]}, ${signatures[1]}` })).status,
    ).toBe(401)
  })

  test.each(['supabase', 'zitadel'] as const)(
    'of %s is not sent again when replayed, whatever its unsigned headers',
    async (kind) => {
      const { name, secret } = await make(kind)
      const before = await balanceOf()
      const recorded = JSON.stringify(PAYLOADS[kind])
      const headers = proof(kind, secret, recorded)
      const signature = headers['zitadel-signature'] ?? ''
      const [time = '', v1 = ''] = signature.split(',')
      const other = kind === 'zitadel' ? { 'webhook-id': 'msg_9' } : {}
      const posts = await Promise.all([
        post(name, recorded, headers),
        post(name, recorded, headers),
        post(name, recorded, { ...headers, 'idempotency-key': 'new' }),
        post(name, recorded, { ...headers, 'idempotency-key': 'newer', ...other }),
        post(name, recorded, { ...headers, 'zitadel-signature': `${v1},${time}` }),
        post(name, recorded, { ...headers, 'zitadel-signature': `${signature},v1=00` }),
      ])
      expect(posts.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
      expect(posts.filter(({ status }) => ![200, 409, 503].includes(status))).toEqual([])
      expect((await post(name, recorded, headers)).status).toBe(200)
      expect(await balanceOf()).toBe(before - 4)
      expect(await phone(1)).toHaveLength(1)
      // Another message is another post.
      const next = recorded.replaceAll('561166', '561167')
      expect((await post(name, next, proof(kind, secret, next, 'msg_2'))).status).toBe(200)
      expect(await balanceOf()).toBe(before - 8)
    },
  )

  test('counts a verification once', async () => {
    const live = await openService({ config: { sandbox: false } })
    try {
      for (const kind of ['supabase', 'zitadel'] as const) {
        const owner = await live.organisation()
        const { name, secret } = await make(kind, undefined, owner)
        const send = (path: string, text: string, id: string, more = {}) =>
          post(path, text, { ...proof(kind, secret, text, id), ...more }, live.url)
        for (const id of ['msg_1', 'msg_2']) {
          const sent = JSON.stringify(PAYLOADS[kind]).replaceAll('561166', `56116${id.slice(-1)}`)
          expect((await send(name, sent, id)).status).toBe(200)
        }
        const verified = JSON.stringify({ to: TO })
        const signed = proof(kind, secret, verified, 'msg_3')
        for (const key of ['a', 'b', 'c']) {
          const again = await send(`${name}/verified`, verified, 'msg_3', { ...signed, 'idempotency-key': key })
          expect(again.status).toBe(200)
        }
        const [counted] = await live.db<{ verified: number }[]>`
          select sum(verified)::integer as verified from otp_counters
          where organisation_id = ${owner.id} and kind = 'prefix'`
        expect(counted).toEqual({ verified: 1 })
      }
    } finally {
      await live.close()
    }
  })

  test('may be by a secret that the other side has made', async () => {
    const { name, secret } = await make('zitadel', 'a-signing-key-of-zitadel')
    expect(secret).toBe('a-signing-key-of-zitadel')
    const zitadel = JSON.stringify(PAYLOADS.zitadel)
    expect((await post(name, zitadel, proof('zitadel', secret, zitadel))).status).toBe(200)
  })
})

/** As supabase/auth writes them (`SendSMSInput`): since 2.180 with `sms.phone`, before that without. */
describe('Supabase', () => {
  const OLD = '2348039999999'
  const NEW = TO.slice(1)
  const FACTOR = { id: 'f1', status: 'verified', factor_type: 'phone', phone: NEW }
  const TOTP = { id: 'f2', status: 'verified', factor_type: 'totp', phone: null }
  const OTHER_FACTOR = { ...FACTOR, id: 'f3', phone: OLD }

  async function posted(payload: object, owner = by, at = service.url): Promise<Answer> {
    const { name, secret } = await make('supabase', undefined, owner)
    const body = JSON.stringify(payload)
    return post(name, body, proof('supabase', secret, body), at)
  }
  async function recipients(): Promise<string[]> {
    const { messages } = (await by.call<{ messages: { recipients: string[] }[] }>('GET', '/sms')).body
    return messages.flatMap(({ recipients: to }) => to)
  }

  test.each([
    ['a phone change', { user: { phone: OLD, new_phone: NEW }, sms: { otp: '561166', phone: NEW } }],
    ['a second factor', { user: { phone: OLD }, sms: { otp: '561166', sms_type: 'mfa', phone: `+${NEW}` } }],
    ['a confirmation during a change', { user: { phone: NEW, new_phone: OLD }, sms: { otp: '561166', phone: NEW } }],
    ['an old confirmation', { user: { phone: NEW }, sms: { otp: '561166' } }],
    ['an old first phone', { user: { phone: '', new_phone: NEW }, sms: { otp: '561166' } }],
    ['an old factor', { user: { phone: OLD, factors: [TOTP, FACTOR] }, sms: { otp: '561166', sms_type: 'mfa' } }],
  ])('the code of %s goes to the phone it was made for', async (_, payload) => {
    expect(await posted(payload)).toMatchObject({ status: 200, body: {} })
    expect(await recipients()).toEqual([NEW])
  })

  test.each([
    ['a change or a confirmation', { user: { phone: OLD, new_phone: NEW }, sms: { otp: '561166' } }],
    ['one of two factors', { user: { factors: [FACTOR, OTHER_FACTOR] }, sms: { otp: '561166', sms_type: 'mfa' } }],
    ['an unknown factor', { user: { phone: OLD }, sms: { otp: '561166', sms_type: 'mfa' } }],
  ])('a code that may be for %s is not sent', async (_, payload) => {
    const message = 'The body does not name one phone number, or has neither a code nor a text.'
    expect(await posted(payload)).toMatchObject({ status: 200, body: { error: { http_code: 400, message } } })
    expect(await recipients()).toEqual([])
  })

  test('shows a person why a code was not sent', async () => {
    const wrong = await posted({ user: { phone: '12' }, sms: { otp: '561166' } })
    const invalid = { http_code: 400, message: expect.stringMatching(/number/) }
    expect([wrong.status, wrong.body]).toEqual([200, { error: invalid }])
    const poor = await service.organisation({ credit: 3 })
    const unpaid = await posted(PAYLOADS.supabase, poor)
    const insufficient = { http_code: 402, message: 'The balance does not cover the charge.' }
    expect([unpaid.status, unpaid.body]).toEqual([200, { error: insufficient }])
  })

  test('shows a person that too many codes were sent', async () => {
    const live = await openService({ config: { sandbox: false } })
    try {
      const owner = await live.organisation()
      const { name, secret } = await make('supabase', undefined, owner)
      const answers: Answer[] = []
      for (let n = 0; n < 6; n += 1) {
        const body = JSON.stringify({ user: { phone: NEW }, sms: { otp: `56116${n}`, phone: NEW } })
        answers.push(await post(name, body, proof('supabase', secret, body), live.url))
      }
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200))
      expect(answers.slice(0, 5).map(({ body }) => body)).toEqual(Array.from({ length: 5 }, () => ({})))
      expect(answers[5]?.body).toEqual({ error: { http_code: 429, message: expect.stringMatching(/^Too many/) } })
    } finally {
      await live.close()
    }
  })
})

/** The two oldest OTPs of an organisation, and what is counted of them, as if they had been sent an earlier slot. */
async function asIfInTwoSlots(live: TestService, organisation_id: string): Promise<void> {
  await live.db`
    with moved as (
      update otps set counted_slot = counted_slot - interval '5 minutes'
      where id in (select id from otps where organisation_id = ${organisation_id} order by id limit 2)
      returning counted_slot as slot
    ),
    fewer as (
      update otp_counters set sent = sent - (select count(*) from moved where slot = otp_counters.slot - interval '5 minutes')
      where organisation_id = ${organisation_id} and kind = 'prefix'
      returning key
    )
    insert into otp_counters (organisation_id, kind, key, slot, sent)
    select ${organisation_id}, 'prefix', (select min(key) from fewer), slot, count(*) from moved group by slot
    on conflict (organisation_id, kind, key, slot) do update set sent = otp_counters.sent + excluded.sent`
}

describe('hooks', () => {
  test('are listed without their secrets, and limited in number', async () => {
    const { name, secret } = await make('logto')
    const list = await by.call<{ hooks: object[] }>('GET', '/hooks')
    expect(list.body.hooks).toEqual([{ name, kind: 'logto', created_datetime: expect.any(String) }])
    expect(list.text).not.toContain(secret)
    expect((await by.call('POST', '/hooks', { kind: 'klingon', secret: 'short' })).status).toBe(400)
    const [stored] = await service.db<{ secret: string }[]>`select secret from hooks where name = ${name}`
    expect(stored?.secret).toMatch(/^sealed:/)
    for (let n = 1; n < 50; n += 1) await make('logto')
    expect((await by.call('POST', '/hooks', { kind: 'logto' })).status).toBe(400)
  })

  test('a form is as good as JSON', async () => {
    const { name, secret } = await make('keycloak')
    const form = new URLSearchParams({ to: TO, text: 'Your code is 561166' }).toString()
    const headers = { ...proof('keycloak', secret, form), 'content-type': 'application/x-www-form-urlencoded' }
    expect((await post(name, form, headers)).status).toBe(200)
    expect(await phone(1)).toEqual(['Your code is 561166'])
  })

  test('in live mode the limits of a number apply, and reported successes count for the guard', async () => {
    const live = await openService({ config: { sandbox: false } })
    try {
      const owner = await live.organisation()
      const { name, secret } = await make('logto', undefined, owner)
      const body = JSON.stringify(PAYLOADS.logto)
      const headers = proof('logto', secret, body)
      const statuses: number[] = []
      for (let n = 0; n < 6; n += 1) statuses.push((await post(name, body, headers, live.url)).status)
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
      await asIfInTwoSlots(live, owner.id)
      const report = () => post(`${name}/verified`, JSON.stringify({ to: TO }), headers, live.url)
      for (let n = 0; n < 7; n += 1) expect((await report()).status).toBe(200)
      const [counted] = await live.db<{ sent: number; verified: number }[]>`
        select sum(sent)::integer as sent, sum(verified)::integer as verified from otp_counters
        where organisation_id = ${owner.id} and kind = 'prefix'`
      expect(counted).toEqual({ sent: 5, verified: 5 })
      expect((await post(`${name}/verified`, '{"to":"x"}', headers, live.url)).status).toBe(400)
      expect((await post(`${name}/verified`, JSON.stringify({ to: TO }), {}, live.url)).status).toBe(401)
    } finally {
      await live.close()
    }
  })
})
