import type { Db, Tx } from '../connect.ts'
import { splitStatements } from './split-statements.ts'

/**
 * Before the first release migrations were numbered up to 65; then one file, `0001_schema.sql`, replaced them all. A
 * database or backup at schema 65 of the former numbering has the tables of that file but for what is named here.
 */
export const LAST_FORMER_SCHEMA = 65
const LAST_FORMER_COMMIT = '06f9fe95'
const BASELINE = '0001_schema'
/** Not used by any build; dropped when a database is adopted. */
const DROPPED_COLUMN = { table: 'whatsapp_templates', name: 'synced_datetime' }
/** Renamed before the first release. */
const RENAMED_COLUMNS = [
  { table: 'jobs', from: 'in_hand', to: 'leased' },
  { table: 'report_jobs', from: 'in_hand', to: 'leased' },
  { table: 'intake', from: 'handed', to: 'submitted' },
  { table: 'balances', from: 'low_told', to: 'low_notified' },
  { table: 'smpp_long_texts', from: 'in_no_hurry', to: 'is_bulk' },
]
const RENAMED_INDEX = { from: 'phone_messages_in_hand', to: 'phone_messages_in_flight' }
/** Was created by a migration; now it is in `functions/`. */
const FUNCTION_OF_A_FILE = 'phone_sim_use(uuid, smallint, uuid[])'
const RENAMED_QUEUE = { from: 'callbacks in hand', to: 'callback bursts' }
/** The baseline's check the same in less time; the triggers that call them stay. */
const REPLACED_FUNCTIONS = /create (?=function (?:ledger_lines_continue|balance_has_its_line)\(\))/
/** Were changed so that a kept plan cannot use them for lookups by primary key. */
const REPLACED_INDEXES = /create index (intake_by_route|intake_by_last_id|callbacks_by_subject) /
/** Extended without checking the rows, all of which fulfil them. */
const UNVALIDATED = [
  { table: 'messages', constraint: 'messages_encoding_check' },
  { table: 'optouts', constraint: 'optouts_source_check' },
]

/** A database or backup that only an earlier build can upgrade. */
export class OutdatedSchema extends Error {
  constructor(what: string, found: number) {
    super(
      `${what} has schema ${found} of the numbering before the first release, and this build upgrades only its last, ${LAST_FORMER_SCHEMA}: run gangan migrate with the build of commit ${LAST_FORMER_COMMIT}, then start this one.`,
    )
  }
}

/** The newest migration of the former numbering; undefined where the new one applies, or no migration was applied. */
export async function formerSchema(sql: Db | Tx): Promise<number | undefined> {
  const [row] = await sql<{ number: number | null }[]>`
    select max(number) as number from migrations
    having not bool_or(number = 1 and name = ${BASELINE})`
  return row?.number ?? undefined
}

/**
 * Adopts a database at schema 65 of the former numbering as the baseline, whose text is given; returns what was applied.
 */
export async function adoptBaseline(tx: Tx, baseline: string): Promise<string[]> {
  const former = await formerSchema(tx)
  if (former === undefined) return []
  if (former !== LAST_FORMER_SCHEMA) throw new OutdatedSchema('The database', former)
  await adoptRows(tx)
  for (const statement of splitStatements(baseline).filter((one) => REPLACED_FUNCTIONS.test(one))) {
    await tx.unsafe(statement.replace(REPLACED_FUNCTIONS, 'create or replace '))
  }
  for (const statement of splitStatements(baseline)) {
    const [, index] = REPLACED_INDEXES.exec(statement) ?? []
    if (index === undefined) continue
    await tx.unsafe(`drop index ${index}`)
    await tx.unsafe(statement)
  }
  for (const { table, constraint } of UNVALIDATED) {
    await tx.unsafe(`alter table ${table} validate constraint ${constraint}`)
  }
  await tx`delete from migrations`
  await tx`insert into migrations (number, name) values (1, ${BASELINE})`
  return [BASELINE]
}

/** Gives tables of the baseline the columns of schema 65, to take the rows of a backup. */
export async function prepareFormerTables(tx: Tx): Promise<void> {
  for (const { table, from, to } of RENAMED_COLUMNS) {
    await tx.unsafe(`alter table ${table} rename column ${to} to ${from}`)
  }
  await tx.unsafe(`alter index ${RENAMED_INDEX.to} rename to ${RENAMED_INDEX.from}`)
  await tx.unsafe(`alter table ${DROPPED_COLUMN.table} add column ${DROPPED_COLUMN.name} timestamptz`)
}

/** Brings tables and rows of schema 65 to the baseline. */
export async function adoptRows(tx: Tx): Promise<void> {
  await tx.unsafe(`alter table ${DROPPED_COLUMN.table} drop column ${DROPPED_COLUMN.name}`)
  for (const { table, from, to } of RENAMED_COLUMNS) {
    await tx.unsafe(`alter table ${table} rename column ${from} to ${to}`)
  }
  await tx.unsafe(`alter index ${RENAMED_INDEX.from} rename to ${RENAMED_INDEX.to}`)
  await tx.unsafe(`drop function if exists ${FUNCTION_OF_A_FILE}`)
  await tx`update jobs set queue = ${RENAMED_QUEUE.to} where queue = ${RENAMED_QUEUE.from}`
  // A report without keys meant its id, or that normalised as ids of SMPP carriers are; now it means its id only.
  await tx`
    update reports
    set keys = array[carrier_message_id, lower(regexp_replace(carrier_message_id, '^0+(?=.)', ''))], certain = 2
    where keys is null`
}
