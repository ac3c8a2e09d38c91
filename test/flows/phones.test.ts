import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { reportLost } from '../../src/carriers/phone/lost-messages.ts'
import { PHONE_PATH } from '../../src/carriers/phone/tokens.ts'
import type { Fate, PhoneEmulator } from '../../src/emulators/phone/phone.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { tokenOf } from '../support/phone-api.ts'
import { startNpmSmsc } from '../support/npm-smsc.ts'
import { phoneCarrier, PHONE_ROUTE, startPhone, untilPresent, type Aired } from '../support/phone.ts'
import { openService, type TestService } from '../support/service.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

let services: TestService[] = []
let phones: PhoneEmulator[] = []
let aired: Aired[] = []

beforeEach(() => {
  services = []
  phones = []
  aired = []
})
afterEach(async () => {
  for (const phone of phones) phone.kill()
  for (const service of services.toReversed()) await service.close()
})

async function open(settings: object = {}, more: object = {}): Promise<TestService> {
  const service = await openService({
    settings: { carriers: [phoneCarrier()], routes: PHONE_ROUTE, ...settings },
    config: { sandbox: true },
    ...more,
  })
  services.push(service)
  return service
}

function phoneOf(service: TestService, name: string, more: Parameters<typeof startPhone>[3] = {}): PhoneEmulator {
  const phone = startPhone(service, name, aired, more)
  phones.push(phone)
  return phone
}

async function send(service: TestService, recipients: readonly string[], content = 'Hello'): Promise<string> {
  const answer = await service.call<{ id: string }>('POST', '/sms/send', { recipients: recipients.join(), content })
  expect(answer.status).toBe(200)
  return answer.body.id
}

type Row = { status: string; carrier: string | null; refunded: boolean; code: string | null }

async function reaches(service: TestService, id: string, status: string, count = 1): Promise<Row[]> {
  return until(`${count} of ${id} to be ${status}`, async () => {
    const rows = await service.db<Row[]>`
      select status, carrier, refunded, code from deliveries where message_id = ${id} and status = ${status}`
    return rows.length === count && rows
  })
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => String(2348031000000 + from + n))

/** It fetches messages, but neither sends nor reports any. */
async function* silence(): Fate {}

