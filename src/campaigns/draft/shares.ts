import type { Fault } from '../../values/refusal.ts'
import { isRecord } from '../../values/record.ts'
import type { CampaignBody } from '../schema.ts'

const ALL = 100

/** How many of a hundred people get which text: as given, or as evenly as can be. */
export function readShares(texts: CampaignBody['texts'], faults: Fault[]): number[] {
  if (!Array.isArray(texts) || texts.length === 0) return [ALL]
  const given = texts.map((text) => (isRecord(text) ? text.share : undefined)) // what is no text is told as that
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

/** Which text somebody gets: always the same for the same number, and one number's text says nothing of another's. */
export function textFor(shares: readonly number[], campaign_id: string, recipient: string): number {
  if (shares.length < 2) return 0
  let place = scattered(campaign_id + recipient) % ALL
  for (const [n, share] of shares.entries()) {
    if (place < share) return n
    place -= share
  }
  return 0
}

/** FNV-1a, with the high bits brought down: the last digits alone would follow those of the number. */
function scattered(text: string): number {
  let hash = 0x811c9dc5
  for (let n = 0; n < text.length; n += 1) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
