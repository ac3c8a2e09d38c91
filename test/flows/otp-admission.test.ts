import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../src/db/connect.ts'
import { makeMeters } from '../../src/observe/meters.ts'
import { makeAdmission, type Admission, type Admitted } from '../../src/otp/admission/admit.ts'
import { SLOT_S } from '../../src/otp/admission/limits.ts'
import type { OtpSettings } from '../../src/otp/schema.ts'
import { newId } from '../../src/values/id.ts'
import { Refusal } from '../../src/values/refusal.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { foundOrganisation } from '../support/organisation.ts'

const ONE = '2348031234567'
const otp_settings: OtpSettings = {
  template: '{{token}}',
  origin: '',
  countries: [],
  limits: {
    number_per_10_minutes: 2,
    number_per_day: 20,
    number_failures_per_day: 20,
    prefix_per_hour: 20,
    country_per_hour: 5,
    organisation_per_hour: 8,
  },
  guard: { window_minutes: 60, conversion: 0.5, slow_from: 100, slow_every_s: 30, block_from: 200, block_minutes: 60 },
}

let database: TestDatabase
let by: string
let meters: ReturnType<typeof makeMeters>
let warned: unknown[]
let deps: Parameters<typeof makeAdmission>[0]

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

beforeEach(async () => {
  by = await foundOrganisation(database.db, 0n)
  meters = makeMeters()
  warned = []
  const log = { info: () => {}, error: () => {}, warn: (...given: unknown[]) => void warned.push(given) }
  deps = { db: database.db, log, meters, sandbox: false, otp_settings }
})

const ask = (admission: Admission, recipient = ONE, organisation_id = by, mode: 'live' | 'test' = 'live') =>
  admission.admit({ organisation_id, mode }, { otp_id: newId(), recipient })

/** Which of several concurrent requests are admitted, and why the others are not. */
async function askAll(admission: Admission, recipients: readonly string[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(recipients.map((recipient) => ask(admission, recipient)))
  return outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled') return 'admitted'
    return outcome.reason instanceof Refusal ? outcome.reason.message : String(outcome.reason)
  })
}

const counters = async () =>
  (
    await database.db<{ name: string; sent: number }[]>`
      select kind || ' ' || key as name, sum(sent)::integer as sent from otp_counters
      where organisation_id = ${by} group by 1 order by 1`
  ).map(({ name, sent }) => `${name}: ${sent}`)
const guards = () =>
  database.db<{ prefix: string; state: string; sent: number; verified: number }[]>`
    select prefix, state, sent, verified from otp_guard where organisation_id = ${by} order by prefix`
const limited = async () => (await meters.otps.get()).values.map(({ labels, value }) => `${labels.event}: ${value}`)

const TEN_MINUTES = 'Too many OTPs: this number has had too many in ten minutes.'

