import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { unpack } from '../../src/messaging/accept/pack-store.ts'
import { claim } from '../../src/queue/store.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { until } from '../support/until.ts'

type Message = {
  id: string
  recipients: string[]
  deliveries: { recipient: string; status: string; refunded: boolean }[]
}

let quiet: TestService

beforeAll(async () => {
  quiet = await openService({ workers: false })
})
afterAll(() => quiet.close())

const numbers = (count: number, prefix = '234803') =>
  Array.from({ length: count }, (_, n) => prefix + String(n).padStart(7, '0'))

async function send(by: Organisation, recipients: string[], body: object = {}): Promise<Message> {
  const sent = await by.call<Message>('POST', '/sms/send', { recipients, content: 'Hello', ...body })
  expect(sent.status).toBe(200)
  return sent.body
}

const read = async (by: Organisation, { id }: { id: string }) => (await by.call<Message>('GET', `/sms/${id}`)).body

const jobsOf = ({ db }: TestService, { id }: { id: string }, queue: string) =>
  db<
    { id: bigint; organisation_id: string; subject_id: string; subject_key: string }[]
  >`select id, organisation_id, subject_id, subject_key from jobs where subject_id = ${id} and queue like ${queue}`

const stored = ({ db }: TestService, { id }: { id: string }) => db<
  { recipient: string; position: number; route: string }[]
>`
  select recipient, position, route from deliveries where message_id = ${id} order by position`

describe('unpacking', () => {
  test('makes the rows that would have been written without packs', async () => {
    const by = await quiet.organisation({ credit: 100_000 })
    const list = numbers(800).flatMap((one, n) => [one, `447700${String(n).padStart(6, '0')}`])
    const message = await send(by, list)
    const before = await read(by, message)
    const jobs = await jobsOf(quiet, message, 'unpack')
    expect(jobs).toHaveLength(2)
    expect(await unpack(quiet.db, by.id, jobs)).toEqual([{ route: 'sms' }])
    expect((await stored(quiet, message)).map(({ recipient }) => recipient)).toEqual(list)
    expect(await read(by, message)).toEqual(before)
    const waiting = await jobsOf(quiet, message, 'route:%')
    expect(waiting.map(({ subject_key }) => subject_key).sort()).toEqual([...list].sort())
    expect(await jobsOf(quiet, message, 'unpack')).toEqual([])
    expect(await quiet.db`select 1 from packs where organisation_id = ${by.id}`).toHaveLength(0)
    const [row] = await quiet.db`
      select count(distinct (deliveries.created_datetime, messages.created_datetime))::integer as times
      from deliveries join messages on id = message_id where message_id = ${message.id}`
    expect(row).toEqual({ times: 1 })
    expect(await auditMoney(quiet.db)).toEqual([])
  })

  test('happens once, however many try', async () => {
    const by = await quiet.organisation({ credit: 100_000 })
    const list = numbers(3_000)
    const message = await send(by, list)
    const jobs = await jobsOf(quiet, message, 'unpack')
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => unpack(quiet.db, by.id, n % 2 === 0 ? jobs : jobs.toReversed().slice(1))),
    )
    expect((await stored(quiet, message)).map(({ recipient }) => recipient)).toEqual(list)
    expect(await jobsOf(quiet, message, 'route:%')).toHaveLength(3_000)
  })

  test('happens whole or not at all', async () => {
    const by = await quiet.organisation({ credit: 100_000 })
    const list = numbers(1_000)
    const message = await send(by, list)
    const before = await read(by, message)
    const jobs = await jobsOf(quiet, message, 'unpack')
    // Something in the way of the last of them.
    await quiet.db`
      insert into deliveries (organisation_id, message_id, recipient, position, status, pages, charge, route)
      values (${by.id}, ${message.id}, ${list[999]}, 999, 'queued', 1, 0, 'sms')`
    await expect(unpack(quiet.db, by.id, jobs)).rejects.toMatchObject({ code: '23505' })
    await quiet.db`delete from deliveries where message_id = ${message.id}`
    expect(await read(by, message)).toEqual(before)
    expect(await jobsOf(quiet, message, 'unpack')).toEqual(jobs)
    expect(await jobsOf(quiet, message, 'route:%')).toEqual([])
    await unpack(quiet.db, by.id, jobs)
    expect(await read(by, message)).toEqual(before)
  })

  test('shows every recipient once at any moment', async () => {
    const by = await quiet.organisation({ credit: 100_000 })
    const list = numbers(4_000)
    const message = await send(by, list)
    const jobs = await jobsOf(quiet, message, 'unpack')
    let done = false
    const reading = Promise.all(
      [1, 2].map(async () => {
        for (let reads = 0; ; reads += 1) {
          const last = done
          expect((await read(by, message)).recipients).toEqual(list)
          if (last) return reads
        }
      }),
    )
    for (const job of jobs) await unpack(quiet.db, by.id, [job])
    done = true
    expect(Math.min(...(await reading))).toBeGreaterThan(0)
  })

  test('of another organisation’s packs does nothing', async () => {
    const by = await quiet.organisation({ credit: 100_000 })
    const message = await send(by, numbers(100))
    const jobs = await jobsOf(quiet, message, 'unpack')
    expect(await unpack(quiet.db, quiet.id, jobs)).toEqual([])
    expect((await read(by, message)).deliveries).toHaveLength(100)
    expect(await stored(quiet, message)).toHaveLength(0)
  })

  test('of a message whose month was dropped leaves nothing behind', async () => {
    const by = await quiet.organisation({ credit: 100_000 })
    const message = await send(by, numbers(100))
    const jobs = await jobsOf(quiet, message, 'unpack')
    await quiet.db`delete from messages where id = ${message.id}`
    await unpack(quiet.db, by.id, jobs)
    expect(await stored(quiet, message)).toHaveLength(0)
    expect(await quiet.db`select 1 from packs where message_id = ${message.id}`).toHaveLength(0)
    expect(await quiet.db`select 1 from jobs where subject_id = ${message.id}`).toHaveLength(0)
  })
})

