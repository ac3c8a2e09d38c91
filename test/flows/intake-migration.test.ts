import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { keptId } from '../../src/carriers/message-id.ts'
import { migrate } from '../../src/db/migrate.ts'
import { transaction } from '../../src/db/transaction.ts'
import { newId } from '../../src/values/id.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { numbersOf } from '../support/drafts.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** What was there before that build was never distributed. */
const on_cluster = inject('cluster') !== undefined

/** What an installation had in hand when it was stopped for the build with the intake goes on as if nothing had happened. */

const FOLDER = new URL('../../migrations/', import.meta.url)
const BEFORE = '0027'
const PRICE = 4_0000
const CREDIT = 10_000_0000
/** Numbers of the sandbox: never reaches its phone, is refused by the network, is taken at the third try. */
const ABSENT = '2348000000001'
const REFUSED = '2348000000003'
const THIRD_TRY = '2348000000009'

let database: TestDatabase
let service: TestService | undefined
let organisation_id: string
let line = 0

/** A database as the last build before the intake left it. */
beforeEach(async () => {
  database = await freshDatabase()
  const { db } = database
  await db.unsafe('drop schema public cascade; create schema public')
  await db.unsafe(`
    create table migrations (
      number integer primary key, name text not null, applied_datetime timestamptz not null default now()
    )`)
  for (const file of readdirSync(FOLDER).sort()) {
    if (file >= BEFORE) break
    await db.unsafe(readFileSync(new URL(file, FOLDER), 'utf8'))
    await db`insert into migrations (number, name) values (${Number(file.slice(0, 4))}, ${file.slice(0, -4)})`
  }
  organisation_id = newId()
  line = 0
  await db`
    insert into organisations (id, name, mode, default_country, default_sender_id, currency, callback_secrets)
    values (${organisation_id}, 'Old', 'live', 'NG', 'Shop', 'NGN', array['whsec_x'])`
  await db`insert into balances (organisation_id) values (${organisation_id})`
  await bookLine('opening', CREDIT, newId())
})
afterEach(async () => {
  await service?.close()
  service = undefined
  await database.drop()
})

/** A line of the ledger and its balance, as every charge wrote one. */
async function bookLine(kind: string, amount: number, subject_id: string): Promise<void> {
  line += 1
  await transaction(database.db, async (tx) => {
    await tx`
      with line as (
        insert into ledger_lines (organisation_id, sequence, kind, amount, balance_after, subject_id)
        select organisation_id, ${line}, ${kind}, ${amount}, balance + ${amount}, ${subject_id} from balances
        where organisation_id = ${organisation_id}
      )
      update balances set balance = balance + ${amount}, sequence = ${line} where organisation_id = ${organisation_id}`
  })
}

type OldDelivery = { recipient: string; text?: string; route?: string }

/** Single messages of a burst: one row, and the job that would have opened it. */
async function storeBundle(
  messages: readonly { deliveries: OldDelivery[]; external_ref?: string }[],
): Promise<string[]> {
  const written = messages.map(({ deliveries, external_ref }) => ({
    id: newId(),
    channel: 'sms',
    is_trackable: false,
    encoding: 'GSM',
    message_length: 5,
    pages: 1,
    charge: PRICE * deliveries.length,
    priority: 1,
    sender_id: 'Shop',
    content: 'Hello "you", \\u0041 ẹ',
    ...(external_ref === undefined ? {} : { external_ref }),
    deliveries: deliveries.map((one) => ({ pages: 1, charge: PRICE, route: 'sms', ...one })),
  }))
  for (const { id, charge } of written) await bookLine('message', -charge, id)
  const ids = written.map(({ id }) => id).sort()
  const size = messages.reduce((sum, { deliveries }) => sum + deliveries.length, 0)
  await database.db`
    insert into bundles (organisation_id, first_id, last_id, size, messages)
    values (${organisation_id}, ${ids[0]}, ${ids.at(-1)}, ${size}, ${JSON.stringify(written)})`
  await database.db`
    insert into jobs (queue, priority, lane, organisation_id, subject_id)
    values ('unbundle', 1, ${organisation_id}, ${organisation_id}, ${ids.at(-1)})`
  return written.map(({ id }) => id)
}

