import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { enqueue } from '../../queue/store.ts'
import { FORGET_QUEUE } from '../forget-column.ts'
import { endVersion, lockVersion, retypeColumn, touchTable } from '../table-store.ts'
import { openTable, type Owner } from '../table.ts'
import { closeChanges, findConversion, isBusy, setStatus, type ConversionRow } from './conversion-store.ts'
import { findMisfits, type CampaignsUsing } from './uses.ts'

type Deps = { db: Db; campaignsUsing: CampaignsUsing }

export type Outcome = 'switched' | 'busy' | 'ended' | { misfit: string }

/**
 * Gives the column its new type, or with `back` its previous one. All rows have the cells of both, and no transaction
 * writes cells meanwhile.
 */
export async function switchColumn(deps: Deps, owner: Owner, id: string, back: boolean): Promise<Outcome> {
  const { organisation_id } = owner
  return transaction(deps.db, async (tx): Promise<Outcome> => {
    await lockVersion(tx, organisation_id)
    const conversion = await findConversion(tx, organisation_id, id)
    if (!conversion || (back ? conversion.status !== 'done' || !conversion.in_time : conversion.status !== 'running')) {
      return 'ended'
    }
    if (await isBusy(tx, organisation_id)) return 'busy'
    const { type, options, from_type, from_options, from_number } = conversion
    const number = conversion.number ?? from_number
    const to = back ? { number: from_number, type: from_type, options: from_options } : { number, type, options }
    const table = await openTable(deps, owner)
    const column = table.columns.find((one) => one.id === conversion.column_id)
    if (!column) return 'ended'
    const [misfit] = await findMisfits(tx, table, column, to, deps.campaignsUsing)
    if (misfit) return { misfit: misfit.message }
    await closeChanges(tx, organisation_id)
    await retypeColumn(tx, organisation_id, { id: column.id, ...to })
    await setStatus(tx, organisation_id, id, back ? 'undone' : 'done')
    if (back) await forget(tx, organisation_id, conversion, number)
    await touchTable(tx, organisation_id)
    await endVersion(tx, organisation_id)
    return 'switched'
  })
}

/** Ends a conversion for good: the cells of the type that the column does not have are deleted. */
export async function endConversion(
  tx: Tx,
  organisation_id: string,
  conversion: ConversionRow,
  status: 'final' | 'failed',
  fault: string | null = null,
): Promise<void> {
  await setStatus(tx, organisation_id, conversion.id, status, fault)
  const unused = status === 'final' ? conversion.from_number : conversion.number
  if (unused !== null) await forget(tx, organisation_id, conversion, unused)
  await endVersion(tx, organisation_id)
}

async function forget(tx: Tx, organisation_id: string, { column_id }: ConversionRow, number: number): Promise<void> {
  const job = { lane: organisation_id, organisation_id, subject_id: column_id, subject_key: String(number) }
  await enqueue(tx, FORGET_QUEUE, [job])
}
