import { byLayout } from '../../db/layout.ts'
import type { Db } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import { groupBy } from '../../values/group.ts'
import { moneyToText } from '../../values/money.ts'

export type StoredBalance = { carrier: string; balance: string; currency: string | null; read_datetime: string }

export async function saveBalance(
  db: Db,
  carrier: string,
  amount: bigint,
  currency: string | undefined,
): Promise<void> {
  await db`
    insert into carrier_balances (carrier, balance, currency)
    values (${carrier}, ${moneyToText(amount)}::numeric, ${currency ?? null})
    on conflict (carrier) do update
    set balance = excluded.balance, currency = excluded.currency, read_datetime = excluded.read_datetime`
}

export async function listBalances(db: Db): Promise<StoredBalance[]> {
  return db<StoredBalance[]>`
    select carrier, balance::text as balance, currency, read_datetime from carrier_balances order by carrier`
}

export type Unreported = { carrier_message_id: string; recipient: string; report_due: string }

/**
 * Finds messages that a carrier took at least `after_s` seconds ago and has not reported on, after the position of the
 * last sweep. A report is due a fixed time after the message was taken, so `report_due` gives its age. `since` and
 * `until` are the positions at which this sweep begins and ends.
 */
export async function findUnreported(
  db: Db,
  {
    sweep,
    carrier,
    due_s,
    after_s,
    limit,
  }: { sweep: string; carrier: string; due_s: number; after_s: number; limit: number },
): Promise<{ rows: Unreported[]; since: string; until: string }> {
  const [mark] = await db<{ since: string; until: string }[]>`
    with made as (
      insert into sweeps (name, done_until) values (${sweep}, now() - interval '3 days') on conflict (name) do nothing
      returning done_until
    )
    select coalesce((select done_until from made), (select done_until from sweeps where name = ${sweep})) as since,
      now() + ${due_s - after_s} * interval '1 s' as until`
  const { since, until } = mark ?? { since: '-infinity', until: '-infinity' }
  const due = db`
      select carrier_message_id, organisation_id, message_id, recipient, report_due from submissions
      where report_due > ${since}::timestamptz and report_due <= ${until}::timestamptz and carrier = ${carrier}
        and not starts_with(carrier_message_id, 'to:') and status is null
      order by report_due
      fetch first ${limit} rows with ties`
  const found = await byLayout(db, {
    single_server: async (): Promise<readonly (Unreported & { open: boolean })[]> =>
      db<(Unreported & { open: boolean })[]>`
        select carrier_message_id, recipient, report_due,
          coalesce((
            select status in ('sent', 'unknown') from deliveries
            where organisation_id = due.organisation_id and message_id = due.message_id and recipient = due.recipient
          ), false) as open
        from (${due}) due`,
    cluster: async () => openOnCluster(db, await db<Due[]>`${due}`),
  })()
  const is_all = found.length < limit
  return { rows: found.filter(({ open }) => open), since, until: is_all ? until : (found.at(-1)?.report_due ?? until) }
}

type Due = Unreported & { organisation_id: string; message_id: string }

/** On a cluster deliveries are colocated with their organisation. Those on an unreachable node count as open: a query is harmless. */
async function openOnCluster(db: Db, due: readonly Due[]): Promise<(Due & { open: boolean })[]> {
  const ended = new Set<string>()
  const groups = [...groupBy(due, ({ organisation_id }) => organisation_id)]
  await Promise.allSettled(
    groups.map(async ([organisation_id, own]) => {
      const still = await db<{ message_id: string; recipient: string }[]>`
        select message_id, recipient from deliveries
        join ${rows(db, own, 'given', { message_id: 'uuid', recipient: 'text' })} using (message_id, recipient)
        where organisation_id = ${organisation_id} and status in ('sent', 'unknown')`
      const open = new Set(still.map(keyOf))
      for (const one of own) if (!open.has(keyOf(one))) ended.add(keyOf(one))
    }),
  )
  return due.map((one) => ({ ...one, open: !ended.has(keyOf(one)) }))
}

const keyOf = ({ message_id, recipient }: Pick<Due, 'message_id' | 'recipient'>): string => `${message_id} ${recipient}`

/** Claims a sweep by moving its position; false: another process has done so. */
export async function advanceSweep(db: Db, sweep: string, since: string, until: string): Promise<boolean> {
  const moved = await db`
    update sweeps set done_until = ${until}::timestamptz
    where name = ${sweep} and done_until = ${since}::timestamptz and done_until < ${until}::timestamptz`
  return moved.count === 1
}
