import type { FastifyRequest } from 'fastify'

/** Adds `meta` to an answer: the request, and what the module says about its answer. */
export function withMeta(request: FastifyRequest, given: { meta?: object; pagination?: object }): object {
  const { meta, pagination, ...answer } = given
  const told = Object.assign(requestMeta(request), meta)
  return Object.assign(answer, { meta: pagination === undefined ? told : Object.assign(told, { pagination }) })
}

/** The path as documented, with single slashes. */
export function requestMeta(request: FastifyRequest): { method: string; resource: string } {
  const path = request.url.replace(/\?.*/s, '').replace(/\/{2,}/g, '/')
  return { method: request.method, resource: path.endsWith('/') ? path.slice(0, -1) : path }
}
