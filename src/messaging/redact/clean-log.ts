import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { finish, type Job } from '../../queue/store.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { firstIdAt, madeAt } from '../../values/id.ts'
import type { Log } from '../../values/log.ts'
import { REDACT_QUEUE } from './redact.ts'
import { lockCalls, writeCalls } from './store.ts'

/** Time range of one transaction. */
const RANGE_MS = 3_600_000
const DAY_MS = 86_400_000
/** Ids of rows may be slightly older than their contents: another process made them. */
const MARGIN_MS = 60_000

/** Deletes bodies and answers of logged calls that contain a redacted message. Idempotent. */
export function startRedactions(deps: { db: Db; log: Log; wakeups: Wakeups; requests_days: number }): Worker {
  return startWorker(deps, {
    queue: REDACT_QUEUE,
    limit: 1,
    batch: 1,
    work: async (jobs) => {
      for (const job of jobs) await clean(deps, job)
    },
  })
}

async function clean({ db, requests_days }: { db: Db; requests_days: number }, job: Job): Promise<void> {
  const { organisation_id, subject_id } = job
  const names = [subject_id, subject_id.replaceAll('-', '')]
  const now = Date.now()
  const oldest = Math.max(madeAt(subject_id) - MARGIN_MS, now - (requests_days + 1) * DAY_MS)
  for (let at = oldest; at < now + MARGIN_MS; at += RANGE_MS) {
    const range = { from: firstIdAt(at), before: firstIdAt(at + RANGE_MS) }
    await transaction(db, async (tx) => {
      for (const { id, contents } of await lockCalls(tx, organisation_id, range, names)) {
        const left = contents.map((call) => {
          const text = JSON.stringify(call)
          if (!names.some((name) => text.includes(name))) return call
          return { request_id: call.request_id, body: null, answer: null, left_out: true }
        })
        await writeCalls(tx, organisation_id, { id, contents: left })
      }
    })
  }
  await finish(db, [job])
}
