import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readBalance } from '../../src/billing/store.ts'
import { cancelMessage } from '../../src/messaging/schedule/cancel.ts'
import { makeMeters, type Meters } from '../../src/observe/meters.ts'
import { newId } from '../../src/values/id.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { storeMessage } from '../support/message.ts'
import { foundOrganisation } from '../support/organisation.ts'

let database: TestDatabase
let meters: Meters
let noted: unknown[]

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

beforeEach(() => {
  const made = makeMeters()
  noted = []
  meters = { ...made, activity: { ...made.activity, note: (...given) => void noted.push(given) } }
})

const RECIPIENTS = ['2348031234567', '2348051234567', '2348071234567']

const LANE = '00000000-0000-0000-0000-000000000000'
const organisation = () => foundOrganisation(database.db, 100_0000n)

/** A message scheduled for the next hour, with the job that will make it due. */
async function scheduled(by: string): Promise<string> {
  const id = await storeMessage(database.db, by, { recipients: RECIPIENTS, status: 'scheduled' })
  await database.db`
    with moment as (update deliveries set send_at = now() + interval '1 hour' where message_id = ${id} returning send_at)
    insert into jobs (queue, priority, lane, organisation_id, subject_id, run_at)
    select 'scheduled', 1, ${LANE}, ${by}, ${id}, send_at from moment limit 1`
  return id
}

const cancel = (by: string, id: string) => cancelMessage({ db: database.db, meters }, by, id)
const balance = async (by: string) => (await readBalance(database.db, by)).balance
const counted = async () => (await meters.deliveries.get()).values.map(({ labels, value }) => ({ ...labels, value }))
const statusesOf = async (id: string) =>
  (
    await database.db<{ status: string }[]>`select status from deliveries where message_id = ${id} order by recipient`
  ).map(({ status }) => status)

test('a canceled message is refunded by delivery, dequeued, and counted', async () => {
  const by = await organisation()
  const [id, other] = [await scheduled(by), await scheduled(by)]
  await cancel(by, id)
  expect(await statusesOf(id)).toEqual(['canceled', 'canceled', 'canceled'])
  expect(await statusesOf(other)).toEqual(['scheduled', 'scheduled', 'scheduled'])
  expect(await balance(by)).toBe(112_0000n)
  const lines = await database.db<{ subject_key: string; amount: bigint }[]>`
    select subject_key, amount from ledger_lines where subject_id = ${id} and kind = 'refund' order by subject_key`
  expect(lines.map(({ subject_key, amount }) => `${subject_key} ${amount}`)).toEqual(
    RECIPIENTS.map((recipient) => `${recipient} 40000`),
  )
  const jobs = await database.db<{ subject_id: string }[]>`
    select subject_id from jobs where queue = 'scheduled' and organisation_id = ${by}`
  expect(jobs.map(({ subject_id }) => subject_id)).toEqual([other])
  expect(await counted()).toEqual([{ status: 'canceled', value: 3 }])
  expect(noted).toEqual([[by, 'refunds', 120_000]])
})

test('a message without a charge is canceled without a refund', async () => {
  const by = await organisation()
  const id = await scheduled(by)
  await database.db`update deliveries set charge = 0 where message_id = ${id} and recipient <> ${RECIPIENTS[0] ?? ''}`
  await cancel(by, id)
  expect(await statusesOf(id)).toEqual(['canceled', 'canceled', 'canceled'])
  expect(await database.db`select 1 from ledger_lines where subject_id = ${id} and kind = 'refund'`).toHaveLength(1)
})

test('due deliveries are sent; the others are canceled', async () => {
  const by = await organisation()
  const id = await scheduled(by)
  await database.db`update deliveries set status = 'queued' where message_id = ${id} and recipient = ${RECIPIENTS[1] ?? ''}`
  await cancel(by, id)
  expect(await statusesOf(id)).toEqual(['canceled', 'queued', 'canceled'])
  expect(await balance(by)).toBe(108_0000n)
})

test('a message that is no longer scheduled is a conflict, and nothing is counted', async () => {
  const by = await organisation()
  const id = await scheduled(by)
  await database.db`update deliveries set status = 'sent' where message_id = ${id}`
  await expect(cancel(by, id)).rejects.toMatchObject({
    code: 'conflict',
    message: 'The message is not scheduled any more: it is on its way, or over.',
  })
  expect(await balance(by)).toBe(100_0000n)
  expect(await counted()).toEqual([])
  expect(noted).toEqual([])
})

test('an unknown message, or one of another organisation, is not found', async () => {
  const [by, stranger] = [await organisation(), await organisation()]
  const id = await scheduled(by)
  const unknown = { code: 'not_found', message: 'There is no such message.' }
  await expect(cancel(stranger, id)).rejects.toMatchObject(unknown)
  await expect(cancel(by, newId())).rejects.toMatchObject(unknown)
  await expect(cancel(by, 'nonsense')).rejects.toMatchObject(unknown)
  expect(await statusesOf(id)).toEqual(['scheduled', 'scheduled', 'scheduled'])
})
