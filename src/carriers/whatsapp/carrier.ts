import type { Db } from '../../db/connect.ts'
import type { Meters } from '../../observe/meters.ts'
import type { Log } from '../../values/log.ts'
import type { MessageCarrier, OutgoingMessage, SubmitOutcome, TakeOptouts } from '../message-carrier.ts'
import { makeRest } from '../rest.ts'
import { describeError, judgeError } from './codes.ts'
import { makeGraph, type SendAnswer } from './graph.ts'
import type { WhatsappSettings } from './schema.ts'
import { startSync } from './start-sync.ts'
import { isSubmission } from './store.ts'
import { makeTurns } from './turns.ts'
import { standIn, writeMessage } from './wire.ts'

export type WhatsappDeps = { db: Db; log: Log; meters: Meters; takeOptouts: TakeOptouts }

const BATCH = 32
/** Messages under way at once; fewer while Meta says that it is too fast. */
const AT_MOST = 128
/** People may be offline for days: without a word in that time the message is `unknown`, and a later word still counts. */
const REPORT_DUE_S = 72 * 3_600
const OTP_REPORT_DUE_S = 3_600
/** What nobody answered for is `unknown` by then, if Meta has not mentioned it. */
const UNCLEAR_DUE_S = 900
const UNREACHED_S = 5
const STOP_GRACE_MS = 5_000

/** A business number at WhatsApp's Cloud API: one call for each message, and the news comes by webhook. */
export function startWhatsapp(deps: WhatsappDeps, settings: WhatsappSettings): MessageCarrier {
  const graph = makeGraph(settings)
  const rest = makeRest(deps, settings.name)
  const turns = makeTurns(deps, settings, rest)
  const sync = startSync({ ...deps, graph }, settings)
  const under_way = new Set<Promise<SubmitOutcome>>()
  let allowance = AT_MOST
  let stopping = false

  async function handOver(message: OutgoingMessage, turn: Promise<number>): Promise<SubmitOutcome> {
    const wait_s = await turn
    if (stopping) return { kind: 'held' }
    if (wait_s > 0) return { kind: 'held', retry_after_s: wait_s }
    return judge(message, await graph.send(writeMessage(message, settings.otp_template)))
  }

  async function judge(message: OutgoingMessage, answer: SendAnswer): Promise<SubmitOutcome> {
    switch (answer.kind) {
      case 'taken':
        rest.working()
        allowance = Math.min(AT_MOST, allowance + 1)
        return { kind: 'accepted', carrier_message_id: answer.wamid, report_due_s: reportDue(message) }
      case 'unreached':
        rest.unreached(UNREACHED_S, answer.description)
        deps.log.warn({ carrier: settings.name, reason: answer.description }, 'WhatsApp cannot be reached')
        return { kind: 'held', retry_after_s: UNREACHED_S }
      case 'unclear':
        return unclear(message, answer.description)
      case 'refused':
        return refused(message, answer)
    }
  }

  /**
   * Meta may have it. Sending it again could mean twice, so it counts as handed over under a name of our own until the
   * webhook tells, by our reference, what became of it, which it may have begun to. A one-time password may be sent again.
   */
  async function unclear(message: OutgoingMessage, description: string): Promise<SubmitOutcome> {
    if (message.token !== undefined) return { kind: 'unknown', description }
    const carrier_message_id = standIn(message)
    const is_known = await isSubmission(deps.db, settings.name, carrier_message_id).catch(() => false)
    return { kind: 'accepted', carrier_message_id, report_due_s: is_known ? REPORT_DUE_S : UNCLEAR_DUE_S }
  }

  async function refused(
    { attempt, organisation_id, recipient }: OutgoingMessage,
    answer: Extract<SendAnswer, { kind: 'refused' }>,
  ): Promise<SubmitOutcome> {
    const verdict = judgeError(answer.code, answer.status, attempt)
    const code = answer.code === undefined ? `http ${answer.status}` : String(answer.code)
    const description = describeError(answer.code, answer.words)
    if (verdict.action === 'fail') {
      if (verdict.opted_out) await noteOptout(organisation_id, recipient)
      return { kind: 'rejected', code, description }
    }
    if (verdict.action === 'retry') {
      if (verdict.slow_down) allowance = Math.max(1, Math.floor(allowance / 2))
      return { kind: 'temporary', code, description, retry_after_s: verdict.after_s }
    }
    allowance = 1 // when the pause is over, one message shows whether it is
    await rest.pause({ for_s: verdict.for_s, code, reason: description }, verdict.alert).catch((fault: unknown) => {
      deps.log.warn({ carrier: settings.name, err: fault }, 'that a carrier pauses could not be written down')
    })
    return { kind: 'held', retry_after_s: 1 }
  }

  /** If it cannot be stored now, it is with the next message: Meta refuses that as well. */
  async function noteOptout(organisation_id: string, recipient: string): Promise<void> {
    const carrier = settings.name
    await deps.takeOptouts([{ carrier, recipient, organisation_id }]).catch((fault: unknown) => {
      deps.log.warn({ carrier, err: fault }, 'an opt-out could not be stored')
    })
  }

  return {
    name: settings.name,
    batch: BATCH,
    limit: AT_MOST,
    resubmittable: false,
    room: () => (rest.resting() ? 0 : Math.max(0, allowance - under_way.size)),
    downFor: () => rest.downFor(),
    submit(messages) {
      const granted = turns(messages)
      return messages.map((message, n) => {
        const turn = granted.then((waits) => waits[n] ?? 0)
        const outcome = handOver(message, turn)
        under_way.add(outcome)
        return outcome.finally(() => under_way.delete(outcome))
      })
    },
    async stop() {
      stopping = true
      const grace = setTimeout(() => void graph.stop(), STOP_GRACE_MS)
      await Promise.allSettled(under_way)
      clearTimeout(grace)
      await graph.stop() // breaks off a look at the templates, too
      await sync.stop()
    },
  }
}

function reportDue({ token }: OutgoingMessage): number {
  return token === undefined ? REPORT_DUE_S : OTP_REPORT_DUE_S
}
