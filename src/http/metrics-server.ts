import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { makeRenderMetrics, mayReadMetrics, type MetricsDeps } from './metrics.ts'

const TIMES = { requestTimeout: 10_000, headersTimeout: 5_000, keepAliveTimeout: 75_000 }
const CONNECTIONS = 64

/**
 * Serves metrics on a port of their own, which a firewall can keep from customers; also in a process that serves no API
 * (`--worker`).
 */
export async function listenMetrics(
  deps: MetricsDeps,
  { host, port, token }: { host: string; port: number; token: string | undefined },
): Promise<Server> {
  const renderMetrics = makeRenderMetrics(deps)

  async function answer({ method, url, headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url?.split('?')[0] !== '/metrics') return end(response, 404, 'There is no such path.')
    if (method !== 'GET' && method !== 'HEAD') return end(response.setHeader('allow', 'GET'), 405, 'Only GET.')
    if (!mayReadMetrics({ token }, headers.authorization)) {
      return end(response.setHeader('www-authenticate', 'Bearer'), 401, 'The token is missing or wrong.')
    }
    try {
      const text = await renderMetrics()
      response.setHeader('content-type', deps.meters.registry.contentType)
      response.end(text)
    } catch {
      end(response, 503, 'The figures could not be gathered.')
    }
  }

  const server = createServer(TIMES, (request, response) => {
    request.resume() // discard the body
    void answer(request, response)
  })
  server.maxConnections = CONNECTIONS
  server.listen({ host, port })
  await once(server, 'listening')
  return server
}

function end(response: ServerResponse, status: number, sentence: string): void {
  response.statusCode = status
  response.setHeader('content-type', 'text/plain; charset=utf-8')
  response.end(`${sentence}\n`)
}
