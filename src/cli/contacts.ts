import { readConfig, type Config } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import { findOrganisation } from '../organisations/store.ts'
import { readKeys } from '../otp/pepper.ts'
import { askErasure, findErasures, readErasure, type EraseDeps } from '../people/erase.ts'
import { exportPerson } from '../people/export.ts'
import { eraseHere } from '../people/erase-worker.ts'
import { COMMAND_LINE } from '../users/audit.ts'
import { makePseudonym } from '../values/secrets/pseudonym.ts'
import { ACCOUNT, withAccount, type Account } from './organisations/which-organisation.ts'
import { form, plainForm, type Command } from './terminal/command.ts'
import { notFound } from './terminal/operator-fault.ts'
import { rows, table, type Result } from './terminal/result.ts'

/** Rows leased by a worker are released soon, or after hours. */
const WAIT_MS = 30_000
const LISTED = 100

export const contacts: Command = [
  form('erase NUMBER', 'erase a person: number and texts in all tables; irreversible', ACCOUNT, erase, [
    'gangan contacts erase +2348031234567',
  ]),
  plainForm('export NUMBER', 'export the data of a person as JSON', ACCOUNT, exportOne),
  form('erasures', 'list erasures: hash of the number, time, requester', ACCOUNT, list),
]

async function erase(given: Account, number = ''): Promise<Result> {
  const config = readConfig()
  const receipt = await withAccount(
    given,
    async (db, organisation_id) => {
      const owner = await ownerOf(db, organisation_id)
      const deps = await eraseDeps(db, config)
      const { id } = await askErasure(deps, owner, number, COMMAND_LINE.actor, true)
      await eraseHere(deps, organisation_id, id, WAIT_MS)
      return readErasure(deps, organisation_id, id)
    },
    config,
  )
  const found = table(receipt.found, { 'found in': (one) => one.table, rows: (one) => one.rows })
  const sentence =
    receipt.status === 'done'
      ? `Erased. The receipt is ${receipt.id}, of ${receipt.number_hash}.\n`
      : `Incomplete: some rows are in use (${(receipt.waits_for ?? []).join(', ') || 'an import'}). gangan serve continues automatically, or run this again.\n`
  return { data: receipt, text: found + sentence }
}

async function exportOne(given: Account, number = ''): Promise<void> {
  await withAccount(given, async (db, organisation_id) => {
    const owner = await ownerOf(db, organisation_id)
    for await (const text of await exportPerson({ db }, owner, number, true)) {
      if (!process.stdout.write(text)) await new Promise((resolve) => process.stdout.once('drain', resolve))
    }
  })
}

async function list(given: Account): Promise<Result> {
  const { erasures } = await withAccount(given, (db, organisation_id) =>
    findErasures({ db }, organisation_id, { limit: LISTED }),
  )
  return rows(erasures, {
    erasure: (one) => one.id,
    of: (one) => one.number_hash,
    status: (one) => one.status,
    rows: (one) => one.found.reduce((sum, found) => sum + found.rows, 0),
    'asked by': (one) => one.asked_by,
    ended: (one) => one.ended_datetime,
  })
}

async function ownerOf(db: Db, organisation_id: string): Promise<{ organisation_id: string; default_country: string }> {
  const organisation = await findOrganisation(db, organisation_id)
  if (!organisation) throw notFound(`There is no organisation ${organisation_id}.`)
  return { organisation_id, default_country: organisation.default_country }
}

async function eraseDeps(db: Db, config: Config): Promise<EraseDeps> {
  const { seal, person_key } = await readKeys({ db }, config)
  const { requests_days } = config.settings.retention
  return { db, seal, pseudonymOf: makePseudonym(person_key), requests_days }
}
