import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CallbackSender } from '../../src/callbacks/deliver/reserved.ts'
import type { CarrierReport } from '../../src/carriers/message-carrier.ts'
import { connectBeside, type Db } from '../../src/db/connect.ts'
import { makeReceiveReports } from '../../src/messaging/reports/receive-reports.ts'
import { makeMeters } from '../../src/observe/meters.ts'
import { emptyIntake } from '../support/intake.ts'
import { openService, type TestService } from '../support/service.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

let service: TestService
let receiver: Receiver
let work_db: Db

beforeEach(async () => {
  receiver = await startReceiver()
  service = await openService({ workers: false })
  work_db = connectBeside(service.db, { connections: 4, plans: 'kept' })
})
afterEach(async () => {
  await work_db.end({ timeout: 1 })
  await service.close()
  await receiver.close()
})

/** A sender that records the callbacks it receives. */
function makeSender(capacity = Infinity) {
  const seen = { reserved: 0, taken: [] as string[], given_up: 0 }
  const hands: CallbackSender = {
    reserve: () => seen.reserved < capacity && (seen.reserved += 1) > 0,
    startReserved: (_, burst_id, callback) => {
      if (burst_id !== undefined) seen.taken.push(callback.id)
      else seen.given_up += 1
    },
  }
  return { seen, hands }
}

function taking(hands?: CallbackSender) {
  const settling = {
    db: work_db,
    wakeups: { wake: () => {}, onWake: () => () => {}, close: async () => {} },
    meters: makeMeters(),
    onChanged: async () => {},
    onSettled: () => {},
    noteFacts: async () => {},
    learnIds: async () => {},
    callbackSender: () => hands,
  }
  return makeReceiveReports(settling, settling)
}

const report = (n: number, status: CarrierReport['status'] = 'delivered'): CarrierReport => ({
  carrier: 'line',
  carrier_message_id: `id-${n}`,
  status,
  code: '000',
  description: 'DELIVRD',
})

/** Messages that a carrier has accepted, with known carrier message ids. */
async function sent(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const body = { recipients: '08031234567', content: 'Hello', callback: receiver.url }
    const { id } = (await service.call<{ id: string }>('POST', '/sms/send', body)).body
    await service.db`
      insert into submissions (carrier, carrier_message_id, organisation_id, message_id, recipient, report_due)
      values ('line', ${`id-${n}`}, ${service.id}, ${id}, '2348031234567', now() + interval '1 h')`
    ids.push(id)
  }
  await emptyIntake(service.db, service.id)
  await service.db`update deliveries set status = 'sent' where organisation_id = ${service.id}`
  await service.db`delete from jobs`
  return ids
}

const statuses = async () =>
  (await service.db<{ status: string }[]>`select status from deliveries order by message_id`).map(
    ({ status }) => status,
  )
const stored = () => service.db<{ id: string; status: string; attempts: number }[]>`select * from callbacks order by id`
type Job = { queue: string; subject_id: string; leased: boolean; attempts: number }
const inLine = () => service.db<Job[]>`select * from jobs order by queue, subject_id`
/** Callbacks without a job of their own, by the batch they are leased with. */
const inBursts = () =>
  service.db<{ id: string }[]>`
    select callbacks.id from callbacks
    join jobs on jobs.id = burst_id and jobs.organisation_id = callbacks.organisation_id order by 1`

