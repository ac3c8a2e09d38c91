import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../values/refusal.ts'

const ENCODED = new Refusal('unsupported_media_type', 'The body must not be encoded: leave out Content-Encoding.')

/**
 * Rejects compressed bodies before reading them. Otherwise they would be reported as broken JSON, or imported as a CSV
 * file of noise.
 */
export function refuseEncodedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!hasEncodedBody(request)) return done(null, payload)
    reply.header('accept-encoding', 'identity')
    done(ENCODED)
  })
}

function hasEncodedBody({ headers }: FastifyRequest): boolean {
  const encodings = headers['content-encoding']
  if (encodings === undefined || encodings.split(',').every(isNone)) return false
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

function isNone(encoding: string): boolean {
  return ['', 'identity'].includes(encoding.trim().toLowerCase())
}
