import type { ReceivedText } from '../../carriers/message-carrier.ts'
import type { Db } from '../../db/connect.ts'
import { findLiveOrganisations } from '../../organisations/store.ts'
import { findOwners } from '../../senders/store.ts'

/**
 * Whose texts they are: the organisation whose approved sender is the number or short code they were sent to. In a
 * service with one organisation everything is for that one. Undefined where nobody can tell.
 */
export async function makeOwnerOf(
  db: Db,
  texts: readonly ReceivedText[],
): Promise<(text: ReceivedText) => string | undefined> {
  const numbers = [...new Set(texts.map(numberOf))]
  const [owners, organisations] = await Promise.all([findOwners(db, numbers), findLiveOrganisations(db, 2)])
  const owner_of = new Map(owners.map(({ number, organisation_id }) => [number, organisation_id]))
  const only = organisations.length === 1 ? organisations[0]?.id : undefined
  return (text) => owner_of.get(numberOf(text)) ?? only
}

/** Carriers write a number with or without its plus. */
function numberOf({ to }: ReceivedText): string {
  return to.replace(/[^0-9]/g, '')
}
