import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readBalance } from '../../src/billing/store.ts'
import { createWebhook } from '../../src/callbacks/webhooks/webhooks.ts'
import type { CarrierReport } from '../../src/carriers/message-carrier.ts'
import { numberKey } from '../../src/carriers/message-id.ts'
import { transaction } from '../../src/db/transaction.ts'
import { startReportMatcher } from '../../src/messaging/reports/match-worker.ts'
import { makeReceiveReports } from '../../src/messaging/reports/receive-reports.ts'
import { makeWakeups, type Wakeups } from '../../src/queue/wakeups.ts'
import type { Worker } from '../../src/queue/worker.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { storeMessage } from '../support/message.ts'
import { foundOrganisation } from '../support/organisation.ts'
import { makeSettler } from '../support/settling.ts'
import { secret_seal } from '../support/secret-seal.ts'
import { somebodyWaits } from '../support/waiting.ts'
import { until } from '../support/until.ts'

const ONE = '2348031234567'
const OTHER = '2348059876543'
const NO_ORGANISATION = '00000000-0000-0000-0000-000000000000'
const log = { info: () => {}, warn: () => {}, error: () => {} }

let database: TestDatabase
let us: string
let settler: ReturnType<typeof makeSettler>
let worker: Worker | undefined
let wakeups: Wakeups
let serial = 0

beforeAll(async () => {
  database = await freshDatabase()
  wakeups = await makeWakeups(database.db)
  us = await organisation()
})
afterAll(async () => {
  await wakeups.close()
  await database.drop()
})

const organisation = () => foundOrganisation(database.db, 100_0000n)

beforeEach(async () => {
  settler = makeSettler(database.db)
  await database.db`delete from submissions`
  await database.db`delete from jobs`
  await database.db`delete from report_jobs`
  await database.db`delete from reports`
})
afterEach(async () => {
  await worker?.stop()
  worker = undefined
})

type Sent = { by: string; id: string; key: string }

/** A message that a carrier has accepted, with `segments` known carrier message ids. */
async function sent(by: string = us, recipient = ONE, segments = 1): Promise<Sent> {
  const id = await storeMessage(database.db, by, { recipients: [recipient], status: 'sent' })
  serial += 1
  const key = `id${serial}`
  for (let segment = 1; segment <= segments; segment += 1) {
    await database.db`
      insert into submissions (carrier, carrier_message_id, organisation_id, message_id, recipient, segment, segments, report_due)
      values ('line', ${segments === 1 ? key : `${key}-${segment}`}, ${by}, ${id}, ${recipient}, ${segment}, ${segments},
        now() + interval '1 h')`
  }
  return { by, id, key }
}

/** A message that a carrier has accepted without an id: it is identified by its number. */
async function sentNameless(recipient = ONE): Promise<Sent> {
  const one = await sent(us, recipient)
  const key = numberKey(recipient)
  await database.db`update submissions set carrier_message_id = ${key} where message_id = ${one.id}`
  return { ...one, key }
}

const report = (key: string, more: Partial<CarrierReport> = {}): CarrierReport => ({
  carrier: 'line',
  carrier_message_id: key,
  status: 'delivered',
  code: '000',
  description: 'DELIVRD',
  ...more,
})

const taking = () => makeReceiveReports(settler.deps, settler.deps)
/** Only stores reports, like a process without workers. */
const storing = () => makeReceiveReports(settler.deps)

/** Makes reports as old as the maximum wait for their ids. */
async function waited(reports: readonly CarrierReport[]): Promise<void> {
  await storing()(reports)
  await database.db`
    update reports set received_datetime = now() - interval '46 s'
    where carrier_message_id = any (${reports.map(({ carrier_message_id }) => carrier_message_id)})`
}

function startWorking(): void {
  // Woken by the poll alone.
  worker = startReportMatcher({
    ...settler.deps,
    wakeups: { ...wakeups, wake: (queue, delay_ms) => settler.deps.wakeups.wake(queue, delay_ms) },
    log,
  })
}

