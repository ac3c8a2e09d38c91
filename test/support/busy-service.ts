import { startSmsc } from '../../src/emulators/smsc/smsc.ts'
import { openService, type TestService } from './service.ts'
import { person, type Person } from './person.ts'
import { startReceiver } from './receiver.ts'
import { smppCarrier } from './smpp-carrier.ts'
import { until } from './until.ts'

/** A service with data of all kinds that the console shows. */
export type BusyService = TestService & {
  ada: Person
  operator: Person
  /** To two recipients with different outcomes, with tracked links and callbacks. */
  message: { id: string; delivered: string; rejected: string }
  /** A scheduled message to one recipient. */
  scheduled: { id: string; recipient: string }
  purchases: string[]
  sender: string
}

/** One carrier that responds and one that does not exist, so that messages are held; the others go to the simulator. */
const ROUTES = [
  { name: 'sms', channel: 'sms', carrier: 'simulator' },
  { name: 'mtn', channel: 'sms', prefix: '234806', carriers: ['mtn', 'simulator'], rate_per_s: 100 },
  { name: 'glo', channel: 'sms', prefix: '234805', carrier: 'glo' },
  { name: 'airtel', channel: 'sms', country: 'NG', operator: 'Airtel', class: 'promotional', carrier: 'simulator' },
  {
    name: 'benin',
    channel: 'sms',
    prefix: '229',
    carriers: ['mtn', 'simulator'],
    choose: 'shares',
    shares: { mtn: 50, simulator: 50 },
    evidence: { least_percent: { mtn: 10 }, most_percent: { mtn: 90 }, seed: 1 },
  },
]
const PRICES = [
  { channel: 'sms', prefix: '234', price: 4 },
  { channel: 'sms', country: 'NG', operator: 'Airtel', class: 'promotional', price: 3 },
]
const NOWHERE = 'http://127.0.0.1:1/reports'
/** Not used to send; its addresses are shown. */
const VENDOR = {
  kind: 'http',
  name: 'vendor',
  preset: 'africastalking',
  credentials: { username: 'sandbox', api_key: 'key', report_secret: 'a-word-of-16-characters' },
  options: { base_url: 'http://127.0.0.1:1' },
}
/** No server listens there. */
const PROVIDER = {
  name: 'company',
  label: 'Company account',
  issuer: 'http://127.0.0.1:1',
  client_id: 'gangan',
  existing_users: ['*'],
}
const PHONE = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36'

export async function openBusyService(): Promise<BusyService> {
  const smsc = await startSmsc({ accounts: [{ system_id: 'gangan', password: 'secret' }], max_binds: 2 })
  const receiver = await startReceiver()
  const service = await openService({
    settings: {
      callbacks: { allow_networks: ['127.0.0.0/8'] },
      carriers: [
        { kind: 'simulator', name: 'simulator', report_delay_ms: 20 },
        smppCarrier(smsc.port),
        smppCarrier(1, { name: 'glo' }),
        { kind: 'phone', name: 'phones' },
        { kind: 'phone', name: 'drawer', probe: true, numbers: [{ number: '2348031234567' }] },
        VENDOR,
      ],
      routes: ROUTES,
      airtime: { vendors: [{ kind: 'simulator', name: 'simulator' }] },
      sign_in: { providers: [PROVIDER] },
      prices: PRICES,
    },
  })
  const ada = await person(service, service.id)
  const operator = await person(service, null, service.id)

  smsc.change({ errors: { RINVDSTADR: 1 } })
  await make(service, '/sms/send', { recipients: '2348061112222', content: 'refused' })
  await until('the rejection', () => smsc.counts.refused === 1)
  smsc.change({ errors: {} })
  await make(service, '/sms/send', { recipients: '2348061112222', content: 'taken' })
  await make(service, '/sms/send', { recipients: '2348051112222', content: 'held' })
  const later = {
    recipients: '2348031114444',
    content: 'later',
    send_at: new Date(Date.now() + 3_600_000).toISOString(),
  }
  const scheduled = { id: await make(service, '/sms/send', later), recipient: later.recipients }
  await make(service, '/webhooks', { url: receiver.url })
  const message = await sendTracked(service)
  await receiver.wait(2)
  await openLink(service, ada, message)

  const otp = await make(service, '/otp/request_token', { recipient: '08031113333' })
  await service.call('DELETE', `/otp/${otp}`)
  const sender = await make(service, '/senders', { sender_id: 'Shop', note: 'for the shop' })
  const purchases = [
    await waitForReview(service, '2348000000017', 100),
    await waitForReview(service, '2348000000017', 200),
  ]
  await service.db`
    insert into otp_guard (organisation_id, prefix, state, sent, verified, until_datetime, updated_datetime)
    values (${service.id}, '234803', 'blocked', 60, 1, now() + interval '1 hour', now())`
  await service.db`insert into carrier_binds (carrier, bind) values ('never-held', 1)`
  // Counters are stored once a second, and the overview caches its figures.
  await until('the counters', async () => {
    const [counted] = await service.db<{ delivered: number; otp_sent: number }[]>`
      select sum(delivered)::integer as delivered, sum(otp_sent)::integer as otp_sent
      from activity where organisation_id = ${service.id}`
    return counted !== undefined && counted.delivered > 0 && counted.otp_sent > 0
  })
  return {
    ...service,
    ada,
    operator,
    message,
    scheduled,
    purchases,
    sender,
    async close() {
      await service.close()
      await receiver.close()
      await smsc.stop()
    },
  }
}

async function make(service: TestService, path: string, body: object): Promise<string> {
  const { status, text, body: answer } = await service.call<{ id: string }>('POST', path, body)
  if (status !== 200) throw new Error(`${path} was rejected: ${text}`)
  return answer.id
}

async function sendTracked(service: TestService): Promise<BusyService['message']> {
  const [delivered, rejected] = ['2348031112222', '2348000000003']
  const template_id = await make(service, '/templates', { name: 'Order', content: '{{name}}: https://example.com/a' })
  const id = await make(service, '/sms/send', {
    recipients: [delivered, rejected],
    template_id,
    personalisation: [delivered, rejected].map((to) => ({ to, substitutions: { name: 'Ada' } })),
    is_trackable: true,
    external_ref: 'order-1',
    callback: NOWHERE,
  })
  return { id, delivered, rejected }
}

async function openLink(service: TestService, ada: Person, { id, delivered }: BusyService['message']): Promise<void> {
  type Links = { links?: { short_url: string }[] }
  const { body } = await ada.call<Links>('GET', `/console/api/messages/${id}/timeline?recipient=${delivered}`)
  const { pathname } = new URL(body.links?.[0]?.short_url ?? '')
  await fetch(service.url + pathname, { redirect: 'manual', headers: { 'user-agent': PHONE } })
}

/** The simulator never reports the outcome of a purchase for this number. */
async function waitForReview(service: TestService, recipient: string, amount: number): Promise<string> {
  const id = await make(service, '/airtime/buy', { network: 'MTN', amount, recipient, external_ref: `topup-${amount}` })
  await until('the vendor to have been queried', async () => {
    const { body } = await service.call<{ status: string }>('GET', `/airtime/${id}`)
    return body.status === 'sent'
  })
  await service.db`update purchases set review_datetime = now() where id = ${id}`
  return id
}
