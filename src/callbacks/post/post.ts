import { type AddressMode, guardedLookup, resolveAll, type Resolve, urlFault } from './address-guard.ts'
import { makeResponseReader, type HttpResponse } from './read-response.ts'
import {
  makeConnections,
  type Connection,
  type Connections,
  type Exchange,
  type Pool,
  type Sender,
  type Target,
} from './connections.ts'
import { failureOf, readable, retryAfter, type Failure, type FailureReason, type PostOutcome } from './outcome.ts'
import { makeNameResolver } from './resolve-names.ts'
import { writeRequest, type PostForm } from './write-request.ts'
import { makeBoundedCache } from '../../values/concurrency/bounded-cache.ts'

const TIMEOUT_MS = 15_000
const MAX_EXCERPT_BYTES = 1_024
/** Connections of one endpoint; further posts wait in its queue, within their timeout. */
const MAX_CONNECTIONS_PER_ENDPOINT = 32
/** Open connections in total, including idle ones: file descriptors are limited. */
const MAX_CONNECTIONS = 2_048
/** Node's default of 250 ms per address is less than some round trips from Lagos. */
const ATTEMPT_TIMEOUT_MS = 2_000

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
  const deps: PostDeps = { connections, timeout_ms, max_excerpt_bytes, targetOf, aborts: new Map(), open: 0 }
  let closed = false
  return {
    async post(to, headers, body, signal, form = {}) {
      if (closed)
        return { kind: 'failed', reason: 'aborted', description: 'The service is shutting down.', duration_ms: 0 }
      return new Promise((resolve) => new Post(deps, form, signal, resolve).start(to, headers, body))
    },
    async close() {
      closed = true
      if (deps.open > 0) await new Promise<void>((resolve) => (deps.onIdle = resolve))
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
  /** Posts in flight. */
  open: number
  /** Called when the last of them ends. */
  onIdle?: () => void
}

function isPlain(content_type: string | undefined): boolean {
  return /^text\/plain\s*(?:;|$)/i.test(content_type ?? '')
}

/**
 * One post, on at most one connection at a time. The status is known with the head of the response: a body that breaks off or
 * never ends only shortens the excerpt. A class, so that a post is one object instead of a dozen closures.
 */
class Post implements Exchange {
  request = ''
  pool: Pool | undefined = undefined
  connection: Connection | undefined = undefined
  private answer: HttpResponse | undefined = undefined
  private timer: NodeJS.Timeout | undefined = undefined
  private has_ended = false
  private readonly reader = makeResponseReader()
  private readonly started_ms = performance.now()
  private readonly deps: PostDeps
  private readonly form: PostForm
  private readonly signal: AbortSignal | undefined
  private readonly resolve: (outcome: PostOutcome) => void

  constructor(
    deps: PostDeps,
    form: PostForm,
    signal: AbortSignal | undefined,
    resolve: (outcome: PostOutcome) => void,
  ) {
    this.deps = deps
    this.form = form
    this.signal = signal
    this.resolve = resolve
    deps.open += 1
  }

  start(to: Sender & { url: string }, headers: Record<string, string>, body: string): void {
    const { deps, signal } = this
    const target = deps.targetOf(to.url)
    if ('fault' in target) return this.fail('blocked', target.fault)
    if (signal?.aborted === true) return this.abort()
    const request = writeRequest(target, headers, body, this.form)
    if (request === undefined) return this.fail('connection', 'A header holds a character that cannot be sent.')
    if (signal) remember(deps.aborts, signal, this)
    this.timer = setTimeout(timeOut, deps.timeout_ms, this)
    this.request = request
    deps.connections.send(to, target, this)
  }

  onBytes(bytes: Buffer): 'more' | 'close' | { keep_ms: number } {
    return this.read(bytes, false)
  }

  onClosed(fault: Error | undefined): void {
    if (!fault && this.read(NOTHING, true) !== 'more') return
    const { reason, description } = fault ? failureOf(fault) : CLOSED
    this.endOrFail(reason, description)
  }

  abort(): void {
    this.cut('aborted', 'The post was aborted before a response.')
  }

  timeOut(): void {
    this.cut('timeout', `No answer within ${this.deps.timeout_ms / 1_000} s.`)
  }

  private cut(reason: FailureReason, description: string): void {
    this.deps.connections.drop(this)
    this.endOrFail(reason, description)
  }

  /** Parses further bytes. A protocol fault fails the post, unless the head of the response was received. */
  private read(bytes: Buffer, is_closed: boolean): 'more' | 'close' | { keep_ms: number } {
    const reading = this.reader.read(bytes, is_closed)
    if ('from' in reading) return 'more'
    if ('fault' in reading) {
      this.endOrFail('connection', reading.fault)
      return 'close'
    }
    const { answer } = reading
    this.answer = answer
    const { max_excerpt_bytes } = this.deps
    const read_bytes = this.form.keeps_text ? Math.max(MAX_TEXT_BYTES, max_excerpt_bytes) : max_excerpt_bytes
    const is_enough = answer.body_bytes >= read_bytes || answer.bytes > MAX_ANSWER_BYTES
    if (!answer.is_complete && !is_enough) return 'more'
    this.endWith(answer)
    // Bytes behind the response, or unread bytes of it, would be taken for the next response.
    return answer.is_complete && answer.end === answer.bytes ? { keep_ms: answer.keep_ms } : 'close'
  }

  /** What was received of a response counts. */
  private endOrFail(reason: FailureReason, description: string): void {
    if (this.answer) this.endWith(this.answer)
    else this.fail(reason, description)
  }

  private fail(reason: FailureReason, description: string): void {
    this.end({ kind: 'failed', reason, description, duration_ms: this.durationMs() })
  }

  private endWith(answer: HttpResponse): void {
    const answered = answer.body()
    const { keeps_text } = this.form
    this.end({
      kind: 'answered',
      status: answer.status,
      excerpt: readable(answered.subarray(0, this.deps.max_excerpt_bytes)),
      text: keeps_text ? answered.toString('utf8', 0, MAX_TEXT_BYTES) : undefined,
      is_plain: keeps_text ? isPlain(answer.content_type) : undefined,
      retry_after_s: retryAfter(answer.retry_after),
      duration_ms: this.durationMs(),
    })
  }

  private durationMs(): number {
    return Math.round(performance.now() - this.started_ms)
  }

  private end(outcome: PostOutcome): void {
    const { deps, signal } = this
    if (this.has_ended) return
    this.has_ended = true
    clearTimeout(this.timer)
    if (signal) forget(deps.aborts, signal, this)
    deps.open -= 1
    if (deps.open === 0) deps.onIdle?.()
    this.resolve(outcome)
  }
}

function timeOut(post: Post): void {
  post.timeOut()
}

const NOTHING = Buffer.alloc(0)
/** Bound of the response including chunk framing. */
const MAX_ANSWER_BYTES = 65_536
/** Bytes kept of a response with content (TwiML): longer than any text that can be sent. */
const MAX_TEXT_BYTES = 16_384
const CLOSED: Failure = { reason: 'connection', description: 'The endpoint closed the connection.' }

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
type Aborts = Map<AbortSignal, { posts: Set<Post>; onAbort: () => void }>

function remember(aborts: Aborts, signal: AbortSignal, post: Post): void {
  let entry = aborts.get(signal)
  if (!entry) {
    const posts = new Set<Post>()
    const onAbort = (): void => posts.forEach((one) => one.abort())
    entry = { posts, onAbort }
    aborts.set(signal, entry)
    signal.addEventListener('abort', onAbort)
  }
  entry.posts.add(post)
}

function forget(aborts: Aborts, signal: AbortSignal, post: Post): void {
  const entry = aborts.get(signal)
  if (!entry?.posts.delete(post) || entry.posts.size > 0) return
  signal.removeEventListener('abort', entry.onAbort)
  aborts.delete(signal)
}
