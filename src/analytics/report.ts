import { wordsOfCode } from '../carriers/delivery-codes.ts'
import type { Db } from '../db/connect.ts'
import { addCounted, zeroCounts, OTHER, type Counted, type Dimension } from '../observe/analytics/figures.ts'
import { readClock } from '../organisations/time-zone.ts'
import { findTemplateNames } from '../templates/store.ts'
import { present } from '../values/record.ts'
import type { Fault } from '../values/refusal.ts'
import { answerTime } from '../values/time/moment.ts'
import { MAX_SHOWN_VALUES, type AnalyticsFigures, type AnalyticsQuery, type AnalyticsReport } from './schema.ts'
import { readPeriod, type Period } from './period.ts'
import { readSteps, readTopValues, readValues, type Subject, type ValueRow } from './store.ts'

/** Outcomes of the messages and one-time passwords of a period, optionally grouped by a dimension. */
export async function readAnalytics(
  deps: { db: Db },
  { organisation_id, currency }: { organisation_id: string; currency: string },
  query: Partial<AnalyticsQuery>,
  shape_faults: readonly Fault[],
): Promise<AnalyticsReport> {
  const clock = await readClock(deps.db, organisation_id)
  const { period, interval, previous } = readPeriod(clock, query, shape_faults)
  const { by, value } = query
  const subject = by !== undefined && value !== undefined ? { dimension: by, value } : undefined
  const [present_part, previous_part, values] = await Promise.all([
    readPart(deps.db, organisation_id, period, subject),
    previous && readPart(deps.db, organisation_id, previous, subject),
    by && readDimension(deps.db, organisation_id, by, period, previous),
  ])
  return {
    from: period.from,
    until: period.until,
    time_zone: clock.time_zone,
    interval,
    currency,
    ...present_part,
    ...present('by', by),
    ...values,
    ...present(
      'previous',
      previous && previous_part && { from: previous.from, until: previous.until, ...previous_part },
    ),
  }
}

type Part = Pick<AnalyticsReport, 'totals' | 'series'>

async function readPart(db: Db, organisation_id: string, period: Period, subject: Subject): Promise<Part> {
  const steps = await readSteps(db, organisation_id, period, subject)
  const shows_otps = hasOtps(subject?.dimension)
  const totals = zeroCounts()
  for (const counted of steps.values()) addCounted(totals, counted)
  return {
    totals: figuresOf(totals, shows_otps),
    series: period.starts.map((at_ms, n) => ({
      start_datetime: answerTime(at_ms),
      ...figuresOf(steps.get(n) ?? zeroCounts(), shows_otps),
    })),
  }
}

async function readDimension(
  db: Db,
  organisation_id: string,
  by: Dimension,
  period: Period,
  previous: Period | undefined,
): Promise<Pick<AnalyticsReport, 'values' | 'other'>> {
  const rows = await readTopValues(db, organisation_id, period, by, MAX_SHOWN_VALUES)
  const shown = rows.map(({ value }) => value).filter((value) => value !== OTHER)
  const earlier = previous && (await readValues(db, organisation_id, previous, by, shown))
  const names = by === 'template' ? await findTemplateNames(db, organisation_id, shown) : undefined
  const before = new Map(earlier?.map((row) => [row.value, row]))
  const figuresWithPrevious = ({ value, ...counted }: ValueRow) => ({
    ...figuresOf(counted, hasOtps(by)),
    ...present('previous', earlier && figuresOf(before.get(value) ?? zeroCounts(), hasOtps(by))),
  })
  const other = rows.find(({ value }) => value === OTHER) ?? (before.has(OTHER) ? NOTHING_ELSE : undefined)
  return {
    values: rows
      .filter(({ value }) => value !== OTHER)
      .map((row) => ({
        value: row.value,
        ...present('name', names?.get(row.value)),
        ...(by === 'error' ? wordsOfCode(row.value) : {}),
        ...figuresWithPrevious(row),
      })),
    ...present('other', other && figuresWithPrevious(other)),
  }
}

const NOTHING_ELSE: ValueRow = { value: OTHER, ...zeroCounts() }

/** One-time passwords are counted by country and operator only; the other dimensions are those of messages. */
function hasOtps(dimension: Dimension | undefined): boolean {
  return dimension === undefined || dimension === 'country' || dimension === 'operator'
}

function figuresOf(counted: Counted, shows_otps: boolean): AnalyticsFigures {
  const { accepted, delivered, read, failed, unknown, canceled, pages, cost, refunded } = counted
  const ended = delivered + failed + unknown
  return {
    accepted,
    delivered,
    ...present('read', read > 0 ? read : undefined),
    failed,
    unknown,
    canceled,
    pages,
    cost: cost / 10_000,
    refunded: refunded / 10_000,
    ...present('delivery_rate', ended > 0 ? delivered / ended : undefined),
    ...(shows_otps ? { otp: otpFigures(counted) } : {}),
  }
}

function otpFigures({ otp_requested: requested, otp_verified: verified, otp_failed: failed }: Counted) {
  return {
    requested,
    verified,
    failed,
    // A killed process may have lost counts on either side.
    unverified: Math.max(0, requested - verified - failed),
    ...present('conversion', requested > 0 ? Math.min(1, verified / requested) : undefined),
  }
}