describe('several phones', () => {
  test('share the messages, the least used SIM first, within their limits', async () => {
    const service = await open({ carriers: [phoneCarrier({ per_day: 5 })] })
    phoneOf(service, 'one')
    phoneOf(service, 'two', { sims: 2 })
    await untilPresent(service, 'one', 'two')
    const id = await send(service, numbers(15))
    await reaches(service, id, 'delivered', 15)
    const by_sim = new Map<string, number>()
    for (const { phone, sim } of aired) by_sim.set(`${phone} ${sim}`, (by_sim.get(`${phone} ${sim}`) ?? 0) + 1)
    expect(Object.fromEntries(by_sim)).toEqual({ 'one 1': 5, 'two 1': 5, 'two 2': 5 })

    const more = await send(service, numbers(1, 100))
    await until('the carrier to be down', async () => {
      const [row] = await service.db<{ count: number }[]>`
        select count(*)::int as count from phone_messages where message_id = ${more}`
      return row?.count === 0
    })
    expect(aired).toHaveLength(15)
    await service.db`update phone_messages set placed_datetime = now() - interval '25 hours'`
    await reaches(service, more, 'delivered')
  })

  test('one that does not fetch is skipped until it calls again, and its messages go to another', async () => {
    const service = await open({ carriers: [phoneCarrier({ take_within_s: 1 })] })
    const deaf = phoneOf(service, 'deaf')
    await untilPresent(service, 'deaf')
    await deaf.quiet()
    deaf.kill()
    const waiting = await send(service, numbers(2))
    await until('the phone to be skipped', async () => {
      const [row] = await service.db<
        { present: boolean }[]
      >`select phone_is_present(phones, 180) as present from phones`
      return row?.present === false
    })
    expect(aired).toEqual([])
    phoneOf(service, 'other')
    await reaches(service, waiting, 'delivered', 2)
    expect(aired.map(({ phone }) => phone)).toEqual(['other', 'other'])

    phoneOf(service, 'deaf', { memory: deaf.memory })
    await untilPresent(service, 'deaf', 'other')
    await reaches(service, await send(service, numbers(4, 50)), 'delivered', 4)
    expect(aired.slice(2).some(({ phone }) => phone === 'deaf')).toBe(true)
  })

  test('a message of a silent phone becomes unknown, is not sent by another, and a late report counts', async () => {
    const service = await open({ carriers: [phoneCarrier({ answer_within_s: 0.5 })] })
    const mute = phoneOf(service, 'mute', { send: silence })
    await untilPresent(service, 'mute')
    const id = await send(service, numbers(1))
    await reaches(service, id, 'sent')
    phoneOf(service, 'other')
    await untilPresent(service, 'other')
    mute.kill()
    await service.db`update phone_messages set valid_until = now() - interval '5 minutes'`
    const { takeReports } = await takeReportsOf(service)
    await reportLost({ db: service.db, takeReports }, 'phones')
    await reaches(service, id, 'unknown')
    expect(aired).toEqual([])
    const [message] = mute.memory.messages.values()
    const { token } = mute.memory.registration ?? { token: '' }
    const said = [{ id: message?.id, state: 'Delivered', recipients: [], states: {} }]
    expect(await call(service, 'PATCH', '/message', token, said)).toBe(204)
    await reaches(service, id, 'delivered')
    expect(await auditMoney(service.db)).toEqual([])
  })

  test('a message assigned again after a failure is also delivered by a late report on the first attempt', async () => {
    const service = await open()
    let tries = 0
    async function* failsOnce(): Fate {
      if (++tries === 1) yield { state: 'Failed', error: 'Send result: RESULT_ERROR_NO_SERVICE (…)' }
      else yield 'Sent'
    }
    const phone = phoneOf(service, 'one', { send: failsOnce })
    await untilPresent(service, 'one')
    const id = await send(service, numbers(1))
    await reaches(service, id, 'sent')
    const { token } = phone.memory.registration ?? { token: '' }
    const states = async () => {
      const rows = await service.db<{ id: string; state: string }[]>`
        select id, state from phone_messages where message_id = ${id} order by id`
      return { ids: rows.map((row) => row.id), states: rows.map((row) => row.state) }
    }
    const { ids } = await states()
    expect(ids).toHaveLength(2)
    const says = (...of: (string | undefined)[]) => {
      const said = of.map((one) => ({ id: one, state: 'Delivered', recipients: [], states: {} }))
      return call(service, 'PATCH', '/message', token, said)
    }
    expect(await says(ids[0])).toBe(204)
    await reaches(service, id, 'delivered')
    expect((await states()).states).toEqual(['failed', 'sent'])
    expect(await says(...ids)).toBe(204)
    expect((await states()).states).toEqual(['failed', 'done'])
    // Both had failed.
    await service.db`update phone_messages set state = 'failed', phone_state = 'Failed'`
    expect(await says(...ids)).toBe(204)
    expect((await states()).states).toEqual(['done', 'failed'])
  })

  test('a SIM rests after repeated failures, and the others continue', async () => {
    const service = await open()
    const NO_CREDIT = 'Send result: RESULT_ERROR_GENERIC_FAILURE (Generic failure cause)'
    async function* fails(): Fate {
      yield { state: 'Failed', error: NO_CREDIT }
    }
    phoneOf(service, 'empty', { send: fails })
    await untilPresent(service, 'empty')
    for (const number of numbers(3)) {
      const [row] = await reaches(service, await send(service, [number]), 'rejected')
      expect(row).toMatchObject({ refunded: true, code: 'generic_failure' })
    }
    phoneOf(service, 'full')
    await untilPresent(service, 'full')
    await reaches(service, await send(service, numbers(5, 10)), 'delivered', 5)
    expect(aired.map(({ phone }) => phone)).toEqual(Array(5).fill('full'))
  })
})

