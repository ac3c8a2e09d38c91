import type { Db, Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'

/** A delivery report or inbound text that waits for a bound receiver of an SMPP account. */
export type OutboxRow = { id: string; address: string; body: string; attempts: number }

export type Waiting = { id: string; account_id: string; address: string; body: string }

/** The accounts of an organisation that receive inbound texts. */
export async function findTextReceivers(db: Db | Tx, organisation_id: string): Promise<string[]> {
  const accounts = await db<{ id: string }[]>`
    select id from smpp_accounts where organisation_id = ${organisation_id} and receives_texts`
  return accounts.map(({ id }) => id)
}

export async function insertWaiting(tx: Tx, organisation_id: string, waiting: readonly Waiting[]): Promise<void> {
  if (waiting.length === 0) return
  await tx`
    insert into smpp_outbox (organisation_id, id, account_id, address, body)
    select ${organisation_id}, id, account_id, address, body
    from ${rows(tx, waiting, 'given', { id: 'uuid', account_id: 'uuid', address: 'text', body: 'text' })}`
}

/** Leases the entries that are due, oldest first. */
export async function claimWaiting(
  db: Db,
  { organisation_id, account_id, lease_s, limit }: Whose & { lease_s: number; limit: number },
): Promise<OutboxRow[]> {
  const claimed = await db<OutboxRow[]>`
    with claimed as (
      select id from smpp_outbox
      where organisation_id = ${organisation_id} and account_id = ${account_id} and due <= now()
      order by due limit ${limit} for update skip locked
    )
    update smpp_outbox set due = now() + ${lease_s} * interval '1 s', attempts = least(attempts + 1, 32000)
    from claimed
    where organisation_id = ${organisation_id} and smpp_outbox.id = claimed.id
    returning smpp_outbox.id, address, body, attempts`
  return claimed.sort((a, b) => (a.id < b.id ? -1 : 1))
}

type Whose = { organisation_id: string; account_id: string }

/** Deletes entries that were acknowledged, or cannot be delivered at all. */
export async function dropWaiting(db: Db, organisation_id: string, ids: readonly string[]): Promise<void> {
  await db`delete from smpp_outbox where organisation_id = ${organisation_id} and id = any (${ids}::uuid[])`
}

/** Postpones entries that still exist. */
export async function postponeWaiting(db: Db, organisation_id: string, ids: readonly string[], delay_s: number) {
  await db`
    update smpp_outbox set due = now() + ${delay_s} * interval '1 s'
    where organisation_id = ${organisation_id} and id = any (${ids}::uuid[])`
}

/** Entries per account, counted up to the limit. */
export async function countWaiting(db: Db, organisation_id: string, limit: number): Promise<Map<string, number>> {
  const accounts = await db<{ id: string }[]>`
    select id from smpp_accounts where organisation_id = ${organisation_id}`
  const counts = await db<{ account_id: string; count: number }[]>`
    select account_id, (
      select count(*)::integer from (
        select from smpp_outbox
        where organisation_id = ${organisation_id} and smpp_outbox.account_id = given.account_id limit ${limit}
      ) counted
    ) as count
    from unnest(${accounts.map(({ id }) => id)}::uuid[]) as given (account_id)`
  return new Map(counts.map(({ account_id, count }) => [account_id, count]))
}

export async function clearOutbox(tx: Tx, organisation_id: string, account_id: string): Promise<void> {
  await tx`delete from smpp_outbox where organisation_id = ${organisation_id} and account_id = ${account_id}`
}

/** Deletes the oldest entries of accounts that have more than `most`. */
export async function shortenOutbox(db: Db, most: number): Promise<number> {
  const gone = await db`
    delete from smpp_outbox
    using (
      select organisation_id, account_id from smpp_outbox group by organisation_id, account_id having count(*) > ${most}
    ) crowded
    where smpp_outbox.organisation_id = crowded.organisation_id and smpp_outbox.account_id = crowded.account_id
      and smpp_outbox.id <= (
        select id from smpp_outbox kept
        where kept.organisation_id = crowded.organisation_id and kept.account_id = crowded.account_id
        order by id desc offset ${most} limit 1
      )`
  return gone.count
}
