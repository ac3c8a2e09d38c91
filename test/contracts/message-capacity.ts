import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MessageCarrier, SubmitOutcome } from '../../src/carriers/message-carrier.ts'
import { until } from '../support/until.ts'
import { isNotHandedOver, messageTo, openBench, ready, submit, type Bench } from './message-bench.ts'
import { does, type Mood, type Network } from './message-network.ts'

/** A process that takes longer to stop is killed with messages in flight. */
const LONGEST_STOP_MS = 10_000
const NOT_HANDED_OVER = 'not taken, not submitted'

export function promisesOfRoomAndEnd(name: string, network: Network): void {
  let bench: Bench
  let carrier: MessageCarrier

  beforeAll(async () => {
    bench = await openBench(network)
  })
  beforeEach(async () => {
    carrier = bench.start(network.patient)
    await ready(carrier)
  })
  afterEach(() => carrier.stop()) // Stopping twice is harmless.
  afterAll(() => bench.close())

  const write = (mood: Mood, count: number) =>
    Array.from({ length: count }, () => messageTo(network, bench.peer.number(mood)))
  const isTaken = async ({ recipient }: { recipient: string }): Promise<boolean> =>
    (await bench.peer.taken(bench.db, recipient)).length > 0

  describe(`${name} reports capacity`, () => {
    test(`for ${network.tells_room ? 'so many' : 'as many as come'}`, async () => {
      expect([carrier.freeCapacity !== undefined, carrier.limit !== undefined]).toEqual([
        network.tells_room,
        network.tells_room,
      ])
      expect(carrier.downFor?.() ?? 0).toBe(0)
    })

    test.runIf(network.tells_room)('minus the messages in flight, and never below zero', async () => {
      const freeCapacity = () => carrier.freeCapacity?.() ?? Infinity
      const before = freeCapacity()
      expect(before).toBeGreaterThan(0)
      expect(before).toBeLessThanOrEqual(carrier.limit ?? 0)
      const leased = [submit(carrier, write('answers_slowly', before))]
      expect(freeCapacity()).toBe(0)
      leased.push(submit(carrier, write('answers_slowly', 1)))
      expect(freeCapacity()).toBe(0)
      const outcomes = (await Promise.all(leased)).flat()
      expect(outcomes.filter(({ kind }) => kind !== 'accepted')).toEqual([])
      expect(freeCapacity()).toBe(before)
    })
  })

  describe(`${name} ends`, () => {
    test.runIf(does(network, 'answers_slowly'))('when pending responses have arrived', async () => {
      const messages = write('answers_slowly', 5)
      const leased = submit(carrier, messages)
      await until('the first to be accepted', () => isTaken(messages[0]!))
      await carrier.stop()
      expect(await fates(messages, await leased)).toEqual(messages.map(() => 'taken, accepted'))
    })

    const left_open = network.knows_our_reference ? 'taken, accepted' : 'taken, unknown'
    const mood = does(network, 'hangs') ? 'hangs' : 'delivers'
    test(`with its limit in flight, although the network ${mood}`, async () => {
      const messages = write(mood, carrier.limit ?? carrier.batch)
      const leased = submit(carrier, messages)
      if (mood === 'hangs') await until('the first to be accepted', () => isTaken(messages[0]!))
      const began = performance.now()
      await carrier.stop()
      const outcomes = await leased
      expect(performance.now() - began).toBeLessThan(LONGEST_STOP_MS)
      const right = mood === 'hangs' ? [left_open, NOT_HANDED_OVER] : ['taken, accepted']
      const wrong = (await fates(messages, outcomes)).filter((fate) => !right.includes(fate))
      expect(wrong).toEqual([])
    })

    test('and reports no later message as accepted, unless it was', async () => {
      await carrier.stop()
      const messages = write('delivers', 2)
      const after = await fates(messages, await submit(carrier, messages))
      expect(['taken, accepted', NOT_HANDED_OVER]).toContain(after[0])
      expect(after[1]).toBe(after[0])
    })
  })

  /** What the network has of each message, and what the carrier reports about it. */
  async function fates(messages: readonly { recipient: string }[], outcomes: SubmitOutcome[]): Promise<string[]> {
    return Promise.all(
      messages.map(async (message, n) => {
        const outcome = outcomes[n]!
        const where = (await isTaken(message)) ? 'taken' : 'not taken'
        return isNotHandedOver(outcome) ? `${where}, not submitted` : `${where}, ${outcome.kind}`
      }),
    )
  }
}
