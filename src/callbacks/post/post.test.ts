import { EventEmitter, getEventListeners, once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { MAX_RETRY_AFTER_S, type PostOutcome } from './outcome.ts'
import { makePoster, type PosterOptions } from './post.ts'

const SHORT_MS = 150
/** Short too, but headers from this machine always come within it. */
const ENOUGH_MS = 1_000
/** Globally routable by its form, but from a block that IANA has not allocated. */
const NOBODYS_ADDRESS = '2d00::1'

describe('an answer', () => {
  test.each([200, 204, 400, 410, 429, 500, 503])('%d is returned as it is', async (status) => {
    const server = await listen((_, response) => response.writeHead(status).end(status === 204 ? '' : 'As you say'))
    expect(await postOnce(server.url)).toEqual({
      kind: 'answered',
      status,
      excerpt: status === 204 ? '' : 'As you say',
      duration_ms: expect.any(Number),
    })
  })

  test.each([301, 302, 303, 307, 308])('%d is not followed', async (status) => {
    const inner = await listen((_, response) => response.end('secret'))
    const server = await listen((_, response) => response.writeHead(status, { location: inner.url }).end('Over there'))
    expect(await postOnce(server.url)).toMatchObject({ kind: 'answered', status, excerpt: 'Over there' })
    expect(inner.connections()).toBe(0)
  })

  test('comes to a POST with the given body and headers and our own', async () => {
    const requests: IncomingMessage[] = []
    const chunks: Buffer[] = []
    const server = await listen((request, response) => {
      requests.push(request)
      request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => response.end())
    })
    await poster().post(`${server.url}a/b?c=d`, { 'webhook-id': 'cb_1' }, '{"description":"đã gửi"}')
    const [request] = requests
    const body = Buffer.concat(chunks).toString()
    expect(request).toMatchObject({ method: 'POST', url: '/a/b?c=d' })
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Gangan',
      'webhook-id': 'cb_1',
      'content-length': String(Buffer.byteLength(body)),
    })
    expect(body).toBe('{"description":"đã gửi"}')
  })

  test('leaves the connection open for the next post', async () => {
    const server = await listen((_, response) => response.end('ok'))
    const { post } = poster()
    for (let count = 0; count < 10; count += 1) expect(await post(server.url, {}, '{}')).toMatchObject({ status: 200 })
    // The second is there because undici frees the first a moment after the answer is read.
    expect(server.connections()).toBeLessThanOrEqual(2)
  })
})

describe('the excerpt', () => {
  test.each<[string, Buffer, string]>([
    ['keeps text', Buffer.from('{"ok":"đã gửi ✓"}'), '{"ok":"đã gửi ✓"}'],
    ['has blanks for line breaks', Buffer.from('one\r\n\ttwo\nthree'), 'one two three'],
    ['has no control characters', Buffer.from('a\0b\x1b[31mc\x7fd\u0085e'), 'ab[31mcde'],
    ['has no bidirectional control characters', Buffer.from('a\u202Eb\u2066c\u2028d'), 'abcd'],
    ['marks bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0x62]), 'a\uFFFD\uFFFDb'],
    ['leaves out a character cut in two by the limit', Buffer.from(`${'x'.repeat(22)}€€`), 'x'.repeat(22)],
    ['ends at the limit', Buffer.from('x'.repeat(25)), 'x'.repeat(24)],
  ])('%s', async (_, body, excerpt) => {
    const server = await listen((_request, response) => response.end(body))
    expect(await postOnce(server.url, { max_excerpt_bytes: 24 })).toMatchObject({ excerpt })
  })

  test('is what came before the time-out when the body drips', async () => {
    const gone = new EventEmitter()
    const server = await listen((_, response) => {
      const drip = setInterval(() => response.write('x'), 5)
      response.writeHead(200).on('close', () => {
        clearInterval(drip)
        gone.emit('close')
      })
      response.write('x')
    })
    const [outcome] = await Promise.all([postOnce(server.url, { timeout_ms: ENOUGH_MS }), once(gone, 'close')])
    expect(outcome).toMatchObject({ kind: 'answered', status: 200, excerpt: expect.stringMatching(/^x+$/) })
  })

  test('is empty when headers come and then nothing', async () => {
    const server = await listen((_, response) => response.writeHead(202).flushHeaders())
    expect(await postOnce(server.url, { timeout_ms: ENOUGH_MS })).toMatchObject({
      kind: 'answered',
      status: 202,
      excerpt: '',
    })
  })

  test('is 1,024 bytes when the body never ends, and then the socket is closed', async () => {
    const gone = new EventEmitter()
    const server = await listen((_, response) => {
      const pour = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      }
      response.on('drain', pour).on('close', () => gone.emit('close'))
      pour()
    })
    // With a time-out longer than the test may take, so that only the limit can end it.
    const [outcome] = await Promise.all([postOnce(server.url, { timeout_ms: 60_000 }), once(gone, 'close')])
    expect(outcome).toMatchObject({ kind: 'answered', status: 200, excerpt: 'x'.repeat(1_024) })
  })

  test('is what came before the connection broke', async () => {
    const server = await listen((request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half', () => request.socket.destroySoon())
    })
    expect(await postOnce(server.url)).toMatchObject({ kind: 'answered', status: 200, excerpt: 'half' })
  })
})

