import type { FastifyRequest } from 'fastify'
import { MAX_FAULTS, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { isRecord } from '../../values/record.ts'
import { shapeFaults, type SchemaFault } from './shape-faults.ts'

/**
 * The validation errors of a request. A body that is not an object, or one with more errors than are returned, is
 * rejected immediately.
 */
export function faultsOf(request: FastifyRequest): Fault[] {
  const found = request.validationError
  if (!found) return []
  const faults = shapeFaults([...found.validation, ...laterFaults(request, found.validationContext)])
  if (faults.length > MAX_FAULTS || faults.some(({ field }) => field === 'body')) refuseIfFaulty(faults)
  return faults
}

/** Fastify stops at the first invalid part of a request; this validates the others, so that all errors are returned. */
function laterFaults(request: FastifyRequest, first: string): SchemaFault[] {
  return PARTS.slice(PARTS.findIndex(([part]) => part === first) + 1).flatMap(([part, valueOf]) => {
    const judged: unknown = request.getValidationFunction(part)?.(valueOf(request))
    return isFaulty(judged) ? judged.error : []
  })
}

/** The result of a validator of `validators.ts` that found errors. */
function isFaulty(judged: unknown): judged is { error: SchemaFault[] } {
  return isRecord(judged) && Array.isArray(judged.error)
}

const PARTS: ['params' | 'body' | 'querystring' | 'headers', (request: FastifyRequest) => unknown][] = [
  ['params', ({ params }) => params],
  ['body', ({ body }) => body],
  ['querystring', ({ query }) => query],
  ['headers', ({ headers }) => headers],
]
