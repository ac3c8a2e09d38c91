import { readConfig, type Config } from '../../config/config.ts'
import type { Db } from '../../db/connect.ts'
import { findFirstOrganisation, findOrganisation, findTwin } from '../../organisations/store.ts'
import { isId } from '../../values/id.ts'
import { withDatabase } from '../database.ts'
import { flag, valued } from '../terminal/command.ts'
import { notFound } from '../terminal/operator-fault.ts'

/** Options of a command about one organisation, and about one organisation or its test twin. */
export const ORGANISATION = { organisation: valued('ID', 'the organisation (the first)') }
export const ACCOUNT = { ...ORGANISATION, test: flag('its test twin') }

export type Account = { organisation?: string; test?: boolean }

/** The organisation named by `--organisation`, or the first one. */
export async function whichOrganisation(db: Db, given: string | undefined): Promise<string> {
  if (given === undefined) {
    const first = await findFirstOrganisation(db)
    if (!first) throw notFound('There is no organisation yet; gangan serve or organisations create makes one.')
    return first.id
  }
  const found = isId(given) ? await findOrganisation(db, given) : undefined
  if (!found) throw notFound(`There is no organisation ${given}; gangan organisations list shows them.`)
  return found.id
}

/** The organisation of a command with `--organisation` and `--test`. */
export async function whichAccount(db: Db, { organisation, test }: Account): Promise<string> {
  const organisation_id = await whichOrganisation(db, organisation)
  return test ? twinOf(db, organisation_id) : organisation_id
}

/** Opens the database for a command about one organisation. */
export async function withAccount<T>(
  given: Account,
  work: (db: Db, organisation_id: string) => Promise<T>,
  config: Config = readConfig(),
): Promise<T> {
  return withDatabase(config, async (db) => work(db, await whichAccount(db, given)))
}

async function twinOf(db: Db, organisation_id: string): Promise<string> {
  const twin = await findTwin(db, organisation_id)
  if (!twin) throw notFound(`${organisation_id} has no test twin.`)
  return twin.id
}