describe('retry-after', () => {
  const in_half_an_hour = new Date(Date.now() + 1_800_000).toUTCString()

  test.each<[string, number | undefined]>([
    ['0', 0],
    ['120', 120],
    ['99999999999999999999', MAX_RETRY_AFTER_S],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['Wed, 21 Oct 2099 07:28:00 GMT', MAX_RETRY_AFTER_S],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['not a date GMT', undefined],
    ['', undefined],
  ])('"%s" is read as %s', async (header, retry_after_s) => {
    const server = await listen((_, response) => response.writeHead(503, { 'retry-after': header }).end())
    const outcome = await postOnce(server.url)
    expect(outcome).toMatchObject({ kind: 'answered', status: 503 })
    expect('retry_after_s' in outcome ? outcome.retry_after_s : undefined).toBe(retry_after_s)
  })

  test('a date is turned into the seconds until then', async () => {
    const server = await listen((_, response) => response.writeHead(429, { 'retry-after': in_half_an_hour }).end())
    const outcome = await postOnce(server.url)
    expect(outcome).toMatchObject({ retry_after_s: expect.toSatisfy((s: number) => s > 1_700 && s <= 1_800) })
  })
})

describe('a failure', () => {
  test('is a time-out when no headers come', async () => {
    const server = await listen(() => {})
    expect(await postOnce(server.url, { timeout_ms: SHORT_MS })).toEqual({
      kind: 'failed',
      reason: 'timeout',
      description: 'No answer within 0.15 s.',
      duration_ms: expect.toSatisfy((ms: number) => ms >= SHORT_MS - 1),
    })
  })

  test('is a time-out when informational answers never end', async () => {
    const server = await listenTcp((socket) => {
      const more = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 5)
      socket.on('close', () => clearInterval(more))
    })
    expect(await postOnce(server.url, { timeout_ms: SHORT_MS })).toMatchObject({ kind: 'failed', reason: 'timeout' })
  })

  test('is a time-out when the name server is silent', async () => {
    const resolve = vi.fn(() => new Promise<never>(() => {}))
    expect(await postOnce('http://hooks.example/', { timeout_ms: SHORT_MS, resolve })).toMatchObject({
      reason: 'timeout',
    })
    expect(resolve).toHaveBeenCalledTimes(1)
  })

  test('is the connection when it is reset', async () => {
    const server = await listen((request) => request.socket.resetAndDestroy())
    expect(await postOnce(server.url)).toMatchObject({ kind: 'failed', reason: 'connection' })
  })

  test('is the connection when it is closed without an answer', async () => {
    const server = await listen((request) => request.socket.end())
    expect(await postOnce(server.url)).toMatchObject({ kind: 'failed', reason: 'connection' })
  })

  test('is the connection when it is refused, on one address or on several', async () => {
    const port = await freePort()
    const refused = { kind: 'failed', reason: 'connection', description: expect.stringContaining('ECONNREFUSED') }
    expect(await postOnce(`http://127.0.0.1:${port}/`)).toMatchObject(refused)
    const resolve = resolvingTo(['127.0.0.1', '127.0.0.2'])
    expect(await postOnce(`http://hooks.example:${port}/`, { resolve })).toMatchObject(refused)
  })

  test('is the connection when the answer is not HTTP or its headers never end', async () => {
    const babbler = await listenTcp((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
    expect(await postOnce(babbler.url)).toMatchObject({ kind: 'failed', reason: 'connection' })
    const endless = await listenTcp((socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`))
    expect(await postOnce(endless.url)).toMatchObject({ kind: 'failed', reason: 'connection' })
  })

  test('is TLS when the certificate is self-signed', async () => {
    const server = createTlsServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (_, response) => response.end('secret'))
    const requests = vi.fn()
    server.on('request', requests)
    const port = await listening(server)
    const url = `https://hooks.example:${port}/`
    const outcome = await postOnce(url, { resolve: resolvingTo(['127.0.0.1']) })
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: 'tls',
      description: expect.stringContaining('self-signed'),
    })
    expect(requests).not.toHaveBeenCalled()
  })

  test('is TLS when the other side does not speak it', async () => {
    const server = await listen((_, response) => response.end())
    expect(await postOnce(server.url.replace('http:', 'https:'))).toMatchObject({ kind: 'failed', reason: 'tls' })
  })

  test.each(['ENOTFOUND', 'EAI_AGAIN', 'ESERVFAIL'])('is DNS when the name server says %s', async (code) => {
    const resolve = (): Promise<never> => Promise.reject(Object.assign(new Error(`getaddrinfo ${code}`), { code }))
    expect(await postOnce('https://hooks.example/', { resolve })).toMatchObject({ kind: 'failed', reason: 'dns' })
  })

  test('is DNS when the host has no address', async () => {
    const resolve = resolvingTo([])
    expect(await postOnce('https://hooks.example/', { resolve })).toMatchObject({ kind: 'failed', reason: 'dns' })
  })

  test('has a short description without control characters', async () => {
    const fault = new Error(`\u001B[2J${'x'.repeat(1_000)}`)
    const resolve = (): Promise<never> => Promise.reject(fault)
    expect(await postOnce('https://hooks.example/', { resolve })).toMatchObject({
      reason: 'connection',
      description: `[2J${'x'.repeat(197)}`,
    })
  })

  test('is also what an impossible header ends in', async () => {
    const server = await listen((_, response) => response.end())
    const outcome = await poster().post(server.url, { 'webhook-id': 'a\r\nhost: b' }, '{}')
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'connection' })
    expect(server.connections()).toBe(0)
  })
})

