import { byLayout, connectionsOf } from '../db/layout.ts'
import type { Db, Tx } from '../db/connect.ts'
import { listPage, type Listed } from '../db/list-page.ts'
import { prepare, type Query, type Sql } from '../db/sql.ts'
import type { SpendingLimit } from '../values/money.ts'
import type { Page } from '../values/page.ts'
import type { Scope } from './schema.ts'
import type { Held } from './suspend-store.ts'

export type Organisation = {
  id: string
  name: string
  mode: 'live' | 'test'
  twin_of: string | null
  default_country: string
  default_sender_id: string | null
  currency: string
  created_datetime: string
}

/** The authenticated caller, with the settings that requests need. */
export type Caller = {
  organisation_id: string
  /** The API key; null for a console user or the service itself. */
  key_id: string | null
  mode: 'live' | 'test'
  default_country: string
  default_sender_id: string | null
  smart_encoding: boolean
  currency: string
  /** Local time of the recipient between which no promotional message is sent, such as `20:00`; both or neither. */
  quiet_from: string | null
  quiet_until: string | null
  /** Whether any recipient has opted out, so that recipients must be checked. */
  has_optouts: boolean
  /** Whether it has OTP settings or test numbers of its own. */
  has_otp_settings: boolean
  /** The senders that the operator approved, in lower case. */
  approved_senders: string[]
  /** Suspended by the operator: nothing is sent. */
  suspended: boolean
  /** Limits set by the operator; null: unlimited. */
  requests_per_s: number | null
  messages_per_s: number | null
  /** Its price list, or that of the live organisation; null: the default. */
  price_list_id: string | null
  /** Of its key. */
  spending_limit: SpendingLimit | null
  scopes: Scope[] | null
}

export type NewOrganisation = Omit<Organisation, 'created_datetime'> & { callback_secret: string }

export async function insertOrganisation(tx: Tx, organisation: NewOrganisation): Promise<void> {
  await tx`
    insert into organisations
      (id, name, mode, twin_of, default_country, default_sender_id, currency, callback_secrets)
    values (${organisation.id}, ${organisation.name}, ${organisation.mode}, ${organisation.twin_of},
      ${organisation.default_country}, ${organisation.default_sender_id}, ${organisation.currency},
      array[${organisation.callback_secret}]::text[])`
}

type ListedOrganisation = Organisation & {
  balance: bigint
  credit_limit: bigint
  suspended: boolean
  held: Held | null
  requests_per_s: number | null
  messages_per_s: number | null
}

export async function listOrganisations(db: Db): Promise<ListedOrganisation[]> {
  return db<ListedOrganisation[]>`
    select id, name, mode, twin_of, default_country, default_sender_id, currency, created_datetime, balance,
      credit_limit, suspended_datetime is not null as suspended, held, requests_per_s, messages_per_s
    from organisations join balances on organisation_id = id
    order by id`
}

/** The settings that the console goes by. */
export type ConsoleSettings = Pick<Organisation, 'default_country' | 'default_sender_id'> & {
  low_balance: bigint | null
  time_zone: string | null
  confirm_above: number | null
}

export type OwnedOrganisation = Omit<Organisation, 'mode' | 'twin_of'> &
  ConsoleSettings & {
    test_id: string
    /** The settings of the twin. */
    test_settings: ConsoleSettings
    suspended_datetime: string | null
    requests_per_s: number | null
    messages_per_s: number | null
    balance: bigint
    credit_limit: bigint
    test_balance: bigint
  }

/** Organisations with their test twins and both balances, newest first. */
export async function listWithTwins(
  db: Db,
  search: string | undefined,
  page: Page,
): Promise<Listed<OwnedOrganisation>> {
  const listed = await listPage<TwinnedOrganisation>(db, page, {
    ...withTwins(db),
    from: db`organisations own`,
    where: db`
      own.mode = 'live'
      ${search === undefined ? db`` : db`and position(lower(${search}) in lower(own.name)) > 0`}`,
    key: db`own.id`,
  })
  return { ...listed, rows: await withBalances(db, listed.rows) }
}

export async function findWithTwin(db: Db, id: string): Promise<OwnedOrganisation | undefined> {
  const { select, join } = withTwins(db)
  const found = await db<TwinnedOrganisation[]>`
    select ${select} from organisations own ${join} where own.mode = 'live' and own.id = ${id}`
  const [row] = await withBalances(db, found)
  return row
}

type TwinnedOrganisation = Omit<OwnedOrganisation, 'balance' | 'credit_limit' | 'test_balance' | 'test_settings'> & {
  [Name in keyof ConsoleSettings as `test_${Name}`]: ConsoleSettings[Name]
}

