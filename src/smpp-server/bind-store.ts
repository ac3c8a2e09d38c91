import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'

export type BindMode = 'transmitter' | 'receiver' | 'transceiver'

export type NewBind = { id: string; organisation_id: string; account_id: string; mode: BindMode; address: string }

/** Counts a bind in, over all processes; false: the account has as many as it may, or is gone. */
export async function insertBind(db: Db, bind: NewBind, most: number, lease_s: number): Promise<boolean> {
  return transaction(db, async (tx) => {
    // One at a time: each is counted after the one before.
    const account = await tx`
      select from smpp_accounts
      where organisation_id = ${bind.organisation_id} and id = ${bind.account_id} for update`
    if (account.count === 0) return false
    const added = await tx`
      insert into smpp_binds (id, account_id, mode, address, leased_until)
      select ${bind.id}, ${bind.account_id}, ${bind.mode}, ${bind.address}, now() + ${lease_s} * interval '1 s'
      where (
        select count(*) from smpp_binds where account_id = ${bind.account_id} and leased_until > now()
      ) < ${most}`
    return added.count === 1
  })
}

/** Keeps binds for another lease, and gives for each account how many there are over all processes. */
export async function keepBinds(db: Db, ids: readonly string[], lease_s: number): Promise<Map<string, number>> {
  const rows = await db<{ account_id: string; binds: number }[]>`
    with kept as (
      update smpp_binds set leased_until = now() + ${lease_s} * interval '1 s'
      where id = any (${ids}::uuid[])
      returning account_id
    )
    select account_id, (
      select count(*)::integer from smpp_binds
      where smpp_binds.account_id = kept.account_id and leased_until > now()
    ) as binds
    from kept group by account_id`
  return new Map(rows.map(({ account_id, binds }) => [account_id, binds]))
}

export async function dropBinds(db: Db, ids: readonly string[]): Promise<void> {
  await db`delete from smpp_binds where id = any (${ids}::uuid[])`
}

/** Of processes that died. */
export async function forgetBinds(db: Db): Promise<void> {
  await db`delete from smpp_binds where leased_until < now() - interval '1 hour'`
}
