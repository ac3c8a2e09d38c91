import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { caller, openService, type TestService, type Organisation } from '../support/service.ts'
import { balance, faults, request, verify } from '../support/otp.ts'

const settings = {
  otp: {
    countries: ['NG', 'GB', 'GH'],
    limits: { prefix_per_hour: 30, country_per_hour: 40, organisation_per_hour: 60 },
    guard: { slow_from: 8, slow_every_s: 40, block_from: 12, block_minutes: 30, conversion: 0.25 },
  },
}

let service: TestService

beforeAll(async () => {
  service = await openService({ settings, config: { sandbox: false }, workers: false })
})
afterAll(() => service.close())

/** The nth number of a prefix. */
const numberOf = (prefix: string, n: number) => `${prefix}${String(n).padStart(4, '0')}`

/** Makes all counters of an organisation the given time older. */
async function letMinutesPass(by: Organisation, minutes: number): Promise<void> {
  const shift = `${minutes} minutes`
  await service.db`update otp_sends set sent_datetime = (sent_datetime at time zone 'utc' - ${shift}::interval) at time zone 'utc' where organisation_id = ${by.id}`
  // By way of the distant past, so that no slot collides with another.
  await service.db`update otp_counters set slot = (slot at time zone 'utc' - interval '9999 days') at time zone 'utc' where organisation_id = ${by.id}`
  await service.db`
    update otp_counters set slot = (slot at time zone 'utc' + interval '9999 days' - ${shift}::interval) at time zone 'utc' where organisation_id = ${by.id}`
  await service.db`update otp_guard set until_datetime = (until_datetime at time zone 'utc' - ${shift}::interval) at time zone 'utc' where organisation_id = ${by.id}`
}

async function statuses(by: Organisation, recipients: readonly string[]): Promise<number[]> {
  const seen: number[] = []
  for (const recipient of recipients) seen.push((await request(by, { recipient })).status)
  return seen
}

describe('one number', () => {
  test('gets five in ten minutes and twenty per day', async () => {
    const by = await service.organisation()
    const recipient = '08031234567'
    for (let round = 1; round <= 4; round++) {
      expect(
        await statuses(
          by,
          Array.from({ length: 6 }, () => recipient),
        ),
      ).toEqual([200, 200, 200, 200, 200, 429])
      const refused = await request(by, { recipient })
      const wait = Number(refused.headers.get('retry-after'))
      expect(refused.body.message).toMatch(round < 4 ? /ten minutes/ : /a day/)
      expect(wait).toBeGreaterThan(round < 4 ? 590 : 80_000)
      expect(wait).toBeLessThanOrEqual(round < 4 ? 600 : 86_400)
      // Verified, so that the guard against pumping stays inactive.
      await service.db`update otp_counters set verified = sent where organisation_id = ${by.id}`
      await letMinutesPass(by, 10)
    }
    expect(await statuses(by, [recipient])).toEqual([429])
    await letMinutesPass(by, 24 * 60)
    expect(await statuses(by, [recipient])).toEqual([200])
  })

  test('gets five also of fifty concurrent requests to two processes, and the others are not charged', async () => {
    const by = await service.organisation()
    const neighbour = await openService({ settings, config: { sandbox: false }, workers: false, beside: service })
    const there = { ...by, call: caller(neighbour.url, by.key) }
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => request(n % 2 === 0 ? by : there)))
    await neighbour.close()
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(45)
    expect(await balance(by)).toBe(1_000 - 5 * 4)
  })

  test('is limited per organisation, and not for test keys', async () => {
    const by = await service.organisation()
    await statuses(
      by,
      Array.from({ length: 5 }, () => '08031234567'),
    )
    expect(await statuses(await service.organisation(), ['08031234567'])).toEqual([200])
    const twin = await service.organisation({ of: by, mode: 'test' })
    expect(
      new Set(
        await statuses(
          twin,
          Array.from({ length: 7 }, () => '08031234567'),
        ),
      ),
    ).toEqual(new Set([200]))
  })

  test('may be retried with its Idempotency-Key when the limit is reached', async () => {
    const by = await service.organisation()
    const first = await request(by, {}, { 'idempotency-key': 'a' })
    await statuses(
      by,
      Array.from({ length: 4 }, () => '08031234567'),
    )
    const again = await request(by, {}, { 'idempotency-key': 'a' })
    expect(again.status).toBe(200)
    expect(again.text).toBe(first.text)
  })

  test('is not counted for requests rejected for other reasons', async () => {
    const by = await service.organisation({ credit: 3 })
    expect(
      await statuses(
        by,
        Array.from({ length: 7 }, () => '08031234567'),
      ),
    ).toEqual([402, 402, 402, 402, 402, 402, 402])
    const [row] = await service.db`
      select coalesce(sum(sent), 0)::integer as sent from otp_counters where organisation_id = ${by.id}`
    expect(row?.sent).toBe(0)
  })

  test('with a fixed token has no limit', async () => {
    const by = await service.organisation()
    await by.call('PATCH', '/otp/settings', { test_numbers: [{ recipient: '08030000001', token: '4829' }] })
    expect(
      new Set(
        await statuses(
          by,
          Array.from({ length: 7 }, () => '08030000001'),
        ),
      ),
    ).toEqual(new Set([200]))
  })
})

