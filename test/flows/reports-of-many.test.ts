import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectBeside, type Db } from '../../src/db/connect.ts'
import { byLayout } from '../../src/db/layout.ts'
import { transaction } from '../../src/db/transaction.ts'
import { makeReceiveReports } from '../../src/messaging/reports/receive-reports.ts'
import { newId } from '../../src/values/id.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { storeMessage } from '../support/message.ts'
import { foundOrganisation } from '../support/organisation.ts'
import { makeSettler } from '../support/settling.ts'
import { noteStatements } from '../support/statements.ts'
import { until } from '../support/until.ts'

const RECIPIENT = '2348031234567'

type Sent = { organisation_id: string; message_id: string; carrier_id: string }

describe('reports on messages of several organisations', () => {
  let database: TestDatabase
  let db: Db
  let asked: string[]

  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())
  beforeEach(() => {
    db = connectBeside(database.db, { connections: 8, plans: 'kept' })
    db.nodes.direct = false // statements are counted on their way to one server
    asked = noteStatements(db)
  })
  afterEach(() => db.end())

  /** A message of a new organisation that a carrier has accepted. */
  async function send(): Promise<Sent> {
    const organisation_id = await foundOrganisation(database.db, 100_0000n)
    const message_id = await storeMessage(database.db, organisation_id, {
      callback: 'https://receiver.example/reports',
    })
    const carrier_id = newId()
    await database.db`
      insert into submissions (carrier, carrier_message_id, organisation_id, message_id, recipient, report_due)
      values ('line', ${carrier_id}, ${organisation_id}, ${message_id}, ${RECIPIENT}, now() + interval '1 h')`
    return { organisation_id, message_id, carrier_id }
  }

  async function sendAll(count: number): Promise<Sent[]> {
    const sent: Sent[] = []
    for (let n = 0; n < count; n += 1) sent.push(await send())
    return sent
  }

  function report(delivered: readonly Sent[], undelivered: readonly Sent[] = []) {
    const { deps, seen } = makeSettler(db)
    const reports = [...delivered, ...undelivered].map(({ carrier_id }, n) => ({
      carrier: 'line',
      carrier_message_id: carrier_id,
      status: n < delivered.length ? ('delivered' as const) : ('undelivered' as const),
      code: '000',
      description: 'DELIVRD',
    }))
    return { settled: makeReceiveReports(deps, deps)(reports), seen }
  }

  async function statusOf({ organisation_id, message_id }: Sent): Promise<string | undefined> {
    const [row] = await database.db<{ status: string }[]>`
      select status from deliveries where organisation_id = ${organisation_id} and message_id = ${message_id}`
    return row?.status
  }

  /** How many callbacks are stored, each with a job. */
  async function callbacksOf({ organisation_id, message_id }: Sent): Promise<number> {
    const [row] = await database.db<{ stored: number }[]>`
      select count(*)::integer as stored from callbacks join jobs on jobs.organisation_id = ${organisation_id}
        and jobs.subject_id = callbacks.id
      where callbacks.organisation_id = ${organisation_id} and callbacks.subject_id = ${message_id}`
    return row?.stored ?? 0
  }

  const settling = () => asked.filter((text) => text.includes('settle_delivered')).length
  const stored = () => asked.filter((text) => text.includes('insert into reports')).length

  test('settle in one statement; each organisation has its own event and is notified of its own delivery', async () => {
    const sent = await sendAll(64)
    const { settled, seen } = report(sent)
    await settled
    expect(settling()).toBe(byLayout(db, { single_server: 1, cluster: 64 }))
    expect(stored()).toBe(0)
    expect(new Set(await Promise.all(sent.map(statusOf)))).toEqual(new Set(['delivered']))
    expect(new Set(await Promise.all(sent.map(callbacksOf)))).toEqual(new Set([1]))
    const noticed = seen.settled.map(
      (one) => `${one.organisation_id} ${one.changed.map(({ message_id }) => message_id).join()}`,
    )
    expect(noticed.toSorted()).toEqual(sent.map((one) => `${one.organisation_id} ${one.message_id}`).toSorted())
    expect(seen.wakes).toHaveLength(64)
  })

  test('settle once, however often they come, without another statement', async () => {
    const sent = await sendAll(3)
    await report([...sent, ...sent]).settled
    const first = settling()
    await report(sent).settled
    expect(settling()).toBe(first)
    expect(await Promise.all(sent.map(callbacksOf))).toEqual([1, 1, 1])
  })

  test('settle while a delivery of another organisation is locked, which settles once it is released', async () => {
    const sent = await sendAll(4)
    const [locked, ...others] = sent
    if (!locked) throw new Error('nothing was sent')
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const holding = transaction(database.db, async (tx) => {
      await tx`
        select 1 from deliveries
        where organisation_id = ${locked.organisation_id} and message_id = ${locked.message_id} for update`
      await held
    })
    await until('the lock', async () => {
      const { organisation_id, message_id } = locked
      const free = await database.db`
        select 1 from deliveries where organisation_id = ${organisation_id} and message_id = ${message_id}
        for update skip locked`
      return free.length === 0
    })
    const { settled } = report(sent)
    await until('the others', async () => (await Promise.all(others.map(statusOf))).every((one) => one === 'delivered'))
    expect(await Promise.all(others.map(callbacksOf))).toEqual([1, 1, 1])
    expect(await statusOf(locked)).toBe('queued')
    release()
    await holding
    await settled
    expect(await statusOf(locked)).toBe('delivered')
    expect(await callbacksOf(locked)).toBe(1)
    expect(stored()).toBe(0)
  })

  test('settle although the event of another organisation cannot be stored; its report is kept for later', async () => {
    const sent = await sendAll(4)
    const [refused, ...others] = sent
    if (!refused) throw new Error('nothing was sent')
    await database.db.unsafe(
      `alter table callbacks add constraint refused check (organisation_id <> '${refused.organisation_id}')`,
    )
    await report(sent).settled
    expect(await Promise.all(others.map(statusOf))).toEqual(['delivered', 'delivered', 'delivered'])
    expect(await Promise.all(others.map(callbacksOf))).toEqual([1, 1, 1])
    expect(await statusOf(refused)).toBe('queued')
    const kept = await database.db<{ carrier_message_id: string }[]>`select carrier_message_id from reports`
    expect(kept.map(({ carrier_message_id }) => carrier_message_id)).toEqual([refused.carrier_id])
    await database.db.unsafe('alter table callbacks drop constraint refused')
  })

  test('of different outcomes settle together', async () => {
    const [delivered, undelivered] = [await sendAll(2), await sendAll(2)]
    await report(delivered, undelivered).settled
    expect(await Promise.all(delivered.map(statusOf))).toEqual(['delivered', 'delivered'])
    expect(await Promise.all(undelivered.map(statusOf))).toEqual(['undelivered', 'undelivered'])
    expect(await Promise.all([...delivered, ...undelivered].map(callbacksOf))).toEqual([1, 1, 1, 1])
  })
})
