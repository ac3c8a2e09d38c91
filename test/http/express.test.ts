import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startExpress, type Response } from '../../src/http/express/express.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false, credit: 1_000_000 })
})
afterAll(() => service.close())

/** A connection to write any bytes to; returns the statuses and bodies of the responses. */
async function open(port = Number(new URL(service.url).port)): Promise<{
  socket: Socket
  answers: () => { status: number; head: string; body: string }[]
  ended: Promise<void>
}> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => (received += text))
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket, answers: () => readAnswers(received), ended }
}

function readAnswers(text: string): { status: number; head: string; body: string }[] {
  const answers = []
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\r\n\r\n', at)
    if (end < 0) break
    const head = text.slice(at, end)
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
    if (text.length < end + 4 + length) break
    answers.push({ status: Number(head.slice(9, 12)), head, body: text.slice(end + 4, end + 4 + length) })
    at = end + 4 + length
  }
  return answers
}

function send(body: unknown, headers: Record<string, string> = {}, path = '/sms/send'): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const all = {
    host: 'gangan',
    authorization: service.key,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}

const HELLO = { recipients: '2348031234567', content: 'Hello' }
const BALANCE = (): string => `GET /balance HTTP/1.1\r\nhost: gangan\r\nauthorization: ${service.key}\r\n\r\n`

async function statusesOf(bytes: string, expected: number, cuts: readonly number[] = []): Promise<number[]> {
  const { socket, answers } = await open()
  const data = Buffer.from(bytes)
  const places = [...new Set(cuts.map((cut) => cut % data.length))].sort((a, b) => a - b)
  for (const [n, from] of [0, ...places].entries()) {
    const part = data.subarray(from, places[n] ?? data.length)
    if (part.length > 0) await new Promise((resolve) => socket.write(part, resolve))
    await new Promise(setImmediate)
  }
  await until('a response', () => answers().length >= expected || socket.destroyed)
  socket.destroy()
  return answers().map(({ status }) => status)
}

describe('a plain send', () => {
  test('is answered with the same headers as by the full server', async () => {
    const plain = await open()
    plain.socket.write(send(HELLO, { 'x-request-id': 'mine' }))
    await until('a response', () => plain.answers().length === 1)
    const full = await open()
    full.socket.write(send(HELLO, { 'x-request-id': 'mine', te: 'trailers' }))
    await until('a response', () => full.answers().length === 1)
    const names = (head: string | undefined): string[] =>
      (head ?? '')
        .toLowerCase()
        .split('\r\n')
        .slice(1)
        .map((line) => line.replace(/:.*/, ''))
        .filter((name) => name !== 'keep-alive')
        .sort()
    expect(plain.answers()[0]?.head).toContain('x-request-id: mine')
    expect(names(plain.answers()[0]?.head)).toEqual(names(full.answers()[0]?.head))
    plain.socket.destroy()
    full.socket.destroy()
  })

  test('keeps non-ASCII characters', async () => {
    const { socket, answers } = await open()
    socket.write(send({ ...HELLO, content: 'Ẹ káàárọ̀ 🥁' }))
    await until('a response', () => answers().length === 1)
    const { content } = JSON.parse(Buffer.from(answers()[0]?.body ?? '', 'latin1').toString()) as { content: string }
    expect(content).toBe('Ẹ káàárọ̀ 🥁')
    socket.destroy()
  })

  test('is rejected with the same errors: key, scope, balance, number', async () => {
    const poor = await service.organisation({ credit: 1 })
    const scoped = await service.organisation({ scopes: ['otp'] })
    const cases: [string, number][] = [
      [send(HELLO, { authorization: 'nobody' }), 401],
      [send(HELLO, { authorization: scoped.key }), 403],
      [send(HELLO, { authorization: poor.key }), 402],
      [send({ ...HELLO, recipients: 'x' }), 400],
      [send('{"recipients":'), 400],
      [send({ content: 'x' }), 400],
      [send({ ...HELLO, template_id: 'none' }), 404],
    ]
    for (const [bytes, status] of cases) {
      const express = await open()
      express.socket.write(bytes)
      const full = await open()
      full.socket.write(bytes.replace('host: gangan', 'host: gangan\r\nte: trailers'))
      await until('a response', () => express.answers().length === 1 && full.answers().length === 1)
      expect(express.answers()[0]?.status).toBe(status)
      expect(express.answers()[0]?.body).toBe(full.answers()[0]?.body)
      express.socket.destroy()
      full.socket.destroy()
    }
  })

  test('is replayed by its Idempotency-Key on the express path and the full server', async () => {
    const bytes = send(HELLO, { 'idempotency-key': 'express 1' })
    const first = await open()
    first.socket.write(bytes)
    await until('a response', () => first.answers().length === 1)
    first.socket.write(bytes)
    await until('a response', () => first.answers().length === 2)
    first.socket.write(bytes.replace('host: gangan', 'host: gangan\r\nte: trailers'))
    await until('a response', () => first.answers().length === 3)
    const [original, again, off] = first.answers()
    expect(again?.body).toBe(original?.body)
    expect(off?.body).toBe(original?.body)
    expect(original?.head).not.toContain('idempotent-replayed')
    expect(again?.head).toContain('idempotent-replayed: true')
    expect(off?.head).toContain('idempotent-replayed: true')
    first.socket.destroy()
  })
})