describe('a route over phones and other carriers', () => {
  const settings = {
    carriers: [phoneCarrier({ take_within_s: 1 }), { kind: 'simulator', name: 'next', report_delay_ms: 10 }],
    routes: [{ name: 'line', channel: 'sms', carriers: ['phones', 'next'], failover_after_s: 1 }],
  }

  test('uses the next carrier while no phone is present, and returns to the phones', async () => {
    const service = await open(settings)
    const [first] = await reaches(service, await send(service, numbers(1)), 'delivered')
    expect(first?.carrier).toBe('next')
    phoneOf(service, 'one')
    await untilPresent(service, 'one')
    await until('messages to go by phone again', async () => {
      const [row] = await reaches(service, await send(service, numbers(1, aired.length)), 'delivered')
      return row?.carrier === 'phones'
    })
    expect(aired.length).toBeGreaterThan(0)
  })

  test('sends there what the phone cannot send, and not what it may have sent', async () => {
    const service = await open(settings)
    const fetched: string[] = []
    async function* chooses({ to }: { to: string }): Fate {
      fetched.push(to)
      if (to.endsWith('1')) yield { state: 'Failed', error: 'Send result: RESULT_ERROR_SHORT_CODE_NOT_ALLOWED (…)' }
      else yield { state: 'Failed', error: 'Send result: RESULT_NETWORK_ERROR (…)' }
    }
    phoneOf(service, 'one', { send: chooses })
    await untilPresent(service, 'one')
    await until('one to go to the phone first', async () => {
      const [moved] = await reaches(service, await send(service, ['2348031000001']), 'delivered')
      expect(moved?.carrier).toBe('next')
      return fetched.length > 0
    })
    const [ended] = await reaches(service, await send(service, ['2348031000002']), 'rejected')
    expect(ended).toMatchObject({ refunded: true, code: 'network_error' })
  })
})

test('a route over phones and SMPP sends everything once, while either is down', async () => {
  const smsc = await startNpmSmsc()
  const service = await open({
    carriers: [phoneCarrier({ take_within_s: 5 }), smppCarrier(smsc.port)],
    routes: [{ name: 'line', channel: 'sms', carriers: ['phones', 'mtn'], failover_after_s: 1 }],
  })
  const phone = phoneOf(service, 'one')
  await untilPresent(service, 'one')
  const sent: string[] = []
  const sendNext = async (): Promise<string> => {
    const next = numbers(3, sent.length)
    sent.push(...next)
    return send(service, next)
  }
  // Until the carrier has seen the phone, the SMPP carrier replaces it.
  await until('messages to go by phone', async () => {
    const id = await sendNext()
    await until('them to go', async () => {
      const [row] = await service.db<{ gone: boolean }[]>`
        select count(*) = 3 as gone from deliveries where message_id = ${id} and status in ('sent', 'delivered')`
      return row?.gone
    })
    return aired.length > 0
  })
  await phone.quiet()
  phone.kill()
  const by_line = smsc.submits.length
  await reaches(service, await sendNext(), 'sent', 3)
  expect(smsc.submits.length - by_line).toBe(3)
  const everywhere = [...aired.map(({ to }) => to), ...smsc.submits.map(({ destination_addr }) => destination_addr)]
  expect(everywhere.map((to) => to.replace('+', '')).toSorted()).toEqual(sent.toSorted())
  await smsc.close()
})

test('two processes: one submits, the phone is connected to the other', async () => {
  const worker = await open()
  const front = await open({}, { beside: worker, workers: false })
  phoneOf(front, 'one', { sims: 2 })
  await untilPresent(worker, 'one')
  const id = await send(worker, numbers(30))
  await reaches(worker, id, 'delivered', 30)
  expect(aired).toHaveLength(30)
  expect(new Set(aired.map(({ to }) => to)).size).toBe(30)
})

