import type { LaneOf } from '../../queue/lane-capacity.ts'
import type { PendingCallback } from './deliver-store.ts'
import type { NewEvent } from '../enqueue-store.ts'

/** Posts callbacks in this process, and accepts them without a claim. */
export type CallbackSender = {
  /** Reserves capacity for a callback of the lane; false if there is none, or if callbacks of the lane are queued. */
  reserve(lane: LaneOf): boolean
  /** Posts the callback the capacity was reserved for, stored with this burst; undefined: releases the capacity. */
  startReserved(lane: LaneOf, burst_id: bigint | undefined, callback: PendingCallback): void
}

/**
 * Reserves capacity for callbacks before they are stored. Nearly every callback is posted by the process that stores it: it
 * is stored as leased (`leased`) and posted after the commit, without a claim or another read. All callbacks stored together
 * for one endpoint share one job with a lease, their burst. If the process dies, the lease expires and the rest of the burst
 * is queued (`bursts.ts`). Every reservation must be ended by `startReserved`.
 */
export function reserveCallbacks(sender: CallbackSender | undefined, events: readonly NewEvent[]): void {
  if (!sender) return
  for (const event of events) {
    const { organisation_id, lane } = event
    event.leased = lane !== null && sender.reserve({ organisation_id, lane })
  }
}

/** Posts the callbacks that were stored, by their bursts, and releases the capacity of those that were not. */
export function startReserved(
  sender: CallbackSender | undefined,
  events: readonly NewEvent[],
  burst_ids: ReadonlyMap<string, bigint>,
): void {
  for (const { organisation_id, id, lane, type, url, body, subject_id, leased } of events) {
    if (!leased || lane === null) continue
    sender?.startReserved({ organisation_id, lane }, burst_ids.get(id), {
      id,
      type,
      url: url ?? '',
      body,
      attempts: 0,
      age_s: 0,
      event_id: id,
      subject_id,
      webhook_id: null,
      secrets: null,
      format: null,
      muted: false,
    })
  }
}
