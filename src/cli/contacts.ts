import { readConfig, type Config } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import { findOrganisation } from '../organisations/store.ts'
import { pepperKeys, readPepper } from '../otp/pepper.ts'
import { askErasure, findErasures, readErasure, type EraseDeps } from '../people/erase.ts'
import { exportPerson } from '../people/export.ts'
import type { Erasure } from '../people/schema.ts'
import { eraseHere } from '../people/erase-worker.ts'
import { COMMAND_LINE } from '../users/audit.ts'
import { makePseudonym } from '../values/secrets/pseudonym.ts'
import { Refusal } from '../values/refusal.ts'
import { makeSeal } from '../values/secrets/seal.ts'
import { form, type Command } from './terminal/command.ts'
import { withDatabase } from './database.ts'
import { OperatorFault } from './terminal/operator-fault.ts'
import { table } from './terminal/table.ts'
import { whichAccount } from './which-organisation.ts'

const ORGANISATION_OPTIONS = { organisation: 'text', test: 'flag' } as const
type OrganisationOptions = { organisation?: string; test?: boolean }

/** Rows leased by a worker are released soon, or after hours. */
const WAIT_MS = 30_000
const LISTED = 100

export const contacts: Command = [
  form('erase NUMBER', ORGANISATION_OPTIONS, (given, number = '') => erase(given, number)),
  form('export NUMBER', ORGANISATION_OPTIONS, (given, number = '') => exportOne(given, number)),
  form('erasures', ORGANISATION_OPTIONS, list),
]

async function erase(given: OrganisationOptions, number: string): Promise<void> {
  const config = readConfig()
  const receipt = await withDatabase(config, async (db) => {
    const owner = await ownerOf(db, given)
    const deps = await eraseDeps(db, config)
    const { id } = await askErasure(deps, owner, number, COMMAND_LINE.actor, true).catch(explain)
    await eraseHere(deps, owner.organisation_id, id, WAIT_MS)
    return readErasure(deps, owner.organisation_id, id)
  })
  process.stdout.write(
    table(
      ['found in', 'rows'],
      receipt.found.map(({ table: name, rows }) => [name, String(rows)]),
    ),
  )
  process.stdout.write(
    receipt.status === 'done'
      ? `Erased. The receipt is ${receipt.id}, of ${receipt.number_hash}.\n`
      : `Incomplete: some rows are in use (${(receipt.waits_for ?? []).join(', ') || 'an import'}). gangan serve continues automatically, or run this again.\n`,
  )
}

async function exportOne(given: OrganisationOptions, number: string): Promise<void> {
  await withDatabase(readConfig(), async (db) => {
    const owner = await ownerOf(db, given)
    for await (const text of await begin(() => exportPerson({ db }, owner, number, true))) {
      if (!process.stdout.write(text)) await new Promise((resolve) => process.stdout.once('drain', resolve))
    }
  })
}

async function list(given: OrganisationOptions): Promise<void> {
  const { erasures } = await withDatabase(readConfig(), async (db) => {
    return findErasures({ db }, await whichAccount(db, given), { limit: LISTED })
  })
  process.stdout.write(table(['erasure', 'of', 'status', 'rows', 'asked by', 'ended'], erasures.map(lineOf)))
}

function lineOf(one: Erasure): string[] {
  const rows = one.found.reduce((sum, found) => sum + found.rows, 0)
  return [one.id, one.number_hash, one.status, String(rows), one.asked_by, one.ended_datetime ?? '']
}

async function ownerOf(
  db: Db,
  given: OrganisationOptions,
): Promise<{ organisation_id: string; default_country: string }> {
  const organisation_id = await whichAccount(db, given)
  const organisation = await findOrganisation(db, organisation_id)
  if (!organisation) throw new OperatorFault(`There is no organisation ${organisation_id}.`)
  return { organisation_id, default_country: organisation.default_country }
}

async function eraseDeps(db: Db, config: Config): Promise<EraseDeps> {
  const { seal_key, person_key } = pepperKeys(await readPepper({ db }, config))
  const { requests_days } = config.settings.retention
  return { db, seal: makeSeal(seal_key), pseudonymOf: makePseudonym(person_key), requests_days }
}

async function begin<T>(work: () => Promise<T>): Promise<T> {
  return work().catch(explain)
}

function explain(fault: unknown): never {
  if (fault instanceof Refusal) throw new OperatorFault(fault.faults[0]?.message ?? fault.message)
  throw fault
}
