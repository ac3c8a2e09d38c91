import { createHmac } from 'node:crypto'

/**
 * What stands in the place of a number that was erased: the same for the same number of an organisation, so that rows
 * about one person still belong together, and found again only by who has both the number and the key.
 */
export type PseudonymOf = (organisation_id: string, number: string) => string

/** No phone number begins like this. */
export const ERASED = 'erased-'

export function makePseudonym(key: Uint8Array): PseudonymOf {
  return (organisation_id, number) =>
    ERASED + createHmac('sha256', key).update(`${organisation_id} ${number}`).digest('hex').slice(0, 32)
}
