import { describe, expect, test } from 'vitest'
import type { NewEvent } from '../enqueue-store.ts'
import { startReserved, reserveCallbacks, type CallbackSender } from './reserved.ts'

const event = (id: string, more: Partial<NewEvent> = {}): NewEvent => ({
  organisation_id: 'organisation',
  id,
  type: 'text.delivered',
  url: `http://receiver/${id}`,
  lane: `lane of ${id}`,
  subject_id: `message of ${id}`,
  body: `body of ${id}`,
  leased: false,
  ...more,
})

function makeHands(free: (lane: string) => boolean = () => true) {
  const reserved: string[] = []
  const taken: Parameters<CallbackSender['startReserved']>[] = []
  const hands: CallbackSender = {
    reserve: ({ lane }) => {
      reserved.push(lane)
      return free(lane)
    },
    startReserved: (...given) => void taken.push(given),
  }
  return { hands, reserved, taken }
}

describe('reserveCallbacks', () => {
  test('marks what has a place, and asks for none where there is no lane', () => {
    const { hands, reserved } = makeHands((lane) => lane !== 'lane of b')
    const events = [event('a'), event('b'), event('c', { url: null, lane: null })]
    reserveCallbacks(hands, events)
    expect(events.map(({ leased }) => leased)).toEqual([true, false, false])
    expect(reserved).toEqual(['lane of a', 'lane of b'])
  })

  test('reserves nothing in a process without workers', () => {
    const events = [event('a')]
    reserveCallbacks(undefined, events)
    expect(events[0]?.leased).toBe(false)
  })
})

describe('startReserved', () => {
  test('submits the callback as if it had been claimed and read', () => {
    const { hands, taken } = makeHands()
    startReserved(hands, [event('a', { leased: true })], new Map([['a', 7n]]))
    expect(taken).toEqual([
      [
        { organisation_id: 'organisation', lane: 'lane of a' },
        7n,
        {
          id: 'a',
          type: 'text.delivered',
          subject_id: 'message of a',
          url: 'http://receiver/a',
          body: 'body of a',
          attempts: 0,
          age_s: 0,
          event_id: 'a',
          webhook_id: null,
          secrets: null,
          format: null,
          muted: false,
        },
      ],
    ])
  })

  test('gives up the place of what was not stored, and speaks of nothing else', () => {
    const { hands, taken } = makeHands()
    const events = [event('a', { leased: true }), event('b'), event('c', { leased: true, lane: null })]
    startReserved(hands, events, new Map([['b', 8n]]))
    expect(taken.map(([{ lane }, burst_id]) => [lane, burst_id])).toEqual([['lane of a', undefined]])
  })

  test('is ignored in a process without workers', () => {
    expect(() => startReserved(undefined, [event('a', { leased: true })], new Map())).not.toThrow()
  })
})
