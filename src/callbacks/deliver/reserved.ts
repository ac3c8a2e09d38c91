import type { LaneOf } from '../../queue/lane-capacity.ts'
import type { PendingCallback } from './deliver-store.ts'
import type { NewEvent } from '../enqueue-store.ts'

/** Who posts callbacks in this process, and may be given one without a claim. */
export type CallbackSender = {
  /** Keeps a place for a callback of the lane, if there is one and nothing of the lane waits in line. */
  reserve(place: LaneOf): boolean
  /** What the place was kept for, and the burst it was stored with; without one the place is given up. */
  startReserved(place: LaneOf, burst_id: bigint | undefined, callback: PendingCallback): void
}

/**
 * Nearly every callback is posted by the process that stores it, a moment later. Such a one is stored as in hand, and
 * handed over after the commit: no claim, and nothing to read again. All that are stored together for one endpoint have
 * one job with a lease, their burst. Should the process die in between, the lease ends and what is left of the burst is
 * put in line (`bursts.ts`). Who keeps places must hand over or give up each of them.
 */
export function reserveCallbacks(
  sender: CallbackSender | undefined,
  organisation_id: string,
  events: readonly NewEvent[],
): void {
  if (!sender) return
  for (const event of events) {
    event.in_hand = event.lane !== null && sender.reserve({ organisation_id, lane: event.lane })
  }
}

/** Hands over what was stored, by the bursts it was stored with; places of what was not are given up. */
export function startReserved(
  sender: CallbackSender | undefined,
  organisation_id: string,
  events: readonly NewEvent[],
  burst_ids: ReadonlyMap<string, bigint>,
): void {
  for (const { id, lane, type, url, body, subject_id, in_hand } of events) {
    if (!in_hand || lane === null) continue
    const fresh = { attempts: 0, age_s: 0, event_id: id, webhook_id: null, secrets: null, format: null, muted: false }
    sender?.startReserved({ organisation_id, lane }, burst_ids.get(id), {
      id,
      type,
      url: url ?? '',
      body,
      subject_id,
      ...fresh,
    })
  }
}
