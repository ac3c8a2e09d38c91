import { COMMAND_LINE } from '../../src/users/audit.ts'
import { createList } from '../../src/prices/manage.ts'
import { inviteUser } from '../../src/users/invite.ts'
import { newId } from '../../src/values/id.ts'
import { PASSWORD } from '../support/person.ts'
import { FIXTURES, type Fixture, type Place } from './isolation-fixtures.ts'

/** Valid bodies by operation. Together those of one have every field it accepts. */
export type SaleWrite = Record<string, readonly object[]>

const RECIPIENT = '2348031234567'
/** A callback address without a server. */
const NOWHERE = 'http://127.0.0.1:9/callback'
const QUIET = { quiet_from: '21:00', quiet_until: '08:00' }
const WHATSAPP_COMPONENTS = [
  { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['1042'] } },
  { type: 'BODY', text: 'Hello {{1}}, it is on its way.', example: { body_text: [['Ada']] } },
  { type: 'FOOTER', text: 'Thank you' },
  {
    type: 'BUTTONS',
    buttons: [
      { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}', example: ['https://shop.example/1042'] },
      { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+2348031234567' },
      { type: 'COPY_CODE', example: 'SAVE10' },
    ],
  },
]
const APP = { package_name: 'com.example', signature_hash: 'K8a/AINcGX7' }
const CREDENTIAL = { id: 'Y3JlZGVudGlhbA', rawId: 'Y3JlZGVudGlhbA', type: 'public-key' }
/** Of no challenge: it is refused once it is read. */
const CLIENT_DATA = Buffer.from(JSON.stringify({ challenge: 'x' })).toString('base64url')
const ASSERTION = {
  ...CREDENTIAL,
  response: { clientDataJSON: CLIENT_DATA, authenticatorData: 'eA', signature: 'eA', userHandle: 'eA' },
}
const ATTESTATION = {
  ...CREDENTIAL,
  response: { clientDataJSON: CLIENT_DATA, attestationObject: 'eA', transports: ['internal'] },
}
const COLUMNS = { Name: 'Ada', Email: 'ada@example.com', Mobile: '08031234567' }

const choice: Fixture = async ({ owner }) => {
  const body = { name: `Choice ${Math.random()}`, type: 'SELECT', options: ['a', 'b'] }
  return (await owner.call<{ column: { id: string } }>('POST', '/lists/contact/columns', body)).body.column.id
}

/** The resource of each path: a column with options has more values to replace. */
export const THINGS: Record<string, Fixture> = { ...FIXTURES, '/lists/contact/columns/{column_id}': choice }

