import { describe, expect, test } from 'vitest'
import { newId } from '../../values/id.ts'
import { readTraceparent, spanOf, traceOf, writeTraceparent } from './ids.ts'
import { isSampled, readSampler } from './sampler.ts'
import { readTraceSettings } from './settings.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' }
const read = (env: Record<string, string>) => {
  const faults: string[] = []
  return { settings: readTraceSettings(env, faults), faults }
}

describe('the variables of OpenTelemetry', () => {
  test('without an endpoint, or switched off, there are no traces', () => {
    const off = [
      {},
      { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' },
      { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' },
      { OTEL_TRACES_SAMPLER: 'nonsense' },
    ]
    for (const env of off) expect(read(env)).toEqual({ settings: undefined, faults: [] })
  })

  test('the path is ours unless the address is that of traces alone', () => {
    expect(read(ENDPOINT).settings?.url).toBe('http://127.0.0.1:4318/v1/traces')
    const own = { ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collect.example/x' }
    expect(read(own).settings?.url).toBe('https://collect.example/x')
  })

  test('headers and attributes are pairs, and a name of the service goes before that among them', () => {
    const { settings, faults } = read({
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b, x-tenant=1',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment=live',
      OTEL_SERVICE_NAME: 'lagos',
    })
    expect(faults).toEqual([])
    expect(settings?.headers).toEqual({ 'api-key': 'a b', 'x-tenant': '1' })
    expect(settings?.resource).toEqual({ 'service.name': 'lagos', 'deployment.environment': 'live' })
    expect(read(ENDPOINT).settings?.resource).toEqual({ 'service.name': 'gangan' })
  })

  test('all errors are reported together, without the values of headers', () => {
    const { faults } = read({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_HEADERS: 'a b=secret',
      OTEL_EXPORTER_OTLP_TIMEOUT: '0',
      OTEL_RESOURCE_ATTRIBUTES: 'nothing',
      OTEL_TRACES_EXPORTER: 'zipkin',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '2',
    })
    expect(faults.map((fault) => fault.split(':')[0]).sort()).toEqual([
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'OTEL_EXPORTER_OTLP_HEADERS',
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'OTEL_EXPORTER_OTLP_TIMEOUT',
      'OTEL_RESOURCE_ATTRIBUTES',
      'OTEL_TRACES_EXPORTER',
      'OTEL_TRACES_SAMPLER_ARG',
    ])
    expect(faults.join()).not.toContain('secret')
    expect(read({ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'often' }).faults).toHaveLength(1)
  })
})

describe('the sampler', () => {
  const sampler = (name: string, arg = '') =>
    readSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: arg }, [])
  const caller = (sampled: boolean) => ({ trace_id: traceOf(newId()), span_id: spanOf(newId()), sampled })

  test('keeps its share of messages, and the same ones everywhere', () => {
    const ids = Array.from({ length: 20_000 }, () => traceOf(newId()))
    const kept = ids.filter((id) => isSampled(sampler('traceidratio', '0.25'), id))
    expect(kept.length / ids.length).toBeGreaterThan(0.22)
    expect(kept.length / ids.length).toBeLessThan(0.28)
    // Who keeps fewer keeps some of these, and no others.
    const fewer = ids.filter((id) => isSampled(sampler('traceidratio', '0.1'), id))
    expect(fewer.every((id) => kept.includes(id))).toBe(true)
  })

  test('asks the caller where its name says so', () => {
    const trace_id = traceOf(newId())
    expect(isSampled(sampler('parentbased_always_off'), trace_id, caller(true))).toBe(true)
    expect(isSampled(sampler('parentbased_always_on'), trace_id, caller(false))).toBe(false)
    expect(isSampled(sampler('always_on'), trace_id, caller(false))).toBe(true)
    expect(isSampled(sampler('always_off'), trace_id, caller(true))).toBe(false)
  })
})

describe('traceparent', () => {
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
  const SPAN = '00f067aa0ba902b7'

  test('is read and written as W3C has it', () => {
    const text = writeTraceparent({ trace_id: TRACE, span_id: SPAN })
    expect(readTraceparent(text)).toEqual({ trace_id: TRACE, span_id: SPAN, sampled: true })
    expect(readTraceparent(`00-${TRACE}-${SPAN}-02`)?.sampled).toBe(false)
    expect(readTraceparent(`cc-${TRACE}-${SPAN}-01-what-the-future-brings`)?.sampled).toBe(true)
  })

  test('that is none is as good as absent', () => {
    const none = [
      undefined,
      '',
      ['a', 'b'],
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `00-${'0'.repeat(32)}-${SPAN}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `ff-${TRACE}-${SPAN}-01`,
      `00-${TRACE}-${SPAN}-01-more`,
      `00-${TRACE}-${SPAN}`,
      `cc-${TRACE}-${SPAN}-01-${'x'.repeat(500)}`,
    ]
    for (const text of none) expect(readTraceparent(text)).toBeUndefined()
  })
})
