import { descriptionOf } from '../carriers/delivery-codes.ts'
import type { MessageCarrier, OutgoingMessage, SubmitOutcome } from '../carriers/message-carrier.ts'

/** Ids from the first one up to, but not including, the second. */
export type IdRange = { from: string; until: string }

/**
 * A carrier that submits no message that was accepted in the sandbox: its sender was not approved, and its customer only tried
 * it. Such messages may wait when the sandbox ends, scheduled ones for months. Their ids say when they were accepted.
 */
export function refuseTried(carrier: MessageCarrier, tried: IdRange): MessageCarrier {
  const wasTried = ({ message_id }: OutgoingMessage): boolean => message_id >= tried.from && message_id < tried.until
  return {
    ...carrier,
    submit(messages) {
      if (!messages.some(wasTried)) return carrier.submit(messages)
      const others = messages.filter((message) => !wasTried(message))
      const answers = others.length === 0 ? Promise.resolve([]) : carrier.submit(others)
      if (Array.isArray(answers)) return merge(messages, answers, Promise.resolve(REFUSED))
      return answers.then((outcomes) => merge(messages, outcomes, REFUSED))
    },
  }

  /** The outcomes of all messages, in their order. */
  function merge<T>(messages: readonly OutgoingMessage[], outcomes: readonly T[], refused: T): T[] {
    const left = outcomes.values()
    return messages.flatMap((message): T[] => {
      if (wasTried(message)) return [refused]
      const next = left.next()
      return next.done ? [] : [next.value]
    })
  }
}

const REFUSED: SubmitOutcome = { kind: 'rejected', code: 'sandbox', description: descriptionOf('sandbox') }
