import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Db } from '../../src/db/connect.ts'
import { transaction } from '../../src/db/transaction.ts'
import { makeMeters } from '../../src/observe/meters.ts'
import { failOtps } from '../../src/otp/fallback/fail.ts'
import { findOtps, readOtp, revokeOtp } from '../../src/otp/read.ts'
import { insertOtp } from '../../src/otp/store.ts'
import { hashToken } from '../../src/otp/token.ts'
import { makeTryOtp, makeTryVerification } from '../../src/otp/verification/try.ts'
import { verifyOtp, type VerifyDeps } from '../../src/otp/verification/verify.ts'
import { newId } from '../../src/values/id.ts'
import { Refusal, type Fault } from '../../src/values/refusal.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { storeMessage } from '../support/message.ts'
import { foundOrganisation } from '../support/organisation.ts'
import { OTP_SETTINGS } from '../support/otp.ts'
import { keysOf } from '../support/secret-seal.ts'

const ONE = '2348031234567'
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/
const RIGHT = 'Zk3pQ9xW7b'
const pepper_keys = keysOf('the pepper of the tests')
const otp_settings = OTP_SETTINGS

let database: TestDatabase
let by: string
let deps: VerifyDeps & { db: Db }
let noted: unknown[]

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

beforeEach(async () => {
  by = await foundOrganisation(database.db, 0n)
  const made = makeMeters()
  noted = []
  const meters = { ...made, activity: { ...made.activity, note: (...given: unknown[]) => void noted.push(given) } }
  const { db } = database
  const trying = { db, sandbox: true, otp_settings }
  deps = { db, tryOtp: makeTryOtp(trying), tryVerification: makeTryVerification(trying), meters, pepper_keys }
})

/** An OTP whose token is `RIGHT`. */
async function request(recipient = ONE, organisation_id = by): Promise<string> {
  const id = newId()
  const token_hash = hashToken(pepper_keys.token_key, id, RIGHT)
  await insertOtp(database.db, organisation_id, {
    id,
    recipient,
    token_hash,
    minutes: 15,
    counted_slot: null,
    fallback: undefined,
    service_sid: undefined,
    channel: 'sms' as const,
    fees: {},
  })
  return id
}

const set = (id: string, status: number, attempts = 0) =>
  database.db`update otps set status = ${status}, attempts = ${attempts} where id = ${id}`
const expire = (id: string) => database.db`update otps set expires_datetime = now() where id = ${id}`
const statusOf = async (id: string) => (await readOtp(deps, by, id)).status

async function verify(id: string, token = RIGHT, mode: 'live' | 'test' = 'live', organisation_id = by) {
  return verifyOtp(deps, { organisation_id, mode }, { id, token }, [])
}

/** The refusal as returned to the caller. */
async function refused(work: Promise<unknown>): Promise<{ code: string; message: string; faults: readonly Fault[] }> {
  const fault: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(fault instanceof Refusal)) throw new Error(`was not rejected: ${String(fault)}`)
  return { code: fault.code, message: fault.message, faults: fault.faults }
}

const notVerified = (field: string, type: string, message: string) => ({
  code: 'not_found',
  message: 'Token not found or expired',
  faults: [{ field, type, message }],
})
const INVALID = notVerified('token', 'invalid', 'This is not the token.')
const TOO_MANY = notVerified('token', 'max_attempts', 'There were too many wrong attempts.')
const UNKNOWN = notVerified('id', 'not_found', 'There is no such OTP.')

const counted = async () =>
  Object.fromEntries((await deps.meters.otps.get()).values.map(({ labels, value }) => [labels.event, value]))