/** Each connection is good for one request, and closed over the next: what an endpoint does whose patience has ended. */
function closingKeptOnes(close: (request: IncomingMessage) => void) {
  const served = new Set<object>()
  return listen((request, response) => {
    if (served.has(request.socket)) return close(request)
    served.add(request.socket)
    request.resume().on('end', () => response.end('ok'))
  })
}

describe('a kept connection that is closed as the next post goes out', () => {
  test.each([
    ['in order', (request: IncomingMessage) => void request.socket.end()],
    ['by a reset', (request: IncomingMessage) => void request.socket.resetAndDestroy()],
  ])('%s costs no attempt: it is posted immediately on a new one', async (_, close) => {
    const server = await closingKeptOnes(close)
    const { post } = poster()
    for (const n of [1, 2, 3]) {
      expect(await post(server.url, { 'webhook-id': `cb_${n}` }, '{}')).toMatchObject({ kind: 'answered', status: 200 })
      // Each was kept; the one after it finds it closed.
      expect(server.connections()).toBe(n)
    }
    expect(server.requests()).toBe(5)
  })

  test('so are many concurrently, though the endpoint has its maximum of connections', async () => {
    const server = await closingKeptOnes((request) => void request.socket.end())
    const { post } = poster()
    for (let round = 0; round < 3; round += 1) {
      const outcomes = await Promise.all(Array.from({ length: 100 }, () => post(server.url, {}, '{}')))
      expect(new Set(outcomes.map(statusOf))).toEqual(new Set([200]))
    }
  })

  test('is a failure when the new one is closed as well, or when the answer had begun', async () => {
    const server = await listen((_, response) => response.end('ok'))
    const { post } = poster()
    expect(await post(server.url, {}, '{}')).toMatchObject({ status: 200 })
    server.answerWith((request) => request.socket.end())
    expect(await post(server.url, {}, '{}')).toMatchObject({ kind: 'failed', reason: 'connection' })
    expect([server.requests(), server.connections()]).toEqual([3, 2])

    server.answerWith((_, response) => response.end('ok'))
    expect(await post(server.url, {}, '{}')).toMatchObject({ status: 200 })
    server.answerWith((request) => request.socket.end('HTTP/1.1 2'))
    expect(await post(server.url, {}, '{}')).toMatchObject({ kind: 'failed', reason: 'connection' })
    expect(server.requests()).toBe(5)
  })

  test('is not tried again once its time is over or we have closed', async () => {
    const server = await listen((_, response) => response.end('ok'))
    const { post, close } = poster({ timeout_ms: ENOUGH_MS })
    expect(await post(server.url, {}, '{}')).toMatchObject({ status: 200 })
    server.answerWith(() => {})
    expect(await post(server.url, {}, '{}')).toMatchObject({ kind: 'failed', reason: 'timeout' })
    await close()
    expect([server.requests(), server.connections()]).toEqual([2, 1])
  })
})

