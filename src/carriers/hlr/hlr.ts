import { Agent, request } from 'undici'
import type { ProviderAnswer } from '../../numbers/conclude.ts'
import type { Log } from '../../values/log.ts'
import type { NumberDirectory } from '../number-directory.ts'
import { readAnswer } from './read-answer.ts'
import type { HlrSettings } from './schema.ts'
import { messageOf } from '../../values/thrown.ts'

const MAX_ANSWER_BYTES = 64 * 1024
/** After so many failures in a row the provider is left alone for a while: callers should not wait for it in vain. */
const FAILURES_IN_A_ROW = 5
const REST_MS = 10_000

/** Any provider that answers JSON over HTTP. The address is the operator's own, so it may be a private one. */
export function startHlr(
  deps: { log: Log; now?: () => number },
  settings: HlrSettings,
): NumberDirectory & { resting(): boolean } {
  const { name, timeout_ms } = settings
  const now = deps.now ?? Date.now
  const agent = new Agent({
    connections: settings.connections,
    pipelining: 1,
    headersTimeout: timeout_ms,
    bodyTimeout: timeout_ms,
    connect: { timeout: timeout_ms },
  })
  const asked = new Map<string, Promise<ProviderAnswer | undefined>>()
  let failures = 0
  let rests_until = 0

  /** Callers that want the same number at the same time share the question; each has its own time limit. */
  function askOnce(msisdn: string): Promise<ProviderAnswer | undefined> {
    const open = asked.get(msisdn)
    if (open) return open
    const question = ask(msisdn).finally(() => asked.delete(msisdn))
    asked.set(msisdn, question)
    return question
  }

  async function ask(msisdn: string): Promise<ProviderAnswer | undefined> {
    try {
      const text = await fetchText(agent, settings, msisdn)
      const answer = text === undefined ? undefined : readAnswer(text, settings)
      failures = 0
      return answer
    } catch (fault) {
      failures += 1
      if (failures >= FAILURES_IN_A_ROW) rests_until = now() + REST_MS
      if (failures === 1 || failures === FAILURES_IN_A_ROW) {
        deps.log.warn({ provider: name, failures, reason: messageOf(fault) }, 'a lookup provider failed')
      }
      return undefined
    }
  }

  const resting = (): boolean => now() < rests_until
  return {
    name,
    timeout_ms,
    resting,
    async ask(msisdn, signal) {
      if (resting() || signal.aborted) return undefined
      return Promise.race([askOnce(msisdn), given(signal)])
    },
    stop: () => agent.destroy(),
  }
}

/** Resolves with nothing when the caller's time is up. */
function given(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}

/** The answer's text; undefined for a 404, which is how many say that they do not know the number. */
async function fetchText(agent: Agent, settings: HlrSettings, msisdn: string): Promise<string | undefined> {
  const { url, method, headers, body, timeout_ms } = settings
  const signal = AbortSignal.timeout(timeout_ms)
  const response = await request(url.replaceAll('{msisdn}', msisdn), {
    dispatcher: agent,
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: body.replaceAll('{msisdn}', msisdn) }),
    signal,
  })
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > MAX_ANSWER_BYTES) throw new Error(`the answer has more than ${MAX_ANSWER_BYTES} bytes`)
    chunks.push(chunk)
  }
  if (response.statusCode === 404) return undefined
  if (response.statusCode < 200 || response.statusCode > 299) throw new Error(`answered ${response.statusCode}`)
  return Buffer.concat(chunks).toString()
}
