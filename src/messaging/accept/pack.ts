import type { DraftDelivery, Pack } from '../draft.ts'

/** A pack is made into rows by one statement, which should not take long. */
const PACK_SIZE = 1_000
/** Smaller ones on average save nothing. */
const WORTHWHILE = 20

/**
 * Puts the deliveries of a long list into packs, in which they are accepted in a fraction of the time. Undefined where
 * that cannot be: some are secret, wait for their time or go out as a template, or they are too various.
 */
export function packUp(deliveries: readonly DraftDelivery[]): Pack[] | undefined {
  const packs: Pack[] = []
  const open = new Map<string, Pack>()
  let pack: Pack | undefined
  for (let n = 0; n < deliveries.length; n += 1) {
    const delivery = deliveries[n]!
    if (isSpecial(delivery)) return undefined
    if (!pack || !fits(pack, delivery)) {
      const { route, pages, charge, text } = delivery
      const kind = `${route} ${pages} ${charge} ${text === undefined}`
      pack = open.get(kind)
      if (!pack || pack.recipients.length === PACK_SIZE) {
        pack = { route, pages, charge, recipients: [], positions: [], texts: [] }
        open.set(kind, pack)
        packs.push(pack)
      }
    }
    pack.recipients.push(delivery.recipient)
    pack.positions.push(n)
    if (delivery.text !== undefined) pack.texts.push(delivery.text)
  }
  return packs.length * WORTHWHILE > deliveries.length ? undefined : packs
}

function isSpecial({ sealed_text, send_at, whatsapp }: DraftDelivery): boolean {
  return sealed_text !== undefined || send_at !== undefined || whatsapp !== undefined
}

function fits(pack: Pack, { route, pages, charge, text }: DraftDelivery): boolean {
  return (
    pack.recipients.length < PACK_SIZE &&
    pack.route === route &&
    pack.charge === charge &&
    pack.pages === pages &&
    (pack.texts.length === 0) === (text === undefined)
  )
}
