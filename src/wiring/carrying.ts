import { isDeepStrictEqual } from 'node:util'
import type { MessageCarrier } from '../carriers/message-carrier.ts'
import type { Chooser } from '../choice/choice.ts'
import { carriersOfKind, startCarrier, type CarrierDeps, type CarrierSettings } from '../carriers/kinds.ts'
import { makeRefusingCarrier, REFUSING_ROUTES } from '../messaging/dispatch/refusing-carrier.ts'
import type { DispatchDeps } from '../messaging/dispatch/retry-worker.ts'
import { TEST_ROUTE } from '../messaging/dispatch/queues.ts'
import { startRoute, type Route, type StartedRoute } from '../messaging/dispatch/route.ts'
import type { Submitter } from '../messaging/dispatch/submitter.ts'
import type { Routable } from '../messaging/dispatch/target.ts'
import { carriersOf, type RouteSettings } from '../messaging/settings.ts'
import { traceCarrier } from '../messaging/trace.ts'
import type { Tracer } from '../observe/trace/tracer.ts'
import { refuseTried, type IdRange } from './refuse-tried.ts'
import { waitAtMost } from '../values/concurrency/wait-at-most.ts'
import { asError } from '../values/thrown.ts'

/** The carrier of test organisations where no simulator is configured. */
const TEST_SIMULATOR = { kind: 'simulator' as const, name: TEST_ROUTE, report_delay_ms: 300 }
/** Longer than any carrier takes for an answer: what is still in flight then is `unknown`, as at a stop. */
const DRAIN_MS = 90_000

export type CarryingSettings = { carriers: readonly CarrierSettings[]; routes: readonly RouteSettings[] }
/** Of the carriers of this process. */
export type CarrierChanges = { started: string[]; stopped: string[]; restarted: string[]; faults: string[] }

export type Carrying = {
  /** A carrier that runs in this process. */
  find(name: string): MessageCarrier | undefined
  /** The queue of the carrier for a second message on this route, after the one that had the first; undefined: any. */
  queueAfter(route: string, second: Routable): string | undefined
  /** Restarts what differs from the running settings, after it has drained; all else keeps running. */
  reload(settings: CarryingSettings): Promise<CarrierChanges>
  stop(): Promise<void>
}

type Deps = CarrierDeps &
  DispatchDeps & {
    tracer: Tracer | undefined
    pauses: Route['pauses']
    /** Messages that were accepted in the sandbox, which has ended. */
    sandbox_ids: IdRange | undefined
    submitters: Map<string, readonly Submitter[]>
    /** Undefined: the route has an order. */
    chooserOf: (route: Partial<RouteSettings>, carriers: readonly string[]) => Chooser | undefined
  }
type RunningRoute = { settings: object; uses: readonly string[]; started: StartedRoute }

