import type { Role } from './roles.ts'

/** The reader of an answer. */
export type Viewer = { is_operator: boolean }

/** At the command line. */
export const OPERATOR: Viewer = { is_operator: true }
/** Of answers that are the same for all. */
export const CUSTOMER: Viewer = { is_operator: false }

/** Of a request: an operator with a session. A user of an organisation and an API key are customers. */
export function viewerOf({ visitor }: { visitor?: { role: Role | 'operator' } }): Viewer {
  return { is_operator: visitor?.role === 'operator' }
}

/**
 * The part of an answer that only operators read: names of carriers and price lists, and texts about them. What the public
 * API promises, such as the code and description of a delivery, is for all.
 */
export function forOperators<Part extends object>({ is_operator }: Viewer, part: Part): Partial<Part> {
  return is_operator ? part : {}
}
