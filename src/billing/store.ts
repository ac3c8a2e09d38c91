import { sparse } from '../db/array.ts'
import type { Db, Tx } from '../db/connect.ts'
import { prepare, type Query, type Sql } from '../db/sql.ts'
import type { Statement } from '../db/transaction.ts'
import { SLOTS, type WriteAnswer } from './answer-slots.ts'

export type SaleRow = {
  kind: 'message' | 'airtime' | 'lookup'
  subject_id: string
  amount: bigint
  idempotency?: { key: string; request_hash: Buffer } | undefined
  answer: WriteAnswer
}

export type ChargeRow = {
  outcome: 'charged' | 'replayed' | 'conflict' | 'insufficient'
  balance_before: bigint
  balance_after: bigint
  created_datetime: string
  answer: string | null
}

export type LedgerLine = {
  sequence: bigint
  kind: string
  amount: bigint
  balance_after: bigint
  subject_id: string
  subject_key: string
  note: string | null
  created_datetime: string
}

/**
 * Every statement that moves an organisation's money comes after this one in its transaction: the next statement then
 * sees all that was committed before, balances, lines and idempotency keys alike.
 */
export function lockBalance(tx: Tx, organisation_id: string): Statement {
  return tx`select balance from balances where organisation_id = ${organisation_id} for update`
}

export type SpentRow = { balance: bigint; created_datetime: string }

/**
 * Charges a burst as a whole, if the balance covers all of it and no idempotency key is known: no row otherwise, or a
 * broken unique key, and nothing is done. What was sold can be stored by the same statement (`ctes`, further ones of
 * it), so that nearly every burst is one statement and one round trip. The update takes the balance's lock and sees its
 * newest state, so nothing has to be read before.
 */
export function chargeAtOnce(
  sql: Sql,
  organisation_id: string,
  sales: readonly SaleRow[],
  ctes: readonly Query[],
): Query<SpentRow[]> {
  const total = sales.reduce((sum, { amount }) => sum + amount, 0n)
  let left = total
  const remaining = sales.map(({ amount }) => (left -= amount))
  return prepare(sql<SpentRow[]>`
    with spent as (
      update balances
      set balance = balance - ${String(total)}::bigint, sequence = sequence + ${sales.length}::integer
      where organisation_id = ${organisation_id} and balance >= ${String(total)}::bigint
      returning balance, sequence
    ),
    sale as (
      select subject_id, kind, amount, spent.sequence - ${sales.length}::integer + n as sequence,
        spent.balance + remaining as balance_after, key, request_hash, answer
      from spent, unnest(
        ${sales.map((sale) => sale.subject_id)}::uuid[],
        ${sales.map((sale) => sale.kind)}::text[],
        ${sales.map((sale) => sale.amount)}::bigint[],
        ${remaining}::bigint[],
        ${keysOf(sales)}::text[],
        ${hashesOf(sales)}::text[],
        ${answersOf(sales)}::text[]
      ) with ordinality as given (subject_id, kind, amount, remaining, key, request_hash, answer, n)
    ),
    line as (
      insert into ledger_lines (organisation_id, sequence, kind, amount, balance_after, subject_id)
      select ${organisation_id}, sequence, kind, -amount, balance_after, subject_id from sale
    ),
    ${claimKeys(sql, organisation_id, sql`sale`)}${ctes.reduce((all, cte) => sql`${all}, ${cte}`, sql``)}
    select balance, now() as created_datetime from spent`)
}

const keysOf = (sales: readonly SaleRow[]) => sparse(sales.map(({ idempotency }) => idempotency?.key ?? null))
const hashesOf = (sales: readonly SaleRow[]) =>
  sparse(sales.map(({ idempotency }) => idempotency?.request_hash.toString('base64') ?? null))
const answersOf = (sales: readonly SaleRow[]) =>
  sparse(sales.map(({ idempotency, answer }) => (idempotency ? answer(SLOTS) : null)))

