import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startCallbacks } from '../../src/callbacks/deliver/deliver.ts'
import { reserveCallbacks, startReserved } from '../../src/callbacks/deliver/reserved.ts'
import { newSecret } from '../../src/callbacks/signing/signature.ts'
import { newEvent } from '../../src/callbacks/enqueue.ts'
import type { NewEvent } from '../../src/callbacks/enqueue-store.ts'
import { batchesOf, byLayout } from '../../src/db/layout.ts'
import { connectBeside, type Db } from '../../src/db/connect.ts'
import { transaction } from '../../src/db/transaction.ts'
import { makeMeters } from '../../src/observe/meters.ts'
import { makeWakeups, type Wakeups } from '../../src/queue/wakeups.ts'
import { newId } from '../../src/values/id.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { foundOrganisation } from '../support/organisation.ts'
import { secret_seal } from '../support/secret-seal.ts'
import { noteStatements } from '../support/statements.ts'
import { until } from '../support/until.ts'

const URL = 'https://receiver.example/reports'
const SECRET = newSecret()

describe('callbacks of several organisations', () => {
  let database: TestDatabase
  let db: Db
  let wakeups: Wakeups
  let asked: string[]
  let worker: ReturnType<typeof startCallbacks>
  let posts: string[]
  /** Responds to all posts of the test. */
  let respond: () => void

  beforeAll(async () => {
    database = await freshDatabase()
    wakeups = await makeWakeups(database.db)
  })
  afterAll(async () => {
    await wakeups.close()
    await database.drop()
  })
  beforeEach(async () => {
    db = connectBeside(database.db, { connections: 8, plans: 'kept' })
    db.nodes.direct = false // statements are counted on their way to one server
    asked = noteStatements(db)
    posts = []
    const responded = new Promise<void>((resolve) => (respond = resolve))
    worker = startCallbacks({
      db,
      wakeups,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      meters: makeMeters(),
      poster: {
        post: async (_, headers) => {
          posts.push(headers['webhook-id'] ?? '')
          await responded
          return { kind: 'answered', status: 200, excerpt: 'ok', duration_ms: 3 }
        },
        close: async () => {},
      },
      secret_seal,
      secretsOf: async () => [SECRET],
      disable_after_days: 5,
      authTokenOf: () => '',
      takeAnswer: async () => {},
    })
  })
  afterEach(async () => {
    await worker.stop()
    await db.end()
  })

  /** One event each of new organisations, stored as leased and posted, but not responded to yet. */
  async function postEach(count: number): Promise<NewEvent[]> {
    const events: NewEvent[] = []
    for (let n = 0; n < count; n += 1) {
      const by = await foundOrganisation(database.db, 0n)
      events.push(
        newEvent(by, { type: 'text.delivered', url: URL, subject_id: newId(), created_datetime: 'then', data: {} }),
      )
    }
    const [first] = events
    if (!first?.lane) throw new Error('no event')
    const lane = { organisation_id: first.organisation_id, lane: first.lane }
    await until('the first claim', () => worker.reserve(lane))
    worker.startReserved(lane, undefined, { ...NONE, id: '' })
    reserveCallbacks(worker, events)
    const burst_ids = new Map<string, bigint>()
    for (const batch of batchesOf(database.db, events)) {
      const [row] = await database.db<{ burst_lanes: string[]; burst_ids: string[] }[]>`
        select burst_lanes, burst_ids::text[] from store_events(
          ${byLayout(database.db, { single_server: null, cluster: batch[0]?.organisation_id })},
          ${batch.map(({ organisation_id }) => organisation_id)}::uuid[], ${batch.map(({ id }) => id)}::uuid[],
          ${batch.map(({ type }) => type)}::text[], ${batch.map(({ url }) => url)}::text[],
          ${batch.map(({ lane: own }) => own)}::uuid[], ${batch.map(({ subject_id }) => subject_id)}::uuid[],
          ${batch.map(({ body }) => body)}::text[], ${batch.map(({ leased }) => leased)}::boolean[], null, 10
        )`
      for (const event of batch) {
        const burst_id = row?.burst_ids[row.burst_lanes.indexOf(event.lane ?? '')]
        if (burst_id !== undefined) burst_ids.set(event.id, BigInt(burst_id))
      }
    }
    startReserved(worker, events, burst_ids)
    await until('the posts', () => posts.length === count)
    return events
  }

  async function statusOf({ organisation_id, id }: NewEvent): Promise<string | undefined> {
    const [row] = await database.db<{ status: string }[]>`
      select status from callbacks where organisation_id = ${organisation_id} and id = ${id}`
    return row?.status
  }

  const allDelivered = (events: readonly NewEvent[]) =>
    until('all to be delivered', async () =>
      (await Promise.all(events.map(statusOf))).every((status) => status === 'delivered'),
    )
  const noJobs = () => until('no job left', async () => (await database.db`select 1 from jobs`).length === 0)
  const recording = () => asked.filter((text) => text.includes('record_attempts')).length

  test('are recorded in one statement, with their jobs', async () => {
    const events = await postEach(64)
    respond()
    await allDelivered(events)
    await noJobs()
    expect(recording()).toBe(byLayout(db, { single_server: 1, cluster: 64 }))
  })

  test('are recorded while the callback of another organisation is locked, which is recorded once it is released', async () => {
    const [locked, ...others] = await postEach(4)
    if (!locked) throw new Error('nothing was posted')
    const { organisation_id, id } = locked
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    let hold = () => {}
    const holds = new Promise<void>((resolve) => (hold = resolve))
    const holding = transaction(database.db, async (tx) => {
      await tx`select 1 from callbacks where organisation_id = ${organisation_id} and id = ${id} for update`
      hold()
      await held
    })
    await holds
    respond()
    await allDelivered(others)
    expect(await statusOf(locked)).toBe('pending')
    release()
    await holding
    await allDelivered([locked])
    await noJobs()
    expect(posts).toHaveLength(4)
  })

  test('are recorded although the outcome of another organisation cannot be stored', async () => {
    const [refused, ...others] = await postEach(4)
    if (!refused) throw new Error('nothing was posted')
    const condition = `organisation_id <> '${refused.organisation_id}' or status = 'pending'`
    await database.db.unsafe(`alter table callbacks add constraint refused check (${condition})`)
    respond()
    await allDelivered(others)
    expect(await statusOf(refused)).toBe('pending')
    await database.db.unsafe('alter table callbacks drop constraint refused')
    await allDelivered([refused])
    await noJobs()
  })
})

const NONE = {
  type: '',
  url: URL,
  body: '',
  attempts: 0,
  age_s: 0,
  event_id: '',
  subject_id: '',
  webhook_id: null,
  secrets: null,
  format: null,
  muted: false,
}
