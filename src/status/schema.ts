import { Type, type Static } from '../values/schema/type.ts'
import { LEVELS, type Level } from './check.ts'

const level = Type.Unsafe<Level>({ type: 'string', enum: [...LEVELS] })

/** What one check found. */
const StatusFinding = Type.Object({
  check: Type.String(),
  level,
  summary: Type.String(),
  /** What to do; absent if the level is `ok`. */
  advice: Type.Optional(Type.String()),
  /** Anchor of its section in docs/runbook.md, which the service serves as `/docs/runbook`. */
  runbook: Type.Optional(Type.String()),
})
export type StatusFinding = Static<typeof StatusFinding>

/** The state of the installation; `level` is that of the worst finding. */
export const Status = Type.Object({
  level,
  version: Type.String(),
  checked_datetime: Type.String({ format: 'date-time' }),
  findings: Type.Array(StatusFinding),
})
export type Status = Static<typeof Status>
