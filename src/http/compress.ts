import type { FastifyInstance } from 'fastify'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compressed = promisify(gzip)

/** Below this, compressing costs more than sending. Sends are never compressed: their answers are short and many. */
const WORTH_IT = 4_096

/** Compresses long answers of the routes that ask for it: lists, documents. */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!route.config?.compress) return
    route.onSend = async (request, reply, payload) => {
      if (typeof payload !== 'string' || payload.length < WORTH_IT) return payload
      reply.header('vary', 'accept-encoding')
      if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return payload
      reply.header('content-encoding', 'gzip').removeHeader('content-length')
      return compressed(payload)
    }
  })
}