describe('an attempt', () => {
  test('with the right token verifies, once, and is counted', async () => {
    const id = await request()
    expect(await verify(id.toUpperCase(), ` ${RIGHT} `)).toEqual({
      id,
      recipient: ONE,
      status: 4,
      status_desc: 'VERIFIED',
      created_datetime: expect.stringMatching(TIMESTAMP),
      updated_datetime: expect.stringMatching(TIMESTAMP),
    })
    expect(noted).toEqual([[by, 'otp_verified', 1]])
    expect(await counted()).toEqual({ verified: 1 })
    expect(await refused(verify(id))).toEqual(notVerified('token', 'used', 'The token has been used already.'))
    expect(await counted()).toEqual({ verified: 1, refused: 1 })
    expect(noted).toHaveLength(1)
  })

  test('with a wrong one is rejected; the fifth ends the OTP', async () => {
    const id = await request()
    for (let tries = 1; tries <= 4; tries += 1) expect(await refused(verify(id, 'wrong'))).toEqual(INVALID)
    expect(await statusOf(id)).toBe(1)
    expect(await refused(verify(id, 'wrong'))).toEqual(INVALID)
    expect(await statusOf(id)).toBe(3)
    expect(await refused(verify(id))).toEqual(TOO_MANY)
    expect(await counted()).toEqual({ refused: 6 })
    expect(noted).toEqual([])
  })

  test('at a closed OTP returns the reason', async () => {
    const [expired, revoked, undeliverable] = [await request(), await request(), await request()]
    await expire(expired)
    await set(revoked, 5)
    await set(undeliverable, 3, 4)
    expect(await refused(verify(expired))).toEqual(notVerified('token', 'expired', 'The token has expired.'))
    expect(await refused(verify(revoked))).toEqual(notVerified('token', 'revoked', 'The token has been revoked.'))
    const undelivered = 'The token could not be delivered, so it cannot be verified.'
    expect(await refused(verify(undeliverable))).toEqual(notVerified('token', 'invalid', undelivered))
  })

  test('at an unknown OTP, or one of another organisation, returns not_found', async () => {
    const stranger = await foundOrganisation(database.db, 0n)
    const id = await request(ONE, stranger)
    expect(await refused(verify(id))).toEqual(UNKNOWN)
    expect(await refused(verify(newId()))).toEqual(UNKNOWN)
    expect(await counted()).toEqual({ refused: 2 })
    expect(await refused(verify('nonsense'))).toEqual(UNKNOWN)
    expect(await counted()).toEqual({ refused: 2 })
    expect(await refused(verifyOtp(deps, { organisation_id: by, mode: 'live' }, {}, []))).toEqual(UNKNOWN)
  })

  test('without a token is wrong', async () => {
    const id = await request()
    expect(await refused(verifyOtp(deps, { organisation_id: by, mode: 'live' }, { id }, []))).toEqual(INVALID)
  })

  test('of the wrong shape is not counted', async () => {
    const id = await request()
    const fault: Fault = { field: 'token', message: 'No text.', type: 'string_type' }
    const answer = await refused(verifyOtp(deps, { organisation_id: by, mode: 'live' }, { id, token: RIGHT }, [fault]))
    expect(answer).toMatchObject({ code: 'invalid_request', faults: [fault] })
    expect(await statusOf(id)).toBe(1)
  })

  test('in live mode counts for the number: after three wrong ones in a day none is checked', async () => {
    deps = { ...deps, tryOtp: makeTryOtp({ db: deps.db, sandbox: false, otp_settings }) }
    const [first, second] = [await request(), await request()]
    for (const id of [first, second, first]) expect(await refused(verify(id, 'wrong'))).toEqual(INVALID)
    expect(await refused(verify(second))).toEqual(TOO_MANY)
    expect(await statusOf(second)).toBe(1)
    const other_number = await request('2348059876543')
    expect(await verify(other_number)).toMatchObject({ status: 4 })
    expect(await verify(second, RIGHT, 'test')).toMatchObject({ status: 4 })
  })

  test('in the sandbox does not', async () => {
    const ids = [await request(), await request()]
    for (const id of [...ids, ...ids]) expect(await refused(verify(id, 'wrong'))).toEqual(INVALID)
    expect(await verify(ids[0] ?? '')).toMatchObject({ status: 4 })
  })

  test('concurrent with another, with the right token in live mode: one succeeds', async () => {
    deps = { ...deps, tryOtp: makeTryOtp({ db: deps.db, sandbox: false, otp_settings }) }
    const id = await request()
    const outcomes = await Promise.allSettled([verify(id), verify(id), verify(id)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('reading', () => {
  const NOBODYS = { code: 'not_found', message: 'There is no such OTP.', faults: [] }

  test('returns the record to its owner', async () => {
    const id = await request()
    expect(await readOtp(deps, by, id)).toEqual({
      id,
      recipient: ONE,
      status: 1,
      status_desc: 'SENT',
      created_datetime: expect.stringMatching(TIMESTAMP),
    })
    const stranger = await foundOrganisation(database.db, 0n)
    expect(await refused(readOtp(deps, stranger, id))).toEqual(NOBODYS)
    for (const unknown of [newId(), 'nonsense']) expect(await refused(readOtp(deps, by, unknown))).toEqual(NOBODYS)
  })

  test('by number returns those of the number, newest first, in any spelling', async () => {
    const ids = [await request(), await request()]
    await request('2348059876543')
    const owner = { organisation_id: by, default_country: 'NG' }
    for (const value of [ONE, '0803 123 4567', '+2348031234567']) {
      const found = await findOtps(deps, owner, { field: 'phone', value })
      expect(found.map(({ id }) => id)).toEqual(ids.toReversed())
    }
    expect(await findOtps(deps, owner, { field: 'to', value: '08031111111' })).toEqual([])
  })

  test.each([
    [undefined, { field: 'phone', message: 'This field is required.', type: 'missing' }],
    [2348031234567, { field: 'phone', message: 'This value must be string.', type: 'string_type' }],
    ['nonsense', { field: 'phone', message: 'This is not a phone number.', type: 'phone_invalid' }],
  ])('by %j is rejected, with the given field name', async (value, fault) => {
    const owner = { organisation_id: by, default_country: 'NG' }
    expect(await refused(findOtps(deps, owner, { field: 'phone', value }))).toMatchObject({
      code: 'invalid_request',
      faults: [fault],
    })
  })

  test('by number returns at most a thousand', async () => {
    await database.db`
      insert into otps (organisation_id, id, recipient, token_hash, minutes, expires_datetime)
      select ${by}, gen_random_uuid(), ${ONE}, sha256('x'), 15, now() from generate_series(1, 1001)`
    const found = await findOtps(deps, { organisation_id: by, default_country: 'NG' }, { field: 'to', value: ONE })
    expect(found).toHaveLength(1_000)
  })

  test('and revoking may be repeated, and does not change ended ones', async () => {
    const [open, used] = [await request(), await request()]
    await set(used, 4)
    await revokeOtp(deps, by, open)
    await revokeOtp(deps, by, open)
    expect(await refused(revokeOtp(deps, by, used))).toMatchObject({ code: 'conflict' })
    expect([await statusOf(open), await statusOf(used)]).toEqual([5, 4])
    const stranger = await foundOrganisation(database.db, 0n)
    const other = await request()
    expect(await refused(revokeOtp(deps, stranger, other))).toEqual(NOBODYS)
    for (const unknown of [newId(), 'nonsense']) expect(await refused(revokeOtp(deps, by, unknown))).toEqual(NOBODYS)
    expect(await statusOf(other)).toBe(1)
  })
})

describe('an OTP whose message', () => {
  /** With the message that carries it, in its current state. */
  async function carried(status: string): Promise<string> {
    const id = await request()
    const message_id = await storeMessage(database.db, by, { status })
    await database.db`update messages set id = ${id} where id = ${message_id}`
    await database.db`update deliveries set message_id = ${id} where message_id = ${message_id}`
    return id
  }

  const settled = (...changed: { message_id: string; status: string }[]) =>
    transaction(database.db, (tx) => failOtps(tx, by, changed))

  test.each([
    ['failed', 3],
    ['rejected', 3],
    ['undelivered', 3],
    ['expired', 1],
    ['unknown', 1],
    ['delivered', 1],
  ])('is %s has the status %d', async (status, expected) => {
    const [id, other] = [await carried(status), await carried('sent')]
    await settled({ message_id: id, status }, { message_id: other, status: 'delivered' })
    expect([await statusOf(id), await statusOf(other)]).toEqual([expected, 1])
  })

  test('fails is expedited on its other channel, and fails when that fails, too', async () => {
    const id = await carried('undelivered')
    const fallback = await storeMessage(database.db, by, { status: 'sent' })
    await database.db`
      update otps set fallback_channel = 'whatsapp', fallback_message_id = ${fallback}, sealed_token = 'x'
      where id = ${id}`
    await database.db`
      insert into jobs (queue, lane, organisation_id, subject_id, run_at)
      values ('otp-fallback', ${by}, ${by}, ${id}, now() + interval '1 hour')`
    await settled({ message_id: id, status: 'undelivered' })
    const [job] = await database.db<
      { due: boolean }[]
    >`select run_at <= now() as due from jobs where subject_id = ${id}`
    expect(job?.due).toBe(true)
    expect(await statusOf(id)).toBe(1)
    await database.db`update otps set sealed_token = null where id = ${id}`
    await settled({ message_id: fallback, status: 'failed' })
    expect(await statusOf(id)).toBe(1) // Its delivery has not failed yet.
    await database.db`update deliveries set status = 'failed' where message_id = ${fallback}`
    await settled({ message_id: fallback, status: 'failed' })
    expect(await statusOf(id)).toBe(3)
  })

  test('may still arrive is not expedited on its other channel', async () => {
    const [id, message_id] = [await carried('expired'), await storeMessage(database.db, by, { status: 'sent' })]
    await database.db`
      update otps set fallback_channel = 'whatsapp', fallback_message_id = ${message_id}, sealed_token = 'x'
      where id = ${id}`
    await database.db`
      insert into jobs (queue, lane, organisation_id, subject_id, run_at)
      values ('otp-fallback', ${by}, ${by}, ${id}, now() + interval '1 hour')`
    await settled({ message_id: id, status: 'expired' })
    const [job] = await database.db<
      { due: boolean }[]
    >`select run_at <= now() as due from jobs where subject_id = ${id}`
    expect(job?.due).toBe(false)
  })

  test('belongs to no OTP changes nothing', async () => {
    const id = await carried('sent')
    await settled({ message_id: newId(), status: 'failed' })
    expect(await statusOf(id)).toBe(1)
  })
})
