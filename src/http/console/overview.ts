import { Type } from '../../values/schema/type.ts'
import { readAccountRow } from '../../billing/store.ts'
import { FIGURES, zeroFigures } from '../../observe/figures.ts'
import { readActivity, readPace, type Slot } from '../../observe/activity-store.ts'
import { countInIntake } from '../../messaging/intake/store.ts'
import { countJobs } from '../../queue/depth-store.ts'
import { forOperators, viewerOf } from '../../users/viewer.ts'
import { moneyToNumber } from '../../values/money.ts'
import { present } from '../../values/record.ts'
import { cached } from '../../values/concurrency/cached.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { readChecklist } from './checklist-store.ts'
import { makeFindAttention } from './overview/attention.ts'
import { ChecklistAnswer, Overview, type Range, type Series, type Totals } from './overview/schema.ts'

const RANGES = {
  hour: { past_s: 3_600, step_s: 60, remembered_ms: 1_000 },
  day: { past_s: 86_400, step_s: 900, remembered_ms: 5_000 },
  month: { past_s: 30 * 86_400, step_s: 21_600, remembered_ms: 30_000 },
} as const satisfies Record<Range, object>

const Query = Type.Object({
  range: Type.Optional(Type.Unsafe<Range>({ type: 'string', enum: Object.keys(RANGES), default: 'hour' })),
})

/** Longer queues are reported as this long. */
const MOST_WAITING = 10_000
const ENDS = ['delivered', 'undelivered', 'expired', 'rejected', 'failed', 'unknown'] as const

/** Figures and series of the overview, cached for all its viewers. */
export function overviewRoutes(deps: HttpDeps): Route[] {
  const now = cached(1_000, (organisation_id) => readNow(deps, organisation_id))
  const past = {
    hour: cached(RANGES.hour.remembered_ms, (id) => readPast(deps, id, RANGES.hour)),
    day: cached(RANGES.day.remembered_ms, (id) => readPast(deps, id, RANGES.day)),
    month: cached(RANGES.month.remembered_ms, (id) => readPast(deps, id, RANGES.month)),
  }

  const findAttention = makeFindAttention(deps)

  return [
    route({
      method: 'GET',
      path: '/console/api/overview',
      who: 'organisation',
      area: 'overview',
      summary: 'Read the overview',
      answer: Overview,
      query: Query,
      compress: true,
      run: async ({ caller, visitor, query }) => {
        const { organisation_id, currency } = caller
        const { range = 'hour' } = query
        const [{ low_balance, credit_limit, ...figures }, series, carriers] = await Promise.all([
          now(organisation_id),
          past[range](organisation_id),
          deps.carrierStates(),
        ])
        const state = { balance: figures.balance, low_balance, credit_limit, carriers }
        const attention = await findAttention(organisation_id, visitor, state)
        const of_operators = forOperators(viewerOf({ visitor }), { carriers })
        return { range, currency, ...figures, ...series, ...of_operators, attention }
      },
    }),

    route({
      method: 'GET',
      path: '/console/api/checklist',
      who: 'organisation',
      area: 'overview',
      summary: 'Read the setup checklist',
      answer: ChecklistAnswer,
      run: ({ caller }) => readChecklist(deps.db, caller.organisation_id),
    }),
  ]
}

type Current = Pick<Overview, 'balance' | 'now'> & { low_balance: number | undefined; credit_limit: number }

async function readNow(deps: HttpDeps, organisation_id: string): Promise<Current> {
  const [{ balance, low_balance, credit_limit }, pace, new_ones, queued] = await Promise.all([
    readAccountRow(deps.db, organisation_id),
    readPace(deps.db, organisation_id),
    countInIntake(deps.db, organisation_id),
    countJobs(deps.db, organisation_id, deps.route_queues, MOST_WAITING + 1),
  ])
  const waiting = new_ones + queued
  return {
    balance: moneyToNumber(balance),
    low_balance: low_balance === null ? undefined : moneyToNumber(low_balance),
    credit_limit: moneyToNumber(credit_limit),
    now: {
      // The current minute, and the part of the previous one that completes sixty seconds.
      messages_per_minute: Math.round(pace.running + pace.before * Math.max(0, 1 - pace.into_s / 60)),
      queue_depth: Math.min(waiting, MOST_WAITING),
      queue_depth_capped: waiting > MOST_WAITING,
    },
  }
}

async function readPast(
  deps: HttpDeps,
  organisation_id: string,
  range: { past_s: number; step_s: number },
): Promise<Pick<Overview, 'step_s' | 'totals' | 'previous' | 'series'>> {
  const { past_s, step_s } = range
  const [{ now_s, slots }, before] = await Promise.all([
    readActivity(deps.db, organisation_id, range),
    readActivity(deps.db, organisation_id, { ...range, step_s: past_s, ago_s: past_s }),
  ])
  return {
    step_s,
    totals: totalsOf(slots),
    previous: totalsOf(before.slots),
    series: seriesOf(slots, { from_s: now_s - past_s, until_s: now_s, step_s }),
  }
}

function totalsOf(slots: readonly Slot[]): Totals {
  const sums = zeroFigures()
  for (const figure of FIGURES) sums[figure] = slots.reduce((sum, slot) => sum + slot[figure], 0)
  const ended = ENDS.reduce((sum, end) => sum + sums[end], 0)
  return {
    ...sums,
    spend: sums.spend / 10_000,
    refunds: sums.refunds / 10_000,
    ...present('delivery_rate', ended === 0 ? null : sums.delivered / ended),
    ...present('otp_conversion', sums.otp_sent === 0 ? null : Math.min(1, sums.otp_verified / sums.otp_sent)),
  }
}

/** One value per step, zero where nothing happened: a chart needs equal columns. */
function seriesOf(
  slots: readonly Slot[],
  { from_s, until_s, step_s }: { from_s: number; until_s: number; step_s: number },
): Series {
  const by_time = new Map(slots.map((slot) => [slot.slot, slot]))
  const first = Math.floor(from_s / step_s) * step_s + step_s
  const time: number[] = []
  for (let at = first; at <= until_s; at += step_s) time.push(at)
  const column = (of: (slot: Slot) => number): number[] =>
    time.map((at) => {
      const slot = by_time.get(at)
      return slot ? of(slot) : 0
    })
  return {
    time,
    accepted: column(({ accepted }) => accepted),
    delivered: column(({ delivered }) => delivered),
    failed: column(({ undelivered, expired, rejected, failed }) => undelivered + expired + rejected + failed),
    spend: column(({ spend }) => spend / 10_000),
    otp_sent: column(({ otp_sent }) => otp_sent),
    otp_verified: column(({ otp_verified }) => otp_verified),
  }
}
