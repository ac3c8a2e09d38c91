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
import { codeOf, messageOf } from '../../values/thrown.ts'

const TIMEOUT_MS = 15_000
const MAX_EXCERPT_BYTES = 1_024
const MAX_DESCRIPTION_LENGTH = 200
/** The longest pause of the schedule: an endpoint may ask us to wait, but not stop its own callbacks. */
export const MAX_RETRY_AFTER_S = 3_600
/** A slow endpoint holds at most so many sockets. Its other posts wait in its own queue, within their time-out. */
const MAX_CONNECTIONS_PER_ENDPOINT = 32
/** Open in all, those kept for later among them: file handles are limited, and others need some. */
const MAX_CONNECTIONS = 2_048
/** Node's 250 ms per address is less than a round trip from Lagos to some data centres. */
const ATTEMPT_TIMEOUT_MS = 2_000

type FailureReason = 'timeout' | 'blocked' | 'connection' | 'tls' | 'dns' | 'aborted' | 'secret'

type Failure = { reason: FailureReason; description: string }

export type PostOutcome =
  | {
      kind: 'answered'
      status: number
      excerpt: string
      text?: string
      /** Its content type is text/plain. */
      is_plain?: boolean
      retry_after_s?: number
      duration_ms: number
    }
  | ({ kind: 'failed'; duration_ms: number } & Failure)

export type Poster = {
  /** Never throws. Ends within the time-out. */
  readonly post: (
    to: Sender & { url: string },
    headers: Record<string, string>,
    body: string,
    signal?: AbortSignal,
    form?: PostForm,
  ) => Promise<PostOutcome>
  /** Waits for the posts under way, takes no more. */
  readonly close: () => Promise<void>
}

export type PosterOptions = AddressMode & {
  /** For everything together: finding the address, waiting for a free connection, connecting, headers, body. */
  timeout_ms?: number
  /** Read from the answer, at most. The excerpt never has more characters than this. */
  max_excerpt_bytes?: number
  /** Connections open in all, unless more are in use. */
  max_connections?: number
  resolve?: Resolve
}

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
  const deps = { connections, timeout_ms, max_excerpt_bytes, targetOf, breakOffs: new Map() }
  const under_way = new Set<Promise<PostOutcome>>()
  let closed = false
  return {
    async post(to, headers, body, signal, form = {}) {
      if (closed) return { kind: 'failed', reason: 'aborted', description: 'We are closing down.', duration_ms: 0 }
      const outcome = postOnce(deps, to, headers, body, signal, form)
      under_way.add(outcome)
      const known = await outcome
      under_way.delete(outcome)
      return known
    },
    async close() {
      closed = true
      await Promise.all(under_way)
      connections.destroy()
    },
  }
}

type PostDeps = {
  connections: Connections
  timeout_ms: number
  max_excerpt_bytes: number
  targetOf: (url: string) => Target | { fault: string }
  breakOffs: BreakOffs
}

function isPlain(content_type: string | undefined): boolean {
  return /^text\/plain\s*(?:;|$)/i.test(content_type ?? '')
}

type Timeless<Outcome> = Outcome extends unknown ? Omit<Outcome, 'duration_ms'> : never

/**
 * One post. The status is known once the head of the answer is here, so a body that breaks off, drips or never ends only
 * makes the excerpt shorter.
 */
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
      if (signal) forget(deps.breakOffs, signal, breakOff)
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

    /** Reads on; a fault of the endpoint is no answer, unless the head of one was here before. */
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
      // What comes after the answer is nobody's, and what is left of it would be taken for the next.
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

    const breakOff = (): void => cut('aborted', 'We broke off before the answer came.')
    const timer = setTimeout(() => cut('timeout', `No answer within ${deps.timeout_ms / 1_000} s.`), deps.timeout_ms)
    const target = deps.targetOf(to.url)
    if ('fault' in target) return end({ kind: 'failed', reason: 'blocked', description: target.fault })
    if (signal?.aborted === true) return breakOff()
    const request = writeRequest(target, headers, body, form)
    if (request === undefined) return end({ kind: 'failed', ...UNSENDABLE })
    if (signal) remember(deps.breakOffs, signal, breakOff)
    exchange.request = request
    connections.send(to, target, exchange)
  })
}

const NOTHING = Buffer.alloc(0)
/** With the framing of its chunks an excerpt can be longer than itself, but not by any amount. */
const MAX_ANSWER_BYTES = 65_536
/** Where an answer says something: more than any text that can be sent. */
const MAX_TEXT_BYTES = 16_384
const UNKNOWN: Failure = { reason: 'connection', description: 'Unknown fault.' }
const CLOSED: Failure = { reason: 'connection', description: 'The other side closed the connection.' }
const UNSENDABLE: Failure = { reason: 'connection', description: 'A header holds a character that cannot be sent.' }

/** Different URLs remembered; more than this and all are read afresh. */
const REMEMBERED_URLS = 1_000

/** Few URLs get most posts, so what was found out about one is kept. Nothing is looked up for it. */
function makeTargetOf(mode: AddressMode): (url: string) => Target | { fault: string } {
  const known = new Map<string, Target | { fault: string }>()
  return (url) => {
    let target = known.get(url)
    if (target === undefined) {
      const fault = urlFault(url, mode)
      target = fault === undefined ? partsOf(new URL(url)) : { fault }
      if (known.size >= REMEMBERED_URLS) known.clear()
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

/** Posts under way by the signal that breaks them off: one listener for all of them, and none once they are over. */
type BreakOffs = Map<AbortSignal, { posts: Set<() => void>; onAbort: () => void }>

function remember(break_offs: BreakOffs, signal: AbortSignal, breakOff: () => void): void {
  let entry = break_offs.get(signal)
  if (!entry) {
    const posts = new Set<() => void>()
    const onAbort = (): void => posts.forEach((one) => one())
    entry = { posts, onAbort }
    break_offs.set(signal, entry)
    signal.addEventListener('abort', onAbort)
  }
  entry.posts.add(breakOff)
}

function forget(break_offs: BreakOffs, signal: AbortSignal, breakOff: () => void): void {
  const entry = break_offs.get(signal)
  if (!entry?.posts.delete(breakOff) || entry.posts.size > 0) return
  signal.removeEventListener('abort', entry.onAbort)
  break_offs.delete(signal)
}

function readable(bytes: Uint8Array): string {
  if (bytes.length === 0) return ''
  // As a stream, because then a character cut in two at the end is left out.
  return withoutControls(new TextDecoder().decode(bytes, { stream: true }))
}

/** PostgreSQL takes no NUL, and nobody who reads a log wants escape codes or reversed lines in it. */
function withoutControls(text: string): string {
  return text.replace(/[\t\n\r]+/g, ' ').replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '')
}

/** Seconds or an HTTP date (RFC 9110, 10.2.3); anything else is as good as absent. */
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
  // The text can quote the other side's certificate. When several addresses were tried it is empty.
  const description = withoutControls(messageOf(error) || code || 'Unknown fault.').slice(0, MAX_DESCRIPTION_LENGTH)
  return { reason: reasonOf(code), description }
}

function reasonOf(code: string): FailureReason {
  if (TIMEOUT_CODES.test(code)) return 'timeout'
  if (DNS_CODES.test(code)) return 'dns'
  if (TLS_CODES.test(code)) return 'tls'
  return 'connection'
}
