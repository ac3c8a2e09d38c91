import type { Db, Tx } from '../db/connect.ts'
import { listPage, type Listed } from '../db/list-page.ts'
import { LOCKS } from '../db/locks.ts'
import type { Page } from '../values/page.ts'
import type { Role } from './roles.ts'
import type { Language } from './schema.ts'

export type UserRow = {
  id: string
  organisation_id: string | null
  role: Role
  email: string | null
  name: string | null
  language: Language | null
  password_hash: string | null
  totp_secret: Buffer | null
  totp_since: string | null
  totp_step: bigint
  recovery_codes_left: number
  /** The number of passkeys. */
  passkeys: number
  disabled_datetime: string | null
  last_login_datetime: string | null
  created_datetime: string
  /** The identity at the single sign-on provider, the provider's name, and whether one of its rules assigned the role. */
  issuer: string | null
  subject: string | null
  provider: string | null
  role_by_provider: boolean
}

function columns(sql: Db | Tx) {
  return sql`id, organisation_id, role, email, name, language, password_hash, totp_secret, totp_since, totp_step,
    cardinality(recovery_hashes) as recovery_codes_left,
    (select count(*)::int from passkeys where user_id = users.id) as passkeys,
    disabled_datetime, last_login_datetime, created_datetime, issuer, subject, provider, role_by_provider`
}

/** False if the address is already in use in the organisation, or among the operators. */
export async function insertUser(
  tx: Tx,
  user: { id: string; organisation_id: string | null; email: string | null; name: string | null; role?: Role },
): Promise<boolean> {
  const added = await tx`
    insert into users (id, organisation_id, email, email_key, name, role)
    values (${user.id}, ${user.organisation_id}, ${user.email}, ${emailKey(user.email)}, ${user.name},
      ${user.role ?? 'owner'})
    on conflict do nothing`
  return added.count === 1
}

/** Maximum number of accounts considered for one address. */
const MAX_ACCOUNTS = 100

/** The accounts with an address, at most one in each organisation and one among the operators; oldest first. */
export async function findUsersByEmail(sql: Db | Tx, email: string): Promise<UserRow[]> {
  return sql<UserRow[]>`
    select ${columns(sql)} from users where email_key = ${emailKey(email)} order by id limit ${MAX_ACCOUNTS}`
}

/** A hash of any account with the address, for its salt. */
export async function findHashLike(db: Db, email: string | null): Promise<string | undefined> {
  const [row] = await db<{ password_hash: string }[]>`
    select password_hash from users
    where email_key = ${emailKey(email)} and password_hash is not null order by id limit 1`
  return row?.password_hash
}

export async function findUser(sql: Db | Tx, id: string): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`select ${columns(sql)} from users where id = ${id}`
  return row
}

/** Locks a user of this organisation; null: an operator. */
export async function lockUser(tx: Tx, organisation_id: string | null, id: string): Promise<UserRow | undefined> {
  const [row] = await tx<UserRow[]>`
    select ${columns(tx)} from users
    where id = ${id} and organisation_id is not distinct from ${organisation_id}::uuid
    for update`
  return row
}

const BEHIND_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Of an organisation, or the operators; oldest first. */
export async function listUsers(db: Db, organisation_id: string | null, page: Page): Promise<Listed<UserRow>> {
  return listPage<UserRow>(db, page, {
    select: columns(db),
    from: db`users`,
    where: db`organisation_id is not distinct from ${organisation_id}::uuid`,
    ascending: { behind_all: BEHIND_ALL },
  })
}

/** All users, for the command line. */
export async function listAllUsers(db: Db, limit: number): Promise<UserRow[]> {
  return db<UserRow[]>`
    select ${columns(db)} from users order by organisation_id nulls first, id limit ${limit}`
}

/** Locks the operators who can log in, so that two of them cannot disable each other concurrently. */
export async function lockActiveOperators(tx: Tx): Promise<{ id: string }[]> {
  return tx<{ id: string }[]>`
    select id from users
    where organisation_id is null and (password_hash is not null or issuer is not null) and disabled_datetime is null
    order by id for update`
}

/** Locks the owners of an organisation who can log in, so that two of them cannot remove each other concurrently. */
export async function lockActiveOwners(tx: Tx, organisation_id: string): Promise<{ id: string }[]> {
  return tx<{ id: string }[]>`
    select id from users
    where organisation_id = ${organisation_id} and role = 'owner'
      and (password_hash is not null or issuer is not null) and disabled_datetime is null
    order by id for update`
}

export async function setRole(tx: Tx, id: string, role: Role): Promise<void> {
  await tx`update users set role = ${role}, updated_datetime = now() where id = ${id}`
}

/** Whether any user has set a password or signed in through a provider. */
export async function hasUsers(sql: Db | Tx): Promise<boolean> {
  const found = await sql`select 1 from users where password_hash is not null or issuer is not null limit 1`
  return found.count > 0
}

