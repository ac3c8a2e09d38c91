import type { Db, Tx } from '../db/connect.ts'
import { findSenderByName } from './store.ts'

export function unapproved(sender_id: string): string {
  return `The sender ID ${sender_id} is not approved: register it at /senders, and the operator decides.`
}

export async function approvalFault(
  sql: Db | Tx,
  organisation_id: string,
  sender_id: string,
): Promise<string | undefined> {
  const found = await findSenderByName(sql, organisation_id, sender_id)
  return found?.state === 'approved' ? undefined : unapproved(sender_id)
}
