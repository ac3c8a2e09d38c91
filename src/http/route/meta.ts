import type { FastifyRequest } from 'fastify'

/** The answer with its `meta`: what was asked for, and what the room says about its answer. */
export function withMeta(request: FastifyRequest, given: { meta?: object; pagination?: object }): object {
  const { meta, pagination, ...answer } = given
  const told = Object.assign(requestMeta(request), meta)
  return Object.assign(answer, { meta: pagination === undefined ? told : Object.assign(told, { pagination }) })
}

export function requestMeta(request: FastifyRequest): { method: string; resource: string } {
  return { method: request.method, resource: request.url.replace(/\?.*/s, '').replace(/\/{2,}/g, '/') }
}
