import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createPipelinedServer } from './pipelined-server.ts'

const TIMES = { headersTimeout: 15_000, requestTimeout: 30_000, keepAliveTimeout: 30_000, silence_ms: 30_000 }
const open: (Server | Socket)[] = []

afterEach(() => {
  for (const one of open.splice(0)) {
    if ('closeAllConnections' in one) one.close().closeAllConnections()
    else one.destroy()
  }
})

async function serve(handler: RequestListener, times: Partial<typeof TIMES> = {}): Promise<Socket> {
  const server = createPipelinedServer(handler, { ...TIMES, ...times })
  open.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  open.push(socket)
  socket.on('error', () => {}) // a connection that is cut off may be reset
  await once(socket, 'connect')
  return socket
}

const ask = (n: number): string => `GET /${n} HTTP/1.1\r\nHost: here\r\n\r\n`

async function read(socket: Socket, until: string): Promise<string> {
  let text = ''
  for await (const bytes of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    text += bytes.toString()
    if (text.endsWith(until)) break
  }
  return text
}

test('requests that are sent ahead are carried out one after the other, and answered in order', async () => {
  let running = 0
  let most = 0
  const socket = await serve((request, response) => {
    most = Math.max(most, ++running)
    setImmediate(() => {
      running--
      response.end(`<${request.url}>`)
    })
  })
  socket.write(Array.from({ length: 1_000 }, (_, n) => ask(n)).join(''))
  const text = await read(socket, '</999>')
  expect([...text.matchAll(/<\/(\d+)>/g)].map(([, n]) => Number(n))).toEqual(Array.from({ length: 1_000 }, (_, n) => n))
  expect(most).toBe(1)
})

test('a client that pipelines thousands of requests and reads nothing is disconnected', async () => {
  let begun = 0
  const socket = await serve(() => {
    begun++
  })
  socket.write(Array.from({ length: 5_000 }, (_, n) => ask(n)).join(''))
  socket.resume()
  await new Promise((closed) => socket.once('close', closed))
  expect(begun).toBe(1)
})

test('a response that is not read closes its connection', async () => {
  let closed: Promise<unknown> | undefined
  const socket = await serve(
    (request, response) => {
      closed = once(request.socket, 'close')
      response.end(Buffer.alloc(64 * 1024 * 1024))
    },
    { silence_ms: 200 },
  )
  socket.pause()
  socket.write(ask(1) + ask(2))
  await expect.poll(() => closed).toBeDefined()
  await closed
})

test('a body that still arrives long after its request was refused is cut off', async () => {
  const socket = await serve((_request, response) => response.writeHead(401).end(), {
    silence_ms: 200,
    requestTimeout: 0,
  })
  let text = ''
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
  socket.write('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 100000\r\n\r\n')
  const dripping = setInterval(() => socket.write('x'), 20)
  await new Promise((closed) => socket.once('close', closed))
  clearInterval(dripping)
  expect(text).toContain('401 Unauthorized')
})

test('a response that is read slowly continues', async () => {
  const length = 64 * 1024 * 1024
  const socket = await serve((_request, response) => response.end(Buffer.alloc(length)), { silence_ms: 2_000 })
  socket.write(ask(1))
  let got = 0
  for await (const bytes of socket as AsyncIterable<Buffer>) {
    got += bytes.length
    if (got > length) break
    // Each pause is shorter than the bound, all of them together are longer.
    if (got % 7 === 0) await new Promise((resume) => setTimeout(resume, 20))
  }
  expect(got).toBeGreaterThan(length)
})

test('an answer that takes long to make is waited for', async () => {
  const socket = await serve(
    (_request, response) => {
      setTimeout(() => response.end('<done>'), 600)
    },
    { silence_ms: 200 },
  )
  socket.write(ask(1))
  expect(await read(socket, '<done>')).toContain('200 OK')
})
