import { connect } from 'node:net'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EXPRESS_PATHS } from '../../src/http/express/read-request.ts'
import { caller, openService, type TestService } from '../support/service.ts'
import { count, note, scale } from './scale.ts'

/**
 * Plain sends are parsed by our own parser, all others by Node's. Two parsers of one stream must never disagree about
 * where a request ends, or bytes of one customer become a request of another. So the same bytes go to both: in chunks
 * to a process with the express path, and in one write to one that has it disabled.
 */
const RUNS = scale(120, 2_000)
const SEED = Number(process.env.GANGAN_SEED ?? Math.floor(Math.random() * 2 ** 31))
const AT_ONCE = 30
const SILENCE_MS = 4_000
const LAST = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

let service: TestService
let without: TestService

beforeAll(async () => {
  service = await openService({ workers: false, credit: 1_000_000 })
  without = await openService({ workers: false, beside: service, settings: { http: { express: false } } })
})
afterAll(async () => {
  await without.close()
  await service.close()
})

const BODY = '{"recipients":"08031234567","content":"Hello"}'
const BODIES = [
  BODY,
  BODY,
  BODY,
  '{"recipients":"x"}',
  '{"id":"none","token":"1234"}',
  '',
  '{',
  'null',
  '[]',
  '\ufeff{}',
  `{"content":"${'é'.repeat(50)}"}`,
]

/** Header lines that clients might send, legitimate or not. `#` is the length of the body. */
const LINES = [
  'Content-Length: #',
  'content-length:#',
  'Content-Length : #',
  'Content-Length: +#',
  'Content-Length: 0#',
  'Content-Length: #, #',
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 0x10',
  'Content-Length:',
  'Content-Length: 9999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: identity',
  'Transfer-Encoding : chunked',
  ' Transfer-Encoding: chunked',
  'X: y\r\n Content-Length: 3',
  'X: y\nContent-Length: 3',
  'X: y\rContent-Length: 3',
  'X\u0000: y',
  'X: \u0000',
  'X: \u0080',
  ': y',
  'no colon',
  'Connection: close',
  'Connection: keep-alive',
  'Connection: x, close',
  'Expect: 100-continue',
  'Upgrade: h2c',
  'Host: other',
  'Content-Type: text/html',
  'Content-Type: application/json; charset=utf-8',
  'Content-Type: application/json; charset=latin1',
  'X-Request-Id: abc',
  `X: ${'y'.repeat(9_000)}`,
  `X: ${'y'.repeat(20_000)}`,
]
const FIRST = [
  'POST /sms/send HTTP/1.1',
  'POST /sms/send HTTP/1.0',
  'post /sms/send HTTP/1.1',
  'POST  /sms/send HTTP/1.1',
  'POST /sms/send?x=1 HTTP/1.1',
  'POST /sms/send/ HTTP/1.1',
  'POST http://x/sms/send HTTP/1.1',
  'POST /otp/verify/ HTTP/1.1',
  'POST /otp/request_token?x=1 HTTP/1.1',
  'POST /otp/request_token',
]

type Written = { first: string; lines: string[]; body: string; splits: number[]; again: boolean }

const [SEND, ...OTHERS] = EXPRESS_PATHS.map((path) => `POST ${path} HTTP/1.1`)
const plain = fc.oneof({ weight: 4, arbitrary: fc.constant(SEND ?? '') }, fc.constantFrom(...OTHERS))
/** Any bytes, in a few chunks. */
const odd: fc.Arbitrary<Written> = fc.record({
  first: fc.oneof({ weight: 12, arbitrary: plain }, { weight: 1, arbitrary: fc.constantFrom(...FIRST) }),
  lines: fc.oneof<fc.Arbitrary<string[]>[]>(
    fc.constant<string[]>(['Content-Length: #']),
    fc.array(fc.constantFrom(...LINES), { maxLength: 2 }).map((lines) => ['Content-Length: #', ...lines]),
    fc.array(fc.constantFrom(...LINES), { maxLength: 3 }),
  ),
  body: fc.constantFrom(...BODIES),
  splits: fc.array(fc.nat({ max: 400 }), { maxLength: 4 }),
  again: fc.boolean(),
})
/**
 * Well-formed requests, in many chunks, down to a byte each. For malformed ones Node's parser stops at the end of a
 * chunk.
 */
const trickled: fc.Arbitrary<Written> = fc.record({
  first: plain,
  lines: fc.constantFrom(['Content-Length: #'], ['content-length:#', 'X: y'], ['Content-Length: #', 'Cookie: a=b']),
  body: fc.constantFrom(...BODIES),
  splits: fc.integer({ min: 1, max: 40 }).map((step) => Array.from({ length: 500 / step }, (_, n) => n * step)),
  again: fc.boolean(),
})
const written = fc.oneof({ weight: 2, arbitrary: odd }, { weight: 1, arbitrary: trickled })

function bytesOf({ first, lines, body, again }: Written): Buffer {
  const honest = ['Host: x', `Authorization: ${service.key}`, 'Content-Type: application/json']
  const length = String(Buffer.byteLength(body))
  const head = [first, ...honest, ...lines.map((line) => line.replaceAll('#', length))]
  const request = `${head.join('\r\n')}\r\n\r\n${body}`
  return Buffer.from((again ? request + request : request) + LAST, 'utf8')
}

/**
 * Sends the bytes in chunks and returns the statuses of the responses, once the server has closed the connection, or
 * sends nothing any more because it waits for the rest of a request.
 */
function exchange({ url }: TestService, bytes: Buffer, splits: readonly number[]): Promise<number[]> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').setNoDelay()
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
    socket.on('error', () => {}) // A reset counts as a response, too.
    socket.on('close', () => resolve([...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]))))
    socket.setTimeout(SILENCE_MS, () => socket.destroy())
    socket.on('connect', () => void send())
    const send = async (): Promise<void> => {
      let from = 0
      for (const to of [...splits].sort((a, b) => a - b).filter((at) => at > 0 && at < bytes.length)) {
        socket.write(bytes.subarray(from, to))
        from = to
        await new Promise((next) => setImmediate(next))
      }
      socket.write(bytes.subarray(from))
    }
  })
}

test(
  'the express path and the full server parse every request alike',
  async () => {
    for (const { url } of [service, without]) await caller(url, service.key)('GET', '/balance') // So that the key is cached.
    const requests = fc.sample(written, { numRuns: RUNS, seed: SEED })
    const differing: string[] = []
    let taken = 0
    let done = 0
    const until_ms = Date.now() + scale(25_000, 90_000)
    while (done < RUNS && Date.now() < until_ms) {
      const batch = requests.slice(done, done + AT_ONCE)
      done += batch.length
      await Promise.all(
        batch.map(async (one) => {
          const [short, long] = await Promise.all([
            exchange(service, bytesOf(one), one.splits),
            exchange(without, bytesOf(one), []),
          ])
          if (short.join() !== long.join()) differing.push(`${short.join()} / ${long.join()}: ${JSON.stringify(one)}`)
          if (short[0] === 200) taken += 1
        }),
      )
    }
    expect({ seed: SEED, differing }).toEqual({ seed: SEED, differing: [] })
    expect(taken).toBeGreaterThan(10)
    note({
      promise: 'one reading of every request',
      figure: `${count(done)} requests with odd heads, lengths, line ends and chunks: the express path and Node's reader agree on each; seed ${SEED}`,
    })
  },
  scale(90_000, 180_000),
)
