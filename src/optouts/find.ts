import type { Db } from '../db/connect.ts'
import { makeBatchWriter, type BatchWriter } from '../values/concurrency/batch-writer.ts'
import type { PseudonymOf } from '../values/secrets/pseudonym.ts'
import { hasErased, readOptedOut } from './store.ts'

export type FindOptedOut = (organisation_id: string, recipients: readonly string[]) => Promise<ReadonlySet<string>>

/** From here on a question is worth a statement of its own; smaller ones share one with what else is asked just then. */
const LARGE = 100
const TOGETHER = 512

/**
 * Who of the recipients has asked the organisation for silence. Asked anew each time: it counts from the moment it is
 * stored. Who was erased is known by a keyed hash only, which is worked out where there is anybody like that.
 */
export function makeFindOptedOut(deps: { db: Db; pseudonymOf: PseudonymOf }): FindOptedOut {
  const bursts = new Map<string, BatchWriter<readonly string[], ReadonlySet<string>>>()

  async function ask(organisation_id: string, recipients: readonly string[]): Promise<ReadonlySet<string>> {
    const [rows, erased] = await Promise.all([
      readOptedOut(deps.db, organisation_id, recipients),
      hasErased(deps.db, organisation_id),
    ])
    const found = new Set(rows.map(({ recipient }) => recipient))
    if (!erased) return found
    const number_of = new Map(recipients.map((number) => [deps.pseudonymOf(organisation_id, number), number]))
    for (const { recipient } of await readOptedOut(deps.db, organisation_id, [...number_of.keys()])) {
      found.add(number_of.get(recipient) ?? recipient)
    }
    return found
  }

  return (organisation_id, recipients) => {
    if (recipients.length >= LARGE) return ask(organisation_id, recipients)
    let burst = bursts.get(organisation_id)
    if (!burst) {
      burst = makeBatchWriter({ items: TOGETHER }, async (questions: readonly (readonly string[])[]) => {
        const found = await ask(organisation_id, [...new Set(questions.flat())])
        return questions.map(() => found)
      })
      bursts.set(organisation_id, burst)
    }
    return burst(recipients)
  }
}
