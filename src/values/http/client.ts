import { Agent } from 'undici'
import { makeSemaphore } from '../concurrency/semaphore.ts'
import { startExchange, type HttpAnswer, type HttpFailure, type HttpRequest } from './exchange.ts'
import { streamAnswer, type StreamedAnswer, type StreamRequest } from './stream.ts'

export type { HttpAnswer, HttpRequest }

/**
 * The HTTP client for servers that the operator has configured: carriers, vendors, providers, collectors. Bounds the
 * time, the connections and the size of the answer. Never follows redirects, never retries. URLs that customers supply
 * are called by `callbacks/post` instead, which also checks the destination.
 */
export type HttpClient = {
  /** Never rejects. */
  call(request: HttpRequest): Promise<HttpAnswer>
  /** A GET whose answer is read while it arrives; rejects only as `read` does. */
  stream<T>(
    request: StreamRequest,
    read: (answer: StreamedAnswer) => Promise<T>,
  ): Promise<{ kind: 'read'; value: T } | HttpFailure>
  /** Aborts every call in flight. */
  stop(): Promise<void>
}

export type HttpLimits = {
  /** For the whole call, including the wait for a free connection. */
  timeout_ms: number
  connections?: number
  max_answer_bytes?: number
}

const CONNECTIONS = 64
const MAX_ANSWER_BYTES = 256 * 1024

export function makeHttpClient({
  timeout_ms,
  connections = CONNECTIONS,
  max_answer_bytes = MAX_ANSWER_BYTES,
}: HttpLimits): HttpClient {
  const agent = new Agent({
    connections,
    pipelining: 1,
    // The timer of `call` covers these phases.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: Math.min(timeout_ms / 2, 10_000) },
  })
  const in_flight = new Set<(reason: string) => void>()
  // Calls wait here and not in undici's queue: a call aborted here is certain not to have reached the server.
  const permits = makeSemaphore(connections)

  function call(request: HttpRequest): Promise<HttpAnswer> {
    return new Promise((resolve) => {
      let ended = false
      let abortExchange: ((reason: string) => void) | undefined
      const timer = setTimeout(() => abort(`no answer within ${timeout_ms / 1_000} s`), timeout_ms)
      in_flight.add(abort)
      void permits.run(
        () =>
          new Promise<void>((release) => {
            if (ended) return release()
            abortExchange = startExchange(agent, request, max_answer_bytes, (answer) => {
              release()
              end(answer)
            })
          }),
      )

      function abort(reason: string): void {
        if (abortExchange) abortExchange(reason)
        else end({ kind: 'unreached', description: 'no connection was free' })
      }

      function end(answer: HttpAnswer): void {
        ended = true
        clearTimeout(timer)
        in_flight.delete(abort)
        resolve(answer)
      }
    })
  }

  function stream<T>(request: StreamRequest, read: (answer: StreamedAnswer) => Promise<T>) {
    return permits.run(async () => {
      const controller = new AbortController()
      const abort = (reason: string): void => controller.abort(new Error(reason))
      const timer = setTimeout(() => abort(`no complete answer within ${timeout_ms / 1_000} s`), timeout_ms)
      in_flight.add(abort)
      try {
        return await streamAnswer(agent, request, controller.signal, read)
      } finally {
        clearTimeout(timer)
        in_flight.delete(abort)
      }
    })
  }

  return {
    call,
    stream,
    async stop() {
      for (const abort of in_flight) abort('aborted because the service stops')
      await agent.destroy()
    },
  }
}