/** A message to many: stored once, with packs of its recipients and the jobs that would have opened them. */
async function storePacks(recipients: readonly string[], texts?: readonly string[]): Promise<string> {
  const id = newId()
  const { db } = database
  await bookLine('message', -PRICE * recipients.length, id)
  await db`
    insert into messages (organisation_id, id, channel, sender_id, content, encoding, message_length, pages, charge)
    values (${organisation_id}, ${id}, 'sms', 'Shop', 'To all', 'GSM', 6, 1, ${PRICE * recipients.length})`
  // Every third recipient is in a pack of its own kind, so that everybody's place has to be told.
  const places = recipients.map((_, n) => n)
  const packs = [places.filter((n) => n % 3 === 0), places.filter((n) => n % 3 !== 0)]
  for (const [number, positions] of packs.entries()) {
    const own = (list: readonly string[]) => positions.map((n) => list[n] ?? '')
    await db`
      insert into packs
        (organisation_id, message_id, number, route, pages, charge, size, first_position, positions, recipients, texts)
      values (${organisation_id}, ${id}, ${number}, 'sms', 1, ${PRICE}, ${positions.length}, ${positions[0]},
        ${positions}, ${own(recipients).join(',')}, ${texts ? own(texts) : null})`
    await db`
      insert into jobs (queue, priority, lane, organisation_id, subject_id, subject_key)
      values ('unpack', 2, ${organisation_id}, ${organisation_id}, ${id}, ${String(number)})`
  }
  return id
}

/** A message that the simulator has taken: its reports waited message by message. */
async function storeSent(recipients: readonly string[]): Promise<string> {
  const id = newId()
  const { db } = database
  await bookLine('message', -PRICE * recipients.length, id)
  await db`
    insert into messages (organisation_id, id, channel, sender_id, content, encoding, message_length, pages, charge)
    values (${organisation_id}, ${id}, 'sms', 'Shop', 'Sent', 'GSM', 4, 1, ${PRICE * recipients.length})`
  for (const [position, recipient] of recipients.entries()) {
    await db`
      insert into deliveries
        (organisation_id, message_id, recipient, position, status, pages, charge, route, carrier, sent_datetime)
      values (${organisation_id}, ${id}, ${recipient}, ${position}, 'sent', 1, ${PRICE}, 'sms', 'simulator', now())`
    await db`
      insert into submissions (carrier, carrier_message_id, organisation_id, message_id, recipient, report_due)
      values ('simulator', ${keptId(`${id}-${recipient}`)}, ${organisation_id}, ${id}, ${recipient}, now() + interval '1 hour')`
    await db`
      insert into jobs (queue, lane, organisation_id, subject_id, subject_key)
      values ('simulator:simulator', ${organisation_id}, ${organisation_id}, ${id}, ${recipient})`
  }
  return id
}

/** Starts this build on it, and gives the organisation a key. */
async function start(workers: boolean): Promise<Organisation> {
  service = await openService({ beside: { database }, workers })
  return service.organisation({ of: { ...service, id: organisation_id } })
}

type Read = {
  content: string
  external_ref?: string
  deliveries: { recipient: string; status: string; text?: string }[]
}

const read = async (by: Organisation, id: string) => (await by.call<Read>('GET', `/sms/${id}`)).body

const statusesOf = async (by: Organisation, id: string) =>
  (await read(by, id)).deliveries.map(({ recipient, status }) => `${recipient} ${status}`)

const balanceOf = async (by: Organisation) => (await by.call<{ balance: number }>('GET', '/balance')).body.balance

/** What each handset shows, and how often: sent twice would be seen here only if it had two ids. */
const shown = (id: string) => database.db<{ recipient: string; text: string }[]>`
  select recipient, text from sandbox_messages where message_id = ${id} order by recipient`

const numberOf = (n: number) => numbersOf(n + 1)[n] ?? ''

