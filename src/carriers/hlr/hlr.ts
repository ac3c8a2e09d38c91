import type { ProviderAnswer } from '../../numbers/conclude.ts'
import { makeHttpClient, type HttpAnswer } from '../../values/http/client.ts'
import type { Log } from '../../values/log.ts'
import { readPath } from '../http/mapping/path.ts'
import type { NumberDirectory } from '../number-directory.ts'
import type { HlrSettings } from './schema.ts'

const MAX_ANSWER_BYTES = 64 * 1024
/** After this many consecutive failures the provider is not called for a while, so that callers do not wait in vain. */
const MAX_CONSECUTIVE_FAILURES = 5
const BACK_OFF_MS = 10_000

/** A lookup provider that answers JSON over HTTP. The operator configures the URL, so it may be a private address. */
export function startHlr(
  deps: { log: Log; now?: () => number },
  settings: HlrSettings,
): NumberDirectory & { isBackingOff(): boolean } {
  const { name, url, method, headers, body, timeout_ms, connections } = settings
  const now = deps.now ?? Date.now
  const http = makeHttpClient({ timeout_ms, connections, max_answer_bytes: MAX_ANSWER_BYTES })
  const in_flight = new Map<string, Promise<ProviderAnswer | undefined>>()
  let failures = 0
  let backs_off_until = 0

  /** Concurrent callers that want the same number share one request; each has its own time limit. */
  function askOnce(msisdn: string): Promise<ProviderAnswer | undefined> {
    const known = in_flight.get(msisdn)
    if (known) return known
    const request = ask(msisdn).finally(() => in_flight.delete(msisdn))
    in_flight.set(msisdn, request)
    return request
  }

  async function ask(msisdn: string): Promise<ProviderAnswer | undefined> {
    const result = readResult(
      await http.call({
        method,
        url: url.replaceAll('{msisdn}', msisdn),
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: body.replaceAll('{msisdn}', msisdn) }),
      }),
      settings,
    )
    if (!('failure' in result)) {
      failures = 0
      return result.answer
    }
    failures += 1
    if (failures >= MAX_CONSECUTIVE_FAILURES) backs_off_until = now() + BACK_OFF_MS
    if (failures === 1 || failures === MAX_CONSECUTIVE_FAILURES) {
      deps.log.warn({ provider: name, failures, reason: result.failure }, 'a lookup provider failed')
    }
    return undefined
  }

  const isBackingOff = (): boolean => now() < backs_off_until

  return {
    name,
    timeout_ms,
    isBackingOff,
    async ask(msisdn, signal) {
      if (isBackingOff() || signal.aborted) return undefined
      return Promise.race([askOnce(msisdn), aborted(signal)])
    },
    stop: () => http.stop(),
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}

type Fields = Pick<HlrSettings, 'fields' | 'operators'>

/** Status 404 means that the provider does not know the number; it is no failure. */
function readResult(answer: HttpAnswer, fields: Fields): { answer: ProviderAnswer | undefined } | { failure: string } {
  if (answer.kind !== 'answered') return { failure: answer.description }
  const { status, json } = answer
  if (answer.is_too_long) return { failure: `the answer has more than ${MAX_ANSWER_BYTES} bytes` }
  if (status === 404) return { answer: undefined }
  if (status < 200 || status > 299) return { failure: `answered ${status}` }
  if (json === undefined) return { failure: 'the answer is not JSON' }
  return { answer: readAnswer(json, fields) }
}

/** Reads the configured fields; undefined if the answer has none of them. */
function readAnswer(json: unknown, { fields, operators }: Fields): ProviderAnswer | undefined {
  /** `data.network.name`, and `results.0.name` inside lists. */
  const at = (path: string | undefined): unknown =>
    path === undefined ? undefined : readPath({ json }, ['json', ...path.split('.')])
  const operator = readName(at(fields.operator))
  const answer = {
    operator: operator === undefined ? undefined : (operators[operator] ?? operator),
    ported: readFlag(at(fields.ported)),
    dnd: readFlag(at(fields.dnd)),
  }
  return Object.values(answer).some((value) => value !== undefined) ? answer : undefined
}

const MAX_NAME_LENGTH = 200

/** A name, or a network code given as a number. */
function readName(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  return text === '' || text.length > MAX_NAME_LENGTH ? undefined : text
}

const YES = ['true', 'yes', 'y', '1', 'ported', 'active', 'on']
const NO = ['false', 'no', 'n', '0', 'not ported', 'not_ported', 'inactive', 'off']

function readFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const word = String(value).trim().toLowerCase()
  if (YES.includes(word)) return true
  return NO.includes(word) ? false : undefined
}
