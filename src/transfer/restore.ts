import { listTables } from '../db/backup/catalogue.ts'
import { readParts, UnusableBackup, type ExportedOrganisation, type TableBegin } from '../db/backup/format.ts'
import { checkBackup, loadTables, RestoreFault } from '../db/backup/restore.ts'
import type { Db, Tx } from '../db/connect.ts'
import { transactionWithCopy, type Copy } from '../db/copy.ts'
import { newestApplied } from '../db/migrate.ts'
import { holdOrganisation } from '../messaging/operate/hold.ts'
import type { InstallationKeys } from '../otp/pepper.ts'
import { SEALED_COLUMNS } from '../sealing/columns.ts'
import { resealAll } from '../sealing/reseal.ts'
import { COMMAND_LINE, recordAudit } from '../users/audit.ts'
import { codeOf } from '../values/thrown.ts'
import { markOfKeys, type TransferKeys } from './key.ts'
import {
  analyze,
  dropTakenLinks,
  findConflicts,
  isPair,
  listAccounts,
  measureWaiting,
  postponeReports,
  renumberJobs,
  type WaitingWork,
} from './restore-store.ts'
import { countForeign, insertStaged, lookInto, schemaOf, stage, STAGED, type Table } from './stage-store.ts'
import { EXPORTED } from './tables.ts'

/** An export whose whole file was verified. */
export type CheckedExport = {
  file: string
  key: TransferKeys
  organisation: ExportedOrganisation
  schema: number
  created_datetime: string
  rows: number
  tables: number
}

export type OrganisationRestore = {
  /** The currency of this installation, in which its prices are. */
  currency: string
  /** Called with the number of bytes of the file that were read. */
  onProgress?: (bytes: number) => void
  /** Audits the ledger of the staged rows; an error rolls everything back. */
  audit: (tx: Tx) => Promise<void>
  signal?: AbortSignal
}

export type RestoredOrganisation = {
  organisation: ExportedOrganisation
  waiting: WaitingWork
  /** Short links whose codes are in use here. */
  links_dropped: number
  /** Accounts of the SMPP server whose passwords were made with other keys than those of this installation. */
  accounts_to_renew: string[]
  has_other_keys: boolean
}

/** Reads and verifies the whole file. */
export async function checkExport(
  file: string,
  key: TransferKeys,
  onProgress?: (bytes: number) => void,
): Promise<CheckedExport> {
  const { header, summary } = await checkBackup(file, { onProgress, key })
  const { organisation, schema, created_datetime } = header
  if (!organisation) throw new Error('an export has no organisation')
  return { file, key, organisation, schema, created_datetime, rows: summary.rows, tables: summary.tables }
}

/**
 * Restores an organisation into an installation that has others, in one transaction, while the service runs. The rows are
 * staged first: there they are checked, audited, sealed under the pepper of this installation and held, so that nothing is
 * sent before the organisation is resumed.
 */
export async function restoreOrganisation(
  { db, keys }: { db: Db; keys: InstallationKeys },
  exported: CheckedExport,
  options: OrganisationRestore,
): Promise<RestoredOrganisation> {
  if (db.distributed) {
    throw new RestoreFault(
      'This database is distributed over several servers (Citus): an organisation can neither be exported from it nor restored into it.',
    )
  }
  if (exported.organisation.currency !== options.currency) {
    throw new RestoreFault(
      `The balance of ${exported.organisation.name} is in ${exported.organisation.currency}, and this installation charges in ${options.currency}.`,
    )
  }
  try {
    return await transactionWithCopy(db, (tx, copy) => restoreIn(tx, copy, keys, exported, options), {
      signal: options.signal,
    })
  } catch (fault) {
    // A constraint or trigger of the real tables, or a value that a column does not take.
    if (!/^2[23]|^P0001$/.test(codeOf(fault) ?? '') || !(fault instanceof Error)) throw fault
    throw new RestoreFault(`${exported.file} cannot be restored: ${fault.message}.`)
  }
}

