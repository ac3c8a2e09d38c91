import type { Db } from '../../db/connect.ts'
import type { Log } from '../../values/log.ts'
import type { OutgoingMessage } from '../message-carrier.ts'
import type { RateLimit } from '../rate-limit.ts'
import type { WhatsappSettings } from './schema.ts'
import { claimRecipients, type Claim } from './store.ts'
import { isTemplate } from './wire.ts'

/** Returns how many seconds each message has to wait before it may be sent; 0: now. */
export type Pace = (messages: readonly OutgoingMessage[]) => Promise<number[]>

/** Minimum time between two messages from one number to the same recipient: Meta's pair rate limit. */
const PAIR_S = 6
const AFTER_FAULT_S = 1
const WHILE_PAUSED_S = 1
const LIMIT_LOGGED_EVERY_MS = 60_000

/**
 * Applies the number's rate limit, the pair rate limit and the messaging limit of the account, over all processes. Never
 * rejects: on failure messages wait.
 */
export function makePace(
  { db, log, rate_limit }: { db: Db; log: Log; rate_limit: RateLimit },
  { name, account, rate_per_s, otp_template }: WhatsappSettings,
): Pace {
  let limit_logged_ms = -Infinity

  return async (messages) => {
    if (await rate_limit.isPaused()) return messages.map(() => WHILE_PAUSED_S)
    const positions = positionsByRecipient(messages)
    const first = messages.filter((_, n) => positions[n] === 0)
    const tokens = await rate_limit.take(first.length)
    const claimed = tokens === undefined ? undefined : await claim(first.slice(0, tokens))
    if (!claimed) {
      if (tokens !== undefined) await rate_limit.release(tokens)
      return messages.map(() => AFTER_FAULT_S)
    }
    const claims = [...claimed.values()]
    if (claims.some(({ is_limited }) => is_limited)) noteLimited()
    await rate_limit.release((tokens ?? 0) - claims.filter(({ wait_s }) => wait_s === 0).length)
    return messages.map(({ recipient }, n) => {
      const position = positions[n] ?? 0
      const wait_s = claimed.get(recipient)?.wait_s
      if (position > 0) return position * PAIR_S + (wait_s ?? 0)
      return wait_s ?? Math.max(0.1, first.length / rate_per_s)
    })
  }

  async function claim(messages: readonly OutgoingMessage[]): Promise<Map<string, Claim> | undefined> {
    try {
      const wanted = messages.map((message) => ({
        recipient: message.recipient,
        is_template: isTemplate(message, otp_template),
        urgent: message.urgent,
      }))
      return await claimRecipients(db, { name, account }, wanted, PAIR_S)
    } catch (fault) {
      log.warn({ carrier: name, err: fault }, 'WhatsApp messages wait: the pair rate limit could not be read')
      return undefined
    }
  }

  function noteLimited(): void {
    if (Date.now() - limit_logged_ms < LIMIT_LOGGED_EVERY_MS) return
    limit_logged_ms = Date.now()
    log.warn({ carrier: name, account }, 'WhatsApp templates wait: the messaging limit of the account is reached')
  }
}

/** Of several messages to one recipient, the first may go and the others follow it. */
function positionsByRecipient(messages: readonly OutgoingMessage[]): number[] {
  const seen = new Map<string, number>()
  return messages.map(({ recipient }) => {
    const position = seen.get(recipient) ?? 0
    seen.set(recipient, position + 1)
    return position
  })
}
