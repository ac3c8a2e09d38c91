import type { FastifyRequest } from 'fastify'

/** The answer with its `meta`: what was asked for, and what the room says about its answer. */
export function withMeta(request: FastifyRequest, given: { meta?: object; pagination?: object }): object {
  const { meta, pagination, ...answer } = given
  const told = Object.assign(requestMeta(request), meta)
  return Object.assign(answer, { meta: pagination === undefined ? told : Object.assign(told, { pagination }) })
}

/** The path as the reference writes it, however many slashes it came with. */
export function requestMeta(request: FastifyRequest): { method: string; resource: string } {
  const path = request.url.replace(/\?.*/s, '').replace(/\/{2,}/g, '/')
  return { method: request.method, resource: path.endsWith('/') ? path.slice(0, -1) : path }
}
