import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Log } from '../../values/log.ts'
import type { Notice } from './people/schema.ts'

const KEY = 'console.trusted_proxies'

/** Logs once when requests arrive through a proxy that is not trusted. */
export function warnOfForwarded(app: FastifyInstance, { log }: { log: Log }): void {
  let warned = false
  app.addHook('onRequest', (request, _reply, done) => {
    if (!warned && request.routeOptions.url?.startsWith('/console/api/') && isUnbelieved(request)) {
      warned = true
      log.warn({ key: KEY }, `requests are forwarded by a proxy that ${KEY} does not name: all visitors count as one`)
    }
    done()
  })
}

/** Derived from the operator's own request, so that any process can report it. */
export function noticesOf(request: FastifyRequest): Notice[] {
  if (!isUnbelieved(request)) return []
  const proxy = request.socket.remoteAddress ?? ''
  const message = `Requests come through a proxy (${proxy}) that ${KEY} does not name. Name it in the configuration file: until then the limits on logging in count all visitors as one, and the audit log shows the proxy's address.`
  return [{ key: KEY, message }]
}

/** The request has forwarding headers of an untrusted proxy. Of trusted proxies, only X-Forwarded-For is read. */
function isUnbelieved({ headers, ips }: FastifyRequest): boolean {
  if (ips === undefined || ips === null) return (headers['x-forwarded-for'] ?? headers.forwarded) !== undefined
  return headers['x-forwarded-for'] !== undefined && ips.length < 2
}
