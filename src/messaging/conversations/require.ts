import type { Db } from '../../db/connect.ts'
import { cleanDigits, dialPlan } from '../../values/phone/phone.ts'
import { Refusal } from '../../values/refusal.ts'
import { findConversation, type ConversationRow } from './store.ts'

/** The organisation, and the country of numbers without a country code. */
export type Owner = { organisation_id: string; default_country: string }

/** Finds a conversation by a number in any spelling; a number that has never written has none. */
export async function requireConversation(
  db: Db,
  { organisation_id, default_country }: Owner,
  given: string,
): Promise<ConversationRow> {
  const phone = cleanDigits(given, dialPlan(default_country))
  const row = phone === undefined ? undefined : await findConversation(db, organisation_id, phone)
  if (!row) throw new Refusal('not_found', 'This number has not written to you.')
  return row
}
