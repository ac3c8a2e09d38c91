import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PHONE_PATH } from '../../src/carriers/phone/tokens.ts'
import type { PhoneEmulator } from '../../src/emulators/phone/phone.ts'
import { startPhoneEmulator } from '../../src/emulators/phone/phone.ts'
import { startSmsc, type Smsc } from '../../src/emulators/smsc/smsc.ts'
import type { ProbePage, ShownPlan, ShownProbe } from '../../src/probes/schema.ts'
import { probeNetworkOf } from '../../src/probes/network.ts'
import { claimProbes } from '../../src/probes/send.ts'
import { closeAbandoned, countProbes } from '../../src/probes/store.ts'
import { makeWakeups } from '../../src/queue/wakeups.ts'
import { person, type Person } from '../support/person.ts'
import { untilPresent } from '../support/phone.ts'
import { tokenOf } from '../support/phone-api.ts'
import { openService, type TestService } from '../support/service.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

const NUMBER = '2348031234567'
const LONG = `Dear customer, your code is {{code}}. ${'It is valid for a few minutes only. '.repeat(5)}`

let honest: Smsc
/** It reports everything as delivered; what its handsets get is passed on to no phone. */
let faker: Smsc
let service: TestService
let operator: Person
let phone: PhoneEmulator
/** What the phone displays instead of the text; undefined: the text. */
let displayed: ((text: string) => string[]) | undefined

beforeAll(async () => {
  honest = await startSmsc()
  faker = await startSmsc({ reports: { early_share: 1 } })
  service = await openService({ settings: settings() })
  operator = await person(service, null)
  phone = startPhoneEmulator({
    url: service.url + PHONE_PATH,
    token: tokenOf('drawer'),
    name: 'drawer',
    sims: 1,
    send: async function* () {},
  })
  honest.handsets.watch(({ from, to, text }) => {
    for (const one of displayed?.(text) ?? [text]) phone.receive({ from, text: one, recipient: `+${to}` })
  })
  await untilPresent(service, 'drawer')
  await until('the webhooks of the phone', () => phone.memory.webhooks.length > 0)
})
afterAll(async () => {
  phone.kill()
  await service.close()
  await honest.stop()
  await faker.stop()
})
beforeEach(() => {
  displayed = undefined
})
afterEach(async () => {
  await service.db`delete from probe_plans`
})

function settings() {
  return {
    carriers: [
      smppCarrier(honest.port, { name: 'honest' }),
      smppCarrier(faker.port, { name: 'faker' }),
      { kind: 'phone', name: 'drawer', probe: true, numbers: [{ number: `+${NUMBER}` }] },
    ],
    routes: [{ name: 'sms', channel: 'sms', carrier: 'honest' }],
  }
}

async function create(name: string, more: object = {}): Promise<ShownPlan> {
  const plan = { name, carrier: 'honest', operator: 'mtn', sender_id: 'Gangan', wordings: ['Your code is {{code}}'] }
  const made = await operator.call<{ plan: ShownPlan }>('POST', '/console/api/probes', { ...plan, ...more })
  expect([made.status, made.text]).toEqual([200, expect.any(String)])
  return made.body.plan
}

async function run(name: string): Promise<ShownProbe> {
  const { status, text, body } = await operator.call<{ probe: ShownProbe }>('POST', `/console/api/probes/${name}/run`)
  expect([status, text]).toEqual([200, expect.any(String)])
  return body.probe
}

/** The probe, once it fits. */
async function probeOf(id: string, fits: (probe: ShownProbe) => boolean): Promise<ShownProbe> {
  return until(`the probe ${id}`, async () => {
    const { body } = await operator.call<ProbePage>('GET', '/console/api/probe-results')
    return body.probes.find((one) => one.id === id && fits(one))
  })
}

