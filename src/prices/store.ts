import type { Db, Tx } from '../db/connect.ts'
import type { Sql } from '../db/sql.ts'
import type { Fees } from './fees.ts'
import { LIST_NAME, type BelowCost, type ListKind } from './schema.ts'

/** The list that stands for the prices of the configuration file. */
export const FILE_LIST = 'file'

export type ListRow = Fees & {
  id: string
  name: string
  kind: ListKind
  managed_by: 'operator' | 'file'
  is_default: boolean
  below_cost: BelowCost
  version: bigint
  created_datetime: string
  changed_datetime: string
}

/** What processes keep of every list. */
export type ListHead = Pick<ListRow, 'id' | 'managed_by' | 'is_default' | 'below_cost' | 'version' | keyof Fees>

export async function readHeads(db: Db): Promise<ListHead[]> {
  return db<ListHead[]>`
    select id, managed_by, is_default, below_cost, version, otp_per_request, otp_per_verified, airtime_commission
    from price_lists`
}

export async function readHead(db: Db, id: string): Promise<ListHead | undefined> {
  const [row] = await db<ListHead[]>`
    select id, managed_by, is_default, below_cost, version, otp_per_request, otp_per_verified, airtime_commission
    from price_lists where id = ${id}`
  return row
}

type ListedRow = ListRow & { rules: number; organisations: number; carriers: string[]; changed_by: string | null }

export async function listAllLists(db: Db, kind: ListKind): Promise<ListedRow[]> {
  return db<ListedRow[]>`
    select ${columns(db)},
      (
        select count(distinct target)::integer from price_rules
        where price_list_id = price_lists.id and withdrawn_version is null
          and (price is not null or valid_from > now())
      ) as rules,
      (select count(*)::integer from price_assignments where price_list_id = price_lists.id) as organisations,
      array(select carrier from cost_assignments where price_list_id = price_lists.id order by carrier) as carriers,
      (
        select actor from price_changes
        where price_list_id = price_lists.id and price_changes.version = price_lists.version
      ) as changed_by
    from price_lists where kind = ${kind} order by name`
}

function columns(sql: Sql) {
  return sql`id, name, kind, managed_by, is_default, below_cost, version, otp_per_request, otp_per_verified,
    airtime_commission, created_datetime, changed_datetime`
}

/** A name of another form is none; with a NUL character it would not even be a text to the database. */
export async function findList(sql: Sql, name: string): Promise<ListRow | undefined> {
  if (!LIST_NAME.test(name)) return undefined
  const [row] = await sql<ListRow[]>`
    select ${columns(sql)} from price_lists where name = ${name}`
  return row
}

/** Changes of a list wait for each other. */
export async function lockList(tx: Tx, name: string): Promise<ListRow | undefined> {
  if (!LIST_NAME.test(name)) return undefined
  const [row] = await tx<ListRow[]>`
    select ${columns(tx)} from price_lists where name = ${name} for update`
  return row
}

/** False if the name is taken. */
export async function insertList(
  tx: Tx,
  { id, name, kind, managed_by }: Pick<ListRow, 'id' | 'name' | 'kind' | 'managed_by'>,
): Promise<boolean> {
  const inserted = await tx`
    insert into price_lists (id, name, kind, managed_by) values (${id}, ${name}, ${kind}, ${managed_by})
    on conflict (name) do nothing returning id`
  return inserted.length > 0
}

export async function countLists(tx: Tx): Promise<number> {
  const [row] = await tx<{ count: number }[]>`select count(*)::integer as count from price_lists`
  return row?.count ?? 0
}

export async function storeBelowCost(tx: Tx, id: string, below_cost: BelowCost): Promise<void> {
  await tx`update price_lists set below_cost = ${below_cost} where id = ${id}`
}

export async function storeFees(
  tx: Tx,
  id: string,
  { otp_per_request, otp_per_verified, airtime_commission }: Fees,
): Promise<void> {
  await tx`
    update price_lists
    set otp_per_request = ${moneyText(otp_per_request)}::bigint, otp_per_verified = ${moneyText(otp_per_verified)}::bigint,
      airtime_commission = ${airtime_commission}
    where id = ${id}`
}

const moneyText = (amount: bigint | null): string | null => (amount === null ? null : String(amount))

/** With its rules. Fails if an organisation or a carrier is assigned to it. The caller holds the lock of the list. */
export async function deleteList(tx: Tx, id: string): Promise<void> {
  await tx`delete from price_lists where id = ${id}`
  await tx`delete from price_rules where price_list_id = ${id}`
}

export async function countAssigned(sql: Sql, id: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from price_assignments where price_list_id = ${id}`
  return row?.count ?? 0
}

/** Marks the default; the name of the one before, if a list was marked. */
export async function moveDefault(tx: Tx, id: string): Promise<string | undefined> {
  const [before] = await tx<{ name: string }[]>`
    update price_lists set is_default = false where is_default returning name`
  await tx`update price_lists set is_default = true where id = ${id}`
  return before?.name
}

export async function raiseVersion(tx: Tx, id: string): Promise<bigint> {
  const [row] = await tx<{ version: bigint }[]>`
    update price_lists set version = version + 1, changed_datetime = now() where id = ${id} returning version`
  return row?.version ?? 0n
}

/** Null: the default. Returns the name of the list before. */
export async function assignList(
  tx: Tx,
  organisation_id: string,
  price_list_id: string | null,
): Promise<string | undefined> {
  const [before] = await tx<{ name: string }[]>`
    select name from price_assignments join price_lists on id = price_list_id
    where organisation_id = ${organisation_id}`
  if (price_list_id === null) await tx`delete from price_assignments where organisation_id = ${organisation_id}`
  else {
    await tx`
      insert into price_assignments (organisation_id, price_list_id) values (${organisation_id}, ${price_list_id})
      on conflict (organisation_id) do update set price_list_id = excluded.price_list_id`
  }
  return before?.name
}

/** The lists of those organisations that are assigned one. */
export async function readAssigned(
  db: Db,
  ids: readonly string[],
): Promise<{ organisation_id: string; name: string }[]> {
  return db<{ organisation_id: string; name: string }[]>`
    select organisation_id, name from price_assignments join price_lists on id = price_list_id
    where organisation_id = any (${ids}::uuid[])`
}
