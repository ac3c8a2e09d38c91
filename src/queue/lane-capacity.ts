import type { Claim, Job } from './store.ts'
import type { Place, WorkerOptions } from './worker-options.ts'

/** What a claim leaves in line: lanes and organisations that have enough, and what is more than a step of a lane. */
type PassedOver = Required<Pick<Claim, 'except' | 'except_organisations'>> & Pick<Claim, 'per_lane'>

/** What a worker has in hand, counted by lane and organisation: fairness between them is decided here. */
export type InHand = {
  readonly total: number
  count(place: Place, step: 1 | -1): void
  /** What the next claim is to leave alone. */
  passedOver(): PassedOver
  /** A claim that found less than it might have has left nothing, but in lanes that it passed over or cut short. */
  noteEmpty(jobs: readonly Job[], passed_over: PassedOver): void
  /** Counts a job that is to come; false when there is no room, or when jobs of its lane wait that came before. */
  reserve(place: Place): boolean
}

export function makeLaneCapacity({ limit, lanes }: Pick<WorkerOptions, 'limit' | 'lanes'>): InHand {
  const by_lane = new Map<string, number>()
  const by_organisation = new Map<string, number>()
  /** Lanes of which something waits, as far as is known; before the first claim, of all. */
  const behind = new Map<string, Place>()
  let looked = false
  let total = 0

  function count({ lane, organisation_id }: Place, step: 1 | -1): void {
    total += step
    add(by_lane, lane, step)
    if (lanes?.many_per_organisation) add(by_organisation, organisation_id, step)
  }

  function hasShare(organisation_id: string): boolean {
    if (!lanes?.many_per_organisation) return true
    return (by_organisation.get(organisation_id) ?? 0) < limit - total
  }

  function passedOver(): PassedOver {
    if (!lanes) return { except: [], except_organisations: [], per_lane: undefined }
    const busy = [...by_lane].filter(([lane, counted]) => counted >= lanes.limit(lane))
    return {
      except: busy.map(([lane]) => lane),
      except_organisations: [...by_organisation.keys()].filter((id) => !hasShare(id)),
      per_lane: lanes.step,
    }
  }

  function noteEmpty(jobs: readonly Job[], { except, except_organisations, per_lane = Infinity }: PassedOver): void {
    looked = true
    const found = new Map<string, number>()
    for (const { lane } of jobs) found.set(lane, (found.get(lane) ?? 0) + 1)
    const busy_lanes = new Set(except)
    const busy_organisations = new Set(except_organisations)
    for (const { lane, organisation_id } of behind.values()) {
      if (busy_lanes.has(lane) || busy_organisations.has(organisation_id)) continue
      if ((found.get(lane) ?? 0) < per_lane) behind.delete(lane)
    }
  }

  function reserve(place: Place): boolean {
    const { lane, organisation_id } = place
    if (!looked || behind.has(lane)) return false
    const lane_limit = lanes?.limit(lane) ?? limit
    const free = total < limit && (by_lane.get(lane) ?? 0) < lane_limit && hasShare(organisation_id)
    if (free) count(place, 1)
    else behind.set(lane, { lane, organisation_id })
    return free
  }

  return {
    get total() {
      return total
    },
    count,
    passedOver,
    noteEmpty,
    reserve,
  }
}

function add(counts: Map<string, number>, key: string, step: 1 | -1): void {
  const left = (counts.get(key) ?? 0) + step
  if (left > 0) counts.set(key, left)
  else counts.delete(key)
}
