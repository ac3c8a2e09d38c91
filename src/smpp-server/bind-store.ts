import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'

export type BindMode = 'transmitter' | 'receiver' | 'transceiver'

export type NewBind = { id: string; organisation_id: string; account_id: string; mode: BindMode; address: string }

/** Limits of binds over all processes. */
export type MaxBinds = { of_account: number; of_organisation: number }

/** Registers a bind; false: the limit of the account or organisation is reached over all processes, or it was deleted. */
export async function insertBind(db: Db, bind: NewBind, max: MaxBinds, lease_s: number): Promise<boolean> {
  return transaction(db, async (tx) => {
    // The lock serialises binds of an organisation, so that concurrent ones cannot exceed the limit.
    const accounts = await tx<{ id: string }[]>`
      select id from smpp_accounts where organisation_id = ${bind.organisation_id} order by id for update`
    if (!accounts.some(({ id }) => id === bind.account_id)) return false
    const added = await tx`
      insert into smpp_binds (id, account_id, mode, address, leased_until)
      select ${bind.id}, ${bind.account_id}, ${bind.mode}, ${bind.address}, now() + ${lease_s} * interval '1 s'
      where (
        select count(*) from smpp_binds where account_id = ${bind.account_id} and leased_until > now()
      ) < ${max.of_account}
      and (
        select count(*) from smpp_binds
        where account_id = any (${accounts.map(({ id }) => id)}::uuid[]) and leased_until > now()
      ) < ${max.of_organisation}`
    return added.count === 1
  })
}

/** Binds over all processes. */
export type BindCount = { of_account: number; of_organisation: number }

/** Renews leases and returns for each account the number of binds over all processes. */
export async function renewBinds(db: Db, ids: readonly string[], lease_s: number): Promise<Map<string, BindCount>> {
  const rows = await db<(BindCount & { account_id: string })[]>`
    with kept as (
      update smpp_binds set leased_until = now() + ${lease_s} * interval '1 s'
      where id = any (${ids}::uuid[])
      returning account_id
    )
    select account_id, (
      select count(*)::integer from smpp_binds
      where smpp_binds.account_id = kept.account_id and leased_until > now()
    ) as of_account, (
      select count(*)::integer from smpp_accounts one
      join smpp_accounts other on other.organisation_id = one.organisation_id
      join smpp_binds on smpp_binds.account_id = other.id and leased_until > now()
      where one.id = kept.account_id
    ) as of_organisation
    from kept group by account_id`
  return new Map(rows.map(({ account_id, ...count }) => [account_id, count]))
}

export async function deleteBinds(db: Db, ids: readonly string[]): Promise<void> {
  await db`delete from smpp_binds where id = any (${ids}::uuid[])`
}