export async function goodBodies(place: Place): Promise<SaleWrite> {
  const id = async (path: string): Promise<string> => (await FIXTURES[path]?.(place)) ?? ''
  const template_id = await id('/templates/{id}')
  const smartlist_id = await id('/lists/contact/smartlists/{id}')
  const column_id = await id('/lists/contact/columns/{column_id}')
  await id('/lists/contact/sends/{id}') // A recipient.
  const sms = {
    recipients: [RECIPIENT, '08051234567'],
    sender_id: 'Gangan',
    channel: 'sms',
    content: 'Hello {{name|there}}, see https://example.com/a',
    personalisation: [{ to: RECIPIENT, substitutions: { name: 'Ada' } }],
    external_ref: 'leaf',
    is_trackable: true,
    smart_encoding: true,
    callback: NOWHERE,
  }
  const { recipients: _numbers, personalisation: _values, ...list_message } = sms
  const soon = new Date(Date.now() + 6 * 3_600_000).toISOString()
  const sends = [
    sms,
    { recipients: RECIPIENT, content: 'Later', send_at: soon, route_class: 'transactional' },
    { recipients: RECIPIENT, template_id },
    {
      recipients: RECIPIENT,
      channel: 'whatsapp',
      whatsapp: { location: { latitude: 6.5, longitude: 3.4, name: 'Shop' } },
    },
  ]
  const filters = [
    { column_id, operator: 'is_any', value: ['a', 'b'] },
    { name: 'Name', operator: 'contain', value: 'ad' },
    {
      any: [
        { column_id, operator: 'is_any', value: ['a'] },
        { name: 'Name', operator: 'not_empty' },
      ],
    },
  ]
  const row_id = await id('/lists/contact/rows/{row_id}')
  const campaign = { ...list_message, route_class: 'promotional', send_at: soon, pace_per_hour: 100, ...QUIET }
  const query = { smartlist_id, filters, search: 'ada', limit: 10, page: 1, sort: '-Name' }
  type Rows = { meta: { pagination: { query_id?: string } } }
  const first = await place.owner.call<Rows>('POST', '/lists/contact/rows/query', { limit: 1 })
  const { query_id } = first.body.meta.pagination
  const settings = { template: '{{token}} is your code.', origin: 'example.com', fallback_channel: 'whatsapp' }
  return {
    'POST /sms/send': [...sends, { smartlist_id, content: 'Hello' }],
    'POST /sms/estimate': sends.map((one) => ({ ...one, explain: true })),
    'POST /lists/contact/sends': [
      { ...list_message, smartlist_id },
      { smartlist_id, content: 'Later', send_at: soon, route_class: 'transactional' },
      { smartlist_id, template_id },
    ],
    'POST /campaigns': [
      { template_id, is_incomplete: true },
      { name: 'Leaf', smartlist_id, filters, ...campaign },
      {
        texts: [
          { content: 'A', share: 60 },
          { template_id, share: 40 },
        ],
      },
    ],
    'PATCH /campaigns/{id}': [
      { template_id, is_incomplete: true },
      { name: 'Twig', smartlist_id, filters, ...campaign },
      {
        texts: [
          { content: 'A', share: 60 },
          { template_id, share: 40 },
        ],
      },
    ],
    'POST /campaigns/{id}/recipients': [
      { recipients: [{ to: RECIPIENT, substitutions: { name: 'Ada' } }] },
      { csv: 'Mobile,Name\n08031234567,Ada' },
    ],
    'POST /campaigns/{id}/start': [{ people: 1, charge: 4 }],
    'POST /campaigns/{id}/test': [{ recipients: RECIPIENT, text: 1 }],
    'POST /conversations/{phone}/assign': [{ assignee_id: null, current_assignee_id: null }],
    'POST /conversations/{phone}/close': [{ received: 1_000 }],
    'POST /conversations/{phone}/notes': [{ text: 'Call back' }],
    'POST /conversations/{phone}/messages': [
      { content: 'Hello', external_ref: 'leaf' },
      { template_id, substitutions: { name: 'Ada' } },
    ],
    'POST /conversations/{phone}/read': [{ received: 1 }],
    'POST /senders': [{ sender_id: 'Leaf', class: 'transactional', note: 'Why' }],
    'PATCH /senders/{id}': [{ sender_id: 'Leaves', class: 'promotional', note: 'Why' }],
    'POST /people/erasures': [{ phone: '2348059999998' }],
    'POST /people/export': [{ phone: RECIPIENT }],
    'POST /optouts': [{ recipients: ['2348059999999'] }],
    'POST /templates': [
      {
        name: 'Leaf',
        content: 'Hello {{name|there}}',
        whatsapp: { name: 'order', language: 'en', parameters: ['name'] },
      },
    ],
    'PATCH /templates/{id}': [
      { name: 'Twig', content: 'Hello {{name}}', whatsapp: { name: 'order', language: 'en', parameters: ['name'] } },
    ],
    'POST /whatsapp/templates': [
      {
        name: `leaf_${newId().replaceAll('-', '')}`,
        language: 'en',
        category: 'utility',
        parameter_format: 'positional',
        components: WHATSAPP_COMPONENTS,
      },
      {
        name: `code_${newId().replaceAll('-', '')}`,
        language: 'en',
        category: 'authentication',
        components: [
          { type: 'BODY', add_security_recommendation: true },
          { type: 'FOOTER', code_expiration_minutes: 5 },
          { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'ONE_TAP', text: 'Copy', supported_apps: [APP] }] },
        ],
      },
    ],
    'PATCH /whatsapp/templates/{id}': [{ category: 'utility', components: WHATSAPP_COMPONENTS }],
    'POST /otp/request_token': [
      { recipient: RECIPIENT, length: 6, expires_in: 10, channel: 'sms' },
      { recipient: RECIPIENT, token: '482913' },
    ],
    'POST /otp/verify': [{ id: await id('/otp/{id}'), token: '482913' }],
    'PATCH /otp/settings': [
      {
        ...settings,
        fallback_after_s: 30,
        resend_after_s: 20,
        resend_when_late: true,
        resend_times: 2,
        test_numbers: [{ recipient: '2348000000021', token: '482913' }],
      },
    ],
    'POST /airtime/buy': [
      { network: 'MTN', amount: 100, recipient: RECIPIENT, callback: NOWHERE, external_ref: 'leaf' },
    ],
    'GET /lookup/phone': [{ phone: RECIPIENT }],
    'POST /lookup/phone': [{ phone: RECIPIENT }],
    'POST /lookup/phones': [{ phones: [RECIPIENT, '08051234567'], skip_invalid: true }],
    'POST /lists/contact/rows': [{ columns: COLUMNS }],
    'POST /lists/contact/rows/bulk': [{ rows: [{ columns: COLUMNS }, { columns: { [column_id]: 'x' } }] }],
    'PATCH /lists/contact/row/{row_id}': [{ columns: COLUMNS }],
    'PATCH /lists/contact/rows/{row_id}': [{ columns: COLUMNS }],
    'POST /lists/contact/columns': [{ name: 'Leaf', type: 'MULTI SELECT', options: ['a', 'b'] }],
    'PATCH /lists/contact/columns/{column_id}': [{ name: 'Twig', options: ['a', 'b', 'c'], position: 2 }],
    'POST /lists/contact/columns/{column_id}/conversions': [
      { type: 'DATE', format: 'DD/MM/YYYY', clear_unfit: true, dry_run: true },
      { type: 'SELECT', options: ['a', 'b'], dry_run: true },
    ],
    'POST /lists/contact/rows/query': [
      query,
      { limit: 1, query_id },
      { per_page: 5, filters: [{ name: 'Name', operator: 'not_empty' }] },
    ],
    'POST /lists/contact/rows/export': [{ smartlist_id, filters, search: 'ada', sort: 'Name' }],
    'POST /lists/contact/changes': [
      { action: 'set', columns: { Name: 'Ada' }, row_ids: [row_id] },
      { action: 'delete', query: { smartlist_id, filters, search: 'nobody at all', except: [row_id] } },
    ],
    'POST /lists/contact/smartlists': [{ name: 'Leaf', filters }],
    'PATCH /lists/contact/smartlists/{id}': [{ name: 'Twig', filters }],
    'POST /lists/contact/imports': [
      { csv: 'Name,Handy\nAda,08031234567', mapping: { Handy: 'Mobile' }, upsert_by: 'Mobile', new_columns: true },
      {
        csv: 'Name,Joined,Mobile\nAda,3/4/2026,08031234567',
        types: { Joined: 'DATE' },
        formats: { Joined: 'DD/MM/YYYY' },
        detect: 'likely',
        dry_run: true,
      },
      { csv: 'Name,Mobile\nAda,08031234567', allow_duplicates: true },
      {
        rows: [
          ['Name', 'Mobile'],
          ['Ada', '08031234567'],
        ],
        dry_run: true,
      },
    ],
    'PATCH /settings': [
      {
        name: 'Leaf',
        default_country: 'NG',
        default_sender_id: 'Gangan',
        smart_encoding: true,
        inbound_url: NOWHERE,
        quiet_from: '22:00',
        quiet_until: '06:00',
        whatsapp_fallback: false,
        low_balance: 10,
        time_zone: 'Africa/Lagos',
        confirm_above: 50,
      },
    ],
    'POST /webhooks': [
      { url: NOWHERE, events: ['text.*', 'airtime.failed'], format: 'simpu', description: 'Leaf', enabled: false },
    ],
    'PATCH /webhooks/{id}': [{ url: NOWHERE, events: ['text.delivered'], description: 'Twig', enabled: true }],
    'POST /webhooks/{id}/rotate': [{ overlap_hours: 1 }],
    'POST /webhooks/{id}/replay': [{ since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' }],
    'POST /hooks': [{ kind: 'zitadel', secret: 'a-key-of-zitadel' }],
    'POST /smpp/accounts': [
      { max_binds: 1 },
      {
        system_id: 'twig',
        password: 'a-secret',
        allow_networks: ['10.0.0.0/8'],
        max_binds: 2,
        rate_per_s: 10,
        window_size: 5,
        alphabet: 'latin1',
        receives_texts: false,
      },
    ],
    'POST /sandbox/reply': [
      { from: RECIPIENT, to: 'Gangan', text: 'Thanks', channel: 'sms' },
      { from: RECIPIENT, to: 'Gangan', channel: 'whatsapp', whatsapp: { location: { latitude: 6.5, longitude: 3.4 } } },
      { from: RECIPIENT, to: 'Gangan', channel: 'whatsapp', media_id: await id('/media/{id}') },
    ],
  }
}

