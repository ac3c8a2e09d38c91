import type { FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { isRecord } from '../../values/record.ts'
import { Refusal } from '../../values/refusal.ts'

export const LONGEST_KEY = 255

export type Idempotency = { key: string; request_hash: Buffer }

/** The Idempotency-Key with a hash of the request, which detects the same key on another request. */
export function idempotencyOf(request: FastifyRequest, reads_query = false): Idempotency | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.length === 0 || key.length > LONGEST_KEY) {
    const message = `An Idempotency-Key has 1 to ${LONGEST_KEY} characters.`
    const type = key === '' ? 'string_too_short' : 'string_too_long'
    throw new Refusal('invalid_request', message, [{ field: 'Idempotency-Key', message, type }])
  }
  return { key, request_hash: hashOf(`${request.method} ${placeOf(request, reads_query)}`, bodyOf(request)) }
}

/** The route with its path parameters, and its query if the route reads one. */
function placeOf({ routeOptions, params, query }: FastifyRequest, reads_query: boolean): string {
  const asked = [params, reads_query ? query : undefined].filter((one) => isRecord(one) && Object.keys(one).length > 0)
  return [routeOptions.url, ...asked.map((one) => JSON.stringify(one))].join(' ')
}

/** A file is not read here: its handler adds its hash (`withFile`). */
function bodyOf({ body }: FastifyRequest): unknown {
  return body instanceof Readable ? null : body
}

/** The same for a request with a file as its body. */
export function withFile(idempotency: Idempotency | undefined, file: unknown): Idempotency | undefined {
  if (!idempotency || !Buffer.isBuffer(file)) return idempotency
  return { ...idempotency, request_hash: createHash('sha256').update(idempotency.request_hash).update(file).digest() }
}

export function hashOf(operation: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(`${operation}\n${JSON.stringify(body)}`)
    .digest()
}
