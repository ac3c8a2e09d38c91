import { byLayout, requireReachable } from '../../db/layout.ts'
import type { Db } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import { groupBy } from '../../values/group.ts'

const SWEEP = 'overdue reports'

export type Overdue = {
  organisation_id: string
  message_id: string
  recipient: string
  status: string
  report_due: string
}

/** The next submissions whose report became due after the position of the sweep; `until` is its next position. */
export async function findOverdue(db: Db, limit: number): Promise<{ rows: Overdue[]; until: string }> {
  return byLayout(db, { single_server: findOverdueOnServer, cluster: findOverdueOnCluster })(db, limit)
}

async function findOverdueOnServer(db: Db, limit: number): Promise<{ rows: Overdue[]; until: string }> {
  const found = await db<Overdue[]>`
    select organisation_id, message_id, recipient, status, report_due
    from (
      select organisation_id, message_id, recipient, report_due
      from submissions
      where report_due > coalesce((select done_until from sweeps where name = ${SWEEP}), '-infinity')
        and report_due <= now()
      order by report_due
      fetch first ${limit} rows with ties
    ) due
    join deliveries using (organisation_id, message_id, recipient)
    order by report_due`
  return { rows: found, until: found.at(-1)?.report_due ?? '-infinity' }
}

async function findOverdueOnCluster(db: Db, limit: number): Promise<{ rows: Overdue[]; until: string }> {
  const due = await db<Omit<Overdue, 'status'>[]>`
    select organisation_id, message_id, recipient, report_due from submissions
    where report_due > coalesce((select done_until from sweeps where name = ${SWEEP}), '-infinity')
      and report_due <= now()
    order by report_due
    fetch first ${limit} rows with ties`
  const groups = [...groupBy(due, ({ organisation_id }) => organisation_id)]
  const read = await Promise.allSettled(groups.map(([id, own]) => readStatuses(db, id, own)))
  const found = read.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
  for (const [n, [organisation_id]] of groups.entries()) {
    if (read[n]?.status === 'rejected') await postponeReports(db, organisation_id)
  }
  return { rows: found, until: due.at(-1)?.report_due ?? '-infinity' }
}

async function readStatuses(db: Db, organisation_id: string, due: readonly Omit<Overdue, 'status'>[]) {
  await requireReachable(db, organisation_id)
  return db<Overdue[]>`
    select organisation_id, message_id, recipient, status, given.report_due
    from deliveries
    join ${rows(db, due, 'given', { message_id: 'uuid', recipient: 'text', report_due: 'timestamptz' })}
      using (message_id, recipient)
    where organisation_id = ${organisation_id}`
}

const POSTPONE_S = 60

/** Postpones the due reports of an organisation whose node is unreachable to a later sweep. */
export async function postponeReports(db: Db, organisation_id: string): Promise<void> {
  await db`
    update submissions set report_due = now() + ${POSTPONE_S} * interval '1 s'
    where organisation_id = ${organisation_id} and report_due <= now()
      and report_due > coalesce((select done_until from sweeps where name = ${SWEEP}), '-infinity')`
}

export async function moveSweep(db: Db, until: string): Promise<void> {
  if (until === '-infinity') return
  await db`
    insert into sweeps (name, done_until) values (${SWEEP}, ${until}::timestamptz)
    on conflict (name) do update set done_until = greatest(sweeps.done_until, excluded.done_until)`
}

export async function deleteOldSubmissions(db: Db, kept_h: number): Promise<number> {
  const gone = await db`delete from submissions where report_due < now() - ${kept_h} * interval '1 hour'`
  return gone.count
}