/** The operator without an address that the first start created. */
export async function findNamelessOperator(tx: Tx): Promise<{ id: string } | undefined> {
  const [row] = await tx<{ id: string }[]>`
    select id from users where organisation_id is null and email is null and disabled_datetime is null
    order by id limit 1`
  return row
}

/** For the first operator. False if another operator has the address, or the user already has one. */
export async function setEmail(tx: Tx, id: string, email: string): Promise<boolean> {
  const set = await tx`
    update users set email = ${email}, email_key = ${emailKey(email)}, updated_datetime = now()
    where id = ${id} and email is null
      and not exists (
        select 1 from users other where other.email_key = ${emailKey(email)} and other.organisation_id is null
      )`
  return set.count === 1
}

export async function setLanguage(tx: Tx, id: string, language: Language | null): Promise<void> {
  await tx`update users set language = ${language}, updated_datetime = now() where id = ${id}`
}

export async function setName(tx: Tx, id: string, name: string): Promise<void> {
  await tx`update users set name = ${name}, updated_datetime = now() where id = ${id}`
}

/** False if the user signs in through a provider. */
export async function setPassword(tx: Tx, id: string, password_hash: string): Promise<boolean> {
  const set = await tx`
    update users set password_hash = ${password_hash}, updated_datetime = now() where id = ${id} and issuer is null`
  return set.count === 1
}

/** Removes the password, all second factors and the link to a provider. */
export async function clearPassword(tx: Tx, id: string): Promise<void> {
  await tx`
    update users
    set password_hash = null, issuer = null, subject = null, provider = null, role_by_provider = false
    where id = ${id}`
  await disableTotp(tx, id)
  await tx`delete from passkeys where user_id = ${id}`
  await dropRecoveryCodes(tx, id)
}

export async function setDisabled(tx: Tx, id: string, disabled: boolean): Promise<void> {
  await tx`
    update users set disabled_datetime = ${disabled ? tx`now()` : tx`null`}, updated_datetime = now()
    where id = ${id}`
}

export async function noteLogin(tx: Tx, id: string): Promise<void> {
  await tx`update users set last_login_datetime = now() where id = ${id}`
}

/** Locks the user; false if the password has changed since it was checked, or the user was disabled. */
export async function lockChecked(tx: Tx, { id, password_hash }: UserRow): Promise<boolean> {
  const found = await tx`
    select 1 from users
    where id = ${id} and password_hash = ${password_hash} and disabled_datetime is null
    for update`
  return found.count === 1
}

/** Stores a TOTP secret until its first code confirms it; false if two-factor login is already enabled. */
export async function proposeTotp(db: Db, id: string, sealed: Buffer): Promise<boolean> {
  const set = await db`
    update users set totp_secret = ${sealed}, totp_step = 0, updated_datetime = now()
    where id = ${id} and totp_since is null`
  return set.count === 1
}

/** Consumes the code of a time step; false if that step, or a later one, was used. */
export async function takeTotpStep(sql: Db | Tx, id: string, step: number): Promise<boolean> {
  const taken = await sql`update users set totp_step = ${step} where id = ${id} and totp_step < ${step}`
  return taken.count === 1
}

export async function enableTotp(tx: Tx, id: string, step: number): Promise<boolean> {
  const on = await tx`
    update users set totp_since = now(), totp_step = ${step}, updated_datetime = now()
    where id = ${id} and totp_since is null and totp_secret is not null and totp_step < ${step}`
  return on.count === 1
}

export async function disableTotp(tx: Tx, id: string): Promise<void> {
  await tx`
    update users set totp_secret = null, totp_since = null, totp_step = 0, updated_datetime = now()
    where id = ${id}`
}

/** Stores recovery codes for a user without any; false if some are left. */
export async function fillRecoveryCodes(tx: Tx, id: string, hashes: Buffer[]): Promise<boolean> {
  const filled = await tx`
    update users set recovery_hashes = ${hashes}::bytea[] where id = ${id} and cardinality(recovery_hashes) = 0`
  return filled.count === 1
}

/** Removes the recovery codes of a user whose last second factor was removed. */
export async function dropRecoveryCodes(tx: Tx, id: string): Promise<void> {
  await tx`
    update users set recovery_hashes = '{}'
    where id = ${id} and totp_since is null and not exists (select 1 from passkeys where user_id = ${id})`
}

/** Consumes a recovery code; false if it is unknown or was used. */
export async function takeRecoveryCode(sql: Db | Tx, id: string, hash: Buffer): Promise<boolean> {
  const taken = await sql`
    update users set recovery_hashes = array_remove(recovery_hashes, ${hash}::bytea)
    where id = ${id} and ${hash}::bytea = any (recovery_hashes)`
  return taken.count === 1
}

export function emailKey(email: string | null): string | null {
  return email?.trim().toLowerCase() ?? null
}

export async function lockFounding(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LOCKS.first_operator})`
}