let invited = 0

const PAUSE = { mode: 'draining', reason: 'Leaf', until: '2030-01-01T00:00:00Z' }
const LEAF_CARRIER = { kind: 'simulator', name: 'leaf', report_delay_ms: 20 }
const LEAF_ROUTE = { name: 'leaf', channel: 'sms', prefix: '999', carriers: ['leaf'] }
const LEAF_PLAN = {
  carrier: 'leaf',
  operator: 'MTN',
  country: 'NG',
  sender_id: 'Leaf',
  wordings: ['Your code is {{code}}'],
  per_day: 10,
  per_campaign: 1,
  from_hour: 8,
  to_hour: 20,
}

/** The same for operations of the console only. */
export async function goodConsoleBodies({ service, owner }: Place): Promise<SaleWrite> {
  const invite = async (): Promise<string> => {
    const email = `leaf-${(invited += 1)}@example.com`
    return (await inviteUser(service, COMMAND_LINE, { email, organisation_id: owner.id })).token
  }
  return {
    'POST /console/api/login': [
      { email: 'nobody@example.com', password: PASSWORD, code: '123456', passkey: ASSERTION },
    ],
    'POST /console/api/welcome/check': [{ token: await invite() }],
    'POST /console/api/welcome': [
      { token: await invite(), password: PASSWORD, name: 'Leaf', email: 'leaf@example.com' },
    ],
    'POST /console/api/enter': [{ token: await invite() }],
    'POST /console/api/sign-in/code': [{ code: '123456' }, { passkey: ASSERTION }],
    'PATCH /console/api/me': [{ name: 'Leaf', language: 'fr' }],
    'POST /console/api/me/password': [{ current_password: PASSWORD, password: `${PASSWORD} again` }],
    'POST /console/api/me/totp': [{ password: PASSWORD }],
    'POST /console/api/me/totp/confirm': [{ code: '123456' }],
    'DELETE /console/api/me/totp': [{ password: PASSWORD }],
    'POST /console/api/passkeys/challenge': [{ purpose: 'sign_in' }],
    'POST /console/api/sign-in/passkey': [{ passkey: ASSERTION }],
    'POST /console/api/me/passkeys/challenge': [{ password: PASSWORD }],
    'POST /console/api/me/passkeys': [{ name: 'Leaf', credential: ATTESTATION }],
    'PATCH /console/api/me/passkeys/:id': [{ name: 'Leaf' }],
    'DELETE /console/api/me/passkeys/:id': [{ password: PASSWORD }],
    'POST /console/api/me/views': [
      { name: 'Leaf', query: { q: '0803', status: 'failed', range: '7d', from: '2026-01-01T00:00', until: '' } },
    ],
    'POST /console/api/users': [{ email: 'twig@example.com', name: 'Twig', operator: false, role: 'viewer' }],
    'PATCH /console/api/users/:id': [{ disabled: true, role: 'viewer' }],
    'POST /console/api/organisations': [
      { name: 'Leaf', default_country: 'NG', default_sender_id: 'Leaf', credit: 12.5 },
    ],
    'POST /console/api/organisations/:id/top-ups': [{ amount: 12.5, reason: 'Leaf' }],
    'POST /console/api/carriers/:name/pause': [PAUSE],
    'POST /console/api/routes/:name/pause': [PAUSE],
    'POST /console/api/configuration': [{ carriers: [LEAF_CARRIER], routes: [LEAF_ROUTE], dry_run: true }],
    'POST /console/api/configuration/carriers': [{ settings: LEAF_CARRIER }],
    'PATCH /console/api/configuration/carriers/:name': [{ version: 1, settings: LEAF_CARRIER }],
    'POST /console/api/configuration/routes': [{ settings: LEAF_ROUTE }],
    'PATCH /console/api/configuration/routes/:name': [{ version: 1, settings: LEAF_ROUTE }],
    'POST /console/api/carriers/:name/test': [{ recipient: RECIPIENT, sender_id: 'Leaf', text: 'Hello' }],
    'POST /console/api/probes': [{ name: 'leaf', ...LEAF_PLAN }],
    'PATCH /console/api/probes/:name': [{ ...LEAF_PLAN, enabled: true }],
    'POST /console/api/blocklist': [{ entries: ['2348039999999'], reason: 'Leaf', until: '2030-01-01T00:00:00Z' }],
    'POST /console/api/price-lists': [{ name: 'leaf', kind: 'price', copy_of: 'fixture' }],
    'PATCH /console/api/price-lists/:name': [
      { below_cost: 'warn', otp_per_request: 0.5, otp_per_verified: 3, airtime_commission: 2.5 },
    ],
    'POST /console/api/cost-assignments/:carrier': [
      { cost_list: 'fixture-costs', billed_on: 'delivered', use_answers: false },
    ],
    'POST /console/api/price-lists/:name/rules': [
      {
        version: 0,
        channel: 'sms',
        route_class: 'promotional',
        prefix: '234803',
        country: 'NG',
        operator: 'MTN',
        mcc_mnc: '621-30',
        price: 2.5,
        valid_from: '2030-01-01T00:00:00Z',
      },
    ],
    'POST /console/api/price-lists/:name/imports': [{ csv: 'prefix,price\n234803,2.5' }],
    'POST /console/api/price-lists/:name/undo': [{ version: 1 }],
    'POST /console/api/organisations/:id/price-list': [{ price_list: 'fixture' }],
    'POST /console/api/organisations/:id/limits': [{ requests_per_s: 10, messages_per_s: 10, credit_limit: 10 }],
    'POST /console/api/organisations/:id/suspension': [{ suspended: false, reason: 'Leaf' }],
    'POST /console/api/keys': [
      {
        mode: 'live',
        name: 'Leaf',
        scopes: ['sms', 'otp'],
        expires_datetime: '2030-01-01T00:00:00Z',
        daily_spending_limit: 500,
      },
    ],
    'PATCH /console/api/keys/:id': [{ daily_spending_limit: 500 }],
    'POST /console/api/keys/:id/rotate': [{ overlap_hours: 1 }],
    'POST /console/api/airtime/review/:id': [{ status: 'failed' }],
    'POST /console/api/senders/:id': [{ organisation_id: owner.id, state: 'approved', reason: 'Leaf' }],
  }
}

