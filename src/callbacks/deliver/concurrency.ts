import type { PostOutcome } from '../post/post.ts'

/** Whose turn it is: an endpoint is a lane, and an organisation may have any number of them. */
export type Turn = { organisation_id: string; lane: string }

/** How many posts an endpoint may have under way at once, by how it has behaved. */
export type ConcurrencyLimit = {
  /** Callbacks of the endpoint this process may have in hand: those under way and some that wait behind them. */
  limit: (lane: string) => number
  /** Waits for the endpoint's turn; `leave` gives the turn to the next. */
  enter: (turn: Turn) => Promise<void>
  leave: (turn: Turn) => void
  learn: (lane: string, delivered: boolean, outcome: PostOutcome) => void
}

const AT_FIRST = 8
const AT_MOST = 32
/** An endpoint that fails is tried one post at a time, so that a thousand dead ones still leave room for the living. */
const AT_LEAST = 1
/** Callbacks that wait in this process for each that is under way; an endpoint that takes many at once has more. */
const BEHIND_EACH = 8
/** An answer that took longer than this does not earn more posts at once. */
const PROMPT_MS = 1_000
/** Endpoints remembered; more than this and all start afresh. */
const REMEMBERED = 50_000
/** Posts under way in this process: each holds a socket. */
const IN_ALL = 2_048

type EndpointQueue = { lane: string; own: Organisation; under_way: number; waiting: (() => void)[] }
/** `held_up` are endpoints that may have another post by their own limit, but there is no room for it. */
type Organisation = { id: string; under_way: number; held_up: Set<EndpointQueue> }

/**
 * Fairness between organisations, and between the endpoints of one: nobody begins a post who has as many under way as
 * there is room left for. So an organisation takes at most half of what the others leave, an endpoint a third of what
 * its organisation has left, and whoever comes new finds room, though endpoints of others hang (this is known as the
 * dynamic threshold of a shared buffer).
 */
export function makeConcurrencyLimit(in_all: number = IN_ALL): ConcurrencyLimit {
  const limits = new Map<string, number>()
  const endpoints = new Map<string, EndpointQueue>()
  const organisations = new Map<string, Organisation>()
  const held_up = new Set<Organisation>()
  let under_way = 0
  const limit = (lane: string): number => limits.get(lane) ?? AT_FIRST
  const roomOf = (own: Organisation): number => in_all - under_way - own.under_way

  function serve(endpoint: EndpointQueue): void {
    const { own, lane, waiting } = endpoint
    while (waiting.length > 0 && endpoint.under_way < limit(lane)) {
      if (endpoint.under_way >= roomOf(own)) {
        own.held_up.add(endpoint)
        held_up.add(own)
        return
      }
      begin(endpoint)
    }
    forget(endpoint)
  }

  function begin(endpoint: EndpointQueue): void {
    under_way += 1
    endpoint.own.under_way += 1
    endpoint.under_way += 1
    endpoint.waiting.shift()?.()
  }

  /** Room has been made: one post each, the organisations in turn and the endpoints of each in turn. */
  function serveHeldUp(): void {
    for (const own of held_up) {
      for (const endpoint of own.held_up) {
        if (roomOf(own) <= 0) break
        if (endpoint.under_way >= roomOf(own)) continue
        own.held_up.delete(endpoint)
        if (endpoint.waiting.length === 0 || endpoint.under_way >= limit(endpoint.lane)) continue
        begin(endpoint)
        own.held_up.add(endpoint)
      }
      if (own.held_up.size === 0) held_up.delete(own)
    }
  }

  /** It is not held up, and may be over; so may be all of its organisation. */
  function forget(endpoint: EndpointQueue): void {
    const { lane, own } = endpoint
    own.held_up.delete(endpoint)
    if (own.held_up.size === 0) held_up.delete(own)
    if (endpoint.under_way === 0 && endpoint.waiting.length === 0) endpoints.delete(lane)
    if (own.under_way === 0 && own.held_up.size === 0) organisations.delete(own.id)
  }

  function endpointOf({ organisation_id: id, lane }: Turn): EndpointQueue {
    let endpoint = endpoints.get(lane)
    if (!endpoint) {
      const own = organisations.get(id) ?? { id, under_way: 0, held_up: new Set() }
      organisations.set(id, own)
      endpoints.set(lane, (endpoint = { lane, own, under_way: 0, waiting: [] }))
    }
    return endpoint
  }

  return {
    limit: (lane) => Math.max(BEHIND_EACH, 2 * limit(lane)) * limit(lane),
    enter: (turn) =>
      new Promise((resolve) => {
        const endpoint = endpointOf(turn)
        endpoint.waiting.push(resolve)
        serve(endpoint)
      }),
    leave({ lane }) {
      const endpoint = endpoints.get(lane)
      if (!endpoint) return
      under_way -= 1
      endpoint.own.under_way -= 1
      endpoint.under_way -= 1
      // Its own next post has no better claim to the room than those of others that wait for it.
      if (held_up.size > 0) serveHeldUp()
      serve(endpoint)
    },
    learn(lane, delivered, { duration_ms }) {
      if (limits.size > REMEMBERED) limits.clear()
      if (!delivered) limits.set(lane, Math.max(AT_LEAST, Math.floor(limit(lane) / 2)))
      else if (duration_ms < PROMPT_MS) limits.set(lane, Math.min(AT_MOST, limit(lane) + 1))
    },
  }
}
