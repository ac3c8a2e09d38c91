import { afterAll, beforeAll, expect, test } from 'vitest'
import { runHousekeeping } from '../../src/housekeeping.ts'
import type { Erasure } from '../../src/people/schema.ts'
import { PEOPLE_TABLES } from '../../src/people/tables.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { holdsNumber, numberTraces, passTime } from '../support/number-traces.ts'
import { fill, fillRest, OTHER } from '../support/person-data.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { openService, type TestService } from '../support/service.ts'
import { bind, makeAccount, type SmppClient } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'

const NUMBER = '2348031234567'
const NATIONAL = '08031234567'
const SPACED = '+234 (0) 803 123-4567'

let service: TestService
let receiver: Receiver
let client: SmppClient

beforeAll(async () => {
  service = await openService({ credit: 100_000, settings: { smpp_server: { port: 0 } } })
  receiver = await startReceiver()
  client = await bind(service.smpp_port, await makeAccount(service, { system_id: 'shop' }), 'bind_transmitter')
})

afterAll(async () => {
  client.close()
  await receiver.close()
  await service.close()
})

/** The interval at which an erasure checks for rows it has to wait for increases. */
const LONG_MS = 90_000

let reference = 100
/** A segment of an incomplete long text, with a report requested. */
async function submitSegment(to: object, segment: number, text: string, of = (reference += 1)): Promise<void> {
  const header = Buffer.of(5, 0, 3, of, 3, segment)
  const fields = { ...to, short_message: { udh: header, message: text }, registered_delivery: 1 }
  expect((await client.submit(fields)).command_status).toBe(0)
}

/** Columns that can hold the number and do not. */
async function withoutTheNumber(): Promise<string[]> {
  const missing: string[] = []
  for (const { table, numbers = [], mentions = {} } of PEOPLE_TABLES) {
    for (const column of [...numbers, ...Object.keys(mentions)]) {
      const rows = await service.db.unsafe<{ value: string }[]>(`select "${column}"::text as value from "${table}"`)
      const values = rows.map(({ value }) => (mentions[column] === 'bytea' ? bytesIn(value) : value))
      if (!values.some((value) => value && holdsNumber(value, NUMBER))) missing.push(`${table}.${column}`)
    }
  }
  return [...new Set(missing)]
}

function bytesIn(hex: string): string {
  return Buffer.from(hex.replace(/^\\x/, ''), 'hex').toString('latin1')
}

const readReceipt = async (id: string) => (await service.call<Erasure>('GET', `/people/erasures/${id}`)).body

test('a person in every column that can hold a number is in none after the erasure, nor ten minutes later', async () => {
  const { db } = service
  const callback = `${receiver.url}/hook?to=%2B${NUMBER}`
  receiver.answer = ({ body }) => (body.includes(NUMBER) && body.includes('undelivered') ? 500 : 200)
  const names = { number: NUMBER, national: NATIONAL, spaced: SPACED, callback }
  await fill({ db, receiver, by: service }, names)
  await until(
    'all callbacks to be delivered',
    async () => (await db`select 1 from deliveries where status = 'sent'`).length === 0,
  )
  await fillRest({ db, by: service }, names)

  // Long texts with one segment: to the person, in every spelling, and to another person about them.
  await submitSegment({ dest_addr_ton: 1, destination_addr: NUMBER }, 1, 'One of three')
  await submitSegment({ dest_addr_ton: 0, destination_addr: NATIONAL }, 2, 'One of three')
  await submitSegment({ dest_addr_ton: 0, destination_addr: `00${NUMBER}` }, 1, 'One of three')
  await submitSegment({ dest_addr_ton: 0, destination_addr: NUMBER }, 1, 'One of three')
  await submitSegment({ destination_addr: OTHER }, 1, 'Please call 0803 123', 77)
  await submitSegment({ destination_addr: OTHER }, 2, '4567 today', 77)
  await submitSegment({ destination_addr: OTHER }, 1, 'About nobody', 78)
  await submitSegment({ destination_addr: OTHER }, 3, `Or call ${NATIONAL}`, 79)
  expect(await withoutTheNumber()).toEqual([])

  const asked = await service.call<Erasure>('POST', '/people/erasures', { phone: SPACED })
  let left: string[] = []
  const isErased = async () => {
    // A dump takes long, so the receipt is read first.
    if ((await readReceipt(asked.body.id)).waits_for?.join() !== 'smpp_long_texts') return false
    left = (await numberTraces(db, NUMBER)).filter((one) => !one.startsWith('smpp_long_texts: '))
    return left.length === 0
  }
  await until('all else to be erased', isErased, LONG_MS).catch(() => undefined)
  expect(left).toEqual([])
  expect(await readReceipt(asked.body.id)).toMatchObject({ status: 'running', waits_for: ['smpp_long_texts'] })
  const texts = await db<{ recipient: string }[]>`select recipient from smpp_long_texts`
  expect(texts.map(({ recipient }) => recipient)).toEqual([OTHER, OTHER, OTHER])

  await passTime(db, 10)
  await until('the long texts to be given up', async () => (await db`select 1 from smpp_long_texts`).length === 0)
  await until('the end of the erasure', async () => (await readReceipt(asked.body.id)).status === 'done', LONG_MS)
  expect(await numberTraces(db, NUMBER)).toEqual([])
  // The segments of the other person's text were answered with an id, and its end is reported.
  const outbox = await db<{ body: string }[]>`select body from smpp_outbox`
  expect(outbox.map(({ body }) => body).join()).toContain(OTHER)

  await passTime(db, 10)
  const { retention, fresh } = HOUSEKEEPING
  await runHousekeeping({ db, retention, fresh })
  await submitSegment({ destination_addr: OTHER }, 1, 'After it')
  await passTime(db, 10)
  await until('another sweep', async () => (await db`select 1 from smpp_long_texts`).length === 0)
  expect(await numberTraces(db, NUMBER)).toEqual([])
  const again = await service.call<Erasure>('POST', '/people/erasures', { phone: NUMBER })
  const receipt = await until(
    'the second erasure',
    async () => {
      const read = await readReceipt(again.body.id)
      return read.status === 'done' && read
    },
    LONG_MS,
  )
  expect(receipt.found).toEqual([])
  expect(await auditMoney(db)).toEqual([])
}, 300_000)

const HOUSEKEEPING = {
  retention: {
    answers_days: 1,
    callbacks_days: 30,
    sandbox_days: 7,
    otps_days: 90,
    window_minutes: 60,
    imports_days: 30,
    requests_days: 3,
    activity_days: 30,
    analytics_hours_days: 400,
  },
  fresh: { carrier_facts_days: 90, cache_hours: 24 },
}
