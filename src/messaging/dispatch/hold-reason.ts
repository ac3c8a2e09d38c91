import type { BindWithPdus } from '../../carriers/schema.ts'
import type { HoldReason } from '../read/schema.ts'

/** Why messages to an SMPP carrier are held. */
export type Obstacle = {
  reason: Extract<HoldReason, 'not_served' | 'not_bound' | 'throttled' | 'rate'>
  detail: string
  until?: string | undefined
}

/** From the state of its binds, which their processes store every second or two. */
export function bindHold(
  binds: readonly BindWithPdus[],
  due: number,
  rate_per_account = Infinity,
): Obstacle | undefined {
  const held = binds.filter(({ holder }) => holder !== null)
  if (held.length === 0) return { reason: 'not_served', detail: 'no process holds a bind of the carrier' }
  const up = held.filter(({ state }) => state === 'bound')
  if (up.length === 0) return { reason: 'not_bound', ...whyDown(held) }
  const throttled = up.filter(({ figures }) => (figures?.paused_ms ?? 0) > 0)
  if (throttled.length === up.length) {
    const ends = throttled.map(({ updated_datetime, figures }) => after(updated_datetime, figures?.paused_ms ?? 0))
    return { reason: 'throttled', detail: 'the carrier is throttling', until: ends.sort()[0] }
  }
  const rates = up.map(({ figures }) => figures?.rate ?? Infinity)
  const rate = Math.min(
    rates.reduce((sum, one) => sum + one, 0),
    rate_per_account,
  )
  if (due === 0 || rate === Infinity) return undefined
  return { reason: 'rate', detail: `the carrier gets ${Number(rate.toFixed(1))} segments a second` }
}

/** Each reason once, and when the first bind is tried again. */
function whyDown(binds: readonly BindWithPdus[]): { detail: string; until?: string | undefined } {
  const reasons = new Set(binds.map(({ state, figures }) => figures?.reason ?? state))
  const tries = binds.flatMap(({ figures }) =>
    figures?.retry_in_ms == null ? [] : [after(figures.since, figures.retry_in_ms)],
  )
  return { detail: [...reasons].join('; '), until: tries.sort()[0] }
}

function after(moment: string, ms: number): string {
  return new Date(Date.parse(moment) + ms).toISOString()
}
