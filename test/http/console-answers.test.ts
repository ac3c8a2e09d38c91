import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Answers as ConsoleAnswers } from '../../console/src/api-types.ts'
import type { HttpDeps } from '../../src/http/deps.ts'
import { buildServer } from '../../src/http/server.ts'
import type { Schema } from '../../src/values/schema/type.ts'
import { COMMAND_LINE } from '../../src/users/audit.ts'
import { linkToEnter } from '../../src/users/invite.ts'
import { totpCode } from '../../src/users/login/totp.ts'
import { decodeBase32 } from '../support/base32.ts'
import { authenticator } from '../support/authenticator.ts'
import { openBusyService, type BusyService } from '../support/busy-service.ts'
import type { Answer } from '../support/service.ts'
import { PASSWORD, person, post, type Person } from '../support/person.ts'
import { misfits, unseen } from '../support/shape.ts'

type Operation = keyof ConsoleAnswers
type Reads = Exclude<Extract<Operation, `GET ${string}`>, 'GET /console/api/messages.csv'>
type Answering<Name extends Operation = Operation> = Name extends Operation
  ? ConsoleAnswers[Name] extends undefined
    ? never
    : Name
  : never
type Writes = Exclude<Answering, `GET ${string}`>

let shapes: Record<string, Schema>
let service: BusyService
let dan: Person
/** Of a session that still requires a second factor. */
let waiting_cookie: string
let written: Record<Writes, Answer<unknown>>

beforeAll(async () => {
  shapes = await declaredAnswers()
  service = await openBusyService()
  await addPhone(service)
  written = await writeAll()
}, 60_000)
afterAll(() => service.close())

/** The declared shape of the 200 response of every console route, by method and path. */
async function declaredAnswers(): Promise<Record<string, Schema>> {
  const found: Record<string, Schema> = {}
  const app = await buildServer({} as HttpDeps, (empty) => {
    empty.addHook('onRoute', ({ method, url, schema }) => {
      const { 200: answer } = (schema?.response ?? {}) as { 200?: Schema }
      if (typeof method === 'string' && answer) found[`${method} ${url.replace(/:(\w+)/g, '{$1}')}`] = answer
    })
  })
  await app.close()
  return found
}

function shapeOf(operation: Operation): Schema {
  const shape = shapes[operation]
  if (!shape) throw new Error(`${operation} declares no response`)
  return shape
}

/** A phone with all details. */
async function addPhone({ db }: BusyService): Promise<void> {
  await db`
    insert into phones (id, carrier, name, app, token_hash, seen_datetime, battery, charging, network)
    values ('01a1e2f1-ef2a-7491-a64e-737e4e132d1d', 'phones', 'Drawer', 'SMSGate', '\\x00', now(), 80, true, 'Wi-Fi')`
  await db`
    insert into phone_sims (phone_id, sim, operator, number, rests_until)
    select id, 1, 'MTN', '2348031234567', now() + interval '1 hour' from phones`
}

