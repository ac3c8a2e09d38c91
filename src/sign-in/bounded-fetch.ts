import { messageOf } from '../values/thrown.ts'

/** The provider did not answer, or not in a way that says anything about the person. */
export class ProviderAway extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ProviderAway'
  }
}

const TIMEOUT_MS = 5_000
const LONGEST_ANSWER = 1024 * 1024

type Options = { method: string; headers: Record<string, string>; body?: RequestInit['body'] }

/** Asks a provider, but waits no longer than this and reads no more than that. No redirect is followed. */
export async function boundedFetch(url: string, { method, headers, body }: Options): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url, { method, headers, body: body ?? null, redirect: 'manual', signal })
    const text = await readBounded(response)
    if (response.status >= 500 || response.status === 429) throw new ProviderAway(`it answers ${response.status}`)
    const empty = response.status === 204 || response.status === 304
    return new Response(empty ? null : text, { status: response.status, headers: response.headers })
  } catch (fault) {
    if (fault instanceof ProviderAway) throw fault
    const { cause } = fault instanceof Error ? fault : {}
    throw new ProviderAway(cause instanceof Error ? cause.message : messageOf(fault))
  }
}

async function readBounded({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > LONGEST_ANSWER) throw new ProviderAway('its answer is too long')
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
