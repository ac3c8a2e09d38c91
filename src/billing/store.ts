import { connectionsOf } from '../db/layout.ts'
import { idArray, sparse } from '../db/array.ts'
import type { Db, Tx } from '../db/connect.ts'
import { prepare, type Query, type Sql } from '../db/sql.ts'
import type { SpendingLimit } from '../values/money.ts'
import { SLOTS, type WriteAnswer } from './answer-slots.ts'

/** The charge of a sale. */
export type SaleRow = {
  subject_id: string
  amount: bigint
  /** The part of the amount that is for an OTP beside its message. */
  fee?: bigint | undefined
  /** Of the API key it is made with. */
  spending_limit?: SpendingLimit | null | undefined
  idempotency?: { key: string; request_hash: Buffer } | undefined
  answer: WriteAnswer
}

/** The result of the function `charge` for a batch. The arrays are null if every sale was charged. */
export type Charged = {
  balance_left: bigint
  /** The newest line of the ledger. */
  line: bigint
  moment: string
  outcomes: ('charged' | 'replayed' | 'conflict' | 'insufficient' | 'over_limit' | 'ended')[] | null
  balances_left: string[] | null
  known_answers: (string | null)[] | null
}

export type LedgerLine = {
  sequence: bigint
  kind: string
  amount: bigint
  balance_after: bigint
  subject_id: string
  subject_key: string
  /** Number of messages it is for. */
  subjects: number
  note: string | null
  created_datetime: string
}

/**
 * Locks the balance. Every statement that moves money follows it in the same transaction, and so sees all balances, lines
 * and idempotency keys committed before.
 */
export function lockBalance(tx: Tx, organisation_id: string): Query {
  return tx`select balance from balances where organisation_id = ${organisation_id} for update`
}

/** The arguments of `charge` from `ids` to `caps`. */
export function saleArguments(sql: Sql, sales: readonly SaleRow[]): Query {
  return prepare(sql`
    ${idArray(sales.map(({ subject_id }) => subject_id))}::uuid[],
    ${idArray(sales.map(({ amount }) => amount))}::bigint[],
    ${sparse(sales.map(({ idempotency }) => idempotency?.key ?? null))}::text[],
    ${sparse(sales.map(({ idempotency }) => idempotency?.request_hash.toString('base64') ?? null))}::text[],
    ${sparse(sales.map(({ idempotency, answer }) => (idempotency ? answer(SLOTS) : null)))}::text[],
    ${sparse(sales.map(({ spending_limit: cap }) => (cap ? `${cap.spends_as} ${cap.daily}` : null)))}::text[]`)
}

type NewLine = { place: number; after_it: number; amount: bigint; sum: bigint; sales: readonly SaleRow[] }
type KeyedSale = { place: number; sum: bigint; sale: SaleRow; key: string; hash: string }

/**
 * The arguments of `charge_many` from `totals` to `answers`, for the sales of each organisation. `together`: one ledger line per
 * organisation; otherwise one per sale, in their order.
 */
export function manySaleArguments(sql: Sql, groups: readonly (readonly SaleRow[])[], together: boolean): Query {
  const totals: bigint[] = []
  const lines: NewLine[] = []
  const keyed: KeyedSale[] = []
  for (const [n, sales] of groups.entries()) {
    const place = n + 1
    let sum = 0n
    for (const [i, sale] of sales.entries()) {
      const { amount, idempotency } = sale
      sum += amount
      if (!together) lines.push({ place, after_it: sales.length - 1 - i, amount, sum, sales: [sale] })
      if (!idempotency) continue
      keyed.push({ place, sum, sale, key: idempotency.key, hash: idempotency.request_hash.toString('base64') })
    }
    if (together) lines.push({ place, after_it: 0, amount: sum, sum, sales })
    totals.push(sum)
  }
  return prepare(sql`
    ${idArray(totals)}::bigint[],
    ${idArray(groups.map(({ length }) => (together ? 1 : length)))}::integer[],
    ${idArray(lines.map(({ place }) => place))}::integer[],
    ${idArray(lines.map(({ after_it }) => after_it))}::integer[],
    ${idArray(lines.map(({ amount }) => amount))}::bigint[],
    ${idArray(lines.map(({ sum }) => sum))}::bigint[],
    ${idArray(lines.map(({ sales }) => sales.length))}::integer[],
    ${idArray(lines.map(({ sales }) => lowestId(sales)))}::uuid[],
    ${idArray(lines.map(({ sales }) => highestId(sales)))}::uuid[],
    ${idArray(keyed.map(({ place }) => place))}::integer[],
    ${idArray(keyed.map(({ sale }) => sale.amount))}::bigint[],
    ${idArray(keyed.map(({ sum }) => sum))}::bigint[],
    ${keyed.map(({ key }) => key)}::text[],
    ${idArray(keyed.map(({ hash }) => hash))}::text[],
    ${keyed.map(({ sale }) => sale.answer(SLOTS))}::text[]`)
}