/** Creates data by all operations of the console, so that the responses to reads are complete. */
async function writeAll(): Promise<Record<Writes, Answer<unknown>>> {
  const { ada, operator, id: organisation_id, purchases } = service
  const as = (who: typeof ada, method: string, path: string, body?: object) =>
    who.call(method, `/console/api/${path}`, body)

  const wish = { mode: 'live', name: 'Shop', scopes: ['sms'], expires_datetime: '2099-01-01' }
  const key = await ada.call<ConsoleAnswers['POST /console/api/keys']>('POST', '/console/api/keys', wish)
  const rotated = await as(ada, 'POST', `keys/${key.body.key.id}/rotate`, { overlap_hours: 1 })
  const limited = await as(ada, 'PATCH', `keys/${key.body.key.id}`, { daily_spending_limit: 500 })
  await as(ada, 'DELETE', `keys/${key.body.key.id}`)

  // An organisation that was warned and is suspended.
  const poor = await service.organisation()
  await service.db`
    update organisations set low_balance = 20000000, suspended_datetime = now()
    where id = ${poor.id} or twin_of = ${poor.id}`

  await ada.call('POST', '/campaigns', { name: 'Market day', content: 'Hello' })
  await ada.call('POST', '/lists/contact/smartlists', { name: 'Regulars', filters: [] })

  const filters = { q: '0803', status: 'failed', range: 'own', from: '2026-01-01T00:00', until: '2026-02-01T00:00' }
  const view = await as(ada, 'POST', 'me/views', { name: 'Failed', query: filters })

  const invited = await ada.call<ConsoleAnswers['POST /console/api/users']>('POST', '/console/api/users', {
    email: 'bisi@example.com',
    name: 'Bisi',
  })
  const user = `users/${invited.body.user.id}`
  const again = await ada.call<ConsoleAnswers['POST /console/api/users/{id}/invite']>(
    'POST',
    `/console/api/${user}/invite`,
  )
  const token = new URL(again.body.invite_url).hash.split('token=')[1]
  const check = await post(service, '/console/api/welcome/check', { token })
  const welcome = await post(service, '/console/api/welcome', { token, password: PASSWORD })

  dan = await person(service, service.id)
  const cleo = await person(service, service.id)
  const password = { current_password: PASSWORD, password: 'another drum that talks' }
  const proposal = await ada.call<ConsoleAnswers['POST /console/api/me/totp']>('POST', '/console/api/me/totp', {
    password: PASSWORD,
  })
  const code = totpCode(decodeBase32(proposal.body.secret), Math.floor(Date.now() / 30_000))
  const next_code = totpCode(decodeBase32(proposal.body.secret), Math.floor(Date.now() / 30_000) + 1)
  const enter = await linkToEnter(service, COMMAND_LINE, operator.id)
  const decision = { organisation_id, state: 'approved', reason: 'registered' }
  const answers = {
    'POST /console/api/airtime/review/{id}': await as(operator, 'POST', `airtime/review/${purchases[0]}`, {
      status: 'failed',
    }),
    ...(await usePasskey()),
    'POST /console/api/carriers/{name}/pause': await as(operator, 'POST', 'carriers/vendor/pause', {
      mode: 'paused',
      reason: 'fee dispute',
      until: new Date(Date.now() + 3_600_000).toISOString(),
    }),
    'POST /console/api/blocklist': await as(operator, 'POST', 'blocklist', {
      entries: ['2349099*'],
      reason: 'fraud',
      until: new Date(Date.now() + 3_600_000).toISOString(),
    }),
    ...(await changePrices()),
    ...(await changeConfiguration()),
    ...(await changeProbes()),
    'POST /console/api/organisations/{id}/price-list': await as(
      operator,
      'POST',
      `organisations/${organisation_id}/price-list`,
      { price_list: 'answers' },
    ),
    'POST /console/api/enter': await post(service, '/console/api/enter', { token: enter }),
    'POST /console/api/keys': key,
    'PATCH /console/api/keys/{id}': limited,
    'POST /console/api/keys/{id}/rotate': rotated,
    'POST /console/api/login': await post(service, '/console/api/login', { email: cleo.email, password: PASSWORD }),
    'PATCH /console/api/me': await as(ada, 'PATCH', 'me', { name: 'Ada', language: 'fr' }),
    'POST /console/api/me/password': await as(cleo, 'POST', 'me/password', password),
    'POST /console/api/me/views': view,
    'POST /console/api/me/totp': proposal,
    'POST /console/api/me/totp/confirm': await as(ada, 'POST', 'me/totp/confirm', { code }),
    'POST /console/api/organisations': await as(operator, 'POST', 'organisations', {
      name: 'Shop',
      default_sender_id: 'Shop',
      credit: 100,
    }),
    'POST /console/api/organisations/{id}/limits': await as(
      operator,
      'POST',
      `organisations/${organisation_id}/limits`,
      { requests_per_s: 10_000, messages_per_s: 100_000, credit_limit: 1_000 },
    ),
    'POST /console/api/organisations/{id}/suspension': await as(
      operator,
      'POST',
      `organisations/${organisation_id}/suspension`,
      { suspended: false, reason: 'x' },
    ),
    'POST /console/api/organisations/{id}/top-ups': await as(
      operator,
      'POST',
      `organisations/${organisation_id}/top-ups`,
      { amount: 50, reason: 'Invoice 1042' },
    ),
    'POST /console/api/phones/{carrier}/token': await as(operator, 'POST', 'phones/phones/token', {}),
    'POST /console/api/routes/{name}/pause': await as(operator, 'POST', 'routes/airtel/pause', {
      mode: 'draining',
      reason: 'numbers change',
    }),
    'POST /console/api/senders/{id}': await as(operator, 'POST', `senders/${service.sender}`, decision),
    'POST /console/api/sign-in/code': await submitCode(service, next_code),
    'POST /console/api/users': invited,
    'PATCH /console/api/users/{id}': await as(ada, 'PATCH', user, { disabled: true }),
    'POST /console/api/users/{id}/invite': again,
    'POST /console/api/welcome': welcome,
    'POST /console/api/welcome/check': check,
  }
  await service.db`
    update users set issuer = 'https://login.example', subject = 'ada', provider = 'company', password_hash = null
    where id = ${ada.id}`
  return answers
}

