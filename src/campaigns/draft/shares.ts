import type { Fault } from '../../values/refusal.ts'
import { isRecord } from '../../values/record.ts'
import type { CampaignBody } from '../schema.ts'

const ALL = 100

/** The percentage of people for each text: as given, or evenly distributed. */
export function readShares(texts: CampaignBody['texts'], faults: Fault[]): number[] {
  if (!Array.isArray(texts) || texts.length === 0) return [ALL]
  const given = texts.map((text) => (isRecord(text) ? text.share : undefined)) // a wrong type is reported by the shape check
  if (given.every((share) => share === undefined)) {
    return texts.map((_, n) => Math.floor(ALL / texts.length) + (n < ALL % texts.length ? 1 : 0))
  }
  for (const [n, share] of given.entries()) {
    if (share !== undefined) continue
    faults.push({ field: `texts[${n}].share`, message: 'Every text has a share, or none has.', type: 'missing' })
  }
  const shares = given.map((share) => (typeof share === 'number' ? share : 0))
  const sum = shares.reduce((total, share) => total + share, 0)
  if (given.every((share) => share !== undefined) && sum !== ALL) {
    faults.push({ field: 'texts', message: `The shares are ${sum} together, and must be ${ALL}.`, type: 'invalid' })
  }
  return shares
}

/** The text of a recipient: a hash of campaign and number, so it is stable and independent of neighbouring numbers. */
export function textFor(shares: readonly number[], campaign_id: string, recipient: string): number {
  if (shares.length < 2) return 0
  let place = hashOf(campaign_id + recipient) % ALL
  for (const [n, share] of shares.entries()) {
    if (place < share) return n
    place -= share
  }
  return 0
}

/** FNV-1a with a final mix: without it the low bits would follow the last digits of the number. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let n = 0; n < text.length; n += 1) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