describe('a request', () => {
  test('is counted by number, prefix, country and organisation, in slots of five minutes', async () => {
    const admitted = await ask(makeAdmission(deps))
    expect(await counters()).toEqual(['country NG: 1', 'organisation : 1', 'prefix 234803123: 1'])
    const [row] = await database.db<{ slot: string; sends: number }[]>`
      select to_char(slot at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') as slot,
        (select count(*)::integer from otp_sends where organisation_id = ${by} and recipient = ${ONE}) as sends
      from otp_counters where organisation_id = ${by} limit 1`
    expect(row).toEqual({ slot: admitted?.counted_slot, sends: 1 })
    expect(Date.parse(admitted?.counted_slot ?? '') % (SLOT_S * 1_000)).toBe(0)
    expect(await limited()).toEqual([])
  })

  test('in the sandbox, or with a test key, is not counted', async () => {
    const sandbox = makeAdmission({ ...deps, sandbox: true })
    expect(await ask(sandbox)).toBeUndefined()
    expect(await ask(makeAdmission(deps), ONE, by, 'test')).toBeUndefined()
    expect(await counters()).toEqual([])
  })

  test('beyond the limit is rejected with Retry-After and not counted', async () => {
    const admission = makeAdmission(deps)
    await ask(admission)
    await ask(admission)
    const refusal: unknown = await ask(admission).catch((fault: unknown) => fault)
    expect(refusal).toMatchObject({ code: 'too_many_requests', message: TEN_MINUTES, faults: [] })
    const { retry_after_s } = refusal as Refusal
    expect(retry_after_s).toBeGreaterThan(500)
    expect(retry_after_s).toBeLessThanOrEqual(600)
    expect(await counters()).toEqual(['country NG: 2', 'organisation : 2', 'prefix 234803123: 2'])
    expect(await limited()).toEqual(['limited: 1'])
  })

  test('never gets a Retry-After below one second', async () => {
    const admission = makeAdmission(deps)
    await ask(admission)
    await ask(admission)
    await database.db`
      update otp_sends set sent_datetime = now() - interval '599.1 s' where organisation_id = ${by}`
    const refusal: unknown = await ask(admission).catch((fault: unknown) => fault)
    // Either the limit has been lifted meanwhile, or it is a second away.
    expect(refusal instanceof Refusal ? refusal.retry_after_s : 1).toBe(1)
  })

  test('concurrent with others is decided one after the other', async () => {
    const admission = makeAdmission(deps)
    expect(await askAll(admission, [ONE, ONE, ONE])).toEqual(['admitted', 'admitted', TEN_MINUTES])
    const country = Array.from({ length: 5 }, (_, n) => `23480312400${n}0`)
    expect(await askAll(admission, country)).toEqual([
      'admitted',
      'admitted',
      'admitted',
      'Too many OTPs: this country has had too many.',
      'Too many OTPs: this country has had too many.',
    ])
    const abroad = Array.from({ length: 4 }, (_, n) => `4477009001${n}0`)
    expect(await askAll(admission, abroad)).toEqual([
      'admitted',
      'admitted',
      'admitted',
      'Too many OTPs: your organisation has sent too many.',
    ])
    expect(await counters()).toEqual([
      'country GB: 3',
      'country NG: 5',
      'organisation : 8',
      'prefix 234803123: 2',
      'prefix 234803124: 3',
      'prefix 44770090: 3',
    ])
  })

  test('concurrent with others, as the first of all, uses the same counters', async () => {
    const country = Array.from({ length: 6 }, (_, n) => `23480312${n}0000`)
    expect(await askAll(makeAdmission(deps), country)).toEqual([
      ...Array.from({ length: 5 }, () => 'admitted'),
      'Too many OTPs: this country has had too many.',
    ])
  })

  test('creates counters for its own organisation only', async () => {
    const admission = makeAdmission(deps)
    const other = await foundOrganisation(database.db, 0n)
    expect(await askAll(admission, [ONE, ONE, ONE])).toContain(TEN_MINUTES)
    expect(await ask(admission, ONE, other)).toBeDefined()
  })

  test('shares the limits with other processes', async () => {
    await ask(makeAdmission(deps))
    await ask(makeAdmission(deps))
    await expect(ask(makeAdmission(deps))).rejects.toThrow(TEN_MINUTES)
    expect(await counters()).toContain('prefix 234803123: 2')
  })
})