describe('breaking off', () => {
  test('before the post makes no connection', async () => {
    const server = await listen((_, response) => response.end())
    const outcome = await poster().post(server.url, {}, '{}', AbortSignal.abort())
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'aborted' })
    expect(server.connections()).toBe(0)
  })

  test('before the answer fails the post and closes the socket', async () => {
    const controller = new AbortController()
    const gone = new EventEmitter()
    const server = await listen((_, response) => {
      response.on('close', () => gone.emit('close'))
      controller.abort()
    })
    const [outcome] = await Promise.all([poster().post(server.url, {}, '{}', controller.signal), once(gone, 'close')])
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'aborted' })
  })

  test('leaves nothing behind on a signal that lives on', async () => {
    const server = await listen((_, response) => response.end())
    const { signal } = new AbortController()
    expect(await poster().post(server.url, {}, '{}', signal)).toMatchObject({ kind: 'answered' })
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })
})

describe('concurrent posts', () => {
  test('a slow endpoint neither delays a fast one nor gets more than 32 connections', async () => {
    const held: ServerResponse[] = []
    const slow = await listen((_, response) => void held.push(response))
    const fast = await listen((_, response) => response.end('fast'))
    const { post } = poster()
    let slow_settled = 0
    const slow_posts = Array.from({ length: 100 }, async () => {
      const outcome = await post(slow.url, {}, '{}')
      slow_settled += 1
      return outcome
    })
    const fast_outcomes = await Promise.all(Array.from({ length: 100 }, () => post(fast.url, {}, '{}')))

    expect(fast_outcomes.map(statusOf)).toEqual(Array.from({ length: 100 }, () => 200))
    expect(slow_settled).toBe(0)
    await until(() => held.length === 32)
    expect(slow.connections()).toBe(32)

    slow.answerWith((_, response) => response.end('at last'))
    for (const response of held) response.end('at last')
    expect((await Promise.all(slow_posts)).map(statusOf)).toEqual(Array.from({ length: 100 }, () => 200))
    expect(slow.connections()).toBe(32)
  })

  test('all time out when the endpoint hangs, also those still in the line, and then it works again', async () => {
    const server = await listen(() => {})
    const { post } = poster({ timeout_ms: SHORT_MS })
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => post(server.url, {}, '{}')))
    expect(new Set(outcomes.map(statusOf))).toEqual(new Set(['timeout']))
    server.answerWith((_, response) => response.end())
    await until(async () => statusOf(await post(server.url, {}, '{}')) === 200)
  })

  test('those still in the line when we break off are never sent', async () => {
    const server = await listen(() => {})
    const { post, close } = poster()
    const controller = new AbortController()
    const posts = Array.from({ length: 100 }, () => post(server.url, {}, '{}', controller.signal))
    await until(() => server.requests() === 32)
    controller.abort()
    expect(new Set((await Promise.all(posts)).map(statusOf))).toEqual(new Set(['aborted']))
    await close()
    expect(server.requests()).toBe(32)
  })

  test('all fail while the connection is refused, and succeed once a server listens', async () => {
    const port = await freePort()
    const { post } = poster()
    const url = `http://127.0.0.1:${port}/`
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => post(url, {}, '{}')))
    expect(new Set(outcomes.map(statusOf))).toEqual(new Set(['connection']))
    await listening(
      createServer((_, response) => response.end()),
      port,
    )
    expect(await post(url, {}, '{}')).toMatchObject({ kind: 'answered', status: 200 })
  })
})

