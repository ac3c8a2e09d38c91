import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { newId } from '../../values/id.ts'
import type { Seal } from '../../values/secrets/seal.ts'
import { STANDARD_PAGES } from '../../values/sms/page-form.ts'
import { measureText } from '../../values/sms/sms-text.ts'
import type { OutgoingMessage } from '../message-carrier.ts'
import { chooseSims, type Sim } from './capacity.ts'
import { insertMessages, withdrawOrFind, type Delivery, type NewMessage } from './message-store.ts'
import type { PhoneSettings } from './schema.ts'
import { lockCarrier, readSimUse } from './store.ts'

/** The id of a message that is assigned to a phone; `phone_id` only if it was assigned just now. */
export type Assigned = { id: string; phone_id?: string }

/**
 * Assigns messages to phones, as far as these have capacity; undefined for the others. A message that a phone has
 * fetched already, for a process that crashed since, is not assigned to another.
 */
export async function assignMessages(
  { db, seal }: { db: Db; seal: Seal },
  settings: PhoneSettings,
  messages: readonly OutgoingMessage[],
): Promise<(Assigned | undefined)[]> {
  const { name: carrier, silent_after_s } = settings
  return transaction(db, async (tx) => {
    await lockCarrier(tx, carrier)
    const fetched = await withdrawOrFind(tx, carrier, messages)
    const known = new Map(fetched.map((one) => [keyOf(one), one.id]))
    const unassigned = messages.filter((message) => !known.has(keyOf(message)))
    const pages = unassigned.map(({ text }) => measureText(text, STANDARD_PAGES).pages)
    const sims = chooseSims(await readSimUse(tx, carrier, silent_after_s), pages, settings)
    const assigned = new Map<OutgoingMessage, NewMessage>()
    for (const [n, message] of unassigned.entries()) {
      const sim = sims[n]
      if (sim) assigned.set(message, newMessage(seal, settings, message, sim, pages[n] ?? 1))
    }
    if (assigned.size > 0) await insertMessages(tx, carrier, [...assigned.values()])
    return messages.map((message) => {
      const id = known.get(keyOf(message))
      if (id !== undefined) return { id }
      const made = assigned.get(message)
      return made && { id: made.id, phone_id: made.phone_id }
    })
  })
}

/** The seal context of a text that is assigned to a phone. */
export function textSeal(id: string): string {
  return `phone message ${id}`
}

function newMessage(
  seal: Seal,
  { valid_for_s }: PhoneSettings,
  { organisation_id, message_id, recipient, text, urgent, expires_in_s }: OutgoingMessage,
  sim: Sim,
  segments: number,
): NewMessage {
  const id = newId()
  return {
    id,
    organisation_id,
    message_id,
    recipient,
    ...sim,
    sealed_text: seal.close(text, textSeal(id)),
    segments,
    urgent,
    valid_for_s: Math.min(valid_for_s, expires_in_s ?? Infinity),
  }
}

function keyOf({ organisation_id, message_id, recipient }: Delivery): string {
  return `${organisation_id} ${message_id} ${recipient}`
}
