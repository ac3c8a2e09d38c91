import { parseArgs } from 'node:util'
import { readConfig } from '../config/config.ts'
import { findAllGuarded, liftGuard } from '../otp/guard.ts'
import { withDatabase } from './database.ts'
import { OperatorFault } from './operator-fault.ts'
import { table } from './table.ts'
import { whichOrganisation } from './which-organisation.ts'

export async function otp(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { organisation: { type: 'string' } },
  })
  const [subject, action = 'list', prefix] = positionals
  if (subject === 'guard' && action === 'list') return list()
  if (subject === 'guard' && action === 'lift' && prefix !== undefined) return lift(values.organisation, prefix)
  throw new OperatorFault('Say gangan otp guard, or gangan otp guard lift PREFIX.')
}

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
  process.stdout.write(`OTPs to ${prefix}… are let through again.\n`)
}
