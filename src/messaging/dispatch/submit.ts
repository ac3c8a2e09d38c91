import type { OutgoingMessage, SubmitOutcome } from '../../carriers/message-carrier.ts'
import type { Meters } from '../../observe/meters.ts'
import type { Log } from '../../values/log.ts'
import type { Seal } from '../../values/secrets/seal.ts'
import { noteAwaited } from '../count-evidence.ts'
import type { Outcome } from './decide.ts'
import { prepareAttempt } from './prepare.ts'
import type { Attempt, DispatchTarget } from './target.ts'

/** Nothing of it was sent. The delay keeps a carrier that always fails from being called in a loop. */
const NOT_SENT: Outcome = { kind: 'held', retry_after_s: 1 }
/** It may have been sent: a second submission could deliver it twice. */
const UNANSWERED: Outcome = { kind: 'unknown', description: 'the carrier did not say what became of it' }

/**
 * The submit step, for new messages and for retries. Submits leased deliveries to the target's carrier as one batch, and
 * passes each one's outcome to `record`, exactly once. Never rejects; resolves when all of them are recorded.
 *
 * A delivery without an answer, or whose answer fails, is recorded as `unknown` immediately, not left to the expiry of its
 * lease: either way it is not sent again, but recorded its report can be matched. Only a carrier that recognises a
 * repeated message (`resubmittable`) gets it again. A batch that fails as a whole was not sent, by the carrier's contract.
 */
export function makeSubmit<Delivery>(
  deps: { log: Log; seal: Seal; meters: Pick<Meters, 'evidence'> },
  target: DispatchTarget,
  attemptOf: (delivery: Delivery) => Attempt,
  record: (delivery: Delivery, outcome: Outcome) => Promise<void>,
): (deliveries: readonly Delivery[]) => Promise<void> {
  const { carrier, queue } = target
  const unanswered = carrier.resubmittable ? NOT_SENT : UNANSWERED

  /** One outcome per message: a promise of all of them, or one for each. */
  function submit(messages: readonly OutgoingMessage[]): Promise<readonly Outcome[]> | Promise<SubmitOutcome>[] {
    const failed = (fault: unknown): Outcome[] => {
      deps.log.error({ queue, err: fault }, 'submitting a batch to the carrier failed')
      return messages.map(() => NOT_SENT)
    }
    try {
      const answers = carrier.submit(messages)
      return Array.isArray(answers) ? answers : answers.catch(failed)
    } catch (fault) {
      return Promise.resolve(failed(fault))
    }
  }

  async function recordAnswer(delivery: Delivery, answer: Promise<SubmitOutcome> | undefined): Promise<void> {
    let outcome: Outcome | undefined
    try {
      outcome = await answer
    } catch (fault) {
      deps.log.error({ queue, err: fault }, 'submitting a message to the carrier failed')
    }
    await record(delivery, outcome ?? unanswered)
  }

  return async (deliveries) => {
    const recording: Promise<void>[] = []
    const ready: Delivery[] = []
    const messages: OutgoingMessage[] = []
    for (const delivery of deliveries) {
      const { message, outcome } = prepareAttempt(deps, target, attemptOf(delivery))
      if (outcome) recording.push(record(delivery, outcome))
      else if (message) {
        ready.push(delivery)
        messages.push(message)
      }
    }
    if (messages.length > 0) {
      if (carrier.feedback?.on_unverified) noteAwaited(deps.meters, messages)
      const answers = submit(messages)
      if (Array.isArray(answers)) {
        for (const [n, delivery] of ready.entries()) recording.push(recordAnswer(delivery, answers[n]))
      } else {
        const outcomes = await answers
        for (const [n, delivery] of ready.entries()) recording.push(record(delivery, outcomes[n] ?? unanswered))
      }
    }
    await Promise.all(recording)
  }
}