const lowestId = (sales: readonly SaleRow[]): string =>
  sales.reduce((low, { subject_id }) => (low !== '' && low < subject_id ? low : subject_id), '')
const highestId = (sales: readonly SaleRow[]): string =>
  sales.reduce((high, { subject_id }) => (high > subject_id ? high : subject_id), '')

/** What `charge_many` returns, by organisation: null where nothing was charged. */
export type ChargedMany = { balances_left: (string | null)[]; lines: (string | null)[]; moment: string }

/** The charge of the organisation at a place; undefined if it has to be charged alone. */
export function chargedAt({ balances_left, lines, moment }: ChargedMany, n: number): Charged | undefined {
  const [balance_left, line] = [balances_left[n], lines[n]]
  if (balance_left == null || line == null) return undefined
  const alike = { outcomes: null, balances_left: null, known_answers: null }
  return { balance_left: BigInt(balance_left), line: BigInt(line), moment, ...alike }
}

/** Charges sales that store nothing but a ledger line. */
export async function chargeOnly(db: Db, kind: 'lookup', organisation_id: string, sales: readonly SaleRow[]) {
  const there = connectionsOf(db, organisation_id)
  const [charged] = await prepare(there<Charged[]>`
    select balance_left, line, moment, outcomes, balances_left, known_answers
    from charge(${organisation_id}, ${kind}, false, ${saleArguments(db, sales)})`)
  return theOne(charged)
}

/** The one row that a charging function returns. */
export function theOne<T extends Charged>(charged: T | undefined): T {
  if (!charged) throw new Error('a batch was neither charged nor refused')
  return charged
}

/** Whether a sale with this idempotency key has been charged already. */
export async function knowsKey(db: Db, organisation_id: string, key: string): Promise<boolean> {
  const known = await db`
    select 1 from idempotency_keys where organisation_id = ${organisation_id} and key = ${key}`
  return known.count === 1
}

/** The answer to the first request with this idempotency key, and the hash of that request. */
export async function findAnswer(
  db: Db,
  organisation_id: string,
  key: string,
): Promise<{ request_hash: Buffer; answer: string } | undefined> {
  const [row] = await db<{ request_hash: Buffer; answer: string }[]>`
    select request_hash, answer from idempotency_keys where organisation_id = ${organisation_id} and key = ${key}`
  return row
}

/** Refunds, one line each. A second refund of the same subject violates the ledger's unique key. */
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

/** The balance with its credit limit and its low-balance threshold. */
export type AccountRow = { balance: bigint; sequence: bigint; credit_limit: bigint; low_balance: bigint | null }

export async function readAccountRow(db: Db, organisation_id: string): Promise<AccountRow> {
  const [row] = await db<AccountRow[]>`
    select balance, sequence, credit_limit, low_balance from balances join organisations on organisations.id = organisation_id
    where organisation_id = ${organisation_id}`
  if (!row) throw new Error(`organisation ${organisation_id} has no balance`)
  return row
}

/** What a charge may use is `balance + credit_limit`. */
export async function readBalance(
  db: Db | Tx,
  organisation_id: string,
): Promise<{ balance: bigint; sequence: bigint; credit_limit: bigint }> {
  const [row] = await db<{ balance: bigint; sequence: bigint; credit_limit: bigint }[]>`
    select balance, sequence, credit_limit from balances where organisation_id = ${organisation_id}`
  if (!row) throw new Error(`organisation ${organisation_id} has no balance`)
  return row
}

/** The ledger line of an operator's top-up or correction with this id. */
export async function findOperatorLine(
  tx: Tx,
  organisation_id: string,
  subject_id: string,
): Promise<LedgerLine | undefined> {
  const [row] = await tx<LedgerLine[]>`
    select sequence, kind, amount, balance_after, subject_id, subject_key, subjects, note, created_datetime
    from ledger_lines
    where organisation_id = ${organisation_id} and subject_id = ${subject_id} and kind in ('top_up', 'adjustment')`
  return row
}

/** Organisations whose balance is not the sum of their lines, or whose lines have a gap. */
export async function findImbalances(
  db: Db | Tx,
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