/** Resources of the console's paths. */
export async function consoleIds(place: Place): Promise<Record<string, string>> {
  const { service, owner } = place
  const [key] = await service.db<{ id: string }[]>`select id from api_keys where organisation_id = ${owner.id}`
  const message = (await FIXTURES['/sms/{id}']?.(place)) ?? ''
  const sender = (await FIXTURES['/senders/{id}']?.(place)) ?? ''
  const { user } = await inviteUser(service, COMMAND_LINE, { email: 'branch@example.com', organisation_id: owner.id })
  await createList(service, COMMAND_LINE, { name: 'fixture' })
  await createList(service, COMMAND_LINE, { name: 'fixture-costs', kind: 'cost' })
  return {
    '/console/api/price-lists/:name': 'fixture',
    '/console/api/cost-assignments/:carrier': 'simulator',
    '/console/api/probes/:name': 'leaf',
    '/console/api/probes/:name/run': 'leaf',
    '/console/api/price-lists/:name/rules': 'fixture',
    '/console/api/price-lists/:name/imports': 'fixture',
    '/console/api/price-lists/:name/undo': 'fixture',
    '/console/api/users/:id/invite': user.id,
    '/console/api/users/:id': user.id,
    '/console/api/organisations/:id/top-ups': owner.id,
    '/console/api/organisations/:id/limits': (await service.organisation()).id,
    '/console/api/organisations/:id/price-list': owner.id,
    '/console/api/organisations/:id/suspension': (await service.organisation()).id, // A changed request may suspend it.
    '/console/api/keys/:id/rotate': key?.id ?? '',
    '/console/api/keys/:id': key?.id ?? '',
    '/console/api/messages/:id': message,
    '/console/api/messages/:id/timeline': message,
    '/console/api/senders/:id': sender,
  }
}