/** Keeps the answers of sales that carry a key, filled in as they are told. */
function claimKeys(sql: Sql, organisation_id: string, charged: Query): Query {
  return sql`claimed as (
      insert into idempotency_keys (organisation_id, key, request_hash, answer)
      select ${organisation_id}, key, decode(request_hash, 'base64'),
        replace(replace(replace(answer,
          ${SLOTS.created_datetime}, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')),
          ${SLOTS.balance_after}, trim_scale(balance_after::numeric / 10000)::text),
          ${SLOTS.balance_before}, trim_scale((balance_after + amount)::numeric / 10000)::text)
      from ${charged} where key is not null
    )`
}

/**
 * Charges a burst of sales in order, each only if the balance still covers it, so that one that does not fit fails
 * alone. A sale whose idempotency key is known gives the stored answer and charges nothing.
 */
export function chargeSales(tx: Tx, organisation_id: string, sales: readonly SaleRow[]): Query<ChargeRow[]> {
  return prepare(tx<ChargeRow[]>`
    with recursive account as (
      select balance, sequence from balances where organisation_id = ${organisation_id}
    ),
    sale as (
      select given.*, known.answer as known_answer, known.request_hash as known_hash
      from unnest(
        ${sales.map((sale) => sale.subject_id)}::uuid[],
        ${sales.map((sale) => sale.kind)}::text[],
        ${sales.map((sale) => String(sale.amount))}::bigint[],
        ${keysOf(sales)}::text[],
        ${hashesOf(sales)}::text[],
        ${answersOf(sales)}::text[]
      ) with ordinality as given (subject_id, kind, amount, key, request_hash, answer, n)
      left join lateral (
        select answer, request_hash from idempotency_keys
        where organisation_id = ${organisation_id} and key = given.key
        limit 1
      ) known on true
    ),
    price as materialized ( -- or every step of the walk would gather the prices again
      select array_agg(case when known_answer is null then amount else 0 end order by n) as amounts from sale
    ),
    walk (n, fits, balance) as (
      select 0, true, balance from account
      union all
      select n + 1, amounts[n + 1] <= balance,
        case when amounts[n + 1] <= balance then balance - amounts[n + 1] else balance end
      from walk, price
      where n < cardinality(amounts)
    ),
    charged as (
      select sale.*, walk.balance as balance_after, row_number() over (order by n) as line
      from sale join walk using (n)
      where walk.fits and sale.known_answer is null
    ),
    line as (
      insert into ledger_lines (organisation_id, sequence, kind, amount, balance_after, subject_id)
      select ${organisation_id}, account.sequence + charged.line, kind, -amount, balance_after, subject_id
      from charged, account
    ),
    spent as (
      update balances
      set balance = total.balance_after, sequence = balances.sequence + total.lines
      from (select count(*) as lines, min(balance_after) as balance_after from charged) total
      where organisation_id = ${organisation_id} and total.lines > 0
    ),
    ${claimKeys(tx, organisation_id, tx`charged`)}
    select
      case
        when known_answer is null then case when fits then 'charged' else 'insufficient' end
        when known_hash = decode(request_hash, 'base64') then 'replayed'
        else 'conflict'
      end as outcome,
      walk.balance + case when fits then amount else 0 end as balance_before,
      walk.balance as balance_after,
      now() as created_datetime,
      known_answer as answer
    from sale join walk using (n)
    order by n`)
}

/** Whether a sale with this idempotency key has been charged already. */
export async function knowsKey(db: Db, organisation_id: string, key: string): Promise<boolean> {
  const known = await db`
    select 1 from idempotency_keys where organisation_id = ${organisation_id} and key = ${key}`
  return known.count === 1
}

/** Gives money back, one line each. A second refund of the same thing breaks the ledger's unique key. */
export async function refundLines(
  tx: Tx,
  organisation_id: string,
  refunds: readonly { subject_id: string; subject_key: string; amount: bigint }[],
): Promise<void> {
  if (refunds.length === 0) return
  await lockBalance(tx, organisation_id)
  await tx`
    with given as (
      select subject_id, subject_key, amount, n
      from unnest(
        ${refunds.map((refund) => refund.subject_id)}::uuid[],
        ${refunds.map((refund) => refund.subject_key)}::text[],
        ${refunds.map((refund) => String(refund.amount))}::bigint[]
      ) with ordinality as given (subject_id, subject_key, amount, n)
    ),
    line as (
      insert into ledger_lines
        (organisation_id, sequence, kind, amount, balance_after, subject_id, subject_key)
      select organisation_id, sequence + n, 'refund', amount, balance + sum(amount) over (order by n),
        subject_id, subject_key
      from given, balances where organisation_id = ${organisation_id}
    )
    update balances
    set balance = balance + total.amount, sequence = sequence + total.lines
    from (select sum(amount)::bigint as amount, count(*) as lines from given) total
    where organisation_id = ${organisation_id}`
}

