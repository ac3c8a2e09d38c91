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

/** What became of the messages and one-time passwords of some days, by what they were. */
export async function readAnalytics(
  deps: { db: Db },
  { organisation_id, currency }: { organisation_id: string; currency: string },
  query: Partial<AnalyticsQuery>,
  shape_faults: readonly Fault[],
): Promise<AnalyticsReport> {
  const clock = await readClock(deps.db, organisation_id)
  const { stretch, interval, previous } = readPeriod(clock, query, shape_faults)
  const { by, value } = query
  const subject = by !== undefined && value !== undefined ? { dimension: by, value } : undefined
  const [present_part, previous_part, values] = await Promise.all([
    readPart(deps.db, organisation_id, stretch, subject),
    previous && readPart(deps.db, organisation_id, previous, subject),
    by && readDimension(deps.db, organisation_id, by, stretch, previous),
  ])
  return {
    from: stretch.from,
    until: stretch.until,
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

async function readPart(db: Db, organisation_id: string, stretch: Period, subject: Subject): Promise<Part> {
  const steps = await readSteps(db, organisation_id, stretch, subject)
  const shows_otps = hasOtps(subject?.dimension)
  const totals = zeroCounts()
  for (const counted of steps.values()) addCounted(totals, counted)
  return {
    totals: figuresOf(totals, shows_otps),
    series: stretch.starts.map((at_ms, n) => ({
      start_datetime: answerTime(at_ms),
      ...figuresOf(steps.get(n) ?? zeroCounts(), shows_otps),
    })),
  }
}

async function readDimension(
  db: Db,
  organisation_id: string,
  by: Dimension,
  stretch: Period,
  previous: Period | undefined,
): Promise<Pick<AnalyticsReport, 'values' | 'other'>> {
  const rows = await readTopValues(db, organisation_id, stretch, by, MAX_SHOWN_VALUES)
  const shown = rows.map(({ value }) => value).filter((value) => value !== OTHER)
  const earlier = previous && (await readValues(db, organisation_id, previous, by, shown))
  const names = by === 'template' ? await findTemplateNames(db, organisation_id, shown) : undefined
  const before = new Map(earlier?.map((row) => [row.value, row]))
  const told = ({ value, ...counted }: ValueRow) => ({
    ...figuresOf(counted, hasOtps(by)),
    ...present('previous', earlier && figuresOf(before.get(value) ?? zeroCounts(), hasOtps(by))),
  })
  const other = rows.find(({ value }) => value === OTHER) ?? (before.has(OTHER) ? NOTHING_ELSE : undefined)
  return {
    values: rows
      .filter(({ value }) => value !== OTHER)
      .map((row) => ({ value: row.value, ...present('name', names?.get(row.value)), ...told(row) })),
    ...present('other', other && told(other)),
  }
}

const NOTHING_ELSE: ValueRow = { value: OTHER, ...zeroCounts() }

/** A one-time password has a number, and with it a country and an operator; what else its message has is the message's. */
function hasOtps(dimension: Dimension | undefined): boolean {
  return dimension === undefined || dimension === 'country' || dimension === 'operator'
}

function figuresOf(counted: Counted, shows_otps: boolean): AnalyticsFigures {
  const { accepted, delivered, failed, unknown, canceled, pages, cost, refunded } = counted
  const ended = delivered + failed + unknown
  return {
    accepted,
    delivered,
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
    // What a process that was killed had not written down may be missing on either side.
    unverified: Math.max(0, requested - verified - failed),
    ...present('conversion', requested > 0 ? Math.min(1, verified / requested) : undefined),
  }
}
