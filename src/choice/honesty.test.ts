import { expect, test } from 'vitest'
import { FAKING, HONEST } from '../../bench/evidence.ts'
import { runHonesty } from '../../bench/evidence-honesty.ts'
import { judgeHonesty, type Claims } from './honesty.ts'

function claims(carrier: string, claimed: number, proven: number, stratum = 'MTN'): Claims {
  return { carrier, claimed, proven, stratum, group: stratum }
}

function judgedOf(all: readonly Claims[], carrier: string) {
  return judgeHonesty(all).find((one) => one.carrier === carrier && one.group === undefined)
}

test('a carrier that fakes a fifth of its receipts is doubtful within 500 OTPs, and no other carrier is', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const { doubted_after, judged } = runHonesty({ seed, otps: 3_000, carriers: FAKING })
    expect(Object.keys(doubted_after)).toEqual(['faker'])
    expect(doubted_after.faker).toBeLessThanOrEqual(500)
    const found = judged.find(({ carrier, group }) => carrier === 'faker' && group === undefined)
    expect(found?.factor).toBeGreaterThan(0.7)
    expect(found?.factor).toBeLessThan(0.9)
  }
})

test('honest carriers are never doubted: slow ones, with losses, without all reports, with few messages', () => {
  for (let seed = 1; seed <= 40; seed++) {
    expect(runHonesty({ seed, otps: 1_500, carriers: HONEST }).doubted_after).toEqual({})
  }
})

test('carriers are compared at the same operator only', () => {
  const all = [
    claims('one', 1_000, 850, 'MTN'),
    claims('two', 1_000, 850, 'MTN'),
    claims('one', 1_000, 500, 'Glo'),
    claims('two', 100, 50, 'Glo'),
    claims('alone', 1_000, 100, 'Airtel'),
  ]
  expect(judgedOf(all, 'one')).toMatchObject({ factor: expect.closeTo(1, 2), is_doubtful: false })
  expect(judgedOf(all, 'alone')).toMatchObject({ expected: undefined, factor: 1, low: 0, high: 1, is_doubtful: false })
})

test('the expected number is that of the other carriers, and the factor is never above one', () => {
  const all = [claims('fair', 1_000, 800), claims('faker', 500, 320)]
  expect(judgedOf(all, 'faker')).toMatchObject({
    claimed: 500,
    proven: 320,
    expected: 400,
    factor: expect.closeTo(0.8),
  })
  expect(judgedOf(all, 'fair')).toMatchObject({ factor: 1, high: 1, is_doubtful: false })
})

test('few claims prove nothing, not even if none was verified', () => {
  expect(judgedOf([claims('fair', 1_000, 800), claims('faker', 49, 0)], 'faker')?.is_doubtful).toBe(false)
  expect(judgedOf([claims('fair', 49, 49), claims('faker', 1_000, 0)], 'faker')?.is_doubtful).toBe(false)
  expect(judgedOf([claims('fair', 1_000, 800), claims('faker', 200, 0)], 'faker')?.is_doubtful).toBe(true)
})
