import { afterAll, beforeAll, expect, test } from 'vitest'
import { caller, openService, type TestService, type Organisation } from '../support/service.ts'
import { faults, request, RIGHT, verify } from '../support/otp.ts'
import { note } from './scale.ts'

/** Wrong attempts at all OTPs of a number together, in a day. */
const CAP = 20

let service: TestService
let second: TestService

const live = { config: { sandbox: false }, workers: false }

beforeAll(async () => {
  service = await openService(live)
  second = await openService({ ...live, beside: service })
})
afterAll(async () => {
  await second.close()
  await service.close()
})

const elsewhere = (by: Organisation): Organisation => ({ ...by, call: caller(second.url, by.key) })

/** OTPs of one number, as over a day: without the limit on sending. */
async function openOtps(by: Organisation, count: number, recipient = '08031234567'): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const { status, body } = await request(by, { recipient })
    expect(status).toBe(200)
    ids.push(body.id)
    await service.db`delete from otp_sends where organisation_id = ${by.id}`
  }
  return ids
}

const outcome = async (answer: ReturnType<typeof verify>): Promise<string> => {
  const { status, body } = await answer
  return status === 200 ? 'verified' : (faults(body)[0] ?? '')
}

test('a number allows twenty wrong attempts in a day, over all its OTPs, also concurrent ones', async () => {
  const by = await service.organisation()
  const ids = await openOtps(by, 10)
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      outcome(verify(n % 2 === 0 ? by : elsewhere(by), ids[n % ids.length] ?? '', String(1_000 + n))),
    ),
  )
  const looked_at = outcomes.filter((one) => one === 'token invalid').length
  expect(looked_at).toBe(CAP)
  expect(outcomes.filter((one) => one === 'token max_attempts')).toHaveLength(100 - CAP)
  const [row] = await service.db<{ attempts: number }[]>`
    select sum(attempts)::integer as attempts from otps where organisation_id = ${by.id}`
  expect(row?.attempts).toBe(CAP)

  const [fresh = ''] = await openOtps(by, 1)
  expect(await outcome(verify(by, fresh))).toBe('token max_attempts') // Not even the right one any more.
  expect((await by.call<{ status: number }>('GET', `/otp/${fresh}`)).body.status).toBe(1)
  note({
    promise: 'OTP guessing: wrong tries per number and day',
    figure: `100 racing guesses at 10 OTPs of one number over two processes: ${looked_at} compared`,
    goal: `${CAP} compared`,
    met: looked_at === CAP,
  })
})

test('other numbers, other organisations and the next day are not affected', async () => {
  const by = await service.organisation()
  const ids = await openOtps(by, 4)
  for (let n = 0; n < CAP; n += 1) await verify(by, ids[n % 4] ?? '', '0000')
  const [stopped = '', other_number = ''] = [...(await openOtps(by, 1)), ...(await openOtps(by, 1, '08039999999'))]
  expect(await outcome(verify(by, stopped))).toBe('token max_attempts')
  expect(await outcome(verify(by, other_number))).toBe('verified')
  const stranger = await service.organisation()
  const [theirs = ''] = await openOtps(stranger, 1)
  expect(await outcome(verify(stranger, theirs))).toBe('verified')
  await service.db`
    update otps set created_datetime = created_datetime - interval '1 day'
    where organisation_id = ${by.id} and attempts > 0`
  expect(await outcome(verify(by, stopped))).toBe('verified')
})

test('right tokens are not counted: a person may verify all day', async () => {
  const by = await service.organisation()
  for (let n = 0; n < CAP + 5; n += 1) {
    const [id = ''] = await openOtps(by, 1)
    expect(await outcome(verify(by, id))).toBe('verified')
  }
})

test('the sandbox and test keys do not count', async () => {
  const twin = await service.organisation({ of: await service.organisation(), mode: 'test' })
  for (const id of await openOtps(twin, 5)) {
    for (let n = 0; n < 5; n += 1) expect(await outcome(verify(twin, id, '0000'))).toBe('token invalid')
  }
  const [after = ''] = await openOtps(twin, 1)
  expect(await outcome(verify(twin, after, RIGHT))).toBe('verified')
})
