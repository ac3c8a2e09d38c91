import {
  type AddressMode,
  BlockedAddressError,
  guardedLookup,
  resolveAll,
  type Resolve,
  urlFault,
} from './address-guard.ts'
import { makeResponseReader, type HttpResponse } from './read-response.ts'
import { makeConnections, type Connections, type Exchange, type Sender, type Target } from './connections.ts'
import { makeNameResolver } from './resolve-names.ts'
import { writeRequest, type PostForm } from './write-request.ts'
import { makeBoundedCache } from '../../values/concurrency/bounded-cache.ts'
import { codeOf, messageOf } from '../../values/thrown.ts'

const TIMEOUT_MS = 15_000
const MAX_EXCERPT_BYTES = 1_024
const MAX_DESCRIPTION_LENGTH = 200
/** Longest honoured `Retry-After`: the longest delay of the retry schedule. */
export const MAX_RETRY_AFTER_S = 3_600
/** Connections of one endpoint; further posts wait in its queue, within their timeout. */
const MAX_CONNECTIONS_PER_ENDPOINT = 32
/** Open connections in total, including idle ones: file descriptors are limited. */
const MAX_CONNECTIONS = 2_048
/** Node's default of 250 ms per address is less than some round trips from Lagos. */
const ATTEMPT_TIMEOUT_MS = 2_000

type FailureReason = 'timeout' | 'blocked' | 'connection' | 'tls' | 'dns' | 'aborted' | 'secret'

type Failure = { reason: FailureReason; description: string }

export type PostOutcome =
  | {
      kind: 'answered'
      status: number
      excerpt: string
      text?: string
      is_plain?: boolean
      retry_after_s?: number
      duration_ms: number
    }
  | ({ kind: 'failed'; duration_ms: number } & Failure)

export type Poster = {
  /** Never throws, and ends within the timeout. */
  readonly post: (
    to: Sender & { url: string },
    headers: Record<string, string>,
    body: string,
    signal?: AbortSignal,
    form?: PostForm,
  ) => Promise<PostOutcome>
  /** Accepts no further posts and waits for those in flight. */
  readonly close: () => Promise<void>
}

export type PosterOptions = AddressMode & {
  /** Total timeout: name resolution, waiting for a connection, connecting, response. */
  timeout_ms?: number
  /** Bytes read from the response body; the excerpt has no more characters. */
  max_excerpt_bytes?: number
  /** Total of open connections, unless more are in use. */
  max_connections?: number
  resolve?: Resolve
}

/**
 * The HTTP client of callbacks: connection pools per endpoint, an address guard, and a bounded response. It exists beside
 * `values/http`, because undici took a third of the processor time of a callback (decision 0022).
 */
export function makePoster(options: PosterOptions): Poster {
  const { timeout_ms = TIMEOUT_MS, max_excerpt_bytes = MAX_EXCERPT_BYTES, max_connections = MAX_CONNECTIONS } = options
  const names = makeNameResolver(options.resolve ?? resolveAll, timeout_ms)
  const connections = makeConnections({
    per_pool: MAX_CONNECTIONS_PER_ENDPOINT,
    in_all: max_connections,
    attempt_timeout_ms: ATTEMPT_TIMEOUT_MS,
    lookupFor: (organisation_id) => guardedLookup(options, (hostname) => names.resolve(organisation_id, hostname)),
  })
  const targetOf = makeTargetOf(options)
  const deps = { connections, timeout_ms, max_excerpt_bytes, targetOf, aborts: new Map() }
  const in_flight = new Set<Promise<PostOutcome>>()
  let closed = false
  return {
    async post(to, headers, body, signal, form = {}) {
      if (closed)
        return { kind: 'failed', reason: 'aborted', description: 'The service is shutting down.', duration_ms: 0 }
      const outcome = postOnce(deps, to, headers, body, signal, form)
      in_flight.add(outcome)
      const known = await outcome
      in_flight.delete(outcome)
      return known
    },
    async close() {
      closed = true
      await Promise.all(in_flight)
      connections.destroy()
    },
  }
}

