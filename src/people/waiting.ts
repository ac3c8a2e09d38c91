import { refundLines } from '../billing/store.ts'
import { lockMessages } from '../messaging/schedule/store.ts'
import { eraseRow, isAbout, scrubbed, type Outcome, type Step } from './erase-row.ts'
import type { PersonTable } from './person-table.ts'
import type { Row } from './table-scan-store.ts'
import {
  endDelivery,
  eraseContent,
  forgetJob,
  hasQueued,
  insertEnded,
  isRecorded,
  lockDelivery,
  lockIntake,
  lockJobs,
  renameDelivery,
  rewriteIntake,
  storeWaiting,
  type WrittenItem,
} from './waiting-store.ts'

/**
 * Takes the person out of a row of the intake. What nobody has begun to hand over is canceled and refunded, as when a
 * message is taken back; what was begun by somebody who died may be with a carrier, and is `unknown`. A row in
 * somebody's hands is left to them.
 */
export async function eraseIntake(step: Step, _table: PersonTable, row: Row): Promise<Outcome> {
  const { tx, organisation_id, spelled, pseudonym } = step
  const id = String(row.id)
  const held = await lockIntake(tx, organisation_id, id)
  if (!held) return 'untouched'
  const items = readItems(held.messages)
  const is_recipient = items.some(({ to }) => to.split(',').includes(spelled.number))
  // Who is only named in it is found where the message is stored, once it is.
  if (!is_recipient) return spelled.isIn(held.messages) ? 'later' : 'untouched'
  if (held.in_hand) return 'later'
  const own = items.filter(({ to }) => to.split(',').includes(spelled.number))
  await storeWaiting(
    tx,
    organisation_id,
    id,
    own.map((item) => item.id),
  )
  let before = 0
  for (const item of items) {
    const to = item.to.split(',')
    const n = to.indexOf(spelled.number)
    if (n >= 0) {
      const position = item.positions?.[n] ?? (item.at ?? 0) + n
      const ended = {
        message_id: item.id,
        recipient: pseudonym,
        position,
        pages: item.pages,
        charge: BigInt(item.price),
      }
      if (before + n >= held.handed) {
        await insertEnded(tx, organisation_id, held, { ...ended, status: 'canceled' })
        if (ended.charge > 0n) {
          await refundLines(tx, organisation_id, [
            { subject_id: item.id, subject_key: pseudonym, amount: ended.charge },
          ])
        }
        takeOut(item, to, n)
      } else {
        if (await isRecorded(tx, organisation_id, item.id, spelled.number)) await rename(step, item.id, {})
        else await insertEnded(tx, organisation_id, held, { ...ended, status: 'unknown' })
        to[n] = pseudonym
        item.to = to.join(',')
        if (item.texts) item.texts[n] = ''
      }
      if (item.personalisation) {
        item.personalisation = item.personalisation.filter((one) => !spelled.is(String(one.to)))
      }
      item.stored = true
    }
    before += to.length
  }
  await rewriteIntake(
    tx,
    organisation_id,
    id,
    items.filter(({ to }) => to !== ''),
  )
  for (const { id: message_id } of own) await eraseContent(tx, organisation_id, message_id)
  return 'done'
}

function readItems(messages: string): WrittenItem[] {
  return JSON.parse(`[${messages}]`)
}

/** The others keep their places in the list. */
function takeOut(item: WrittenItem, to: readonly string[], n: number): void {
  const without = <T>(values: readonly T[]): T[] => values.filter((_, at) => at !== n)
  item.positions = without(item.positions ?? to.map((_, at) => (item.at ?? 0) + at))
  delete item.at
  if (item.texts) item.texts = without(item.texts)
  item.to = without(to).join(',')
}

/**
 * A delivery that waits, for its time or for another try, is canceled and refunded; if a carrier may have it from an
 * earlier one it is `unknown`, and one that a worker has in hand is left to it. Then it is nobody's, with its refund and
 * its links, and a report that comes later finds it by the same name.
 */
export async function eraseDelivery(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  if (!isAbout(step, table, row)) return eraseRow(step, table, row)
  const { tx, organisation_id, spelled, pseudonym } = step
  const message_id = String(row.message_id)
  await lockMessages(tx, organisation_id, [message_id])
  const delivery = await lockDelivery(tx, organisation_id, message_id, spelled.number)
  if (!delivery) return 'untouched'
  let in_doubt = false
  if (delivery.status === 'queued') {
    const jobs = await lockJobs(tx, organisation_id, message_id, spelled.number)
    if (jobs.some(({ in_hand }) => in_hand)) return 'later'
    for (const { id } of jobs) await forgetJob(tx, organisation_id, id)
    in_doubt = delivery.maybe_with !== null || jobs.some(({ begun }) => begun)
  }
  if (in_doubt) await endDelivery(tx, organisation_id, message_id, spelled.number, 'unknown')
  else if (delivery.status === 'queued' || delivery.status === 'scheduled') {
    await endDelivery(tx, organisation_id, message_id, spelled.number, 'canceled')
    if (delivery.charge > 0n) {
      await refundLines(tx, organisation_id, [
        { subject_id: message_id, subject_key: pseudonym, amount: delivery.charge },
      ])
    }
  }
  await rename(step, message_id, scrubbed(step, table, row))
  await eraseContent(tx, organisation_id, message_id)
  return 'done'
}

function rename({ tx, organisation_id, spelled, pseudonym }: Step, message_id: string, changes: Row): Promise<void> {
  const description = typeof changes.description === 'string' ? changes.description : undefined
  return renameDelivery(tx, organisation_id, message_id, spelled.number, pseudonym, description)
}

/** The job of a delivery that is gone. Of one that is there, the next round ends both. */
export async function eraseJob(step: Step, _table: PersonTable, row: Row): Promise<Outcome> {
  const { tx, organisation_id, spelled } = step
  const subject_id = String(row.subject_id)
  if (await hasQueued(tx, organisation_id, subject_id, spelled.number)) return 'later'
  return (await forgetJob(tx, organisation_id, String(row.id))) ? 'done' : 'later'
}
