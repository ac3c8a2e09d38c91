import { readConfig, type Config } from '../../config/config.ts'
import type { Db } from '../../db/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { listOrganisations } from '../../organisations/store.ts'
import { COMMAND_LINE } from '../../users/audit.ts'
import { inviteAgain, inviteUser, linkToEnter } from '../../users/invite.ts'
import { changeUser } from '../../users/manage.ts'
import { factorsOf } from '../../users/login/second-factor.ts'
import { ROLES } from '../../users/roles.ts'
import { findUser, findUsersByEmail, listAllUsers, type UserRow } from '../../users/store.ts'
import { shownUser } from '../../users/view.ts'
import { isId } from '../../values/id.ts'
import { consoleUrl } from '../terminal/banner.ts'
import { withDatabase } from '../database.ts'
import { choice, flag, form, valued, type Command } from '../terminal/command.ts'
import { notFound, OperatorFault, usageFault } from '../terminal/operator-fault.ts'
import { done, rows, type Result } from '../terminal/result.ts'
import { whichOrganisation } from './which-organisation.ts'

type Options = { operator?: boolean; organisation?: string; name?: string; role?: string }

const LISTED = 10_000
const SECOND = { passkey: 'passkey', code: 'app' }

const INVITE = {
  organisation: valued('ID', 'organisation of the user (the first)'),
  operator: flag('an operator, with access to all organisations'),
  name: valued('TEXT', 'their name'),
  role: choice(ROLES, 'their role in the organisation'),
}

/** A user is named by address, or by id where several organisations have the address. */
export const users: Command = [
  form('list', 'list users, and whether they can log in', {}, list),
  form('invite EMAIL', 'invite a user: print a one-time link to the console', INVITE, invite, [
    'gangan users invite ada@example.com --role developer',
    'gangan users invite ops@example.com --operator',
  ]),
  form(
    'enter EMAIL',
    'print a link that logs an operator in without a password (an id instead of EMAIL, where several organisations have the address)',
    {},
    (_, email = '') => enter(email),
  ),
  form('reset EMAIL', 'print a new link; ends password, second factor and sessions', {}, (_, email = '') =>
    reset(email),
  ),
  form('disable EMAIL', 'log out immediately and block, until enabled again', {}, (_, email = '') =>
    setDisabled(email, true),
  ),
  form('enable EMAIL', 'allow to log in again', {}, (_, email = '') => setDisabled(email, false)),
]

async function list(): Promise<Result> {
  const [found, organisations] = await withMigrated(readConfig(), async (db) => [
    await listAllUsers(db, LISTED),
    await listOrganisations(db),
  ])
  const names = new Map(organisations.map(({ id, name }) => [id, name]))
  const shown = found.map((row) => ({ ...shownUser(row), factors: factorsOf(row) }))
  return rows(shown, {
    email: (one) => one.email ?? '-',
    state: (one) => one.state,
    'signs in by': (one) => one.provider ?? (one.state === 'invited' ? '-' : 'password'),
    'two-factor': (one) => one.factors.map((factor) => SECOND[factor]).join(' and ') || 'no',
    'last login': (one) => one.last_login_datetime ?? '-',
    organisation: ({ organisation_id: id }) => (id === undefined ? '(operator)' : names.get(id)),
    role: (one) => one.role,
  })
}

async function invite({ operator, organisation, name, role }: Options, email = ''): Promise<Result> {
  if (operator && organisation !== undefined) throw usageFault('An operator belongs to no organisation.')
  const as = ROLES.find((one) => one === role)
  if (role !== undefined && (!as || operator)) {
    throw usageFault(`A role in an organisation is one of ${ROLES.join(', ')}; an operator has none.`)
  }
  const config = readConfig()
  const { token } = await withMigrated(config, async (db) => {
    const organisation_id = operator ? null : await whichOrganisation(db, organisation)
    return inviteUser({ db }, COMMAND_LINE, { email, name, organisation_id, ...(as ? { role: as } : {}) })
  })
  return linkTo(config, email, token)
}

/** Whatever keeps an operator out: passwords switched off, a provider that is away or configured wrongly. */
async function enter(email: string): Promise<Result> {
  const config = readConfig()
  const token = await withMigrated(config, async (db) => {
    const { organisation_id, id } = await requireUser(db, email, (user) => user.organisation_id === null)
    if (organisation_id !== null) throw new OperatorFault(`${email} is no operator; only operators come in so.`)
    return linkToEnter({ db }, COMMAND_LINE, id)
  })
  const note = 'The link works once, within a quarter of an hour, and lets in for one hour.'
  return shownLink(email, consoleUrl(config.public_url, token), note)
}

/** For a lost password or authenticator: ends all sessions and prints a new link. */
async function reset(email: string): Promise<Result> {
  const config = readConfig()
  const { token } = await withMigrated(config, async (db) => {
    const { organisation_id, id } = await requireUser(db, email)
    return inviteAgain({ db }, COMMAND_LINE, organisation_id, id, { may_reset: true, role: 'operator' })
  })
  return linkTo(config, email, token)
}

async function setDisabled(email: string, disabled: boolean): Promise<Result> {
  await withMigrated(readConfig(), async (db) => {
    const { organisation_id, id } = await requireUser(db, email)
    await changeUser({ db }, { who: COMMAND_LINE, role: 'operator' }, organisation_id, id, { disabled })
  })
  return done(`${email} is ${disabled ? 'disabled and signed out' : 'enabled again'}.`, { email, disabled })
}

/** By address, or by id where people of several organisations have the address. */
async function requireUser(db: Db, named: string, isMeant: (user: UserRow) => boolean = () => true): Promise<UserRow> {
  const found = isId(named) ? [await findUser(db, named)] : await findUsersByEmail(db, named)
  const all = found.filter((one) => one !== undefined)
  const [user, ...others] = all.some(isMeant) ? all.filter(isMeant) : all
  if (!user) throw notFound(`There is no user ${named}; gangan users list shows them.`)
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

function linkTo(config: Config, email: string, token: string): Result {
  if (!config.settings.sign_in.password) {
    const note = 'Passwords are switched off (sign_in.password): they log in there by a provider.'
    return shownLink(email, consoleUrl(config.public_url), note)
  }
  return shownLink(email, consoleUrl(config.public_url, token), 'The link works once, within three days.')
}

function shownLink(email: string, url: string, note: string): Result {
  return { data: { email, url }, text: `${url}\n`, note }
}
