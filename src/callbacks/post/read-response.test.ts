import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { makeResponseReader, type HttpResponse, type Reading } from './read-response.ts'

const readResponse = (bytes: Buffer, is_closed: boolean): Reading => makeResponseReader().read(bytes, is_closed)

const answerIn = (text: string, is_closed = false): HttpResponse => {
  const reading = readResponse(Buffer.from(text, 'latin1'), is_closed)
  if (!('answer' in reading)) throw new Error(JSON.stringify(reading))
  return reading.answer
}
const bodyIn = (text: string, is_closed = false): string => answerIn(text, is_closed).body().toString('latin1')

describe('an answer ends', () => {
  test('with as many bytes as it says', () => {
    const text = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP'
    expect(answerIn(text)).toMatchObject({ status: 200, is_complete: true, end: text.length - 4, keep_ms: 4_000 })
    expect(bodyIn(text)).toBe('ok')
    expect(answerIn('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok').is_complete).toBe(false)
  })

  test('with its last chunk, trailers included', () => {
    const text = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nok\r\n3\r\nay!\r\n0\r\n'
    expect(answerIn(`${text}\r\n`)).toMatchObject({ is_complete: true, end: text.length + 2, keep_ms: 4_000 })
    expect(bodyIn(`${text}\r\n`)).toBe('okay!')
    expect(answerIn(`${text}X-Sum: 1\r\n\r\n`)).toMatchObject({ is_complete: true, keep_ms: 4_000 })
    expect(answerIn(text)).toMatchObject({ is_complete: false, keep_ms: 0 })
  })

  test('with its head when it can have no body', () => {
    expect(answerIn('HTTP/1.1 204 No Content\r\n\r\n')).toMatchObject({ is_complete: true, keep_ms: 4_000 })
  })

  test('with the connection when it says nothing, and that connection is not used again', () => {
    const text = 'HTTP/1.1 200 OK\r\n\r\nok'
    expect(answerIn(text)).toMatchObject({ is_complete: false, keep_ms: 0 })
    expect(answerIn(text, true)).toMatchObject({ is_complete: true, keep_ms: 0 })
  })
})

describe('a connection is kept', () => {
  const kept = (headers: string, version = '1.1') =>
    answerIn(`HTTP/${version} 200 OK\r\nContent-Length: 0\r\n${headers}\r\n`).keep_ms

  test('for less time than the endpoint says, and not for ever', () => {
    expect(kept('Keep-Alive: timeout=5\r\n')).toBe(3_000)
    expect(kept('Keep-Alive: max=9, timeout=2\r\n')).toBe(0)
    expect(kept('Keep-Alive: timeout=99999\r\n')).toBe(60_000)
    expect(kept('Keep-Alive: TIMEOUT=10,max=9\r\n')).toBe(8_000)
    expect(kept('Keep-Alive: max=9,timeout=10\r\n')).toBe(8_000)
    expect(kept('Keep-Alive: timeout=1\r\n')).toBe(0)
    expect(kept('Keep-Alive: notimeout=10\r\n')).toBe(4_000)
    expect(kept('Keep-Alive: timeout=x\r\n')).toBe(4_000)
  })

  test('not when the endpoint closes it, speaks HTTP/1.0, or sends contradictory headers', () => {
    expect(kept('Connection: Close\r\n')).toBe(0)
    expect(kept('Connection: x, close\r\n')).toBe(0)
    expect(kept('Connection: x,close ,y\r\n')).toBe(0)
    expect(kept('Connection: close\r\nConnection: keep-alive\r\n')).toBe(0)
    expect(kept('Connection: close\r\nTransfer-Encoding: chunked\r\n')).toBe(0)
    expect(kept('Connection: keep-alive\r\n')).toBe(4_000)
    expect(kept('Connection: closed, disclose\r\n')).toBe(4_000)
    expect(kept('', '1.0')).toBe(0)
    expect(kept('Transfer-Encoding: gzip\r\n')).toBe(0)
    const both = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
    expect(answerIn(both)).toMatchObject({ is_complete: true, keep_ms: 0 })
  })
})

test('informational answers are passed over', () => {
  const early = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n'
  expect(answerIn(`${early}HTTP/1.1 410 Gone\r\nContent-Length: 0\r\nRetry-After: 7\r\n\r\n`)).toMatchObject({
    status: 410,
    retry_after: '7',
  })
  expect(readResponse(Buffer.from(early), false)).toEqual({ from: early.length })
})

