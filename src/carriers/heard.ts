import type { LastCall } from './calls-store.ts'
import type { Pause } from './pauses-store.ts'
import type { CarrierState } from './schema.ts'

/** What carriers that are called over HTTP have let us know. */
export type Heard = { pauses: readonly (Pause & { carrier: string })[]; calls: readonly LastCall[] }

/** Nothing is claimed of a carrier that was never called. */
export function stateOfCalls(name: string, { pauses, calls }: Heard): Pick<CarrierState, 'state' | 'detail'> {
  const pause = pauses.find(({ carrier }) => carrier === name)
  if (pause) return { state: 'down', detail: `paused: ${pause.code} ${pause.reason}` }
  const call = calls.find(({ carrier }) => carrier === name)
  if (!call) return { state: 'unknown', detail: 'not called yet' }
  if (!call.answered) return { state: 'down', detail: `cannot be reached: ${call.reason ?? 'no answer'}` }
  return { state: 'up' }
}
