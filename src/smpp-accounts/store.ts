import type { Db, Tx } from '../db/connect.ts'
import type { Alphabet } from './schema.ts'

export type AccountRow = {
  id: string
  organisation_id: string
  system_id: string
  password_hash: Buffer
  allow_networks: string[]
  max_binds: number
  rate_per_s: number
  window_size: number
  alphabet: Alphabet
  receives_texts: boolean
  created_datetime: string
}

export type ListedRow = AccountRow & { binds: number }

/** Serialises the creation of accounts in an organisation. */
export async function lockAccounts(tx: Tx, organisation_id: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('smpp accounts ' || ${organisation_id}::text, 0))`
}

/** Undefined if the system_id is taken. */
export async function insertAccount(
  tx: Tx,
  row: Omit<AccountRow, 'created_datetime'>,
): Promise<{ created_datetime: string } | undefined> {
  const [stored] = await tx<{ created_datetime: string }[]>`
    insert into smpp_accounts
      (id, organisation_id, system_id, password_hash, allow_networks, max_binds, rate_per_s, window_size, alphabet,
       receives_texts)
    values (${row.id}, ${row.organisation_id}, ${row.system_id}, ${row.password_hash}, ${row.allow_networks}::text[],
      ${row.max_binds}, ${row.rate_per_s}, ${row.window_size}, ${row.alphabet}, ${row.receives_texts})
    on conflict (system_id) do nothing
    returning created_datetime`
  return stored
}

export async function countAccounts(tx: Tx, organisation_id: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from smpp_accounts where organisation_id = ${organisation_id}`
  return row?.count ?? 0
}

export async function listAccounts(db: Db, organisation_id: string): Promise<ListedRow[]> {
  return db<ListedRow[]>`
    select ${columns(db)},
      (select count(*)::integer from smpp_binds where account_id = smpp_accounts.id and leased_until > now()) as binds
    from smpp_accounts where organisation_id = ${organisation_id} order by id desc`
}

/** Across organisations: a bind names nothing but the system_id. */
export async function findAccount(db: Db, system_id: string): Promise<AccountRow | undefined> {
  const [row] = await db<AccountRow[]>`select ${columns(db)} from smpp_accounts where system_id = ${system_id}`
  return row
}

export async function findAccountById(db: Db, organisation_id: string, id: string): Promise<AccountRow | undefined> {
  const [row] = await db<AccountRow[]>`
    select ${columns(db)} from smpp_accounts where organisation_id = ${organisation_id} and id = ${id}`
  return row
}

/** Its binds are deleted by cascade. */
export async function deleteAccount(tx: Tx, organisation_id: string, system_id: string): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`
    delete from smpp_accounts where organisation_id = ${organisation_id} and system_id = ${system_id} returning id`
  return row?.id
}

function columns(db: Db) {
  return db`
    smpp_accounts.id, organisation_id, system_id, password_hash, allow_networks, max_binds, rate_per_s, window_size,
    alphabet, receives_texts, smpp_accounts.created_datetime`
}