describe('a one-time password', () => {
  const request = (body: unknown, headers?: Record<string, string>) => send(body, headers, '/otp/request_token')
  const verify = (body: unknown, headers?: Record<string, string>) => send(body, headers, '/otp/verify')
  let recipient = 2348041000000

  async function answerTo(bytes: string) {
    const { socket, answers } = await open()
    socket.write(bytes)
    await until('a response', () => answers().length === 1)
    socket.destroy()
    return answers()[0]!
  }
  /** The same request, which the express path leaves to the full server. */
  const inFull = (bytes: string): string => bytes.replace('host: gangan', 'host: gangan\r\nte: trailers')
  /** Only Node's server announces for how long it keeps a connection. */
  const isByExpress = ({ head }: { head: string }): boolean => !/^keep-alive: timeout/im.test(head)

  test('is requested and verified on the express path as by the full server, in any combination', async () => {
    for (const [ask, check] of [
      [false, false],
      [false, true],
      [true, false],
      [true, true],
    ]) {
      const token = '48291'
      const asked = request({ recipient: String((recipient += 1)), token })
      const requested = await answerTo(ask ? inFull(asked) : asked)
      expect([requested.status, isByExpress(requested)]).toEqual([200, !ask])
      const { id, ...rest } = JSON.parse(requested.body) as Record<string, unknown>
      expect(rest).toEqual({
        recipient: String(recipient),
        status: 1,
        status_desc: 'SENT',
        created_datetime: expect.any(String),
      })
      const answersTo = async (tried: string) => {
        const given = verify({ id, token: tried })
        const answer = await answerTo(check ? inFull(given) : given)
        return { ...answer, body: JSON.parse(answer.body) as Record<string, unknown> }
      }
      const wrong = await answersTo('00000')
      const right = await answersTo(token)
      const again = await answersTo(token)
      expect([wrong.status, right.status, again.status]).toEqual([404, 200, 404])
      expect(isByExpress(right)).toBe(!check)
      expect(wrong.body).toMatchObject({ errors: [{ field: 'token', type: 'invalid' }] })
      expect(right.body).toMatchObject({ id, recipient: String(recipient), status: 4 })
      expect(again.body).toMatchObject({ errors: [{ field: 'token', type: 'used' }] })
    }
  })

  test('is rejected with the same answers: key, scope, balance, number, fields, id', async () => {
    const poor = await service.organisation({ credit: 1 })
    const scoped = await service.organisation({ scopes: ['sms'] })
    const to = String((recipient += 1))
    const cases: [string, number][] = [
      [request({ recipient: to }, { authorization: 'nobody' }), 401],
      [request({ recipient: to }, { authorization: scoped.key }), 403],
      [request({ recipient: to }, { authorization: poor.key }), 402],
      [request({ recipient: 'x' }), 400],
      [request({ recipient: to, length: 99, token: '' }), 400],
      [request({}), 400],
      [request('{"recipient":'), 400],
      [verify({ id: 'none', token: '1234' }), 404],
      [verify({ id: '0190c0de-0000-7000-8000-000000000000', token: '1234' }), 404],
      [verify({ token: '1234' }, { authorization: scoped.key }), 403],
      [verify({ id: 1, token: null }), 400],
    ]
    for (const [bytes, status] of cases) {
      const plain = await answerTo(bytes)
      const full = await answerTo(inFull(bytes))
      expect([plain.status, plain.body]).toEqual([status, full.body])
    }
  })

  test('is replayed by its Idempotency-Key, and charged once', async () => {
    const by = await service.organisation({ credit: 100 })
    const headers = { authorization: by.key, 'idempotency-key': 'otp 1' }
    const bytes = request({ recipient: String((recipient += 1)), token: '4829' }, headers)
    const [first, again, full] = [await answerTo(bytes), await answerTo(bytes), await answerTo(inFull(bytes))]
    expect([again.body, full.body]).toEqual([first.body, first.body])
    expect(first.head).not.toContain('idempotent-replayed')
    expect(again.head).toContain('idempotent-replayed: true')
    const { balance } = (await by.call<{ balance: number }>('GET', '/balance')).body
    const other = await service.organisation({ credit: 100 })
    await answerTo(request({ recipient: String((recipient += 1)), token: '4829' }, { authorization: other.key }))
    expect((await other.call<{ balance: number }>('GET', '/balance')).body.balance).toBe(balance)
    expect(balance).toBeLessThan(100)
  })

  test('is not in the log of requests in clear text', async () => {
    const by = await service.organisation({ credit: 100 })
    const token = '7391846'
    const headers = (id: string) => ({ authorization: by.key, 'x-request-id': id })
    const asked = await answerTo(request({ recipient: String((recipient += 1)), token }, headers('asked')))
    const { id } = JSON.parse(asked.body) as { id: string }
    await answerTo(verify({ id, token }, headers('verified')))
    for (const request_id of ['asked', 'verified']) {
      const logged = await until('the request in the log', async () => {
        const answer = await by.call('GET', `/requests/${request_id}`)
        return answer.status === 200 && JSON.stringify(answer.body)
      })
      expect(logged).toContain('/otp/')
      expect(logged).not.toContain(token)
    }
  })
})

