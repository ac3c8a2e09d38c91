import type { Db } from '../../db/connect.ts'
import { openBucket, returnTokens, takeTokens } from '../../queue/rate-store.ts'
import type { Log } from '../../values/log.ts'
import type { OutgoingMessage } from '../message-carrier.ts'
import type { Rest } from '../rest.ts'
import type { WhatsappSettings } from './schema.ts'
import { takeTurns } from './store.ts'

/** How many seconds each message has to wait before it may be sent; 0: now. */
export type Turns = (messages: readonly OutgoingMessage[]) => Promise<number[]>

/** One person gets no more than one message in this time from one number. */
const PAIR_S = 6
const AFTER_FAULT_S = 1
const WHILE_PAUSED_S = 1

/** Keeps to the number's rate and to each person's, over all processes. Never fails: a message it cannot ask for waits. */
export function makeTurns(
  { db, log }: { db: Db; log: Log },
  { name, rate_per_s }: WhatsappSettings,
  rest: Rest,
): Turns {
  const bucket = `carrier:${name}`
  let opened = false

  async function grant(messages: readonly OutgoingMessage[]): Promise<number[]> {
    if (!opened) await openBucket(db, bucket, rate_per_s)
    opened = true
    if (await rest.isPaused()) return messages.map(() => WHILE_PAUSED_S)
    const places = placesInLine(messages)
    const first = places.filter((place) => place === 0).length
    const tokens = await takeTokens(db, bucket, rate_per_s, first)
    const asked = messages.filter((_, n) => places[n] === 0).slice(0, tokens)
    const waits = await takeTurns(
      db,
      name,
      asked.map(({ recipient }) => recipient),
      PAIR_S,
    )
    const unused = tokens - [...waits.values()].filter((wait_s) => wait_s === 0).length
    if (unused > 0) await returnTokens(db, bucket, unused)
    return messages.map(({ recipient }, n) => {
      const place = places[n] ?? 0
      const wait_s = waits.get(recipient)
      if (place > 0) return place * PAIR_S + (wait_s ?? 0)
      return wait_s ?? Math.max(0.1, first / rate_per_s)
    })
  }

  return async (messages) => {
    try {
      return await grant(messages)
    } catch (fault) {
      log.warn({ carrier: name, err: fault }, 'WhatsApp messages wait: their turn could not be asked for')
      return messages.map(() => AFTER_FAULT_S)
    }
  }
}

/** Of several messages to one person, the first may go and the others wait behind it. */
function placesInLine(messages: readonly OutgoingMessage[]): number[] {
  const seen = new Map<string, number>()
  return messages.map(({ recipient }) => {
    const place = seen.get(recipient) ?? 0
    seen.set(recipient, place + 1)
    return place
  })
}
