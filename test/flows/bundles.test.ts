import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { unbundle } from '../../src/messaging/accept/bundle-store.ts'
import { claim } from '../../src/queue/store.ts'
import { bundleJobs, sendBundled, unbundleAll, type Sent } from '../support/bundles.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { until } from '../support/until.ts'

let quiet: TestService

beforeAll(async () => {
  quiet = await openService({ workers: false })
})
afterAll(() => quiet.close())

const bodies = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    recipients: `234803${String(n).padStart(7, '0')}`,
    content: `Hello ${n}`,
  }))

const idsOf = (sent: readonly Sent[]) => sent.map(({ id }) => id).sort()

const stored = async ({ db }: TestService, by: Organisation) =>
  (
    await db<{ id: string }[]>`
      select id from messages join deliveries on message_id = id and deliveries.organisation_id = ${by.id}
      where messages.organisation_id = ${by.id} order by id`
  ).map(({ id }) => id)

const waiting = async ({ db }: TestService, by: Organisation) =>
  (
    await db<{ subject_id: string }[]>`
      select subject_id from jobs where organisation_id = ${by.id} and queue like 'route:%' order by subject_id`
  ).map(({ subject_id }) => subject_id)

describe('opening bundles', () => {
  test('makes the rows that would have been written without them', async () => {
    const by = await quiet.organisation({ credit: 100_000 })
    const sent = await sendBundled(quiet, by, bodies(60))
    const before = await stored(quiet, by)
    expect(idsOf(sent).filter((id) => before.includes(id))).toEqual([])
    const jobs = await bundleJobs(quiet.db, by.id)
    expect(await unbundle(quiet.db, by.id, jobs)).toEqual([{ route: 'sms' }])
    expect(await stored(quiet, by)).toEqual(expect.arrayContaining(idsOf(sent)))
    expect(await waiting(quiet, by)).toEqual(await stored(quiet, by))
    expect(await bundleJobs(quiet.db, by.id)).toEqual([])
    expect(await quiet.db`select 1 from bundles where organisation_id = ${by.id}`).toHaveLength(0)
    const rows = await quiet.db<{ id: string; created_datetime: string; same: boolean }[]>`
      select id, messages.created_datetime, messages.created_datetime = deliveries.created_datetime as same
      from messages join deliveries on message_id = id where id = any (${idsOf(sent)}::uuid[])`
    expect(rows.every(({ same }) => same)).toBe(true)
    const time_of = new Map(rows.map(({ id, created_datetime }) => [id, created_datetime]))
    for (const { id, created_datetime } of sent) expect(time_of.get(id)).toBe(created_datetime)
    expect(await auditMoney(quiet.db)).toEqual([])
  })

  test('writes the same columns, whichever way a message came', async () => {
    const by = await quiet.organisation({ credit: 100_000 })
    const body = { recipients: '2348031234567', content: 'Hello', external_ref: 'x', callback: 'http://127.0.0.1:9/' }
    const [bundled] = await sendBundled(
      quiet,
      by,
      Array.from({ length: 40 }, () => body),
    )
    await unbundleAll(quiet.db, by.id)
    const alone = await by.call<Sent>('POST', '/sms/send', body)
    const columns = async (id: string) => {
      const [row] = await quiet.db`
        select to_jsonb(messages) - 'id' - 'created_datetime' as message,
          to_jsonb(deliveries) - 'message_id' - 'created_datetime' as delivery,
          to_jsonb(jobs) - 'id' - 'subject_id' - 'run_at' as job
        from messages
        join deliveries on message_id = messages.id
        join jobs on subject_id = messages.id
        where messages.id = ${id}`
      return row
    }
    const row = await columns(alone.body.id)
    expect(row).toBeDefined()
    expect(await columns(bundled?.id ?? '')).toEqual(row)
  })

  test('happens once, however many try', async () => {
    const by = await quiet.organisation({ credit: 100_000 })
    await sendBundled(quiet, by, bodies(100))
    await sendBundled(quiet, by, bodies(100))
    const jobs = await bundleJobs(quiet.db, by.id)
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => unbundle(quiet.db, by.id, n % 2 === 0 ? jobs : jobs.toReversed().slice(1))),
    )
    const ids = await stored(quiet, by)
    const [row] = await quiet.db`
      select count(*)::integer as lines from ledger_lines where organisation_id = ${by.id} and kind = 'message'`
    expect(row).toEqual({ lines: ids.length })
    expect(await waiting(quiet, by)).toEqual(ids)
    expect(await auditMoney(quiet.db)).toEqual([])
  })

  test('happens whole or not at all', async () => {
    const by = await quiet.organisation({ credit: 100_000 })
    const sent = await sendBundled(quiet, by, bodies(60))
    const jobs = await bundleJobs(quiet.db, by.id)
    const last = idsOf(sent).at(-1) ?? ''
    // Something in the way of the last of them.
    await quiet.db`
      insert into messages (organisation_id, id, channel, encoding, message_length, pages, charge)
      values (${by.id}, ${last}, 'sms', 'GSM', 1, 1, 0)`
    const before = await stored(quiet, by)
    await expect(unbundle(quiet.db, by.id, jobs)).rejects.toMatchObject({ code: '23505' })
    await quiet.db`delete from messages where id = ${last}`
    expect(await stored(quiet, by)).toEqual(before)
    expect(await bundleJobs(quiet.db, by.id)).toEqual(jobs)
    await unbundle(quiet.db, by.id, jobs)
    expect(await stored(quiet, by)).toEqual(expect.arrayContaining(idsOf(sent)))
  })

  test('of another organisation does nothing', async () => {
    const by = await quiet.organisation({ credit: 100_000 })
    const sent = await sendBundled(quiet, by, bodies(60))
    expect(await unbundle(quiet.db, quiet.id, await bundleJobs(quiet.db, by.id))).toEqual([])
    for (const { id } of sent) expect((await by.call('GET', `/sms/${id}`)).status).toBe(200)
  })

  test('shows every message once at any moment', async () => {
    const by = await quiet.organisation({ credit: 100_000 })
    for (let round = 0; round < 3; round += 1) await sendBundled(quiet, by, bodies(60))
    const list = async () => {
      const { body } = await by.call<{ messages: Sent[] }>('GET', '/sms?limit=1000')
      return body.messages.map(({ id, recipients }) => `${id} ${recipients.join()}`)
    }
    const before = await list()
    let done = false
    const reading = Promise.all(
      [1, 2].map(async () => {
        for (let reads = 0; ; reads += 1) {
          const last = done
          expect((await by.call<{ messages: Sent[] }>('GET', '/sms?limit=1000')).body.messages).toHaveLength(
            before.length,
          )
          if (last) return reads
        }
      }),
    )
    for (const job of await bundleJobs(quiet.db, by.id)) await unbundle(quiet.db, by.id, [job])
    done = true
    expect(Math.min(...(await reading))).toBeGreaterThan(0)
    expect(await list()).toEqual(before)
  })
})

