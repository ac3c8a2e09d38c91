import type { Db } from '../db/connect.ts'
import type { Query, Sql } from '../db/sql.ts'
import type { LedgerLine } from './store.ts'

/** Lines by number: greater than `after`, up to `last`. */
export type Period = { after: bigint; last: bigint }

/** Whether a line is not listed, because another one after the line `after` stands for it. */
export type HidesLine = (sql: Sql, line: Query, after: bigint) => Query

export type Narrowed = Period & {
  kind?: string | undefined
  hides?: HidesLine | undefined
  /** Only lines for these subjects: the batch lines they were charged by, and lines of their own. */
  about?: { lines: readonly string[]; subject_ids: readonly string[] } | undefined
}

/** Newest first. */
export async function listLines(
  db: Db,
  organisation_id: string,
  narrowed: Narrowed,
  { skip, limit }: { skip: number; limit: number },
): Promise<LedgerLine[]> {
  return db<LedgerLine[]>`
    select sequence, kind, amount, balance_after, subject_id, subject_key, subjects, note, created_datetime
    from ledger_lines
    where organisation_id = ${organisation_id} and ${among(db, narrowed)}
    order by sequence desc
    offset ${skip} limit ${limit}`
}

export async function countLines(db: Db, organisation_id: string, narrowed: Narrowed, at_most: number) {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from (
      select 1 from ledger_lines
      where organisation_id = ${organisation_id} and ${among(db, narrowed)}
      limit ${at_most}
    ) counted`
  return row?.count ?? 0
}

function among(db: Db, { after, last, kind, about, hides }: Narrowed): Query {
  return db`
    sequence > ${String(after)}::bigint and sequence <= ${String(last)}::bigint
    ${kind === undefined ? db`` : ofKind(db, kind)}
    ${about === undefined ? db`` : db`and (sequence = any (${about.lines}::bigint[]) or subject_id = any (${about.subject_ids}::uuid[]))`}
    ${hides === undefined ? db`` : db`and not (${hides(db, db`ledger_lines`, after)})`}`
}

/** The redundant condition lets the planner use the partial index of lines that are not for messages. */
function ofKind(db: Db, kind: string): Query {
  return kind === 'message' ? db`and kind = 'message'` : db`and kind = ${kind} and kind <> 'message'`
}

/** Those of the lines that were written before the moment. */
export async function findBefore(
  db: Db,
  organisation_id: string,
  lines: readonly bigint[],
  moment: string,
): Promise<bigint[]> {
  const rows = await db<{ sequence: bigint }[]>`
    select sequence from ledger_lines
    where organisation_id = ${organisation_id} and sequence = any (${lines.map(String)}::bigint[])
      and created_datetime < ${moment}::timestamptz`
  return rows.map(({ sequence }) => sequence)
}

/** The balance after this line; 0 before the first one. */
export async function readBalanceAfter(db: Db, organisation_id: string, sequence: bigint): Promise<bigint> {
  if (sequence === 0n) return 0n
  const [row] = await db<{ balance_after: bigint }[]>`
    select balance_after from ledger_lines
    where organisation_id = ${organisation_id} and sequence = ${String(sequence)}::bigint`
  if (!row) throw new Error(`the ledger of ${organisation_id} has no line ${sequence}`)
  return row.balance_after
}
