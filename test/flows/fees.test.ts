import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditAll } from '../../src/cli/organisations/balance.ts'
import { transaction } from '../../src/db/transaction.ts'
import { forgetSomeOtps } from '../../src/otp/store.ts'
import type { PriceList } from '../../src/prices/schema.ts'
import { caller, openService, type Organisation, type TestService } from '../support/service.ts'
import { balance, faults, letTimePass, request, RIGHT, verify, type Otp } from '../support/otp.ts'
import { person, type Person } from '../support/person.ts'
import { until } from '../support/until.ts'
import { endWaiting, somebodyWaits } from '../support/waiting.ts'

const LISTS = '/console/api/price-lists'
const MESSAGE = 4
const REQUEST = 0.5
const VERIFIED = 3
const WITH_FEES = MESSAGE + REQUEST + VERIFIED
const RECIPIENT = '2348031234567'
/** The simulator lets the purchase fail. */
const AIRTIME_FAILS = '2348000000011'

let service: TestService
/** Another process, without workers. */
let beside: TestService
let operator: Person

beforeAll(async () => {
  service = await openService({ credit: 100_000 })
  beside = await openService({ beside: service, workers: false })
  operator = await person(service, null)
  await operator.call('POST', LISTS, { name: 'fees' })
  for (const [version, channel] of ['sms', 'whatsapp'].entries()) {
    await operator.call('POST', `${LISTS}/fees/rules`, { version, channel, price: MESSAGE })
  }
  await setFees({ otp_per_request: REQUEST, otp_per_verified: VERIFIED, airtime_commission: 2.5 })
  const probe = await customer()
  for (const at of [service, beside]) {
    const call = caller(at.url, probe.key)
    await until('the fees to be in effect', async () => {
      const { text } = await call('POST', '/airtime/buy', { network: 'MTN', amount: 100, recipient: RECIPIENT })
      return text.includes('"commission":2.5')
    })
  }
})
afterAll(async () => {
  await beside.close()
  await service.close()
})

const setFees = (fees: object) => operator.call<PriceList & { errors: [] }>('PATCH', `${LISTS}/fees`, fees)

async function customer(credit = 1_000): Promise<Organisation> {
  const by = await service.organisation({ credit })
  await operator.call('POST', `/console/api/organisations/${by.id}/price-list`, { price_list: 'fees' })
  return by
}

type Line = { kind: string; amount: number; balance_after: number; subject_id: string; subjects?: number }
const linesOf = async (by: Organisation, query = '') =>
  (await by.call<{ entries: Line[] }>('GET', `/balance?limit=100${query}`)).body.entries

const kindsOf = async (by: Organisation) =>
  (await linesOf(by))
    .map(({ kind, amount }) => `${kind} ${amount}`)
    .toReversed()
    .slice(1)

const jobsOf = async (by: Organisation) =>
  (await service.db`select 1 from jobs where queue = 'otp-refund' and organisation_id = ${by.id}`).length

/** As if the time of all OTPs were over: the jobs are due. */
async function expire(by: Organisation, ids: readonly string[]): Promise<void> {
  for (const id of ids) await letTimePass(service, id, 60)
  await service.db`update jobs set run_at = now() where queue = 'otp-refund' and organisation_id = ${by.id}`
  await until('the end of the jobs', async () => (await jobsOf(by)) === 0)
}

async function requestId(by: Organisation, body: object = {}): Promise<string> {
  const { status, body: otp, text } = await request(by, body)
  expect([status, text]).toEqual([200, expect.any(String)])
  return otp.id
}