/** A user with a passkey, who logs in with it and begins to register another. */
async function usePasskey() {
  const key = authenticator()
  const propose = () =>
    dan.call<ConsoleAnswers['POST /console/api/me/passkeys/challenge']>('POST', '/console/api/me/passkeys/challenge', {
      password: PASSWORD,
    })
  const credential = key.make((await propose()).body.options, service.url)
  const made = await dan.call('POST', '/console/api/me/passkeys', { name: 'Laptop', credential })
  const asked = await post<ConsoleAnswers['POST /console/api/passkeys/challenge']>(
    service,
    '/console/api/passkeys/challenge',
    { purpose: 'sign_in' },
  )
  const passkey = key.sign(asked.body.options, service.url)
  const entered = await post(service, '/console/api/sign-in/passkey', { passkey })
  waiting_cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  await service.db`
    update user_sessions set waits_for_code = true
    where id = (select id from user_sessions where user_id = ${dan.id} order by id desc limit 1)`
  return {
    'POST /console/api/me/passkeys': made,
    'POST /console/api/me/passkeys/challenge': await propose(),
    'POST /console/api/passkeys/challenge': asked,
    'POST /console/api/sign-in/passkey': entered,
  }
}

/** A price list with every kind of rule and change. */
async function changePrices() {
  const { operator } = service
  const path = '/console/api/price-lists'
  const made = await operator.call('POST', path, { name: 'answers' })
  const rule = await operator.call('POST', `${path}/answers/rules`, {
    version: 0,
    channel: 'sms',
    route_class: 'promotional',
    prefix: '234803',
    mcc_mnc: '621-30',
    price: 2.5,
  })
  const csv =
    'mccmnc,class,prefix,price,effective,operator\n621-30,promotional,234803,3,\n62150,,,4,2099-01-01\n62120,,,5,\n,,x,1,\n62199,,,6,,Nomad'
  const imported = await operator.call('POST', `${path}/answers/imports?skip_invalid=true&file_name=a.csv`, { csv })
  const undone = await operator.call('POST', `${path}/answers/undo`, { version: 2 })
  await operator.call('POST', `${path}/answers/imports?file_name=b.csv`, { csv: 'prefix,price\n234,1' })
  return {
    'POST /console/api/price-lists': made,
    'POST /console/api/price-lists/{name}/rules': rule,
    'POST /console/api/price-lists/{name}/imports': imported,
    'POST /console/api/price-lists/{name}/undo': undone,
    'PATCH /console/api/price-lists/{name}': await operator.call('PATCH', `${path}/answers`, {
      below_cost: 'warn',
      otp_per_request: 0.5,
      otp_per_verified: 3,
      airtime_commission: 2.5,
    }),
    'POST /console/api/cost-assignments/{carrier}': await assignCosts(),
    'POST /console/api/price-lists/{name}/default': await operator.call('POST', `${path}/file/default`),
  }
}

/** A carrier and a route of an operator; the carrier stays. */
async function changeConfiguration() {
  const { operator } = service
  const path = '/console/api/configuration'
  const carrier = { kind: 'simulator', name: 'answers' }
  const route = { name: 'answers', channel: 'sms', prefix: '2348', carrier: 'answers' }
  type Changed = ConsoleAnswers['POST /console/api/configuration/routes']
  const created = await operator.call('POST', `${path}/carriers`, { settings: carrier })
  const routed = await operator.call<Changed>('POST', `${path}/routes`, { settings: route })
  const change = { version: routed.body.entry.version, settings: { ...route, rate_per_s: 5 } }
  const changed = await operator.call<Changed>('PATCH', `${path}/routes/answers`, change)
  const removed = await operator.call('DELETE', `${path}/routes/answers?version=${changed.body.entry.version}`)
  const other = await operator.call<Changed>('POST', `${path}/carriers`, { settings: { ...carrier, name: 'other' } })
  const { version } = other.body.entry
  const update = { version, settings: { ...carrier, name: 'other', report_delay_ms: 5 } }
  const updated = await operator.call<Changed>('PATCH', `${path}/carriers/other`, update)
  return {
    'POST /console/api/configuration/carriers': created,
    'POST /console/api/configuration/routes': routed,
    'PATCH /console/api/configuration/routes/{name}': changed,
    'DELETE /console/api/configuration/routes/{name}': removed,
    'PATCH /console/api/configuration/carriers/{name}': updated,
    'DELETE /console/api/configuration/carriers/{name}': await operator.call(
      'DELETE',
      `${path}/carriers/other?version=${updated.body.entry.version}`,
    ),
    'POST /console/api/configuration': await operator.call('POST', path, { routes: [route] }),
    'POST /console/api/carriers/{name}/test': await operator.call('POST', '/console/api/carriers/vendor/test', {
      recipient: '08031234567',
      sender_id: 'Gangan',
    }),
  }
}

