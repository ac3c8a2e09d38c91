import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { cpus, loadavg } from 'node:os'
import { Pool } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { startGangan, type Gangan } from '../support/process.ts'
import { until } from '../support/until.ts'
import { count, LONG, note, scale } from './scale.ts'

/** Clients with unusual connections, and another client that requests the health of the process meanwhile. */
const STALL_MS = 250
const OK = 'HTTP/1.1 200 OK\r\n'

let database: TestDatabase
let gangan: Gangan
let health: Pool

beforeAll(async () => {
  database = await freshDatabase()
  gangan = await startGangan({ DATABASE_URL: database.url })
  health = new Pool(gangan.url, { connections: 1, headersTimeout: 60_000 })
})
afterAll(async () => {
  await health.close()
  await gangan.end('SIGTERM')
  await database.drop()
})

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(gangan.url).port), '127.0.0.1').setNoDelay()
  socket.on('error', () => {}) // A misbehaving client may be disconnected.
  await new Promise((connected) => socket.once('connect', connected))
  return socket
}

function memory(): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gangan.pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1_024)
}

type Watched = { p50_ms: number; longest_ms: number; most_mib: number }

/** Requests the health until the work is done. */
async function watched(work: Promise<unknown>): Promise<Watched> {
  const took: number[] = []
  let most_mib = 0
  let over = false
  const done = work.finally(() => (over = true))
  while (!over) {
    const began = performance.now()
    const { statusCode, body } = await health.request({ method: 'GET', path: '/health' })
    await body.dump()
    expect(statusCode).toBe(200)
    took.push(performance.now() - began)
    most_mib = Math.max(most_mib, memory())
    await new Promise((next) => setTimeout(next, 10))
  }
  await done
  took.sort((a, b) => a - b)
  return { p50_ms: took[took.length >> 1] ?? 0, longest_ms: took.at(-1) ?? 0, most_mib }
}

/** Measures time, so it runs only on an idle machine. */
function bound(ms: number): number {
  return LONG && (loadavg()[0] ?? 0) < cpus().length + 1 ? ms : Infinity
}

test('a thousand pipelined requests in one packet are processed one at a time', async () => {
  const before = memory()
  const paths = ['/docs', '/openapi.json', '/console', '/metrics']
  const ask = (n: number): string =>
    `GET ${paths[n % paths.length]} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n`
  const socket = await open()
  let answers = 0
  let end = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    const text = end + chunk
    answers += text.split(OK).length - 1
    end = text.slice(text.lastIndexOf(OK) + 1).slice(1 - OK.length)
  })
  const seen = await watched(
    (async () => {
      socket.write(Array.from({ length: 1_000 }, (_, n) => ask(n)).join(''))
      await until('a thousand responses', () => answers === 1_000, 60_000)
    })(),
  )
  socket.destroy()
  note({
    promise: 'one caller does not stop the others: 1,000 pipelined requests for documents',
    figure: `all answered; /health at most ${seen.longest_ms.toFixed(0)} ms; memory ${before} to ${seen.most_mib} MiB`,
    goal: `< ${STALL_MS} ms`,
    met: seen.longest_ms < STALL_MS,
  })
  expect(seen.longest_ms).toBeLessThan(bound(STALL_MS))
})

test(
  'clients that send a byte at a time do not delay others',
  async () => {
    const connections = scale(100, 1_000)
    const packets = scale(8, 20)
    const head = `POST /sms/send HTTP/1.1\r\nHost: x\r\nAuthorization: ${gangan.key}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n`
    const sockets = await Promise.all(Array.from({ length: connections }, open))
    const trickle = async (): Promise<void> => {
      for (const [n, socket] of sockets.entries()) socket.write(n % 2 === 0 ? head : head.slice(0, -3))
      for (let packet = 0; packet < packets; packet++) {
        const until_ms = Date.now() + 250
        for (const socket of sockets) socket.write('x')
        await new Promise((next) => setTimeout(next, Math.max(0, until_ms - Date.now())))
      }
    }
    const seen = await watched(trickle())
    for (const socket of sockets) socket.destroy()
    note({
      promise: 'one caller does not stop the others: bytes that trickle in',
      figure: `${count(connections)} connections with four one-byte packets a second each: /health p50 ${seen.p50_ms.toFixed(1)} ms, at most ${seen.longest_ms.toFixed(0)} ms`,
      goal: 'p50 < 20 ms',
      met: seen.p50_ms < 20,
    })
    expect(seen.p50_ms).toBeLessThan(bound(20))
  },
  scale(60_000, 120_000),
)

test('responses that the client does not read are not buffered without bound', async () => {
  const before = memory()
  const sockets = await Promise.all(Array.from({ length: scale(4, 12) }, open))
  const body = JSON.stringify({ personalisation: Array.from({ length: 9_999 }, () => ({})) })
  const request = `POST /sms/send HTTP/1.1\r\nHost: x\r\nAuthorization: ${gangan.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const pile = async (): Promise<void> => {
    await Promise.all(
      sockets.map(async (socket) => {
        socket.pause()
        for (let n = 0; n < 40 && !socket.destroyed; n++) {
          if (!socket.write(request)) await new Promise((next) => socket.once('drain', next).once('close', next))
        }
      }),
    )
  }
  const piling = pile()
  const seen = await watched(Promise.race([piling, new Promise((next) => setTimeout(next, scale(2_000, 10_000)))]))
  for (const socket of sockets) socket.destroy()
  await piling
  note({
    promise: 'one caller does not stop the others: responses that are not read',
    figure: `${sockets.length} connections that only write: /health at most ${seen.longest_ms.toFixed(0)} ms, memory ${before} to ${seen.most_mib} MiB`,
    goal: `< ${STALL_MS} ms, < 1,024 MiB`,
    met: seen.longest_ms < STALL_MS && seen.most_mib < 1_024,
  })
  expect(seen.most_mib).toBeLessThan(1_024)
})