/** A separate statement, because an organisation and its twin may be on different nodes of a cluster. */
async function withBalances(db: Db, rows: readonly TwinnedOrganisation[]): Promise<OwnedOrganisation[]> {
  const ids = rows.flatMap(({ id, test_id }) => [id, test_id])
  const balances = await db<{ organisation_id: string; balance: bigint; credit_limit: bigint }[]>`
    select organisation_id, balance, credit_limit from balances where organisation_id = any (${ids}::uuid[])`
  const account_of = new Map(balances.map((account) => [account.organisation_id, account]))
  return rows.map((row) => {
    const { balance = 0n, credit_limit = 0n } = account_of.get(row.id) ?? {}
    const test_settings = {
      default_country: row.test_default_country,
      default_sender_id: row.test_default_sender_id,
      low_balance: row.test_low_balance,
      time_zone: row.test_time_zone,
      confirm_above: row.test_confirm_above,
    }
    return { ...row, test_settings, balance, credit_limit, test_balance: account_of.get(row.test_id)?.balance ?? 0n }
  })
}

function withTwins(db: Db) {
  return {
    select: db`own.id, own.name, own.default_country, own.default_sender_id, own.currency, own.created_datetime,
      own.low_balance, own.time_zone, own.confirm_above, own.suspended_datetime, own.requests_per_s, own.messages_per_s,
      twin.id as test_id, twin.default_country as test_default_country,
      twin.default_sender_id as test_default_sender_id, twin.low_balance as test_low_balance,
      twin.time_zone as test_time_zone, twin.confirm_above as test_confirm_above`,
    join: db`join organisations twin on twin.twin_of = own.id`,
  }
}

export async function listNames(db: Db, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  return db<{ id: string; name: string }[]>`select id, name from organisations where id = any (${ids}::uuid[])`
}

/** The first organisation is the oldest one that is not a test twin. */
export async function findFirstOrganisation(sql: Db | Tx): Promise<{ id: string } | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from organisations where mode = 'live' order by created_datetime, id limit 1`
  return row
}

/** Live organisations, up to a limit. */
export async function findLiveOrganisations(db: Db, limit: number): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`select id from organisations where mode = 'live' limit ${limit}`
}

export async function findTwin(sql: Db | Tx, organisation_id: string): Promise<{ id: string } | undefined> {
  const [row] = await sql<{ id: string }[]>`select id from organisations where twin_of = ${organisation_id}`
  return row
}

export async function findOrganisation(db: Db, id: string): Promise<Organisation | undefined> {
  const [row] = await db<Organisation[]>`
    select id, name, mode, twin_of, default_country, default_sender_id, currency, created_datetime
    from organisations where id = ${id}`
  return row
}

/** An organisation as a caller, for work of the service on its behalf and for console users. */
export async function findCallerOf(
  db: Db,
  organisation_id: string,
): Promise<(Caller & { twin_of: string | null }) | undefined> {
  const [row] = await db<(CallerRow & { twin_of: string | null })[]>`
    select ${callerColumns(db)}, twin_of, null::text[] as scopes, null::uuid as key_id
    from organisations where id = ${organisation_id}`
  return row && withTraits(db, row)
}

type Traits = Pick<Caller, 'has_optouts' | 'has_otp_settings'>
type OfKey = Pick<Caller, 'spending_limit'>

/** A caller; on a cluster without its traits, which are colocated with the organisation and not with its keys. */
export type CallerRow = Omit<Caller, keyof Traits | keyof OfKey> & Partial<Traits & OfKey>

/** Everything that sending needs from the organisation, so that the hot path does not query senders and quiet hours. */
export function callerColumns(db: Db): Query {
  const traits = byLayout(db, { single_server: () => db`, ${traitsOf(db, db`organisations.id`)}`, cluster: () => db`` })
  return prepare(db`
    organisations.id as organisation_id, mode, default_country, default_sender_id, smart_encoding, currency,
    to_char(quiet_from, 'HH24:MI') as quiet_from, to_char(quiet_until, 'HH24:MI') as quiet_until,
    array(
      select sender_key from senders where senders.organisation_id = organisations.id and state = 'approved'
    ) as approved_senders,
    suspended_datetime is not null as suspended, requests_per_s, messages_per_s,
    (
      select price_list_id from price_assignments
      where price_assignments.organisation_id = coalesce(organisations.twin_of, organisations.id)
    ) as price_list_id
    ${traits()}`)
}

/** So that opt-outs and settings of OTPs are not queried where there are none. */
function traitsOf(sql: Sql, organisation_id: Query): Query {
  return sql`
    coalesce((
      select true from optouts where optouts.organisation_id = ${organisation_id}
      order by recipient limit 1 -- in the order of the key: looking for one row, the planner would else read the table
    ), false) as has_optouts,
    exists (select from otp_settings where otp_settings.organisation_id = ${organisation_id}) as has_otp_settings`
}

export async function withTraits<Row extends CallerRow>(db: Db, row: Row) {
  const traits = await byLayout(db, { single_server: () => undefined, cluster: readTraits })(db, row)
  return { has_optouts: true, has_otp_settings: true, spending_limit: null, ...traits, ...row }
}

async function readTraits(db: Db, { organisation_id }: CallerRow): Promise<Traits | undefined> {
  const there = connectionsOf(db, organisation_id)
  const [traits] = await prepare(there<Traits[]>`select ${traitsOf(there, there`${organisation_id}::uuid`)}`)
  return traits
}
