import { ConnectionError, errorFor, type ErrorBody } from './errors.ts'

export type Options = {
  /** An API key, `gg_live_…` or `gg_test_…`. */
  key: string
  /** The address of the service; on this machine by default. */
  url?: string | undefined
  /** For each attempt; half a minute by default. */
  timeout_ms?: number
  /** Attempts in total for requests that may be repeated; four by default. */
  tries?: number
  /** Instead of the built-in one. */
  fetch?: typeof fetch
}

export type CallOptions = {
  /** Your own id, such as an order number: a repeated call is carried out once, even a day later. */
  idempotency_key?: string
  signal?: AbortSignal
}

/** A file to upload. Without a type its content decides what it is. */
export type FileToUpload = { content: Uint8Array<ArrayBuffer> | Blob; type?: string }

export type Request = {
  method: string
  path: string
  body?: object
  file?: FileToUpload
  query?: object
  keyed?: boolean
  /** The answer is a file that need not be text. */
  bytes?: boolean
}
export type Call = <T>(request: Request, options?: CallOptions) => Promise<T>
export type Each = <T>(request: Request, field: string, options?: CallOptions) => AsyncGenerator<T, void, undefined>

const LONGEST_WAIT_MS = 60_000
const FIRST_WAIT_MS = 500

/** Makes requests, and retries those that may be repeated: reads, and writes with an Idempotency-Key. */
export function makeCall(options: Options): Call {
  const { tries = 4, timeout_ms = 30_000 } = options
  const base = (options.url ?? 'http://127.0.0.1:8080').replace(/\/+$/, '')
  const ask = options.fetch ?? fetch
  return async <T>(
    { method, path, body, file, query, keyed, bytes }: Request,
    { idempotency_key, signal }: CallOptions = {},
  ) => {
    const url = base + path + queryText(query)
    const headers: Record<string, string> = { authorization: options.key, accept: 'application/json, text/csv' }
    if (body) headers['content-type'] = 'application/json'
    if (file) headers['content-type'] = file.type ?? 'application/octet-stream'
    if (keyed) headers['idempotency-key'] = idempotency_key ?? crypto.randomUUID()
    const sent = file?.content ?? (body && JSON.stringify(body))
    const may_repeat = method === 'GET' || keyed === true
    for (let attempt = 1; ; attempt++) {
      const limit = AbortSignal.timeout(timeout_ms)
      const stop = signal ? AbortSignal.any([signal, limit]) : limit
      const init = { method, headers, signal: stop, ...(sent === undefined ? {} : { body: sent }) }
      const fault = await tryOnce<T>(() => ask(url, init), bytes === true)
      if (!(fault instanceof Error)) return fault.answer
      if (!may_repeat || attempt >= tries || signal?.aborted || !isPassing(fault, attempt)) throw fault
      await pause(waitMs(fault, attempt), signal)
    }
  }
}

/** Iterates over all entries of a list; pages are fetched as needed. */
export function makeEach(call: Call): Each {
  type Page = Record<string, FromTheWire> & { meta: { pagination: { next_page: string; query_id: string } } }
  return async function* <T>(request: Request, field: string, options?: CallOptions) {
    const where = request.body ? 'body' : 'query'
    let asked: Request = request
    for (;;) {
      const page = await call<Page>(asked, options)
      const entries: T[] = page[field]
      yield* entries
      const { next_page, query_id } = page.meta.pagination
      if (next_page !== 'True') return
      const { page: _first, ...rest } = { page: 0, ...request[where] }
      asked = { ...request, [where]: { ...rest, query_id } }
    }
  }
}

async function tryOnce<T>(ask: () => Promise<Response>, bytes: boolean): Promise<{ answer: T } | Error> {
  let response: Response
  let text: string
  try {
    response = await ask()
    if (bytes && response.ok) return { answer: readBytes(await response.arrayBuffer()) }
    text = await response.text()
  } catch (cause) {
    return new ConnectionError(cause)
  }
  if (response.ok) return { answer: readAnswer(response, text) }
  return errorFor(response.status, readError(text), response.headers)
}

/** A response has no type until the calling method gives it one. */
type FromTheWire = ReturnType<typeof JSON.parse>

function readAnswer(response: Response, text: string): FromTheWire {
  if (response.status === 204) return undefined
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
}

function readBytes(content: ArrayBuffer): FromTheWire {
  return new Uint8Array(content)
}

/** The response of a proxy need not be JSON. */
function readError(text: string): ErrorBody | undefined {
  try {
    const body: ErrorBody = JSON.parse(text)
    return body
  } catch {
    return undefined
  }
}

/** 409 to a retry: the first attempt is still in progress. */
function isPassing(fault: Error & { status?: number }, attempt: number): boolean {
  if (fault instanceof ConnectionError) return true
  return fault.status === 429 || fault.status === 503 || (fault.status === 409 && attempt > 1)
}

/** As long as the service says; otherwise doubled with each attempt, with jitter. */
function waitMs(fault: Error & { retry_after_s?: number | undefined }, attempt: number): number {
  const own = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
  return Math.min(LONGEST_WAIT_MS, fault.retry_after_s === undefined ? own : fault.retry_after_s * 1_000)
}

function pause(wait_ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, wait_ms)
    signal?.addEventListener('abort', () => (clearTimeout(timer), reject(new ConnectionError(signal.reason))), {
      once: true,
    })
  })
}

function queryText(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}
