import type { Tx } from '../../db/connect.ts'
import { findRecorded, insertEnded, lockRow, rewriteRow, storeMessages, type EndedDelivery } from './erase-store.ts'
import { parseRow, type WrittenItem } from './leased-row.ts'

/** The person to erase. */
export type Erased = {
  number: string
  /** Stored in place of the number. */
  pseudonym: string
  /** Whether a value is the number, however it is written. */
  is: (value: string) => boolean
  /** Whether a text contains the number, however it is written. */
  isIn: (text: string) => boolean
}

/** A message the person was a recipient of; `recorded`: its delivery was stored before and is left to the caller. */
export type ErasedMessage = { message_id: string; charge: bigint; status: EndedDelivery['status'] | 'recorded' }

/**
 * Removes a recipient from a row of the intake, beside `cancel_intake` in functions/intake.sql. A delivery that no process
 * has begun to submit is stored as `canceled`, for the caller to refund in the same transaction. One that was begun by a
 * process that died may be with a carrier: it is `unknown`, and keeps its position in the row under the pseudonym.
 *
 * Returns the messages concerned, or `leased` while a process leases the row, or, if the person is no recipient, whether the
 * row mentions them.
 */
export async function eraseFromIntake(
  tx: Tx,
  organisation_id: string,
  row_id: string,
  { number, pseudonym, is, isIn }: Erased,
): Promise<ErasedMessage[] | 'leased' | 'mentioned' | 'absent'> {
  const row = await lockRow(tx, organisation_id, row_id)
  if (!row) return 'absent'
  const items = parseRow(row.messages)
  const own = items.filter(({ to }) => to.split(',').includes(number)).map(({ id }) => id)
  if (own.length === 0) return isIn(row.messages) ? 'mentioned' : 'absent'
  if (row.leased) return 'leased'
  await storeMessages(tx, organisation_id, row, own)
  const recorded = await findRecorded(tx, organisation_id, own, number)
  const erased: ErasedMessage[] = []
  const ended: EndedDelivery[] = []
  let before = 0
  for (const item of items) {
    const to = item.to.split(',')
    const n = to.indexOf(number)
    if (n >= 0) {
      const is_begun = before + n < row.submitted
      const status = !is_begun ? 'canceled' : recorded.has(item.id) ? 'recorded' : 'unknown'
      const { id: message_id, pages, price } = item
      const position = item.positions?.[n] ?? (item.at ?? 0) + n
      erased.push({ message_id, charge: BigInt(price), status })
      if (status !== 'recorded') {
        ended.push({ message_id, recipient: pseudonym, position, pages, charge: price, status })
      }
      if (is_begun) replaceRecipient(item, to, n, pseudonym)
      else removeRecipient(item, to, n)
      if (item.personalisation) item.personalisation = item.personalisation.filter((one) => !is(String(one.to)))
      item.stored = true
    }
    before += to.length
  }
  await insertEnded(tx, organisation_id, row, ended)
  const left = items.filter(({ to }) => to !== '')
  await rewriteRow(tx, organisation_id, row, left)
  return erased
}

function replaceRecipient(item: WrittenItem, to: string[], n: number, pseudonym: string): void {
  to[n] = pseudonym
  item.to = to.join(',')
  if (item.texts) item.texts[n] = ''
}

/** The other recipients keep their positions in the message's list. */
function removeRecipient(item: WrittenItem, to: readonly string[], n: number): void {
  const without = <T>(values: readonly T[]): T[] => values.filter((_, at) => at !== n)
  item.positions = without(item.positions ?? to.map((_, at) => (item.at ?? 0) + at))
  delete item.at
  if (item.texts) item.texts = without(item.texts)
  item.to = without(to).join(',')
}
