import { createHmac } from 'node:crypto'
import { PHONE_PATH, signingKey } from '../../src/carriers/phone/tokens.ts'
import { pepperKeys } from '../../src/otp/pepper.ts'
import { tokenOf } from '../support/phone-api.ts'
import { PEPPER } from '../support/secret-seal.ts'
import type { Organisation } from '../support/service.ts'
import { largeRequests } from './large.ts'
import { largeForms, largeMultipart } from './large-forms.ts'
import type { Target } from './large-targets.ts'

/** Callers without a key: vendors, phones, identity providers, clients of compatible APIs. */
const AUTH_TOKEN = '0123456789abcdef0123456789abcdef'
const SECRET = 'a long word of the test'
const { phone_key } = pepperKeys(PEPPER)

export const POSTS_CONFIG = {
  carriers: [
    { kind: 'simulator', name: 'simulator' },
    { kind: 'http', name: 'twilio', preset: 'twilio', credentials: { account_sid: 'AC1', auth_token: AUTH_TOKEN } },
    {
      kind: 'http',
      name: 'vonage',
      preset: 'vonage',
      credentials: { api_key: 'a', api_secret: 'b', signature_secret: SECRET },
    },
    { kind: 'http', name: 'infobip', preset: 'infobip', credentials: { api_key: 'a', report_secret: SECRET } },
    {
      kind: 'whatsapp_cloud',
      name: 'whatsapp',
      phone_number_id: '106540352242922',
      waba_id: '102290129340398',
      access_token: 'token',
      app_secrets: [SECRET],
      verify_token: 'a word of the test',
    },
    { kind: 'phone', name: 'phones' },
  ],
  airtime: {
    vendors: [
      { kind: 'simulator', name: 'simulator' },
      { kind: 'africastalking', name: 'africastalking', username: 'a', api_key: 'b' },
      { kind: 'vtpass', name: 'vtpass', api_key: 'a', public_key: 'b', secret_key: 'c' },
    ],
  },
  sign_in: {
    providers: [
      { name: 'company', label: 'Company', issuer: 'http://127.0.0.1:9', client_id: 'gangan', existing_users: ['*'] },
    ],
  },
}

const KIB = 1_024
const hmac = (algorithm: string, text: string, key = SECRET) => createHmac(algorithm, key).update(text)

/** Vendors, phones and the identity provider, which post to a process with `POSTS_CONFIG`. */
export async function postTargets(url: string): Promise<Target[]> {
  const { id: phone, token } = await joinPhone(url)
  const now = String(Math.floor(Date.now() / 1_000))
  const twilio = {
    MessageSid: 'SM1',
    MessageStatus: 'delivered',
    From: '+2348031234567',
    To: '+2348051234567',
    Body: 'a',
  }
  const vonage = {
    messageId: '1',
    status: 'delivered',
    msisdn: '2348031234567',
    to: '1',
    text: 'a',
    sig: 'a',
    timestamp: now,
  }
  const infobip = {
    results: [{ messageId: '1', status: { groupName: 'DELIVERED' }, from: '2348031234567', text: 'a' }],
  }
  const news = {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '102290129340398',
        changes: [
          {
            field: 'messages',
            value: {
              metadata: { phone_number_id: '106540352242922' },
              statuses: [{ id: 'wamid.1', status: 'delivered', recipient_id: '2348031234567', timestamp: now }],
              messages: [{ id: 'wamid.2', from: '2348031234567', timestamp: now, type: 'text', text: { body: 'a' } }],
            },
          },
        ],
      },
    ],
  }
  const device = { name: 'Leaf', pushToken: 'a', simCards: [{ slotIndex: 0, simNumber: 1, carrierName: 'MTN' }] }
  const states = [
    { id: 'a', state: 'Sent', recipients: [{ phoneNumber: '+2348031234567', state: 'Sent' }], states: {} },
  ]
  const received = { event: 'sms:received', payload: { messageId: '1', message: 'a', phoneNumber: '2348031234567' } }
  const by_phone = { authorization: `Bearer ${token}` }
  const signedByPhone = (body: string) => ({
    'x-timestamp': now,
    'x-signature': hmac('sha256', body + now, signingKey(phone_key, phone)).digest('hex'),
  })
  const reports = (name: string): string => `/carriers/http/${name}/reports`
  const texts = (name: string): string => `/carriers/http/${name}/texts`
  const secret = `?secret=${encodeURIComponent(SECRET)}`
  return [
    ...[reports, texts].flatMap((path) => [
      json('POST', path('twilio'), twilio, 1_024 * KIB, { headers: { 'x-twilio-signature': 'none' } }),
      json('POST', path('twilio'), twilio, 1_024 * KIB, { label: 'unsigned' }),
      forms('POST', path('twilio'), twilio, 64 * KIB, { headers: { 'x-twilio-signature': 'none' } }),
      json('POST', path('vonage'), vonage, 1_024 * KIB),
      forms('POST', path('vonage'), vonage, 64 * KIB),
      json('POST', path('infobip') + secret, infobip, 1_024 * KIB),
    ]),
    json('POST', '/carriers/whatsapp/whatsapp', news, 4_096 * KIB, {
      sign: (body) => ({ 'x-hub-signature-256': `sha256=${hmac('sha256', body).digest('hex')}` }),
    }),
    json('POST', '/airtime/callbacks/africastalking', { requestId: 'a', status: 'Success' }, 64 * KIB),
    forms('POST', '/airtime/callbacks/africastalking', { requestId: 'a', status: 'Success' }, 64 * KIB),
    json('POST', '/airtime/callbacks/vtpass', { type: 'a', data: { requestId: 'a' } }, 64 * KIB),
    json('POST', `${PHONE_PATH}/device`, device, 256 * KIB, { headers: { authorization: 'Bearer none' } }),
    json('PATCH', `${PHONE_PATH}/device`, device, 256 * KIB, { headers: by_phone }),
    json('PATCH', `${PHONE_PATH}/message`, states, 256 * KIB, { headers: by_phone }),
    json('POST', `${PHONE_PATH}/webhooks/${phone}`, received, 256 * KIB, { sign: signedByPhone, label: 'signed' }),
    forms('POST', '/console/sign-in/company/logout', { logout_token: 'a.b.c' }, 64 * KIB, { may_be_away: true }),
  ]
}

