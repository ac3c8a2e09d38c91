import type { Db } from '../../db/connect.ts'
import type { Log } from '../../values/log.ts'
import type { CarrierReport, TakeReports } from '../message-carrier.ts'
import { scopeOf } from './answer.ts'
import type { Called, Calls } from './calls.ts'
import { reportOf } from './report.ts'
import { claimLook, findUnreported, type Unreported } from './store.ts'
import type { Vendor } from './vendor.ts'

type QueryDeps = { db: Db; log: Log; calls: Calls; takeReports: TakeReports }

const LOOK_EVERY_MS = 2_000
const BATCH = 200
const AT_ONCE = 4

/**
 * Asks the vendor about messages that it should have reported on by now, as often as the preset says: what it answers
 * counts as a report. A look is claimed before it is done, so that of several processes one asks; what a dying one has
 * not asked, the next look asks.
 */
export function startQueries(deps: QueryDeps, vendor: Vendor): { stop(): Promise<void> } {
  const { query, name } = vendor
  if (!query) return { stop: async () => {} }
  let stopped = false
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    for (const after_s of query?.after_s ?? []) {
      const due_s = vendor.limits.report_due_s
      // How far a look has come is told by when reports are due, so it means nothing once they are due at another time.
      const sweep = `query ${name} ${due_s} ${after_s}`
      const wanted = { sweep, carrier: name, due_s, after_s, limit: BATCH }
      const { rows, since, until } = await findUnreported(deps.db, wanted)
      if (stopped || !(await claimLook(deps.db, sweep, since, until))) continue
      for (let n = 0; n < rows.length && !stopped; n += AT_ONCE) {
        await Promise.all(rows.slice(n, n + AT_ONCE).map((row) => askAbout(deps, vendor, row)))
      }
    }
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch((fault: unknown) => deps.log.warn({ carrier: name, err: fault }, 'asking a carrier for reports failed'))
      .finally(() => {
        looking = undefined
      })
  }, LOOK_EVERY_MS)

  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      await looking
    },
  }
}

async function askAbout({ calls, takeReports }: QueryDeps, vendor: Vendor, row: Unreported): Promise<void> {
  if (!vendor.query) return
  const answer = await calls.ask(vendor.query.write(row.carrier_message_id, row.recipient))
  const report = readQuery(vendor, row, answer)
  if (report) await takeReports([report])
}

/** Undefined when the answer says nothing about the end. */
export function readQuery(
  { name, query }: Pick<Vendor, 'name' | 'query'>,
  { carrier_message_id, recipient }: Pick<Unreported, 'carrier_message_id' | 'recipient'>,
  answer: Called,
): CarrierReport | undefined {
  if (!query || answer.kind !== 'answered' || answer.status !== 200) return undefined
  const entry = query.read(scopeOf(answer)).find(({ state }) => state !== 'ignored')
  return entry && reportOf(name, entry, carrier_message_id, recipient)
}
