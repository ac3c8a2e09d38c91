/** An HTTP answer as far as it has come. */
export type HttpResponse = {
  status: number
  retry_after: string | undefined
  /** Without the framing of chunks. */
  body: Buffer
  is_complete: boolean
  /** Where what belongs to it ends in the bytes it was read from; only when it is complete. */
  end: number
  /** How long its connection may be kept for another request; 0: not at all. */
  keep_ms: number
}

/** What bytes from an endpoint are: an answer, a beginning of one (`from` is where to go on), or not HTTP. */
export type Reading = { answer: HttpResponse } | { from: number } | { fault: string }

const MAX_HEAD_BYTES = 16_384
const HEAD_END = Buffer.from('\r\n\r\n')
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: |$)/
const BEGINNING = 'HTTP/1.'
/** Endpoints that do not say how long they keep a connection keep it at least this long. */
const KEEP_MS = 4_000
const LONGEST_KEEP_MS = 60_000
/** We stop using a connection this long before the endpoint says that it will close it. */
const KEEP_MARGIN_MS = 2_000

/**
 * Reads an answer to a POST (RFC 9112) out of all bytes that have come so far. Informational answers are passed over.
 * Few bytes are ever read of one, so it starts again from the head when there are more.
 */
export function readResponse(bytes: Buffer, is_closed: boolean): Reading {
  let from = 0
  for (;;) {
    const head_end = bytes.indexOf(HEAD_END, from)
    if (head_end < 0) return unfinishedHead(bytes, from)
    if (head_end - from > MAX_HEAD_BYTES) return { fault: 'The headers of the answer do not end.' }
    const lines = bytes.toString('latin1', from, head_end).split('\r\n')
    const [, minor, code] = STATUS_LINE.exec(lines[0] ?? '') ?? []
    if (code === undefined || code === '101') return { fault: 'The answer is not HTTP.' }
    from = head_end + HEAD_END.length
    if (code.startsWith('1')) continue
    const headers = readHeaders(lines)
    if (!headers) return { fault: 'The answer is not HTTP.' }
    return { answer: withBody(bytes, from, is_closed, Number(code), minor === '1', headers) }
  }
}

function unfinishedHead(bytes: Buffer, from: number): Reading {
  const begun = bytes.toString('latin1', from, from + BEGINNING.length)
  if (!BEGINNING.startsWith(begun)) return { fault: 'The answer is not HTTP.' }
  if (bytes.length - from > MAX_HEAD_BYTES) return { fault: 'The headers of the answer do not end.' }
  return { from }
}

type Headers = { length: number | undefined; chunked: boolean; close: boolean; keep: string; retry_after?: string }

/** What matters to us of the headers; undefined when they contradict each other. */
function readHeaders(lines: readonly string[]): Headers | undefined {
  const headers: Headers = { length: undefined, chunked: false, close: false, keep: '' }
  for (let n = 1; n < lines.length; n += 1) {
    const line = lines[n]!
    const colon = line.indexOf(':')
    const value = line.slice(colon + 1).trim()
    switch (line.slice(0, colon).toLowerCase()) {
      case 'content-length': {
        const length = /^\d{1,15}$/.test(value) ? Number(value) : undefined
        if (length === undefined || (headers.length ?? length) !== length) return undefined
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
      default:
    }
  }
  return headers
}

function withBody(
  bytes: Buffer,
  from: number,
  is_closed: boolean,
  status: number,
  is_persistent: boolean,
  headers: Headers,
): HttpResponse {
  const { body, is_complete, end, reusable } = bodyOf(bytes, from, is_closed, status, headers)
  const keep_ms = is_persistent && reusable && !headers.close && !is_closed ? keepTime(headers.keep) : 0
  return { status, retry_after: headers.retry_after, body, is_complete, end, keep_ms }
}

type Body = Pick<HttpResponse, 'body' | 'is_complete' | 'end'> & { reusable: boolean }

const NOTHING = Buffer.alloc(0)

function bodyOf(bytes: Buffer, from: number, is_closed: boolean, status: number, headers: Headers): Body {
  if (status === 204 || status === 304) return { body: NOTHING, is_complete: true, end: from, reusable: true }
  // With both, one of the two is a lie: the chunks are read, and the connection is not used again.
  if (headers.chunked) return readChunks(bytes, from, is_closed, headers.length === undefined)
  if (headers.length === undefined) {
    return { body: bytes.subarray(from), is_complete: is_closed, end: bytes.length, reusable: false }
  }
  const end = from + headers.length
  return { body: bytes.subarray(from, end), is_complete: is_closed || bytes.length >= end, end, reusable: true }
}

function readChunks(bytes: Buffer, from: number, is_closed: boolean, reusable: boolean): Body {
  const chunks: Buffer[] = []
  const far = (is_complete: boolean, end: number, can_go_on: boolean): Body => ({
    body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks),
    is_complete: is_complete || is_closed,
    end,
    reusable: reusable && can_go_on,
  })
  let at = from
  for (;;) {
    const line_end = bytes.indexOf('\r\n', at)
    if (line_end < 0) return far(false, bytes.length, false)
    const size = /^[\da-f]{1,8}(?=\s*(?:;|$))/i.exec(bytes.toString('latin1', at, line_end))?.[0]
    if (size === undefined) return far(true, bytes.length, false) // broken off, as far as we can tell
    at = line_end + 2
    const length = parseInt(size, 16)
    if (length === 0) break
    chunks.push(bytes.subarray(at, at + length))
    at += length + 2
  }
  if (bytes.length >= at + 2 && bytes[at] === 0x0d) return far(true, at + 2, true)
  const trailers_end = bytes.indexOf(HEAD_END, at)
  return trailers_end < 0 ? far(false, bytes.length, false) : far(true, trailers_end + HEAD_END.length, true)
}

function keepTime(keep_alive: string): number {
  const told_s = /(?:^|,)\s*timeout=(\d{1,6})/i.exec(keep_alive)?.[1]
  if (told_s === undefined) return KEEP_MS
  return Math.min(LONGEST_KEEP_MS, Math.max(0, Number(told_s) * 1_000 - KEEP_MARGIN_MS))
}
