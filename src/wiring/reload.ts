import { isDeepStrictEqual } from 'node:util'
import { needsRestart } from '../config/compare.ts'
import type { TemplateManager } from '../carriers/whatsapp/manage-templates.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import { rehomeRetries } from '../messaging/operate/rehome.ts'
import { carriersOf, type RouteSettings } from '../messaging/settings.ts'
import type { NumberKnowledge } from '../numbers/knowledge.ts'
import type { Log } from '../values/log.ts'
import type { CarrierChanges, Carrying } from './carrying.ts'
import { makeRouting, whatsappAccounts, type Routing } from './routing.ts'

/** What a reload has changed in this process, in the words of the configuration file. */
export type Reloaded = { applied: string[]; needs_restart: string[]; faults: string[] }
export type Reload = (next: Config) => Promise<Reloaded>

type Deps = {
  db: Db
  numbers: NumberKnowledge
  log: Log
  config: Config
  routing: Routing
  receiving: { reload(carriers: Config['settings']['carriers']): void }
  whatsapp_templates: Pick<TemplateManager, 'reload'>
  /** Undefined in a process without workers. */
  carrying: () => Carrying | undefined
}

/**
 * What new messages use is replaced immediately. Changed carriers drain first, one reload after the other: each applies the
 * configuration that is current when it begins, so changes that arrive meanwhile restart a carrier once.
 */
export function makeReload(deps: Deps): { reload: Reload; current: () => Config } {
  let running = deps.config
  let last: Promise<unknown> = Promise.resolve()

  async function reload(next: Config): Promise<Reloaded> {
    const needs_restart = needsRestart(running, next)
    // Much more than carriers depends on whether there are real ones.
    const { carriers, routes } = running.sandbox === next.sandbox ? next.settings : running.settings
    const settings = { ...running.settings, carriers, routes, prices: next.settings.prices }
    const keys = ['carriers', 'routes', 'prices'] as const
    const differs = keys.filter((key) => !isDeepStrictEqual(settings[key], running.settings[key]))
    const rerouted = routes.filter((route) => hasOtherCarriers(route, running.settings.routes))
    running = { ...running, settings, source: next.source }
    if (differs.length > 0) {
      // First what new messages use, so that none is accepted for a route that is being stopped.
      replaceRouting(deps, settings)
      deps.receiving.reload(carriers)
      deps.whatsapp_templates.reload(whatsappAccounts(settings))
    }
    const changes = await reloadCarriers()
    // By now no worker of this process fills the queues of former carriers.
    if (changes) await rehomeRetries(deps, rerouted)
    const applied = differs.map((key) => (key === 'carriers' && changes ? `carriers${describe(changes)}` : key))
    return { applied, needs_restart, faults: changes?.faults ?? [] }
  }

  function reloadCarriers(): Promise<CarrierChanges | undefined> {
    const own = carryAfter(last)
    last = own
    return own
  }

  async function carryAfter(before: Promise<unknown>): Promise<CarrierChanges | undefined> {
    await before.catch(() => {}) // its caller has the error
    return deps.carrying()?.reload(running.settings)
  }

  return { reload, current: () => running }
}

function hasOtherCarriers(route: RouteSettings, before: readonly RouteSettings[]): boolean {
  const former = before.find(({ name }) => name === route.name)
  return former !== undefined && !isDeepStrictEqual(carriersOf(former), carriersOf(route))
}

/** Others hold its objects, so they are replaced in place. Jobs may wait in the queues of routes that are gone. */
function replaceRouting({ db, numbers, config, routing }: Deps, settings: Config['settings']): void {
  const { whatsapp, installation, route_queues, ...next } = makeRouting({ db, numbers, config }, settings)
  Object.assign(routing, next)
  Object.assign(routing.whatsapp, whatsapp)
  Object.assign(routing.installation, installation)
  routing.route_queues.push(...route_queues.filter((queue) => !routing.route_queues.includes(queue)))
}

function describe({
  started,
  stopped,
  restarted,
}: {
  started: string[]
  stopped: string[]
  restarted: string[]
}): string {
  const parts = [
    ...started.map((name) => `${name} started`),
    ...stopped.map((name) => `${name} stopped`),
    ...restarted.map((name) => `${name} restarted`),
  ]
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}
