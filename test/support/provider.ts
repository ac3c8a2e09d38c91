import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Question = { method: string; url: string; headers: IncomingHttpHeaders; body: string }

export type Provider = {
  url: string
  asked: Question[]
  /** The next responses; an unknown network by default. */
  answer: (question: Question, response: ServerResponse) => void
  close(): Promise<void>
}

/** A commercial lookup provider: responds as configured, or not at all. */
export async function startProvider(): Promise<Provider> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const question = { method, url, headers, body: Buffer.concat(chunks).toString() }
      provider.asked.push(question)
      provider.answer(question, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const provider: Provider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    answer: (_question, response) => says({ network: 'Nobody' })(_question, response),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return provider
}

export function says(body: unknown, status = 200): Provider['answer'] {
  return (_question, response) => {
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

/** Everything a provider can do wrong. */
export const FAILURES: Record<string, Provider['answer']> = {
  'hangs without a word': () => {},
  'hangs in the middle of its answer': (_question, response) => {
    response.writeHead(200).write('{"network": "G')
  },
  'drops the connection': (_question, response) => {
    response.destroy()
  },
  'answers 500': says({ network: 'Glo' }, 500),
  'answers 302': (_question, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
  },
  'answers HTML': says('<html>'),
  'answers nothing': says(''),
  'answers a list': says([1, 2]),
  'answers null': says('null'),
  'answers with other fields': says({ foo: 'bar' }),
  'answers with the wrong types': says({ network: { name: 'Glo' }, ported: [], dnd: 'perhaps' }),
  'never stops talking': says(`{"network": "${'Glo'.repeat(40_000)}"}`),
  'knows no such number': says({}, 404),
}
