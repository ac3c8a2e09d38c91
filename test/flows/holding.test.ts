import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STATUS } from '../../src/carriers/codec/status.ts'
import { pauseCarrier } from '../../src/carriers/availability-store.ts'
import { temporaryFolder } from '../support/folder.ts'
import { openService, type TestService } from '../support/service.ts'
import { startNpmSmsc, type NpmSmsc } from '../support/npm-smsc.ts'
import { person, type Person } from '../support/person.ts'
import { runGangan } from '../support/process.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

type Hold = {
  route: string
  carrier?: string
  reason: string
  detail: string
  count: number
  since?: string
  until?: string
}

const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
const NOBODY_LISTENS = 1

let smscs: Record<'taking' | 'refusing' | 'throttling' | 'full', NpmSmsc>
let service: TestService
let operator: Person
/** A process that only serves HTTP, of an installation whose routes were renamed. */
let later: TestService

/** One carrier per reason for which messages are held, with a route by number prefix. */
function settings() {
  const carriers = [
    smppCarrier(NOBODY_LISTENS, { name: 'away', reconnect_after_s: 30 }),
    smppCarrier(smscs.refusing.port, { name: 'refusing' }),
    smppCarrier(smscs.throttling.port, { name: 'throttling', response_timeout_s: 60 }),
    smppCarrier(smscs.full.port, { name: 'full' }),
    smppCarrier(smscs.taking.port, { name: 'taking' }),
    smppCarrier(smscs.taking.port, { name: 'slow-bind', rate_per_bind: 0.1 }),
    smppCarrier(smscs.taking.port, { name: 'slow-account', rate_per_account: 0.1 }),
    {
      kind: 'whatsapp_cloud',
      name: 'wa',
      phone_number_id: '1',
      waba_id: '2',
      access_token: 'token',
      app_secrets: ['secret'],
      verify_token: 'verify me',
    },
  ]
  const routes = [
    { name: 'away', channel: 'sms', prefix: '', carrier: 'away' },
    { name: 'refused', channel: 'sms', prefix: '1', carrier: 'refusing' },
    { name: 'throttled', channel: 'sms', prefix: '44', carrier: 'throttling' },
    { name: 'full', channel: 'sms', prefix: '33', carrier: 'full' },
    { name: 'free', channel: 'sms', prefix: '49', carrier: 'taking' },
    { name: 'slow-bind', channel: 'sms', prefix: '254', carrier: 'slow-bind' },
    { name: 'slow-account', channel: 'sms', prefix: '255', carrier: 'slow-account' },
    { name: 'slow-route', channel: 'sms', prefix: '256', carrier: 'taking', rate_per_s: 0.1 },
    { name: 'two', channel: 'sms', prefix: '39', carriers: ['away', 'refusing'], failover_after_s: 600 },
    { name: 'wa', channel: 'whatsapp', carrier: 'wa' },
  ]
  return { carriers, routes }
}

beforeAll(async () => {
  smscs = {
    taking: await startNpmSmsc(),
    refusing: await startNpmSmsc(),
    throttling: await startNpmSmsc(),
    full: await startNpmSmsc(),
  }
  smscs.refusing.refuse_binds = STATUS.RINVPASWD
  smscs.throttling.answer = () => ({ command_status: STATUS.RTHROTTLED })
  smscs.full.answer = () => ({ command_status: STATUS.RMSGQFUL })
  service = await openService({ credit: 10_000, settings: settings() })
  operator = await person(service, null)
})
afterAll(async () => {
  await later?.close()
  await service.close()
  for (const smsc of Object.values(smscs)) await smsc.close()
})

async function send(beginning: string, count = 1): Promise<void> {
  // Mobile numbers of France, Italy and countries with codes from 25 have nine digits, others ten.
  const national = /^(33|39|25)/.test(beginning) ? '70012345' : '700123450'
  const recipients = Array.from({ length: count }, (_, n) => `${beginning}${national}${n}`)
  expect((await service.call('POST', '/sms/send', { recipients, content: 'Hello' })).status).toBe(200)
}

/** As shown on the console's page. */
const holds = async (): Promise<Hold[]> =>
  (await operator.call<{ holds: Hold[] }>('GET', '/console/api/carriers')).body.holds

const held = (route: string): Promise<Hold> =>
  until(`messages of ${route} to be held`, async () => (await holds()).find((one) => one.route === route))

