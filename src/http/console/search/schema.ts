import { id, Type, type Static } from '../../../values/schema/type.ts'

const found = Type.Array(Type.Object({ id, name: Type.String() }), { maxItems: 5 })

/** What the search of the console finds by name; empty where the role has no right to read. */
export const FoundByName = Type.Object({
  campaigns: found,
  templates: found,
  smartlists: found,
  senders: found,
})
export type FoundByName = Static<typeof FoundByName>