type PostDeps = {
  connections: Connections
  timeout_ms: number
  max_excerpt_bytes: number
  targetOf: (url: string) => Target | { fault: string }
  aborts: Aborts
}

function isPlain(content_type: string | undefined): boolean {
  return /^text\/plain\s*(?:;|$)/i.test(content_type ?? '')
}

type Timeless<Outcome> = Outcome extends unknown ? Omit<Outcome, 'duration_ms'> : never

/** One post. The status is known with the head of the response: a body that breaks off or never ends only shortens the excerpt. */
function postOnce(
  deps: PostDeps,
  to: Sender & { url: string },
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal | undefined,
  form: PostForm,
): Promise<PostOutcome> {
  const started_ms = performance.now()
  const { connections, max_excerpt_bytes } = deps
  const read_bytes = form.keeps_text ? Math.max(MAX_TEXT_BYTES, max_excerpt_bytes) : max_excerpt_bytes
  return new Promise((resolve) => {
    let answer: HttpResponse | undefined
    const reader = makeResponseReader()

    function end(outcome: Timeless<PostOutcome>): void {
      clearTimeout(timer)
      if (signal) forget(deps.aborts, signal, abort)
      resolve({ ...outcome, duration_ms: Math.round(performance.now() - started_ms) })
    }

    function endOr(failure: Failure): void {
      if (!answer) return end({ kind: 'failed', ...failure })
      const answered = answer.body()
      const excerpt = readable(answered.subarray(0, max_excerpt_bytes))
      const retry_after_s = retryAfter(answer.retry_after)
      end({
        kind: 'answered',
        status: answer.status,
        excerpt,
        ...(form.keeps_text
          ? { text: answered.toString('utf8', 0, MAX_TEXT_BYTES), is_plain: isPlain(answer.content_type) }
          : {}),
        ...(retry_after_s === undefined ? {} : { retry_after_s }),
      })
    }

    function cut(reason: FailureReason, description: string): void {
      connections.drop(exchange)
      endOr({ reason, description })
    }

    /** Parses further bytes. A protocol fault fails the post, unless the head of the response was received. */
    function read(bytes: Buffer, is_closed: boolean): 'more' | 'close' | { keep_ms: number } {
      const reading = reader.read(bytes, is_closed)
      if ('from' in reading) return 'more'
      if ('fault' in reading) {
        endOr({ reason: 'connection', description: reading.fault })
        return 'close'
      }
      answer = reading.answer
      const is_enough = answer.body_bytes >= read_bytes || answer.bytes > MAX_ANSWER_BYTES
      if (!answer.is_complete && !is_enough) return 'more'
      endOr(UNKNOWN)
      // Bytes behind the response, or unread bytes of it, would be taken for the next response.
      return answer.is_complete && answer.end === answer.bytes ? { keep_ms: answer.keep_ms } : 'close'
    }

    const exchange: Exchange = {
      request: '',
      onBytes: (chunk) => read(chunk, false),
      onClosed(fault) {
        if (!fault && read(NOTHING, true) !== 'more') return
        endOr(fault ? failureOf(fault) : CLOSED)
      },
    }

    const abort = (): void => cut('aborted', 'The post was aborted before a response.')
    const timer = setTimeout(() => cut('timeout', `No answer within ${deps.timeout_ms / 1_000} s.`), deps.timeout_ms)
    const target = deps.targetOf(to.url)
    if ('fault' in target) return end({ kind: 'failed', reason: 'blocked', description: target.fault })
    if (signal?.aborted === true) return abort()
    const request = writeRequest(target, headers, body, form)
    if (request === undefined) return end({ kind: 'failed', ...UNSENDABLE })
    if (signal) remember(deps.aborts, signal, abort)
    exchange.request = request
    connections.send(to, target, exchange)
  })
}

const NOTHING = Buffer.alloc(0)
/** Bound of the response including chunk framing. */
const MAX_ANSWER_BYTES = 65_536
/** Bytes kept of a response with content (TwiML): longer than any text that can be sent. */
const MAX_TEXT_BYTES = 16_384
const UNKNOWN: Failure = { reason: 'connection', description: 'Unknown fault.' }
const CLOSED: Failure = { reason: 'connection', description: 'The endpoint closed the connection.' }
const UNSENDABLE: Failure = { reason: 'connection', description: 'A header holds a character that cannot be sent.' }

