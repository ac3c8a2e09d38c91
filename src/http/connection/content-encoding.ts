import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../values/refusal.ts'

const ENCODED = new Refusal('unsupported_media_type', 'The body must not be encoded: leave out Content-Encoding.')

/**
 * A body that is compressed is refused before a byte of it is read, wherever it goes: taken as it is, it would be
 * called broken JSON, and a CSV file would be imported as the noise it looks like.
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
