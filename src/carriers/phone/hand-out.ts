import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { newId } from '../../values/id.ts'
import { STANDARD_PAGES } from '../../values/sms/page-form.ts'
import type { Seal } from '../../values/secrets/seal.ts'
import { measureText } from '../../values/sms/sms-text.ts'
import type { OutgoingMessage } from '../message-carrier.ts'
import { findInHands, insertMessages, type NewMessage } from './message-store.ts'
import { placeMessages, type Place } from './place.ts'
import type { PhoneSettings } from './schema.ts'
import { lockCarrier, readSimUse } from './store.ts'

/** Where a message is now: newly on a phone's list, or in the hands of one from before. */
export type HandedOut = { id: string; phone_id?: string }

/**
 * Puts messages on the lists of phones, as far as there is place. One that a phone has already, because whoever handed
 * it out before has died, is not put on another list.
 */
export async function handOut(
  { db, seal }: { db: Db; seal: Seal },
  settings: PhoneSettings,
  messages: readonly OutgoingMessage[],
): Promise<(HandedOut | undefined)[]> {
  const { name: carrier, silent_after_s } = settings
  return transaction(db, async (tx) => {
    await lockCarrier(tx, carrier)
    const in_hands = await findInHands(tx, carrier, messages)
    const known = new Map(in_hands.map((one) => [keyOf(one), one.id]))
    const fresh = messages.filter((message) => !known.has(keyOf(message)))
    const pages = fresh.map(({ text }) => measureText(text, STANDARD_PAGES).pages)
    const places = placeMessages(await readSimUse(tx, carrier, silent_after_s), pages, settings)
    const placed = new Map<OutgoingMessage, NewMessage>()
    for (const [n, message] of fresh.entries()) {
      const place = places[n]
      if (place) placed.set(message, newMessage(seal, settings, message, place, pages[n] ?? 1))
    }
    if (placed.size > 0) await insertMessages(tx, carrier, [...placed.values()])
    return messages.map((message) => {
      const id = known.get(keyOf(message))
      if (id !== undefined) return { id }
      const made = placed.get(message)
      return made && { id: made.id, phone_id: made.phone_id }
    })
  })
}

/** What a text on a phone's list is sealed for. */
export function textSeal(id: string): string {
  return `phone message ${id}`
}

function newMessage(
  seal: Seal,
  { valid_for_s }: PhoneSettings,
  { organisation_id, message_id, recipient, text, urgent, expires_in_s }: OutgoingMessage,
  place: Place,
  segments: number,
): NewMessage {
  const id = newId()
  return {
    id,
    organisation_id,
    message_id,
    recipient,
    ...place,
    sealed_text: seal.close(text, textSeal(id)),
    segments,
    urgent,
    valid_for_s: Math.min(valid_for_s, expires_in_s ?? Infinity),
  }
}

function keyOf({ organisation_id, message_id, recipient }: Delivery): string {
  return `${organisation_id} ${message_id} ${recipient}`
}

type Delivery = Pick<OutgoingMessage, 'organisation_id' | 'message_id' | 'recipient'>
