import { describe, expect, test } from 'vitest'
import { makeRecorder, type Recorded } from './recorder.ts'

const AWAY = new Error('away')
const WRONG = new Error('wrong')

/** A database that writes, or fails as told. */
function makeTable(faults: Error[] = []) {
  const written: string[] = []
  const attempts: { organisation_id: string; items: string[]; again: boolean[] }[] = []
  const remembered: number[] = []
  let under_way = 0
  let most_at_once = 0
  const write = async (organisation_id: string, recorded: readonly Recorded<string>[]): Promise<void> => {
    const items = recorded.map(({ item }) => item)
    attempts.push({ organisation_id, items, again: recorded.map(({ again }) => again) })
    most_at_once = Math.max(most_at_once, (under_way += 1))
    await new Promise(setImmediate)
    under_way -= 1
    const fault = items.includes('bad') ? WRONG : faults.shift()
    if (fault) throw fault
    written.push(...items)
  }
  const options = {
    every_ms: 1,
    items: 3,
    write,
    isPassing: (fault: unknown) => fault === AWAY,
    onRemembered: (_: string, items: number) => void remembered.push(items),
  }
  return { written, attempts, remembered, mostAtOnce: () => most_at_once, recorder: makeRecorder(options) }
}

describe('what comes of posts', () => {
  test('is written together, so many at a time, one write of an organisation after the other', async () => {
    const { recorder, attempts, mostAtOnce } = makeTable()
    const all = ['a', 'b', 'c', 'd'].map((item) => recorder.record('one', item))
    expect(await Promise.all(all)).toEqual([true, true, true, true])
    expect(attempts.map(({ items }) => items)).toEqual([['a', 'b', 'c'], ['d']])
    expect(mostAtOnce()).toBe(1)
  })

  test('of one organisation does not wait for another', async () => {
    const { recorder, attempts } = makeTable([AWAY])
    const [one, other] = [recorder.record('one', 'a'), recorder.record('other', 'b')]
    expect(await other).toBe(true)
    recorder.hurry()
    expect(await one).toBe(true)
    expect(attempts.filter(({ organisation_id }) => organisation_id === 'other')).toHaveLength(1)
  })

  test('is remembered while the database is away, and written as what may be known already', async () => {
    const { recorder, attempts, remembered, written } = makeTable([AWAY, AWAY])
    expect(await Promise.all([recorder.record('one', 'a'), recorder.record('one', 'b')])).toEqual([true, true])
    expect(written).toEqual(['a', 'b'])
    expect(attempts.map(({ again }) => again)).toEqual([
      [false, false],
      [true, true],
      [true, true],
    ])
    expect(remembered).toEqual([2]) // told once
  })

  test('that cannot be written takes no other along', async () => {
    const { recorder, written } = makeTable()
    const outcomes = await Promise.allSettled(['a', 'bad', 'c'].map((item) => recorder.record('one', item)))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(written).toEqual(['a', 'c'])
  })
})

describe('at the end', () => {
  test('what is remembered is tried once more, and then given up', async () => {
    const { recorder, attempts } = makeTable(Array.from({ length: 100 }, () => AWAY))
    const outcome = recorder.record('one', 'a')
    while (attempts.length === 0) await new Promise(setImmediate)
    recorder.hurry()
    recorder.giveUp()
    expect(await outcome).toBe(false)
    // And what comes later has one attempt.
    const before = attempts.length
    expect(await recorder.record('one', 'b')).toBe(false)
    expect(attempts.length).toBe(before + 1)
  })
})
