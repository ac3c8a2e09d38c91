/** What most requests of a busy installation ask for. */
export const EXPRESS_PATHS = ['/sms/send', '/otp/request_token', '/otp/verify'] as const
export type ExpressPath = (typeof EXPRESS_PATHS)[number]

/** The head of a request in plain form, as far as serving it needs. */
export type PlainHead = {
  path: ExpressPath
  authorization: string
  idempotency_key: string | undefined
  request_id: string | undefined
  traceparent: string | undefined
  /** Of the body. */
  length: number
  bytes: Buffer
}

/**
 * Parses the head of a POST to one of these paths in its plainest form: HTTP/1.1, an API key, a JSON body of known length.
 * `incomplete` needs more bytes; `searched` bytes are not searched again. Everything else is `unusual` and left to the
 * HTTP server, so this parser may be strict about anything, and must be strict about whatever two parsers could read
 * differently. A head identical to the previous one is not parsed again.
 */
export function readPlainHead(bytes: Buffer, before?: PlainHead, searched = 0): PlainHead | 'incomplete' | 'unusual' {
  return before && beginsWith(bytes, before.bytes) ? before : readHead(bytes, searched)
}

function beginsWith(bytes: Buffer, begin: Buffer): boolean {
  return bytes.length >= begin.length && bytes.compare(begin, 0, begin.length, 0, begin.length) === 0
}

function readHead(bytes: Buffer, searched: number): PlainHead | 'incomplete' | 'unusual' {
  const asked = ASKED.find(({ line }) => agree(bytes, line))
  if (!asked) return 'unusual'
  const { path, line } = asked
  const end = bytes.indexOf(END_OF_HEAD, Math.max(line.length - 2, searched - END_OF_HEAD.length + 1))
  if (end < 0) return bytes.length > MAX_HEAD ? 'unusual' : 'incomplete'
  if (end > MAX_HEAD) return 'unusual'
  const headers = readHeaders(bytes.toString('latin1', line.length, end))
  if (!headers || headers.length > MAX_BODY) return 'unusual'
  return { path, ...headers, bytes: Buffer.from(bytes.subarray(0, end + END_OF_HEAD.length)) }
}

/** Whether both have the same bytes, as far as both go. */
function agree(a: Buffer, b: Buffer): boolean {
  const known = Math.min(a.length, b.length)
  return a.compare(b, 0, known, 0, known) === 0
}

/** Maximum size of a head; a connection buffers no more. */
export const MAX_HEAD = 8 * 1024
export const MAX_BODY = 64 * 1024

const ASKED = EXPRESS_PATHS.map((path) => ({ path, line: Buffer.from(`POST ${path} HTTP/1.1\r\n`) }))
const END_OF_HEAD = Buffer.from('\r\n\r\n')

// A control character, whitespace that only we would trim, or half a line break.
const STRAY = /[^\t\r\n\x20-\x7e\x80-\x9f\xa1-\xff]|\r(?!\n)|[^\r]\n/
const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const JSON_TYPE = /^application\/json(?:;\s*charset=utf-?8)?$/i
const LENGTH = /^\d{1,6}$/

type PlainHeaders = Omit<PlainHead, 'path' | 'bytes'>

function readHeaders(text: string): PlainHeaders | undefined {
  if (STRAY.test(text)) return undefined
  const headers = new Map<string, string>()
  for (let at = 0; at < text.length;) {
    let end = text.indexOf('\r\n', at)
    if (end < 0) end = text.length
    const colon = text.indexOf(':', at)
    if (colon < 0 || colon > end) return undefined
    const name = text.slice(at, colon)
    const matters = MATTERS.get(name) ?? MATTERS.get(name.toLowerCase())
    if (matters !== undefined) {
      if (headers.has(matters)) return undefined
      headers.set(matters, text.slice(colon + 1, end).trim())
    } else if (!NAME.test(name)) {
      return undefined
    }
    at = end + 2
  }
  return plainOnes(headers)
}

const MATTERS = new Map(
  [
    'authorization',
    'idempotency-key',
    'x-request-id',
    'traceparent',
    'content-type',
    'content-length',
    'host',
    'connection',
    'cookie',
    'transfer-encoding',
    'content-encoding',
    'expect',
    'upgrade',
    'te',
    'trailer',
  ].map((name) => [name, name]),
)
/** Headers that change how the request is parsed or routed. */
const UNUSUAL = ['cookie', 'transfer-encoding', 'content-encoding', 'expect', 'upgrade', 'te', 'trailer'] as const

function plainOnes(headers: ReadonlyMap<string, string>): PlainHeaders | undefined {
  const authorization = headers.get('authorization')
  const length = headers.get('content-length')
  const type = headers.get('content-type')
  const connection = headers.get('connection')
  if (authorization === undefined || length === undefined || type === undefined || !headers.get('host'))
    return undefined
  if (!LENGTH.test(length) || !JSON_TYPE.test(type)) return undefined
  if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return undefined
  if (UNUSUAL.some((name) => headers.has(name))) return undefined
  return {
    authorization,
    idempotency_key: headers.get('idempotency-key'),
    request_id: headers.get('x-request-id'),
    traceparent: headers.get('traceparent'),
    length: Number(length),
  }
}