/** A top-up, an opening balance, or a correction by the operator (which may be negative). */
export async function addLine(
  tx: Tx,
  organisation_id: string,
  line: { kind: 'opening' | 'top_up' | 'adjustment'; amount: bigint; subject_id: string; note?: string },
): Promise<bigint> {
  await lockBalance(tx, organisation_id)
  const [row] = await tx<{ balance: bigint }[]>`
    with line as (
      insert into ledger_lines (organisation_id, sequence, kind, amount, balance_after, subject_id, note)
      select organisation_id, sequence + 1, ${line.kind}, ${String(line.amount)}::bigint,
        balance + ${String(line.amount)}::bigint, ${line.subject_id}, ${line.note ?? null}::text
      from balances where organisation_id = ${organisation_id}
    )
    update balances set balance = balance + ${String(line.amount)}::bigint, sequence = sequence + 1
    where organisation_id = ${organisation_id}
    returning balance`
  if (!row) throw new Error(`organisation ${organisation_id} has no balance`)
  return row.balance
}

export async function openBalance(tx: Tx, organisation_id: string): Promise<void> {
  await tx`insert into balances (organisation_id) values (${organisation_id})`
}

export async function readBalance(
  db: Db | Tx,
  organisation_id: string,
): Promise<{ balance: bigint; sequence: bigint }> {
  const [row] = await db<{ balance: bigint; sequence: bigint }[]>`
    select balance, sequence from balances where organisation_id = ${organisation_id}`
  if (!row) throw new Error(`organisation ${organisation_id} has no balance`)
  return row
}

/** Newest first, starting at the given line number. */
export async function readLines(db: Db, organisation_id: string, from: bigint, limit: number): Promise<LedgerLine[]> {
  return db<LedgerLine[]>`
    select sequence, kind, amount, balance_after, subject_id, subject_key, note, created_datetime
    from ledger_lines
    where organisation_id = ${organisation_id} and sequence <= ${String(from)}::bigint
    order by sequence desc
    limit ${limit}`
}

/** What the operator did to a balance under this id, if it was done. */
export async function findOperatorLine(
  tx: Tx,
  organisation_id: string,
  subject_id: string,
): Promise<LedgerLine | undefined> {
  const [row] = await tx<LedgerLine[]>`
    select sequence, kind, amount, balance_after, subject_id, subject_key, note, created_datetime
    from ledger_lines
    where organisation_id = ${organisation_id} and subject_id = ${subject_id} and kind in ('top_up', 'adjustment')`
  return row
}

/** Organisations whose balance is not the sum of their lines, or whose lines have a gap. There should be none. */
export async function findImbalances(
  db: Db,
): Promise<{ organisation_id: string; balance: bigint; sum_of_lines: bigint; lines: bigint; sequence: bigint }[]> {
  return db`
    select balances.organisation_id, balance, sequence,
      coalesce(sum_of_lines, 0)::bigint as sum_of_lines, coalesce(lines, 0)::bigint as lines
    from balances
    left join (
      select organisation_id, sum(amount) as sum_of_lines, count(*) as lines from ledger_lines group by organisation_id
    ) total using (organisation_id)
    where balance <> coalesce(sum_of_lines, 0) or sequence <> coalesce(lines, 0)`
}

export async function forgetIdempotencyKeys(db: Db, older_than_h: number): Promise<number> {
  const gone = await db`
    delete from idempotency_keys
    where created_datetime < now() - ${older_than_h} * interval '1 hour'`
  return gone.count
}