describe('a country', () => {
  const countries = ['NG', 'CA']

  test('that is not configured gets none', async () => {
    const admission = makeAdmission({ ...deps, otp_settings: { ...otp_settings, countries } })
    const refusal: unknown = await ask(admission, '33612345678').catch((fault: unknown) => fault)
    const message = 'OTPs are not sent to the country of this number.'
    expect(refusal).toMatchObject({
      code: 'invalid_request',
      faults: [{ field: 'recipient', message, type: 'invalid' }],
    })
    expect(await counters()).toEqual([])
    await expect(ask(admission, '99912345678')).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('that shares its calling code with a configured one has its own limit', async () => {
    const admission = makeAdmission({ ...deps, otp_settings: { ...otp_settings, countries } })
    expect(await ask(admission, '14155550123')).toBeDefined()
    expect(await ask(admission, ONE)).toBeDefined()
  })

  test('that is unassigned is counted as one', async () => {
    expect(await ask(makeAdmission(deps), '99912345678')).toBeDefined()
    expect(await counters()).toEqual(['country : 1', 'organisation : 1', 'prefix 9991234: 1'])
  })
})

describe('an OTP that was not sent after all', () => {
  test('is removed from the counts, once', async () => {
    const admission = makeAdmission(deps)
    await ask(admission)
    const admitted = await ask(admission)
    await admitted?.release()
    await admitted?.release()
    expect(await counters()).toEqual(['country NG: 1', 'organisation : 1', 'prefix 234803123: 1'])
    expect(await ask(admission)).toBeDefined()
    expect(warned).toEqual([])
  })

  test('remains counted if the count cannot be reverted, and the failure is logged', async () => {
    const db = connect(database.address, { connections: 1 })
    const admitted: Admitted | undefined = await ask(makeAdmission({ ...deps, db }))
    await db.end({ timeout: 1 })
    await admitted?.release()
    expect(warned).toEqual([[{ err: expect.any(Error) }, 'an OTP that was not sent remains counted']])
  })
})

describe('a prefix without verifications', () => {
  const guard = { ...otp_settings.guard, slow_from: 2, slow_every_s: 30, block_from: 4 }
  const limits = { ...otp_settings.limits, country_per_hour: 100, organisation_per_hour: 100 }
  const HARDLY = 'Too many OTPs: tokens sent to numbers like this one are hardly ever verified.'
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => `2348031230${n}00`)
  let admission: Admission

  beforeEach(() => {
    admission = makeAdmission({ ...deps, otp_settings: { ...otp_settings, guard, limits } })
  })

  test('is slowed down within the same batch, until the delay is over', async () => {
    expect(await askAll(admission, numbers(4))).toEqual(['admitted', 'admitted', HARDLY, HARDLY])
    expect(await guards()).toEqual([{ prefix: '234803123', state: 'slowed', sent: 2, verified: 0 }])
    expect(await askAll(admission, [...numbers(1), '2348059876543'])).toEqual([HARDLY, 'admitted'])
    await database.db`update otp_guard set until_datetime = now() where organisation_id = ${by}`
    expect(await askAll(admission, numbers(2))).toEqual(['admitted', HARDLY])
    expect(await guards()).toEqual([{ prefix: '234803123', state: 'slowed', sent: 3, verified: 0 }])
  })

  test('is blocked if it continues, and released when it is verified', async () => {
    await askAll(admission, numbers(2))
    await database.db`update otp_counters set sent = 4 where organisation_id = ${by} and kind = 'prefix'`
    expect(await askAll(admission, numbers(1))).toEqual([HARDLY])
    expect(await guards()).toEqual([{ prefix: '234803123', state: 'blocked', sent: 4, verified: 0 }])
    await database.db`update otp_counters set verified = sent where organisation_id = ${by}`
    await database.db`update otp_guard set until_datetime = now() where organisation_id = ${by}`
    expect(await askAll(admission, ['2348031239900'])).toEqual(['admitted'])
    expect(await guards()).toEqual([])
  })

  test('stays blocked for its time, despite verifications, for all concurrent requests', async () => {
    await askAll(admission, numbers(2))
    await database.db`update otp_counters set sent = 4 where organisation_id = ${by} and kind = 'prefix'`
    await askAll(admission, numbers(1))
    await database.db`update otp_counters set verified = sent where organisation_id = ${by}`
    expect(await askAll(admission, ['2348031239900', '2348031239901'])).toEqual([HARDLY, HARDLY])
    expect(await guards()).toMatchObject([{ state: 'blocked', verified: 4 }])
  })

  test('is ignored if nothing is guarded: nothing is stored', async () => {
    await askAll(admission, numbers(1))
    expect(await guards()).toEqual([])
  })
})
