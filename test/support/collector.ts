import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type CollectedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Record<string, unknown>
  links?: { traceId: string; spanId: string }[]
  status?: { code: number; message: string }
  /** The process that exported it. */
  resource: Record<string, unknown>
}

export type Collector = {
  url: string
  spans: CollectedSpan[]
  headers: IncomingHttpHeaders[]
  /** The statuses of the next responses; 200 by default, `undefined` sends no response. */
  answer: () => number | undefined
  of(trace_id: string): CollectedSpan[]
  close(): Promise<void>
}

type Attribute = { key: string; value: Record<string, unknown> }
type WrittenSpan = Omit<CollectedSpan, 'attributes' | 'resource'> & { attributes: Attribute[] }
type Written = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: WrittenSpan[] }[] }[]
}

/** Receives traces like a collector of OpenTelemetry: OTLP over HTTP, in JSON. */
export async function startCollector(): Promise<Collector> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      collector.headers.push(request.headers)
      const status = collector.answer()
      if (status === undefined) return
      if (request.url !== '/v1/traces' || request.method !== 'POST') return response.writeHead(404).end()
      if (status === 200) collector.spans.push(...read(Buffer.concat(chunks).toString()))
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    headers: [],
    answer: () => 200,
    of: (trace_id) => collector.spans.filter(({ traceId }) => traceId === trace_id),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return collector
}

function read(body: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(body) as Written
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        ...span,
        attributes: valuesOf(span.attributes),
        resource: valuesOf(resource.attributes),
      })),
  )
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
