import { isAway } from '../db/cluster/nodes.ts'
import type { Db } from '../db/connect.ts'
import type { Log } from '../values/log.ts'
import { claimOwn } from './cluster-store.ts'
import type { Claim, Claimed, Job } from './store.ts'
import type { Wakeups } from './wakeups.ts'

/** Organisations asked at once. */
const ASKED_AT_ONCE = 8

/**
 * Claims on a cluster: each organisation is asked by itself, where it lies, in turn. Who has something due is known from
 * the wake-ups, which name the organisation.
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

  async function ask(organisation_id: string, wanted: Claim, limit: number): Promise<Job[]> {
    // What is put in line meanwhile is told again.
    due.delete(organisation_id)
    try {
      if (await isAway(db, organisation_id)) return [] // the look tells when it is back
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
      const passed = new Set(wanted.except_organisations)
      const turn = [...due]
        .filter((id) => !passed.has(id))
        .sort((a, b) => order(a, last) - order(b, last) || (a < b ? -1 : 1))
      const share = Math.max(1, Math.ceil(wanted.limit / Math.max(1, turn.length)))
      const jobs: Job[] = []
      for (let n = 0; n < turn.length && jobs.length < wanted.limit; n += ASKED_AT_ONCE) {
        const left = wanted.limit - jobs.length
        const asked = turn.slice(n, n + Math.min(ASKED_AT_ONCE, left))
        const limit = Math.min(share, Math.max(1, Math.floor(left / asked.length)))
        const found = await Promise.all(asked.map((id) => ask(id, wanted, limit)))
        jobs.push(...found.flat())
        last = asked.at(-1) ?? last
      }
      return { jobs, ended_at: undefined }
    },
  }
}

/** Those behind the one served last come first. */
function order(id: string, last: string): number {
  return id > last ? 0 : 1
}
