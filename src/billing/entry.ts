import { moneyToNumber } from '../values/money.ts'
import { present } from '../values/record.ts'
import type { LedgerEntry } from './schema.ts'
import type { LedgerLine } from './store.ts'

/** A line as it is shown. */
export function entry(line: LedgerLine): LedgerEntry {
  return {
    id: String(line.sequence),
    kind: line.kind,
    amount: moneyToNumber(line.amount),
    balance_after: moneyToNumber(line.balance_after),
    subject_id: line.subject_id,
    ...present('subjects', line.subjects > 1 ? line.subjects : null),
    ...present('recipient', line.subject_key || null),
    ...present('note', line.note),
    created_datetime: line.created_datetime,
  }
}