/** A plan with a problem and a known cost, and probes in every state. */
async function changeProbes() {
  const { db, operator } = service
  const path = '/console/api/probes'
  await operator.call('POST', '/console/api/price-lists', { name: 'probe-costs', kind: 'cost' })
  const rule = { version: 0, channel: 'sms', prefix: '234', price: 2 }
  await operator.call('POST', '/console/api/price-lists/probe-costs/rules', rule)
  await operator.call('POST', '/console/api/cost-assignments/mtn', { cost_list: 'probe-costs', billed_on: 'submitted' })
  await db`
    insert into phones (id, carrier, name, app, token_hash, seen_datetime)
    values (gen_random_uuid(), 'drawer', 'drawer', 'app', '\\x01', now())`
  const plan = { name: 'answers', carrier: 'mtn', operator: 'MTN', sender_id: 'Gangan', wordings: ['{{code}}'] }
  const created = await operator.call('POST', path, plan)
  const ran = await operator.call('POST', `${path}/answers/run`)
  const changed = await operator.call('PATCH', `${path}/answers`, { enabled: true })
  await db`update probe_plans set problem = 'No phone is present.', next_datetime = now() + interval '1 day'`
  await db`
    insert into probes (id, plan, carrier, country, operator, sender_id, phone_carrier, recipient, text, mark, outcome,
      outcome_reason, report, report_code, reported_datetime, submitted_datetime, arrived_datetime, displayed_sender,
      displayed_text, displayed, campaign_id)
    select first_id_at(now() - n * interval '1 minute'), 'answers', 'mtn', 'NG', 'MTN', 'Gangan', 'drawer', '2348031234567',
      '123456', 'mark-' || n, 'accepted', 'fine', 'delivered', '000', now(), now() - n * interval '1 minute', now(), 'Gangan',
      '12345', 'part', gen_random_uuid()
    from generate_series(1, 3) n`
  return {
    'POST /console/api/probes': created,
    'POST /console/api/probes/{name}/run': ran,
    'PATCH /console/api/probes/{name}': changed,
  }
}

/** A cost list of a carrier, and figures of a day. */
async function assignCosts() {
  const { operator } = service
  await operator.call('POST', '/console/api/price-lists', { name: 'answer-costs', kind: 'cost' })
  await service.db`
    insert into margins (organisation_id, day, carrier, country, operator, deliveries, pages, revenue, cost)
    values (${service.id}, now(), 'simulator', 'NG', 'MTN', 1, 1, 40000, 10000)`
  await service.db`
    insert into evidence
    select date_trunc('hour', now()), carrier, 'NG', 'MTN', 'sms', 'otp', 1000, array_fill(1::bigint, array[7]), 1, 1, 1,
      array_fill(1::bigint, array[10]), 1, 10000, 2, 1, 100, 80, 1, 1, 1, 5, 100
    from unnest(array['answers', 'others']) as carrier`
  const body = { cost_list: 'answer-costs', billed_on: 'delivered', use_answers: true }
  return operator.call('POST', '/console/api/cost-assignments/simulator', body)
}

/** The second factor after a sign-in by a provider. */
async function submitCode({ db, ada }: BusyService, code: string): Promise<Answer<unknown>> {
  await db`update user_sessions set waits_for_code = true where user_id = ${ada.id}`
  return post(service, '/console/api/sign-in/code', { code }, { cookie: ada.cookie })
}

const timeline = (recipient: string) => `/console/api/messages/${service.message.id}/timeline?recipient=${recipient}`

