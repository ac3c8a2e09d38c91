import type { Db } from '../../db/connect.ts'

const SWEEP = 'overdue reports'

export type Overdue = {
  organisation_id: string
  message_id: string
  recipient: string
  status: string
  report_due: string
}

/** The next submissions whose report is due, behind where the last sweep ended; `until` is where this one ends. */
export async function findOverdue(db: Db, limit: number): Promise<{ rows: Overdue[]; until: string }> {
  const rows = await db<Overdue[]>`
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
  return { rows, until: rows.at(-1)?.report_due ?? '-infinity' }
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