describe('a head', () => {
  const NOT_HTTP = { fault: 'The response is not HTTP.' }
  const ENDLESS = { fault: 'The headers of the response do not end.' }
  /** A head of so many bytes, without the blank line that ends it. */
  const headOf = (bytes: number): string => 'HTTP/1.1 200 OK\r\nX: '.padEnd(bytes, 'x')
  const EARLY = 'HTTP/1.1 100 Continue\r\n\r\n'

  test.each([
    'SMTP ready\r\n\r\n',
    'SMTP ready',
    'H2',
    'xHTTP/1.1 200 OK\r\n\r\n',
    'HTTP/2 200\r\n\r\n',
    'HTTP/1.2 200 OK\r\n\r\n',
    'HTTP/1.1 999 Odd\r\n\r\n',
    'HTTP/1.1 099 Odd\r\n\r\n',
    'HTTP/1.1 20 Odd\r\n\r\n',
    'HTTP/1.1 2x0 Odd\r\n\r\n',
    'HTTP/1.1 20x Odd\r\n\r\n',
    'HTTP/1.1 200OK\r\n\r\n',
    'HTTP/1.1 101 Switching\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: x1\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n',
    `HTTP/1.1 200 OK\r\nContent-Length: ${'1'.repeat(16)}\r\n\r\n`,
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    `${EARLY}SMTP`,
  ])('%j is not HTTP', (text) => {
    expect(readResponse(Buffer.from(text), false)).toEqual(NOT_HTTP)
  })

  test.each([
    [headOf(16_385), ENDLESS],
    [`${headOf(16_385)}\r\n\r\n`, ENDLESS],
    [EARLY + headOf(16_385), ENDLESS],
    [`${EARLY}${headOf(16_385)}\r\n\r\n`, ENDLESS],
    [headOf(16_384), { from: 0 }],
    [EARLY + headOf(16_384), { from: EARLY.length }],
    ['', { from: 0 }],
    ['H', { from: 0 }],
    ['HTTP/1.', { from: 0 }],
    ['HTTP/1.1 200 OK\r\nX: y\r\n', { from: 0 }],
  ])('%.30j… may go on, but not for ever', (text, reading) => {
    expect(readResponse(Buffer.from(text), false)).toEqual(reading)
  })

  test('may be as long as the limit', () => {
    expect(answerIn(`${headOf(16_384)}\r\n\r\n`).status).toBe(200)
    expect(answerIn(`${EARLY}${headOf(16_384)}\r\n\r\n`).status).toBe(200)
  })

  test('needs no words behind its status', () => {
    expect(answerIn('HTTP/1.1 200\r\n\r\n').status).toBe(200)
    expect(answerIn('HTTP/1.0 599 \r\n\r\n').status).toBe(599)
  })

  test('may say its length twice, if it is the same, and in any case', () => {
    const text = 'HTTP/1.1 200 OK\r\ncontent-length:2\r\nCONTENT-LENGTH:  2 \r\n\r\nok'
    expect(answerIn(text)).toMatchObject({ is_complete: true, end: text.length })
    expect(answerIn(`HTTP/1.1 200 OK\r\nContent-Length: ${'9'.repeat(15)}\r\n\r\n`).is_complete).toBe(false)
  })

  test('says first when to come back', () => {
    const text = 'HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nRetry-After: 9\r\nX-Retry-After: 1\r\n\r\n'
    expect(answerIn(text).retry_after).toBe('7')
    expect(answerIn('HTTP/1.1 503 Busy\r\n\r\n').retry_after).toBeUndefined()
  })
})

