import { afterAll, beforeAll, expect, test } from 'vitest'
import { runHousekeeping } from '../../src/housekeeping.ts'
import { listOtps } from '../../src/otp/store.ts'
import { openService, type TestService } from '../support/service.ts'
import { request, type Otp } from '../support/otp.ts'

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

/** OTPs to numbers from 2348030000000 on, `per_number` for each, this many days old. */
async function fill(count: number, per_number: number, days: number): Promise<void> {
  await service.db`
    insert into otps (organisation_id, id, recipient, token_hash, minutes, expires_datetime, created_datetime)
    select ${service.id}, (lpad(${days}::text, 8, '0') || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, (2348030000000 + n / ${per_number}::integer)::text, sha256(''), 15,
      now(), now() - ${days} * interval '1 day'
    from generate_series(0, ${count}::integer - 1) n`
}

test('records are kept for ninety days', async () => {
  await fill(2_500, 1, 91)
  await fill(10, 1, 89)
  const { body } = await request(service)
  await runHousekeeping({
    db: service.db,
    retention: { ...service.config.settings.retention, window_minutes: 60 },
    fresh: service.config.settings.lookup,
  })
  const [row] = await service.db`select count(*)::integer as count from otps`
  expect(row?.count).toBe(11)
  expect((await service.call('GET', `/otp/${body.id}`)).status).toBe(200)
})

test('among three hundred thousand records those of a number are found by index', { timeout: 120_000 }, async () => {
  await fill(300_000, 2_000, 1)
  await service.db`analyze otps`
  const recipient = '2348030000123'
  const { status, body } = await service.call<Otp[]>('GET', `/otp/get-by-recipient?recipient=${recipient}`)
  expect(status).toBe(200)
  expect(body).toHaveLength(1_000)
  expect(body.map(({ id }) => id)).toEqual(
    body
      .map(({ id }) => id)
      .sort()
      .reverse(),
  )
  const plan = await service.db<
    { 'QUERY PLAN': string }[]
  >`explain ${listOtps(service.db, service.id, recipient, 1_000)}`
  const text = plan.map((line) => line['QUERY PLAN']).join('\n')
  expect(text).toMatch(/Index Scan Backward using otps_by_recipient/)
  expect(text).not.toMatch(/Seq Scan|Sort/)
})
