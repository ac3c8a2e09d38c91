import { makeBoundedCache } from '../../values/concurrency/bounded-cache.ts'
import type { LaneOf } from '../../queue/lane-capacity.ts'
import type { PostOutcome } from '../post/outcome.ts'

/** How many concurrent posts an endpoint (a lane) may have, adapted to its behaviour. */
export type ConcurrencyLimit = {
  /** Callbacks of the endpoint this process may lease: those being posted, and some that wait behind them. */
  limit: (lane: string) => number
  /** Waits for a permit of the endpoint; `release` passes it on. */
  acquire: (lane: LaneOf) => Promise<void>
  release: (lane: LaneOf) => void
  learn: (lane: string, delivered: boolean, outcome: PostOutcome) => void
}

const FIRST_LIMIT = 8
const MAX_LIMIT = 32
/** A failing endpoint gets one post at a time, so that a thousand failing ones leave capacity for the others. */
const MIN_LIMIT = 1
/** Callbacks leased per concurrent post; more for an endpoint with a high limit. */
const LEASED_PER_POST = 8
/** A slower response does not raise the limit. */
const PROMPT_MS = 1_000
/** Endpoints whose limit is remembered. */
const MAX_ENDPOINTS = 50_000
/** Concurrent posts of this process: each uses a socket. */
const MAX_POSTS = 2_048

type Endpoint = { lane: string; organisation: Organisation; posts: number; waiting: (() => void)[] }
/** `blocked`: endpoints below their own limit that wait for shared capacity. */
type Organisation = { id: string; posts: number; blocked: Set<Endpoint> }

/**
 * Shares the concurrent posts of this process by dynamic thresholds, as switches share a packet buffer: an endpoint may start
 * a post only while it has fewer posts than its organisation has capacity left, which is the free capacity minus the
 * organisation's own posts. So an organisation uses at most half of the capacity that the others leave, an endpoint at most a
 * third, and an organisation that was idle always finds capacity, even while the endpoints of others hang.
 */
export function makeConcurrencyLimit(max_posts: number = MAX_POSTS): ConcurrencyLimit {
  const limits = makeBoundedCache<string, number>(MAX_ENDPOINTS)
  const endpoints = new Map<string, Endpoint>()
  const organisations = new Map<string, Organisation>()
  const blocked = new Set<Organisation>()
  let posts = 0
  const limit = (lane: string): number => limits.get(lane) ?? FIRST_LIMIT
  const capacityOf = (organisation: Organisation): number => max_posts - posts - organisation.posts

  function startWaiting(endpoint: Endpoint): void {
    const { organisation, lane, waiting } = endpoint
    while (waiting.length > 0 && endpoint.posts < limit(lane)) {
      if (endpoint.posts >= capacityOf(organisation)) {
        organisation.blocked.add(endpoint)
        blocked.add(organisation)
        return
      }
      start(endpoint)
    }
    forgetIfIdle(endpoint)
  }

  function start(endpoint: Endpoint): void {
    posts += 1
    endpoint.organisation.posts += 1
    endpoint.posts += 1
    endpoint.waiting.shift()?.()
  }

  /** Capacity was released: one post each, round robin over the organisations and over the endpoints of each. */
  function startBlocked(): void {
    for (const organisation of blocked) {
      for (const endpoint of organisation.blocked) {
        if (capacityOf(organisation) <= 0) break
        if (endpoint.posts >= capacityOf(organisation)) continue
        organisation.blocked.delete(endpoint)
        if (endpoint.waiting.length === 0 || endpoint.posts >= limit(endpoint.lane)) continue
        start(endpoint)
        organisation.blocked.add(endpoint)
      }
      if (organisation.blocked.size === 0) blocked.delete(organisation)
    }
  }

  /** The endpoint is not blocked. */
  function forgetIfIdle(endpoint: Endpoint): void {
    const { lane, organisation } = endpoint
    organisation.blocked.delete(endpoint)
    if (organisation.blocked.size === 0) blocked.delete(organisation)
    if (endpoint.posts === 0 && endpoint.waiting.length === 0) endpoints.delete(lane)
    if (organisation.posts === 0 && organisation.blocked.size === 0) organisations.delete(organisation.id)
  }

  function endpointOf({ organisation_id: id, lane }: LaneOf): Endpoint {
    let endpoint = endpoints.get(lane)
    if (!endpoint) {
      const organisation = organisations.get(id) ?? { id, posts: 0, blocked: new Set() }
      organisations.set(id, organisation)
      endpoints.set(lane, (endpoint = { lane, organisation, posts: 0, waiting: [] }))
    }
    return endpoint
  }

  return {
    limit: (lane) => Math.max(LEASED_PER_POST, 2 * limit(lane)) * limit(lane),
    acquire: (lane) =>
      new Promise((resolve) => {
        const endpoint = endpointOf(lane)
        endpoint.waiting.push(resolve)
        startWaiting(endpoint)
      }),
    release({ lane }) {
      const endpoint = endpoints.get(lane)
      if (!endpoint) return
      posts -= 1
      endpoint.organisation.posts -= 1
      endpoint.posts -= 1
      // The endpoint's own next post has no precedence over blocked ones.
      if (blocked.size > 0) startBlocked()
      startWaiting(endpoint)
    },
    learn(lane, delivered, { duration_ms }) {
      if (!delivered) limits.set(lane, Math.max(MIN_LIMIT, Math.floor(limit(lane) / 2)))
      else if (duration_ms < PROMPT_MS) limits.set(lane, Math.min(MAX_LIMIT, limit(lane) + 1))
    },
  }
}