async function restoreIn(
  tx: Tx,
  copy: Copy,
  keys: InstallationKeys,
  exported: CheckedExport,
  { audit, onProgress }: OrganisationRestore,
): Promise<RestoredOrganisation> {
  const { file, key, organisation } = exported
  await tx.unsafe('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
  await requireSameSchema(tx, exported)
  const schema = await schemaOf(tx)
  const tables = (await listTables(tx)).filter(({ name }) => EXPORTED[name] !== undefined)
  for (const table of tables) await stage(tx, schema, table)
  const loaded = new Set<string>()
  await loadTables(tx, copy, readParts(file, { onProgress, key }), {
    onTable: (begin) => {
      if (!isOf(tables, begin) || loaded.has(begin.table)) throw foreign(file, begin.table)
      loaded.add(begin.table)
    },
  })
  for (const table of tables) if (!loaded.has(table.name)) throw foreign(file, table.name)
  await requireOwn(tx, tables, exported)

  for (const table of tables) await analyze(tx, table)
  await lookInto(tx, [STAGED, schema]) // for the functions of the audit
  await audit(tx)
  await lookInto(tx, [STAGED])
  const sealed = SEALED_COLUMNS.filter(({ table }) => EXPORTED[table] !== undefined)
  await resealAll({ db: tx, keys: { ...keys, former: key } }, undefined, sealed)
  await holdOrganisation(tx, organisation.id, 'restored')
  await lookInto(tx, [schema, STAGED]) // the triggers of the ledger read the real tables

  const waiting = await measureWaiting(tx)
  const links_dropped = await dropTakenLinks(tx, schema)
  const conflicts = await findConflicts(tx, schema, tables.filter(isIdentified), [
    organisation.id,
    organisation.test_id,
  ])
  if (conflicts.length > 0) throw new RestoreFault(describeConflicts(exported, conflicts))
  await renumberJobs(tx, schema)
  await postponeReports(tx)
  const has_other_keys = organisation.keys_mark !== markOfKeys(keys)
  const accounts_to_renew = has_other_keys ? await listAccounts(tx) : []
  for (const table of tables) await insertStaged(tx, schema, table)
  await tx.unsafe('set constraints all immediate')
  await recordAudit(tx, COMMAND_LINE, { organisation_id: organisation.id, action: 'organisation.restore' })
  return { organisation, waiting, links_dropped, accounts_to_renew, has_other_keys }
}

async function requireSameSchema(tx: Tx, { file, schema }: CheckedExport): Promise<void> {
  const own = await newestApplied(tx)
  if (own === schema) return
  throw new RestoreFault(
    `${file} has schema ${schema} and this installation schema ${own}: bring both installations to the same release, and export again.`,
  )
}

/** Jobs get new ids. */
const isIdentified = ({ name }: Table): boolean => name !== 'jobs'

function isOf(tables: readonly Table[], { table, columns }: TableBegin): boolean {
  const own = tables.find(({ name }) => name === table)
  return own !== undefined && own.columns.toSorted().join() === columns.toSorted().join()
}

/** All rows belong to the organisation of the header, its twin, or one of its users. */
async function requireOwn(tx: Tx, tables: readonly Table[], { file, organisation }: CheckedExport): Promise<void> {
  const ids = [organisation.id, organisation.test_id]
  if (!(await isPair(tx, organisation))) throw foreign(file, 'organisations')
  for (const table of tables) if ((await countForeign(tx, table, ids)) > 0) throw foreign(file, table.name)
}

function foreign(file: string, table: string): UnusableBackup {
  return new UnusableBackup(
    `${file} is not what gangan organisations export writes: its table ${table} is missing, is not exported, or has rows of another organisation. Nothing was restored.`,
  )
}

function describeConflicts({ organisation }: CheckedExport, conflicts: readonly string[]): string {
  return [
    `${organisation.name} (${organisation.id}) conflicts with what this installation has; nothing was restored:`,
    ...conflicts,
  ].join('\n  ')
}
