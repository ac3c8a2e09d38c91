import type { FastifyRequest } from 'fastify'
import { MAX_FAULTS, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { shapeFaults } from './shape-faults.ts'

/**
 * What the shapes found wrong. A body that is no object at all has no fields to find more faults in, and one with more
 * faults than are told needs no more of them: these are refused at once.
 */
export function faultsOf(request: FastifyRequest): Fault[] {
  const found = request.validationError?.validation
  if (!found) return []
  const faults = shapeFaults(found)
  refuseIfFaulty(faults.length > MAX_FAULTS ? faults : faults.filter(({ field }) => field === 'body'))
  return faults
}
