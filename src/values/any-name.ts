import { Type } from './schema/type.ts'

/** The names of an object whose fields are not known. Said in full: `Type.String()` would let a name with a line break by. */
export const AnyName = Type.String({ pattern: '^[\\s\\S]*$' })
