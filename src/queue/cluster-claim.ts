import { isUnreachable } from '../db/layout.ts'
import type { Db } from '../db/connect.ts'
import type { Log } from '../values/log.ts'
import { claimOwn } from './cluster-store.ts'
import type { Claim, Claimed, Job } from './store.ts'
import type { Wakeups } from './wakeups.ts'

/** Organisations whose nodes are queried concurrently. */
const CONCURRENT_CLAIMS = 8

/**
 * Claims on a cluster: one statement per organisation, on its node, in round robin. Organisations with due jobs are known
 * from the wake-ups, which name them.
 */
export function makeClusterClaim(
  { db, wakeups, log }: { db: Db; wakeups: Pick<Wakeups, 'onWake'>; log: Log },
  queue: string,
): { claim(wanted: Claim): Promise<Claimed>; close(): void } {
  const due = new Set<string>()
  let last = ''
  const close = wakeups.onWake(queue, (organisation_id) => {
    if (organisation_id !== '') due.add(organisation_id)
  })

  async function claimOf(organisation_id: string, wanted: Claim, limit: number): Promise<Job[]> {
    // A job that is enqueued meanwhile has a wake-up of its own.
    due.delete(organisation_id)
    try {
      if (await isUnreachable(db, organisation_id)) return [] // the poll finds it once its node is back
      const jobs = await claimOwn(db, organisation_id, { ...wanted, limit })
      if (jobs.length === limit || (wanted.per_lane !== undefined && jobs.length > 0)) due.add(organisation_id)
      return jobs
    } catch (fault) {
      log.warn({ queue, organisation_id, err: fault }, 'claiming jobs of an organisation failed')
      return []
    }
  }

  return {
    close,
    async claim(wanted) {
      const excluded = new Set(wanted.except_organisations)
      const candidates = [...due]
        .filter((id) => !excluded.has(id))
        .sort((a, b) => order(a, last) - order(b, last) || (a < b ? -1 : 1))
      const share = Math.max(1, Math.ceil(wanted.limit / Math.max(1, candidates.length)))
      const jobs: Job[] = []
      for (let n = 0; n < candidates.length && jobs.length < wanted.limit; n += CONCURRENT_CLAIMS) {
        const left = wanted.limit - jobs.length
        const asked = candidates.slice(n, n + Math.min(CONCURRENT_CLAIMS, left))
        const limit = Math.min(share, Math.max(1, Math.floor(left / asked.length)))
        const found = await Promise.all(asked.map((id) => claimOf(id, wanted, limit)))
        jobs.push(...found.flat())
        last = asked.at(-1) ?? last
      }
      return { jobs, ended_at: undefined }
    },
  }
}

/** Organisations after the one served last come first. */
function order(id: string, last: string): number {
  return id > last ? 0 : 1
}