test('with workers, everybody gets it once', async () => {
  const service = await openService({ credit: 4 * 600 })
  const sent = await Promise.all(bodies(600).map((body) => service.call<Sent>('POST', '/sms/send', body)))
  expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200))
  await until(
    'all deliveries',
    async () => {
      const [row] = await service.db`select count(*)::integer as count from deliveries where status = 'delivered'`
      return row?.count === 600
    },
    60_000,
  )
  expect(await handsets(service)).toEqual(bodies(600).map(({ recipients }) => recipients))
  expect(await service.db`select 1 from bundles`).toHaveLength(0)
  expect((await service.call('GET', '/balance')).body).toMatchObject({ balance: 0 })
  expect(await auditMoney(service.db)).toEqual([])
  await service.close()
})

test('what a worker took along into its death comes back', async () => {
  const dead = await openService({ workers: false, credit: 100_000 })
  const sent = await sendBundled(dead, dead, bodies(60))
  const lost = await claim(dead.db, { queue: 'unbundle', limit: 100, lease_s: 1, except: [], after: FIRST_LANE })
  expect(lost.length).toBeGreaterThan(0)
  const revived = await openService({ beside: dead })
  await until(
    'all deliveries',
    async () => {
      const [row] = await dead.db`
        select count(*)::integer as count from deliveries
        where message_id = any (${idsOf(sent)}::uuid[]) and status = 'delivered'`
      return row?.count === sent.length
    },
    60_000,
  )
  await revived.close()
  await dead.close()
})

async function handsets({ db }: TestService): Promise<string[]> {
  const rows = await db<{ recipient: string }[]>`select recipient from sandbox_messages`
  return rows.map(({ recipient }) => recipient).sort()
}

const FIRST_LANE = '00000000-0000-0000-0000-000000000000'
