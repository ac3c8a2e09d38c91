import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cancelMessage } from '../../src/messaging/cancel.ts'
import { makeMeters, type Meters } from '../../src/observe/meters.ts'
import { newId } from '../../src/values/id.ts'
import { openHouse, type House, type Organisation } from '../support/house.ts'

let house: House
let meters: Meters
let noted: unknown[]

beforeAll(async () => {
  house = await openHouse({ workers: false })
})
afterAll(() => house.close())

beforeEach(() => {
  const made = makeMeters()
  noted = []
  meters = { ...made, activity: { ...made.activity, note: (...given) => void noted.push(given) } }
})

const RECIPIENTS = ['2348031234567', '2348051234567', '2348071234567']

async function scheduled(by: Organisation): Promise<string> {
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const body = { recipients: RECIPIENTS, content: 'Hello', send_at }
  return (await by.call<{ id: string }>('POST', '/sms/send', body)).body.id
}

const cancel = (by: Organisation, id: string) => cancelMessage({ db: house.db, meters }, by.id, id)
const balance = async (by: Organisation) => (await by.call<{ balance: number }>('GET', '/balance')).body.balance
const counted = async () => (await meters.deliveries.get()).values.map(({ labels, value }) => ({ ...labels, value }))
const statusesOf = async (id: string) =>
  (await house.db<{ status: string }[]>`select status from deliveries where message_id = ${id} order by recipient`).map(
    ({ status }) => status,
  )

test('what is taken back is refunded by delivery, leaves the line, and is counted', async () => {
  const by = await house.organisation({ credit: 100 })
  const [id, other] = [await scheduled(by), await scheduled(by)]
  expect(await balance(by)).toBe(76)
  await cancel(by, id)
  expect(await statusesOf(id)).toEqual(['canceled', 'canceled', 'canceled'])
  expect(await statusesOf(other)).toEqual(['scheduled', 'scheduled', 'scheduled'])
  expect(await balance(by)).toBe(88)
  const lines = await house.db<{ subject_key: string; amount: bigint }[]>`
    select subject_key, amount from ledger_lines where subject_id = ${id} and kind = 'refund' order by subject_key`
  expect(lines.map(({ subject_key, amount }) => `${subject_key} ${amount}`)).toEqual(
    RECIPIENTS.map((recipient) => `${recipient} 40000`),
  )
  const jobs = await house.db<{ subject_id: string }[]>`
    select subject_id from jobs where queue = 'scheduled' and organisation_id = ${by.id}`
  expect(jobs.map(({ subject_id }) => subject_id)).toEqual([other])
  expect(await counted()).toEqual([{ status: 'canceled', value: 3 }])
  expect(noted).toEqual([[by.id, 'refunds', 120_000]])
})

test('what cost nothing is taken back without a refund', async () => {
  const by = await house.organisation({ credit: 100 })
  const id = await scheduled(by)
  await house.db`update deliveries set charge = 0 where message_id = ${id} and recipient <> ${RECIPIENTS[0] ?? ''}`
  await cancel(by, id)
  expect(await statusesOf(id)).toEqual(['canceled', 'canceled', 'canceled'])
  expect(await house.db`select 1 from ledger_lines where subject_id = ${id} and kind = 'refund'`).toHaveLength(1)
})

test('what has become due goes its way; what has not is taken back', async () => {
  const by = await house.organisation({ credit: 100 })
  const id = await scheduled(by)
  await house.db`update deliveries set status = 'queued' where message_id = ${id} and recipient = ${RECIPIENTS[1] ?? ''}`
  await cancel(by, id)
  expect(await statusesOf(id)).toEqual(['canceled', 'queued', 'canceled'])
  expect(await balance(by)).toBe(96)
})

test('what is not scheduled any more is a conflict, and nothing is counted', async () => {
  const by = await house.organisation({ credit: 100 })
  const id = await scheduled(by)
  await house.db`update deliveries set status = 'sent' where message_id = ${id}`
  await expect(cancel(by, id)).rejects.toMatchObject({
    code: 'conflict',
    message: 'The message is not scheduled any more: it is on its way, or over.',
  })
  expect(await balance(by)).toBe(88)
  expect(await counted()).toEqual([])
  expect(noted).toEqual([])
})

test('what is not there, or is somebody else’s, is unknown', async () => {
  const [by, stranger] = [await house.organisation(), await house.organisation()]
  const id = await scheduled(by)
  const unknown = { code: 'not_found', message: 'There is no such message.' }
  await expect(cancel(stranger, id)).rejects.toMatchObject(unknown)
  await expect(cancel(by, newId())).rejects.toMatchObject(unknown)
  await expect(cancel(by, 'nonsense')).rejects.toMatchObject(unknown)
  expect(await statusesOf(id)).toEqual(['scheduled', 'scheduled', 'scheduled'])
})
