import type { Parent } from './ids.ts'

/** The share of traces that is exported; with `asks_caller` the caller's decision takes precedence. */
export type Sampler = { ratio: number; asks_caller: boolean }

const SAMPLERS: Record<string, { ratio: number | 'argument'; asks_caller: boolean }> = {
  always_on: { ratio: 1, asks_caller: false },
  always_off: { ratio: 0, asks_caller: false },
  traceidratio: { ratio: 'argument', asks_caller: false },
  parentbased_always_on: { ratio: 1, asks_caller: true },
  parentbased_always_off: { ratio: 0, asks_caller: true },
  parentbased_traceidratio: { ratio: 'argument', asks_caller: true },
}

export function readSampler(env: NodeJS.ProcessEnv, faults: string[]): Sampler {
  const found = SAMPLERS[env.OTEL_TRACES_SAMPLER || 'parentbased_always_on']
  if (!found) {
    faults.push(`OTEL_TRACES_SAMPLER: must be one of ${Object.keys(SAMPLERS).join(', ')}`)
    return { ratio: 0, asks_caller: false }
  }
  if (found.ratio !== 'argument') return { ratio: found.ratio, asks_caller: found.asks_caller }
  const ratio = Number(env.OTEL_TRACES_SAMPLER_ARG || 1)
  if (!(ratio >= 0 && ratio <= 1)) faults.push('OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1')
  return { ratio, asks_caller: found.asks_caller }
}

/** Deterministic in the trace id, so that all processes agree. */
export function isSampled({ ratio, asks_caller }: Sampler, trace_id: string, caller?: Parent): boolean {
  if (caller && asks_caller) return caller.sampled
  if (ratio >= 1) return true
  return ratio > 0 && parseInt(trace_id.slice(-12), 16) < ratio * 2 ** 48
}
