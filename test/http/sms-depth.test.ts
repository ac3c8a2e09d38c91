import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { numbersOf } from '../support/drafts.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** Limits of the intake, per organisation and in total, and the additional capacity for urgent messages. */

const LIMIT = 1_000
const LIMITS = { recipients: 3 * LIMIT, recipients_per_organisation: LIMIT }
/** Far from any limit, and sufficient for the test. */
const CREDIT = 100_000

let service: TestService

beforeEach(async () => {
  service = await openService({ workers: false, settings: { intake: LIMITS } })
})
afterEach(async () => {
  const faults = await auditMoney(service.db)
  await service.close()
  if (faults.length > 0) throw new Error(faults.join('\n'))
})

const organisation = () => service.organisation({ credit: CREDIT })

const send = (by: Organisation, more: object = {}, headers: Record<string, string> = {}) =>
  by.call<{ id: string; message: string }>(
    'POST',
    '/sms/send',
    { content: 'Hello', recipients: '2348031234567', ...more },
    headers,
  )

/** The messages of an organisation in the intake and in its tables, and its balance. */
async function stateOf(by: Organisation) {
  const [counted] = await service.db`
    select (select coalesce(sum(size), 0)::integer from intake where organisation_id = ${by.id}) as waiting,
      (select count(*)::integer from messages where organisation_id = ${by.id}) as messages,
      (select balance from balances where organisation_id = ${by.id}) as balance`
  return counted
}

/** Sends until it is rejected: lists while they fit, then single messages. */
async function fill(by: Organisation): Promise<void> {
  for (const recipients of [numbersOf(LIMIT / 4), numbersOf(10), numbersOf(1)]) {
    while ((await send(by, { recipients })).status === 200);
  }
}

/**
 * A rejected send, with the state of the organisation before and after. Messages accepted during a measurement of the
 * intake are counted by the next one, so a few may be accepted.
 */
const refusedWith = (by: Organisation, status: 429 | 503, more: object = {}, headers: Record<string, string> = {}) =>
  until(`${status}`, async () => {
    const before = await stateOf(by)
    const answer = await send(by, more, headers)
    return answer.status === status && { answer, before, after: await stateOf(by) }
  })

const acceptedOf = (by: Organisation) =>
  until('to be accepted again', async () => {
    const { status, body } = await send(by)
    return status === 200 && body.id
  })

describe('beyond the limit of one organisation', () => {
  test('a send is rejected with 429 and Retry-After; nothing is stored or charged', async () => {
    const by = await organisation()
    await fill(by)
    const { answer, before, after } = await refusedWith(by, 429)
    expect(answer.headers.get('retry-after')).toBe('10')
    expect(answer.body).toEqual({
      status: 429,
      message: 'Too many of your messages are waiting to be sent. Retry when some of them are.',
    })
    expect(after).toEqual(before)
    const list = await refusedWith(by, 429, { recipients: numbersOf(300) })
    expect(list.after).toEqual(list.before)
    expect(after?.waiting).toBeLessThan(2 * LIMIT)
  })

  test('a list that would exceed the limit is rejected as a whole, while a shorter one is accepted', async () => {
    const by = await organisation()
    expect((await send(by, { recipients: numbersOf(LIMIT + 1) })).status).toBe(429)
    expect(await stateOf(by)).toMatchObject({ waiting: 0, messages: 0 })
    expect((await send(by, { recipients: numbersOf(LIMIT) })).status).toBe(200)
  })

  test('other organisations are not affected', async () => {
    const [by, neighbour] = [await organisation(), await organisation()]
    await fill(by)
    expect((await send(neighbour, { recipients: numbersOf(LIMIT / 2) })).status).toBe(200)
    await refusedWith(by, 429)
    expect((await send(neighbour)).status).toBe(200)
  })

  test('sends are accepted again once the intake has drained', async () => {
    const by = await organisation()
    await fill(by)
    // As if it had been submitted: the ledger counts messages.
    await service.db`update intake set submitted = size where organisation_id = ${by.id}`
    const id = await acceptedOf(by)
    expect((await by.call('GET', `/sms/${id}`)).status).toBe(200)
  })

  test('one-time passwords are accepted', async () => {
    const by = await organisation()
    await fill(by)
    await refusedWith(by, 429)
    const { status } = await by.call('POST', '/otp/request_token', { recipient: '2348031234567' })
    expect(status).toBe(200)
    await refusedWith(by, 429)
  })
})

describe('beyond the limit of all organisations', () => {
  test('all sends but one-time passwords are rejected with 503 and Retry-After, until the intake has drained', async () => {
    const organisations = [await organisation(), await organisation(), await organisation()]
    for (const one of organisations) await fill(one)
    const late = service
    const { answer, before, after } = await refusedWith(late, 503)
    expect(answer.headers.get('retry-after')).toBe('10')
    expect(answer.body).toEqual({
      status: 503,
      message: 'Too many messages are waiting to be sent. Retry later.',
    })
    expect(after).toEqual(before)
    expect((await late.call('POST', '/otp/request_token', { recipient: '2348031234567' })).status).toBe(200)
    await refusedWith(late, 503)
    await service.db`update intake set submitted = size where organisation_id = ${organisations[1]?.id}`
    await acceptedOf(late)
  })
})

describe('a retry of an accepted request', () => {
  const key = (name: string) => ({ 'idempotency-key': name })

  test.each([
    ['of its organisation', 429],
    ['of all', 503],
  ] as const)('gets the same response beyond the limit %s', async (_, status) => {
    const by = await organisation()
    const first = await send(by, {}, key('first'))
    expect(first.status).toBe(200)
    if (status === 429) await fill(by)
    else for (let n = 0; n < 3; n += 1) await fill(await organisation())
    await refusedWith(by, status)
    const before = await stateOf(by)
    const again = await send(by, {}, key('first'))
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(again.text).toBe(first.text)
    expect((await send(by, { content: 'Something else' }, key('first'))).status).toBe(409)
    expect(await stateOf(by)).toEqual(before)
    await refusedWith(by, status)
  })

  test('is rejected if the request was never accepted', async () => {
    const [by, other] = [await organisation(), await organisation()]
    expect((await send(other, {}, key('the same'))).status).toBe(200)
    await fill(by)
    const { before, after } = await refusedWith(by, 429, {}, key('the same'))
    expect(after).toEqual(before)
  })
})
