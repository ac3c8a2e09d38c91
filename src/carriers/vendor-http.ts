import { Agent, request } from 'undici'
import { parseJson } from './vendor-words.ts'
import { asError, codeOf, messageOf } from '../values/thrown.ts'

/** How a vendor's HTTP interface is called. Never follows redirects, never tries again by itself. */
export type VendorHttp = {
  call(asked: VendorCall): Promise<VendorAnswer>
  /** Breaks off every call under way. */
  stop(): Promise<void>
}

export type VendorCall = {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
}

export type VendorAnswer =
  /** `json` is undefined when the body is not JSON, or broke off. */
  | { kind: 'answered'; status: number; json: unknown; text: string; headers?: Readonly<Record<string, string>> }
  /** No connection was made, so the vendor cannot have seen the call. */
  | { kind: 'unreached'; description: string }
  /** The vendor may have seen it. */
  | { kind: 'lost'; description: string }

const MAX_ANSWER_BYTES = 256 * 1024
const CONNECTIONS = 64
const MAX_DESCRIPTION = 200

export function makeVendorHttp({
  timeout_ms,
  connections = CONNECTIONS,
}: {
  timeout_ms: number
  /** At once, at most. */
  connections?: number
}): VendorHttp {
  const agent = new Agent({
    connections,
    pipelining: 1,
    // One clock of our own covers the whole call.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: Math.min(timeout_ms / 2, 10_000) },
  })
  const under_way = new Set<AbortController>()
  const places = makePlaces(connections)

  async function call(asked: VendorCall): Promise<VendorAnswer> {
    const clock = new AbortController()
    const timer = setTimeout(() => clock.abort(new Error(`no answer within ${timeout_ms / 1_000} s`)), timeout_ms)
    under_way.add(clock)
    const has_place = await places.take(clock.signal)
    const answer: VendorAnswer = has_place
      ? await callNow(asked, clock).finally(() => places.give())
      : { kind: 'unreached', description: 'no connection was free' }
    clearTimeout(timer)
    under_way.delete(clock)
    return answer
  }

  async function callNow({ method, url, headers, body }: VendorCall, clock: AbortController): Promise<VendorAnswer> {
    try {
      const options = { dispatcher: agent, method, headers, body: body ?? null, signal: clock.signal }
      // undici heeds the signal only once the request is on a socket: not while it connects.
      const response = await Promise.race([request(url, options), aborted(clock.signal)])
      const text = await readText(response.body)
      return {
        kind: 'answered',
        status: response.statusCode,
        json: text === undefined ? undefined : parseJson(text),
        text: text ?? '',
        headers: plainHeaders(response.headers),
      }
    } catch (fault) {
      const description = describe(fault)
      return { kind: NOT_CONNECTED.test(codeOf(fault) ?? '') ? 'unreached' : 'lost', description }
    }
  }

  return {
    call,
    async stop() {
      for (const clock of under_way) clock.abort(new Error('broken off because the service stops'))
      await agent.destroy()
    },
  }
}

/**
 * Who finds no connection free waits here, and not in undici's own queue: of what is given up here it is certain that
 * the vendor has not seen it.
 */
function makePlaces(count: number): { take(signal: AbortSignal): Promise<boolean>; give(): void } {
  const waiting = new Set<() => void>()
  let free = count
  return {
    async take(signal) {
      if (free > 0) {
        free -= 1
        return true
      }
      return new Promise<boolean>((resolve) => {
        const enter = () => resolve(true)
        waiting.add(enter)
        const giveUp = () => waiting.delete(enter) && resolve(false)
        signal.addEventListener('abort', giveUp, { once: true })
      })
    },
    give() {
      const [next] = waiting
      if (!next) free += 1
      else {
        waiting.delete(next)
        next()
      }
    },
  }
}

/** Faults that come before the first byte of a request can have left. */
const NOT_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|ERR_TLS_CERT_\w+)$/

function describe(fault: unknown): string {
  const text = messageOf(fault) || codeOf(fault) || ''
  return text.slice(0, MAX_DESCRIPTION)
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(asError(signal.reason)), { once: true })
  })
}

/** Of several of one name the first. */
function plainHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()[0] ?? '']))
}

/** Undefined when there is more than a vendor has any reason to say. */
async function readText(body: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length > MAX_ANSWER_BYTES) return undefined
  }
  return Buffer.concat(chunks).toString()
}
