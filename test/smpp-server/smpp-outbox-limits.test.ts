import { afterAll, beforeAll, expect, test } from 'vitest'
import { runHousekeeping } from '../../src/housekeeping.ts'
import { openService, type TestService } from '../support/service.ts'
import { bind, makeAccount, type Login } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'

const KEEP_HOURS = 2
const WAITING = 3

let service: TestService
beforeAll(async () => {
  const smpp_server = { port: 0, keep_hours: KEEP_HOURS, limits: { waiting: WAITING } }
  service = await openService({ settings: { smpp_server } })
})
afterAll(() => service.close())

let next = 0

/** Submits sequentially, so that the reports are queued in that order; returns the ids. */
async function submitSome(login: Login, count: number): Promise<string[]> {
  const transmitter = await bind(service.smpp_port, login, 'bind_transmitter')
  const ids: string[] = []
  for (let n = 1; n <= count; n += 1) {
    const destination_addr = `23480712${String((next += 1)).padStart(5, '0')}`
    ids.push((await transmitter.submit({ destination_addr, short_message: 'Hello' })).message_id)
    await until('its report to wait', async () => {
      const found = await service.db`select 1 from smpp_outbox where body like ${`%${ids.at(-1)}%`}`
      return found.length === 1
    })
  }
  transmitter.close()
  return ids
}

/** What housekeeping does every minute, with the settings of the service. */
async function sweep(): Promise<void> {
  const { retention, lookup, smpp_server } = service.config.settings
  const smpp = { smpp_hours: smpp_server?.keep_hours, smpp_waiting: smpp_server?.limits.waiting }
  await runHousekeeping({ db: service.db, retention: { ...retention, window_minutes: 60, ...smpp }, fresh: lookup })
}

async function age(id: string | undefined, hours: number): Promise<void> {
  await service.db`
    update smpp_outbox set created_datetime = now() - ${hours} * interval '1 hour' where body like ${`%${id}%`}`
}

async function reportsOf(login: Login, count: number): Promise<string[]> {
  const receiver = await bind(service.smpp_port, login, 'bind_receiver')
  await until('the reports', () => receiver.reports().length === count)
  const ids = receiver.reports().map(({ id }) => id ?? '')
  receiver.close()
  return ids.sort()
}

test('undelivered reports are dropped by age and beyond the limit, oldest first, per account', async () => {
  const [crowded, old, other] = [
    await makeAccount(service),
    await makeAccount(service),
    await makeAccount(await service.organisation()),
  ]
  const many = await submitSome(crowded, WAITING + 2)
  const two = await submitSome(old, 2)
  const few = await submitSome(other, WAITING)
  await age(two[0], KEEP_HOURS + 0.1)
  await age(two[1], KEEP_HOURS - 0.1)
  await sweep()
  const [{ count } = { count: 0 }] = await service.db<{ count: number }[]>`
    select count(*)::integer as count from smpp_outbox`
  expect(count).toBe(WAITING + 1 + WAITING)
  expect(await reportsOf(crowded, WAITING)).toEqual(many.slice(-WAITING).sort())
  expect(await reportsOf(old, 1)).toEqual(two.slice(1))
  expect(await reportsOf(other, WAITING)).toEqual(few.sort())
})
