import type { Db, Tx } from '../db/connect.ts'
import type { Scope } from './schema.ts'

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

/** What a request needs to know about who is calling. */
export type Caller = {
  organisation_id: string
  mode: 'live' | 'test'
  default_country: string
  default_sender_id: string | null
  smart_encoding: boolean
  currency: string
  /** Local hours of the recipient in which nothing promotional is sent, such as `20:00`; both or neither. */
  quiet_from: string | null
  quiet_until: string | null
  /** Somebody has opted out: recipients have to be asked about. */
  has_optouts: boolean
  /** The senders the operator approved, in small letters. */
  approved_senders: string[]
  scopes: Scope[] | null
}

export type KeyRow = {
  id: string
  organisation_id: string
  mode: 'live' | 'test'
  hint: string
  name: string | null
  scopes: Scope[] | null
  expires_datetime: string | null
  revoked_datetime: string | null
  created_datetime: string
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

export async function listOrganisations(db: Db): Promise<(Organisation & { balance: bigint })[]> {
  return db<(Organisation & { balance: bigint })[]>`
    select id, name, mode, twin_of, default_country, default_sender_id, currency, created_datetime, balance
    from organisations join balances on organisation_id = id
    order by id`
}

/** The first organisation is the oldest one that is nobody's twin. */
export async function findFirstOrganisation(sql: Db | Tx): Promise<{ id: string } | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from organisations where mode = 'live' order by created_datetime, id limit 1`
  return row
}

/** Some organisations that are nobody's twin. */
export async function findLiveOrganisations(db: Db, limit: number): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`select id from organisations where mode = 'live' limit ${limit}`
}

export async function findTwin(db: Db, organisation_id: string): Promise<{ id: string } | undefined> {
  const [row] = await db<{ id: string }[]>`select id from organisations where twin_of = ${organisation_id}`
  return row
}

export async function findOrganisation(db: Db, id: string): Promise<Organisation | undefined> {
  const [row] = await db<Organisation[]>`
    select id, name, mode, twin_of, default_country, default_sender_id, currency, created_datetime
    from organisations where id = ${id}`
  return row
}

export async function readCallbackSecrets(db: Db, organisation_id: string): Promise<string[]> {
  const [row] = await db<{ callback_secrets: string[] }[]>`
    select callback_secrets from organisations where id = ${organisation_id}`
  return row?.callback_secrets ?? []
}

/** From now on both the new secret and the newest old one sign, until the old one is retired. */
export async function addCallbackSecret(db: Db, organisation_id: string, secret: string): Promise<void> {
  await db`
    update organisations set callback_secrets = array[${secret}, callback_secrets[1]]
    where id = ${organisation_id}`
}

/** Only the newest secret signs from now on. */
export async function retireCallbackSecrets(db: Db, organisation_id: string): Promise<void> {
  await db`update organisations set callback_secrets = callback_secrets[1:1] where id = ${organisation_id}`
}

/** A key that is already known stays as it is, revoked ones too. */
export async function insertKey(
  sql: Db | Tx,
  key: {
    id: string
    organisation_id: string
    key_hash: Buffer
    hint: string
    name: string | null
    scopes: readonly Scope[] | null
    expires_datetime: string | null
  },
): Promise<boolean> {
  const added = await sql`
    insert into api_keys (id, organisation_id, key_hash, hint, name, scopes, expires_datetime)
    values (${key.id}, ${key.organisation_id}, ${key.key_hash}, ${key.hint}, ${key.name},
      ${key.scopes}::text[], ${key.expires_datetime}::timestamptz)
    on conflict (key_hash) do nothing`
  return added.count === 1
}

export async function findCaller(db: Db, key_hash: Buffer): Promise<Caller | undefined> {
  const [row] = await db<Caller[]>`
    select ${callerColumns(db)}, scopes
    from api_keys join organisations on organisations.id = api_keys.organisation_id
    where key_hash = ${key_hash}
      and revoked_datetime is null
      and (expires_datetime is null or expires_datetime > now())`
  return row
}

/** An organisation as if it called itself: for what the house does in its name. */
export async function findCallerOf(db: Db, organisation_id: string): Promise<Caller | undefined> {
  const [row] = await db<Caller[]>`
    select ${callerColumns(db)}, null::text[] as scopes from organisations where id = ${organisation_id}`
  return row
}

/**
 * All that a send must know of its organisation, in the statement that is asked for the key anyway: so the hot path
 * asks nothing about senders, quiet hours, or opt-outs where there are none.
 */
function callerColumns(db: Db) {
  return db`
    organisations.id as organisation_id, mode, default_country, default_sender_id, smart_encoding, currency,
    to_char(quiet_from, 'HH24:MI') as quiet_from, to_char(quiet_until, 'HH24:MI') as quiet_until,
    coalesce((
      select true from optouts where optouts.organisation_id = organisations.id
      order by recipient limit 1 -- in the order of the key: looking for one row, the planner would else read the table
    ), false) as has_optouts,
    array(
      select sender_key from senders where senders.organisation_id = organisations.id and state = 'approved'
    ) as approved_senders`
}

export async function listKeys(db: Db, organisation_id: string): Promise<KeyRow[]> {
  return db<KeyRow[]>`
    select api_keys.id, organisation_id, mode, hint, api_keys.name, scopes,
      expires_datetime, revoked_datetime, api_keys.created_datetime
    from api_keys join organisations on organisations.id = organisation_id
    where organisation_id = ${organisation_id} or twin_of = ${organisation_id}
    order by api_keys.id`
}

/** Revokes a key of the organisation or of its test twin, once; false when there is none to revoke. */
export async function revokeKey(db: Db, organisation_id: string, id: string): Promise<boolean> {
  const revoked = await db`
    update api_keys set revoked_datetime = now()
    where id = ${id} and revoked_datetime is null
      and organisation_id in (select o.id from organisations o where o.id = ${organisation_id} or o.twin_of = ${organisation_id})`
  return revoked.count === 1
}
