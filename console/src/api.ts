import type { ErrorBody as ErrorAnswer, Fault } from '../../clients/typescript/src/errors.ts'
import type { Answer, Known, Method } from './answers.ts'
import { keyAnswered, keyFor } from './idempotency-keys.ts'
import { inFlight } from './in-flight.ts'
import { inWords } from './text/in-words.ts'
import { t } from './text/text.ts'

/** An answer that is not a success, as the service words it, or as we know to say it in the language that was chosen. */
export class ApiError extends Error {
  readonly status: number
  readonly faults: readonly Fault[]
  readonly retry_after_s: number | undefined

  constructor(status: number, message: string, faults: readonly Fault[], retry_after_s?: number) {
    super(message)
    this.status = status
    this.faults = faults
    this.retry_after_s = retry_after_s
  }
}

/** Sent with every call: the current organisation and the CSRF token. */
const credentials: { csrf_token: string | undefined; organisation_id: string | undefined } = {
  csrf_token: undefined,
  organisation_id: undefined,
}

export function setCredentials(given: Partial<typeof credentials>): void {
  Object.assign(credentials, given)
}

let loggedOut: () => void = () => {}

/** What to do when the service does not know the session any more. */
export function onLoggedOut(act: () => void): void {
  loggedOut = act
}

export type CallOptions = {
  idempotency_key?: string
  /** An identical request whose answer did not arrive is repeated with its key, even after the page was loaded again. */
  once?: boolean
  signal?: AbortSignal
  content_type?: string
  /** Overrides the current organisation. */
  organisation_id?: string
}

type Call = <M extends Method, Path extends string>(
  method: M,
  path: Known<M, Path>,
  body?: unknown,
  options?: CallOptions,
) => Promise<Answer<M, Path>>

/**
 * Calls the service as the logged-in user. A refusal is thrown as an `ApiError` with all its faults; a response without a
 * body is `undefined`. A path that is not an operation of the service does not compile.
 */
export const call: Call = ask

/** The same, typed by the caller. */
export async function ask<T>(method: Method, path: string, body?: unknown, options: CallOptions = {}): Promise<T> {
  // A POST that can be aborted reads something, such as an estimate.
  const is_write = method !== 'GET' && options.signal === undefined
  const { response, text } = is_write
    ? await inFlight((signal) => exchange(method, path, body, { ...options, signal })).catch(withoutOutcome)
    : await exchange(method, path, body, options).catch((fault) => notResponding(fault, options.signal))
  if (!response.ok) throw await readError(response, text)
  const answer: T = text === '' ? undefined : JSON.parse(text)
  return answer
}

/** Fetches a file to show it. */
export async function fetchFile<Path extends string>(path: Known<'GET', Path>, signal: AbortSignal): Promise<Blob> {
  const response = await request('GET', path, undefined, { signal })
  if (!response.ok) throw await readError(response, await response.text())
  return response.blob()
}

/** Fetches a file and hands it to the browser to keep. */
export async function download<Path extends string, M extends Method = 'GET'>(
  path: Known<M, Path>,
  name: string,
  method?: M,
  body?: unknown,
): Promise<void> {
  const response = await request(method ?? 'GET', path, body, {}).catch(notResponding)
  if (!response.ok) throw await readError(response, await response.text())
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

function notResponding(fault: unknown, signal?: AbortSignal): never {
  throw signal?.aborted ? fault : unreachable()
}

function unreachable(): ApiError {
  return new ApiError(0, t('The service is not responding. Check that it is running and that you are connected.'), [])
}

function withoutOutcome(): never {
  const message = t(
    'The connection was lost before the service answered. The request may have been carried out: check before you repeat it.',
  )
  throw new ApiError(0, message, [])
}

/** With these the service has not said what became of a request: it is not logged in, or still at it. */
const OPEN = new Set([401, 409])

async function exchange(method: string, path: string, body: unknown, options: CallOptions) {
  const { idempotency_key, once = false, organisation_id = credentials.organisation_id } = options
  if (idempotency_key === undefined || !once) {
    const response = await request(method, path, body, options)
    return { response, text: await response.text() }
  }
  const key = keyFor(`${organisation_id} ${method} ${path} ${JSON.stringify(body)}`, idempotency_key)
  const response = await request(method, path, body, { ...options, idempotency_key: key })
  const text = await response.text()
  if (response.status < 500 && !OPEN.has(response.status)) keyAnswered(key)
  return { response, text }
}

/** Sends a file, and reports the share of it that was sent. Unlike `fetch`, this can say how far it is. */
export function upload<Path extends string>(
  path: Known<'POST', Path>,
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Answer<'POST', Path>> {
  return new Promise((resolve, reject) => {
    const http = new XMLHttpRequest()
    http.open('POST', path)
    const content_type = file.type === '' ? 'application/octet-stream' : file.type
    for (const [name, value] of headersOf('POST', file, { content_type })) http.setRequestHeader(name, value)
    http.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total))
    http.addEventListener('load', () => {
      const { status, responseText: text } = http
      if (status < 300) return resolve(JSON.parse(text))
      readError(new Response(null, { status }), text).then(reject, reject)
    })
    http.addEventListener('error', () => reject(unreachable()))
    http.addEventListener('abort', () => reject(new ApiError(0, '', [])))
    signal.addEventListener('abort', () => http.abort())
    http.send(file)
  })
}

async function request(method: string, path: string, body: unknown, options: CallOptions): Promise<Response> {
  const raw = typeof body === 'string' || body instanceof Blob
  return fetch(path, {
    method,
    headers: headersOf(method, body, options),
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  })
}

function headersOf(method: string, body: unknown, options: CallOptions): Headers {
  const headers = new Headers()
  const organisation_id = options.organisation_id ?? credentials.organisation_id
  if (organisation_id !== undefined) headers.set('x-organisation-id', organisation_id)
  if (credentials.csrf_token !== undefined && method !== 'GET') headers.set('x-csrf-token', credentials.csrf_token)
  if (options.idempotency_key !== undefined) headers.set('idempotency-key', options.idempotency_key)
  if (body !== undefined) headers.set('content-type', options.content_type ?? 'application/json')
  return headers
}

async function readError(response: Response, text: string): Promise<ApiError> {
  if (response.status === 401) loggedOut()
  const retry_after = response.headers.get('retry-after')
  const retry_after_s = retry_after === null ? undefined : Number(retry_after)
  try {
    const { message, errors = [] }: ErrorAnswer = JSON.parse(text)
    const words = await inWords()
    const faults = errors.map((fault) => ({ ...fault, message: words(fault.message) }))
    return new ApiError(
      response.status,
      words(message ?? t('The service returned an unexpected response.')),
      faults,
      retry_after_s,
    )
  } catch {
    return new ApiError(response.status, t('The service returned an unexpected response.'), [])
  }
}

/** `/sms?limit=20&status=sent`: what is undefined or empty is left out. */
export function withQuery<Path extends string>(
  path: Path,
  query: Record<string, string | number | undefined>,
): Path | `${Path}?${string}` {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`
}
