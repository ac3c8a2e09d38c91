import type { Db } from '../db/connect.ts'
import { csvLine } from '../values/csv-write.ts'
import { moneyToNumber } from '../values/money.ts'
import { COUNT_LIMIT, paginate, readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { present } from '../values/record.ts'
import { answerTime } from '../values/time/moment.ts'
import { countLines, findBefore, listLines, readBalanceAfter, type Narrowed, type Period } from './ledger-store.ts'
import type { Account, LedgerEntry } from './schema.ts'
import { readAccountRow, type LedgerLine } from './store.ts'

export type LedgerFilter = {
  /** Milliseconds since 1970, both included. */
  from_ms?: number | undefined
  until_ms?: number | undefined
  kind?: string | undefined
  about?: Narrowed['about']
  hides?: Narrowed['hides']
}

type Holder = { organisation_id: string; currency: string }

/** The balance and its ledger lines, newest first; of a period also the balances before and after it. */
export async function readAccount(
  deps: { db: Db },
  { organisation_id, currency }: Holder,
  query: PageQuery,
  filter: LedgerFilter = {},
): Promise<{ account: Account; pagination: Pagination }> {
  const { db } = deps
  const page = readPage(query, isLineNumber)
  const { balance, sequence, low_balance, credit_limit } = await readAccountRow(db, organisation_id)
  const period = await findPeriod(db, organisation_id, sequence, filter)
  const narrowed = { ...period, kind: filter.kind, about: filter.about, hides: filter.hides }
  const from = page.before === undefined ? period.last : least(period.last, BigInt(page.before) - 1n)
  // Without a filter lines are numbered without gaps: a page is a range of numbers, and the count follows from it.
  const unfiltered = filter.kind === undefined && filter.about === undefined && filter.hides === undefined
  const top = unfiltered ? from - BigInt(page.skip) : from
  const [lines, count_total, balances] = await Promise.all([
    listLines(
      db,
      organisation_id,
      { ...narrowed, last: top },
      { skip: unfiltered ? 0 : page.skip, limit: page.limit + 1 },
    ),
    unfiltered ? Number(period.last - period.after) : countLines(db, organisation_id, narrowed, COUNT_LIMIT),
    isOfTime(filter) ? balancesAround(db, organisation_id, period) : {},
  ])
  const { rows, pagination } = paginate(page, lines.map(entry), count_total, '0')
  const low = present('low_balance', low_balance === null ? null : moneyToNumber(low_balance))
  const credit = present('credit_limit', credit_limit === 0n ? null : moneyToNumber(credit_limit))
  return {
    account: { balance: moneyToNumber(balance), currency, ...low, ...credit, ...balances, entries: rows },
    pagination,
  }
}

const HEAD = [
  'id',
  'created_datetime',
  'kind',
  'amount',
  'balance_after',
  'subject_id',
  'subjects',
  'recipient',
  'note',
]
const LINES_PER_READ = 1_000

/** Streams the lines as CSV. Lines written during the export are not included. */
export async function* exportLedger(
  { db }: { db: Db },
  organisation_id: string,
  filter: LedgerFilter,
): AsyncGenerator<string> {
  yield `\ufeff${csvLine(HEAD)}`
  const { sequence } = await readAccountRow(db, organisation_id)
  const period = await findPeriod(db, organisation_id, sequence, filter)
  let { last } = period
  for (;;) {
    const narrowed = { after: period.after, last, kind: filter.kind, about: filter.about }
    const lines = await listLines(db, organisation_id, narrowed, { skip: 0, limit: LINES_PER_READ })
    yield lines
      .map(entry)
      .map((line) =>
        csvLine([
          line.id,
          line.created_datetime,
          line.kind,
          String(line.amount),
          String(line.balance_after),
          line.subject_id,
          String(line.subjects ?? 1),
          line.recipient ?? '',
          line.note ?? '',
        ]),
      )
      .join('')
    const oldest = lines.at(-1)
    if (lines.length < LINES_PER_READ || !oldest) return
    last = oldest.sequence - 1n
  }
}

function isLineNumber(text: string): boolean {
  return /^\d{1,18}$/.test(text)
}

function isOfTime({ from_ms, until_ms }: LedgerFilter): boolean {
  return from_ms !== undefined || until_ms !== undefined
}

async function balancesAround(db: Db, organisation_id: string, { after, last }: Period) {
  const [opening, closing] = await Promise.all([
    readBalanceAfter(db, organisation_id, after),
    readBalanceAfter(db, organisation_id, last),
  ])
  return { opening_balance: moneyToNumber(opening), closing_balance: moneyToNumber(closing) }
}

/**
 * The lines of a period. Lines are numbered in commit order, which is nearly the order of their times, so the bounds are
 * found by binary search over the numbers, without an index by time that every charge would pay for. A period is always a
 * range of numbers, so the balances before and after it differ by exactly its lines.
 */
async function findPeriod(
  db: Db,
  organisation_id: string,
  newest: bigint,
  { from_ms, until_ms }: LedgerFilter,
): Promise<Period> {
  const [after, last] = await Promise.all([
    from_ms === undefined ? 0n : lastBefore(db, organisation_id, newest, from_ms),
    until_ms === undefined ? newest : lastBefore(db, organisation_id, newest, until_ms + 1),
  ])
  return { after, last: last > after ? last : after }
}

/** Lines probed per query: a ledger of a billion lines is searched in five queries. */
const PROBES = 64n

async function lastBefore(db: Db, organisation_id: string, newest: bigint, ms: number): Promise<bigint> {
  const moment = answerTime(ms)
  let low = 0n // written before the moment, or no line
  let high = newest + 1n // written at or after it
  while (high - low > 1n) {
    const step = (high - low + PROBES - 1n) / PROBES
    const probes: bigint[] = []
    for (let probe = low + step; probe < high; probe += step) probes.push(probe)
    const before = new Set(await findBefore(db, organisation_id, probes, moment))
    for (const probe of probes) {
      if (before.has(probe)) low = probe
      else {
        high = probe
        break
      }
    }
  }
  return low
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** A ledger line as the API returns it. */
export function entry(line: LedgerLine): LedgerEntry {
  return {
    id: String(line.sequence),
    kind: line.kind,
    amount: moneyToNumber(line.amount),
    balance_after: moneyToNumber(line.balance_after),
    subject_id: line.subject_id,
    ...present('subjects', line.subjects > 1 ? line.subjects : null),
    ...present('recipient', line.subject_key || null),
    ...present('note', line.note),
    created_datetime: line.created_datetime,
  }
}
