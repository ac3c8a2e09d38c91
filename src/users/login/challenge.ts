import type { Db } from '../../db/connect.ts'
import { isRecord } from '../../values/record.ts'
import { deleteChallengesOf, deleteSurplus, insertChallenge, takeChallenge, type Ceremony } from './challenge-store.ts'
import { hashToken, newToken } from './token.ts'

export type { Ceremony } from './challenge-store.ts'

/** Time to answer the browser's dialog, and perhaps to fetch the phone. */
const CHALLENGE_S = 5 * 60
export const TIMEOUT_MS = CHALLENGE_S * 1_000
/** Challenges of the whole installation; a new one replaces the oldest. Asking for them is limited per network, too. */
const MOST_CHALLENGES = 10_000

/** A new challenge. Only its hash is stored. */
export async function issueChallenge({ db }: { db: Db }, ceremony: Ceremony): Promise<string> {
  const challenge = newToken()
  if (ceremony.user_id !== null) await deleteChallengesOf(db, ceremony.user_id)
  await insertChallenge(db, hashToken(challenge), ceremony, CHALLENGE_S)
  await deleteSurplus(db, MOST_CHALLENGES)
  return challenge
}

/** Consumes the challenge that the browser says it answers; undefined if it was not issued for this, used or expired. */
export async function consumeChallenge(
  { db }: { db: Db },
  client_data: string,
  ceremony: Ceremony,
): Promise<string | undefined> {
  const challenge = challengeIn(client_data)
  if (challenge === undefined) return undefined
  return (await takeChallenge(db, hashToken(challenge), ceremony)) ? challenge : undefined
}

function challengeIn(client_data: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(client_data, 'base64url').toString('utf8'))
    return isRecord(data) && typeof data.challenge === 'string' ? data.challenge : undefined
  } catch {
    return undefined
  }
}