describe('a probe', () => {
  test('arrives at its phone and is reported; it is charged to nobody and becomes no inbound message', async () => {
    const plan = await create('arrives', { sender_id: 'MyBank' })
    expect(plan).toMatchObject({ enabled: false, operator: 'MTN', country: 'NG', numbers: 1, per_day: 24 })
    const { id } = await run('arrives')
    const probe = await probeOf(id, (one) => one.arrived === true && one.report !== undefined)
    expect(probe).toMatchObject({
      plan: 'arrives',
      carrier: 'honest',
      recipient: NUMBER,
      outcome: 'accepted',
      report: 'delivered',
      displayed: 'equal',
      displayed_sender: 'MyBank',
    })
    expect(probe.text).toMatch(/^Your code is \d{6}$/)
    expect(probe.displayed_text).toBeUndefined()
    expect(probe.seconds).toBeGreaterThanOrEqual(0)
    const [rows] = await service.db`
      select (select count(*)::integer from inbound_messages) as inbound,
        (select count(*)::integer from conversations) as conversations,
        (select count(*)::integer from messages) as messages, (select count(*)::integer from reports) as reports,
        (select count(*)::integer from ledger_lines where kind = 'message') as charged`
    expect(rows).toEqual({ inbound: 0, conversations: 0, messages: 0, reports: 0, charged: 0 })
  })

  test('that is reported and never arrives counts as lost after an hour; one too early to be matched is not lost', async () => {
    await create('faked', { carrier: 'faker' })
    const { id } = await run('faked')
    const fresh = await probeOf(id, ({ report }) => report === 'delivered')
    expect(fresh.arrived).toBeUndefined()
    await service.db`update probes set submitted_datetime = now() - interval '61 minutes' where id = ${id}`
    expect((await probeOf(id, ({ arrived }) => arrived !== undefined)).arrived).toBe(false)
  })

  test('shows a text that the network changed, and one of which a part arrived', async () => {
    await create('shown')
    displayed = (text) => [`${text} (advertisement)`]
    const changed = await probeOf((await run('shown')).id, ({ arrived }) => arrived === true)
    expect(changed).toMatchObject({ displayed: 'changed', displayed_text: `${changed.text} (advertisement)` })
    displayed = (text) => [text.slice(0, 5), text.slice(5)]
    const part = await probeOf((await run('shown')).id, ({ arrived }) => arrived === true)
    expect(part).toMatchObject({ displayed: 'part', displayed_text: part.text.slice(5) })
  })

  test('in segments is delivered once each of them is reported', async () => {
    await create('long', { wordings: [LONG] })
    const probe = await probeOf((await run('long')).id, (one) => one.arrived === true && one.report !== undefined)
    expect(probe).toMatchObject({ report: 'delivered', displayed: 'equal' })
    expect(probe.carrier_message_ids).toHaveLength(2)
  })

  test('that is refused says why', async () => {
    honest.change({ errors: { RINVSRCADR: 1 } })
    try {
      await create('refused')
      expect(await run('refused')).toMatchObject({
        outcome: 'rejected',
        outcome_reason: expect.stringContaining('RINVSRCADR'),
      })
    } finally {
      honest.change({ errors: {} })
    }
  })
})

test('a text to a probe phone that is no probe is dropped', async () => {
  const posts = phone.memory.posts.length
  phone.receive({ from: '+2348039999999', text: 'Hello 123456 STOP', recipient: `+${NUMBER}` })
  await phone.quiet()
  expect([posts, phone.memory.posts.length]).toEqual([0, 0])
  const [row] = await service.db`select count(*)::integer as count from inbound_messages`
  expect(row?.count).toBe(0)
})

