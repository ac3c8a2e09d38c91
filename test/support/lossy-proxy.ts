import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type LossyProxy = { url: string; keys: string[]; close(): Promise<void> }

/** Forwards every request, and closes the connection instead of the first response to each Idempotency-Key. */
export async function startLossyProxy(target: string): Promise<LossyProxy> {
  const keys: string[] = []
  const advanceRow = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const key = String(request.headers['idempotency-key'])
    const answer = await fetch(target + (request.url ?? ''), {
      method: request.method ?? 'GET',
      headers: {
        authorization: String(request.headers.authorization),
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: Buffer.concat(chunks),
    })
    const text = await answer.text()
    keys.push(key)
    if (keys.filter((one) => one === key).length === 1) return void request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(text)
  }
  const server = createServer((request, response) => void advanceRow(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