describe('a report of success', () => {
  test('is settled, and its callback stored as leased and passed to the sender', async () => {
    await sent(3)
    const { seen, hands } = makeSender(2)
    await taking(hands)([report(0), report(1), report(2)])
    expect(await statuses()).toEqual(['delivered', 'delivered', 'delivered'])
    const callbacks = await stored()
    expect(callbacks).toHaveLength(3)
    const left = callbacks.find(({ id }) => !seen.taken.includes(id))
    // One job for the two leased ones, and one for the third.
    expect(await inLine()).toMatchObject([
      { queue: 'callback bursts', subject_id: seen.taken.toSorted()[0], leased: true, attempts: 1 },
      { queue: 'callbacks', subject_id: left?.id, leased: false, attempts: 0 },
    ])
    expect((await inBursts()).map(({ id }) => id)).toEqual(seen.taken.toSorted())
    expect(seen).toMatchObject({ reserved: 2, given_up: 0 })
  })

  test('received twice, in one batch, in two concurrent ones or later, causes one callback', async () => {
    await sent(1)
    const { seen, hands } = makeSender()
    const take = taking(hands)
    await Promise.all([take([report(0), report(0)]), take([report(0)]), taking(makeSender().hands)([report(0)])])
    await take([report(0), report(0, 'undelivered')])
    expect(await statuses()).toEqual(['delivered'])
    expect(await stored()).toHaveLength(1)
    expect(seen.taken.length + seen.given_up).toBe(seen.reserved)
  })

  test('does not change a final status, but corrects an expired one', async () => {
    const [first, second] = await sent(2)
    await service.db`update deliveries set status = 'rejected' where message_id = ${first ?? ''}`
    await service.db`update deliveries set status = 'expired' where message_id = ${second ?? ''}`
    const { seen, hands } = makeSender()
    await taking(hands)([report(0), report(1)])
    expect(await statuses()).toEqual(['rejected', 'delivered'])
    expect(seen).toMatchObject({ reserved: 1, given_up: 0 })
    expect(await stored()).toHaveLength(1)
  })

  test('that cannot be stored releases its slots, and is kept for the worker', async () => {
    await sent(1)
    const { seen, hands } = makeSender()
    await service.db`alter table callbacks add constraint refuses check (type <> 'text.delivered')`
    await taking(hands)([report(0)])
    expect(seen).toMatchObject({ reserved: 1, taken: [], given_up: 1 })
    expect(await statuses()).toEqual(['sent'])
    expect(await service.db`select 1 from reports`).toHaveLength(1)
  })

  test('goes to registered endpoints as well, whose callbacks are never stored as leased', async () => {
    await service.call('POST', '/webhooks', { url: 'https://example.com/events' })
    await sent(1)
    const { seen, hands } = makeSender()
    await taking(hands)([report(0)])
    expect((await inLine()).map(({ leased }) => leased).toSorted()).toEqual([false, true])
    expect(seen.taken).toHaveLength(1)
  })
})

test('a callback leased by a process that died is posted by the next', async () => {
  await sent(2)
  await taking(makeSender().hands)([report(0), report(1)]) // Its sender drops the callback.
  expect(receiver.received).toEqual([])
  await service.db`update jobs set leased_until = now() - interval '1 s'`
  const next = await openService({ beside: service })
  await receiver.wait(2)
  await until('both to be recorded', async () => (await stored()).every(({ status }) => status === 'delivered'))
  expect(await inLine()).toEqual([])
  await next.close()
})

test('a process with a worker passes callbacks to it: without a claim or another read', async () => {
  const busy = await openService({ beside: service })
  const open: (() => void)[] = []
  receiver.answer = () => new Promise((resolve) => open.push(() => resolve(200)))
  // The first one may be stored before the worker has polled the queue once; then it is claimed.
  await until('a leased callback', async () => {
    const body = { recipients: '08031234567', content: 'Hello', callback: receiver.url }
    const { id } = (await service.call<{ id: string }>('POST', '/sms/send', body)).body
    const [job] = await until('its callback to be leased', async () => {
      const jobs = await service.db<{ handed_over: boolean }[]>`
        select jobs.leased_until = callbacks.created_datetime + interval '10 s' as handed_over
        from callbacks join jobs on leased and jobs.organisation_id = callbacks.organisation_id
          and (jobs.id = burst_id or jobs.subject_id = callbacks.id)
        where callbacks.subject_id = ${id}`
      return jobs.length > 0 && jobs
    })
    return job?.handed_over
  })
  await until('a response to be awaited', async () => open.length > 0)
  for (const answer of open) answer()
  receiver.answer = () => 200
  await until('all to be recorded', async () => (await stored()).every(({ status }) => status === 'delivered'))
  expect((await stored()).every(({ attempts }) => attempts === 1)).toBe(true)
  await busy.close()
})
