import type { Db } from '../db/connect.ts'
import { csvLine } from '../values/csv-write.ts'
import { moneyToNumber } from '../values/money.ts'
import { COUNT_LIMIT, paginate, readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { present } from '../values/record.ts'
import { answerTime } from '../values/time/moment.ts'
import { entry } from './entry.ts'
import { countLines, findBefore, listLines, readBalanceAfter, type Narrowed, type Period } from './ledger-store.ts'
import type { Account } from './schema.ts'
import { readAccountRow } from './store.ts'

export type LedgerFilter = {
  /** Milliseconds since 1970, both included. */
  from_ms?: number | undefined
  until_ms?: number | undefined
  kind?: string | undefined
  about?: Narrowed['about']
}

type Holder = { organisation_id: string; currency: string }

/** The balance and its lines, newest first; of a stretch of time also what there was before and after it. */
export async function readAccount(
  deps: { db: Db },
  { organisation_id, currency }: Holder,
  query: PageQuery,
  filter: LedgerFilter = {},
): Promise<{ account: Account; pagination: Pagination }> {
  const { db } = deps
  const page = readPage(query, isLineNumber)
  const { balance, sequence, low_balance } = await readAccountRow(db, organisation_id)
  const stretch = await findStretch(db, organisation_id, sequence, filter)
  const narrowed = { ...stretch, kind: filter.kind, about: filter.about }
  const from = page.before === undefined ? stretch.last : least(stretch.last, BigInt(page.before) - 1n)
  // Where nothing is left out the lines are numbered without gaps: a page is a range of numbers, and counts itself.
  const whole = filter.kind === undefined && filter.about === undefined
  const top = whole ? from - BigInt(page.skip) : from
  const [lines, count_total, balances] = await Promise.all([
    listLines(db, organisation_id, { ...narrowed, last: top }, { skip: whole ? 0 : page.skip, limit: page.limit + 1 }),
    whole ? Number(stretch.last - stretch.after) : countLines(db, organisation_id, narrowed, COUNT_LIMIT),
    isOfTime(filter) ? balancesAround(db, organisation_id, stretch) : {},
  ])
  const { rows, pagination } = paginate(page, lines.map(entry), count_total, '0')
  const low = present('low_balance', low_balance === null ? null : moneyToNumber(low_balance))
  return { account: { balance: moneyToNumber(balance), currency, ...low, ...balances, entries: rows }, pagination }
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

/** The same lines as CSV, read as fast as they are taken. Lines that are written meanwhile are not in it. */
export async function* exportLedger(
  { db }: { db: Db },
  organisation_id: string,
  filter: LedgerFilter,
): AsyncGenerator<string> {
  yield `\ufeff${csvLine(HEAD)}`
  const { sequence } = await readAccountRow(db, organisation_id)
  const stretch = await findStretch(db, organisation_id, sequence, filter)
  let { last } = stretch
  for (;;) {
    const narrowed = { after: stretch.after, last, kind: filter.kind, about: filter.about }
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
 * The lines of a stretch of time. They are numbered in the order of their transactions, and so nearly in that of their
 * times: the place is searched for among the numbers (binary search), without an index by time that every charge would
 * pay for. Where two were written in the same moment, the number decides; so the stretch is always a range of numbers,
 * and what there was before and after it differs by exactly its lines.
 */
async function findStretch(
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

/** Looks at so many places at a time: a ledger of a billion lines is searched in five rounds. */
const PLACES = 64n

async function lastBefore(db: Db, organisation_id: string, newest: bigint, ms: number): Promise<bigint> {
  const moment = answerTime(ms)
  let low = 0n // written before the moment, or before all
  let high = newest + 1n // not written before it
  while (high - low > 1n) {
    const step = (high - low + PLACES - 1n) / PLACES
    const places: bigint[] = []
    for (let place = low + step; place < high; place += step) places.push(place)
    const before = new Set(await findBefore(db, organisation_id, places, moment))
    for (const place of places) {
      if (before.has(place)) low = place
      else {
        high = place
        break
      }
    }
  }
  return low
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
