import type { Db } from '../db/connect.ts'
import type { Log } from '../values/log.ts'
import { ERASED } from '../values/secrets/pseudonym.ts'
import { noteCarrierFacts } from './facts-store.ts'
import type { NumberKnowledge } from './knowledge.ts'

/** The outcome of a message, as far as it concerns the number. */
export type NumberOutcome = {
  recipient: string
  channel: string
  status: string
  code: string | null
  operator?: string | null | undefined
}

/** Stores facts from delivery reports, in one statement per batch. Never rejects: a lost fact comes with the next report. */
export type NoteFacts = (outcomes: readonly NumberOutcome[]) => Promise<void>

export function makeNoteFacts(
  deps: { db: Db; log: Log; numbers: NumberKnowledge },
  dnd_codes: readonly string[],
): NoteFacts {
  const { table, spellOperator } = deps.numbers

  // The same codes have another meaning for rejected or expired messages, and on other channels.
  const isDndOutcome = ({ channel, status, code }: NumberOutcome): boolean =>
    channel === 'sms' && status === 'undelivered' && code !== null && dnd_codes.includes(code)

  return async (outcomes) => {
    const facts = outcomes.flatMap((one) => {
      const dnd = isDndOutcome(one)
      if ((!dnd && !one.operator) || one.recipient.startsWith(ERASED)) return [] // the person was erased
      const { country } = table.originOf(one.recipient)
      const operator = one.operator ? spellOperator(one.operator, country) : null
      return [{ msisdn: one.recipient, operator, dnd }]
    })
    if (facts.length === 0) return
    try {
      await noteCarrierFacts(deps.db, facts)
    } catch (fault) {
      deps.log.warn({ err: fault }, 'facts about numbers could not be stored')
    }
  }
}