describe('an inbound text', () => {
  test('to a SIM is received once, with the normalised number, and STOP opts out', async () => {
    const service = await open()
    const phone = phoneOf(service, 'one')
    await until('the webhooks', () => phone.memory.webhooks.length > 0 && phone.memory.signing_key !== undefined)
    phone.receive({ from: '08031234567', text: 'STOP', recipient: '+234 803 999 9999' })
    phone.receive({ from: '08037654321', text: 'Hello?' })
    await phone.quiet()
    const rows = await service.db<{ from: string; to: string; text: string }[]>`
      select "from", "to", text from inbound_messages order by id`
    expect(rows).toEqual([
      { from: '2348031234567', to: '2348039999999', text: 'STOP' },
      { from: '2348037654321', to: '2348039999999', text: 'Hello?' },
    ])
    const id = await send(service, ['2348031234567'])
    await reaches(service, id, 'rejected')
    expect(aired).toEqual([])
  })
})

describe('a client', () => {
  test('without a token, with a wrong one, or with that of another phone learns and changes nothing', async () => {
    const service = await open()
    const phone = phoneOf(service, 'one')
    await untilPresent(service, 'one')
    const paths = ['/device', '/message', '/settings', '/webhooks', '/events']
    for (const token of ['', 'x', 'a'.repeat(32), 'b'.repeat(5_000), tokenOf('phones')]) {
      for (const path of paths) expect(await call(service, 'GET', path, token)).toBe(401)
      expect(await call(service, 'PATCH', '/message', token, [])).toBe(401)
      expect(await call(service, 'PATCH', '/device', token, {})).toBe(401)
    }
    for (const token of ['', 'x', tokenOf('others'), tokenOf('phones', 2)]) {
      expect(await call(service, 'POST', '/device', token, { name: 'spy' })).toBe(401)
    }
    const { id } = phone.memory.registration ?? { id: '' }
    const body = JSON.stringify({
      id: 'x',
      event: 'sms:received',
      payload: { message: 'STOP', sender: '2348031234567' },
    })
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const forged = createHmac('sha256', 'guess')
      .update(body + timestamp)
      .digest('hex')
    for (const headers of [{}, { 'x-signature': forged, 'x-timestamp': timestamp }, { 'x-signature': 'zz' }]) {
      const answer = await fetch(`${service.url}${PHONE_PATH}/webhooks/${id}`, { method: 'POST', body, headers })
      expect(answer.status).toBe(401)
    }
    const [{ count } = { count: 0 }] = await service.db<{ count: number }[]>`select count(*)::int as count from phones`
    expect(count).toBe(1)
    expect(await service.db`select 1 from inbound_messages`).toHaveLength(0)
  })

  test('with a phone of its own cannot change the messages of another phone', async () => {
    const service = await open({ carriers: [phoneCarrier({ answer_within_s: 0.5 })] })
    const mute = phoneOf(service, 'mute', { send: silence })
    await untilPresent(service, 'mute')
    const id = await send(service, numbers(1))
    await reaches(service, id, 'sent')
    const other = phoneOf(service, 'other')
    await untilPresent(service, 'other')
    const [message] = mute.memory.messages.values()
    const said = [{ id: message?.id, state: 'Delivered', recipients: [], states: {} }]
    expect(await call(service, 'PATCH', '/message', other.memory.registration?.token ?? '', said)).toBe(204)
    expect(await service.db`select 1 from phone_messages where phone_state is not null`).toHaveLength(0)
    expect(await service.db`select 1 from reports`).toHaveLength(0)
  })
})

async function call(
  service: TestService,
  method: string,
  path: string,
  token: string,
  body?: unknown,
): Promise<number> {
  const answer = await fetch(service.url + PHONE_PATH + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  await answer.body?.cancel()
  return answer.status
}

/** Receives reports like the service, in the test's process. */
async function takeReportsOf(service: TestService) {
  const { makeReceiveReports } = await import('../../src/messaging/reports/receive-reports.ts')
  const { makeWakeups } = await import('../../src/queue/wakeups.ts')
  const wakeups = await makeWakeups(service.db)
  const take = makeReceiveReports({ db: service.db, wakeups })
  return {
    takeReports: async (...given: Parameters<typeof take>) => {
      await take(...given)
      await wakeups.close()
    },
  }
}
