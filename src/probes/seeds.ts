import { originOfErasable } from '../numbers/prefix-table.ts'
import type { ReadNetwork } from './network.ts'

/** A part of a campaign that was accepted, with the route of each recipient. */
export type SentSlice = {
  campaign_id: string
  sender_id: string | null
  /** With its placeholders. */
  content: string
  sent: readonly { recipient: string; route: string }[]
}

/** The text of a campaign, and the carriers and operators that it goes through. */
export type Seed = {
  campaign_id: string
  sender_id: string
  content: string
  reaches: (place: { carrier: string; country: string; operator: string }) => boolean
}

export type Seeds = {
  /** Costs a campaign no statement. */
  note(slice: SentSlice): void
  /** Returns and forgets what was noted. */
  drain(): Seed[]
}

/** Slices that wait for the next poll. More are not probed. */
const MAX_WAITING = 100
/** Ten pages, in any alphabet. It travels in a notification of PostgreSQL, which has at most 8,000 bytes. */
const MAX_BYTES = 3_000

/** Collects what campaigns send, for the plans that probe their texts. A killed process forgets what it has collected. */
export function makeSeeds(readNetwork: ReadNetwork, carriersOf: (route: string) => readonly string[]): Seeds {
  let waiting: Seed[] = []
  return {
    note({ campaign_id, sender_id, content, sent }) {
      const { numbers } = readNetwork()
      if (numbers.length === 0 || sender_id === null || waiting.length >= MAX_WAITING) return
      if (Buffer.byteLength(content) > MAX_BYTES) return
      const probed = new Set(numbers.map(({ country, operator }) => `${country}\n${operator}`))
      const reached = new Set<string>()
      for (const { recipient, route } of sent) {
        const { country, operator } = originOfErasable(recipient)
        if (!probed.has(`${country}\n${operator}`)) continue
        for (const carrier of carriersOf(route)) reached.add(`${carrier}\n${country}\n${operator}`)
      }
      if (reached.size === 0) return
      const reaches: Seed['reaches'] = ({ carrier, country, operator }) =>
        reached.has(`${carrier}\n${country}\n${operator}`)
      waiting.push({ campaign_id, sender_id, content, reaches })
    },
    drain() {
      const drained = waiting
      waiting = []
      return drained
    },
  }
}
