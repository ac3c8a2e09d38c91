import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAnswer, type Answer } from './answer.ts'

const answerIn = (text: string, is_closed = false): Answer => {
  const reading = readAnswer(Buffer.from(text, 'latin1'), is_closed)
  if (!('answer' in reading)) throw new Error(JSON.stringify(reading))
  return reading.answer
}
const bodyIn = (text: string, is_closed = false): string => answerIn(text, is_closed).body.toString('latin1')

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
  })

  test('not when the endpoint closes it, speaks HTTP/1.0, or says two things at once', () => {
    expect(kept('Connection: Close\r\n')).toBe(0)
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
  expect(readAnswer(Buffer.from(early), false)).toEqual({ from: early.length })
})

test.each([
  'SMTP ready\r\n\r\n',
  'HTTP/2 200\r\n\r\n',
  'HTTP/1.1 999 Odd\r\n\r\n',
  'HTTP/1.1 101 Switching\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}`,
])('%.40j is no answer', (text) => {
  expect(readAnswer(Buffer.from(text), false)).toHaveProperty('fault')
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
      const reading = readAnswer(Buffer.from(pieces.slice(0, n + 1).join(''), 'latin1'), false)
      return 'answer' in reading ? reading.answer.status : undefined
    })
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }), (pieces) => {
      const told = statusesIn(pieces)
      const first = told.findIndex((status) => status !== undefined)
      const since = first < 0 ? [] : told.slice(first)
      expect(since).toEqual(since.map(() => told[first]))
    }),
  )
})
