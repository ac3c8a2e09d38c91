import type { Db } from '../../db/connect.ts'
import type { Meters } from '../../observe/meters.ts'
import type { Log } from '../../values/log.ts'
import { moneyToNumber } from '../../values/money.ts'
import { startInbound } from '../inbound/inbound.ts'
import type { MessageCarrier, OutgoingMessage, SubmitOutcome, TakeReports, TakeTexts } from '../message-carrier.ts'
import { makeRest } from '../rest.ts'
import { makeHttpClient } from '../../values/http/client.ts'
import { outcomeOf, type Verdict } from './answer.ts'
import { startBalance } from './balance.ts'
import { makeCalls, type Answers, type Called } from './calls.ts'
import { groupMessages } from './group.ts'
import { nameOf } from './naming.ts'
import { startQueries } from './query.ts'
import type { HttpSettings } from './schema.ts'
import { makeTurn } from './turns.ts'
import { makeVendor } from './vendor.ts'

export type HttpCarrierDeps = {
  db: Db
  log: Log
  meters: Meters
  takeReports: TakeReports
  takeTexts: TakeTexts
  public_url: string
}

const LARGEST_BATCH = 32
const MOST_IN_HAND = 1_000
/** So many seconds' worth of a limited rate are in hand: who comes with a one-time password waits no longer. */
const RATE_IN_HAND_S = 2
const UNREACHED_S = 5
const PAUSED_S = 60
/** After so many messages in a row of which nobody knows the fate, the vendor rests; then a single one is enough. */
const UNCLEAR_IN_A_ROW = 10
const LONGEST_REST_S = 60
const STOP_GRACE_MS = 5_000
/** How long a segment of a text is recognized when the vendor posts it again; vendors do for up to a day. */
const POSTS_KNOWN_S = 2 * 24 * 3_600

const SILENCE: Verdict = {
  outcome: 'unknown',
  ids: [],
  code: '',
  description: 'the vendor did not say',
  slow_down: false,
}

