import type { Db } from '../db/connect.ts'
import { makeKeyedBatchWriter } from '../values/concurrency/batch-writer.ts'
import type { PseudonymOf } from '../values/secrets/pseudonym.ts'
import { hasErased, readOptedOut } from './store.ts'

export type FindOptedOut = (organisation_id: string, recipients: readonly string[]) => Promise<ReadonlySet<string>>

/** Recipients from which a request runs a statement of its own; smaller requests share one. */
const LARGE = 100
const REQUESTS_PER_STATEMENT = 512

/**
 * Finds the recipients who have opted out. Not cached: an opt-out applies from the moment it is stored. Erased people are
 * known by a keyed hash only, which is computed if the organisation has any.
 */
export function makeFindOptedOut(deps: { db: Db; pseudonymOf: PseudonymOf }): FindOptedOut {
  async function find(organisation_id: string, recipients: readonly string[]): Promise<ReadonlySet<string>> {
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

  const findTogether = makeKeyedBatchWriter<readonly string[], ReadonlySet<string>>(
    { items: REQUESTS_PER_STATEMENT },
    async (organisation_id, requests) => {
      const found = await find(organisation_id, [...new Set(requests.flat())])
      return requests.map(() => found)
    },
  )
  return (organisation_id, recipients) =>
    recipients.length >= LARGE ? find(organisation_id, recipients) : findTogether(organisation_id, recipients)
}
