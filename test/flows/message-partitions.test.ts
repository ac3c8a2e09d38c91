import { afterAll, beforeAll, expect, test } from 'vitest'
import { dropPartitions, makePartitions } from '../../src/db/partitions.ts'
import { transaction } from '../../src/db/transaction.ts'
import { deleteExpired } from '../../src/db/retention.ts'
import { deleteExpiredLinks } from '../../src/messaging/links/link-store.ts'
import { emptyIntake } from '../support/intake.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

/** A message that has left the intake. */
async function send(): Promise<string> {
  const { body } = await service.call('POST', '/sms/send', { recipients: '08031234567', content: 'Hello' })
  await emptyIntake(service.db, service.id)
  return String(body.id)
}

async function partOf(table: 'messages' | 'deliveries', id: string): Promise<string | undefined> {
  const [row] =
    table === 'messages'
      ? await service.db<
          { partition: string }[]
        >`select tableoid::regclass::text as partition from messages where id = ${id}`
      : await service.db<{ partition: string }[]>`
          select tableoid::regclass::text as partition from deliveries where message_id = ${id}`
  return row?.partition.replace(/_\d{6,}$/, '') // On a cluster the name ends in the number of the shard.
}

test('the partitions of the coming months are created once, also by several processes concurrently', async () => {
  const made = await Promise.all([makePartitions(service.db), makePartitions(service.db), makePartitions(service.db)])
  expect(made.flat().sort()).toHaveLength(4)
  expect(made.flat()).toEqual(expect.arrayContaining([expect.stringMatching(/^messages_\d{4}_\d{2}$/)]))
  expect(await makePartitions(service.db)).toEqual([])
})

test.each([
  ['messages', 'deliveries'],
  ['deliveries', 'messages'],
])(
  'a transaction that reads %s and then %s does not deadlock with the creation of partitions',
  async (first, second) => {
    for (const table of [first, second]) {
      const partitions = await service.db<{ partition: string }[]>`
      select relname as partition from pg_class where relname ~ ${`^${table}_[0-9]{4}_[0-9]{2}$`} and relkind = 'r'`
      for (const { partition } of partitions) await service.db.unsafe(`drop table ${partition}`)
    }
    let making: Promise<string[]> | undefined
    await transaction(service.db, async (tx) => {
      await tx.unsafe(`select 1 from ${first} limit 1`)
      making = makePartitions(service.db)
      making.catch(() => {})
      await until('a partition to wait for the reader', async () => {
        const waiting = await service.db`
        select 1 from pg_locks where not granted and relation in ('messages'::regclass, 'deliveries'::regclass)`
        return waiting.length > 0
      })
      await tx.unsafe(`select 1 from ${second} limit 1`)
    })
    expect(await making).toHaveLength(6)
  },
)

test('a message and its deliveries are stored in the partitions of its month', async () => {
  const id = await send()
  expect(await partOf('messages', id)).toMatch(/^messages_\d{4}_\d{2}$/)
  expect(await partOf('deliveries', id)).toMatch(/^deliveries_\d{4}_\d{2}$/)
  const next_month = new Date(Date.now() + 32 * 86_400_000).getTime().toString(16).padStart(12, '0')
  const later = `${next_month.slice(0, 8)}-${next_month.slice(8)}-7${id.slice(15)}`
  await service.db`
    insert into messages (organisation_id, id, channel, encoding, message_length, pages, charge)
    values (${service.id}, ${later}, 'sms', 'GSM', 1, 1, 0)`
  expect(await partOf('messages', later)).toMatch(/^messages_\d{4}_\d{2}$/)
  expect((await service.call<{ messages: { id: string }[] }>('GET', '/sms?limit=2')).body.messages).toMatchObject([
    { id: later },
    { id },
  ])
})

test('reading by id scans one partition only', async () => {
  const id = await send()
  const plan = await service.db`
    explain select content from messages where organisation_id = ${service.id} and id = ${id}`
  const text = JSON.stringify(plan)
  expect([...new Set(text.match(/messages_(\d{4}_\d{2}|later)/g))]).toEqual([await partOf('messages', id)])
})

test('retention deletes tracked links and inbound messages of every organisation', async () => {
  const other = await service.organisation()
  const count = async ({ id, call }: Organisation): Promise<[number, number]> => {
    const links = await service.db`select 1 from links where organisation_id = ${id}`
    return [links.length, (await call<{ inbound: object[] }>('GET', '/inbound')).body.inbound.length]
  }
  for (const { call } of [service, other]) {
    const content = 'See https://example.com/a and https://example.com/b'
    await call('POST', '/sms/send', { recipients: '08031234567', content, is_trackable: true })
    const answer = { from: '2348031234567', to: 'Gangan', text: 'Thank you' }
    expect((await call('POST', '/sandbox/reply', answer)).status).toBe(200)
  }
  expect(await deleteExpiredLinks(service.db, 45, 10)).toBe(0)
  expect(
    await deleteExpired(service.db, { table: 'inbound_messages', older_than: '45 days', limit_per_organisation: 10 }),
  ).toBe(0)
  expect([await count(service), await count(other)]).toEqual([
    [2, 1],
    [2, 1],
  ])
  // As if it were a day later.
  expect(await deleteExpiredLinks(service.db, -1, 1)).toBe(2)
  expect(
    await deleteExpired(service.db, { table: 'inbound_messages', older_than: '-1 days', limit_per_organisation: 10 }),
  ).toBe(2)
  expect([await count(service), await count(other)]).toEqual([
    [1, 0],
    [1, 0],
  ])
})

test('partitions are dropped when all their rows are expired, and the ledger stays', async () => {
  const id = await send()
  const before = (await service.call<{ balance: number }>('GET', '/balance')).body.balance
  expect(await dropPartitions(service.db, 31)).toEqual([])
  expect((await service.call('GET', `/sms/${id}`)).status).toBe(200)
  const [messages, deliveries] = [await partOf('messages', id), await partOf('deliveries', id)]
  // As if it were forty days later.
  const dropped = await dropPartitions(service.db, -40)
  expect(dropped).toEqual(expect.arrayContaining([messages, deliveries]))
  expect((await service.call('GET', `/sms/${id}`)).status).toBe(404)
  expect((await service.call<{ balance: number }>('GET', '/balance')).body.balance).toBe(before)
  const lines =
    await service.db`select 1 from ledger_lines where organisation_id = ${service.id} and subject_id = ${id}`
  expect(lines).toHaveLength(1)
  // No write fails for lack of a partition.
  const late = await send()
  expect([await partOf('messages', late), await partOf('deliveries', late)]).toEqual([
    'messages_later',
    'deliveries_later',
  ])
  await dropPartitions(service.db, 31)
  expect(await partOf('messages', late)).toBe('messages_later')
  await dropPartitions(service.db, -40)
  expect([await partOf('messages', late), await partOf('deliveries', late)]).toEqual([undefined, undefined])
})