describe('with workers', () => {
  let service: TestService

  beforeAll(async () => {
    service = await openService()
  })
  afterAll(() => service.close())

  const ended = (by: Organisation, message: { id: string }) =>
    until(
      'all deliveries to end',
      async () => {
        const { deliveries } = await read(by, message)
        return deliveries.every(({ status }) => !['queued', 'sent'].includes(status)) && deliveries
      },
      60_000,
    )

  test('every one of a thousand gets it once', async () => {
    const by = await service.organisation({ credit: 4_000 })
    const list = numbers(1_000)
    const message = await send(by, list)
    const deliveries = await ended(by, message)
    expect(deliveries.map(({ recipient, status }) => `${recipient} ${status}`)).toEqual(
      list.map((recipient) => `${recipient} delivered`),
    )
    expect(await handsets(service, by)).toEqual(list)
    expect((await by.call('GET', '/balance')).body).toMatchObject({ balance: 0 })
    expect(await auditMoney(service.db)).toEqual([])
  })

  test('who has opted out is passed over and not charged, and what is refused is refunded', async () => {
    const by = await service.organisation({ credit: 1_000 })
    await by.call('POST', '/optouts', { recipients: '2348030000007' })
    const list = [...numbers(200), '2348000000003']
    const message = await send(by, list)
    const deliveries = await ended(by, message)
    expect(deliveries.filter(({ status }) => status !== 'delivered')).toMatchObject([
      { recipient: '2348030000007', status: 'rejected', code: 'opted_out', charge: 0 },
      { recipient: '2348000000003', status: 'rejected', refunded: true },
    ])
    expect((await by.call('GET', '/balance')).body).toMatchObject({ balance: 1_000 - 4 * 199 })
    expect(await auditMoney(service.db)).toEqual([])
  })
})

test('what a worker took along into its death comes back', async () => {
  const dead = await openService({ workers: false, credit: 100_000 })
  const list = numbers(2_000)
  const message = await send(dead, list)
  const lost = await claim(dead.db, { queue: 'unpack', limit: 100, lease_s: 1, except: [], after: FIRST_LANE })
  expect(lost).toHaveLength(2)
  const revived = await openService({ beside: dead })
  await until(
    'all deliveries',
    async () => (await read(dead, message)).deliveries.every(({ status }) => status === 'delivered'),
    60_000,
  )
  expect(await handsets(dead, dead)).toEqual(list)
  await revived.close()
  await dead.close()
})

async function handsets({ db }: TestService, by: Organisation): Promise<string[]> {
  const rows = await db<{ recipient: string }[]>`
    select recipient from sandbox_messages where organisation_id = ${by.id}`
  return rows.map(({ recipient }) => recipient).sort()
}

const FIRST_LANE = '00000000-0000-0000-0000-000000000000'