describe('a connection', () => {
  test('handles pipelined requests of any kind, split at any byte', async () => {
    const kinds = {
      send: { bytes: () => send(HELLO), status: 200 },
      otp: { bytes: () => send({ id: 'none', token: '1234' }, {}, '/otp/verify'), status: 404 },
      bad: { bytes: () => send({ content: 'x' }), status: 400 },
      balance: { bytes: BALANCE, status: 200 },
      large: { bytes: () => send({ ...HELLO, external_ref: 'x', extra: 'y'.repeat(70_000) }), status: 200 },
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom<keyof typeof kinds>('send', 'send', 'otp', 'bad', 'balance', 'large'), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.array(fc.nat(200_000), { maxLength: 6 }),
        async (asked, cuts) => {
          const bytes = asked.map((kind) => kinds[kind].bytes()).join('')
          expect(await statusesOf(bytes, asked.length, cuts)).toEqual(asked.map((kind) => kinds[kind].status))
        },
      ),
      { numRuns: 60 },
    )
  })

  test('gets its response although the caller has ended its side', async () => {
    const { socket, answers, ended } = await open()
    socket.end(send(HELLO) + send(HELLO))
    await ended
    expect(answers().map(({ status }) => status)).toEqual([200, 200])
  })

  test('that is closed in the middle of a request changes nothing', async () => {
    const by = await service.organisation({ credit: 10 })
    const { socket } = await open()
    const bytes = send(HELLO, { authorization: by.key })
    socket.write(bytes.slice(0, -3))
    await new Promise(setImmediate)
    socket.destroy()
    expect((await by.call('GET', '/balance')).body.balance).toBe(10)
  })
})

