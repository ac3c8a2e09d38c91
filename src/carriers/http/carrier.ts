import type { Db } from '../../db/connect.ts'
import type { Meters } from '../../observe/meters.ts'
import { makeHttpClient, type HttpAnswer } from '../../values/http/client.ts'
import type { Log } from '../../values/log.ts'
import { moneyToNumber } from '../../values/money.ts'
import { makeAvailability } from '../availability.ts'
import { startInbound } from '../inbound/inbound.ts'
import type { CarrierKind } from '../kind.ts'
import type { MessageCarrier, OutgoingMessage, SubmitOutcome, TakeReports, TakeTexts } from '../message-carrier.ts'
import { makeRateLimit } from '../rate-limit.ts'
import { outcomeOf, type Verdict } from './answer.ts'
import { startBalance } from './balance.ts'
import { makeCalls, type Answers } from './calls.ts'
import { describeHttp } from './describe.ts'
import { feedbackOutcome } from './feedback.ts'
import { groupMessages } from './group.ts'
import { nameOf } from './naming.ts'
import { startQueries } from './query.ts'
import type { HttpSettings } from './schema.ts'
import { makeVendor } from './vendor.ts'

export type HttpCarrierDeps = {
  db: Db
  log: Log
  meters: Meters
  takeReports: TakeReports
  takeTexts: TakeTexts
  public_url: string
}

export const httpKind: CarrierKind<HttpSettings, HttpCarrierDeps> = { start: startHttp, describe: describeHttp }

const MIN_BATCH = 32
const MAX_IN_FLIGHT = 1_000
/** With a rate limit, at most this many seconds' worth of messages are in flight: a one-time password waits no longer. */
const MAX_RATE_LIMITED_S = 2
const UNREACHED_S = 5
const PAUSED_S = 60
/** After this many consecutive messages without a known outcome the carrier backs off; after that, a single one suffices. */
const MAX_CONSECUTIVE_UNKNOWN = 10
const MAX_BACK_OFF_S = 60
const STOP_GRACE_MS = 5_000
/** How long a segment of a text is recognised if the vendor posts it again; vendors retry for up to a day. */
const POSTS_KNOWN_S = 2 * 24 * 3_600

const NO_VERDICT: Verdict = {
  outcome: 'unknown',
  ids: [],
  code: '',
  description: 'the vendor did not say',
  slow_down: false,
}