const asOperator = (path: string) => service.operator.call('GET', path, undefined, { 'x-organisation-id': service.id })

/** The request of each operation, by a user with the required role. */
const READS: Record<Reads, () => Promise<Answer<unknown>>[]> = {
  'GET /console/api/configuration': () => [asOperator('/console/api/configuration')],
  'GET /console/api/configuration/presets': () => [asOperator('/console/api/configuration/presets')],
  'GET /console/api/configuration/carriers/{name}': () => [asOperator('/console/api/configuration/carriers/answers')],
  'GET /console/api/configuration/routes/{name}': () => [asOperator('/console/api/configuration/routes/answers')],
  'GET /console/api/airtime/review': () => [service.operator.call('GET', '/console/api/airtime/review')],
  'GET /console/api/audit.csv': () => [service.operator.call('GET', '/console/api/audit.csv')],
  'GET /console/api/audit': () => [
    service.operator.call('GET', '/console/api/audit'),
    service.operator.call('GET', '/console/api/audit?installation=true'),
  ],
  'GET /console/api/blocklist': () => [
    (async () => {
      await service.db`update blocklist set hits = 3, last_hit_datetime = now()`
      return service.operator.call('GET', '/console/api/blocklist')
    })(),
  ],
  'GET /console/api/cost-assignments': () => [service.operator.call('GET', '/console/api/cost-assignments')],
  'GET /console/api/margins': () => [
    service.operator.call('GET', '/console/api/margins?by=day,organisation,carrier,country,operator'),
  ],
  'GET /console/api/evidence': () => [
    service.operator.call('GET', '/console/api/evidence?by=hour,carrier,country,operator,channel,class'),
  ],
  'GET /console/api/evidence/honesty': () => [service.operator.call('GET', '/console/api/evidence/honesty')],
  'GET /console/api/probes': () => [service.operator.call('GET', '/console/api/probes')],
  'GET /console/api/probe-results': () => [service.operator.call('GET', '/console/api/probe-results')],
  'GET /console/api/probe-results.csv': () => [service.operator.call('GET', '/console/api/probe-results.csv')],
  'GET /console/api/margins.csv': () => [service.operator.call('GET', '/console/api/margins.csv')],
  'GET /console/api/price-lists': () => [
    service.operator.call('GET', '/console/api/price-lists'),
    service.operator.call('GET', '/console/api/price-lists?kind=cost'),
  ],
  'GET /console/api/price-lists/{name}': () => [
    service.operator.call('GET', '/console/api/price-lists/answers'),
    service.operator.call('GET', '/console/api/price-lists/answer-costs'),
  ],
  'GET /console/api/price-lists/{name}/rules': () => [
    service.operator.call('GET', '/console/api/price-lists/answers/rules'),
    service.operator.call('GET', '/console/api/price-lists/file/rules'),
  ],
  'GET /console/api/price-lists/{name}/rules.csv': () => [
    service.operator.call('GET', '/console/api/price-lists/answers/rules.csv'),
  ],
  'GET /console/api/price-lists/{name}/history': () => [
    service.operator.call(
      'GET',
      `/console/api/price-lists/answers/history?target=${encodeURIComponent('sms|234803|NG|mtn|promotional')}`,
    ),
  ],
  'GET /console/api/price-lists/{name}/changes': () => [
    service.operator.call('GET', '/console/api/price-lists/answers/changes'),
  ],
  'GET /console/api/carriers': () => [service.operator.call('GET', '/console/api/carriers')],
  'GET /console/api/carriers/binds': () => [service.operator.call('GET', '/console/api/carriers/binds')],
  'GET /console/api/carriers/{carrier}/binds/{bind}': () =>
    ['mtn', 'glo', 'never-held'].map((carrier) =>
      service.operator.call('GET', `/console/api/carriers/${carrier}/binds/1`),
    ),
  'GET /console/api/status': () => [service.operator.call('GET', '/console/api/status')],
  'GET /console/api/checklist': () => [service.ada.call('GET', '/console/api/checklist')],
  'GET /console/api/airtime/network': () => [service.ada.call('GET', '/console/api/airtime/network?phone=08031234567')],
  'GET /console/api/keys': () => [service.ada.call('GET', '/console/api/keys')],
  'GET /console/api/me/passkeys': () => [dan.call('GET', '/console/api/me/passkeys')],
  'GET /console/api/me/sessions': () => [service.ada.call('GET', '/console/api/me/sessions')],
  'GET /console/api/me/views': () => [service.ada.call('GET', '/console/api/me/views')],
  'GET /console/api/messages': () => [
    service.ada.call('GET', '/console/api/messages'),
    service.ada.call('GET', '/console/api/messages?limit=1'),
    service.ada.call('GET', `/console/api/messages?recipient=${service.message.rejected}`),
  ],
  'GET /console/api/messages/{id}': () => [
    service.ada.call('GET', `/console/api/messages/${service.message.id}`),
    asOperator(`/console/api/messages/${service.message.id}`),
    service.ada.call('GET', `/console/api/messages/${service.scheduled.id}`),
  ],
  'GET /console/api/messages/{id}/timeline': () => [
    service.ada.call('GET', timeline(service.message.delivered)),
    asOperator(timeline(service.message.delivered)),
    service.ada.call('GET', timeline(service.message.rejected)),
    service.ada.call(
      'GET',
      `/console/api/messages/${service.scheduled.id}/timeline?recipient=${service.scheduled.recipient}`,
    ),
  ],
  'GET /console/api/organisations': () => [
    service.ada.call('GET', '/console/api/organisations'),
    service.operator.call('GET', '/console/api/organisations'),
  ],
  'GET /console/api/otp-guard': () => [service.operator.call('GET', '/console/api/otp-guard')],
  'GET /console/api/otps': () => [service.ada.call('GET', '/console/api/otps')],
  'GET /console/api/overview': () =>
    ['hour', 'day', 'month'].flatMap((range) => [
      service.ada.call('GET', `/console/api/overview?range=${range}`),
      asOperator(`/console/api/overview?range=${range}`),
    ]),
  'GET /console/api/phones': () => [service.operator.call('GET', '/console/api/phones')],
  'GET /console/api/senders': () => [service.operator.call('GET', '/console/api/senders')],
  'GET /console/api/session': () => [
    service.ada.call('GET', '/console/api/session'),
    service.operator.call('GET', '/console/api/session', undefined, { 'x-forwarded-for': '203.0.113.9' }),
  ],
  'GET /console/api/search': () =>
    ['a', 'e', 'o', 'i', 'n'].map((text) => service.ada.call('GET', `/console/api/search?text=${text}`)),
  'GET /console/api/sign-in': () => [
    dan.call('GET', '/console/api/sign-in', undefined, { cookie: waiting_cookie }),

    (async () => {
      const away = await fetch(`${service.url}/console/sign-in/company`, { redirect: 'manual' })
      const cookie = away.headers.getSetCookie().join().split(';')[0]
      return service.ada.call('GET', '/console/api/sign-in', undefined, { cookie })
    })(),
  ],
  'GET /console/api/users': () => [
    service.ada.call('GET', '/console/api/users'),
    service.operator.call('GET', '/console/api/users?operators=true'),
  ],
}