describe('fees of one-time passwords', () => {
  test('are charged with the request by a ledger line of their own, and kept once it is verified', async () => {
    const by = await customer()
    const id = await requestId(by)
    expect(await kindsOf(by)).toEqual([`otp ${-REQUEST - VERIFIED}`, `message ${-MESSAGE}`])
    expect((await linesOf(by, `&subject_id=${id}`)).map(({ kind }) => kind)).toEqual(['message', 'otp'])
    expect((await linesOf(by, '&kind=otp')).map(({ subject_id }) => subject_id)).toEqual([id])
    expect((await verify(by, id)).status).toBe(200)
    await expire(by, [id])
    expect(await balance(by)).toBe(1_000 - WITH_FEES)
    const explained = await by.call<{ fees: object; sentences: string[] }>('GET', `/sms/${id}/explain`)
    expect(explained.body.fees).toEqual({ per_request: REQUEST, per_verified: VERIFIED, refunded: false })
    expect(explained.body.sentences.join(' ')).toContain('charged with 0.5')
  })

  test('are in effect together with the prices of a list that was just assigned, in every process', async () => {
    const list = `${LISTS}/just-made`
    await operator.call('POST', LISTS, { name: 'just-made' })
    for (const [version, channel] of ['sms', 'whatsapp'].entries()) {
      await operator.call('POST', `${list}/rules`, { version, channel, price: 2 })
    }
    await operator.call('PATCH', list, { otp_per_request: 1, airtime_commission: 10 })
    const by = await service.organisation({ credit: 1_000 })
    const price_list = { price_list: 'just-made' }
    await operator.call('POST', `/console/api/organisations/${by.id}/price-list`, price_list)
    // Neither process has used the organisation before: each reads its list with this request.
    const bought = await caller(beside.url, by.key)('POST', '/airtime/buy', {
      network: 'MTN',
      amount: 100,
      recipient: RECIPIENT,
    })
    expect([bought.status, bought.text]).toEqual([200, expect.stringContaining('"commission":10')])
    await requestId(by)
    expect(await kindsOf(by)).toEqual(expect.arrayContaining(['otp -1', 'message -2']))
  })

  test.each([
    ['expired', async () => {}],
    ['failed', everyTry],
    ['revoked', async (by: Organisation, id: string) => by.call('DELETE', `/otp/${id}`)],
  ])('the one for the verification is refunded once if the OTP %s', async (_, end) => {
    const by = await customer()
    const id = await requestId(by)
    await end(by, id)
    await expire(by, [id])
    expect(await kindsOf(by)).toEqual([`otp ${-REQUEST - VERIFIED}`, `message ${-MESSAGE}`, `refund ${VERIFIED}`])
    // As after a crash between the commit and its confirmation.
    await service.db`
      insert into jobs (queue, lane, organisation_id, subject_id, run_at)
      values ('otp-refund', ${by.id}, ${by.id}, ${id}, now())`
    await expire(by, [])
    expect(await balance(by)).toBe(1_000 - MESSAGE - REQUEST)
    expect((await verify(by, id)).status).toBe(404)
    const explained = await by.call<{ fees: object }>('GET', `/sms/${id}/explain`)
    expect(explained.body.fees).toMatchObject({ refunded: true })
  })

  test('a balance that covers the message only is refused, and nothing is stored', async () => {
    const by = await customer(WITH_FEES - 0.1)
    const refused = await request(by)
    expect([refused.status, faults(refused.body)]).toEqual([402, ['balance insufficient_balance']])
    expect(await kindsOf(by)).toEqual([])
    expect(await service.db`select 1 from otps where organisation_id = ${by.id}`).toHaveLength(0)
    expect(await jobsOf(by)).toBe(0)
  })

  test('of concurrent requests exactly those are charged that the balance covers, over two processes', async () => {
    const by = await customer(7 * WITH_FEES)
    const there = { ...by, call: caller(beside.url, by.key) }
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => request(n % 2 === 0 ? by : there, { recipient: `23480312345${10 + n}` })),
    )
    const ids = answers.filter(({ status }) => status === 200).map(({ body }) => body.id)
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(23)
    expect(ids).toHaveLength(7)
    expect(await balance(by)).toBe(0)
    expect(await auditAll(service.db)).toEqual([])
    const [first, second] = ids
    await verify(by, first ?? '')
    await verify(there, second ?? '')
    await expire(by, ids)
    expect(await balance(by)).toBe(5 * VERIFIED)
  })

  test('a repeated request charges them once', async () => {
    const by = await customer()
    const key = { 'Idempotency-Key': 'once' }
    const first = await request(by, {}, key)
    const again = await request(by, {}, key)
    expect(again.body).toEqual(first.body)
    expect(await balance(by)).toBe(1_000 - WITH_FEES)
    expect(await jobsOf(by)).toBe(1)
  })

  test('count towards the spending limit of a key', async () => {
    const by = await customer()
    const limited = await service.organisation({ of: by })
    await service.db`update api_keys set daily_spending_limit = ${String((WITH_FEES + MESSAGE) * 10_000)}::bigint
      where organisation_id = ${by.id}`
    expect((await request(limited)).status).toBe(200)
    expect(faults((await request(limited)).body)).toEqual(['daily_spending_limit spending_limit'])
  })

  test('of the codes of one verification only the verified one keeps its fee', async () => {
    const by = await customer()
    const ids = [await requestId(by), await requestId(by)]
    await service.db`
      update otps set verification_id = ${ids[0] ?? ''}, service_sid = 'VA' where organisation_id = ${by.id}`
    expect((await verify(by, ids[0] ?? '')).status).toBe(200)
    await expire(by, ids)
    expect(await balance(by)).toBe(1_000 - 2 * WITH_FEES + VERIFIED)
  })

  test('are not charged for numbers with a fixed token', async () => {
    const by = await customer()
    await by.call('PATCH', '/otp/settings', { test_numbers: [{ recipient: RECIPIENT, token: '123456' }] })
    await requestId(by)
    expect(await kindsOf(by)).toEqual([])
    expect(await jobsOf(by)).toBe(0)
  })

  test('retention deletes no OTP with a refund that is due', async () => {
    const by = await customer()
    const id = await requestId(by)
    await letTimePass(service, id, 3 * 24 * 60)
    await forgetSomeOtps(service.db, 2, 1_000)
    expect(await service.db`select 1 from otps where id = ${id}`).toHaveLength(1)
    await expire(by, [id])
    await forgetSomeOtps(service.db, 2, 1_000)
    expect(await service.db`select 1 from otps where id = ${id}`).toHaveLength(0)
    expect(await balance(by)).toBe(1_000 - MESSAGE - REQUEST)
  })
})

