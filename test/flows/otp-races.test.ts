import { afterAll, beforeAll, expect, test } from 'vitest'
import { caller, openService, type TestService, type Organisation } from '../support/service.ts'
import { faults, request, RIGHT, verify } from '../support/otp.ts'
import { everyMessage } from '../support/every.ts'

let service: TestService
let neighbour: TestService
let there: Organisation

beforeAll(async () => {
  service = await openService({ workers: false })
  neighbour = await openService({ workers: false, beside: service })
  there = { ...service, call: caller(neighbour.url, service.key) }
})
afterAll(async () => {
  await neighbour.close()
  await service.close()
})

/** Fifty concurrent verifications at two processes. */
async function fifty(id: string, tokenOf: (n: number) => string): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => verify(n % 2 === 0 ? service : there, id, tokenOf(n))),
  )
  return answers.map(({ status, body }) => (status === 200 ? `${body.status}` : (faults(body)[0] ?? '')))
}

const count = (outcomes: readonly string[], wanted: string) => outcomes.filter((outcome) => outcome === wanted).length

test('fifty concurrent right tokens: one succeeds', async () => {
  for (let round = 0; round < 5; round++) {
    const outcomes = await fifty((await request(service)).body.id, () => RIGHT)
    expect(count(outcomes, '4')).toBe(1)
    expect(count(outcomes, 'token used')).toBe(49)
  }
})

test('fifty concurrent wrong tokens: five are checked', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = (await request(service)).body
    const outcomes = await fifty(id, (n) => String(1_000 + n))
    expect(count(outcomes, 'token invalid')).toBe(5)
    expect(count(outcomes, 'token max_attempts')).toBe(45)
    const [row] = await service.db`select status, attempts from otps where id = ${id}`
    expect(row).toEqual({ status: 3, attempts: 5 })
  }
})

test('one right among wrong ones succeeds only within the first five', async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = (await request(service)).body
    const outcomes = await fifty(id, (n) => (n === 3 * round ? RIGHT : '0000'))
    const [row] = await service.db<{ status: number; attempts: number }[]>`
      select status, attempts from otps where id = ${id}`
    const won = count(outcomes, '4')
    expect(row?.status).toBe(won === 1 ? 4 : 3)
    expect(count(outcomes, 'token invalid')).toBe((row?.attempts ?? 0) - won)
    expect(won + count(outcomes, 'token invalid')).toBeLessThanOrEqual(5)
  }
})

test('concurrent verify and revoke: one of them succeeds', async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = (await request(service)).body
    const [verified, revoked] = await Promise.all([verify(service, id), there.call('DELETE', `/otp/${id}`)])
    const { body } = await service.call<{ status: number }>('GET', `/otp/${id}`)
    const won = verified.status === 200
    expect([body.status, revoked.status]).toEqual(won ? [4, 409] : [5, 204])
  }
})

test('wrong attempts at five OTPs each of five numbers, at two processes and in both orders: each number allows twenty', async () => {
  const live = await openService({ workers: false, config: { sandbox: false } })
  const beside = await openService({ workers: false, config: { sandbox: false }, beside: live })
  const processes = [live, { ...live, call: caller(beside.url, live.key) }] as const
  const asked = await Promise.all(
    Array.from({ length: 25 }, async (_, n) => {
      const recipient = `234803${n % 5}234567`
      return { recipient, id: (await request(live, { recipient })).body.id }
    }),
  )
  const tries = [...asked, ...asked, ...asked]
  const answers = await Promise.all(
    [...tries, ...tries.toReversed()].map(async ({ recipient, id }, n) => {
      const { status, body } = await verify(processes[n % 2 === 0 ? 0 : 1], id, '0000')
      return { recipient, outcome: `${status} ${faults(body)[0]}` }
    }),
  )
  for (const { recipient } of asked) {
    const outcomes = answers.filter((answer) => answer.recipient === recipient).map(({ outcome }) => outcome)
    expect(count(outcomes, '404 token invalid')).toBe(20)
    expect(count(outcomes, '404 token max_attempts')).toBe(10)
  }
  await beside.close()
  await live.close()
})

test('right tokens of one batch are counted for their prefix, each once', async () => {
  const live = await openService({ workers: false, config: { sandbox: false } })
  const asked = await Promise.all(
    Array.from({ length: 12 }, (_, n) => request(live, { recipient: `234803${n % 2}00${String(100 + n)}0` })),
  )
  await Promise.all([...asked, ...asked].map(({ body }) => verify(live, body.id)))
  const counted = await live.db`
    select sum(sent)::integer as sent, sum(verified)::integer as verified from otp_counters
    where kind = 'prefix' group by key order by key`
  expect(counted).toEqual([
    { sent: 6, verified: 6 },
    { sent: 6, verified: 6 },
  ])
  await live.close()
})

test('OTPs and messages of one batch, some with links and with keys: each is stored and charged once, unchanged', async () => {
  const by = await service.organisation({ credit: 1_000 })
  const mixed = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      if (n % 3 === 0) return request(by)
      const body = { recipients: '08031234567', content: 'See https://example.com', is_trackable: n % 3 === 1 }
      return by.call('POST', '/sms/send', body, n % 2 === 0 ? { 'idempotency-key': `key ${n}` } : {})
    }),
  )
  expect(mixed.map(({ status }) => status)).toEqual(Array.from({ length: 60 }, () => 200))
  const [row] = await service.db`
    select
      (select count(*)::integer from otps where organisation_id = ${by.id}) as otps,
      (select count(*)::integer from ${everyMessage(service.db)} message where organisation_id = ${by.id}) as messages,
      (select count(*)::integer from links where organisation_id = ${by.id}) as links,
      (select count(*)::integer from idempotency_keys where organisation_id = ${by.id}) as keys,
      (select sum(subjects)::integer from ledger_lines where organisation_id = ${by.id} and kind = 'message') as charges`
  expect(row).toEqual({ otps: 20, messages: 60, links: 20, keys: 20, charges: 60 })
  expect((await by.call<{ balance: number }>('GET', '/balance')).body.balance).toBe(1_000 - 60 * 4)
})
