import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/values/id.ts'
import { balanceOf, buy, ends, expectSoundMoney, readPurchase, type Purchase } from '../support/airtime.ts'
import { caller, openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService

beforeAll(async () => {
  service = await openService()
})
afterAll(async () => {
  await expectSoundMoney(service)
  await service.close()
})

const WISH = { network: 'MTN', amount: 100, recipient: '08031234567' }

/** Responses that are not receipts. */
const refused = (answers: readonly { status: number; text: string }[]) =>
  answers.flatMap(({ status, text }) => (status === 200 ? [] : [`${status} ${text}`]))

test('200 concurrent purchases with a balance for 40: exactly 40 are bought, and the balance is empty', async () => {
  const by = await service.organisation({ credit: 4_000 })
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      by.call<Purchase>('POST', '/airtime/buy', { ...WISH, external_ref: `n${n}` }),
    ),
  )
  const taken = answers.filter(({ status }) => status === 200).map(({ body }) => body)
  expect(taken).toHaveLength(40)
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(160)
  // Each saw a different balance, one after the other.
  const seen = taken.map(({ meta }) => meta.charge.available_balance).sort((a, b) => a - b)
  expect(seen).toEqual(Array.from({ length: 40 }, (_, n) => n * 100))
  for (const one of taken) await ends(by, one, 'success')
  expect(await balanceOf(by)).toBe(0)
  const sold = await service.db`select 1 from sandbox_topups where organisation_id = ${by.id}`
  expect(sold).toHaveLength(40)
})

test('20 concurrent requests with the same Idempotency-Key buy once', async () => {
  const by = await service.organisation({ credit: 4_000 })
  const headers = { 'idempotency-key': 'the one' }
  const ask = () => by.call<Purchase>('POST', '/airtime/buy', WISH, headers)
  const answers = await Promise.all(Array.from({ length: 20 }, ask))
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
  const first = answers.find(({ status }) => status === 200)
  expect(first).toBeDefined()
  const again = await ask()
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.text).toBe(first?.text)
  await ends(by, { id: first?.body.id ?? '' }, 'success')
  expect(await balanceOf(by)).toBe(3_900)
  expect(await service.db`select 1 from sandbox_topups where organisation_id = ${by.id}`).toHaveLength(1)
})

test('a purchase with several jobs, as after a lost lease, is bought and refunded once', async () => {
  const by = await service.organisation({ credit: 10_000 })
  const bought = []
  for (let n = 0; n < 20; n += 1) {
    const recipient = n % 2 === 0 ? '2348000000011' : '08031234567'
    bought.push(await buy(by, { recipient, external_ref: `r${n}` }))
  }
  await service.db`
    insert into jobs (queue, lane, organisation_id, subject_id)
    select 'airtime', organisation_id, organisation_id, id from purchases, generate_series(1, 5)
    where organisation_id = ${by.id}`
  for (const [n, one] of bought.entries()) await ends(by, one, n % 2 === 0 ? 'failed' : 'success')
  await until('all jobs done', async () => {
    const left = await service.db`select 1 from jobs where organisation_id = ${by.id} and queue = 'airtime'`
    return left.length === 0
  })
  expect(await balanceOf(by)).toBe(9_000)
  expect(await service.db`select 1 from sandbox_topups where organisation_id = ${by.id}`).toHaveLength(10)
})

test('the same purchase at two processes concurrently is bought once', async () => {
  const beside = await openService({ beside: service })
  const by = await service.organisation({ credit: 100_000 })
  const calls = [by.call, caller(beside.url, by.key)]
  for (let n = 0; n < 10; n += 1) {
    const wish = { ...WISH, recipient: `0803000000${n}` }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => calls[i % 2]!<Purchase>('POST', '/airtime/buy', wish)),
    )
    expect(refused(answers)).toEqual([])
    const ended = answers.map(({ body }) => ends(by, body, 'success', 'duplicate'))
    const states = (await Promise.all(ended)).map(({ status }) => status)
    expect(states.filter((status) => status === 'success')).toHaveLength(1)
  }
  expect(await balanceOf(by)).toBe(99_000)
  await beside.close()
})

test('the same Idempotency-Key at two processes concurrently is charged and bought once, with equal answers', async () => {
  const beside = await openService({ beside: service })
  const by = await service.organisation({ credit: 10_000 })
  const calls = [by.call, caller(beside.url, by.key)]
  for (let n = 0; n < 10; n += 1) {
    // One at each process: of two at the same process, the second may be rejected because the first is in progress.
    const ask = () =>
      Promise.all(calls.map((call) => call<Purchase>('POST', '/airtime/buy', WISH, { 'idempotency-key': `k${n}` })))
    const answers = [...(await ask()), ...(await ask())]
    expect(refused(answers)).toEqual([])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
    await ends(by, { id: answers[0]?.body.id ?? '' }, 'success')
  }
  expect(await balanceOf(by)).toBe(9_000)
  expect(await service.db`select 1 from sandbox_topups where organisation_id = ${by.id}`).toHaveLength(10)
  await beside.close()
})

test('a refusal stored after another worker stored the purchase as sent: it fails, and is refunded', async () => {
  const by = await service.organisation({ credit: 1_000 })
  const id = newId()
  const wish = { id, network: 'MTN', recipient: '2348031234567', warnings: [], vendors: ['v'], reserved: true }
  const [accepted] = await service.db<{ job_ids: string[] }[]>`
    select job_ids from accept_purchases(
      ${by.id}, array[${id}::uuid], array[1000000]::bigint[], '{}', '{}', '{}', '{}',
      ${JSON.stringify([{ ...wish, reference: 'r' }])}::json, 5, 3600
    )`
  const rule = (status: string, verdict: string, end: string | null, delay_ms: number | null) => service.db`
    select status from record_rulings(
      ${by.id}, array[${id}::uuid], '{0}', '{1}', array[${status}], '{0}', array[null]::text[], array[null]::text[],
      array[null]::text[], array[null]::bigint[], array[null]::bigint[],
      array[${String(accepted?.job_ids[0])}]::bigint[], array[${verdict}], array[${end}]::text[],
      array[null]::text[], array[${delay_ms}]::integer[]
    )`
  await rule('unclear', 'ask_later', null, 3_600_000)
  const ended = await rule('error', 'settle', 'error', null)
  expect(ended).toMatchObject([{ status: 'failed' }])
  expect(await readPurchase(by, { id })).toMatchObject({ status: 'failed' })
  expect(await balanceOf(by)).toBe(1_000)
})