describe('posts of several organisations', () => {
  const theirs = { organisation_id: 'another', lane: 'their lane' }

  test('have connections of their own, also at one origin', async () => {
    const held: ServerResponse[] = []
    const server = await listen((_, response) => void held.push(response))
    const { post } = poster()
    const hanging = Array.from({ length: 40 }, () => post(server.url, {}, '{}'))
    await until(() => held.length === 32)
    server.answerWith((_, response) => response.end())
    for (const sender of [theirs, { ...SENDER, lane: 'another endpoint of ours' }]) {
      expect(statusOf(await post(server.url, {}, '{}', undefined, sender))).toBe(200)
    }
    expect(held).toHaveLength(32)
    for (const response of held) response.end()
    await Promise.all(hanging)
  })

  test('bound the total of connections: a new one replaces the one that is idle longest', async () => {
    const closed: number[] = []
    const servers = await Promise.all(
      [0, 1, 2, 3].map(async (n) => {
        const server = await listen((request, response) => {
          request.socket.once('close', () => closed.push(n))
          response.end()
        })
        return server
      }),
    )
    const { post } = poster({ max_connections: 3 })
    for (const { url } of servers) expect(statusOf(await post(url, {}, '{}'))).toBe(200)
    await until(() => closed.length > 0)
    expect(closed).toEqual([0])
    // The others are still used.
    for (const { url } of servers.slice(1)) expect(statusOf(await post(url, {}, '{}'))).toBe(200)
    expect(servers.map(({ connections }) => connections())).toEqual([1, 1, 1, 1])
  })

  test('do not wait for the silent name servers of one', async () => {
    const server = await listen((_, response) => response.end())
    const asked: string[] = []
    const silent = new Promise<never>(() => {})
    const resolve = async (hostname: string) => {
      asked.push(hostname)
      return hostname.startsWith('silent') ? silent : [{ address: '127.0.0.1', family: 4 }]
    }
    const { post, close } = open({ resolve })
    const controller = new AbortController()
    const hanging = Array.from({ length: 20 }, (_, n) =>
      post(`http://silent-${n}.example:${server.port}/`, {}, '{}', controller.signal),
    )
    const url = `http://hooks.example:${server.port}/`
    expect(statusOf(await post(url, {}, '{}', undefined, theirs))).toBe(200)
    // One of ours is asked for at a time: the system has few threads to ask with.
    expect(asked).toEqual(['silent-0.example', 'hooks.example'])
    controller.abort()
    await Promise.all(hanging)
    await close()
  })

  test('ask for a name once when they go out together, and again for the next', async () => {
    const server = await listen((_, response) => response.writeHead(200, { connection: 'close' }).end())
    const resolve = vi.fn(resolvingTo(['127.0.0.1']))
    const { post } = poster({ resolve })
    const url = `http://hooks.example:${server.port}/`
    await Promise.all(Array.from({ length: 10 }, () => post(url, {}, '{}')))
    expect(resolve).toHaveBeenCalledTimes(1)
    await post(url, {}, '{}')
    expect(resolve).toHaveBeenCalledTimes(2)
  })

  test('do not resolve names whose posts have timed out', async () => {
    const asked: string[] = []
    const answers: ((addresses: { address: string; family: number }[]) => void)[] = []
    const resolve = (hostname: string) => {
      asked.push(hostname)
      return new Promise<{ address: string; family: number }[]>((fulfil) => answers.push(fulfil))
    }
    const { post, close } = open({ resolve, timeout_ms: SHORT_MS })
    const outcomes = await Promise.all([1, 2, 3].map((n) => post(`http://host-${n}.example/`, {}, '{}')))
    expect(new Set(outcomes.map(statusOf))).toEqual(new Set(['timeout']))
    // By the time another has waited as long, their posts have timed out.
    expect(statusOf(await post('http://theirs.example/', {}, '{}', undefined, theirs))).toBe('timeout')
    const [answerFirst] = answers
    answerFirst?.([])
    const last = post('http://last.example/', {}, '{}')
    await until(() => asked.length === 3)
    expect(asked).toEqual(['host-1.example', 'theirs.example', 'last.example'])
    for (const answer of answers) answer([])
    expect(statusOf(await last)).toBe('dns')
    await close()
  })
})

