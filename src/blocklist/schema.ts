import { timestamp, Type, type Static } from '../values/schema/type.ts'
import { ListMeta, onePage } from '../values/page.ts'

/** Entries of the block list; every process keeps them in memory. */
export const MAX_ENTRIES = 500_000
/** Entries of one request. */
export const MAX_ADDED = 1_000
export const MAX_REASON = 500

/** A number, or with `*` behind it the beginning of numbers, that nothing is sent to. */
export const BlockedEntry = Type.Object({
  entry: Type.String({ examples: ['2348031234567', '234803*'] }),
  reason: Type.String(),
  /** Who added it. */
  actor: Type.String(),
  created_datetime: timestamp,
  expires_datetime: Type.Optional(timestamp),
  /** How often a recipient was refused because of it. */
  hits: Type.Integer(),
  last_hit_datetime: Type.Optional(timestamp),
})
export type BlockedEntry = Static<typeof BlockedEntry>

export const BlockedPage = Type.Object({ entries: onePage(BlockedEntry), meta: ListMeta })

export const BlockBody = Type.Object({
  entries: Type.Array(Type.String({ maxLength: 60 }), { minItems: 1, maxItems: MAX_ADDED }),
  reason: Type.String({ minLength: 1, maxLength: MAX_REASON }),
  until: Type.Optional(Type.String({ maxLength: 40 })),
})
