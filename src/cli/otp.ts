import { readConfig } from '../config/config.ts'
import { findAllGuarded, liftGuard } from '../otp/admission/guard.ts'
import { withDatabase } from './database.ts'
import { ORGANISATION, withAccount, type Account } from './organisations/which-organisation.ts'
import { form, type Command } from './terminal/command.ts'
import { notFound } from './terminal/operator-fault.ts'
import { done, rows, type Result } from './terminal/result.ts'

const LIST = 'list number prefixes whose OTPs are throttled or blocked'

export const otp: Command = [
  form('guard', LIST, {}, list),
  form('guard list', LIST, {}, list),
  form('guard lift PREFIX', 'allow OTPs to a prefix again', ORGANISATION, lift, ['gangan otp guard lift 234803']),
]

async function list(): Promise<Result> {
  return rows(await withDatabase(readConfig(), (db) => findAllGuarded({ db })), {
    organisation: (one) => one.organisation_id,
    prefix: (one) => one.prefix,
    state: (one) => one.state,
    sent: (one) => one.sent,
    verified: (one) => one.verified,
    until: (one) => one.until_datetime,
  })
}

async function lift(given: Account, prefix = ''): Promise<Result> {
  const lifted = await withAccount(given, (db, organisation_id) => liftGuard({ db }, organisation_id, prefix))
  if (!lifted) throw notFound(`${prefix} is neither slowed nor blocked; gangan otp guard lists what is.`)
  return done(`OTPs to ${prefix}… are sent again.`, { prefix })
}
