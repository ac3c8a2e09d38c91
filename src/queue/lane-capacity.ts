import type { Claim, Job } from './store.ts'

/** The lane of a job, and the organisation it belongs to. */
export type LaneOf = { organisation_id: string; lane: string }

export type LaneLimits = {
  /** Maximum number of jobs of this lane in flight. */
  limit: (lane: string) => number
  /** Jobs of one lane that one claim may take. */
  step: number
  /**
   * An organisation may have any number of lanes. Over all of them it may use at most as much capacity as is left for
   * others: at most half of the limit, and an organisation that was idle always finds capacity.
   */
  many_per_organisation?: boolean
}

/** What a claim skips: lanes and organisations at their limit, and more than one step of a lane. */
type Excluded = Required<Pick<Claim, 'except' | 'except_organisations'>> & Pick<Claim, 'per_lane'>

/** The jobs of a worker in flight, by lane and organisation: decides fairness between them. */
export type LaneCapacity = {
  readonly in_flight: number
  count(lane: LaneOf, step: 1 | -1): void
  /** How much of the free capacity one claim may use. */
  claimable(free: number): number
  /** What the next claim is to skip. */
  excluded(): Excluded
  /** After a claim that found less than its limit: nothing is queued, except in lanes that it skipped or cut short. */
  noteClaimed(jobs: readonly Job[], excluded: Excluded): void
  /** Counts a job that is about to be stored; false without capacity, or if earlier jobs of its lane are queued. */
  reserve(lane: LaneOf): boolean
}

export function makeLaneCapacity({ limit, lanes }: { limit: number; lanes?: LaneLimits }): LaneCapacity {
  const by_lane = new Map<string, number>()
  const by_organisation = new Map<string, number>()
  /** Lanes that may have queued jobs; before the first claim every lane may. */
  const queued = new Map<string, LaneOf>()
  let has_claimed = false
  let in_flight = 0

  function count({ lane, organisation_id }: LaneOf, step: 1 | -1): void {
    in_flight += step
    add(by_lane, lane, step)
    if (lanes?.many_per_organisation) add(by_organisation, organisation_id, step)
  }

  function hasShare(organisation_id: string): boolean {
    if (!lanes?.many_per_organisation) return true
    return (by_organisation.get(organisation_id) ?? 0) < limit - in_flight
  }

  return {
    get in_flight() {
      return in_flight
    },
    count,
    // Half of it where organisations share, so that a single claim cannot use up everything.
    claimable: (free) => (lanes?.many_per_organisation ? Math.ceil(free / 2) : free),
    excluded() {
      if (!lanes) return { except: [], except_organisations: [], per_lane: undefined }
      const busy = [...by_lane].filter(([lane, counted]) => counted >= lanes.limit(lane))
      return {
        except: busy.map(([lane]) => lane),
        except_organisations: [...by_organisation.keys()].filter((id) => !hasShare(id)),
        per_lane: lanes.step,
      }
    },
    noteClaimed(jobs, { except, except_organisations, per_lane = Infinity }) {
      has_claimed = true
      const found = new Map<string, number>()
      for (const { lane } of jobs) add(found, lane, 1)
      const busy_lanes = new Set(except)
      const busy_organisations = new Set(except_organisations)
      for (const { lane, organisation_id } of queued.values()) {
        if (busy_lanes.has(lane) || busy_organisations.has(organisation_id)) continue
        if ((found.get(lane) ?? 0) < per_lane) queued.delete(lane)
      }
    },
    reserve(one) {
      const { lane, organisation_id } = one
      if (!has_claimed || queued.has(lane)) return false
      const lane_limit = lanes?.limit(lane) ?? limit
      const is_free = in_flight < limit && (by_lane.get(lane) ?? 0) < lane_limit && hasShare(organisation_id)
      if (is_free) count(one, 1)
      else queued.set(lane, { lane, organisation_id })
      return is_free
    },
  }
}

function add(counts: Map<string, number>, key: string, step: 1 | -1): void {
  const left = (counts.get(key) ?? 0) + step
  if (left > 0) counts.set(key, left)
  else counts.delete(key)
}
