import type { Db } from '../../db/connect.ts'
import { startPeriodicJob } from '../../values/concurrency/periodic-job.ts'
import type { HttpAnswer } from '../../values/http/client.ts'
import type { Log } from '../../values/log.ts'
import type { CarrierReport, TakeReports } from '../message-carrier.ts'
import { scopeOf } from './answer.ts'
import type { Calls } from './calls.ts'
import { reportOf } from './report.ts'
import { advanceSweep, findUnreported, type Unreported } from './store.ts'
import type { Vendor } from './vendor.ts'

type QueryDeps = { db: Db; log: Log; calls: Calls; takeReports: TakeReports }

const POLL_INTERVAL_MS = 2_000
const BATCH = 200
const CONCURRENT_QUERIES = 4

/**
 * Queries the vendor for messages that it should have reported on by now, at the ages that the preset lists; an answer
 * counts as a report. A process claims a sweep before it queries, so that only one does; messages that a crashed process
 * left out are queried at the next listed age.
 */
export function startQueries(deps: QueryDeps, vendor: Vendor): { stop(): Promise<void> } {
  const { query, name } = vendor
  if (!query) return { stop: async () => {} }
  let stopping = false

  async function sweepAll(): Promise<void> {
    for (const after_s of query?.after_s ?? []) {
      const due_s = vendor.limits.report_due_s
      // The position of a sweep is a due time, so it is meaningless once reports are due after another time.
      const sweep = `query ${name} ${due_s} ${after_s}`
      const wanted = { sweep, carrier: name, due_s, after_s, limit: BATCH }
      const { rows, since, until } = await findUnreported(deps.db, wanted)
      if (stopping || !(await advanceSweep(deps.db, sweep, since, until))) continue
      for (let n = 0; n < rows.length && !stopping; n += CONCURRENT_QUERIES) {
        await Promise.all(rows.slice(n, n + CONCURRENT_QUERIES).map((row) => queryOne(deps, vendor, row)))
      }
    }
  }

  const job = startPeriodicJob(POLL_INTERVAL_MS, sweepAll, (fault) =>
    deps.log.warn({ carrier: name, err: fault }, 'querying a carrier for reports failed'),
  )
  return {
    stop() {
      stopping = true
      return job.stop()
    },
  }
}

async function queryOne({ calls, takeReports }: QueryDeps, vendor: Vendor, row: Unreported): Promise<void> {
  if (!vendor.query) return
  const answer = await calls.call(vendor.query.write(row.carrier_message_id, row.recipient))
  const report = readQuery(vendor, row, answer)
  if (report) await takeReports([report])
}

/** Undefined if the answer names no final state. */
export function readQuery(
  { name, query }: Pick<Vendor, 'name' | 'query'>,
  { carrier_message_id, recipient }: Pick<Unreported, 'carrier_message_id' | 'recipient'>,
  answer: HttpAnswer,
): CarrierReport | undefined {
  if (!query || answer.kind !== 'answered' || answer.status !== 200) return undefined
  const entry = query.read(scopeOf(answer)).find(({ state }) => state !== 'ignored')
  return entry && reportOf(name, entry, carrier_message_id, recipient)
}