describe('the express path alone', () => {
  const ANSWER = 'x'.repeat(100_000)
  const RESPONSE = `HTTP/1.1 200 OK\r\ncontent-length: ${ANSWER.length}\r\n\r\n${ANSWER}`
  const EMPTY: Response = { text: 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', encoding: 'latin1', last: false }

  /** A server that answers every plain send with a long response and the state of its side of the connection. */
  async function lay(
    answer: () => Promise<Response> = async () => ({ text: RESPONSE, encoding: 'latin1', last: false }),
  ) {
    const seen = { served: 0, served_unread: 0, socket: undefined as Socket | undefined }
    const server = createServer((_request, response) => response.end())
    const express = startExpress(
      server,
      () => {
        seen.served += 1
        if (seen.socket?.writableNeedDrain) seen.served_unread += 1
        return answer()
      },
      60_000,
    )
    server.on('connection', (socket: Socket) => (seen.socket = socket))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const close = (): void => {
      express.close()
      server.close()
      server.closeAllConnections()
    }
    return { express, seen, port: (server.address() as AddressInfo).port, close }
  }

  afterEach(() => vi.useRealTimers())

  test('stops answering a client that does not read', async () => {
    const { seen, port, close } = await lay()
    const { socket, answers } = await open(port)
    socket.pause()
    socket.write(send(HELLO).repeat(300))
    await until('unread responses', () => seen.socket?.writableNeedDrain)
    const served = seen.served
    socket.resume()
    await until('all responses', () => answers().length === 300)
    expect(served).toBeLessThan(300)
    expect(seen.served_unread).toBe(0)
    socket.destroy()
    close()
  })

  test('closes a connection that stops in the middle of a request, but not one that keeps sending', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
    const { port, close } = await lay(async () => EMPTY)
    const { socket, answers, ended } = await open(port)
    const bytes = send(HELLO)
    socket.write(bytes.slice(0, 40))
    for (let n = 1; n <= 10; n += 1) {
      socket.write(bytes.slice(40) + bytes.slice(0, 40))
      await until('its response', () => answers().length === n || socket.destroyed)
      vi.advanceTimersByTime(5_000)
    }
    expect(socket.destroyed).toBe(false)
    vi.advanceTimersByTime(20_000)
    await ended
    close()
  })

  test('processes every byte in order, also bytes buffered by a paused socket', async () => {
    const taken: number[] = []
    // No bodies are read for a while, so that the server pauses the socket in the middle of its input.
    const server = createServer((request, response) => {
      let length = 0
      setImmediate(() => request.on('data', (bytes: Buffer) => (length += bytes.length)))
      request.on('end', () => {
        taken.push(length)
        response.end()
      })
    })
    let answer: (response: Response) => void = () => {}
    const promise = new Promise<Response>((resolve) => (answer = resolve))
    let inside: Socket | undefined
    const express = startExpress(server, () => promise, 60_000)
    server.on('connection', (socket: Socket) => (inside = socket))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { socket, answers } = await open((server.address() as AddressInfo).port)
    const large = { ...HELLO, extra: 'y'.repeat(70_000) }
    socket.write(send(HELLO) + send(large).repeat(6))
    await until('a paused socket that holds more', () => inside?.isPaused() && inside.readableLength > 0)
    answer(EMPTY)
    await until('all responses', () => answers().length === 7 || socket.destroyed)
    expect(taken).toEqual(Array.from({ length: 6 }, () => JSON.stringify(large).length))
    socket.destroy()
    express.close()
    server.close()
    server.closeAllConnections()
  })

  test('accepts no connection once it is closed', async () => {
    const { express, port, close } = await lay()
    express.close()
    const { socket, ended } = await open(port)
    await ended
    expect(socket.destroyed).toBe(true)
    close()
  })
})

describe('a request that two parsers could interpret differently', () => {
  const bodies = JSON.stringify(HELLO)
  const cases: Record<string, () => string> = {
    'two lengths': () => send(HELLO).replace('content-length', 'content-length: 3\r\ncontent-length'),
    'a length and chunks': () => send(HELLO, { 'transfer-encoding': 'chunked' }),
    'a folded header': () => send(HELLO).replace('host: gangan', 'host: gangan\r\n folded'),
    'a blank before the colon': () => send(HELLO).replace('content-length:', 'content-length :'),
    'a sign in the length': () => send(HELLO).replace(/content-length: /, 'content-length: +'),
    'a bare line feed': () => send(HELLO).replace('host: gangan\r\n', 'host: gangan\nx: y\r\n'),
    'a blank that is none behind the length': () => send(HELLO).replace(/(content-length: \d+)/, '$1\xa0'),
    'no host': () => send(HELLO).replace('host: gangan\r\n', ''),
  }
  for (const [name, bytes] of Object.entries(cases)) {
    test(`${name}: is passed to the full server, which rejects it`, async () => {
      const { socket, answers } = await open()
      const before = await service.call<{ messages: unknown[] }>('GET', '/sms?limit=1')
      socket.write(`${bytes()}${' '.repeat(bodies.length)}`, 'latin1')
      await until('a response', () => answers().length > 0 || socket.destroyed)
      expect(answers()[0]?.status ?? 400).toBe(400)
      const after = await service.call<{ messages: unknown[] }>('GET', '/sms?limit=1')
      expect(after.body.messages).toEqual(before.body.messages)
      socket.destroy()
    })
  }
})
