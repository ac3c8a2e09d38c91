import type { BindWithPdus } from '../../carriers/schema.ts'
import { listCarriers } from '../../carriers/smpp/carrier/list.ts'
import { listPauses } from '../../carriers/availability-store.ts'
import type { Db } from '../../db/connect.ts'
import type { Backlog } from '../../queue/depth-store.ts'
import { cached } from '../../values/concurrency/cached.ts'
import { present } from '../../values/record.ts'
import { bindHold } from './hold-reason.ts'
import { isInternal, routeOf, routeQueues } from './queues.ts'
import { measureRouteBacklogs } from './queue-depth.ts'
import { carriersOf, type RouteSettings } from '../settings.ts'
import { listOperatorPauses, type PauseRow } from '../pauses/store.ts'
import type { Hold, HoldReason } from '../read/schema.ts'

export type HoldSettings = {
  routes: readonly RouteSettings[]
  carriers: readonly { name: string; kind: string; rate_per_account?: number }[]
}

/** Normally a message is claimed and submitted well within this time. */
const LONG_S = 30

/** Counting a long backlog is expensive. */
const REMEMBERED_MS = 2_000

/** `readHolds`, cached for two seconds. */
export function makeReadHolds(deps: { db: Db }, settings: HoldSettings): () => Promise<Hold[]> {
  const read = cached(REMEMBERED_MS, () => readHolds(deps, settings))
  return () => read('')
}

/** Why messages are not being submitted, over all routes and processes. Empty if nothing is held. */
export async function readHolds({ db }: { db: Db }, { routes, carriers }: HoldSettings): Promise<Hold[]> {
  const queues = await measureRouteBacklogs(db)
  if (queues.length === 0) return []
  const [bound, pauses, own_pauses] = await Promise.all([listCarriers({ db }), listPauses(db), listOperatorPauses(db)])
  const binds = new Map(bound.map((one) => [one.carrier, one.binds]))
  const smpp = new Map(carriers.filter(({ kind }) => kind === 'smpp').map((one) => [one.name, one]))
  const lines = new Map(routes.flatMap(linesOf))

  return queues.flatMap((waiting): Hold[] => {
    const line = lines.get(waiting.queue)
    if (!line) return isInternal(routeOf(waiting.queue)) ? [] : [unrouted(waiting)]
    const { route, carrier } = line
    const known = { queue: waiting.queue, route: route.name, carrier }
    const route_pause = own_pauses.find(({ kind, name }) => kind === 'route' && name === route.name)
    if (route_pause) return held(known, waiting, byOperator(route_pause))
    const carrier_pause = own_pauses.find(({ kind, name }) => kind === 'carrier' && name === carrier)
    const pause = pauses.find((one) => one.carrier === carrier)
    const own = smpp.has(carrier) ? (binds.get(carrier) ?? []) : undefined
    const obstacle: Why | undefined = carrier_pause
      ? byOperator(carrier_pause)
      : pause
        ? { reason: 'paused', detail: `${pause.code} ${pause.reason}`.trim(), until: inSeconds(pause.for_s) }
        : own && bindHold(own, waiting.due, smpp.get(carrier)?.rate_per_account)
    const why = obstacle ?? routeRate(route, waiting) ?? tooLong(own, waiting)
    return [...held(known, waiting, why && withFailover(why, route, carrier)), ...refused(known, waiting, own)]
  })
}

type Known = Pick<Hold, 'queue' | 'route' | 'carrier'>
type Why = { reason: HoldReason; detail: string; until?: string | undefined }

function linesOf(route: RouteSettings): [string, { route: RouteSettings; carrier: string }][] {
  const names = carriersOf(route)
  return routeQueues(route.name, names).map((queue, n) => [queue, { route, carrier: names[n]! }])
}

function unrouted({ queue, due, leased, postponed, due_since }: Backlog): Hold {
  const [route = '', carrier] = routeOf(queue).split('>')
  const detail = 'the route and carrier are no longer configured'
  const count = due + leased + postponed
  return {
    queue,
    route,
    ...present('carrier', carrier),
    reason: 'no_route',
    detail,
    count,
    ...present('since', due_since),
  }
}

function byOperator({ kind, mode, reason, actor, until }: PauseRow): Why {
  return {
    reason: mode,
    detail: `the ${kind} is ${mode === 'paused' ? 'paused' : 'draining'} (${actor}): ${reason}`,
    ...present('until', until),
  }
}

function held(known: Known, { due, leased, due_since }: Backlog, why: Why | undefined): Hold[] {
  const count = due + leased
  if (!why || count === 0) return []
  const { reason, detail, until } = why
  return [{ ...known, reason, detail, count, ...present('since', due_since), ...present('until', until) }]
}

/** While a carrier is down for long, the route's later carriers replace it. */
function withFailover(why: Why, route: RouteSettings, carrier: string): Why {
  if (why.reason === 'throttled' || why.reason === 'rate' || why.reason === 'waiting') return why
  const names = carriersOf(route)
  const behind =
    route.choose === 'order' ? names.slice(names.indexOf(carrier) + 1) : names.filter((name) => name !== carrier)
  if (behind.length === 0) return why
  const after = why.reason === 'draining' ? '' : `after ${route.failover_after_s} s `
  return { ...why, detail: `${why.detail}; ${after}${behind.join(', ')} may replace it` }
}

function routeRate({ rate_per_s }: RouteSettings, { due }: Backlog): Why | undefined {
  if (rate_per_s === undefined || due === 0) return undefined
  return { reason: 'rate', detail: `the route takes ${rate_per_s} messages a second` }
}

function tooLong(binds: readonly BindWithPdus[] | undefined, { due, oldest_s }: Backlog): Why | undefined {
  if (due === 0 || oldest_s < LONG_S) return undefined
  const up = (binds ?? []).flatMap(({ state, figures }) => (state === 'bound' && figures ? [figures] : []))
  const flight = up.map(({ inflight, window }) => `${inflight} of ${window}`).join(', ')
  return { reason: 'waiting', detail: flight === '' ? 'other messages are submitted first' : `in flight: ${flight}` }
}

/** With the last error of the carrier, for SMPP. */
function refused(known: Known, { postponed, next_try }: Backlog, binds: readonly BindWithPdus[] | undefined): Hold[] {
  if (postponed === 0) return []
  const errors = (binds ?? []).flatMap(({ figures }) => figures?.last_error ?? [])
  const last = errors.sort((a, b) => b.at.localeCompare(a.at))[0]
  const detail = last ? `the carrier answered ${last.status}` : 'the carrier did not take them yet'
  return [{ ...known, reason: 'refused', detail, count: postponed, ...present('until', next_try) }]
}

function inSeconds(seconds: number): string | undefined {
  return Number.isFinite(seconds) ? new Date(Date.now() + 1_000 * seconds).toISOString() : undefined
}
