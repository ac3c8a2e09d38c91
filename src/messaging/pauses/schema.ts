import { Type, type Static } from '../../values/schema/type.ts'

/** What an operator can pause. */
export const PAUSE_KINDS = ['carrier', 'route'] as const
export type PauseKind = (typeof PAUSE_KINDS)[number]

/**
 * - `paused`: nothing is submitted.
 * - `draining`: no new message is submitted; those that were tried before are retried until none is left.
 */
export const PAUSE_MODES = ['paused', 'draining'] as const
export type PauseMode = (typeof PAUSE_MODES)[number]
const mode = Type.Unsafe<PauseMode>({ type: 'string', enum: [...PAUSE_MODES] })

export const MAX_REASON = 500
const timestamp = Type.String({ format: 'date-time' })

/** A carrier or route that an operator has paused. */
export const OperatorPause = Type.Object({
  kind: Type.Unsafe<PauseKind>({ type: 'string', enum: [...PAUSE_KINDS] }),
  name: Type.String(),
  mode,
  reason: Type.String(),
  /** Who paused it. */
  actor: Type.String(),
  created_datetime: timestamp,
  /** When it resumes automatically. */
  until: Type.Optional(timestamp),
})
export type OperatorPause = Static<typeof OperatorPause>

export const PauseBody = Type.Object({
  mode,
  reason: Type.String({ minLength: 1, maxLength: MAX_REASON }),
  until: Type.Optional(Type.String({ maxLength: 40 })),
})
