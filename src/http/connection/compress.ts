import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'

const compressed = promisify(gzip)

/** Minimum size worth compressing. Answers to sends are never compressed: they are short and frequent. */
const WORTH_IT = 4_096

/** Compresses long answers of routes with `compress`, such as lists. */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!route.config?.compress) return
    route.onSend = async (request, reply, payload) => {
      if (payload instanceof Readable) return wantsGzip(request, reply) ? compressedStream(payload) : payload
      if (typeof payload !== 'string' || payload.length < WORTH_IT) return payload
      return wantsGzip(request, reply) ? compressed(payload) : payload
    }
  })
}

/** If either stream is destroyed, so is the other. Errors reach the reader of the second. */
function compressedStream(payload: Readable): Readable {
  return pipeline(payload, createGzip(), () => {})
}

/** A constant text, compressed once, on first use. */
export function compressedOnce(
  make: () => string,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  let text: string | undefined
  let gzipped: Promise<Buffer> | undefined
  return async (request, reply) => {
    text ??= make()
    if (!wantsGzip(request, reply)) return reply.send(text)
    return reply.send(await (gzipped ??= compressed(text)))
  }
}

function wantsGzip(request: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('vary', 'accept-encoding')
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return false
  reply.header('content-encoding', 'gzip').removeHeader('content-length')
  return true
}
