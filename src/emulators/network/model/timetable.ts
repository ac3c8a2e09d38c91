import { durationMs } from '../scenario/duration.ts'
import type { CarrierSettings, OutageKind, OutageSettings } from '../scenario/schema.ts'

/** A share that changes linearly between points in simulated time; constant before the first and after the last. */
export type ShareOverTime = readonly { at_ms: number; share: number }[]

const BUCKET_MS = 60_000

/** Within a simulated minute a share is constant, so that a message a few milliseconds later has the same fate. */
export function shareAt(points: ShareOverTime, at_ms: number): number {
  if (points.length === 1) return points[0]!.share
  const time_ms = Math.floor(at_ms / BUCKET_MS) * BUCKET_MS
  const next = points.findIndex((point) => point.at_ms > time_ms)
  if (next === -1) return points.at(-1)!.share
  const [before, after] = [points[next - 1] ?? points[0]!, points[next]!]
  const part = after.at_ms === before.at_ms ? 1 : (time_ms - before.at_ms) / (after.at_ms - before.at_ms)
  return before.share + (after.share - before.share) * Math.max(0, part)
}

export type DriftingShare = 'lost' | 'faked' | 'undelivered' | 'unreported'

/** The share of a carrier for an operator: its base value, then the points of `drift` for all operators and for this one. */
export function shareOverTime(carrier: CarrierSettings, operator: string, key: DriftingShare): ShareOverTime {
  const base = { at_ms: 0, share: carrier.operators[operator]?.[key] ?? carrier[key] }
  const points = carrier.drift
    .filter((point) => point.operator === undefined || point.operator === operator)
    .flatMap(({ at, [key]: share }) => (share === undefined ? [] : [{ at_ms: durationMs(at), share }]))
    .toSorted((a, b) => a.at_ms - b.at_ms)
  return [base, ...points]
}

export type Outage = {
  kind: OutageKind
  status: OutageSettings['status']
  from_ms: number
  lasts_ms: number
  every_ms: number
}

export function readOutages(settings: readonly OutageSettings[]): Outage[] {
  return settings.map(({ kind, status, from, lasts, every }) => ({
    kind,
    status,
    from_ms: durationMs(from),
    lasts_ms: durationMs(lasts),
    every_ms: every === undefined ? Infinity : durationMs(every),
  }))
}

/** The first outage in the list that is on. */
export function outageAt(outages: readonly Outage[], at_ms: number): Outage | undefined {
  for (const outage of outages) if (isOn(outage, at_ms)) return outage
  return undefined
}

function isOn({ from_ms, lasts_ms, every_ms }: Outage, at_ms: number): boolean {
  const since_ms = at_ms - from_ms
  return since_ms >= 0 && (every_ms === Infinity ? since_ms : since_ms % every_ms) < lasts_ms
}

/** When an outage begins or ends next, after a time; Infinity: never again. */
export function nextChange(outages: readonly Outage[], after_ms: number): number {
  return Math.min(
    Infinity,
    ...outages.map(({ from_ms, lasts_ms, every_ms }) => {
      if (after_ms < from_ms) return from_ms
      const round = every_ms === Infinity ? 0 : Math.floor((after_ms - from_ms) / every_ms)
      const begin_ms = from_ms + (round === 0 ? 0 : round * every_ms)
      return after_ms < begin_ms + lasts_ms ? begin_ms + lasts_ms : begin_ms + every_ms
    }),
  )
}
