import { readSampler, type Sampler } from './sampler.ts'

/** Trace export as configured by OpenTelemetry's environment variables. */
export type TraceSettings = {
  url: string
  headers: Record<string, string>
  timeout_ms: number
  /** Resource attributes: `service.name` and the configured ones. */
  resource: Record<string, string>
  sampler: Sampler
}

const TIMEOUT_MS = 10_000
const MAX_TIMEOUT_MS = 60_000

/** Undefined without an endpoint: no traces are exported. */
export function readTraceSettings(env: NodeJS.ProcessEnv, faults: string[]): TraceSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = env
  if (!(own || all) || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  if (env.OTEL_TRACES_EXPORTER === 'none') return undefined
  if (env.OTEL_TRACES_EXPORTER && env.OTEL_TRACES_EXPORTER !== 'otlp') {
    faults.push('OTEL_TRACES_EXPORTER: must be otlp or none')
  }
  const url = own || `${all?.replace(/\/+$/, '')}/v1/traces`
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    faults.push(`OTEL_EXPORTER_OTLP_${own ? 'TRACES_' : ''}ENDPOINT: must be an http or https address`)
  }
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/json'
  if (protocol !== 'http/json') faults.push('OTEL_EXPORTER_OTLP_PROTOCOL: only http/json is supported')
  const timeout_ms = Number(env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT || env.OTEL_EXPORTER_OTLP_TIMEOUT || TIMEOUT_MS)
  if (!Number.isInteger(timeout_ms) || timeout_ms < 1 || timeout_ms > MAX_TIMEOUT_MS) {
    faults.push(`OTEL_EXPORTER_OTLP_TIMEOUT: must be milliseconds from 1 to ${MAX_TIMEOUT_MS}`)
  }
  const resource = readPairs(env, 'OTEL_RESOURCE_ATTRIBUTES', faults)
  return {
    url,
    headers: readHeaders(env, faults),
    timeout_ms,
    resource: { 'service.name': 'gangan', ...resource, ...named(env.OTEL_SERVICE_NAME) },
    sampler: readSampler(env, faults),
  }
}

function readHeaders(env: NodeJS.ProcessEnv, faults: string[]): Record<string, string> {
  const name = 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'
  const headers = readPairs(env, env[name] ? name : 'OTEL_EXPORTER_OTLP_HEADERS', faults)
  try {
    return Object.fromEntries(new Headers(headers))
  } catch {
    faults.push('OTEL_EXPORTER_OTLP_HEADERS: a name or a value is not valid in a header') // not quoted: it may be a secret
    return {}
  }
}

function named(name: string | undefined): Record<string, string> {
  return name ? { 'service.name': name } : {}
}

/** `name=value,name=value` with percent-encoded values (W3C Baggage). */
function readPairs(env: NodeJS.ProcessEnv, variable: string, faults: string[]): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const part of (env[variable] ?? '').split(',')) {
    if (part.trim() === '') continue
    const at = part.indexOf('=')
    const name = part.slice(0, Math.max(at, 0)).trim()
    const value = decoded(part.slice(at + 1).trim())
    if (name === '' || value === undefined) {
      faults.push(`${variable}: must be comma-separated name=value pairs`)
      return {}
    }
    pairs[name] = value
  }
  return pairs
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
