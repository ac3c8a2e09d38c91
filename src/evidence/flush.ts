import type { Channel } from '../carriers/message-carrier.ts'
import type { Db } from '../db/connect.ts'
import { noteVerifiedBy } from '../messaging/count-evidence.ts'
import type { VerifiedOtp } from '../messaging/feedback/feedback.ts'
import type { AwaitedOtp, Verified } from '../observe/evidence.ts'
import { startFlush } from '../observe/flush.ts'
import type { Meters } from '../observe/meters.ts'
import { madeAt } from '../values/id.ts'
import type { Log } from '../values/log.ts'
import { addEvidence, findVerified } from './store.ts'

export type EvidenceDeps = {
  db: Db
  log: Log
  meters: Pick<Meters, 'evidence' | 'carrier_messages' | 'report_times'>
  /** The channel that a route sends on; undefined: the channel of the message. */
  channelOf: (route: string) => Channel | undefined
  /** Called with the verified one-time passwords whose carrier was found. */
  onVerified?: (verified: readonly VerifiedOtp[]) => Promise<void>
  /** Called with one-time passwords on which feedback is wanted when they have ended. */
  onAwaited?: (otps: readonly AwaitedOtp[]) => Promise<void>
}

/** A verification may arrive before the message is recorded as sent, but not much before. */
const RECORDED_WITHIN_MS = 30_000

/** Writes what was counted, every second and when stopped. A killed process loses what it has not written. */
export function startEvidence(deps: EvidenceDeps): { stop(): Promise<void> } {
  const { db, log, meters, channelOf, onVerified, onAwaited } = deps
  const { evidence } = meters
  let is_last = false

  /** Which carriers sent the messages of verified one-time passwords: looked up here, so that no request waits for it. */
  async function creditVerified(): Promise<void> {
    const verified = evidence.drainVerified()
    if (verified.length === 0) return
    const isRecent = ({ message_id }: Verified) => Date.now() - madeAt(message_id) < RECORDED_WITHIN_MS
    try {
      const found = (await findVerified(db, verified)).filter((one) => is_last || !one.may_be_claimed)
      const known = new Set(found.map(({ message_id }) => message_id))
      for (const one of found) {
        if (one.carrier !== null) {
          noteVerifiedBy(meters, { ...one, carrier: one.carrier, channel: channelOf(one.route) ?? one.channel })
        }
      }
      await passOn(verified, found)
      const missing = verified.filter((one) => !known.has(one.message_id) && isRecent(one))
      if (!is_last) for (const one of missing) evidence.noteVerified(one)
    } catch (err) {
      log.warn({ err }, 'the carriers of verified one-time passwords could not be read; they are read again')
      if (!is_last) for (const one of verified.filter(isRecent)) evidence.noteVerified(one)
    }
  }

  async function passOn(
    verified: readonly Verified[],
    found: readonly { message_id: string; carrier: string | null }[],
  ): Promise<void> {
    const carriers = new Map(found.map(({ message_id, carrier }) => [message_id, carrier]))
    const carried = verified.flatMap((one) => {
      const carrier = carriers.get(one.message_id)
      return carrier ? [{ ...one, carrier }] : []
    })
    await onVerified?.(carried).catch(warnOfFeedback)
  }

  function warnOfFeedback(err: unknown): void {
    log.warn({ err }, 'feedback on one-time passwords could not be queued')
  }

  async function write(): Promise<void> {
    await creditVerified()
    const awaited = evidence.drainAwaited()
    if (awaited.length > 0) await onAwaited?.(awaited).catch(warnOfFeedback)
    const counted = evidence.drain(is_last)
    if (counted.length === 0) return
    try {
      await addEvidence(db, counted)
    } catch (err) {
      log.warn({ err }, 'evidence could not be written; it is retried')
      evidence.restore(counted)
    }
  }

  const flush = startFlush(write)
  return {
    async stop() {
      is_last = true
      await flush.stop()
    },
  }
}
