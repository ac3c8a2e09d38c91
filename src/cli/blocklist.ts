import { readFile, stat } from 'node:fs/promises'
import { exportBlocklist, importBlocklist, MAX_IMPORT_BYTES } from '../blocklist/import.ts'
import { block, findBlocked, unblock } from '../blocklist/manage.ts'
import { MAX_ENTRIES } from '../blocklist/schema.ts'
import { readConfig } from '../config/config.ts'
import { COMMAND_LINE } from '../users/audit.ts'
import { dialPlan } from '../values/phone/phone.ts'
import { present } from '../values/record.ts'
import { Refusal } from '../values/refusal.ts'
import { codeOf } from '../values/thrown.ts'
import { withDatabase } from './database.ts'
import { form, integer, plainForm, valued, type Command } from './terminal/command.ts'
import { notFound, OperatorFault, usageFault } from './terminal/operator-fault.ts'
import { done, rows, type Result } from './terminal/result.ts'

const REASON = valued('TEXT', 'why; shown in the list (required)')
const ADD = { reason: REASON, until: valued('TIME', 'when it expires, such as 2026-12-24T18:00:00+01:00') }
const IMPORT = { reason: valued('TEXT', 'the reason of lines without one') }
const LIST = {
  search: valued('DIGITS', 'only entries that begin so'),
  limit: integer(1, 1_000, 'so many (100)'),
  cursor: valued('CURSOR', 'continue after the list that printed it'),
}
const ABOUT_LIST = 'list what is blocked, with how often it was hit'

/** The block list of the installation. */
export const blocklist: Command = [
  form('', ABOUT_LIST, LIST, list),
  form('list', ABOUT_LIST, LIST, list),
  form(
    'add ENTRY',
    'block a number, or with * behind it all numbers that begin so; for all organisations and channels',
    ADD,
    (given, entry = '') => add(given, entry),
    ["gangan blocklist add '234803*' --reason 'SMS pumping' --until 2026-12-31T00:00:00Z"],
  ),
  form('remove ENTRY', 'unblock a number or prefix', {}, (_, entry = '') => remove(entry)),
  form(
    'import FILE',
    'add all entries of a CSV file, or none: entry, reason, expires',
    IMPORT,
    (given, file = '') => importFile(given, file),
    ["gangan blocklist import fraud.csv --reason 'fraud list of March'"],
  ),
  plainForm('export', 'print the list as CSV, to import it again', {}, exportAll, [
    'gangan blocklist export > list.csv',
  ]),
]

async function list({ search, limit, cursor }: { search?: string; limit?: string; cursor?: string }): Promise<Result> {
  const query = { ...present('search', search), ...present('query_id', cursor), limit: Number(limit ?? 100) }
  const { entries, pagination } = await withDatabase(readConfig(), (db) => findBlocked({ db }, query))
  return {
    ...rows(entries, {
      entry: (one) => one.entry,
      hits: (one) => one.hits,
      'last hit': (one) => one.last_hit_datetime,
      expires: (one) => one.expires_datetime,
      by: (one) => one.actor,
      reason: (one) => one.reason,
    }),
    ...present('note', pagination.next_page === 'True' ? `There are more: --cursor ${pagination.query_id}` : undefined),
  }
}

async function add({ reason, until }: { reason?: string; until?: string }, entry: string): Promise<Result> {
  if (reason === undefined) throw usageFault('--reason is required.')
  const config = readConfig()
  const plan = dialPlan(config.settings.organisation.default_country)
  const outcome = await withDatabase(config, (db) => block({ db }, COMMAND_LINE, plan, [{ entry, reason, until }]))
  return done(`${entry} is blocked, in every process within two seconds.`, { entry, ...outcome })
}

async function remove(entry: string): Promise<Result> {
  const config = readConfig()
  const plan = dialPlan(config.settings.organisation.default_country)
  await withDatabase(config, (db) => unblock({ db }, COMMAND_LINE, plan, [entry]))
  return done(`${entry} is not blocked any more.`, { entry })
}

async function importFile({ reason = '' }: { reason?: string }, file: string): Promise<Result> {
  const config = readConfig()
  const plan = dialPlan(config.settings.organisation.default_country)
  const bytes = await readWhole(file)
  try {
    const outcome = await withDatabase(config, (db) => importBlocklist({ db }, COMMAND_LINE, plan, bytes, reason))
    const { entries, added } = outcome
    return done(
      `${entries.toLocaleString('en')} entries are blocked, ${added.toLocaleString('en')} of them new.`,
      outcome,
    )
  } catch (fault) {
    if (!(fault instanceof Refusal) || fault.faults.length === 0) throw fault
    const lines = fault.faults.map(({ message }) => message)
    throw usageFault(`Nothing was imported from ${file}:\n${lines.join('\n')}`)
  }
}

async function readWhole(file: string): Promise<Buffer> {
  try {
    const { size } = await stat(file)
    if (size > MAX_IMPORT_BYTES) {
      const most = `${MAX_IMPORT_BYTES / 1_048_576} MiB or ${MAX_ENTRIES.toLocaleString('en')} entries`
      throw new OperatorFault(`${file} is larger than a block list may be: ${most}.`)
    }
    return await readFile(file)
  } catch (fault) {
    if (fault instanceof OperatorFault) throw fault
    throw notFound(`${file} cannot be read (${codeOf(fault)}).`)
  }
}

async function exportAll(): Promise<void> {
  await withDatabase(readConfig(), async (db) => {
    for await (const text of exportBlocklist({ db })) process.stdout.write(text)
  })
}
