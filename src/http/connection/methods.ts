import type { FastifyInstance, HTTPMethods } from 'fastify'
import { Refusal } from '../../values/refusal.ts'
import { NO_BODY } from '../body/policy.ts'

const METHODS: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE']

/**
 * Records the routes as they are added. The returned function adds a route that answers 405 with `Allow` for the
 * methods each path lacks; methods that no path has (PROPFIND, LINK) are rejected on all of them.
 */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  const paths = new Map<string, Set<HTTPMethods>>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? new Set()
    paths.set(url, known)
    for (const one of Array.isArray(method) ? method : [method]) known.add(one)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    done(METHODS.includes(request.method) ? undefined : refusal('no such method'))
  })
  return () => {
    for (const [url, known] of paths) {
      const allow = [...known].join(', ')
      const others = METHODS.filter((method) => !known.has(method))
      if (others.length === 0) continue
      app.route({
        method: others,
        url,
        config: { body: NO_BODY },
        schema: { hide: true },
        onRequest: (_request, reply, done) => {
          reply.header('allow', allow)
          done(refusal(`${allow} only`))
        },
        handler: () => undefined,
      })
    }
  }
}

function refusal(known: string): Refusal {
  return new Refusal('method_not_allowed', `This path knows ${known}.`)
}
