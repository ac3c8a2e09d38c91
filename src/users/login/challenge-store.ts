import type { Db } from '../../db/connect.ts'

export type Purpose = 'register' | 'sign_in' | 'second_factor'
/** Null: a user who is not known yet. */
export type Ceremony = { purpose: Purpose; user_id: string | null }

export async function insertChallenge(
  db: Db,
  challenge_hash: Buffer,
  { purpose, user_id }: Ceremony,
  lifetime_s: number,
): Promise<void> {
  await db`
    insert into passkey_challenges (challenge_hash, purpose, user_id, expires_datetime)
    values (${challenge_hash}, ${purpose}, ${user_id}, now() + ${lifetime_s} * interval '1 s')`
}

/** Keeps the newest challenges. */
export async function deleteSurplus(db: Db, kept: number): Promise<void> {
  await db`
    delete from passkey_challenges where challenge_hash in (
      select challenge_hash from passkey_challenges order by expires_datetime desc offset ${kept}
    )`
}

/** A user registers one passkey at a time. */
export async function deleteChallengesOf(db: Db, user_id: string): Promise<void> {
  await db`delete from passkey_challenges where user_id = ${user_id}`
}

/** Consumes a challenge; of several concurrent calls one returns true. */
export async function takeChallenge(db: Db, challenge_hash: Buffer, { purpose, user_id }: Ceremony): Promise<boolean> {
  const [taken] = await db<Ceremony[]>`
    delete from passkey_challenges where challenge_hash = ${challenge_hash} and expires_datetime > now()
    returning purpose, user_id`
  return taken?.purpose === purpose && taken.user_id === user_id
}