function expectFit(operation: Operation, { status, body }: Answer<unknown>): void {
  const found = { operation, status, misfits: misfits(shapeOf(operation), body) }
  expect(found).toEqual({ operation, status: 200, misfits: [] })
}

/**
 * Fields that are absent without data: counts per status, the certificate of a carrier without TLS, what only WhatsApp reports, and the position of a
 * search that took too long.
 */
const MAY_BE_ABSENT =
  /\/statuses\/|\/(certificate_expires|read_datetime|price_category)$|\/searched_until$|^\/(previous|attention)\/|^\/messages?(\/0)?\/campaign$/

/** Some data appears later: the click, the next attempt of a callback, the statistics of a bind. */
describe('responses to reads of the console', () => {
  test.each(Object.keys(READS) as Reads[])('%s has exactly the declared shape', async (operation) => {
    await vi.waitFor(
      async () => {
        const answers = await Promise.all(READS[operation]())
        for (const answer of answers) expectFit(operation, answer)
        const places = unseen(
          shapeOf(operation),
          answers.map(({ body }) => body),
        )
        expect(places.filter((place) => !MAY_BE_ABSENT.test(place))).toEqual([])
      },
      { timeout: 20_000, interval: 100 },
    )
  })
})

test('responses to writes of the console have the declared shapes', () => {
  expect(Object.keys(written)).not.toHaveLength(0)
  for (const operation of Object.keys(written) as Writes[]) expectFit(operation, written[operation])
})