/** Identity providers and clients of compatible APIs, with a hook or a key of the organisation. */
export async function dialectTargets(owner: Organisation): Promise<Target[]> {
  const basic = `Basic ${Buffer.from(`AC1:${owner.key}`).toString('base64')}`
  const headers = { authorization: basic }
  const message = { To: '+2348031234567', From: 'Gangan', Body: 'a', StatusCallback: 'https://a.example/' }
  const kannel = { username: 'a', password: owner.key, to: '2348031234567', from: 'Gangan', text: 'a', 'dlr-url': 'a' }
  const account = await owner.call<{ account_sid?: string }>('GET', '/settings')
  const sid = account.body.account_sid ?? 'AC1'
  const hooks: Target[] = []
  for (const kind of ['logto', 'novu']) {
    const { name, secret } = (await owner.call<{ name: string; secret: string }>('POST', '/hooks', { kind })).body
    const by_hook = { headers: { authorization: `Bearer ${secret}` }, label: kind }
    const payload = { to: '2348031234567', type: 'SignIn', payload: { code: '123456' }, content: 'a', sender: 'a' }
    hooks.push(json('POST', `/hooks/${name}`, payload, 64 * KIB, by_hook))
    hooks.push(forms('POST', `/hooks/${name}`, { to: '2348031234567', content: 'a' }, 64 * KIB, by_hook))
    hooks.push(json('POST', `/hooks/${name}/verified`, { to: '2348031234567' }, 64 * KIB, by_hook))
  }
  return [
    forms('POST', `/2010-04-01/Accounts/${sid}/Messages.json`, message, 256 * KIB, { headers }),
    forms('POST', '/v2/Services/VA1/Verifications', { To: '+2348031234567', Channel: 'sms' }, 256 * KIB, { headers }),
    forms('POST', '/v2/Services/VA1/VerificationCheck', { To: '+2348031234567', Code: '1' }, 256 * KIB, { headers }),
    forms('POST', '/cgi-bin/sendsms', kannel, 256 * KIB),
    ...hooks,
  ]
}

type More = Partial<Pick<Target, 'headers' | 'sign' | 'may_be_away'>> & { label?: string }

function json(method: string, path: string, good: object, bytes: number, more: More = {}): Target {
  return target(method, path, 'JSON', largeRequests(path, [], [good], undefined, bytes), more)
}

function forms(method: string, path: string, good: Record<string, string>, bytes: number, more: More = {}): Target {
  const line = [...largeForms(path, good, bytes), ...largeMultipart(path, good, bytes)]
  return target(method, path, 'form', line, more)
}

/** Ids are omitted from the name, so that runs can be compared. */
function target(method: string, path: string, what: string, line: Target['line'], { label, ...more }: More): Target {
  const plain = path.replace(/\?.*/, '').replace(/AC\w+|[\w-]{20,}/g, '…')
  return {
    name: `${method} ${plain} (${label ? `${label}, ` : ''}${what})`,
    method,
    headers: {},
    line,
    sent: 0,
    ...more,
  }
}

async function joinPhone(url: string): Promise<{ id: string; token: string }> {
  const answer = await fetch(`${url}${PHONE_PATH}/device`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokenOf('phones')}`, 'content-type': 'application/json' },
    body: '{"name":"Leaf"}',
  })
  if (answer.status !== 201) throw new Error(`the phone could not register: ${await answer.text()}`)
  return (await answer.json()) as { id: string; token: string }
}
