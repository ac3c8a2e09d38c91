import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeChooser } from '../../src/choice/chooser.ts'
import type { Asked } from '../../src/choice/choice.ts'
import { makeKnowledge } from '../../src/choice/knowledge.ts'
import { startFollowing } from '../../src/evidence/follow.ts'
import { addEvidence } from '../../src/evidence/store.ts'
import { makeEvidence, type EvidenceFigures } from '../../src/observe/evidence.ts'
import { makeMeters } from '../../src/observe/meters.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const HOUR = Math.floor(Date.now() / 3_600_000)
const ROUTE = {
  carriers: ['good', 'inexpensive'],
  choose: 'evidence' as const,
  evidence: { follow_percent: 100, tolerance: 0.03, explored_percent: 0, half_life_minutes: 60, seed: 1 },
}
const ASKED: Asked = {
  country: 'NG',
  operator: 'MTN',
  channel: 'sms',
  class: 'otp',
  costs: [2n, 1n],
  available: [true, true],
}

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

/** As another process writes it. */
async function write(carrier: string, operator: string, figures: Partial<EvidenceFigures>, hour = HOUR): Promise<void> {
  const evidence = makeEvidence()
  evidence.note({ hour, carrier, country: 'NG', operator, channel: 'sms', class: 'otp' }, figures)
  await addEvidence(service.db, evidence.drain())
}

/** A process that chooses by what it reads. */
function open(isWanted = () => true) {
  const knowledge = makeKnowledge(Date.now)
  const chooser = makeChooser(ROUTE, knowledge, Date.now, Math.random)
  const meters = makeMeters()
  const { db, log } = { db: service.db, log: { warn: (_: object, text: string) => expect.unreachable(text) } }
  const following = startFollowing({ db, log: log as never, meters, knowledge, isWanted })
  const known = (carrier: string, operator: string) =>
    knowledge.view(3_600_000).find(carrier, 'NG', operator, 'sms', 'otp')
  return { knowledge, chooser, meters, following, known }
}

test('a process begins with the history, weighed by its age, and follows what others count', async () => {
  await write('good', 'MTN', { submitted: 1_000, judged: 1_000, good: 800 })
  await write('inexpensive', 'MTN', { submitted: 1_000, judged: 1_000, good: 500 })
  await write('inexpensive', 'Glo', { submitted: 64, judged: 64, good: 64 }, HOUR - 3)
  const { chooser, knowledge, following, known } = open()
  await until('the history', () => !knowledge.is_unseeded)
  await until('a choice by the history', () => chooser.choose(ASKED).position === 0)
  // Three to four hours old: the half-life is an hour.
  expect(known('inexpensive', 'Glo')?.judged).toBeGreaterThan(3)
  expect(known('inexpensive', 'Glo')?.judged).toBeLessThan(12)
  await write('inexpensive', 'MTN', { submitted: 100_000, judged: 100_000, good: 80_000 })
  await until('the choice of the less expensive one', () => chooser.choose(ASKED).position === 1)
  const judged = known('inexpensive', 'MTN')?.judged ?? 0
  expect(judged).toBeGreaterThan(90_000)
  expect(judged).toBeLessThan(101_100)
  await following.stop()
})

test('what is read again is counted once', async () => {
  const { knowledge, following, known } = open()
  await until('the history', () => !knowledge.is_unseeded)
  await write('good', 'Airtel', { submitted: 50, judged: 50, good: 40 })
  await until('the row', () => known('good', 'Airtel') !== undefined)
  await write('good', 'Airtel', { submitted: 10 })
  // The first row is within the overlap of this read.
  await until('the change', () => (known('good', 'Airtel')?.sent ?? 0) > 55)
  expect(known('good', 'Airtel')?.judged).toBeLessThanOrEqual(50)
  await following.stop()
})

test('a doubtful carrier is a metric, and its deliveries count less', async () => {
  await write('fair', 'MTN', { claimed: 3_000, proven: 2_550 })
  await write('faker', 'MTN', { claimed: 1_000, proven: 680 })
  const { knowledge, meters, following } = open()
  await until('honesty', () => knowledge.honestyOf('faker', 'NG', 'MTN') < 0.85)
  expect(knowledge.honestyOf('fair', 'NG', 'MTN')).toBe(1)
  expect(await meters.registry.getSingleMetricAsString('gangan_carrier_honesty')).toMatch(/carrier="faker"\} 0\.\d/)
  await following.stop()
})

test('nothing is read while no route chooses', async () => {
  const { knowledge, following } = open(() => false)
  await following.stop()
  expect(knowledge.is_unseeded).toBe(true)
})
