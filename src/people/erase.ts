import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { enqueue } from '../queue/store.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { isId, newId } from '../values/id.ts'
import { readPage, type Pagination } from '../values/page.ts'
import { cleanDigits, dialPlan } from '../values/phone/phone.ts'
import { present } from '../values/record.ts'
import type { PseudonymOf } from '../values/secrets/pseudonym.ts'
import { Refusal, refuseIfFaulty } from '../values/refusal.ts'
import { isStorable } from '../values/input/storable.ts'
import type { Seal } from '../values/secrets/seal.ts'
import { findErasure, insertErasure, isAlone, listErasures, type ErasureRow } from './erasure-store.ts'
import type { Erasure, ErasureQuery } from './schema.ts'

export const ERASURE_QUEUE = 'people:erase'

export type EraseDeps = {
  db: Db
  seal: Seal
  pseudonymOf: PseudonymOf
  /** Retention of the request log; the calls of the last second are not stored yet. */
  requests_days?: number
}

type Owner = { organisation_id: string; default_country: string }

/**
 * Requests the erasure of a person. A worker erases table by table and updates the receipt, which is returned. Concurrent
 * requests for one number share an erasure; a later request starts another. Data shared by several organisations is
 * erased only for the operator, or if there is only one organisation.
 */
export async function askErasure(
  deps: EraseDeps & { wakeups?: Wakeups },
  owner: Owner,
  phone: string,
  asked_by: string,
  by_operator = false,
): Promise<Erasure> {
  const { organisation_id } = owner
  const number = readNumber(phone, owner)
  const number_hash = deps.pseudonymOf(organisation_id, number)
  const everywhere = by_operator || (await isAlone(deps.db, organisation_id))
  const fresh = newId()
  const id = await transaction(deps.db, async (tx) => {
    const sealed_number = deps.seal.close(number, sealOf(fresh))
    const asked = await insertErasure(tx, organisation_id, {
      id: fresh,
      number_hash,
      sealed_number,
      asked_by,
      everywhere,
    })
    if (asked.is_new) {
      await enqueue(tx, ERASURE_QUEUE, [{ lane: organisation_id, organisation_id, subject_id: fresh }])
    }
    return asked.id
  })
  deps.wakeups?.wake(ERASURE_QUEUE)
  return readErasure(deps, organisation_id, id)
}

/** The context that the number of an erasure is sealed with. */
export function sealOf(id: string): string {
  return `erasure ${id}`
}

export function readNumber(phone: string, { default_country }: Owner): string {
  const number = cleanDigits(phone, dialPlan(default_country))
  if (number !== undefined) return number
  const fault = { field: 'phone', message: 'This is not a phone number.', type: 'phone_invalid' as const }
  throw new Refusal('invalid_request', 'The request is invalid.', [fault])
}

export async function readErasure(deps: { db: Db }, organisation_id: string, id: string): Promise<Erasure> {
  const row = isId(id) ? await findErasure(deps.db, organisation_id, id) : undefined
  if (!row) throw new Refusal('not_found', 'There is no such erasure.')
  return receiptOf(row)
}

export async function findErasures(
  deps: { db: Db },
  organisation_id: string,
  query: ErasureQuery,
): Promise<{ erasures: Erasure[]; pagination: Pagination }> {
  if (query.number_hash !== undefined && !isStorable(query.number_hash)) {
    const fault = { field: 'number_hash', message: 'No hash has such a character.', type: 'invalid' as const }
    refuseIfFaulty([fault])
  }
  const { rows, pagination } = await listErasures(deps.db, organisation_id, query.number_hash, readPage(query))
  return { erasures: rows.map(receiptOf), pagination }
}

function receiptOf(row: ErasureRow): Erasure {
  return {
    id: row.id,
    number_hash: row.number_hash,
    status: row.status,
    asked_by: row.asked_by,
    found: Object.entries(row.found).map(([table, rows]) => ({ table, rows })),
    ...(row.waits_for.length > 0 ? { waits_for: row.waits_for } : {}),
    created_datetime: row.created_datetime,
    ...present('ended_datetime', row.ended_datetime),
  }
}
