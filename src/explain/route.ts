import type { Channel } from '../carriers/message-carrier.ts'
import { TEST_ROUTE } from '../messaging/dispatch/queues.ts'
import { DND_ROUTE, OPTED_OUT_ROUTE, WINDOW_ROUTE } from '../messaging/dispatch/refusing-carrier.ts'
import type { RouteSettings } from '../messaging/settings.ts'
import type { Origin } from '../numbers/prefix-table.ts'
import { present } from '../values/record.ts'
import { shownTarget } from './price.ts'
import type { ExplainedRoute } from './schema.ts'

const INTERNAL = new Map<string, ExplainedRoute['result']>([
  [OPTED_OUT_ROUTE, 'opted_out'],
  [DND_ROUTE, 'dnd'],
  [WINDOW_ROUTE, 'window'],
  [TEST_ROUTE, 'test'],
])

/** Whether deliveries of this route are refused without a carrier. They are not priced. */
export function isRefusing(route: string): boolean {
  return INTERNAL.has(route) && route !== TEST_ROUTE
}

/** The route of a delivery, by the present configuration. Its former configuration is not stored. */
export function explainRoute(
  routes: readonly RouteSettings[],
  name: string,
  { number, originOf }: { number: string | undefined; originOf: (msisdn: string) => Origin },
): ExplainedRoute {
  const internal = INTERNAL.get(name)
  if (internal) return { result: internal }
  const route = routes.find((one) => one.name === name)
  if (!route) return { result: 'not_configured', name }
  const target = { ...shownTarget({ ...route, route_class: undefined }), ...present('route_class', classOf(route)) }
  if (route.number) return { result: 'number', name, ...target }
  if (number === undefined) return { result: 'erased', name, ...target }
  // The operator of a number may have changed since, so it says nothing.
  const { country } = originOf(number)
  const matches = number.startsWith(route.prefix) && (route.country ?? country) === country
  return { result: matches ? 'matched' : 'differs', name, ...target }
}

/** A route without a class is for both, since promotional messages take it where there is no other. */
function classOf(route: RouteSettings): 'promotional' | undefined {
  return route.class === 'promotional' ? route.class : undefined
}

/** On which channel a route sends; undefined: as the message says. */
export function channelOf(routes: readonly RouteSettings[], name: string): Channel | undefined {
  return routes.find((route) => route.name === name)?.channel
}