async function stateOf({ id }: Sent) {
  const [row] = await database.db<{ status: string; code: string | null; refunded: boolean }[]>`
    select status, code, refunded from deliveries where message_id = ${id}`
  return row
}
const reaches = (one: Sent, status: string) =>
  until(`it to be ${status}`, async () => (await stateOf(one))?.status === status)

const kept = () =>
  database.db<
    { key: string; lane: string; organisation_id: string; attempts: number; leased: boolean; due_ms: number }[]
  >`
    select carrier_message_id as key, lane, organisation_id, attempts, leased,
      extract(epoch from run_at - now())::float8 * 1000 as due_ms
    from reports join report_jobs jobs on subject_id = reports.id
    order by carrier_message_id`
const keptKeys = async () => (await kept()).map(({ key }) => key)
const nothingKept = () =>
  until('all to be processed', async () => {
    const [row] = await database.db`
      select (select count(*) from reports) + (select count(*) from report_jobs) as left`
    return row?.left === 0n
  })

/** Ids are arbitrary: case and leading zeros distinguish them. */
async function namedAlike(): Promise<{ one: Sent; other: Sent }> {
  const [one, other] = [await sent(), await sent(us, OTHER)]
  serial += 1
  const name = async ({ id }: Sent, key: string): Promise<Sent> => {
    await database.db`update submissions set carrier_message_id = ${key} where message_id = ${id}`
    return { by: us, id, key }
  }
  return { one: await name(one, `00aB${serial}`), other: await name(other, `00Ab${serial}`) }
}

