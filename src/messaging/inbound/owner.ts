import type { ReceivedText } from '../../carriers/message-carrier.ts'
import type { Db } from '../../db/connect.ts'
import { findLiveOrganisations } from '../../organisations/store.ts'
import { findOwners } from '../../senders/store.ts'

/**
 * The organisation of a text: the one whose approved sender is the number or short code it was sent to, or the only
 * organisation. Undefined if there is none.
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

/** Carriers write numbers with or without a plus. */
function numberOf({ to }: ReceivedText): string {
  return to.replace(/[^0-9]/g, '')
}
