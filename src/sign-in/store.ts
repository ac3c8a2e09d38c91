import type { Db, Tx } from '../db/connect.ts'
import type { Role } from '../users/roles.ts'

export type Identity = { issuer: string; subject: string }

/** Serialises concurrent first sign-ins of the same subject. */
export async function lockIdentity(tx: Tx, { issuer, subject }: Identity): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([issuer, subject])}, 0))`
}

export async function findByIdentity(tx: Tx, { issuer, subject }: Identity): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`select id from users where issuer = ${issuer} and subject = ${subject}`
  return row?.id
}

export async function lockPerson(tx: Tx, id: string): Promise<void> {
  await tx`select 1 from users where id = ${id} for update`
}

/** Links a user to the provider and removes the password. False if the user is linked to a provider already. */
export async function linkIdentity(tx: Tx, id: string, { issuer, subject }: Identity, provider: string) {
  const linked = await tx`
    update users
    set issuer = ${issuer}, subject = ${subject}, provider = ${provider}, password_hash = null, updated_datetime = now()
    where id = ${id} and issuer is null`
  return linked.count === 1
}

export async function nameProvider(tx: Tx, id: string, provider: string): Promise<void> {
  await tx`update users set provider = ${provider} where id = ${id} and provider <> ${provider}`
}

/** Assigns organisation (null: operators) and role. False if another account there has the same address. */
export async function setPlace(
  tx: Tx,
  id: string,
  { organisation_id, role }: { organisation_id: string | null; role: Role },
): Promise<boolean> {
  const set = await tx`
    update users
    set organisation_id = ${organisation_id}, role = ${role}, role_by_provider = true, updated_datetime = now()
    where id = ${id} and not exists (
      select from users other
      where other.email_key = users.email_key and other.id <> users.id
        and other.organisation_id is not distinct from ${organisation_id}::uuid
    )`
  return set.count === 1
}

/** The ids that exist as live organisations; test twins are excluded. */
export async function listPresent(db: Db, ids: readonly string[]): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`select id from organisations where mode = 'live' and id = any (${ids}::uuid[])`
}