describe('a verification and the refund of its fee', () => {
  test('at the end of the OTP exactly one of them succeeds', async () => {
    const by = await customer(10_000)
    const there = { ...by, call: caller(beside.url, by.key) }
    const ids = await Promise.all(
      Array.from({ length: 40 }, (_, n) => requestId(by, { recipient: `23480312345${10 + n}` })),
    )
    // Each ends a few milliseconds after the one before, while it is verified.
    await service.db`
      update otps set expires_datetime = now() + n * interval '5 ms'
      from unnest(${ids}::uuid[]) with ordinality as given (otp_id, n)
      where organisation_id = ${by.id} and id = otp_id`
    const due = service.db`update jobs set run_at = now() where queue = 'otp-refund' and organisation_id = ${by.id}`
    const [answers] = await Promise.all([Promise.all(ids.map((id) => verify(there, id))), due])
    await until('the end of the jobs', async () => {
      await service.db`update jobs set run_at = now() where queue = 'otp-refund' and organisation_id = ${by.id} and not leased`
      return (await jobsOf(by)) === 0
    })
    const verified = answers.filter(({ status }) => status === 200).map(({ body }) => body.id)
    const refunded = (await linesOf(by, '&kind=refund')).map(({ subject_id }) => subject_id)
    expect([...verified, ...refunded].toSorted()).toEqual(ids.toSorted())
    expect(await balance(by)).toBe(10_000 - 40 * WITH_FEES + refunded.length * VERIFIED)
  })

  test('that waited for a lock until after the refund does not verify', async () => {
    const by = await customer()
    const id = await requestId(by)
    let answer: ReturnType<typeof verify> | undefined
    await transaction(service.db, async (tx) => {
      await tx`update otps set verified_fee_refunded = true where organisation_id = ${by.id} and id = ${id}`
      answer = verify(by, id)
      await until('the verification to wait', () => somebodyWaits(service.db))
    })
    expect(faults((await answer)?.body ?? {})).toEqual(['token expired'])
    await service.db`update otps set verified_fee_refunded = false where id = ${id}`
    await expire(by, [id])
  })
})

test('a refund whose connection is killed is made once', async () => {
  const by = await customer()
  const id = await requestId(by)
  await letTimePass(service, id, 60)
  await transaction(service.db, async (tx) => {
    await tx`select 1 from balances where organisation_id = ${by.id} for update`
    await service.db`update jobs set run_at = now() where queue = 'otp-refund' and organisation_id = ${by.id}`
    await until('the refund to wait and be killed', async () => (await endWaiting(service.db)) > 0)
  })
  await until('the end of the job', async () => {
    await service.db`update jobs set run_at = now() where queue = 'otp-refund' and organisation_id = ${by.id} and not leased`
    return (await jobsOf(by)) === 0
  })
  expect(await balance(by)).toBe(1_000 - MESSAGE - REQUEST)
})

