import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectBeside, type Db } from '../../src/db/connect.ts'
import { routeQueue } from '../../src/messaging/dispatch/queues.ts'
import { firstAttempts } from '../../src/messaging/dispatch/first-attempts.ts'
import { makeRecorder } from '../../src/messaging/dispatch/recorder.ts'
import { makeRecentSubmissions, type RecentSubmissions } from '../../src/messaging/reports/recent-submissions.ts'
import { makeReceiveReports } from '../../src/messaging/reports/receive-reports.ts'
import type { Erasure } from '../../src/people/schema.ts'
import { takeStep } from '../../src/people/erase-worker.ts'
import { pepperKeys } from '../../src/otp/pepper.ts'
import { makeSeal } from '../../src/values/secrets/seal.ts'
import { transaction } from '../../src/db/transaction.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { draftOf, heldOf } from '../support/drafts.ts'
import { PEPPER } from '../support/secret-seal.ts'
import { claimAll, emptyIntake } from '../support/intake.ts'
import { makeTestCarrier } from '../support/route.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { makeSettler, type Seen } from '../support/settling.ts'
import { between, noteStatements } from '../support/statements.ts'
import { until } from '../support/until.ts'

const RECIPIENT = '2348031234567'
const OTHER = '2348037654321'
const body = (more: object = {}) => ({ recipients: RECIPIENT, content: 'Hello', ...more })