describe('plans that are due', () => {
  const COUNT = 12

  async function makeDue(): Promise<void> {
    for (let n = 0; n < COUNT; n += 1) {
      await create(`due-${n}`)
      await operator.call('PATCH', `/console/api/probes/due-${n}`, { enabled: true })
    }
    await service.db`update probe_plans set next_datetime = now()`
  }

  test('are sent once by several processes', async () => {
    const beside = await openService({ beside: service, settings: settings() })
    try {
      const before = honest.handsets.shown.length
      await makeDue()
      await until('the probes', async () => {
        const [row] = await service.db`
          select count(*)::integer as count from probes where plan like 'due-%' and arrived_datetime is not null`
        return row?.count === COUNT
      })
      expect(honest.handsets.shown.length - before).toBe(COUNT)
      const [row] = await service.db`
        select count(*)::integer as probes, count(distinct plan)::integer as plans from probes where plan like 'due-%'`
      expect(row).toEqual({ probes: COUNT, plans: COUNT })
      const [next] = await service.db`select bool_and(next_datetime > now()) as later from probe_plans`
      expect(next?.later).toBe(true)
    } finally {
      await beside.close()
    }
  })

  test('are claimed by one of several claims, and a probe whose process ended is never sent', async () => {
    const idle = await openService({ settings: settings(), workers: false })
    const wakeups = await makeWakeups(idle.db)
    try {
      const network = probeNetworkOf(idle.config.settings.carriers)
      const deps = { db: idle.db, wakeups, readNetwork: () => network }
      await idle.db`
        insert into phones (id, carrier, name, app, token_hash, seen_datetime)
        values (gen_random_uuid(), 'drawer', 'one', '', '\\x00', now())`
      await idle.db`
        insert into probe_plans
          (id, name, carrier, country, operator, sender_id, wordings, per_day, from_hour, to_hour, changed_by, next_datetime)
        select gen_random_uuid(), 'plan-' || n, 'honest', 'NG', 'MTN', 'Gangan', array['{{word}}'], 5, 0, 24, 'test', now()
        from generate_series(1, 30) n`
      const claims = await Promise.all(Array.from({ length: 6 }, () => claimProbes(deps, 20)))
      const names = claims.flat().map(({ plan }) => plan)
      expect(names).toHaveLength(30)
      expect(new Set(names).size).toBe(30)

      await idle.db`update probes set submitted_datetime = now() - interval '5 minutes'`
      await closeAbandoned(idle.db, 180)
      const rows = await idle.db`select outcome, count(*)::integer as count from probes group by outcome`
      expect(rows).toEqual([{ outcome: 'unknown', count: 30 }])
      expect(await claimProbes(deps, 20)).toEqual([])
    } finally {
      await wakeups.close()
      await idle.close()
    }
  })

  test('send no more than their limit of a day', async () => {
    await create('often', { per_day: 1 })
    await run('often')
    await operator.call('PATCH', '/console/api/probes/often', { enabled: true })
    await service.db`update probe_plans set next_datetime = now()`
    await until('the plan to be moved', async () => {
      const [row] = await service.db`select next_datetime > now() as moved from probe_plans where name = 'often'`
      return row?.moved
    })
    const [row] = await service.db`select count(*)::integer as count from probes where plan = 'often'`
    expect(row?.count).toBe(1)
  })

  test('say why nothing is sent while the phone is away', async () => {
    await create('away')
    await operator.call('PATCH', '/console/api/probes/away', { enabled: true })
    await service.db`update phones set seen_datetime = now() - interval '1 hour'`
    await service.db`update probe_plans set next_datetime = now()`
    try {
      const problem = await until('the problem', async () => {
        const { body } = await operator.call<{ plans: ShownPlan[] }>('GET', '/console/api/probes')
        return body.plans[0]?.problem
      })
      expect(problem).toBe('No phone with a number of MTN is present.')
    } finally {
      await service.db`update phones set seen_datetime = now()`
    }
  })
})

test('only probes between others that arrived at the same number accuse a carrier', async () => {
  const { db } = service
  await db`delete from probes`
  const insert = (carrier: string, recipient: string, hours_ago: number, arrived: boolean) => db`
    insert into probes (id, plan, carrier, country, operator, sender_id, phone_carrier, recipient, text, mark,
      submitted_datetime, outcome, report, arrived_datetime, displayed)
    select overlay(gen_random_uuid()::text placing left(first_id_at(at)::text, 13) from 1 for 13)::uuid, 'plan', ${carrier},
      'NG', 'MTN', 'Gangan', 'drawer', ${recipient}, 'text', gen_random_uuid()::text, at, 'accepted', 'delivered',
      case when ${arrived} then at end, case when ${arrived} then 'equal' end
    from (select now() - ${hours_ago} * interval '1 hour' as at) moment`
  await insert('honest', NUMBER, 30, true)
  await insert('faker', NUMBER, 29, false)
  await insert('honest', NUMBER, 28, true)
  await insert('honest', NUMBER, 27, true)
  // After it nothing arrived for a day.
  await insert('faker', NUMBER, 26, false)
  await insert('honest', NUMBER, 1.5, true)
  // At a number without reception.
  await insert('faker', '2348030000001', 20, false)
  await insert('faker', '2348030000001', 19, false)
  const since = new Date(Date.now() - 48 * 3_600_000).toISOString()
  expect(await countProbes(db, since)).toEqual([
    { carrier: 'faker', country: 'NG', operator: 'MTN', delivered: 1, arrived: 0 },
    { carrier: 'honest', country: 'NG', operator: 'MTN', delivered: 1, arrived: 1 },
  ])
  expect(await countProbes(db, new Date().toISOString())).toEqual([])
})
