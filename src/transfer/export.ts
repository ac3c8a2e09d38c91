import { setTimeout as delay } from 'node:timers/promises'
import { BURST_QUEUE, CALLBACK_QUEUE } from '../callbacks/enqueue.ts'
import { COUNT_QUEUE } from '../campaigns/queues.ts'
import type { StoredTable } from '../db/backup/catalogue.ts'
import { ORGANISATION_FORMAT, type ExportedOrganisation } from '../db/backup/format.ts'
import { BackupFault, writeSnapshot, type Contents, type ReportProgress } from '../db/backup/write.ts'
import type { Db, Tx } from '../db/connect.ts'
import { knownSchema, newestApplied } from '../db/migrate.ts'
import { transaction } from '../db/transaction.ts'
import { countUnheld, holdOrganisation } from '../messaging/operate/hold.ts'
import type { InstallationKeys } from '../otp/pepper.ts'
import { SEALED_COLUMNS } from '../sealing/columns.ts'
import { resealAll } from '../sealing/reseal.ts'
import { COMMAND_LINE, recordAudit } from '../users/audit.ts'
import { markOfKeys, type TransferKeys } from './key.ts'
import { countWaitingReports, findExported, suspendedFor, type FoundOrganisation } from './export-store.ts'
import { lookInto, ownRows, schemaOf, stage, STAGED } from './stage-store.ts'
import { EXPORTED } from './tables.ts'

type Deps = { db: Db; keys: InstallationKeys }

export type ExportOptions = {
  file: string
  key: TransferKeys
  /** Suspend the organisation and hold its pending work first, so that nothing leaves here any more. */
  closes: boolean
  onProgress?: ReportProgress
  signal?: AbortSignal
}

export type WrittenExport = {
  organisation: ExportedOrganisation
  tables: number
  rows: number
  bytes: number
  /** Deliveries whose reports are outstanding: they arrive here, not at the other installation. */
  waiting_reports: number
}

/** For how long processes go on with what they know of an organisation: at most a second. */
const CACHED_S = 2
/** How long work that is in flight may take. */
const CLOSE_TIMEOUT_MS = 60_000
const POLL_MS = 200
/** Their jobs reach no recipient: a callback has an id by which its receiver recognises it if it comes twice. */
const HARMLESS_QUEUES = [CALLBACK_QUEUE, BURST_QUEUE, COUNT_QUEUE]
const ON_A_CLUSTER =
  'This database is distributed over several servers (Citus), which have no common snapshot: an organisation can neither be exported from it nor restored into it.'

/**
 * Writes all rows of an organisation and its test twin to a file, in one snapshot, while the service is in use. Its secrets
 * are sealed under the key of the export instead of the pepper. Undefined if there is no such organisation.
 */
export async function exportOrganisation(
  deps: Deps,
  id: string,
  options: ExportOptions,
): Promise<WrittenExport | undefined> {
  const { db } = deps
  const { file, key, closes, onProgress, signal } = options
  if (db.distributed) throw new BackupFault(ON_A_CLUSTER)
  const found = await findExported(db, id)
  if (!found) return undefined
  await recordAudit(db, COMMAND_LINE, { organisation_id: id, action: 'organisation.export', after: { closed: closes } })
  if (closes) await close(db, found, signal)
  let described: Pick<WrittenExport, 'organisation' | 'waiting_reports'> | undefined
  const made = await writeSnapshot(db, { file, key, onProgress, signal }, async (tx, tables) => {
    const organisation = await describe(tx, found, markOfKeys(deps.keys))
    if (closes) await requireClosed(tx, found)
    described = { organisation, waiting_reports: await countWaitingReports(tx, [id, found.test_id]) }
    return chooseRows(tx, deps.keys, { key, organisation, tables })
  })
  if (!described) throw new Error('an export was written without its organisation')
  return { ...described, ...made }
}

/** Holds what is pending until nothing is in flight any more. What a process finishes meanwhile is held by the next round. */
async function close(db: Db, { id, test_id }: FoundOrganisation, signal: AbortSignal | undefined): Promise<void> {
  const ends_at = performance.now() + CLOSE_TIMEOUT_MS
  for (;;) {
    const left = await transaction(db, async (tx) => {
      await holdOrganisation(tx, id, 'exported')
      return countUnheld(tx, [id, test_id], HARMLESS_QUEUES)
    })
    if (left === 0 && (await suspendedFor(db, id)) > CACHED_S) return
    if (performance.now() > ends_at) {
      throw new BackupFault(
        `${left} jobs of the organisation are still in flight after ${CLOSE_TIMEOUT_MS / 1_000} s; nothing was exported: run the command again.`,
      )
    }
    signal?.throwIfAborted()
    await delay(POLL_MS)
  }
}

async function requireClosed(tx: Tx, { id, test_id }: FoundOrganisation): Promise<void> {
  if ((await countUnheld(tx, [id, test_id], HARMLESS_QUEUES)) === 0) return
  throw new BackupFault(
    'The organisation got new work while it was closed; nothing was exported: run the command again.',
  )
}

/** As it is in the snapshot. */
async function describe(tx: Tx, { id, test_id }: FoundOrganisation, keys_mark: string): Promise<ExportedOrganisation> {
  const own = await findExported(tx, id)
  const [schema, known] = [await newestApplied(tx), await knownSchema()]
  if (schema !== known)
    throw new BackupFault(`The database has schema ${schema}, this release ${known}: gangan migrate.`)
  if (!own) throw new BackupFault(`There is no organisation ${id}.`)
  return { id, test_id, name: own.name, currency: own.currency, is_closed: own.held === 'exported', keys_mark }
}

async function chooseRows(
  tx: Tx,
  keys: InstallationKeys,
  { key, organisation, tables }: { key: TransferKeys; organisation: ExportedOrganisation; tables: StoredTable[] },
): Promise<Contents> {
  const ids = [organisation.id, organisation.test_id]
  const schema = await schemaOf(tx)
  const sealed = SEALED_COLUMNS.filter(({ table }) => EXPORTED[table] !== undefined)
  const exported = tables.filter(({ name }) => EXPORTED[name] !== undefined)
  for (const table of exported.filter(({ name }) => sealed.some((one) => one.table === name))) {
    await stage(tx, schema, table, ids)
  }
  await lookInto(tx, [STAGED])
  // During a rotation of the pepper a secret is sealed under either.
  for (const former of [keys, keys.former]) {
    if (former) await resealAll({ db: tx, keys: { ...key, former } }, undefined, sealed)
  }
  await lookInto(tx, [STAGED, schema])
  return {
    header: {
      gangan_backup: ORGANISATION_FORMAT,
      pepper_mark: key.pepper_mark,
      partitions: [],
      organisation,
    },
    // A name means the staged table where there is one.
    tables: exported.map((table) => ({ ...table, query: ownRows(table, ids) })),
    sequences: [],
  }
}
