import type { Db } from '../db/connect.ts'
import type { Log } from '../values/log.ts'
import { ERASED } from '../values/secrets/pseudonym.ts'
import { noteCarrierFacts } from './facts-store.ts'
import type { NumberKnowledge } from './knowledge.ts'

/** What became of a message, as far as it tells something about the number. */
export type CarrierNews = {
  recipient: string
  channel: string
  status: string
  code: string | null
  operator?: string | null | undefined
}

/** Learns from what carriers report, in one statement per batch. It never fails: what is not noted is learnt next time. */
export type NoteFacts = (news: readonly CarrierNews[]) => Promise<void>

export function makeNoteFacts(
  deps: { db: Db; log: Log; numbers: NumberKnowledge },
  dnd_codes: readonly string[],
): NoteFacts {
  const { table, spellOperator } = deps.numbers

  // The same codes mean something else when a message was rejected or expired, and on other channels.
  const tellsDnd = ({ channel, status, code }: CarrierNews): boolean =>
    channel === 'sms' && status === 'undelivered' && code !== null && dnd_codes.includes(code)

  return async (news) => {
    const facts = news.flatMap((one) => {
      const dnd = tellsDnd(one)
      if ((!dnd && !one.operator) || one.recipient.startsWith(ERASED)) return [] // nobody's any more
      const { country } = table.originOf(one.recipient)
      const operator = one.operator ? spellOperator(one.operator, country) : null
      return [{ msisdn: one.recipient, operator, dnd }]
    })
    if (facts.length === 0) return
    try {
      await noteCarrierFacts(deps.db, facts)
    } catch (fault) {
      deps.log.warn({ err: fault }, 'facts about numbers could not be noted')
    }
  }
}
