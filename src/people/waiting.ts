import { refundLines } from '../billing/store.ts'
import { eraseFromIntake } from '../messaging/intake/erase.ts'
import { lockMessages } from '../messaging/schedule/store.ts'
import { eraseRow, isAbout, scrubbed, type Outcome, type Step } from './erase-row.ts'
import type { PersonTable } from './person-table.ts'
import type { Row } from './table-scan-store.ts'
import {
  deleteJob,
  endDelivery,
  eraseContent,
  hasQueued,
  lockDelivery,
  lockJobs,
  renameDelivery,
} from './waiting-store.ts'

/** Erases the person from a row of the intake, and refunds the deliveries that were canceled by it. */
export async function eraseIntake(step: Step, _table: PersonTable, row: Row): Promise<Outcome> {
  const { tx, organisation_id, spelled, pseudonym } = step
  const erased = await eraseFromIntake(tx, organisation_id, String(row.id), { ...spelled, pseudonym })
  if (erased === 'absent') return 'untouched'
  // A person who is only mentioned in it is found in the stored message, once there is one.
  if (erased === 'mentioned' || erased === 'leased') return 'later'
  for (const { message_id, charge, status } of erased) {
    if (status === 'canceled') await refund(step, message_id, charge)
    if (status === 'recorded') await rename(step, message_id, {})
    await eraseContent(tx, organisation_id, message_id)
  }
  return 'done'
}

async function refund({ tx, organisation_id, pseudonym }: Step, message_id: string, amount: bigint): Promise<void> {
  if (amount > 0n) await refundLines(tx, organisation_id, [{ subject_id: message_id, subject_key: pseudonym, amount }])
}

/**
 * Erases the recipient of a delivery. One that waits for its time or for another attempt is canceled and refunded; if a
 * carrier may have it from an earlier attempt it is `unknown`; one that is leased by a worker is left for later. Delivery,
 * refund and links then have the pseudonym, and a later report is matched by it.
 */
export async function eraseDelivery(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  if (!isAbout(step, table, row)) return eraseRow(step, table, row)
  const { tx, organisation_id, spelled } = step
  const message_id = String(row.message_id)
  await lockMessages(tx, organisation_id, [message_id])
  const delivery = await lockDelivery(tx, organisation_id, message_id, spelled.number)
  if (!delivery) return 'untouched'
  let in_doubt = false
  if (delivery.status === 'queued') {
    const jobs = await lockJobs(tx, organisation_id, message_id, spelled.number)
    if (jobs.some(({ leased }) => leased)) return 'later'
    for (const { id } of jobs) await deleteJob(tx, organisation_id, id)
    in_doubt = delivery.possible_carrier !== null || jobs.some(({ begun }) => begun)
  }
  if (in_doubt) await endDelivery(tx, organisation_id, message_id, spelled.number, 'unknown')
  else if (delivery.status === 'queued' || delivery.status === 'scheduled') {
    await endDelivery(tx, organisation_id, message_id, spelled.number, 'canceled')
    await refund(step, message_id, delivery.charge)
  }
  await rename(step, message_id, scrubbed(step, table, row))
  await eraseContent(tx, organisation_id, message_id)
  return 'done'
}

function rename({ tx, organisation_id, spelled, pseudonym }: Step, message_id: string, changes: Row): Promise<void> {
  const description = typeof changes.description === 'string' ? changes.description : undefined
  return renameDelivery(tx, organisation_id, message_id, spelled.number, pseudonym, description)
}

/** Deletes the job of a delivery that no longer exists. With its delivery, both end in the next round. */
export async function eraseJob(step: Step, _table: PersonTable, row: Row): Promise<Outcome> {
  const { tx, organisation_id, spelled } = step
  const subject_id = String(row.subject_id)
  if (await hasQueued(tx, organisation_id, subject_id, spelled.number)) return 'later'
  return (await deleteJob(tx, organisation_id, String(row.id))) ? 'done' : 'later'
}
