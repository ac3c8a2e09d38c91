import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { startSlicedJobs, type JobSteps } from '../../queue/sliced-job.ts'
import type { Job } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import type { Worker } from '../../queue/worker.ts'
import type { Log } from '../../values/log.ts'
import { convertCell, isFault } from '../cell.ts'
import { FORGET_QUEUE } from '../forget-column.ts'
import { insertCells, type RowDraft } from '../rows/row-store.ts'
import { lockVersion } from '../table-store.ts'
import { dialPlan } from '../../values/phone/phone.ts'
import type { Owner } from '../table.ts'
import {
  fillCells,
  findConversion,
  lockConversion,
  lockNext,
  readNext,
  recordStep,
  setStatus,
  type CellOfRow,
  type ConversionRow,
} from './conversion-store.ts'
import { UNDO_S } from './schema.ts'
import { endConversion, switchColumn } from './switch-column.ts'
import type { CampaignsUsing } from './uses.ts'

export const CONVERSION_QUEUE = 'contacts:convert'

/** Rows read or written in one transaction. */
const BATCH = 1_000
/** How long to wait for changes and imports to end before the column gets its type. */
const BUSY_MS = 500
/** The previous cells are kept for a moment longer than they can be restored. */
const KEPT_MS = UNDO_S * 1_000 + 5_000

export type ConversionDeps = {
  db: Db
  wakeups: Wakeups
  log: Log
  campaignsUsing: CampaignsUsing
  organisationOf: (id: string) => Promise<{ default_country: string } | undefined>
}

/**
 * Converts columns. States: running (fills the cells of the new type, a batch of rows per transaction) → done (the column
 * has its new type) → final (the previous cells are deleted). A preview only reads: checking → checked.
 */
export function startConversions(deps: ConversionDeps): Worker {
  return startSlicedJobs(deps, { queue: CONVERSION_QUEUE, limit: 2 }, (job) => runConversion(deps, job))
}

async function* runConversion(deps: ConversionDeps, { organisation_id, subject_id: id }: Job): JobSteps {
  const organisation = await deps.organisationOf(organisation_id)
  for (;;) {
    const conversion = await findConversion(deps.db, organisation_id, id)
    if (!conversion || !organisation) return 'done'
    const owner = { organisation_id, default_country: organisation.default_country }
    switch (conversion.status) {
      case 'checking':
        if (!(await checkNext(deps.db, owner, conversion))) return 'done'
        break
      case 'running':
        if (await fillNext(deps.db, owner, conversion)) break
        if ((await switchOver(deps, owner, id)) === 'busy') return BUSY_MS
        break
      case 'done':
        if (conversion.in_time) return KEPT_MS
        await end(deps, owner, id, 'done', 'final')
        return 'done'
      case 'checked':
      case 'final':
      case 'undone':
      case 'failed':
        return 'done'
    }
    yield
  }
}

/** Checks the next rows. False if they were the last. */
async function checkNext(db: Db, owner: Owner, conversion: ConversionRow): Promise<boolean> {
  const { organisation_id } = owner
  const { id, after_id } = conversion
  const rows = await readNext(db, organisation_id, conversion, BATCH)
  const step = convertRows(owner, conversion, rows)
  return transaction(db, async (tx) => {
    const now = await lockConversion(tx, organisation_id, id)
    if (now?.status !== 'checking' || now.after_id !== after_id) return true
    await recordStep(tx, organisation_id, id, step)
    if (rows.length < BATCH) await setStatus(tx, organisation_id, id, 'checked')
    return rows.length === BATCH
  })
}

/** Fills the next rows. False if all rows are filled. */
async function fillNext(db: Db, owner: Owner, conversion: ConversionRow): Promise<boolean> {
  const { organisation_id } = owner
  const { id, number, after_id } = conversion
  return transaction(db, async (tx) => {
    const now = await lockConversion(tx, organisation_id, id)
    if (now?.status !== 'running' || now.after_id !== after_id || number === null) return true
    const rows = await lockNext(tx, organisation_id, conversion, BATCH)
    const step = convertRows(owner, conversion, rows)
    if (step.filled.length > 0) {
      await fillCells(tx, organisation_id, step.filled)
      await insertCells(tx, organisation_id, step.filled)
    }
    if (rows.length > 0) await recordStep(tx, organisation_id, id, step)
    return rows.length === BATCH
  })
}

function convertRows({ default_country }: Owner, conversion: ConversionRow, rows: readonly CellOfRow[]) {
  const plan = dialPlan(default_country)
  const filled: RowDraft[] = []
  const fits: string[] = []
  const unfit: string[] = []
  const number = String(conversion.number)
  for (const { id, value, is_filled } of rows) {
    if (value === null) continue
    const cell = convertCell(value, conversion, plan)
    ;(isFault(cell) ? unfit : fits).push(id)
    // A row that was written since the conversion began has both cells.
    if (cell === null || isFault(cell) || is_filled) continue
    filled.push({ id, cells: { [number]: cell.value }, keys: { [number]: cell.key } })
  }
  return { after_id: rows.at(-1)?.id ?? conversion.after_id, rows: rows.length, fits, unfit, filled }
}

/** All rows are filled: gives the column its type, or fails. */
async function switchOver(deps: ConversionDeps, owner: Owner, id: string): Promise<'busy' | 'over'> {
  const conversion = await findConversion(deps.db, owner.organisation_id, id)
  if (conversion?.status !== 'running') return 'over'
  if (conversion.unfit > 0 && !conversion.clear_unfit) {
    const count = conversion.unfit.toLocaleString('en')
    await end(deps, owner, id, 'running', 'failed', `${count} of the cells do not fit ${conversion.type}.`)
    return 'over'
  }
  const outcome = await switchColumn(deps, owner, id, false)
  if (outcome === 'busy') return 'busy'
  if (typeof outcome === 'object') await end(deps, owner, id, 'running', 'failed', outcome.misfit)
  return 'over'
}

async function end(
  deps: ConversionDeps,
  { organisation_id }: Owner,
  id: string,
  from: 'running' | 'done',
  status: 'final' | 'failed',
  fault?: string,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    await lockVersion(tx, organisation_id)
    const conversion = await findConversion(tx, organisation_id, id)
    if (conversion?.status === from) await endConversion(tx, organisation_id, conversion, status, fault)
  })
  deps.wakeups.wake(FORGET_QUEUE)
}
