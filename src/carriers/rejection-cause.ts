import type { Rejection } from '../observe/evidence.ts'
import { BARRED, CHECK_NUMBER, CHECK_SENDER, CHECK_TEXT, DELIVERY_CODES, ON_DND, OPTED_OUT } from './delivery-codes.ts'

/** Why a carrier does not accept a message, as far as its description says. */
export function causeOf(description: string): Rejection {
  return CAUSES.get(BY_DESCRIPTION.get(description) ?? '') ?? 'other'
}

const BY_DESCRIPTION = new Map(DELIVERY_CODES.map(({ description, advice = '' }) => [description, advice]))
const CAUSES = new Map<string, Rejection>([
  [CHECK_NUMBER, 'number'],
  [ON_DND, 'recipient'],
  [BARRED, 'recipient'],
  [OPTED_OUT, 'recipient'],
  [CHECK_SENDER, 'sender'],
  [CHECK_TEXT, 'text'],
])
