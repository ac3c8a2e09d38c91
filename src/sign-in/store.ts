import type { Db, Tx } from '../db/connect.ts'
import type { Role } from '../users/roles.ts'

export type Identity = { issuer: string; subject: string }

/** Two browsers in which the same person comes in for the first time wait for each other here. */
export async function lockIdentity(tx: Tx, { issuer, subject }: Identity): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([issuer, subject])}, 0))`
}

export async function findByIdentity(tx: Tx, { issuer, subject }: Identity): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`select id from users where issuer = ${issuer} and subject = ${subject}`
  return row?.id
}

/** Waits for whoever decides about this person right now. */
export async function lockPerson(tx: Tx, id: string): Promise<void> {
  await tx`select 1 from users where id = ${id} for update`
}

/** From now on they come in by the provider alone. False when they do so by another already. */
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

/** Where a rule puts somebody; null: among the operators. False when another account there has their address. */
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

/** Those of the organisations that are there; twins are not meant. */
export async function listPresent(db: Db, ids: readonly string[]): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`select id from organisations where mode = 'live' and id = any (${ids}::uuid[])`
}