/** Starts the carriers of this process and the routes that submit to them. */
export function startCarrying(deps: Deps, first: CarryingSettings): Carrying {
  const carriers = new Map<string, { settings: CarrierSettings; carrier: MessageCarrier }>()
  const routes = new Map<string, RunningRoute>()
  const refusing = REFUSING_ROUTES.map((name) => startOne({ name, carriers: [makeRefusingCarrier(name)] }))

  function startOne(route: Parameters<typeof startRoute>[1]): ReturnType<typeof startRoute> {
    const { tracer } = deps
    const own = tracer ? route.carriers.map((carrier) => traceCarrier(tracer, carrier)) : route.carriers
    const started = startRoute(deps, { ...route, carriers: own })
    deps.submitters.set(started.name, started.submitters)
    return started
  }

  function startOwn(wanted: CarrierSettings): MessageCarrier {
    const carrier = startCarrier(deps, wanted)
    return deps.sandbox_ids && wanted.kind !== 'simulator' ? refuseTried(carrier, deps.sandbox_ids) : carrier
  }

  /** Starts what is wanted and not running. A carrier that does not start keeps its former settings, if it had any. */
  function startMissing(
    settings: CarryingSettings,
    former: ReadonlyMap<string, CarrierSettings>,
    onFault: (carrier: string, fault: unknown) => void,
  ): void {
    for (const [name, wanted] of carriersByName(settings)) {
      if (carriers.has(name)) continue
      try {
        carriers.set(name, { settings: wanted, carrier: startOwn(wanted) })
      } catch (fault) {
        const before = former.get(name)
        onFault(name, fault)
        if (before) carriers.set(name, { settings: before, carrier: startOwn(before) })
      }
    }
    for (const [name, { route, uses }] of routesByName(settings)) {
      if (routes.has(name)) continue
      const own = uses.flatMap((carrier) => carriers.get(carrier)?.carrier ?? [])
      const chooser = deps.chooserOf(
        route,
        own.map((carrier) => carrier.name),
      )
      const started = startOne({ ...route, name, pauses: deps.pauses, carriers: own, chooser })
      routes.set(name, { settings: route, uses, started })
    }
  }

  /** Stops the routes first, so that the answers of what is in flight are recorded, and then their carriers. */
  async function stopChanged(settings: CarryingSettings): Promise<Map<string, CarrierSettings>> {
    const wanted = { carriers: carriersByName(settings), routes: routesByName(settings) }
    const changed = [...carriers].filter(
      ([name, { settings: own }]) => !isDeepStrictEqual(own, wanted.carriers.get(name)),
    )
    const stopping = new Set(changed.map(([name]) => name))
    const ended = [...routes].filter(([name, { settings: own, uses }]) => {
      const next = wanted.routes.get(name)
      return (
        !isDeepStrictEqual(own, next?.route) ||
        !isDeepStrictEqual(uses, next?.uses) ||
        uses.some((one) => stopping.has(one))
      )
    })
    for (const [name] of ended) deps.submitters.delete(name)
    await waitAtMost(DRAIN_MS, Promise.all(ended.map(([, { started }]) => started.stop())))
    await Promise.all(changed.map(([, { carrier }]) => carrier.stop()))
    for (const [name] of ended) routes.delete(name)
    for (const [name] of changed) carriers.delete(name)
    return new Map(changed.map(([name, { settings: own }]) => [name, own]))
  }

  startMissing(first, new Map(), (_, fault) => {
    throw fault // it keeps the service from starting
  })
  return {
    find: (name) => carriers.get(name)?.carrier,
    queueAfter: (route, second) => routes.get(route)?.started.queueAfter(second),
    async reload(settings) {
      const before = new Set(carriers.keys())
      const former = await stopChanged(settings)
      const faults: string[] = []
      startMissing(settings, former, (name, fault) => {
        faults.push(`carriers: ${name} cannot be started (${asError(fault).message})`)
      })
      return {
        started: [...carriers.keys()].filter((name) => !before.has(name)),
        stopped: [...before].filter((name) => !carriers.has(name)),
        restarted: [...former.keys()].filter((name) => carriers.has(name)),
        faults,
      }
    },
    async stop() {
      const started = [...routes.values()].map((route) => route.started)
      const running = [...refusing, ...started, ...[...carriers.values()].map(({ carrier }) => carrier)]
      await Promise.all(running.map((one) => one.stop()))
    },
  }
}

/** There is always a simulator, for test organisations. */
function carriersByName({ carriers }: CarryingSettings): Map<string, CarrierSettings> {
  const simulator = carriersOfKind(carriers, 'simulator')[0] ?? TEST_SIMULATOR
  return new Map([simulator, ...carriers].map((one) => [one.name, one]))
}

function routesByName(settings: CarryingSettings) {
  const simulator = carriersOfKind(settings.carriers, 'simulator')[0] ?? TEST_SIMULATOR
  const own = settings.routes.map((route): [string, { route: Partial<RouteSettings>; uses: readonly string[] }] => [
    route.name,
    { route, uses: carriersOf(route) },
  ])
  return new Map([...own, [TEST_ROUTE, { route: {}, uses: [simulator.name] }]])
}