describe('closing', () => {
  test('waits for the post in flight and accepts no more', async () => {
    const held: ServerResponse[] = []
    const server = await listen((_, response) => void held.push(response))
    const { post, close } = open()
    const under_way = post(server.url, {}, '{}')
    await until(() => held.length === 1)
    const settled: string[] = []
    const both = [under_way.then(() => settled.push('post')), close().then(() => settled.push('close'))]
    expect(await post(server.url, {}, '{}')).toMatchObject({ kind: 'failed', reason: 'aborted' })
    expect(settled).toEqual([])
    held[0]?.end()
    await Promise.all(both)
    expect(await under_way).toMatchObject({ kind: 'answered', status: 200 })
    expect(settled.toSorted()).toEqual(['close', 'post'])
    expect(server.requests()).toBe(1)
  })

  test('does not wait for an idle connection, and may be repeated', async () => {
    const resolve = vi.fn(() => new Promise<never>(() => {}))
    const { post, close } = open({ timeout_ms: 60_000, resolve })
    const controller = new AbortController()
    const under_way = post('http://hooks.example/', {}, '{}', controller.signal)
    await until(() => resolve.mock.calls.length === 1)
    controller.abort()
    await close()
    await close()
    expect(await under_way).toMatchObject({ kind: 'failed', reason: 'aborted' })
  })
})

describe('live mode', () => {
  test.each([
    'http://127.0.0.1:PORT/',
    'http://[::1]:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://0:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://localhost:PORT/',
    'http://localhost.:PORT/',
    'http://api.localhost:PORT/',
  ])('blocks %s without a look-up, a connection or an excerpt', async (pattern) => {
    const server = await listen((_, response) => response.end('secret'))
    const resolve = vi.fn(resolvingTo(['127.0.0.1']))
    const outcome = await postOnce(pattern.replace('PORT', String(server.port)), { private_allowed: false, resolve })
    expect(outcome).toEqual({
      kind: 'failed',
      reason: 'blocked',
      description: 'The URL must lead to a public address, or into a network that callbacks.allow_networks names.',
      duration_ms: expect.any(Number),
    })
    expect(resolve).not.toHaveBeenCalled()
    expect(server.connections()).toBe(0)
  })

  test.each([
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['127.0.0.1', NOBODYS_ADDRESS],
    [NOBODYS_ADDRESS, '127.0.0.1'],
  ])('blocks a host name that leads to %s', async (...addresses) => {
    const server = await listen((_, response) => response.end('secret'))
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://hooks.example:${server.port}/`
      expect(await postOnce(url, { private_allowed: false, resolve: resolvingTo(addresses) })).toEqual({
        kind: 'failed',
        reason: 'blocked',
        description:
          'The host hooks.example does not have a public address, nor one of a network in callbacks.allow_networks.',
        duration_ms: expect.any(Number),
      })
    }
    expect(server.connections()).toBe(0)
  })

  test('asks the name server once per post, so that its second answer cannot differ from the checked one', async () => {
    const server = await listen((_, response) => response.end('secret'))
    const resolve = vi.fn(resolvingTo([], ['127.0.0.1']))
    const { post } = poster({ private_allowed: false, resolve })
    const url = `http://hooks.example:${server.port}/`

    expect(statusOf(await post(url, {}, '{}'))).toBe('dns')
    expect(resolve).toHaveBeenCalledTimes(1)
    expect(statusOf(await post(url, {}, '{}'))).toBe('blocked')
    expect(resolve).toHaveBeenCalledTimes(2)
    expect(server.connections()).toBe(0)
  })

  test('blocks the rebound name for every one of 100 posts', async () => {
    const server = await listen((_, response) => response.end('secret'))
    const { post } = poster({ private_allowed: false, resolve: resolvingTo(['127.0.0.1']) })
    const url = `http://hooks.example:${server.port}/`
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => post(url, {}, '{}')))
    expect(new Set(outcomes.map(statusOf))).toEqual(new Set(['blocked']))
    expect(server.connections()).toBe(0)
  })
})

