import type { Tx } from '../db/connect.ts'

/**
 * Holds the jobs of organisations: they are neither due nor free, until `releaseHeldJobs`. A lease without end keeps
 * everything else from changing a job. The shift, of a thousand years, keeps claims from reading past held jobs; one whose
 * worker died keeps its time, so that it comes back as interrupted. With `spares_leased` the jobs that workers have are
 * left to them.
 */
export async function holdJobs(
  tx: Tx,
  organisation_ids: readonly string[],
  { spares_leased }: { spares_leased: boolean },
): Promise<void> {
  await tx`
    update jobs
    set run_at = case when leased then run_at else run_at + interval '8760000 hours' end, leased = true,
      leased_until = 'infinity'
    where organisation_id = any (${organisation_ids}::uuid[]) and (leased and leased_until = 'infinity') is not true
      and (not ${spares_leased} or not leased or leased_until is null or leased_until <= now())`
}

export async function releaseHeldJobs(tx: Tx, organisation_ids: readonly string[]): Promise<void> {
  await tx`
    update jobs
    set run_at = case when run_at > '2900-01-01' then run_at - interval '8760000 hours' else run_at end,
      leased = run_at < '2900-01-01', leased_until = null
    where organisation_id = any (${organisation_ids}::uuid[]) and leased and leased_until = 'infinity'`
}

/** How many jobs are not held, without those of some queues. */
export async function countUnheldJobs(
  tx: Tx,
  organisation_ids: readonly string[],
  without: readonly string[],
): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from jobs
    where organisation_id = any (${organisation_ids}::uuid[]) and queue <> all (${without}::text[])
      and (leased and leased_until = 'infinity') is not true`
  return row?.count ?? 0
}
