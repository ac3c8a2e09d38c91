import { afterAll, beforeAll, expect, test } from 'vitest'
import { PHONE_PATH } from '../../src/carriers/phone/tokens.ts'
import { checkScenario } from '../../src/emulators/network/scenario/read.ts'
import { startNetwork, type Network } from '../../src/emulators/network/start.ts'
import { startPhoneEmulator, type PhoneEmulator } from '../../src/emulators/phone/phone.ts'
import type { VendorEmulator } from '../../src/emulators/vendor/vendor.ts'
import type { ProbePage } from '../../src/probes/schema.ts'
import type { HonestyReport } from '../../src/evidence/schema.ts'
import { startVendor } from '../support/http-vendor.ts'
import { person, type Person } from '../support/person.ts'
import { tokenOf } from '../support/phone-api.ts'
import { untilPresent } from '../support/phone.ts'
import { openService, type TestService } from '../support/service.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

const NUMBER = '2348031234567'
const PROBES = 200
const PATH = '/console/api/probes'
/** On a busy machine an answer must not count as missing. */
const PATIENT = { response_timeout_s: 60 }

let network: Network
let vendor: VendorEmulator
let service: TestService
let operator: Person
let phone: PhoneEmulator

beforeAll(async () => {
  const scenario = checkScenario({
    seed: 7,
    acceleration: 100,
    operators: [{ name: 'MTN', mcc_mnc: '62130' }],
    carriers: [{ name: 'honest' }, { name: 'faker', faked: 0.2 }],
  })
  network = await startNetwork(scenario, { host: '127.0.0.1', otp_service: null, onNote: () => {} })
  vendor = await startVendor('vonage')
  const [honest = 0, faker = 0] = network.ports.map(({ port }) => port)
  service = await openService({
    settings: {
      carriers: [
        smppCarrier(honest, { name: 'honest', ...PATIENT }),
        smppCarrier(faker, { name: 'faker', ...PATIENT }),
        vendor.settings('vendor'),
        { kind: 'phone', name: 'drawer', probe: true, numbers: [{ number: NUMBER }] },
      ],
      routes: [{ name: 'sms', channel: 'sms', carrier: 'honest' }],
    },
  })
  vendor.reports_to = { url: service.url, carrier: 'vendor', public_url: service.config.public_url }
  operator = await person(service, null)
  phone = startPhoneEmulator({
    url: service.url + PHONE_PATH,
    token: tokenOf('drawer'),
    name: 'drawer',
    sims: 1,
    send: async function* () {},
  })
  for (const { handsets } of network.ports) handsets.watch(({ from, text }) => phone.receive({ from, text }))
  await untilPresent(service, 'drawer')
  await until('the webhooks of the phone', () => phone.memory.webhooks.length > 0)
})
afterAll(async () => {
  phone.kill()
  await service.close()
  await vendor.close()
  await network.stop()
})

async function create(carrier: string): Promise<void> {
  const plan = { name: carrier, carrier, operator: 'MTN', sender_id: 'MyBank', wordings: ['Your code is {{code}}'] }
  const { status, text } = await operator.call('POST', PATH, plan)
  expect([status, text]).toEqual([200, expect.any(String)])
}

test('200 probes identify a carrier that fakes a fifth of its reports, and accuse no honest one', async () => {
  for (const carrier of ['honest', 'faker']) await create(carrier)
  for (let sent = 0; sent < PROBES; sent += 10) {
    await Promise.all(
      Array.from({ length: 10 }, () =>
        Promise.all(['honest', 'faker'].map((name) => operator.call('POST', `${PATH}/${name}/run`))),
      ),
    )
  }
  const { db } = service
  await until(
    'all reports',
    async () => {
      const [row] = await db`select count(*)::integer as count from probes where report = 'delivered'`
      return row?.count === 2 * PROBES
    },
    60_000,
  )
  await phone.quiet()
  // An hour later.
  await db`
    update probes set submitted_datetime = submitted_datetime - interval '2 hours',
      arrived_datetime = arrived_datetime - interval '2 hours'`
  const { body } = await operator.call<HonestyReport>('GET', '/console/api/evidence/honesty')
  const doubtful = body.rows.filter(({ is_doubtful }) => is_doubtful)
  expect(doubtful.length).toBeGreaterThan(0)
  expect(new Set(doubtful.map(({ carrier }) => carrier))).toEqual(new Set(['faker']))
  expect(body.rows).toContainEqual(expect.objectContaining({ carrier: 'honest', country: 'NG', is_doubtful: false }))
})

test('a probe through a vendor with an HTTP API finds its report', async () => {
  await create('vendor')
  expect((await operator.call('POST', `${PATH}/vendor/run`)).status).toBe(200)
  const probe = await until('the report', async () => {
    const { body } = await operator.call<ProbePage>('GET', '/console/api/probe-results?carrier=vendor')
    return body.probes.find(({ report }) => report !== undefined)
  })
  expect(probe).toMatchObject({ outcome: 'accepted', report: 'delivered', recipient: NUMBER })
  expect(probe.carrier_message_ids).toEqual([vendor.taken[0]?.id])
})