/** A vendor that a preset describes: messages go out as HTTP requests, and reports come in as HTTP posts. */
function startHttp(deps: HttpCarrierDeps, settings: HttpSettings): MessageCarrier {
  const { log, meters } = deps
  const vendor = makeVendor(settings, deps.public_url)
  const { name, limits, recipients } = vendor
  const { send } = vendor.preset
  const { writeFeedback } = vendor
  const http = makeHttpClient(limits)
  const calls = makeCalls(http, vendor)
  const availability = makeAvailability(deps, name)
  const rate_limit = makeRateLimit(deps, { name, rate_per_s: limits.rate_per_s }, availability)
  const max_rate_limited = Math.ceil(MAX_RATE_LIMITED_S * (limits.rate_per_s ?? Infinity))
  const max_in_flight = Math.max(1, Math.min(MAX_IN_FLIGHT, limits.connections * recipients, max_rate_limited))
  const in_flight = new Set<Promise<SubmitOutcome>>()
  /** Messages that may be in flight now: halved when the vendor asks to slow down, then raised by one per message. */
  let window = max_in_flight
  let consecutive_unknown = 0
  let back_offs = 0
  let stopping = false
  const queries = startQueries({ ...deps, calls }, vendor)
  const balance = startBalance({ ...deps, calls }, vendor)
  const inbound = vendor.preset.texts?.segments && startInbound({ ...deps, known_s: POSTS_KNOWN_S }, name)

  async function submitGroup(group: readonly OutgoingMessage[], granted: Promise<boolean>): Promise<SubmitOutcome[]> {
    const is_granted = await granted
    if (stopping) return group.map(() => ({ kind: 'held' }))
    if (!is_granted) return group.map(() => ({ kind: 'held', retry_after_s: 1 }))
    const began = performance.now()
    const answers = await calls.send(group, () => stopping)
    meters.carrier_latency.observe({ carrier: name }, (performance.now() - began) / 1_000)
    if (isRefusedWhole(group, answers)) {
      const middle = Math.ceil(group.length / 2)
      const halves = [group.slice(0, middle), group.slice(middle)]
      return (await Promise.all(halves.map((half) => submitGroup(half, granted)))).flat()
    }
    return Promise.all(outcomesOf(group, answers))
  }

  /** One refusal for several messages: the vendor took none, and one of them may be the cause. They are sent in halves. */
  function isRefusedWhole(group: readonly OutgoingMessage[], { answer, before }: Answers): boolean {
    if (group.length === 1 || before.length > 0 || send.answer.each !== undefined) return false
    return answer.kind === 'answered' && read(group, answer).every(({ outcome }) => outcome === 'rejected')
  }

  function outcomesOf(group: readonly OutgoingMessage[], { answer, before }: Answers): Promise<SubmitOutcome>[] {
    if (answer.kind === 'unreached') {
      availability.unreached(UNREACHED_S, answer.description)
      log.warn({ carrier: name, reason: answer.description }, 'a carrier cannot be reached')
      return group.map(async (): Promise<SubmitOutcome> => ({ kind: 'held', retry_after_s: UNREACHED_S }))
    }
    const verdicts = read(group, answer)
    const earlier = before.map((one) => read(group, one))
    return group.map((message, n) => {
      const open = earlier.map((one) => one[n] ?? NO_VERDICT).find(({ outcome }) => outcome === 'unknown')
      return apply(message, verdicts[n] ?? NO_VERDICT, open)
    })
  }

  function read(group: readonly OutgoingMessage[], answer: HttpAnswer): Verdict[] {
    if (answer.kind !== 'answered') return group.map(() => ({ ...NO_VERDICT, description: answer.description }))
    const named = group.map((message) => ({ recipient: message.recipient, id: nameOf(message) }))
    return vendor.readAnswer(named, answer)
  }

  /** `open`: an earlier request may have been accepted. A refusal of the repeated request does not disprove that. */
  async function apply(message: OutgoingMessage, verdict: Verdict, open: Verdict | undefined): Promise<SubmitOutcome> {
    meters.carrier_answers.inc({ carrier: name, outcome: verdict.outcome })
    if (verdict.outcome === 'unknown') {
      countUnknown(verdict.description)
      return unknownOutcome(message, verdict)
    }
    if (verdict.cost !== undefined && verdict.cost > 0n) {
      meters.carrier_cost.inc({ carrier: name }, moneyToNumber(verdict.cost))
    }
    consecutive_unknown = 0
    back_offs = 0
    if (verdict.outcome === 'paused') {
      window = 1 // the first message after the pause probes whether it is over
      const { code, description: reason, after_s: for_s = PAUSED_S } = verdict
      await availability.pause({ for_s, code, reason }, true)
    } else {
      availability.working()
      window = verdict.slow_down ? Math.max(1, Math.floor(window / 2)) : Math.min(max_in_flight, window + 1)
    }
    if (open && verdict.outcome !== 'accepted') return unknownOutcome(message, open)
    return outcomeOf(verdict, limits.report_due_s)
  }

  function countUnknown(reason: string): void {
    consecutive_unknown += 1
    if (consecutive_unknown < (back_offs > 0 ? 1 : MAX_CONSECUTIVE_UNKNOWN) || stopping) return
    consecutive_unknown = 0
    back_offs += 1
    window = 1
    availability.backOff(Math.min(MAX_BACK_OFF_S, UNREACHED_S * 2 ** (back_offs - 1)))
    log.warn({ carrier: name, reason }, 'a carrier does not say whether it takes messages: backing off')
  }

  /** The vendor may have the message. Reports and queries find it by our name for it, or by the ids of accepted parts. */
  function unknownOutcome(message: OutgoingMessage, { description, ids }: Verdict): SubmitOutcome {
    const known = ids.length > 0 ? ids : send.named_by_us ? [nameOf(message)] : []
    if (known.length === 0) return { kind: 'unknown', description }
    const in_segments = send.answer.parts !== undefined && ids.length > 0
    const taken = {
      segments: in_segments ? known.length + 1 : 1,
      ids: known.map((carrier_message_id, n) => ({ segment: n + 1, carrier_message_id })),
      report_due_s: limits.report_due_s,
    }
    return { kind: 'unknown', description, taken, in_segments }
  }

  return {
    name,
    batch: Math.min(max_in_flight, Math.max(MIN_BATCH, recipients)),
    limit: max_in_flight,
    resubmittable: send.idempotent,
    freeCapacity: () => (availability.isBackingOff() ? 0 : Math.max(0, window - in_flight.size)),
    downFor: () => availability.downFor(),

    ...(writeFeedback
      ? {
          feedback: {
            report_due_s: limits.report_due_s,
            on_unverified: vendor.preset.feedback?.on_unverified === true,
            send: async (judged) => feedbackOutcome(await calls.call(writeFeedback(judged))),
          },
        }
      : {}),

    submit(messages) {
      const granted = rate_limit.acquire(messages.length, () => stopping)
      const outcome_of = new Map<OutgoingMessage, Promise<SubmitOutcome>>()
      for (const group of groupMessages(messages, recipients, send.together)) {
        const outcomes = submitGroup(group, granted)
        for (const [n, message] of group.entries()) {
          const outcome = outcomes.then((all): SubmitOutcome => all[n] ?? { kind: 'held' })
          outcome_of.set(message, outcome)
          in_flight.add(outcome)
          void outcome.finally(() => in_flight.delete(outcome))
        }
      }
      return messages.map((message) => outcome_of.get(message) ?? Promise.resolve({ kind: 'held' }))
    },

    async stop() {
      stopping = true
      const grace = setTimeout(() => void http.stop(), STOP_GRACE_MS)
      await Promise.allSettled(in_flight)
      clearTimeout(grace)
      await http.stop() // also aborts queries in flight
      await Promise.all([queries.stop(), balance.stop(), inbound?.stop()])
    },
  }
}