describe('a report', () => {
  test('is matched by the exact id, with its case and leading zeros', async () => {
    const { one, other } = await namedAlike()
    await taking()([report(other.key)])
    expect([await stateOf(one), await stateOf(other)]).toMatchObject([{ status: 'sent' }, { status: 'delivered' }])
  })

  test('that finds its message is settled immediately, and not stored', async () => {
    const one = await sent()
    await taking()([report(one.key, { operator: 'MTN' })])
    expect(await stateOf(one)).toMatchObject({ status: 'delivered', code: '000' })
    expect(await keptKeys()).toEqual([])
    // A report of success is settled without a lookup.
    expect(settler.seen).toMatchObject({
      wakes: [],
      changed: [],
      learned: [{ carrier_message_id: one.key, kept_id: one.key }],
      facts: [[{ recipient: ONE, status: 'delivered', operator: 'MTN' }]],
    })
    expect(settler.seen.settled).toHaveLength(1)
  })

  test('of a failure is settled immediately as well, with its refund', async () => {
    const by = await organisation()
    const [lost, rejected] = [await sent(by), await sent(by)]
    await taking()([
      report(lost.key, { status: 'undelivered', code: '004', operator: 'GLO' }),
      report(rejected.key, { status: 'rejected', code: '00a' }),
    ])
    expect(await stateOf(lost)).toEqual({ status: 'undelivered', code: '004', refunded: false })
    expect(await stateOf(rejected)).toEqual({ status: 'rejected', code: '00a', refunded: true })
    expect((await readBalance(database.db, by)).balance).toBe(104_0000n)
    expect(await keptKeys()).toEqual([])
    expect(settler.seen.facts.flat().map(({ operator }) => operator)).toEqual(['GLO', undefined])
    // Only one batch had a change.
    expect(settler.seen.settled).toHaveLength(1)
  })

  test('is settled for each organisation separately', async () => {
    const other = await organisation()
    const [here, there] = [await sent(), await sent(other)]
    await taking()([report(here.key), report(there.key, { status: 'expired' })])
    expect([(await stateOf(here))?.status, (await stateOf(there))?.status]).toEqual(['delivered', 'expired'])
    expect(settler.seen.settled.map(({ organisation_id }) => organisation_id).sort()).toEqual([us, other].sort())
  })

  test('without a known message is stored, and retried', async () => {
    const one = await sent()
    await taking()([report(one.key), report('nobody')])
    expect(await stateOf(one)).toMatchObject({ status: 'delivered' })
    expect(await kept()).toMatchObject([
      { key: 'nobody', lane: NO_ORGANISATION, organisation_id: NO_ORGANISATION, attempts: 0 },
    ])
    expect(settler.seen.wakes).toEqual([{ queue: 'reports', delay_ms: undefined }])
  })

  test('on a segment is kept for the worker', async () => {
    const one = await sent(us, ONE, 2)
    await taking()([report(`${one.key}-1`), report(`${one.key}-2`)])
    expect(await stateOf(one)).toMatchObject({ status: 'sent' })
    expect(await keptKeys()).toEqual([`${one.key}-1`, `${one.key}-2`])
    expect(settler.seen.learned).toEqual([])
  })

  test('on a delivery that is no longer stored is dropped', async () => {
    const by = await organisation()
    const url = 'https://example.com/events'
    await createWebhook({ db: database.db, address_mode: { private_allowed: false }, secret_seal }, by, { url }, [])
    const one = await sent(by)
    await database.db`delete from deliveries where message_id = ${one.id}`
    await taking()([report(one.key)])
    expect(await keptKeys()).toEqual([])
    expect(settler.seen.learned).toHaveLength(1)
    expect(await settler.counted()).toEqual({})
  })

  test('is stored completely if something cannot be settled', async () => {
    const [one, other] = [await sent(), await sent()]
    const onChanged = async () => {
      throw new Error('not now')
    }
    const { deps, seen } = makeSettler(database.db, { onChanged })
    await makeReceiveReports(deps, deps)([report(one.key, { status: 'expired' }), report(other.key)])
    expect(await keptKeys()).toEqual([one.key, other.key].sort())
    expect(seen.learned).toEqual([])
    expect(seen.wakes).toEqual([{ queue: 'reports', delay_ms: undefined }])
  })

  test('is only stored in a process that settles none', async () => {
    const one = await sent()
    await storing()([report(one.key)])
    expect(await stateOf(one)).toMatchObject({ status: 'sent' })
    expect(await keptKeys()).toEqual([one.key])
  })

  test('may be absent', async () => {
    await taking()([])
    await storing()([], [])
    expect(settler.seen.wakes).toEqual([])
  })

  test("with the carrier's acceptance of a message is stored behind that, if it was unknown", async () => {
    const one = await sent()
    const known = {
      carrier: 'line',
      carrier_message_id: 'news',
      organisation_id: us,
      message_id: one.id,
      recipient: ONE,
      report_due_s: 60,
    }
    await taking()([report('news')], [known])
    expect(await stateOf(one)).toMatchObject({ status: 'sent' })
    expect(await keptKeys()).toEqual(['news'])
    await taking()([report(one.key)], [{ ...known, carrier_message_id: one.key }])
    expect(await stateOf(one)).toMatchObject({ status: 'delivered' })
    expect(await keptKeys()).toEqual(['news'])
    await taking()([], [{ ...known, carrier_message_id: 'more' }])
    const rows = await database.db`
      select carrier_message_id as key from submissions
      where message_id = ${one.id} and carrier_message_id in ('news', 'more')`
    expect(rows).toHaveLength(2)
    expect(settler.seen.wakes).toHaveLength(2)
  })
})

