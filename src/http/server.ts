import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import type { HttpDeps } from './deps.ts'
import { Refusal } from '../values/refusal.ts'
import { addGroup, API } from './api.ts'
import { JSON_LIMIT, requireBodyPolicies } from './body/policy.ts'
import { readBodies } from './body/read-bodies.ts'
import { compressAnswers } from './connection/compress.ts'
import { warnOfForwarded } from './console/forwarded.ts'
import { auditWrites } from './console/audit-writes.ts'
import { refuseEncodedBodies } from './connection/content-encoding.ts'
import { answerFault, isBrokenOff } from './errors.ts'
import { createPipelinedServer } from './connection/pipelined-server.ts'
import { refuseOtherMethods } from './connection/methods.ts'
import { startExpress } from './express/express.ts'
import { serveExpress } from './express/serve.ts'
import { logRequests } from './log-requests.ts'
import { HEADERS, observeRequests, requestId } from './observe.ts'
import { guardRequests } from './gate.ts'
import { answerMalformed } from './connection/malformed.ts'
import { validators } from './validators.ts'
import { makeFileReads } from './route/file-reads.ts'

/** A whole request may take an hour: an import of 256 MB over a slow mobile network. One that pauses is closed earlier. */
const TIMES = { requestTimeout: 3_600_000, keepAliveTimeout: 75_000, headersTimeout: 15_000, silence_ms: 30_000 }
const NO_HOST = new Refusal('invalid_request', 'The request is invalid.', [
  { field: 'host', message: 'HTTP/1.1 requires a Host header.', type: 'missing' },
])
const NO_SUCH_PATH = new Refusal('not_found', 'There is no such path.')

/** Builds the HTTP server. `before` may add plugins to the empty server, as the generator of openapi.json does. */
export async function buildServer(
  deps: HttpDeps,
  before: (empty: FastifyInstance) => void = () => {},
): Promise<FastifyInstance> {
  const app = Fastify({
    trustProxy: trusted(deps),
    bodyLimit: JSON_LIMIT,
    forceCloseConnections: 'idle',
    serverFactory: (handler) => createPipelinedServer(handler, TIMES),
    clientErrorHandler: answerMalformed,
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 300 },
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    frameworkErrors: (_fault, request, reply) => {
      // The path is malformed or a parameter too long: no hook has run and no handler will.
      const { answer } = answerFault(NO_SUCH_PATH)
      const headers = { 'x-request-id': request.id, ...HEADERS }
      void (reply as FastifyReply).code(answer.status).headers(headers).send(answer)
    },
  })
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  before(app)
  await app.after()
  readBodies(app)
  requireBodyPolicies(app)
  refuseEncodedBodies(app)
  app.setValidatorCompiler(validators())
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler((fault, request, reply) => {
    const { answer, retry_after_s, ours } = answerFault(fault)
    if (isBrokenOff(fault, request)) deps.log.info({ request_id: request.id }, 'the caller broke a request off')
    else if (ours) deps.log.error({ request_id: request.id, err: fault }, 'a request failed')
    if (retry_after_s !== undefined) reply.header('retry-after', Math.ceil(retry_after_s))
    return reply.code(answer.status).send(answer)
  })
  app.setNotFoundHandler(() => {
    throw NO_SUCH_PATH
  })
  observeRequests(app, deps)
  logRequests(app, deps)
  compressAnswers(app)
  auditWrites(app, deps)
  const otherMethods = refuseOtherMethods(app)
  guardRequests(app, deps)
  app.addHook('onRequest', ({ raw: { httpVersion, headers } }, _reply, done) => {
    done(httpVersion === '1.1' && headers.host === undefined ? NO_HOST : undefined)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? NO_SUCH_PATH : undefined) // before the body is read
  })

  warnOfForwarded(app, deps)

  const file_reads = makeFileReads()
  for (const group of API) addGroup(app, deps, group, file_reads)
  await app.after() // wait for plugins
  otherMethods()
  if (deps.express) openExpress(app, deps)
  return app
}

function openExpress(app: FastifyInstance, deps: HttpDeps): void {
  const express = startExpress(app.server, serveExpress(deps), TIMES.keepAliveTimeout)
  app.addHook('preClose', (done) => {
    express.close()
    done()
  })
}

/** Trusted proxies; the generator of openapi.json has no settings. */
function trusted({ session_settings }: Partial<HttpDeps>): string[] | false {
  const proxies = session_settings?.trusted_proxies ?? []
  return proxies.length > 0 ? proxies : false
}