const MAX_CACHED_URLS = 1_000

/** Few URLs get most posts, so their check and parsing are cached. */
function makeTargetOf(mode: AddressMode): (url: string) => Target | { fault: string } {
  const known = makeBoundedCache<string, Target | { fault: string }>(MAX_CACHED_URLS)
  return (url) => {
    let target = known.get(url)
    if (target === undefined) {
      const fault = urlFault(url, mode)
      target = fault === undefined ? partsOf(new URL(url)) : { fault }
      known.set(url, target)
    }
    return target
  }
}

function partsOf({ protocol, origin, host, hostname, port, pathname, search }: URL): Target {
  const tls = protocol === 'https:'
  const given_port = port === '' ? (tls ? 443 : 80) : Number(port)
  return { origin, tls, host, hostname: hostname.replace(/^\[|\]$/g, ''), port: given_port, path: pathname + search }
}

/** Posts in flight by the signal that aborts them: one listener per signal, removed with its last post. */
type Aborts = Map<AbortSignal, { posts: Set<() => void>; onAbort: () => void }>

function remember(aborts: Aborts, signal: AbortSignal, abort: () => void): void {
  let entry = aborts.get(signal)
  if (!entry) {
    const posts = new Set<() => void>()
    const onAbort = (): void => posts.forEach((one) => one())
    entry = { posts, onAbort }
    aborts.set(signal, entry)
    signal.addEventListener('abort', onAbort)
  }
  entry.posts.add(abort)
}

function forget(aborts: Aborts, signal: AbortSignal, abort: () => void): void {
  const entry = aborts.get(signal)
  if (!entry?.posts.delete(abort) || entry.posts.size > 0) return
  signal.removeEventListener('abort', entry.onAbort)
  aborts.delete(signal)
}

function readable(bytes: Uint8Array): string {
  if (bytes.length === 0) return ''
  // In stream mode, a character that is cut off at the end is omitted.
  return withoutControls(new TextDecoder().decode(bytes, { stream: true }))
}

/** Removes control and bidirectional characters: PostgreSQL rejects NUL, and logs must not be spoofed. */
function withoutControls(text: string): string {
  return text.replace(/[\t\n\r]+/g, ' ').replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '')
}

/** Seconds or an HTTP date (RFC 9110, 10.2.3); anything else is ignored. */
function retryAfter(value = ''): number | undefined {
  if (/^\d+$/.test(value)) return Math.min(Number(value), MAX_RETRY_AFTER_S)
  if (!value.endsWith(' GMT')) return undefined
  const wait_s = Math.ceil((Date.parse(value) - Date.now()) / 1_000)
  return Number.isNaN(wait_s) ? undefined : Math.min(Math.max(wait_s, 0), MAX_RETRY_AFTER_S)
}

const TIMEOUT_CODES = /^(ETIMEDOUT$|UND_ERR_CONNECT_TIMEOUT$)/
const DNS_CODES = /^(ENOTFOUND$|ENODATA$|ESERVFAIL$|EREFUSED$|ETIMEOUT$|EAI_)/
const TLS_CODES =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_|PATH_LENGTH_|HOSTNAME_MISMATCH$)/

function failureOf(error: unknown): Failure {
  if (error instanceof BlockedAddressError) return { reason: 'blocked', description: error.message }
  const code = codeOf(error) ?? ''
  // The message may quote the peer's certificate; it is empty if several addresses failed.
  const description = withoutControls(messageOf(error) || code || 'Unknown fault.').slice(0, MAX_DESCRIPTION_LENGTH)
  return { reason: reasonOf(code), description }
}

function reasonOf(code: string): FailureReason {
  if (TIMEOUT_CODES.test(code)) return 'timeout'
  if (DNS_CODES.test(code)) return 'dns'
  if (TLS_CODES.test(code)) return 'tls'
  return 'connection'
}
