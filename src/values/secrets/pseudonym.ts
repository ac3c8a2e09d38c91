import { createHmac } from 'node:crypto'

/**
 * The pseudonym that replaces an erased number: deterministic per organisation and number, so that the rows of one person
 * stay linked. Finding it again takes both the number and the key.
 */
export type PseudonymOf = (organisation_id: string, number: string) => string

/** Prefix of all pseudonyms; no phone number starts with it. */
export const ERASED = 'erased-'

export function makePseudonym(key: Uint8Array): PseudonymOf {
  return (organisation_id, number) =>
    ERASED + createHmac('sha256', key).update(`${organisation_id} ${number}`).digest('hex').slice(0, 32)
}
