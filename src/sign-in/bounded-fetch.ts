import { makeHttpClient } from '../values/http/client.ts'

/** The provider did not respond, or with an error that is not about the user. */
export class ProviderUnavailable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ProviderUnavailable'
  }
}

const LIMITS = { timeout_ms: 5_000, max_answer_bytes: 1024 * 1024 }

export type BoundedFetch = (
  url: string,
  request: { method: string; headers: Record<string, string>; body?: unknown },
) => Promise<Response>

/** The HTTP client in the form of `fetch`, which the OpenID libraries call. */
export function makeBoundedFetch(): BoundedFetch {
  const http = makeHttpClient(LIMITS)
  return async (url, { method, headers, body }) => {
    const is_form = typeof body === 'string' || body instanceof URLSearchParams
    if (method !== 'GET' && method !== 'POST') throw new Error(`A provider cannot be called with ${method}.`)
    const answer = await http.call({ method, url, headers, ...(is_form ? { body: String(body) } : {}) })
    if (answer.kind !== 'answered') throw new ProviderUnavailable(answer.description)
    const { status, text, headers: answer_headers = {} } = answer
    if (answer.is_too_long) throw new ProviderUnavailable('its response is too long')
    if (status >= 500 || status === 429) throw new ProviderUnavailable(`it responded with status ${status}`)
    return new Response(status === 204 || status === 304 ? null : text, { status, headers: answer_headers })
  }
}
