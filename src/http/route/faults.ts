import type { FastifyRequest } from 'fastify'
import { MAX_FAULTS, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { isRecord } from '../../values/record.ts'
import { shapeFaults, type SchemaFault } from './shape-faults.ts'

/**
 * What the shapes found wrong. A body that is no object at all has no fields to find more faults in, and one with more
 * faults than are told needs no more of them: these are refused at once.
 */
export function faultsOf(request: FastifyRequest): Fault[] {
  const found = request.validationError
  if (!found) return []
  const faults = shapeFaults([...found.validation, ...laterFaults(request, found.validationContext)])
  if (faults.length > MAX_FAULTS || faults.some(({ field }) => field === 'body')) refuseIfFaulty(faults)
  return faults
}

/** Fastify stops at the first part of a request that does not fit. All faults are told at once, so the others follow. */
function laterFaults(request: FastifyRequest, first: string): SchemaFault[] {
  return PARTS.slice(PARTS.findIndex(([part]) => part === first) + 1).flatMap(([part, valueOf]) => {
    const judged: unknown = request.getValidationFunction(part)?.(valueOf(request))
    return isFaulty(judged) ? judged.error : []
  })
}

/** What those of `validators.ts` give, if it is not true. */
function isFaulty(judged: unknown): judged is { error: SchemaFault[] } {
  return isRecord(judged) && Array.isArray(judged.error)
}

const PARTS: ['params' | 'body' | 'querystring' | 'headers', (request: FastifyRequest) => unknown][] = [
  ['params', ({ params }) => params],
  ['body', ({ body }) => body],
  ['querystring', ({ query }) => query],
  ['headers', ({ headers }) => headers],
]
