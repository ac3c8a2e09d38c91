import { Agent, request } from 'undici'
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
  const line = { agent, private_allowed, timeout_ms, max_excerpt_bytes }
  const under_way = new Set<Promise<PostOutcome>>()
  let closed = false
  return {
    async post(url, headers, body, signal) {
      if (closed) return { kind: 'failed', reason: 'aborted', description: 'We are closing down.', duration_ms: 0 }
      const outcome = timed(() => postOnce(line, url, headers, body, signal))
      under_way.add(outcome)
      return outcome.finally(() => under_way.delete(outcome))
    },
    async close() {
      closed = true
      await Promise.all(under_way)
      // Not agent.close(): that also waits for connections being made for posts which were broken off long ago.
      await agent.destroy()
    },
  }
}

async function timed(post: () => Promise<Timeless<PostOutcome>>): Promise<PostOutcome> {
  const started_ms = performance.now()
  const outcome = await post()
  return { ...outcome, duration_ms: Math.round(performance.now() - started_ms) }
}

type Line = { agent: Agent; timeout_ms: number; max_excerpt_bytes: number } & AddressMode

type Timeless<Outcome> = Outcome extends unknown ? Omit<Outcome, 'duration_ms'> : never

async function postOnce(
  line: Line,
  url: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal | undefined,
): Promise<Timeless<PostOutcome>> {
  const fault = urlFault(url, line)
  if (fault !== undefined) return { kind: 'failed', reason: 'blocked', description: fault }

  const deadline = startDeadline(line.timeout_ms, signal)
  try {
    // Else undici would connect, only to drop the request.
    deadline.signal.throwIfAborted()
    const answer = request(new URL(url), {
      dispatcher: line.agent,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Gangan' },
      body,
      signal: deadline.signal,
    })
    // undici heeds the signal only once the request is on a socket: not in the line, nor while it connects.
    const response = await Promise.race([answer, aborted(deadline.signal)])
    const retry_after_s = retryAfter(response.headers['retry-after'])
    return {
      kind: 'answered',
      status: response.statusCode,
      excerpt: readable(await firstBytes(response.body, line.max_excerpt_bytes)),
      ...(retry_after_s === undefined ? {} : { retry_after_s }),
    }
  } catch (error) {
    return { kind: 'failed', ...(deadline.passed() ?? failureOf(error)) }
  } finally {
    deadline.stop()
  }
}

/** Not `AbortSignal.any`: in Node 20 it keeps something for every post on a signal that lives as long as the process. */
function startDeadline(timeout_ms: number, outer: AbortSignal | undefined) {
  const controller = new AbortController()
  let failure: Failure | undefined
  const cut = (reason: FailureReason, description: string): void => {
    failure ??= { reason, description }
    controller.abort()
  }
  const onAbort = (): void => cut('aborted', 'We broke off before the answer came.')
  const timer = setTimeout(() => cut('timeout', `No answer within ${timeout_ms / 1_000} s.`), timeout_ms)
  outer?.addEventListener('abort', onAbort)
  if (outer?.aborted === true) onAbort()
  return {
    signal: controller.signal,
    passed: () => failure,
    stop() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', onAbort)
    },
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('Broken off')), { once: true })
  })
}

/** The status is known by now, so a body that breaks off, drips or never ends only makes the excerpt shorter. */
async function firstBytes(body: AsyncIterable<Uint8Array>, max_bytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      // Leaving the loop destroys the body and with it the socket.
      if (length >= max_bytes) break
    }
  } catch {
    // What has come so far is the excerpt.
  }
  return Buffer.concat(chunks).subarray(0, max_bytes)
}

function readable(bytes: Uint8Array): string {
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
