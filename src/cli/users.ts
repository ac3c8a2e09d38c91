import { readConfig, type Config } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { listOrganisations } from '../organisations/store.ts'
import { COMMAND_LINE } from '../users/audit.ts'
import { inviteAgain, inviteUser, linkToEnter } from '../users/invite.ts'
import { changeUser } from '../users/manage.ts'
import { factorsOf } from '../users/login/second-factor.ts'
import { ROLES } from '../users/roles.ts'
import { findUser, findUsersByEmail, listAllUsers, type UserRow } from '../users/store.ts'
import { shownUser } from '../users/view.ts'
import { isId } from '../values/id.ts'
import { Refusal } from '../values/refusal.ts'
import { consoleUrl } from './terminal/banner.ts'
import { form, type Command } from './terminal/command.ts'
import { withDatabase } from './database.ts'
import { OperatorFault } from './terminal/operator-fault.ts'
import { table } from './terminal/table.ts'
import { whichOrganisation } from './which-organisation.ts'

type Options = { operator?: boolean; organisation?: string; name?: string; role?: string }

const LISTED = 10_000
const SECOND = { passkey: 'passkey', code: 'app' }

export const users: Command = [
  form('list', {}, list),
  form('invite EMAIL', { operator: 'flag', organisation: 'text', name: 'text', role: 'text' }, invite),
  form('enter EMAIL', {}, (_, email = '') => enter(email)),
  form('reset EMAIL', {}, (_, email = '') => reset(email)),
  form('disable EMAIL', {}, (_, email = '') => setDisabled(email, true)),
  form('enable EMAIL', {}, (_, email = '') => setDisabled(email, false)),
]

async function list(): Promise<void> {
  const [rows, organisations] = await withMigrated(readConfig(), async (db) => [
    await listAllUsers(db, LISTED),
    await listOrganisations(db),
  ])
  const names = new Map(organisations.map(({ id, name }) => [id, name]))
  process.stdout.write(
    table(
      ['email', 'state', 'signs in by', 'two-factor', 'last login', 'organisation', 'role'],
      rows.map((row) => {
        const { email, role, state, provider, last_login_datetime, organisation_id } = shownUser(row)
        const second = factorsOf(row).map((factor) => SECOND[factor])
        const by = provider ?? (state === 'invited' ? '-' : 'password')
        const where = organisation_id === undefined ? '(operator)' : (names.get(organisation_id) ?? '')
        return [email ?? '-', state, by, second.join(' and ') || 'no', last_login_datetime ?? '-', where, role]
      }),
    ),
  )
}

async function invite({ operator, organisation, name, role }: Options, email = ''): Promise<void> {
  if (operator && organisation !== undefined) throw new OperatorFault('An operator belongs to no organisation.')
  const as = ROLES.find((one) => one === role)
  if (role !== undefined && (!as || operator)) {
    throw new OperatorFault(`A role in an organisation is one of ${ROLES.join(', ')}; an operator has none.`)
  }
  const config = readConfig()
  const { token } = await withMigrated(config, async (db) => {
    const organisation_id = operator ? null : await whichOrganisation(db, organisation)
    return explainRefusal(
      inviteUser({ db }, COMMAND_LINE, { email, name, organisation_id, ...(as ? { role: as } : {}) }),
    )
  })
  printLink(config, token)
}

/** Whatever keeps an operator out: passwords switched off, a provider that is away or configured wrongly. */
async function enter(email: string): Promise<void> {
  const config = readConfig()
  const token = await withMigrated(config, async (db) => {
    const { organisation_id, id } = await requireUser(db, email, (user) => user.organisation_id === null)
    if (organisation_id !== null) throw new OperatorFault(`${email} is no operator; only operators come in so.`)
    return explainRefusal(linkToEnter({ db }, COMMAND_LINE, id))
  })
  process.stdout.write(`${consoleUrl(config.public_url, token)}\n`)
  process.stderr.write('The link works once, within a quarter of an hour, and lets in for one hour.\n')
}

/** For a lost password or authenticator: ends all sessions and prints a new link. */
async function reset(email: string): Promise<void> {
  const config = readConfig()
  const { token } = await withMigrated(config, async (db) => {
    const { organisation_id, id } = await requireUser(db, email)
    return explainRefusal(inviteAgain({ db }, COMMAND_LINE, organisation_id, id, { may_reset: true, role: 'operator' }))
  })
  printLink(config, token)
}

async function setDisabled(email: string, disabled: boolean): Promise<void> {
  await withMigrated(readConfig(), async (db) => {
    const { organisation_id, id } = await requireUser(db, email)
    await explainRefusal(changeUser({ db }, { who: COMMAND_LINE, role: 'operator' }, organisation_id, id, { disabled }))
  })
  process.stdout.write(`${email} is ${disabled ? 'disabled and signed out' : 'enabled again'}.\n`)
}

/** By address, or by id where people of several organisations have the address. */
async function requireUser(db: Db, named: string, isMeant: (user: UserRow) => boolean = () => true): Promise<UserRow> {
  const found = isId(named) ? [await findUser(db, named)] : await findUsersByEmail(db, named)
  const all = found.filter((one) => one !== undefined)
  const [user, ...others] = all.some(isMeant) ? all.filter(isMeant) : all
  if (!user) throw new OperatorFault(`There is no user ${named}; gangan users list shows them.`)
  if (others.length === 0) return user
  const ids = [user, ...others].map(({ id, organisation_id }) => `${id} (${organisation_id ?? 'operator'})`)
  throw new OperatorFault(`${named} has several accounts. Give the id of one instead: ${ids.join(', ')}`)
}

/** The commands that come first on a new installation bring its schema along. */
async function withMigrated<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  return withDatabase(config, async (db) => {
    await migrate(db)
    return work(db)
  })
}

async function explainRefusal<T>(work: Promise<T>): Promise<T> {
  return work.catch((fault: unknown) => {
    if (!(fault instanceof Refusal)) throw fault
    throw new OperatorFault(fault.faults[0]?.message ?? fault.message)
  })
}

function printLink(config: Config, token: string): void {
  if (!config.settings.sign_in.password) {
    process.stdout.write(`${consoleUrl(config.public_url)}\n`)
    process.stderr.write('Passwords are switched off (sign_in.password): they sign in there by a provider.\n')
    return
  }
  process.stdout.write(`${consoleUrl(config.public_url, token)}\n`)
  process.stderr.write('The link works once, within three days.\n')
}
