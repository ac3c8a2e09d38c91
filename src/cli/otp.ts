import { readConfig } from '../config/config.ts'
import { findAllGuarded, liftGuard } from '../otp/admission/guard.ts'
import { form, type Command } from './terminal/command.ts'
import { withDatabase } from './database.ts'
import { OperatorFault } from './terminal/operator-fault.ts'
import { table } from './terminal/table.ts'
import { whichOrganisation } from './which-organisation.ts'

export const otp: Command = [
  form('guard', {}, list),
  form('guard list', {}, list),
  form('guard lift PREFIX', { organisation: 'text' }, ({ organisation }, prefix = '') => lift(organisation, prefix)),
]

async function list(): Promise<void> {
  const rows = await withDatabase(readConfig(), (db) => findAllGuarded({ db }))
  process.stdout.write(
    table(
      ['organisation', 'prefix', 'state', 'sent', 'verified', 'until'],
      rows.map(({ organisation_id, prefix, state, sent, verified, until_datetime }) => [
        organisation_id,
        prefix,
        state,
        String(sent),
        String(verified),
        until_datetime,
      ]),
    ),
  )
}

async function lift(organisation: string | undefined, prefix: string): Promise<void> {
  const lifted = await withDatabase(readConfig(), async (db) =>
    liftGuard({ db }, await whichOrganisation(db, organisation), prefix),
  )
  if (!lifted) throw new OperatorFault(`${prefix} is neither slowed nor blocked; gangan otp guard lists what is.`)
  process.stdout.write(`OTPs to ${prefix}… are sent again.\n`)
}
