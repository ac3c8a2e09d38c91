import { Type } from './schema/type.ts'

/**
 * Text that is one of these words in any case. The room reads it, so that a fault names the words; the interface
 * description shows them as an enum.
 */
export function oneOf(words: readonly string[], rest: { description: string; examples?: string[] }) {
  return Type.Unsafe<string>({ type: 'string', [SAID_ENUM]: [...words], ...rest })
}

/** The same in an answer: always as it is written here. */
export function isOneOf(words: readonly string[], rest: { description?: string; examples?: string[] } = {}) {
  return Type.Unsafe<string>({ type: 'string', enum: [...words], ...rest })
}

// What only the interface description knows of a shape. Requests are checked by the rest of it, and by the room.
export const SAID_ENUM = 'x-said-enum'
/** A field that a caller must give, although it is the room that asks for it. */
export const SAID_REQUIRED = 'x-said-required'
/** A field that is taken, and that nobody should begin to use. */
export const UNSAID = 'x-unsaid'
