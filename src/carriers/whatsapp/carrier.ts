import type { Db } from '../../db/connect.ts'
import type { Meters } from '../../observe/meters.ts'
import type { Log } from '../../values/log.ts'
import { describeAvailability, makeAvailability } from '../availability.ts'
import { readAvailability } from '../availability-store.ts'
import type { CarrierKind } from '../kind.ts'
import type { MessageCarrier, OutgoingMessage, SubmitOutcome, TakeOptouts } from '../message-carrier.ts'
import { makeRateLimit } from '../rate-limit.ts'
import { describeError, judgeError } from './codes.ts'
import { makeGraph, type SendAnswer } from './graph.ts'
import { makePace } from './pace.ts'
import type { WhatsappSettings } from './schema.ts'
import { isSubmission } from './store.ts'
import { startSync } from './sync.ts'
import { placeholderId, writeMessage } from './wire.ts'

export type WhatsappDeps = { db: Db; log: Log; meters: Meters; takeOptouts: TakeOptouts }

export const whatsappKind: CarrierKind<WhatsappSettings, WhatsappDeps> = {
  start: startWhatsapp,
  async describe({ db }, carriers) {
    const stored = await readAvailability(db)
    return carriers.map(({ name, kind }) => ({ name, kind, ...describeAvailability(name, stored) }))
  },
}

const BATCH = 32
const MAX_IN_FLIGHT = 128
/** Recipients may be offline for days. Without a report in this time a message is `unknown`; a later one still counts. */
const REPORT_DUE_S = 72 * 3_600
const OTP_REPORT_DUE_S = 3_600
/** When a message without an answer becomes `unknown`, unless Meta mentions it before. */
const UNCLEAR_DUE_S = 900
const UNREACHED_S = 5
const STOP_GRACE_MS = 5_000

/** A business number at WhatsApp's Cloud API: one call per message, and reports by webhook. */
function startWhatsapp(deps: WhatsappDeps, settings: WhatsappSettings): MessageCarrier {
  const { name: carrier } = settings
  const graph = makeGraph(settings)
  const availability = makeAvailability(deps, carrier)
  const pace = makePace({ ...deps, rate_limit: makeRateLimit(deps, settings, availability) }, settings)
  const sync = startSync({ ...deps, graph }, settings)
  const in_flight = new Set<Promise<SubmitOutcome>>()
  /** Messages that may be in flight now: halved when Meta asks to slow down, then raised by one per accepted message. */
  let window = MAX_IN_FLIGHT
  let stopping = false

  async function submitOne(message: OutgoingMessage, wait: Promise<number>): Promise<SubmitOutcome> {
    const wait_s = await wait
    if (stopping) return { kind: 'held' }
    if (wait_s > 0) return { kind: 'held', retry_after_s: wait_s }
    return outcomeOf(message, await graph.send(writeMessage(message, settings.otp_template)))
  }

  async function outcomeOf(message: OutgoingMessage, answer: SendAnswer): Promise<SubmitOutcome> {
    switch (answer.kind) {
      case 'taken':
        availability.working()
        window = Math.min(MAX_IN_FLIGHT, window + 1)
        return { kind: 'accepted', carrier_message_id: answer.wamid, report_due_s: reportDue(message) }
      case 'unreached':
        availability.unreached(UNREACHED_S, answer.description)
        deps.log.warn({ carrier, reason: answer.description }, 'WhatsApp cannot be reached')
        return { kind: 'held', retry_after_s: UNREACHED_S }
      case 'unclear':
        return unclearOutcome(message, answer.description)
      case 'refused':
        return refusedOutcome(message, answer)
    }
  }

  /**
   * Meta may have the message, so it is not sent again: it counts as accepted under a placeholder id until a webhook
   * names it by our reference, which may have happened already. A one-time password may be sent again.
   */
  async function unclearOutcome(message: OutgoingMessage, description: string): Promise<SubmitOutcome> {
    if (message.token !== undefined) return { kind: 'unknown', description }
    const carrier_message_id = placeholderId(message)
    const is_known = await isSubmission(deps.db, carrier, carrier_message_id).catch(() => false)
    return { kind: 'accepted', carrier_message_id, report_due_s: is_known ? REPORT_DUE_S : UNCLEAR_DUE_S }
  }

  async function refusedOutcome(
    { attempt, organisation_id, recipient }: OutgoingMessage,
    answer: Extract<SendAnswer, { kind: 'refused' }>,
  ): Promise<SubmitOutcome> {
    const verdict = judgeError(answer.code, answer.status, attempt)
    const code = answer.code === undefined ? `http ${answer.status}` : String(answer.code)
    const description = describeError(answer.code, answer.words)
    switch (verdict.action) {
      case 'fail':
        if (verdict.opted_out) await storeOptout(organisation_id, recipient)
        return { kind: 'rejected', code, description }
      case 'retry':
        if (verdict.slow_down) window = Math.max(1, Math.floor(window / 2))
        return { kind: 'temporary', code, description, retry_after_s: verdict.after_s }
      case 'pause':
        window = 1 // the first message after the pause probes whether it is over
        await availability.pause({ for_s: verdict.for_s, code, reason: description }, verdict.alert)
        return { kind: 'held', retry_after_s: 1 }
    }
  }

  /** If it cannot be stored now, it is stored with the next message: Meta refuses that one as well. */
  async function storeOptout(organisation_id: string, recipient: string): Promise<void> {
    await deps.takeOptouts([{ carrier, recipient, organisation_id }]).catch((fault: unknown) => {
      deps.log.warn({ carrier, err: fault }, 'an opt-out could not be stored')
    })
  }

  return {
    name: carrier,
    batch: BATCH,
    limit: MAX_IN_FLIGHT,
    resubmittable: false,
    freeCapacity: () => (availability.isBackingOff() ? 0 : Math.max(0, window - in_flight.size)),
    downFor: () => availability.downFor(),

    submit(messages) {
      const waits = pace(messages)
      return messages.map((message, n) => {
        const wait = waits.then((all) => all[n] ?? 0)
        const outcome = submitOne(message, wait)
        in_flight.add(outcome)
        return outcome.finally(() => in_flight.delete(outcome))
      })
    },

    async stop() {
      stopping = true
      const grace = setTimeout(() => void graph.stop(), STOP_GRACE_MS)
      await Promise.allSettled(in_flight)
      clearTimeout(grace)
      await graph.stop() // also aborts a template sync in progress
      await sync.stop()
    },
  }
}

function reportDue({ token }: OutgoingMessage): number {
  return token === undefined ? REPORT_DUE_S : OTP_REPORT_DUE_S
}
