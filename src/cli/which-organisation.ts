import type { Db } from '../db/connect.ts'
import { findFirstOrganisation, findOrganisation, findTwin } from '../organisations/store.ts'
import { isId } from '../values/id.ts'
import { OperatorFault } from './terminal/operator-fault.ts'

/** The organisation named by `--organisation`, or the first one. */
export async function whichOrganisation(db: Db, given: string | undefined): Promise<string> {
  if (given === undefined) {
    const first = await findFirstOrganisation(db)
    if (!first) throw new OperatorFault('There is no organisation yet; gangan serve or organisations create makes one.')
    return first.id
  }
  const found = isId(given) ? await findOrganisation(db, given) : undefined
  if (!found) throw new OperatorFault(`There is no organisation ${given}; gangan organisations list shows them.`)
  return found.id
}

/** The organisation of a command with `--organisation` and `--test`. */
export async function whichAccount(
  db: Db,
  { organisation, test }: { organisation?: string; test?: boolean },
): Promise<string> {
  const organisation_id = await whichOrganisation(db, organisation)
  return test ? twinOf(db, organisation_id) : organisation_id
}

async function twinOf(db: Db, organisation_id: string): Promise<string> {
  const twin = await findTwin(db, organisation_id)
  if (!twin) throw new OperatorFault(`${organisation_id} has no test twin.`)
  return twin.id
}