describe('a body', () => {
  const chunked = (body: string, coding = 'chunked') => `HTTP/1.1 200 OK\r\nTransfer-Encoding: ${coding}\r\n\r\n${body}`

  test('of nothing is nothing, whatever follows', () => {
    for (const status of ['204 No Content', '304 Not Modified']) {
      const head = `HTTP/1.1 ${status}\r\nContent-Length: 5\r\n\r\n`
      const answer = answerIn(`${head}HTTP/`)
      expect(answer).toMatchObject({ is_complete: true, end: head.length, keep_ms: 4_000 })
      expect(answer.body()).toHaveLength(0)
    }
  })

  test('without a length is all that has come', () => {
    const text = 'HTTP/1.1 200 OK\r\n\r\nok'
    expect(answerIn(text)).toMatchObject({ end: text.length })
    expect(bodyIn(text)).toBe('ok')
  })

  test('that breaks off is complete as it is, and its connection is over', () => {
    for (const text of ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok', chunked('9\r\nok'), chunked('2\r\nok\r\n')]) {
      expect(answerIn(text, false)).toMatchObject({ is_complete: false })
      expect(answerIn(text, true)).toMatchObject({ is_complete: true, keep_ms: 0 })
      expect(bodyIn(text, true)).toBe('ok')
    }
    expect(answerIn('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', true).keep_ms).toBe(0)
    expect(answerIn(chunked('0\r\n\r\n'), true).keep_ms).toBe(0)
  })

  test.each([
    ['chunked', 'ok'],
    ['CHUNKED', 'ok'],
    ['gzip, chunked', 'ok'],
    ['gzip,chunked', 'ok'],
  ])('in the coding %j is read by chunks', (coding, body) => {
    const text = chunked('2\r\nok\r\n0\r\n\r\n', coding)
    expect(answerIn(text)).toMatchObject({ is_complete: true, end: text.length, keep_ms: 4_000 })
    expect(bodyIn(text)).toBe(body)
  })

  test.each(['gzip', 'chunked, gzip', 'xchunked', 'chunkedx', 'chunked, xchunked'])(
    'in the coding %j ends with the connection',
    (coding) => {
      const text = chunked('2\r\nok\r\n0\r\n\r\n', coding)
      expect(answerIn(text)).toMatchObject({ is_complete: false, keep_ms: 0 })
      expect(bodyIn(text)).toBe('2\r\nok\r\n0\r\n\r\n')
    },
  )

  test.each([
    ['A\r\n0123456789\r\n0\r\n\r\n', '0123456789'],
    ['a ;x=y\r\n0123456789\r\n0\r\n\r\n', '0123456789'],
    ['a  \r\n0123456789\r\n00;last\r\n\r\n', '0123456789'],
    ['1\r\no\r\n1\r\nk\r\n0\r\nX-Sum: 1\r\nX-More: 2\r\n\r\n', 'ok'],
    ['0\r\n\r\n', ''],
  ])('%j ends there', (chunks, body) => {
    const text = chunked(chunks)
    expect(answerIn(`${text}HTTP/1.1 500 next\r\n\r\n`)).toMatchObject({
      is_complete: true,
      end: text.length,
      keep_ms: 4_000,
    })
    expect(bodyIn(text)).toBe(body)
  })

  test.each([
    ['2', ''],
    ['2\r\n', ''],
    ['2\r\no', 'o'],
    ['2\r\nok', 'ok'],
    ['2\r\nok\r', 'ok'],
    ['2\r\nok\r\n', 'ok'],
    ['2\r\nok\r\n0\r\n', 'ok'],
    ['2\r\nok\r\n0\r\n\r', 'ok'],
    ['2\r\nok\r\n0\r\nX: y\r\n', 'ok'],
  ])('%j continues', (chunks, body) => {
    const text = chunked(chunks)
    expect(answerIn(text)).toMatchObject({ is_complete: false, end: text.length, keep_ms: 0 })
    expect(bodyIn(text)).toBe(body)
  })

  test.each(['x\r\n', 'x2\r\nok\r\n', '2x\r\nok\r\n', '-2\r\nok\r\n', '\r\n', '123456789\r\nok\r\n', '2 x\r\nok\r\n'])(
    '%j has no size: it is over, and so is the connection',
    (chunks) => {
      const text = chunked(`1\r\n!\r\n${chunks}`)
      expect(answerIn(text)).toMatchObject({ is_complete: true, end: text.length, keep_ms: 0 })
      expect(bodyIn(text)).toBe('!')
    },
  )
})

test('whatever comes, in whatever pieces, is read without a throw, and more bytes never unsay a status', () => {
  const piece = fc.constantFrom(
    'HTTP/1.1 200 OK',
    'HTTP/1.1 100 C',
    '\r\n',
    '\r\n\r\n',
    'Content-Length: 3',
    'Transfer-Encoding: chunked',
    '3\r\nabc\r\n',
    '0\r\n',
    'ffffffff\r\n',
    ':',
    '\u0000\u00ff',
  )
  const statusesIn = (pieces: string[]): (number | undefined)[] =>
    pieces.map((_, n) => {
      const reading = readResponse(Buffer.from(pieces.slice(0, n + 1).join(''), 'latin1'), false)
      return 'answer' in reading ? reading.answer.status : undefined
    })
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }), (pieces) => {
      const statuses = statusesIn(pieces)
      const first = statuses.findIndex((status) => status !== undefined)
      const since = first < 0 ? [] : statuses.slice(first)
      expect(since).toEqual(since.map(() => statuses[first]))
    }),
  )
})

describe('an answer that drips', () => {
  /** Byte by byte; what it was at the end. */
  const dripped = (text: string): Reading => {
    const reader = makeResponseReader()
    const readings = Array.from(Buffer.from(text, 'latin1'), (byte) => reader.read(Buffer.from([byte]), false))
    return readings.at(-1) ?? { from: 0 }
  }
  const shown = (reading: Reading): unknown =>
    'answer' in reading ? { ...reading.answer, body: reading.answer.body().toString('latin1') } : reading

  test.each([
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nokay',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokay',
    'HTTP/1.1 204 No Content\r\n\r\n',
    'HTTP/1.0 200 OK\r\n\r\nok',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a\nb\r\nok\r\n3\r\nay!\r\n0\r\nX: y\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nHTTP',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nodd\r\nHTTP',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nok',
    'HTTP/1.1 200 OK\r\nX: y',
  ])('is what it is in one piece: %j', (text) => {
    expect(shown(dripped(text))).toEqual(shown(readResponse(Buffer.from(text, 'latin1'), false)))
  })

  test('makes work for each byte once, not for all of them with each', () => {
    const chunks = 500
    const text = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(chunks)}`
    const joined = vi.spyOn(Buffer, 'concat')
    const decoded = vi.spyOn(Buffer.prototype, 'toString')
    const copied = vi.spyOn(Buffer.prototype, 'copy')
    onTestFinished(() => void vi.restoreAllMocks())
    const reading = dripped(text)
    const work = joined.mock.calls.length + decoded.mock.calls.length + copied.mock.calls.length
    vi.restoreAllMocks()
    expect('answer' in reading && reading.answer.body_bytes).toBe(chunks)
    expect(work).toBeLessThan(2 * text.length)
  })
})
