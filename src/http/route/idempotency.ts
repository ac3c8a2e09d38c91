import type { FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { Refusal } from '../../values/refusal.ts'

export const LONGEST_KEY = 255

export type Idempotency = { key: string; request_hash: Buffer }

/** The request's Idempotency-Key with a hash of what was asked, so that the same key for something else is noticed. */
export function idempotencyOf(request: FastifyRequest): Idempotency | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.length === 0 || key.length > LONGEST_KEY) {
    const message = `An Idempotency-Key has 1 to ${LONGEST_KEY} characters.`
    const type = key === '' ? 'string_too_short' : 'string_too_long'
    throw new Refusal('invalid_request', message, [{ field: 'Idempotency-Key', message, type }])
  }
  return { key, request_hash: hashOf(`${request.method} ${request.routeOptions.url}`, request.body) }
}

export function hashOf(operation: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(`${operation}\n${JSON.stringify(body)}`)
    .digest()
}
