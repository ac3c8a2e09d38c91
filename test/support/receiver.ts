import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from './until.ts'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string; json: CallbackBody }

export type CallbackBody = {
  id: string
  type: string
  created_datetime: string
  data: Record<string, unknown> & { id: string; recipient: string; status: string }
}

export type Receiver = {
  url: string
  received: Received[]
  /** The next responses; 200 by default. A promise delays the response. */
  answer: (request: Received) => number | Promise<number>
  wait(count: number): Promise<Received[]>
  close(): Promise<void>
}

/** A customer's endpoint: records requests and responds as configured. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const one = { path: request.url ?? '', headers: request.headers, body, json: JSON.parse(body) as CallbackBody }
      receiver.received.push(one)
      void Promise.resolve(receiver.answer(one)).then((status) => response.writeHead(status).end())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answer: () => 200,
    wait: (count) =>
      until(`${count} callbacks`, () => (receiver.received.length >= count ? receiver.received : undefined)),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