describe('a report on a message that this process has just submitted', () => {
  let service: TestService
  let db: Db
  let asked: string[]
  let recent: RecentSubmissions
  let last = 0

  beforeAll(async () => {
    service = await openService({ workers: false })
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    recent = makeRecentSubmissions()
    db = connectBeside(service.db, { connections: 2 })
    db.nodes.direct = false
    asked = noteStatements(db)
  })
  afterEach(() => db.end())

  /**
   * A message that a carrier has accepted, as the dispatcher of this process records and remembers it; returns its
   * carrier message id.
   */
  async function handOver(
    by: Organisation,
    callback: string | undefined,
    external_ref?: string,
  ): Promise<{ id: string; carrier_id: string }> {
    const { id } = (await by.call<{ id: string }>('POST', '/sms/send', body({ callback, external_ref }))).body
    await emptyIntake(service.db, by.id)
    await service.db`
      update deliveries set status = 'sent', carrier = 'line', sent_datetime = now()
      where organisation_id = ${by.id} and message_id = ${id}`
    const carrier_id = `taken-${(last += 1)}`
    await service.db`
      insert into submissions (carrier, carrier_message_id, organisation_id, message_id, recipient, report_due)
      values ('line', ${carrier_id}, ${by.id}, ${id}, ${RECIPIENT}, now() + interval '1 h')`
    const delivery = heldOf(by.id, draftOf({ id, sender_id: null, callback, external_ref }))
    const [row] = await service.db<{ clock_ms: number }[]>`
      select (extract(epoch from now()) * 1000)::float8 as clock_ms`
    const sent_ms = row?.clock_ms ?? 0
    recent.noteClock(by.id, sent_ms)
    recent.note('line', carrier_id, { delivery, route: 'simulator', report_due_s: 3_600, sent_ms })
    return { id, carrier_id }
  }

  async function report(...carrier_ids: string[]): Promise<Seen> {
    const { deps, seen } = makeSettler(db, { recent })
    const reports = carrier_ids.map((carrier_message_id) => ({
      carrier: 'line',
      carrier_message_id,
      status: 'delivered' as const,
      code: '000',
      description: 'DELIVRD',
    }))
    await makeReceiveReports(deps, deps)(reports)
    return seen
  }

  async function stateOf({ id: by }: Organisation, id: string) {
    const [row] = await service.db<{ status: string; code: string; moment: string }[]>`
      select status, code, updated_datetime as moment from deliveries
      where organisation_id = ${by} and message_id = ${id}`
    return row
  }

  const eventsOf = async ({ id: by }: Organisation, id: string) => {
    const rows = await service.db<{ url: string; body: string }[]>`
      select url, body from callbacks where organisation_id = ${by} and subject_id = ${id} order by url`
    return rows.map(({ url, body: text }) => ({ url, event: JSON.parse(text) as { data: Record<string, unknown> } }))
  }

  test('is settled by one statement, and reported with the stored time', async () => {
    const by = await service.organisation()
    const one = await handOver(by, 'https://example.com/reports')
    await report(one.carrier_id)
    expect(asked.filter((text) => /^\s*(select|insert|with|update)/.test(text))).toEqual([
      expect.stringContaining('settle_delivered'),
    ])
    const state = await stateOf(by, one.id)
    expect(state).toMatchObject({ status: 'delivered', code: '000' })
    const [event, ...more] = await eventsOf(by, one.id)
    expect(more).toEqual([])
    expect(event).toMatchObject({
      url: 'https://example.com/reports',
      event: { data: { id: one.id, recipient: RECIPIENT, status: 'delivered', updated_datetime: state?.moment } },
    })
  })

  test('is settled in the same way if the message was claimed from the intake', async () => {
    const by = await service.organisation()
    const given = { external_ref: 'order 17', callback: 'https://example.com/reports' }
    const { id } = (await by.call<{ id: string }>('POST', '/sms/send', body(given))).body
    const { deps } = makeSettler(service.db, { recent })
    const [claimed] = await claimAll(service.db, by.id)
    const [delivery] = claimed?.granted ?? []
    if (!claimed || !delivery) throw new Error('nothing was claimed')
    const { route } = claimed
    const target = { queue: routeQueue(route), carrier: makeTestCarrier({ name: 'line' }) }
    const settling = { ...deps, log: { info() {}, warn() {}, error() {} } }
    const { record } = makeRecorder(settling, { route }, firstAttempts(settling, route))
    await record(target, delivery, { kind: 'accepted', carrier_message_id: `of-${id}`, report_due_s: 3_600 })
    await report(`of-${id}`)
    expect(asked.filter((text) => /^\s*(select|insert|with|update)/.test(text))).toEqual([
      expect.stringContaining('settle_delivered'),
    ])
    const [state] = await service.db<{ status: string; in_order: boolean }[]>`
      select status, updated_datetime between sent_datetime and clock_timestamp() as in_order from deliveries
      where organisation_id = ${by.id} and message_id = ${id}`
    expect(state).toEqual({ status: 'delivered', in_order: true })
    const events = await eventsOf(by, id)
    expect(events).toMatchObject([{ url: given.callback, event: { data: { id, external_ref: 'order 17' } } }])
  })

  test('received twice, together or again, causes one callback', async () => {
    const by = await service.organisation()
    const one = await handOver(by, 'https://example.com/reports')
    await report(one.carrier_id, one.carrier_id)
    await report(one.carrier_id)
    expect(await eventsOf(by, one.id)).toHaveLength(1)
  })

  test('is reported to webhooks, too: then it is looked up, as are the next ones', async () => {
    const by = await service.organisation()
    const [first, second] = [await handOver(by, undefined), await handOver(by, 'https://example.com/reports')]
    await by.call('POST', '/webhooks', { url: 'https://example.com/events' })
    await report(first.carrier_id)
    expect(await stateOf(by, first.id)).toMatchObject({ status: 'delivered' })
    expect((await eventsOf(by, first.id)).map(({ url }) => url)).toEqual(['https://example.com/events'])
    asked.length = 0
    await report(second.carrier_id)
    expect(asked.filter((text) => text.includes('settle_delivered'))).toHaveLength(1)
    expect((await eventsOf(by, second.id)).map(({ url }) => url)).toEqual([
      'https://example.com/events',
      'https://example.com/reports',
    ])
  })

  async function erase(by: Organisation, phone: string): Promise<void> {
    const { id } = (await by.call<Erasure>('POST', '/people/erasures', { phone })).body
    const deps = { db: service.db, seal: makeSeal(pepperKeys(PEPPER).seal_key) }
    while ((await takeStep(deps, by.id, id)).then !== 'done');
  }

  test('on an erased message finds it by its pseudonym', async () => {
    const by = await service.organisation()
    const one = await handOver(by, 'https://example.com/reports')
    await erase(by, RECIPIENT)
    await report(one.carrier_id)
    expect(await stateOf(by, one.id)).toMatchObject({ status: 'delivered' })
    const events = await eventsOf(by, one.id)
    expect(events.map(({ event }) => event.data.recipient)).toEqual([expect.stringMatching(/^erased-/)])
  })

  test('does not restore a person erased meanwhile who is named in its reference', async () => {
    const by = await service.organisation()
    const one = await handOver(by, 'https://example.com/reports', `order of ${OTHER}`)
    await erase(by, OTHER)
    await report(one.carrier_id)
    expect(await stateOf(by, one.id)).toMatchObject({ status: 'delivered' })
    const events = await eventsOf(by, one.id)
    expect(events.map(({ event }) => event.data.external_ref)).toEqual([expect.stringMatching(/^order of erased-/)])
  })

  test('is looked up while a person is being erased who may be named in its reference, however long that takes', async () => {
    const by = await service.organisation()
    const one = await handOver(by, undefined, `order of ${OTHER}`)
    const { id } = (await by.call<Erasure>('POST', '/people/erasures', { phone: OTHER })).body
    await service.db`
      update erasures set id = first_id_at(now() - interval '2 months')
      where organisation_id = ${by.id} and id = ${id}`
    await report(one.carrier_id)
    expect(asked.filter((text) => text.includes('settle_delivered'))).toHaveLength(2)
    expect(await stateOf(by, one.id)).toMatchObject({ status: 'delivered' })
  })

  test('on a message that has changed is looked up: the callback has the stored values', async () => {
    const by = await service.organisation()
    const one = await handOver(by, undefined)
    await service.db`
      update deliveries set status = 'unknown' where organisation_id = ${by.id} and message_id = ${one.id}`
    const { settled } = await report(one.carrier_id)
    expect(settled).toMatchObject([{ changed: [{ status: 'delivered', was: 'unknown' }] }])
  })

  test('whose organisation responds late delays no other', async () => {
    const [late, other] = [await service.organisation(), await service.organisation()]
    const [one, two] = [await handOver(late, undefined), await handOver(other, undefined)]
    recent.forget('line', two.carrier_id)
    let taken: Promise<unknown> = Promise.resolve()
    await transaction(service.db, async (tx) => {
      await tx`select 1 from deliveries where organisation_id = ${late.id} for update`
      taken = report(one.carrier_id, two.carrier_id)
      await until('the other to be settled', async () => (await stateOf(other, two.id))?.status === 'delivered')
      expect(await stateOf(late, one.id)).toMatchObject({ status: 'sent' })
    })
    await taken
    expect(await stateOf(late, one.id)).toMatchObject({ status: 'delivered' })
  })

  test('is stored, and its node not queried again, if that does not respond', async () => {
    const by = await service.organisation()
    const one = await handOver(by, undefined)
    await between(
      db,
      async (question, ask) => {
        if (!question.text.includes('settle_delivered')) return ask(question)
        throw Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' })
      },
      () => report(one.carrier_id),
    )
    expect(asked.filter((text) => /submissions|read_reported/.test(text))).toEqual([])
    expect(await service.db`select 1 from reports where carrier_message_id = ${one.carrier_id}`).toHaveLength(1)
  })

  test('is looked up if it cannot be settled in this way', async () => {
    const by = await service.organisation()
    const one = await handOver(by, 'https://example.com/reports')
    recent.noteClock(by.id, 8.6e15) // A time that the database cannot parse.
    await report(one.carrier_id)
    expect(asked.filter((text) => text.includes('settle_delivered'))).toHaveLength(2)
    expect(await stateOf(by, one.id)).toMatchObject({ status: 'delivered' })
    expect(await eventsOf(by, one.id)).toHaveLength(1)
  })
})

