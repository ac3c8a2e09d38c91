import type { Db } from '../../src/db/connect.ts'
import type { MatchDeps } from '../../src/messaging/reports/settle-on-arrival.ts'
import type { Changed } from '../../src/messaging/settle/store.ts'
import { makeMeters } from '../../src/observe/meters.ts'

/** The notifications sent while settling, in order. */
export type Seen = {
  wakes: { queue: string; delay_ms?: number | undefined }[]
  /** Sent inside the transaction, and after the commit. */
  changed: { organisation_id: string; changed: readonly Changed[] }[]
  settled: { organisation_id: string; changed: readonly Changed[] }[]
  facts: { recipient: string; status: string; operator?: string | null | undefined }[][]
  learned: { carrier_message_id: string; kept_id: string }[]
}

/** Settles in the test's process, and records its notifications. */
export function makeSettler(db: Db, more: Partial<MatchDeps> = {}) {
  const seen: Seen = { wakes: [], changed: [], settled: [], facts: [], learned: [] }
  const meters = makeMeters()
  const deps: MatchDeps = {
    db,
    wakeups: {
      wake: (queue, delay_ms) => void seen.wakes.push({ queue, delay_ms }),
      onWake: () => () => {},
      close: async () => {},
    },
    meters,
    onChanged: async (_, organisation_id, changed) => void seen.changed.push({ organisation_id, changed }),
    onSettled: (organisation_id, changed) => void seen.settled.push({ organisation_id, changed }),
    noteFacts: async (news) =>
      void seen.facts.push(news.map(({ recipient, status, operator }) => ({ recipient, status, operator }))),
    learnIds: async (matched) =>
      void seen.learned.push(
        ...matched.map(({ report, found }) => ({
          carrier_message_id: report.carrier_message_id,
          kept_id: found.kept_id,
        })),
      ),
    ...more,
  }
  /** Deliveries counted so far, by status. */
  const counted = async (): Promise<Record<string, number>> =>
    Object.fromEntries((await meters.deliveries.get()).values.map(({ labels, value }) => [labels.status, value]))
  return { deps, seen, counted }
}