describe('many numbers', () => {
  /** Requests one after the other, each verified immediately. */
  async function busy(by: Organisation, recipients: readonly string[]): Promise<void> {
    for (const recipient of recipients) await verify(by, (await request(by, { recipient })).body.id)
  }

  test('of a prefix share its limit, those of a country its limit, and all the limit of the organisation', async () => {
    const by = await service.organisation()
    await busy(
      by,
      Array.from({ length: 30 }, (_, n) => numberOf('234803111', n)),
    )
    const prefix = await request(by, { recipient: numberOf('234803111', 99) })
    expect(prefix.status).toBe(429)
    expect(prefix.body.message).toMatch(/numbers like this one/)
    expect(Number(prefix.headers.get('retry-after'))).toBeGreaterThan(54 * 60)
    expect(Number(prefix.headers.get('retry-after'))).toBeLessThanOrEqual(3_600)
    await busy(
      by,
      Array.from({ length: 10 }, (_, n) => numberOf('234803222', n)),
    )
    expect((await request(by, { recipient: numberOf('234803333', 1) })).body.message).toMatch(/this country/)
    await busy(
      by,
      Array.from({ length: 20 }, (_, n) => numberOf('44770090', n)),
    )
    expect((await request(by, { recipient: '233241234567' })).body.message).toMatch(/your organisation/)
    await letMinutesPass(by, 60)
    expect((await request(by, { recipient: '233241234567' })).status).toBe(200)
  })

  test('of a country that is not configured get none', async () => {
    const answer = await request(service, { recipient: '+33612345678' })
    expect(answer.status).toBe(400)
    expect(faults(answer.body)).toEqual(['recipient invalid'])
  })
})

describe('the guard against pumping', () => {
  const PREFIX = '234806555'
  type Guarded = { prefixes: { prefix: string; state: string; sent: number; verified: number }[] }
  const guarded = async (by: Organisation) => (await by.call<Guarded>('GET', '/otp/guard')).body.prefixes

  test('slows down, then blocks a prefix without verifications, and admits it again once lifted', async () => {
    const by = await service.organisation()
    expect(
      await statuses(
        by,
        Array.from({ length: 8 }, (_, n) => numberOf(PREFIX, n)),
      ),
    ).toEqual(Array(8).fill(200))
    expect(await guarded(by)).toEqual([])
    const slowed = await request(by, { recipient: numberOf(PREFIX, 8) })
    expect(slowed.status).toBe(429)
    expect(slowed.body.message).toMatch(/hardly ever verified/)
    expect(Number(slowed.headers.get('retry-after'))).toBe(40)
    expect(await guarded(by)).toMatchObject([{ prefix: PREFIX, state: 'slowed', sent: 8, verified: 0 }])
    for (let n = 8; n < 12; n++) {
      await letMinutesPass(by, 1)
      // One is accepted, the next is not.
      expect(await statuses(by, [numberOf(PREFIX, n), numberOf(PREFIX, 100 + n)])).toEqual([200, 429])
    }
    expect(await guarded(by)).toMatchObject([{ state: 'blocked', sent: 12 }])
    await letMinutesPass(by, 1)
    const blocked = await request(by, { recipient: numberOf(PREFIX, 13) })
    expect(blocked.status).toBe(429)
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(28 * 60)

    expect(await statuses(by, [numberOf('234806556', 1)])).toEqual([200])
    const stranger = await service.organisation()
    expect(await statuses(stranger, [numberOf(PREFIX, 1)])).toEqual([200])
    expect((await stranger.call('DELETE', `/otp/guard/${PREFIX}`)).status).toBe(404)

    const lifted = await by.call('DELETE', `/otp/guard/${PREFIX}`)
    expect(lifted.status).toBe(204)
    expect(await guarded(by)).toEqual([])
    expect(await statuses(by, [numberOf(PREFIX, 14)])).toEqual([200])
    expect((await by.call('DELETE', `/otp/guard/${PREFIX}`)).status).toBe(404)
  })

  test('ignores a prefix whose tokens are verified, and releases one that recovers', async () => {
    const by = await service.organisation()
    const ids: string[] = []
    for (let n = 0; n < 8; n++) ids.push((await request(by, { recipient: numberOf(PREFIX, n) })).body.id)
    expect(await statuses(by, [numberOf(PREFIX, 8)])).toEqual([429])
    await verify(by, ids[0] ?? '')
    await verify(by, ids[1] ?? '')
    expect(await statuses(by, [numberOf(PREFIX, 8)])).toEqual([200])
    expect(await guarded(by)).toEqual([])
  })

  test('expires automatically', async () => {
    const by = await service.organisation()
    await statuses(
      by,
      Array.from({ length: 8 }, (_, n) => numberOf(PREFIX, n)),
    )
    await service.db`update otp_counters set sent = 12 where organisation_id = ${by.id} and kind = 'prefix'`
    expect(await statuses(by, [numberOf(PREFIX, 9)])).toEqual([429])
    expect(await guarded(by)).toMatchObject([{ state: 'blocked' }])
    await letMinutesPass(by, 61)
    expect(await guarded(by)).toEqual([])
    expect(await statuses(by, [numberOf(PREFIX, 9)])).toEqual([200])
  })

  test('responds with 401, 403, 400 and 405', async () => {
    expect((await service.call('GET', '/otp/guard', undefined, { authorization: 'x' })).status).toBe(401)
    expect((await service.call('DELETE', '/otp/guard/1', undefined, { authorization: 'x' })).status).toBe(401)
    const without = await service.organisation({ scopes: ['sms'] })
    expect((await without.call('GET', '/otp/guard')).status).toBe(403)
    expect((await without.call('DELETE', '/otp/guard/1')).status).toBe(403)
    expect((await service.call('GET', '/otp/guard?limit=0')).status).toBe(400)
    expect((await service.call('POST', '/otp/guard', {})).status).toBe(405)
  })
})
