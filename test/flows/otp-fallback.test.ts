import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { balance, handset, request, RIGHT, verify, type Otp } from '../support/otp.ts'
import { until } from '../support/until.ts'

let service: TestService

beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

async function customer(credit = 100): Promise<Organisation> {
  const by = await service.organisation({ credit })
  await by.call('PATCH', '/otp/settings', { fallback_channel: 'whatsapp', fallback_after_s: 60 })
  return by
}

/** As if the minute had passed. */
async function fallBackNow(by: Organisation): Promise<void> {
  await service.db`update jobs set run_at = now() where queue = 'otp-fallback' and organisation_id = ${by.id}`
}

async function jobsLeft(by: Organisation): Promise<number> {
  return (await service.db`select 1 from jobs where queue = 'otp-fallback' and organisation_id = ${by.id}`).length
}

const messagesOf = async (by: Organisation) =>
  (await by.call<{ messages: { id: string; channel: string; content: string }[] }>('GET', '/sms')).body.messages

const statusOf = async (by: Organisation, id: string) => (await by.call<Otp>('GET', `/otp/${id}`)).body.status_desc

test('a token without a report is also sent on the other channel, for one more charge and one record', async () => {
  const by = await customer()
  const { id } = (await request(by, { recipient: '2348000000005' })).body
  await fallBackNow(by)
  await until('the fallback', async () => (await messagesOf(by)).length === 2)
  const [second, first] = await messagesOf(by)
  expect(first).toMatchObject({ id, channel: 'sms' })
  expect(second?.channel).toBe('whatsapp')
  expect(second?.content).not.toContain(RIGHT)
  expect(await balance(by)).toBe(100 - 4 - 6)
  expect((await by.call<Otp[]>('GET', '/otp/get-by-recipient/2348000000005')).body).toHaveLength(1)
  await until('the end of the job', async () => (await jobsLeft(by)) === 0)
  expect(
    (await service.db`select 1 from otps where sealed_token is not null and organisation_id = ${by.id}`).length,
  ).toBe(0)
  expect((await verify(by, id)).status).toBe(200)
})

test('a token that was delivered, verified or revoked does not', async () => {
  const by = await customer()
  await request(by, { recipient: '08031234567' })
  await handset(by, '2348031234567')
  await until('the report', async () => {
    const rows = await service.db`select 1 from deliveries where organisation_id = ${by.id} and status = 'delivered'`
    return rows.length === 1
  })
  await verify(by, (await request(by, { recipient: '2348000000005' })).body.id)
  await by.call('DELETE', `/otp/${(await request(by, { recipient: '2348000000005' })).body.id}`)
  await fallBackNow(by)
  await until('the end of the jobs', async () => (await jobsLeft(by)) === 0)
  expect(await messagesOf(by)).toHaveLength(3)
  expect(await balance(by)).toBe(100 - 3 * 4)
})

test('a first message that fails is followed immediately, and two failures mean FAILED, each refunded', async () => {
  const by = await customer()
  const { id } = (await request(by, { recipient: '2348000000003' })).body
  await until('FAILED', async () => (await statusOf(by, id)) === 'FAILED')
  expect(await messagesOf(by)).toHaveLength(2)
  expect(await balance(by)).toBe(100)
})

test('a second message that is still queued may arrive: the OTP is not FAILED', async () => {
  const away = await openService({
    settings: {
      carriers: [
        { kind: 'simulator', name: 'simulator', report_delay_ms: 20 },
        { kind: 'smpp', name: 'away', host: '127.0.0.1', port: 9, system_id: 'x', password: 'x' },
      ],
      routes: [
        { name: 'sms', channel: 'sms', carrier: 'away' },
        { name: 'whatsapp', channel: 'whatsapp', carrier: 'simulator' },
      ],
    },
  })
  await away.call('PATCH', '/otp/settings', { fallback_channel: 'sms', fallback_after_s: 60 })
  const { id } = (await request(away, { recipient: '2348000000003', channel: 'whatsapp' })).body
  await until('the end of the fallback', async () => {
    const jobs = await away.db`select 1 from jobs where queue = 'otp-fallback'`
    return jobs.length === 0 && (await messagesOf(away)).length === 2
  })
  expect(await statusOf(away, id)).toBe('SENT')
  expect((await verify(away, id)).status).toBe(200)
  await away.close()
})

test('without balance for a second message the first is the only one', async () => {
  const by = await customer(4)
  const { id } = (await request(by, { recipient: '2348000000001' })).body
  await until('FAILED', async () => (await statusOf(by, id)) === 'FAILED')
  expect(await messagesOf(by)).toHaveLength(1)
  expect(await balance(by)).toBe(0)
})

test('second messages that are charged together have a ledger entry each', async () => {
  const by = await customer()
  for (let n = 0; n < 3; n += 1) await request(by, { recipient: '2348000000005' })
  await fallBackNow(by)
  await until('the fallbacks', async () => (await messagesOf(by)).length === 6)
  const seconds = (await messagesOf(by)).filter(({ channel }) => channel === 'whatsapp')
  const lines = await service.db<{ subject_id: string; amount: bigint; subjects: number }[]>`
    select subject_id, amount, subjects from ledger_lines
    where organisation_id = ${by.id} and kind = 'message' and amount = -60000`
  expect(new Set(lines.map(({ subject_id }) => subject_id))).toEqual(new Set(seconds.map(({ id }) => id)))
  type Ledger = { entries: { kind: string; subject_id: string }[] }
  const chargesOf = async (id: string) => (await by.call<Ledger>('GET', `/balance?subject_id=${id}&kind=message`)).body
  const eachHasItsOwn = async () => {
    for (const { id } of seconds) expect((await chargesOf(id)).entries).toMatchObject([{ subject_id: id }])
  }
  await eachHasItsOwn()
  expect(await auditMoney(service.db)).toEqual([])
  await until('their end', async () => (await service.db`select 1 from intake`).length === 0)
  await eachHasItsOwn()
  expect(await auditMoney(service.db)).toEqual([])
})

test('a token requested on the second channel has no fallback', async () => {
  const by = await customer()
  await request(by, { recipient: '2348000000005', channel: 'whatsapp' })
  expect(await jobsLeft(by)).toBe(0)
})

test('the ledger balances at the end', async () => {
  expect(await auditMoney(service.db)).toEqual([])
})
