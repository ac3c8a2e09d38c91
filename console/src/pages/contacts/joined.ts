import type { InboundMessage } from '../../../../clients/typescript/src/types.ts'
import type { FoundMessage } from '../../api-types.ts'

export type Said = { way: 'sent'; entry: FoundMessage } | { way: 'received'; entry: InboundMessage }

type List<Entry> = { entries: readonly Entry[]; more: boolean }

/**
 * Merges two lists, newest first. Entries older than the last one read of an incomplete list are held back until more of
 * it is read.
 */
export function joined(sent: List<FoundMessage>, received: List<InboundMessage>): Said[] {
  const until = [endOf(sent), endOf(received)].reduce((a, b) => (a > b ? a : b))
  const all = [
    ...sent.entries.map((entry): Said => ({ way: 'sent', entry })),
    ...received.entries.map((entry): Said => ({ way: 'received', entry })),
  ]
  return all
    .filter(({ entry }) => entry.created_datetime >= until)
    .toSorted((a, b) => (a.entry.created_datetime < b.entry.created_datetime ? 1 : -1))
}

/** Times are all written alike, so they sort as text. */
function endOf({ entries, more }: List<{ created_datetime: string }>): string {
  return more ? (entries.at(-1)?.created_datetime ?? '') : ''
}
