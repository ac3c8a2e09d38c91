import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'
import { request, verify } from '../support/otp.ts'
import { count, note, scale } from './scale.ts'

/** Numbers of one block, as fraudsters rent them, and people who sign in meanwhile. */
const ATTACKED = scale(600, 10_000)
const GENUINE = scale(100, 1_000)
const MOST_TO_LEAVE = 50
const CLIENTS = 16
/** People who enter the token they received. */
const CONVERSION = 0.7

let service: TestService

beforeAll(async () => {
  service = await openService({ config: { sandbox: false }, workers: false, credit: 1_000_000 })
})
afterAll(() => service.close())

async function inParallel(total: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const client = async (): Promise<void> => {
    while (next < total) {
      next += 1
      await work(next - 1)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

test(
  'a block of numbers is pumped: hardly any messages are sent, and others are not affected',
  async () => {
    let left = 0
    let blocked = 0
    const answers: number[] = []
    const attack = inParallel(ATTACKED, async (n) => {
      const { status } = await request(service, { recipient: `234909777${String(n).padStart(4, '0')}` })
      expect([200, 429]).toContain(status)
      if (status === 200) left += 1
    })
    const people = inParallel(GENUINE, async (n) => {
      // Spread over the country like people: a multiplier without a common factor visits all prefixes.
      const recipient = `2348${String((n * 7_919_113 + 3_000_000) % 1_000_000_000).padStart(9, '0')}`
      const { status, body } = await request(service, { recipient })
      if (status !== 200) blocked += 1
      else if ((n * 37) % 100 < CONVERSION * 100) answers.push((await verify(service, body.id)).status)
    })
    await Promise.all([attack, people])
    expect(left).toBeLessThanOrEqual(MOST_TO_LEAVE)
    expect(left).toBeGreaterThan(5) // Otherwise people could never sign in from a new block.
    expect(blocked).toBe(0)
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(answers.length).toBeGreaterThan((GENUINE * CONVERSION) / 2)
    const { body } = await service.call<{ prefixes: { prefix: string }[] }>('GET', '/otp/guard')
    expect(body.prefixes.map(({ prefix }) => prefix)).toEqual(['234909777'])
    note({
      promise: 'SMS pumping',
      figure: `attack on ${count(ATTACKED)} numbers: ${left} OTPs left; of ${count(GENUINE)} genuine requests ${blocked} were blocked`,
      goal: `≤ ${MOST_TO_LEAVE} leave, none blocked`,
      met: left <= MOST_TO_LEAVE && blocked === 0,
    })
  },
  scale(60_000, 180_000),
)
