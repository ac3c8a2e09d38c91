import type { MessageCarrier, OutgoingMessage } from '../../carriers/message-carrier.ts'
import type { Log } from '../../values/log.ts'
import type { Seal } from '../../values/secrets/seal.ts'
import type { LeasedDelivery } from '../intake/leased-row.ts'
import type { Outcome } from './decide.ts'
import { attemptOf } from './record-intake.ts'
import { sortTurn, type Turn } from './prepare.ts'
import type { DispatchTarget } from './target.ts'

/** Hands a batch to the carrier; tells of each, once, what became of it. */
export type HandOver = (deliveries: readonly LeasedDelivery[]) => Promise<void>

const NOT_TAKEN: Outcome = { kind: 'held' }
/** It may have been sent: sending it again could mean sending it twice. */
const UNANSWERED: Outcome = { kind: 'unknown', description: 'the carrier did not say what became of it' }

/** What counts for a message of which a carrier has said nothing, or failed with it. */
export function unansweredBy({ resubmittable }: Pick<MessageCarrier, 'resubmittable'>): Outcome {
  return resubmittable ? NOT_TAKEN : UNANSWERED
}

export function makeHandOver(
  deps: { log: Log; seal: Seal },
  target: DispatchTarget,
  told: (delivery: LeasedDelivery, outcome: Outcome) => void,
): HandOver {
  const { carrier } = target
  const unanswered = unansweredBy(carrier)

  return async (deliveries) => {
    const ready: { delivery: LeasedDelivery; message: OutgoingMessage }[] = []
    for (const delivery of deliveries) {
      const { message, outcome } = sortTurn(deps, target, turnOf(delivery))
      if (outcome) told(delivery, outcome)
      else if (message) ready.push({ delivery, message })
    }
    if (ready.length === 0) return
    const answers = carrier.submit(ready.map(({ message }) => message))
    if (Array.isArray(answers)) {
      for (const [n, { delivery }] of ready.entries()) {
        const answer = answers[n]
        const failed = (fault: unknown): void => {
          deps.log.error({ queue: target.queue, err: fault }, 'a carrier failed with a message')
          told(delivery, unanswered)
        }
        if (answer) void answer.then((outcome) => told(delivery, outcome), failed)
        else told(delivery, unanswered)
      }
      return
    }
    const outcomes = await answers.catch((fault: unknown) => {
      deps.log.error({ queue: target.queue, err: fault }, 'a carrier took nothing of a batch')
      return ready.map((): Outcome => NOT_TAKEN)
    })
    for (const [n, { delivery }] of ready.entries()) told(delivery, outcomes[n] ?? unanswered)
  }
}

function turnOf(delivery: LeasedDelivery): Turn {
  const { row, expires_at_s } = delivery
  return {
    organisation_id: row.organisation_id,
    message_id: delivery.message_id,
    recipient: delivery.recipient,
    channel: delivery.channel,
    sender_id: delivery.sender_id,
    text: delivery.text,
    expires_in_s: expires_at_s === null ? null : expires_at_s - performance.now() / 1_000,
    attempt: attemptOf(delivery),
    sealed_text: delivery.sealed_text,
    whatsapp: delivery.whatsapp,
    is_binary: delivery.is_binary,
    promotional: delivery.promotional,
    opted_out: delivery.opted_out,
    interrupted: delivery.interrupted,
    maybe_with: null,
    trace: delivery.trace,
  }
}
