import type { Db, Tx } from '../db/connect.ts'
import { listPage, type Listed } from '../db/list-page.ts'
import { rows } from '../db/rows.ts'
import type { Query, Sql } from '../db/sql.ts'
import type { Page } from '../values/page.ts'
import type { RuleTarget } from './rule.ts'

export type RuleRow = {
  id: string
  target: string
  channel: 'sms' | 'whatsapp'
  route_class: 'transactional' | 'promotional' | null
  prefix: string
  country: string | null
  operator: string | null
  mcc_mnc: string | null
  /** Null: from then on the target has no price. */
  price: bigint | null
  valid_from: string
}

/** A rule that applies, since `for_s` seconds, or, if that is negative, will; `from_ms` is its `valid_from`. */
export type CurrentRule = RuleRow & { for_s: number; from_ms: number }

function columns(sql: Sql): Query {
  return sql`rule.target, rule.channel, rule.route_class, rule.prefix, rule.country, rule.operator,
    rule.mcc_mnc, rule.price, rule.valid_from`
}

function times(sql: Sql): Query {
  return sql`extract(epoch from now() - rule.valid_from)::float8 as for_s,
    round(extract(epoch from rule.valid_from) * 1000)::float8 as from_ms`
}

/** The database's clock, which rules are compared with. */
export async function readNow(sql: Sql): Promise<number> {
  const [row] = await sql<{ now_ms: number }[]>`select ceil(extract(epoch from now()) * 1000)::float8 as now_ms`
  return row?.now_ms ?? 0
}

/** Of the rules of a target that have begun only the latest, unless it ends the price; and those that will begin. */
function isCurrent(sql: Sql, now = sql`now()`): Query {
  return sql`
    rule.withdrawn_version is null
    and (
      rule.valid_from > ${now}
      or rule.price is not null and not exists (
        select from price_rules later
        where later.price_list_id = rule.price_list_id and later.target = rule.target
          and later.withdrawn_version is null and later.valid_from > rule.valid_from and later.valid_from <= ${now}
      )
    )`
}

export type RuleKey = Pick<RuleRow, 'target' | 'valid_from'>

export const BEFORE_ALL: RuleKey = { target: '', valid_from: '-infinity' }

/** In the order of targets and times. */
export async function readCurrent(
  sql: Sql,
  price_list_id: string,
  after: RuleKey,
  limit: number,
): Promise<CurrentRule[]> {
  return sql<CurrentRule[]>`
    select rule.id::text as id, ${columns(sql)}, ${times(sql)}
    from price_rules rule
    where rule.price_list_id = ${price_list_id} and ${isCurrent(sql)}
      and (rule.target, rule.valid_from) > (${after.target}, ${after.valid_from}::timestamptz)
    order by rule.target, rule.valid_from limit ${limit}`
}

export async function readCurrentOf(sql: Sql, price_list_id: string, target: string): Promise<CurrentRule[]> {
  return sql<CurrentRule[]>`
    select rule.id::text as id, ${columns(sql)}, ${times(sql)}
    from price_rules rule
    where rule.price_list_id = ${price_list_id} and rule.target = ${target} and ${isCurrent(sql)}
    order by rule.valid_from`
}