/** Any vendor that a preset describes: requests over HTTP, and reports by post. */
export function startHttp(deps: HttpCarrierDeps, settings: HttpSettings): MessageCarrier {
  const { log, meters } = deps
  const vendor = makeVendor(settings, deps.public_url)
  const { name, limits, recipients } = vendor
  const { send } = vendor.preset
  const http = makeHttpClient(limits)
  const calls = makeCalls(http, vendor)
  const rest = makeRest(deps, name)
  const rate_limit = limits.rate_per_s === undefined ? Infinity : Math.ceil(RATE_IN_HAND_S * limits.rate_per_s)
  const most = Math.max(1, Math.min(MOST_IN_HAND, limits.connections * recipients, rate_limit))
  const under_way = new Set<Promise<SubmitOutcome>>()
  let allowance = most
  let unclear = 0
  let rests = 0
  let stopping = false
  const turn = makeTurn(deps, { name, rate_per_s: limits.rate_per_s }, rest, () => stopping)
  const questions = startQueries({ ...deps, calls }, vendor)
  const balance = startBalance({ ...deps, calls }, vendor)
  const inbound = vendor.preset.texts?.segments && startInbound({ ...deps, known_s: POSTS_KNOWN_S }, name)

  async function handOver(group: readonly OutgoingMessage[], granted: Promise<boolean>): Promise<SubmitOutcome[]> {
    const may_go = await granted
    if (stopping) return group.map(() => ({ kind: 'held' }))
    if (!may_go) return group.map(() => ({ kind: 'held', retry_after_s: 1 }))
    const began = performance.now()
    const answers = await calls.send(group, () => stopping)
    meters.carrier_latency.observe({ carrier: name }, (performance.now() - began) / 1_000)
    if (isRefusedWhole(group, answers)) {
      const middle = Math.ceil(group.length / 2)
      const halves = [group.slice(0, middle), group.slice(middle)]
      return (await Promise.all(halves.map((half) => handOver(half, granted)))).flat()
    }
    return Promise.all(judge(group, answers))
  }

  /** One refusal for several messages: nothing was taken, and one of them may be the reason. They are sent in halves. */
  function isRefusedWhole(group: readonly OutgoingMessage[], { answer, before }: Answers): boolean {
    if (group.length === 1 || before.length > 0 || send.answer.each !== undefined) return false
    return answer.kind === 'answered' && read(group, answer).every(({ outcome }) => outcome === 'rejected')
  }

  function judge(group: readonly OutgoingMessage[], { answer, before }: Answers): Promise<SubmitOutcome>[] {
    if (answer.kind === 'unreached') {
      rest.unreached(UNREACHED_S, answer.description)
      log.warn({ carrier: name, reason: answer.description }, 'a carrier cannot be reached')
      return group.map(async (): Promise<SubmitOutcome> => ({ kind: 'held', retry_after_s: UNREACHED_S }))
    }
    const verdicts = read(group, answer)
    const earlier = before.map((one) => read(group, one))
    return group.map((message, n) => {
      const open = earlier.map((one) => one[n] ?? SILENCE).find(({ outcome }) => outcome === 'unknown')
      return follow(message, verdicts[n] ?? SILENCE, open)
    })
  }

  function read(group: readonly OutgoingMessage[], called: Called): Verdict[] {
    if (called.kind !== 'answered') return group.map(() => ({ ...SILENCE, description: called.description }))
    const named = group.map((message) => ({ recipient: message.recipient, id: nameOf(message) }))
    return vendor.readAnswer(named, called)
  }

  /** `open`: it was told before, and may have taken the message then. A refusal now does not say that it did not. */
  async function follow(message: OutgoingMessage, verdict: Verdict, open: Verdict | undefined): Promise<SubmitOutcome> {
    if (verdict.outcome === 'unknown') return unclearFrom(message, verdict)
    meters.carrier_answers.inc({ carrier: name, outcome: verdict.outcome })
    if (verdict.cost !== undefined && verdict.cost > 0n) {
      meters.carrier_cost.inc({ carrier: name }, moneyToNumber(verdict.cost))
    }
    unclear = 0
    rests = 0
    if (verdict.outcome === 'paused') {
      allowance = 1 // when the pause is over, one message shows whether it is
      const { code, description: reason, after_s: for_s = PAUSED_S } = verdict
      await rest.pause({ for_s, code, reason }, true).catch((fault: unknown) => {
        log.warn({ carrier: name, err: fault }, 'that a carrier pauses could not be written down')
      })
    } else {
      rest.working()
      if (verdict.slow_down) allowance = Math.max(1, Math.floor(allowance / 2))
      else allowance = Math.min(most, allowance + 1)
    }
    if (open && verdict.outcome !== 'accepted') return leftOpen(message, open)
    return outcomeOf(verdict, limits.report_due_s)
  }

  function unclearFrom(message: OutgoingMessage, verdict: Verdict): SubmitOutcome {
    meters.carrier_answers.inc({ carrier: name, outcome: 'unknown' })
    unclear += 1
    if (unclear >= (rests > 0 ? 1 : UNCLEAR_IN_A_ROW) && !stopping) {
      unclear = 0
      rests += 1
      allowance = 1
      rest.begin(Math.min(LONGEST_REST_S, UNREACHED_S * 2 ** (rests - 1)))
      const reason = verdict.description
      log.warn({ carrier: name, reason }, 'a carrier does not say what becomes of messages: it rests')
    }
    return leftOpen(message, verdict)
  }

  /** The vendor may have it. Reports and questions find it by our name for it, or by the ids of the parts it has. */
  function leftOpen(message: OutgoingMessage, { description, ids }: Verdict): SubmitOutcome {
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
    batch: Math.min(most, Math.max(LARGEST_BATCH, recipients)),
    limit: most,
    resubmittable: send.idempotent,
    room: () => (rest.resting() ? 0 : Math.max(0, allowance - under_way.size)),
    downFor: () => rest.downFor(),
    submit(messages) {
      const granted = turn(messages.length)
      const place = new Map<OutgoingMessage, Promise<SubmitOutcome>>()
      for (const group of groupMessages(messages, recipients, send.together)) {
        const outcomes = handOver(group, granted)
        for (const [n, message] of group.entries()) {
          const outcome = outcomes.then((all): SubmitOutcome => all[n] ?? { kind: 'held' })
          place.set(message, outcome)
          under_way.add(outcome)
          void outcome.finally(() => under_way.delete(outcome))
        }
      }
      return messages.map((message) => place.get(message) ?? Promise.resolve({ kind: 'held' }))
    },
    async stop() {
      stopping = true
      const grace = setTimeout(() => void http.stop(), STOP_GRACE_MS)
      await Promise.allSettled(under_way)
      clearTimeout(grace)
      await http.stop() // breaks off questions, too
      await Promise.all([questions.stop(), balance.stop(), inbound?.stop()])
    },
  }
}
