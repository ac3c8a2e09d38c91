import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { MessageCarrier, OutgoingMessage, SubmitOutcome } from '../../src/carriers/message-carrier.ts'
import { isNotHandedOver, leftOpen, messageTo, openBench, ready, submit, type Bench } from './message-bench.ts'
import { does, type Mood, type Network, type TakenText } from './message-network.ts'

const LONG = `${'It is a long way to Ibadan. '.repeat(14)}The end.`
const TOKEN = '493817'

export function promisesOfHandingOver(name: string, network: Network): void {
  let bench: Bench
  let carrier: MessageCarrier

  beforeAll(async () => {
    bench = await openBench(network)
    carrier = bench.start()
  })
  beforeEach(() => ready(carrier))
  afterAll(async () => {
    await carrier.stop()
    await bench.close()
  })

  const write = (mood: Mood, more: Partial<OutgoingMessage> = {}) => messageTo(network, bench.peer.number(mood), more)
  const taken = ({ recipient }: OutgoingMessage): Promise<TakenText[]> => bench.peer.taken(bench.db, recipient)

  async function hand(message: OutgoingMessage): Promise<SubmitOutcome> {
    const [outcome, ...more] = await submit(carrier, [message])
    if (!outcome || more.length > 0) throw new Error('a message has one outcome')
    return outcome
  }

  describe(`${name} takes`, () => {
    test('a message, once, as it was written', async () => {
      const one = write('delivers')
      const outcome = await hand(one)
      expect(outcome).toMatchObject({ kind: 'accepted', carrier_message_id: expect.stringMatching(/./) })
      expect(outcome.kind === 'accepted' && outcome.report_due_s).toBeGreaterThan(0)
      expect(await taken(one)).toMatchObject([{ text: 'Hello' }])
    })

    test('a long text, with an id for each part it has', async () => {
      const one = write('delivers', { text: LONG })
      const outcome = await hand(one)
      if (outcome.kind !== 'accepted') throw new Error(`it is ${outcome.kind}`)
      const parts = await taken(one)
      expect(parts.map(({ text }) => text).join('')).toBe(LONG)
      const ids = [outcome.carrier_message_id, ...(outcome.further_ids ?? [])]
      expect(new Set(ids).size).toBe(parts.length)
    })

    test('up to its limit concurrently, each under its own id', async () => {
      const batch = Array.from({ length: carrier.batch }, () => write('delivers'))
      const outcomes = await submit(carrier, batch)
      expect(outcomes.map(({ kind }) => kind)).toEqual(batch.map(() => 'accepted'))
      const ids = outcomes.map((outcome) => outcome.kind === 'accepted' && outcome.carrier_message_id)
      expect(new Set(ids).size).toBe(batch.length)
      expect(await Promise.all(batch.map(async (one) => (await taken(one)).length))).toEqual(batch.map(() => 1))
    })

    test('and refuses each for itself, and says so in their order', async () => {
      const moods: Mood[] = ['delivers', 'refuses', 'delivers', 'delivers', 'puts_off', 'delivers']
      const outcomes = await submit(
        carrier,
        moods.map((mood, n) => write(mood, network.one_answer ? { text: `Hello ${n}` } : {})),
      )
      expect(outcomes.map(({ kind }) => kind)).toEqual([
        'accepted',
        'rejected',
        'accepted',
        'accepted',
        'temporary',
        'accepted',
      ])
    })
  })

  describe(`${name} refuses`, () => {
    test('for good: rejected, and why', async () => {
      const one = write('refuses')
      const outcome = await hand(one)
      expect(outcome).toEqual({
        kind: 'rejected',
        code: expect.stringMatching(/./),
        description: expect.stringMatching(/./),
      })
      expect(await taken(one)).toEqual([])
    })

    test.runIf(does(network, 'refuses_here'))('here: another carrier may try', async () => {
      const one = write('refuses_here')
      expect(await hand(one)).toMatchObject({ kind: 'rejected', code: expect.stringMatching(/./), elsewhere: true })
      expect(await taken(one)).toEqual([])
    })

    test('for now: temporary, and taken later, once', async () => {
      const one = write('puts_off')
      const before = (await taken(one)).length
      const outcomes: SubmitOutcome[] = []
      for (const attempt of [1, 2, 3]) {
        outcomes.push(await hand({ ...one, attempt }))
        await network.letTimePass?.(bench.db)
      }
      const refused = { kind: 'temporary', code: expect.stringMatching(/./), description: expect.stringMatching(/./) }
      expect(outcomes).toMatchObject([refused, refused, { kind: 'accepted' }])
      expect(await taken(one)).toHaveLength(before + 1)
    })
  })

  const unclear = (['hangs', 'drops', 'babbles'] as const).filter((mood) => does(network, mood))
  describe.runIf(unclear.length > 0)(`${name} leaves it open when the network`, () => {
    test.each(unclear)('takes a message and %s', async (mood) => {
      const one = write(mood)
      expect(leftOpen(network)).toContain((await hand(one)).kind)
      expect(await taken(one)).toHaveLength(1)
    })

    test.each(unclear)('takes a one-time password and %s: unknown, so that it can be sent again', async (mood) => {
      const one = write(mood, { text: `Your code is ${TOKEN}.`, token: TOKEN, urgent: true })
      expect(await hand(one)).toMatchObject({ kind: 'unknown', description: expect.stringMatching(/./) })
      expect(await taken(one)).toHaveLength(1)
    })

    test('breaks off in the middle of a long text', async () => {
      const one = write('drops', { text: LONG })
      expect(leftOpen(network)).toContain((await hand(one)).kind)
    })
  })

  describe.runIf(does(network, 'is_away'))(`${name}, while the network is unreachable,`, () => {
    test('submits nothing and reports so, and continues once the network is reachable', async () => {
      const absent = await network.start()
      await absent.close()
      const lonely = bench.start({ ...absent.settings, name: 'lonely' })
      onTestFinished(() => lonely.stop())
      const messages = Array.from({ length: 3 }, () => write('delivers'))
      const outcomes = await submit(lonely, messages)
      expect(outcomes).toHaveLength(messages.length)
      expect(outcomes.filter((outcome) => !isNotHandedOver(outcome))).toEqual([])
      expect(lonely.freeCapacity?.() ?? 0).toBe(0)
      expect(lonely.downFor?.() ?? 1).toBeGreaterThan(0)

      const present = await network.start(absent.port)
      onTestFinished(() => present.close())
      await ready(lonely)
      const again = messageTo(network, present.number('delivers'))
      expect(await submit(lonely, [again])).toMatchObject([{ kind: 'accepted' }])
      expect(await present.taken(bench.db, again.recipient)).toHaveLength(1)
      expect(lonely.downFor?.() ?? 0).toBe(0)
    })
  })

  describe(`${name} knows of a message`, () => {
    test(`that it ${network.resubmittable ? 'may' : 'must not'} come twice`, () => {
      expect(carrier.resubmittable).toBe(network.resubmittable)
    })

    test.runIf(network.resubmittable)('that came twice, that it is the same', async () => {
      const one = write('delivers')
      const [first, second] = [await hand(one), await hand({ ...one, attempt: 2 })]
      expect(first.kind).toBe('accepted')
      expect(second).toEqual(first)
      expect(await taken(one)).toHaveLength(1)
    })

    test('its priority', async () => {
      const one = write('delivers', { token: TOKEN, text: `Your code is ${TOKEN}.`, urgent: true })
      expect(await hand(one)).toMatchObject({ kind: 'accepted' })
      const [seen] = await taken(one)
      expect(seen?.text).toContain(TOKEN)
      expect(seen?.urgent).toBe(network.told_urgency ? true : undefined)
    })

    test('its expiry', async () => {
      const one = write('delivers', { expires_in_s: 600 })
      const outcome = await hand(one)
      expect(outcome.kind === 'accepted' && outcome.report_due_s).toBeGreaterThan(0)
      const [{ expires_in_s } = {}] = await taken(one)
      const about = expires_in_s === undefined ? 'not sent' : `${Math.round(expires_in_s / 60)} minutes`
      expect(about).toBe(network.sends_expiry ? '10 minutes' : 'not sent')
    })

    test('what must not be in a log', async () => {
      for (const mood of ['delivers', 'refuses', 'puts_off', ...unclear] as const) {
        await ready(carrier)
        await hand(write(mood, { token: TOKEN, text: `Your code is ${TOKEN}.`, urgent: true }))
      }
      expect(bench.logged()).not.toContain(TOKEN)
    })
  })
}
