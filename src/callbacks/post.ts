import { Agent, type Dispatcher } from 'undici'
import { type AddressMode, BlockedAddressError, guardedLookup, type Resolve, urlFault } from './address-guard.ts'

const TIMEOUT_MS = 15_000
const MAX_EXCERPT_BYTES = 1_024
const MAX_DESCRIPTION_LENGTH = 200
/** The longest pause of the schedule: an endpoint may ask for patience, but not stop its own callbacks. */
export const MAX_RETRY_AFTER_S = 3_600
/** A slow endpoint holds at most so many sockets. Its other posts wait in its own line, within their time-out. */
const MAX_CONNECTIONS_PER_ORIGIN = 32
/** Node's 250 ms per address is less than a round trip from Lagos to some data centres. */
const ATTEMPT_TIMEOUT_MS = 2_000

type FailureReason = 'timeout' | 'blocked' | 'connection' | 'tls' | 'dns' | 'aborted'

type Failure = { reason: FailureReason; description: string }

export type PostOutcome =
  | { kind: 'answered'; status: number; excerpt: string; retry_after_s?: number; duration_ms: number }
  | ({ kind: 'failed'; duration_ms: number } & Failure)

export type Poster = {
  /** Never throws. Ends within the time-out. */
  readonly post: (
    url: string,
    headers: Record<string, string>,
    body: string,
    signal?: AbortSignal,
  ) => Promise<PostOutcome>
  /** Waits for the posts under way, takes no more. */
  readonly close: () => Promise<void>
}

export type PosterOptions = AddressMode & {
  /** For everything together: finding the address, waiting for a free connection, connecting, headers, body. */
  timeout_ms?: number
  /** Read from the answer, at most. The excerpt never has more characters than this. */
  max_excerpt_bytes?: number
  resolve?: Resolve
}

export function makePoster(options: PosterOptions): Poster {
  const { private_allowed, timeout_ms = TIMEOUT_MS, max_excerpt_bytes = MAX_EXCERPT_BYTES, resolve } = options
  const agent = new Agent({
    connections: MAX_CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    // One clock of our own covers the whole post.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      lookup: guardedLookup({ private_allowed }, resolve),
      timeout: timeout_ms,
      autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
    },
  })
  const line = { agent, timeout_ms, max_excerpt_bytes, targetOf: makeTargetOf({ private_allowed }), breakOffs: new Map() }
  const under_way = new Set<Promise<PostOutcome>>()
  let closed = false
  return {
    async post(url, headers, body, signal) {
      if (closed) return { kind: 'failed', reason: 'aborted', description: 'We are closing down.', duration_ms: 0 }
      const outcome = postOnce(line, url, headers, body, signal)
      under_way.add(outcome)
      const known = await outcome
      under_way.delete(outcome)
      return known
    },
    async close() {
      closed = true
      await Promise.all(under_way)
      // Not agent.close(): that also waits for connections being made for posts which were broken off long ago.
      await agent.destroy()
    },
  }
}

type Line = {
  agent: Agent
  timeout_ms: number
  max_excerpt_bytes: number
  targetOf: (url: string) => Target
  breakOffs: BreakOffs
}

type Timeless<Outcome> = Outcome extends unknown ? Omit<Outcome, 'duration_ms'> : never

/**
 * One post, by undici's innermost interface: its streams and signals cost more than all that is done here for a post.
 * The status is known once the head is here, so a body that breaks off, drips or never ends only makes the excerpt
 * shorter.
 */
function postOnce(
  line: Line,
  url: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal | undefined,
): Promise<PostOutcome> {
  const started_ms = performance.now()
  return new Promise((resolve) => {
    let head: { status: number; retry_after_s?: number } | undefined
    let request: Dispatcher.DispatchController | undefined
    let is_over = false
    let length = 0
    const chunks: Buffer[] = []

    function end(outcome: Timeless<PostOutcome>): void {
      if (is_over) return
      is_over = true
      clearTimeout(timer)
      if (signal) forget(line.breakOffs, signal, breakOff)
      resolve({ ...outcome, duration_ms: Math.round(performance.now() - started_ms) })
    }

    function endOr(failure: () => Failure): void {
      if (!head) return end({ kind: 'failed', ...failure() })
      end({ kind: 'answered', ...head, excerpt: readable(Buffer.concat(chunks).subarray(0, line.max_excerpt_bytes)) })
    }

    /** undici heeds this only once the request is on a socket: not in the line, nor while it connects. */
    function cut(reason: FailureReason, description: string): void {
      endOr(() => ({ reason, description }))
      request?.abort(BROKEN_OFF)
    }

    const breakOff = (): void => cut('aborted', 'We broke off before the answer came.')
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        request = controller
        if (is_over) controller.abort(BROKEN_OFF)
      },
      onResponseStart(_, status, answer_headers) {
        if (status < 200) return // there is more to come
        const retry_after_s = retryAfter(answer_headers['retry-after'])
        head = { status, ...(retry_after_s === undefined ? {} : { retry_after_s }) }
      },
      onResponseData(controller, chunk) {
        chunks.push(chunk)
        length += chunk.length
        if (length < line.max_excerpt_bytes) return
        endOr(() => UNKNOWN)
        controller.abort(BROKEN_OFF) // and with it the socket
      },
      onResponseEnd: () => endOr(() => UNKNOWN),
      onResponseError: (_, fault) => endOr(() => failureOf(fault)),
    }

    const timer = setTimeout(() => cut('timeout', `No answer within ${line.timeout_ms / 1_000} s.`), line.timeout_ms)
    const target = line.targetOf(url)
    if ('fault' in target) return end({ kind: 'failed', reason: 'blocked', description: target.fault })
    if (signal?.aborted === true) return breakOff()
    if (signal) remember(line.breakOffs, signal, breakOff)
    const all_headers = { ...headers, 'content-type': 'application/json', 'user-agent': 'Gangan' }
    line.agent.dispatch({ ...target, method: 'POST', headers: all_headers, body }, handler)
  })
}

const BROKEN_OFF = new Error('Broken off')
const UNKNOWN: Failure = { reason: 'connection', description: 'Unknown fault.' }

type Target = { fault: string } | { origin: string; path: string }

/** Different URLs remembered; more than this and all are read afresh. */
const REMEMBERED_URLS = 1_000

/** Few URLs get most posts, so what was found out about one is kept. Nothing is looked up for it. */
function makeTargetOf(mode: AddressMode): (url: string) => Target {
  const known = new Map<string, Target>()
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

function partsOf({ origin, pathname, search }: URL): Target {
  return { origin, path: pathname + search }
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
function retryAfter(header: string | string[] | undefined): number | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.trim() ?? ''
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
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // The text can quote the other side's certificate. When several addresses were tried it is empty.
  const description = withoutControls(message || code || 'Unknown fault.').slice(0, MAX_DESCRIPTION_LENGTH)
  return { reason: reasonOf(code), description }
}

function reasonOf(code: string): FailureReason {
  if (TIMEOUT_CODES.test(code)) return 'timeout'
  if (DNS_CODES.test(code)) return 'dns'
  if (TLS_CODES.test(code)) return 'tls'
  return 'connection'
}