describe('the worker', () => {
  test('matches the carrier message id exactly, with its case and leading zeros', async () => {
    const { one, other } = await namedAlike()
    await storing()([report(other.key)])
    startWorking()
    await nothingKept()
    expect([await stateOf(one), await stateOf(other)]).toMatchObject([{ status: 'sent' }, { status: 'delivered' }])
  })

  test('settles stored reports, each for its organisation, and deletes them', async () => {
    const other = await organisation()
    const [here, there] = [await sent(), await sent(other, OTHER)]
    await storing()([report(here.key, { operator: 'MTN' }), report(there.key, { status: 'undelivered' })])
    startWorking()
    await nothingKept()
    expect([(await stateOf(here))?.status, (await stateOf(there))?.status]).toEqual(['delivered', 'undelivered'])
    await until('it to be learnt', () => settler.seen.learned.length === 2)
    expect(settler.seen.learned.map(({ kept_id }) => kept_id).sort()).toEqual([here.key, there.key].sort())
    expect(settler.seen.facts.flat().find(({ recipient }) => recipient === ONE)?.operator).toBe('MTN')
    expect(settler.seen.wakes.filter(({ delay_ms }) => delay_ms !== undefined)).toEqual([])
  })

  test('waits for all segments of a message, with the operator of the last', async () => {
    const [one, other] = [await sent(us, ONE, 2), await sent(us, OTHER, 2)]
    startWorking()
    await storing()([report(`${one.key}-1`, { operator: 'MTN' })])
    await nothingKept()
    expect(await stateOf(one)).toMatchObject({ status: 'sent' })
    await storing()([
      report(`${one.key}-2`, { operator: 'GLO' }),
      report(`${other.key}-1`, { status: 'undelivered', code: '004' }),
    ])
    await nothingKept()
    expect(await stateOf(one)).toMatchObject({ status: 'delivered' })
    expect(await stateOf(other)).toMatchObject({ status: 'undelivered', code: '004' })
    const facts = settler.seen.facts.flat().map(({ recipient, operator }) => `${recipient} ${operator}`)
    expect(facts.sort()).toEqual([`${ONE} GLO`, `${OTHER} undefined`].sort())
  })

  test('retries after 200 ms, and ever later, until the message is known', async () => {
    const one = await sent()
    await storing()([report('early')])
    startWorking()
    await until('a wake-up to be scheduled', () => settler.seen.wakes.some(({ delay_ms }) => delay_ms !== undefined))
    expect(settler.seen.wakes.find(({ delay_ms }) => delay_ms !== undefined)).toEqual({
      queue: 'reports',
      delay_ms: 205,
    })
    await until('the second attempt', () => settler.seen.wakes.some(({ delay_ms }) => delay_ms === 405))
    expect(settler.seen.learned).toEqual([])
    await database.db`update submissions set carrier_message_id = 'early' where message_id = ${one.id}`
    await reaches(one, 'delivered')
  })

  test('retries every ten minutes at most', async () => {
    await storing()([report('slow')])
    await database.db`update report_jobs set attempts = 30`
    startWorking()
    const [row] = await until('it to be postponed', async () => {
      const rows = await kept()
      return rows[0] && rows[0].due_ms > 1_000 && !rows[0].leased && rows
    })
    expect(row?.due_ms).toBeGreaterThan(590_000)
    expect(row?.due_ms).toBeLessThanOrEqual(600_000)
    expect(settler.seen.wakes.at(-1)).toEqual({ queue: 'reports', delay_ms: 600_005 })
  })

  test('gives up reports whose message is unknown for three days, and only those', async () => {
    await storing()([report('old'), report('older')])
    await database.db`
      update reports set received_datetime = now()
        - case carrier_message_id when 'old' then interval '71 h 59 min' else interval '72 h 1 min' end`
    startWorking()
    await until('the older one to be deleted', async () => (await database.db`select 1 from reports`).length === 1)
    await until('the old one to be postponed', async () => (await kept())[0]?.leased === false)
    expect(await keptKeys()).toEqual(['old'])
    expect(await database.db`select 1 from report_jobs`).toHaveLength(1)
  })

  test('matches a report that has waited for its id to the message to its number, once', async () => {
    const one = await sentNameless()
    await storing()([report('fresh', { recipient: ONE })])
    await waited([report('waited', { recipient: ONE })])
    startWorking()
    await reaches(one, 'delivered')
    await until('the other to be postponed', async () => (await kept()).every(({ leased }) => !leased))
    expect(await keptKeys()).toEqual(['fresh'])
    const [submission] = await database.db`select carrier_message_id from submissions where message_id = ${one.id}`
    expect(submission).toEqual({ carrier_message_id: 'waited' })
  })

  test('matches each of two messages to a number to its own report', async () => {
    const [first, second] = [await sentNameless(), await sentNameless()]
    await waited([report('one', { recipient: ONE }), report('other', { recipient: ONE })])
    startWorking()
    await nothingKept()
    expect([await stateOf(first), await stateOf(second)]).toMatchObject([
      { status: 'delivered' },
      { status: 'delivered' },
    ])
  })

  test('stores a report whose message another process has just matched', async () => {
    const one = await sentNameless()
    await waited([report('late', { recipient: ONE })])
    await transaction(database.db, async (tx) => {
      await tx`update submissions set carrier_message_id = 'theirs' where message_id = ${one.id}`
      startWorking()
      await until('the worker to wait for it', () => somebodyWaits(database.db))
    })
    await until('it to be postponed', () => settler.seen.wakes.some(({ delay_ms }) => delay_ms !== undefined))
    expect(await stateOf(one)).toMatchObject({ status: 'sent' })
    expect(await keptKeys()).toEqual(['late'])
  })

  test('matches the message to exactly that number, in whatever format the report has it', async () => {
    const others = [await sentNameless('2347031234567'), await sentNameless('992348031234567')]
    const [whole, national] = [await sentNameless(ONE), await sentNameless('2348131234567')]
    await waited([report('whole', { recipient: ONE }), report('national', { recipient: '08131234567' })])
    startWorking()
    await nothingKept()
    for (const other of others) expect(await stateOf(other)).toMatchObject({ status: 'sent' })
    for (const one of [whole, national]) expect(await stateOf(one)).toMatchObject({ status: 'delivered' })
  })

  test('does not match a number that only ends alike', async () => {
    const other = await sentNameless('2347031234567')
    await waited([report('elsewhere', { recipient: '08031234567' })])
    startWorking()
    await until('it to be postponed or deleted', async () =>
      (await kept()).every(({ leased, attempts }) => !leased && attempts > 0),
    )
    expect(await stateOf(other)).toMatchObject({ status: 'sent' })
    expect(await keptKeys()).toEqual(['elsewhere'])
  })

  test.each([undefined, 'raw', 'auto', 'resp_hex_dlr_dec', 'resp_dec_dlr_hex'] as const)(
    'recognises a repeated report, with ids read as %s, and matches no second message',
    async (msg_id_mode) => {
      const [first, second] = [await sentNameless(), await sentNameless()]
      const said = report('001234', { recipient: ONE, ...(msg_id_mode ? { msg_id_mode } : {}) })
      await waited([said])
      startWorking()
      await nothingKept()
      await waited([said])
      await nothingKept()
      expect([await stateOf(first), await stateOf(second)]).toMatchObject([{ status: 'delivered' }, { status: 'sent' }])
    },
  )

  test('treats zeros as no id: they do not distinguish reports', async () => {
    const [first, second] = [await sentNameless(ONE), await sentNameless(OTHER)]
    startWorking()
    for (const recipient of [ONE, OTHER]) {
      await waited([report('000', { recipient, msg_id_mode: 'auto' })])
      await nothingKept()
    }
    expect([await stateOf(first), await stateOf(second)]).toMatchObject([
      { status: 'delivered' },
      { status: 'delivered' },
    ])
  })

  test('does not match by number before the wait for the id is over', async () => {
    const one = await sentNameless()
    await storing()([report('young', { recipient: ONE })])
    await database.db`update reports set received_datetime = now() - interval '30 s'`
    startWorking()
    await until('it to be postponed', () => settler.seen.wakes.some(({ delay_ms }) => delay_ms !== undefined))
    expect(await stateOf(one)).toMatchObject({ status: 'sent' })
    expect(await keptKeys()).toEqual(['young'])
  })
})
