import { GrowingBuffer, makeBodyReader, type BodyReader } from './read-body.ts'

/** An HTTP response, as far as it was received. */
export type HttpResponse = {
  status: number
  retry_after: string | undefined
  content_type: string | undefined
  /** Bytes of the body so far, without chunk framing. */
  body_bytes: number
  body(): Buffer
  is_complete: boolean
  /** Offset of its end in all received bytes; valid once it is complete. */
  end: number
  /** All received bytes. */
  bytes: number
  /** How long the connection may be kept idle; 0: not at all. */
  keep_ms: number
}

/** A response, an incomplete head (`from` is the offset where it begins), or a protocol fault. */
export type Reading = { answer: HttpResponse } | { from: number } | { fault: string }

export type ResponseReader = {
  /** Parses further bytes; `is_closed`: they are the last ones. */
  read(bytes: Buffer, is_closed: boolean): Reading
}

const MAX_HEAD_BYTES = 16_384
const HEAD_END = Buffer.from('\r\n\r\n')
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: |$)/
const BEGINNING = 'HTTP/1.'
/** Idle time of a connection whose endpoint does not announce one. */
const KEEP_MS = 4_000
const LONGEST_KEEP_MS = 60_000
/** A connection is not used any more this long before its announced end. */
const KEEP_MARGIN_MS = 2_000

/**
 * Incremental parser of the response to a POST (RFC 9112). Informational responses are skipped. Every byte is scanned
 * once, so an endpoint that sends byte by byte costs no more than one that sends the whole response.
 */
export function makeResponseReader(): ResponseReader {
  let head = new GrowingBuffer()
  /** Offset of the head in all received bytes; once it is read, of the body. */
  let head_at = 0
  let bytes_read = 0
  let found: Found | undefined

  function takeHead(bytes: Buffer): Found | Exclude<Reading, { answer: unknown }> {
    let searched = Math.max(0, head.length - HEAD_END.length + 1)
    head.add(bytes)
    for (;;) {
      const whole = head.all()
      const end = whole.indexOf(HEAD_END, searched)
      if (end < 0) return headFault(whole) ?? { from: head_at }
      if (end > MAX_HEAD_BYTES) return { fault: ENDLESS }
      const read = readHead(whole.toString('latin1', 0, end).split('\r\n'))
      if (!read) return { fault: NOT_HTTP }
      const rest = whole.subarray(end + HEAD_END.length)
      head_at += end + HEAD_END.length
      if (read.status >= 200) {
        const body = makeBodyReader(read)
        body.take(rest)
        return { head: read, body }
      }
      head = new GrowingBuffer()
      head.add(rest)
      searched = 0
    }
  }

  return {
    read(bytes, is_closed) {
      bytes_read += bytes.length
      if (found) found.body.take(bytes)
      else {
        const read = takeHead(bytes)
        if (!('body' in read)) return read
        found = read
      }
      return { answer: answerOf(found, is_closed, head_at, bytes_read) }
    },
  }
}

function answerOf({ head, body }: Found, is_closed: boolean, body_at: number, bytes: number): HttpResponse {
  const { status, retry_after, content_type, is_persistent, close, keep } = head
  const is_reusable = is_persistent && body.is_reusable && !close && !is_closed
  return {
    status,
    retry_after,
    content_type,
    body_bytes: body.length,
    body: () => body.all(),
    is_complete: body.is_complete || is_closed,
    end: body_at + body.taken,
    bytes,
    keep_ms: is_reusable ? keepTime(keep) : 0,
  }
}

const NOT_HTTP = 'The response is not HTTP.'
const ENDLESS = 'The headers of the response do not end.'

/** The fault of an incomplete head, if it cannot become a valid one. */
function headFault(begun: Buffer): { fault: string } | undefined {
  if (!BEGINNING.startsWith(begun.toString('latin1', 0, BEGINNING.length))) return { fault: NOT_HTTP }
  return begun.length > MAX_HEAD_BYTES ? { fault: ENDLESS } : undefined
}

type Found = { head: Head; body: BodyReader }

type Head = {
  status: number
  is_persistent: boolean
  length: number | undefined
  chunked: boolean
  close: boolean
  keep: string
  retry_after: string | undefined
  content_type: string | undefined
}

function readHead(lines: readonly string[]): Head | undefined {
  const [, minor, code] = STATUS_LINE.exec(lines[0] ?? '') ?? []
  if (code === undefined || code === '101') return undefined
  const head: Head = {
    status: Number(code),
    is_persistent: minor === '1',
    length: undefined,
    chunked: false,
    close: false,
    keep: '',
    retry_after: undefined,
    content_type: undefined,
  }
  // Headers of an informational response are ignored.
  return code.startsWith('1') || readHeaders(head, lines) ? head : undefined
}

/** Reads the relevant headers; false if they contradict each other. */
function readHeaders(headers: Head, lines: readonly string[]): boolean {
  for (let n = 1; n < lines.length; n += 1) {
    const line = lines[n]!
    const colon = line.indexOf(':')
    const value = line.slice(colon + 1).trim()
    switch (line.slice(0, colon).toLowerCase()) {
      case 'content-length': {
        const length = /^\d{1,15}$/.test(value) ? Number(value) : undefined
        if (length === undefined || (headers.length ?? length) !== length) return false
        headers.length = length
        break
      }
      case 'transfer-encoding':
        headers.chunked = /(?:^|,)\s*chunked$/i.test(value)
        headers.close ||= !headers.chunked
        break
      case 'connection':
        headers.close ||= /(?:^|,)\s*close\s*(?:,|$)/i.test(value)
        break
      case 'keep-alive':
        headers.keep = value
        break
      case 'retry-after':
        headers.retry_after ??= value
        break
      case 'content-type':
        headers.content_type ??= value
        break
      default:
    }
  }
  return true
}

function keepTime(keep_alive: string): number {
  const timeout_s = /(?:^|,)\s*timeout=(\d{1,6})/i.exec(keep_alive)?.[1]
  if (timeout_s === undefined) return KEEP_MS
  return Math.min(LONGEST_KEEP_MS, Math.max(0, Number(timeout_s) * 1_000 - KEEP_MARGIN_MS))
}