describe('the commission on airtime', () => {
  type Bought = { id: string; status: string; meta: { charge: object } }
  const buy = async (by: Organisation, recipient: string) =>
    (await by.call<Bought>('POST', '/airtime/buy', { network: 'MTN', amount: 100, recipient })).body
  const ended = (by: Organisation, id: string, status: string) =>
    until(`the purchase to end with ${status}`, async () => {
      const { body } = await by.call<Bought>('GET', `/airtime/${id}`)
      return body.status === status && body
    })

  test('is charged with the amount, and refunded with it', async () => {
    const by = await customer(1_000)
    const bought = await buy(by, RECIPIENT)
    const charge = { amount: 102.5, commission: 2.5, balance_before: 1_000, available_balance: 897.5, refunded: false }
    expect(bought.meta.charge).toEqual(charge)
    expect((await ended(by, bought.id, 'success')).meta.charge).toEqual(charge)
    const failing = await buy(by, AIRTIME_FAILS)
    await ended(by, failing.id, 'failed')
    expect(await kindsOf(by)).toEqual(['airtime -102.5', 'airtime -102.5', 'refund 102.5'])
  })

  test('a balance that covers the amount only is refused', async () => {
    const by = await customer(102)
    expect((await buy(by, RECIPIENT)).id).toBeUndefined()
    expect(await balance(by)).toBe(102)
  })
})

describe('changing the fees', () => {
  test('names every fault, and none changes anything', async () => {
    const body = { otp_per_request: 0.00001, otp_per_verified: -1, airtime_commission: 0.123 }
    expect((await setFees(body)).status).toBe(400)
    expect((await setFees({ airtime_commission: 0.123 })).status).toBe(400)
    expect((await setFees({ otp_per_request: 0.00001 })).status).toBe(400)
    const { price_lists } = (await operator.call<{ price_lists: PriceList[] }>('GET', LISTS)).body
    expect(price_lists.find(({ name }) => name === 'fees')).toMatchObject({
      otp_per_request: REQUEST,
      otp_per_verified: VERIFIED,
      airtime_commission: 2.5,
    })
    expect((await operator.call('PATCH', `${LISTS}/file`, { otp_per_request: 1 })).status).toBe(409)
  })

  test('a copy of the list has them, a discount lowers the price of airtime, and null removes one', async () => {
    await operator.call('POST', LISTS, { name: 'copy', copy_of: 'fees' })
    await operator.call('PATCH', `${LISTS}/copy`, { otp_per_request: null, airtime_commission: -10 })
    const { body } = await operator.call<{ price_list: PriceList }>('GET', `${LISTS}/copy`)
    expect(body.price_list).toMatchObject({ otp_per_verified: VERIFIED, airtime_commission: -10 })
    expect(body.price_list).not.toHaveProperty('otp_per_request')
    const by = await service.organisation({ credit: 1_000 })
    await operator.call('POST', `/console/api/organisations/${by.id}/price-list`, { price_list: 'copy' })
    await until('the discount', async () => {
      const { text } = await by.call('POST', '/airtime/buy', { network: 'MTN', amount: 50, recipient: RECIPIENT })
      return text.includes('"commission":-5')
    })
    const { body: audit } = await operator.call<{ entries: { action: string; subject: string }[] }>(
      'GET',
      '/console/api/audit?installation=true&action=prices.fees',
    )
    expect(audit.entries.map(({ subject }) => subject)).toEqual(['copy', 'just-made', 'fees'])
  })
})

test('the ledger balances at the end', async () => {
  expect(await auditAll(service.db)).toEqual([])
})

async function everyTry(by: Organisation, id: string): Promise<void> {
  for (let n = 0; n < 5; n += 1) await verify(by, id, `${RIGHT}${n}`.slice(1))
  expect((await by.call<Otp>('GET', `/otp/${id}`)).body.status_desc).toBe('FAILED')
}