describe('through the API, one message after the other', () => {
  let service: TestService
  let callbacks: Receiver
  let events: Receiver
  beforeAll(async () => {
    service = await openService()
    callbacks = await startReceiver()
    events = await startReceiver()
  })
  afterAll(async () => {
    await service.close()
    await callbacks.close()
    await events.close()
  })

  const deliveredOf = ({ received }: Receiver) => received.filter(({ json }) => json.type === 'text.delivered')

  test('each is delivered and reported once, and a later webhook receives later events', async () => {
    const sendOne = async () => {
      const { id } = (await service.call<{ id: string }>('POST', '/sms/send', body({ callback: callbacks.url }))).body
      await until('its delivery', async () => {
        const answer = await service.call('GET', `/sms/${id}`)
        return JSON.stringify(answer.body).includes('"delivered"')
      })
    }
    for (let n = 1; n <= 5; n += 1) await sendOne()
    await until('five callbacks', () => deliveredOf(callbacks).length === 5)
    expect((await service.call('POST', '/webhooks', { url: events.url, events: ['*'] })).status).toBe(200)
    for (let n = 1; n <= 3; n += 1) await sendOne()
    await until('eight callbacks', () => deliveredOf(callbacks).length === 8)
    await until('three events', () => deliveredOf(events).length === 3)
    expect(await auditMoney(service.db)).toEqual([])
  })
})
