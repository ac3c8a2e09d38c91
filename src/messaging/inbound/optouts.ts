import type { CarrierOptout } from '../../carriers/message-carrier.ts'
import type { Db } from '../../db/connect.ts'
import { addCarrierOptouts } from '../../optouts/optouts.ts'
import { findLiveOrganisations } from '../../organisations/store.ts'
import { findNamesakes } from '../../senders/store.ts'
import { groupBy } from '../../values/group.ts'
import type { Log } from '../../values/log.ts'

type Deps = { db: Db; log: Log; notifyChange: (organisation_id: string) => void }

/**
 * Stores opt-outs reported by carriers. If the carrier names a sender, they apply to every organisation that may use it;
 * with a single organisation, to that one. Resolves once they are stored.
 */
export async function receiveOptouts(deps: Deps, optouts: readonly CarrierOptout[]): Promise<void> {
  if (optouts.length === 0) return
  const ownersOf = await makeOwnersOf(deps.db, optouts)
  const owned = optouts.flatMap((one) =>
    ownersOf(one).map((organisation_id) => ({ organisation_id, recipient: one.recipient })),
  )
  for (const [organisation_id, own] of groupBy(owned, (one) => one.organisation_id)) {
    await addCarrierOptouts(
      deps,
      organisation_id,
      own.map(({ recipient }) => recipient),
    )
  }
  const unowned = optouts.filter((one) => ownersOf(one).length === 0)
  if (unowned.length === 0) return
  const senders = unowned.flatMap((one) => ('sender_id' in one ? [one.sender_id] : []))
  const details = { carrier: unowned[0]?.carrier, count: unowned.length, senders: [...new Set(senders)].slice(0, 10) }
  deps.log.warn(details, 'people opted out of senders that belong to no organisation')
}

async function makeOwnersOf(
  db: Db,
  optouts: readonly CarrierOptout[],
): Promise<(optout: CarrierOptout) => readonly string[]> {
  const keys = [...new Set(optouts.flatMap((one) => ('sender_id' in one ? [keyOf(one.sender_id)] : [])))]
  if (keys.length === 0) return (one) => ('organisation_id' in one ? [one.organisation_id] : [])
  const [namesakes, live] = await Promise.all([findNamesakes(db, keys), findLiveOrganisations(db, 2)])
  const owners = groupBy(namesakes, ({ sender_key }) => sender_key)
  const only = live.length === 1 ? live.map(({ id }) => id) : []
  return (one) => {
    if ('organisation_id' in one) return [one.organisation_id]
    return owners.get(keyOf(one.sender_id))?.map(({ organisation_id }) => organisation_id) ?? only
  }
}

/** In the form of `senders.sender_key`; a number may have a leading plus. */
function keyOf(sender_id: string): string {
  return sender_id.replace(/^\+/, '').toLowerCase()
}
