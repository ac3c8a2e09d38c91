import { afterAll, beforeAll, expect, test } from 'vitest'
import { caller, openHouse, type House, type Organisation } from '../support/house.ts'
import { faults, request, RIGHT, verify } from '../support/otp.ts'

let house: House
let neighbour: House
let there: Organisation

beforeAll(async () => {
  house = await openHouse({ workers: false })
  neighbour = await openHouse({ workers: false, beside: house })
  there = { ...house, call: caller(neighbour.url, house.key) }
})
afterAll(async () => {
  await neighbour.close()
  await house.close()
})

/** Fifty verifies at once, over two processes. */
async function fifty(id: string, tokenOf: (n: number) => string): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => verify(n % 2 === 0 ? house : there, id, tokenOf(n))),
  )
  return answers.map(({ status, body }) => (status === 200 ? `${body.status}` : (faults(body)[0] ?? '')))
}

const count = (outcomes: readonly string[], wanted: string) => outcomes.filter((outcome) => outcome === wanted).length

test('fifty right tokens at once: one wins', async () => {
  for (let round = 0; round < 5; round++) {
    const outcomes = await fifty((await request(house)).body.id, () => RIGHT)
    expect(count(outcomes, '4')).toBe(1)
    expect(count(outcomes, 'token used')).toBe(49)
  }
})

test('fifty wrong tokens at once: five are looked at', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = (await request(house)).body
    const outcomes = await fifty(id, (n) => String(1_000 + n))
    expect(count(outcomes, 'token invalid')).toBe(5)
    expect(count(outcomes, 'token max_attempts')).toBe(45)
    const [row] = await house.db`select status, attempts from otps where id = ${id}`
    expect(row).toEqual({ status: 3, attempts: 5 })
  }
})

test('one right among wrong ones wins only within the first five', async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = (await request(house)).body
    const outcomes = await fifty(id, (n) => (n === 3 * round ? RIGHT : '0000'))
    const [row] = await house.db<{ status: number; attempts: number }[]>`
      select status, attempts from otps where id = ${id}`
    const won = count(outcomes, '4')
    expect(row?.status).toBe(won === 1 ? 4 : 3)
    expect(count(outcomes, 'token invalid')).toBe((row?.attempts ?? 0) - won)
    expect(won + count(outcomes, 'token invalid')).toBeLessThanOrEqual(5)
  }
})

test('verify and revoke at once: one of them', async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = (await request(house)).body
    const [verified] = await Promise.all([verify(house, id), there.call('DELETE', `/otp/${id}`)])
    const { body } = await house.call<{ status: number }>('GET', `/otp/${id}`)
    expect(body.status).toBe(verified.status === 200 ? 4 : 5)
  }
})