test.each(['', 'nonsense', 'ftp://127.0.0.1/', 'http://user:secret@127.0.0.1/'])(
  'also the sandbox does not call %j',
  async (url) => {
    expect(await postOnce(url)).toMatchObject({ kind: 'failed', reason: 'blocked' })
  },
)

const SENDER = { organisation_id: 'organisation', lane: 'lane' }

/** A poster that is used by one endpoint by default. */
function open(options: Partial<PosterOptions> = {}) {
  const { post, close } = makePoster({ private_allowed: true, ...options })
  return {
    post: (url: string, headers: Record<string, string>, body: string, signal?: AbortSignal, sender = SENDER) =>
      post({ url, ...sender }, headers, body, signal),
    close,
  }
}

function poster(options: Partial<PosterOptions> = {}) {
  const made = open(options)
  onTestFinished(() => made.close())
  return made
}

function postOnce(url: string, options: Partial<PosterOptions> = {}): Promise<PostOutcome> {
  return poster(options).post(url, {}, '{}')
}

function until(condition: () => boolean | Promise<boolean>): Promise<boolean> {
  return vi.waitUntil(condition, { timeout: 15_000 })
}

function statusOf(outcome: PostOutcome): number | string {
  return outcome.kind === 'answered' ? outcome.status : outcome.reason
}

/** Returns the responses in their order, and then the last one repeatedly. */
function resolvingTo(...answers: string[][]) {
  let asked = 0
  return (_hostname: string) => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? []
    asked += 1
    return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
  }
}

async function listen(listener: RequestListener) {
  let answer = listener
  let requests = 0
  let connections = 0
  const server = createServer((request, response) => {
    requests += 1
    answer(request, response)
  })
  server.on('connection', () => (connections += 1))
  const port = await listening(server)
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    requests: () => requests,
    connections: () => connections,
    answerWith(other: RequestListener) {
      answer = other
    },
  }
}

async function listenTcp(listener: Parameters<typeof createTcpServer>[1]) {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    listener?.(socket)
  })
  return { url: `http://127.0.0.1:${await listening(server)}/` }
}

async function listening(server: Server | TcpServer, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  return portOf(server)
}

function portOf(server: TcpServer): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port')
  return address.port
}

async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}

/** Made for this test alone (openssl req -x509 -newkey ec, CN=hooks.example); it opens nothing anywhere. */
const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgLS9UO/IjLrBlAe4i
Dw8t2kbkVipFt1QITrIHUITIHEqhRANCAAS39O2eG+WcXHhtMLiBGgC/NimgRPl7
Q5/QlAc/n0j0giK+GrI0RylS6HctEoEZeO/5rUdkaEfM1eeF21WMt/2p
-----END PRIVATE KEY-----`

const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBoTCCAUegAwIBAgIUW0p22XdfZfraLCp6gpPfzVzZEk8wCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNaG9va3MuZXhhbXBsZTAgFw0yNjExMTUwMTQxMTJaGA8yMTI2
MTAyMjAxNDExMlowGDEWMBQGA1UEAwwNaG9va3MuZXhhbXBsZTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABLf07Z4b5ZxceG0wuIEaAL82KaBE+XtDn9CUBz+fSPSC
Ir4asjRHKVLody0SgRl47/mtR2RoR8zV54XbVYy3/amjbTBrMB0GA1UdDgQWBBSI
qsSeWAsV0Nuk4NIJy8kM6KwKujAfBgNVHSMEGDAWgBSIqsSeWAsV0Nuk4NIJy8kM
6KwKujAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+CDWhvb2tzLmV4YW1wbGUw
CgYIKoZIzj0EAwIDSAAwRQIgae/RYqT3Jg68ADukX+s2lCRtZt+twsKLhsHyUoZN
Hf8CIQCSr6w0mIn7dEnMv0MErPZn0xK2bkeOfQr0yl65rKqKwg==
-----END CERTIFICATE-----`