describe('a message that cannot be submitted is shown with its reason', () => {
  test('the carrier does not respond', async () => {
    await send('234', 2)
    const hold = await until('why', async () => (await holds()).find(({ detail }) => detail.includes('ECONNREFUSED')))
    expect(hold).toMatchObject({ route: 'away', carrier: 'away', reason: 'not_bound', count: 2 })
    expect(hold).toMatchObject({ since: MOMENT, until: MOMENT })
    await until('the metric', async () => {
      const text = await (await fetch(`${service.url}/metrics`)).text()
      return text.includes('gangan_messages_held{route="away",carrier="away",reason="not_bound"} 2')
    })
  })

  test('the bind is refused', async () => {
    await send('1')
    const hold = await until('why', async () => (await holds()).find(({ detail }) => detail.includes('RINVPASWD')))
    expect(hold).toMatchObject({ route: 'refused', carrier: 'refusing', reason: 'not_bound', count: 1, until: MOMENT })
  })

  test('another carrier may replace it after failover_after_s', async () => {
    await send('39')
    expect(await held('two')).toMatchObject({
      carrier: 'away',
      reason: 'not_bound',
      detail: expect.stringContaining('after 600 s refusing may replace it'),
    })
  })

  test("it exceeds the carrier's limit", async () => {
    await send('44')
    expect(await held('throttled')).toMatchObject({ carrier: 'throttling', reason: 'throttled', until: MOMENT })
  })

  test('the carrier rejects it temporarily', async () => {
    await send('33')
    const hold = await until('why', async () => (await holds()).find(({ detail }) => detail.includes('RMSGQFUL')))
    expect(hold).toMatchObject({ route: 'full', carrier: 'full', reason: 'refused', count: 1, until: MOMENT })
  })

  test.each([
    ['of a bind', '254', 'slow-bind'],
    ['of the account', '255', 'slow-account'],
    ['of the route', '256', 'slow-route'],
  ])('the rate limit delays it %s', async (_, beginning, route) => {
    await send(beginning, 9)
    expect(await held(route)).toMatchObject({ reason: 'rate', detail: expect.stringContaining('0.1'), since: MOMENT })
  })

  test('the number is paused', async () => {
    await pauseCarrier(service.db, 'wa', { for_s: 600, code: '131031', reason: 'the account is locked' })
    await service.db`
      insert into jobs (queue, lane, organisation_id, subject_id, leased_until, leased)
      values ('route:wa', ${service.id}, ${service.id}, ${service.id}, 'infinity', true)`
    expect(await held('wa')).toMatchObject({ reason: 'paused', detail: '131031 the account is locked', until: MOMENT })
    await service.db`delete from jobs where queue = 'route:wa'`
  })

  test('no message is held that is being submitted', async () => {
    await send('49', 3)
    const ours = () => smscs.taking.submits.filter(({ destination_addr }) => destination_addr.startsWith('49'))
    await until('all to be submitted', () => ours().length === 3)
    await until('the queue to be empty', async () => {
      return (
        (
          await service.db`select 1 from jobs where queue = 'route:free' union all select 1 from intake where route = 'free'`
        ).length === 0
      )
    })
    expect((await holds()).filter(({ route }) => route === 'free')).toEqual([])
  })
})

test('gangan carriers shows it, too', async () => {
  await held('away')
  const folder = await temporaryFolder()
  const path = join(folder.path, 'gangan.json')
  await writeFile(path, JSON.stringify(settings()))
  const { stdout } = await runGangan(['carriers'], { DATABASE_URL: service.database.url, GANGAN_CONFIG: path })
  expect(stdout).toMatch(/^away +away +2 +not_bound +\d{4}-.*ECONNREFUSED/m)
  expect(stdout).toMatch(/^full +full +1 +refused .*RMSGQFUL/m)
  await folder.remove()
})

test('a carrier that no process serves, and a removed route, are shown as well', async () => {
  const { carriers, routes } = settings()
  const renamed = [
    ...routes.filter(({ name }) => name !== 'away'),
    { name: 'new', channel: 'sms', prefix: '', carrier: 'unserved' },
  ]
  const more = [...carriers, smppCarrier(NOBODY_LISTENS, { name: 'unserved' })]
  later = await openService({ settings: { carriers: more, routes: renamed }, beside: service, workers: false })
  expect((await later.call('POST', '/sms/send', { recipients: '2348031234567', content: 'Hi' })).status).toBe(200)
  // The route of test keys is not configured; it is not an error.
  const twin = await later.organisation({ of: service, mode: 'test' })
  expect((await twin.call('POST', '/sms/send', { recipients: '2348031234567', content: 'Hi' })).status).toBe(200)
  const viewer = await person(later, null)
  const { body } = await viewer.call<{ holds: Hold[] }>('GET', '/console/api/carriers')
  expect(body.holds.filter(({ reason }) => reason === 'no_route')).toMatchObject([{ route: 'away', count: 2 }])
  expect(body.holds.filter(({ reason }) => reason === 'not_served')).toMatchObject([
    { route: 'new', carrier: 'unserved' },
  ])
})