test.skipIf(on_cluster)(
  'waiting bundles and packs are read as what they are, and every message is charged by its own line',
  async () => {
    const [one = '', few = ''] = await storeBundle([
      { deliveries: [{ recipient: numberOf(0) }], external_ref: 'order "1"' },
      {
        deliveries: [
          { recipient: numberOf(1), text: 'Own "words"' },
          { recipient: numberOf(2), text: 'Others' },
        ],
      },
    ])
    const list = await storePacks(numbersOf(700))
    const applied = await migrate(database.db)
    expect(applied).toEqual(expect.arrayContaining(['0027_intake', '0030_simulator', 'record.sql']))
    expect(await migrate(database.db)).toEqual([])
    expect(await auditMoney(database.db)).toEqual([])
    const by = await start(false)
    expect(await read(by, one)).toMatchObject({ content: 'Hello "you", \\u0041 ẹ', external_ref: 'order "1"' })
    expect((await read(by, few)).deliveries.map(({ text }) => text)).toEqual(['Own "words"', 'Others'])
    expect(await statusesOf(by, few)).toEqual([`${numberOf(1)} queued`, `${numberOf(2)} queued`])
    expect(await statusesOf(by, list)).toEqual(numbersOf(700).map((recipient) => `${recipient} queued`))
    expect(await balanceOf(by)).toBe((CREDIT - PRICE * 703) / 10_000)
    const jobs = await database.db`
    select queue, priority, count(*)::integer as jobs from jobs group by queue, priority order by priority`
    expect(jobs).toEqual([
      { queue: 'route:sms', priority: 1, jobs: 3 },
      { queue: 'route:sms', priority: 2, jobs: 700 },
    ])
  },
)

test.skipIf(on_cluster)(
  'they are delivered to the end, each once, and what was never carried is refunded',
  async () => {
    const singles = await storeBundle([
      { deliveries: [{ recipient: numberOf(0) }] },
      {
        deliveries: [
          { recipient: numberOf(1), text: 'Own "words"' },
          { recipient: ABSENT, text: 'Absent' },
        ],
      },
      { deliveries: [{ recipient: REFUSED }] },
      { deliveries: [{ recipient: THIRD_TRY }] },
    ])
    const recipients = [...numbersOf(20), REFUSED]
    const list = await storePacks(
      recipients,
      recipients.map((_, n) => `Dear ${n}`),
    )
    await migrate(database.db)
    const by = await start(true)
    await until('everything to be over', async () => {
      const open = await database.db`
      select 1 from deliveries where organisation_id = ${organisation_id} and status in ('queued', 'sent')`
      return open.length === 0
    })
    expect(await Promise.all(singles.map((id) => statusesOf(by, id)))).toEqual([
      [`${numberOf(0)} delivered`],
      [`${numberOf(1)} delivered`, `${ABSENT} undelivered`],
      [`${REFUSED} rejected`],
      [`${THIRD_TRY} delivered`],
    ])
    expect(await statusesOf(by, list)).toEqual([
      ...numbersOf(20).map((recipient) => `${recipient} delivered`),
      `${REFUSED} rejected`,
    ])
    expect((await shown(list)).map(({ recipient, text }) => [recipient, text])).toEqual(
      numbersOf(20).map((recipient, n) => [recipient, `Dear ${n}`]),
    )
    expect((await shown(singles[1] ?? '')).map(({ text }) => text)).toEqual(['Own "words"'])
    const left = await database.db`select queue from jobs where organisation_id = ${organisation_id}`
    expect(left).toEqual([])
    // 26 were charged, two of them never carried.
    expect(await balanceOf(by)).toBe((CREDIT - PRICE * 24) / 10_000)
    expect(await auditMoney(database.db)).toEqual([])
  },
)

test.skipIf(on_cluster)('packs of a message that is gone, with its month, go with it', async () => {
  const list = await storePacks(numbersOf(3))
  await database.db`delete from messages where id = ${list}`
  await migrate(database.db)
  expect(await database.db`select 1 from deliveries`).toEqual([])
  expect(await database.db`select 1 from jobs`).toEqual([])
})

test.skipIf(on_cluster)(
  'reports of the simulator that waited message by message come after the migration',
  async () => {
    const sent = await storeSent([...numbersOf(3), ABSENT])
    await migrate(database.db)
    const jobs = await database.db<{ subject_key: string }[]>`
    select subject_key from jobs where queue = 'simulator:simulator' order by id`
    expect(jobs.map(({ subject_key }) => subject_key)).toEqual([...numbersOf(3), ABSENT].map((one) => `${sent}-${one}`))
    const by = await start(true)
    const over = [...numbersOf(3).map((one) => `${one} delivered`), `${ABSENT} undelivered`]
    await until('all reports', async () => (await statusesOf(by, sent)).join() === over.join())
    expect(await balanceOf(by)).toBe((CREDIT - PRICE * 4) / 10_000)
    expect(await auditMoney(database.db)).toEqual([])
  },
)