/** Also behind the changes of a transaction, whose `now()` is the moment from which they apply. */
export async function countCurrent(sql: Sql, price_list_id: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from price_rules rule
    where rule.price_list_id = ${price_list_id} and ${isCurrent(sql, sql`statement_timestamp()`)}`
  return row?.count ?? 0
}

/** Greater than any target. */
const BEHIND_ALL = '\u{10ffff}'

/** Current rules, in the order of targets; `search` is part of the prefix, country, operator or network. */
export async function listCurrent(
  db: Db,
  price_list_id: string,
  search: string,
  page: Page,
): Promise<Listed<CurrentRule>> {
  const wanted = search.toLowerCase()
  // A cursor has no blanks.
  const key = db`(replace(rule.target, ' ', '_') || '|' || rule.id)`
  return listPage<CurrentRule>(db, page, {
    select: db`${key} as id, ${columns(db)}, ${times(db)}`,
    from: db`price_rules rule`,
    where: db`
      rule.price_list_id = ${price_list_id} and ${isCurrent(db)}
      and (
        ${wanted} = '' or starts_with(rule.prefix, ${wanted}) or lower(rule.country) = ${wanted}
        or position(${wanted} in lower(rule.operator)) > 0
        or starts_with(regexp_replace(rule.mcc_mnc, '[^0-9]', '', 'g'), ${wanted})
      )`,
    key,
    ascending: { behind_all: BEHIND_ALL },
  })
}

/** All rules that a target ever had, newest first, with who added and withdrew them. */
export type PastRule = RuleRow & {
  actor: string
  kind: string
  created_datetime: string
  withdrawn_by: string | null
  withdrawn_datetime: string | null
}

export async function listPast(db: Db, price_list_id: string, target: string, limit: number): Promise<PastRule[]> {
  return db<PastRule[]>`
    select rule.id::text as id, ${columns(db)}, made.actor, made.kind, made.created_datetime, gone.actor as withdrawn_by,
      gone.created_datetime as withdrawn_datetime
    from price_rules rule
    join price_changes made on made.price_list_id = rule.price_list_id and made.version = rule.version
    left join price_changes gone on gone.price_list_id = rule.price_list_id and gone.version = rule.withdrawn_version
    where rule.price_list_id = ${price_list_id} and rule.target = ${target}
    order by rule.id desc limit ${limit}`
}

export type NewRule = RuleTarget & {
  target: string
  mcc_mnc: string | undefined
  price: bigint | null
  from_ms: number
}

export async function insertRules(
  tx: Tx,
  price_list_id: string,
  version: bigint,
  added: readonly NewRule[],
): Promise<void> {
  await tx`
    insert into price_rules
      (price_list_id, version, target, channel, route_class, prefix, country, operator, mcc_mnc, price, valid_from)
    select ${price_list_id}, ${String(version)}::bigint, target, channel, route_class, prefix, country, operator, mcc_mnc,
      price, to_timestamp(from_ms / 1000.0)
    from ${rows(tx, added, 'rule', {
      target: 'text',
      channel: 'text',
      route_class: 'text',
      prefix: 'text',
      country: 'text',
      operator: 'text',
      mcc_mnc: 'text',
      price: 'bigint',
      from_ms: 'float8',
    })}`
}

export async function withdrawRules(
  tx: Tx,
  price_list_id: string,
  version: bigint,
  ids: readonly (bigint | string)[],
): Promise<void> {
  await tx`
    update price_rules set withdrawn_version = ${String(version)}::bigint
    where price_list_id = ${price_list_id} and id = any (${ids.map(String)}::bigint[])`
}

/** Withdraws what a change added. */
export async function withdrawAdded(
  tx: Tx,
  price_list_id: string,
  { of, version }: { of: bigint; version: bigint },
): Promise<number> {
  const gone = await tx<{ id: string }[]>`
    update price_rules set withdrawn_version = ${String(version)}::bigint
    where price_list_id = ${price_list_id} and version = ${String(of)}::bigint and withdrawn_version is null
    returning id::text as id`
  return gone.length
}

/** Adds what a change withdrew again, unless a later rule of the target begins at the same moment. */
export async function restoreWithdrawn(
  tx: Tx,
  price_list_id: string,
  { of, version }: { of: bigint; version: bigint },
): Promise<void> {
  await tx`
    insert into price_rules
      (price_list_id, version, target, channel, route_class, prefix, country, operator, mcc_mnc, price, valid_from)
    select price_list_id, ${String(version)}::bigint, target, channel, route_class, prefix, country, operator, mcc_mnc,
      price, valid_from
    from price_rules where price_list_id = ${price_list_id} and withdrawn_version = ${String(of)}::bigint
    on conflict (price_list_id, target, valid_from) where withdrawn_version is null do nothing`
}

/** Copies the current rules of a list into an empty one; returns how many. */
export async function copyRules(tx: Tx, from: string, to: string): Promise<number> {
  const copied = await tx<{ id: string }[]>`
    insert into price_rules
      (price_list_id, version, target, channel, route_class, prefix, country, operator, mcc_mnc, price, valid_from)
    select ${to}, 0, rule.target, rule.channel, rule.route_class, rule.prefix, rule.country, rule.operator, rule.mcc_mnc,
      rule.price, greatest(rule.valid_from, now())
    from price_rules rule where rule.price_list_id = ${from} and ${isCurrent(tx)}
    returning id::text as id`
  return copied.length
}

export type ChangeRow = {
  version: bigint
  kind: 'set' | 'import' | 'undo'
  actor: string
  file_name: string | null
  added: number
  raised: number
  lowered: number
  removed: number
  undone_by: bigint | null
  created_datetime: string
}

export async function insertChange(
  tx: Tx,
  price_list_id: string,
  change: Omit<ChangeRow, 'undone_by' | 'created_datetime'>,
): Promise<void> {
  await tx`
    insert into price_changes (price_list_id, version, kind, actor, file_name, added, raised, lowered, removed)
    values (${price_list_id}, ${String(change.version)}, ${change.kind}, ${change.actor}, ${change.file_name},
      ${change.added}, ${change.raised}, ${change.lowered}, ${change.removed})`
}

/** Newest first. */
export async function listChanges(db: Db, price_list_id: string, limit: number): Promise<ChangeRow[]> {
  return db<ChangeRow[]>`
    select version, kind, actor, file_name, added, raised, lowered, removed, undone_by, created_datetime
    from price_changes where price_list_id = ${price_list_id} order by version desc limit ${limit}`
}

/** The latest import that was not undone. */
export async function findLastImport(sql: Sql, price_list_id: string): Promise<ChangeRow | undefined> {
  const [row] = await sql<ChangeRow[]>`
    select version, kind, actor, file_name, added, raised, lowered, removed, undone_by, created_datetime
    from price_changes
    where price_list_id = ${price_list_id} and kind = 'import' and undone_by is null
    order by version desc limit 1`
  return row
}

export async function markUndone(
  tx: Tx,
  price_list_id: string,
  { of, version }: { of: bigint; version: bigint },
): Promise<void> {
  await tx`
    update price_changes set undone_by = ${String(version)}::bigint
    where price_list_id = ${price_list_id} and version = ${String(of)}::bigint`
}
