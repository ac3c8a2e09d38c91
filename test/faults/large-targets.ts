import { person } from '../support/person.ts'
import { readOperations } from '../support/openapi.ts'
import { consoleRoutes } from './console-routes.ts'
import type { Place } from './isolation-fixtures.ts'
import { largeRequests, type Large } from './large.ts'
import { largeCsv } from './large-forms.ts'
import { consoleIds, goodBodies, goodConsoleBodies, THINGS } from './leaves-fixtures.ts'

/** One route, with its requests. */
export type Target = {
  name: string
  method: string
  headers: Record<string, string>
  /** Headers that depend on the body. */
  sign?: (body: string) => Record<string, string>
  /** Without the headers it responds with 401. */
  needs_key?: boolean
  /** It calls an external service that does not exist: 503. */
  may_be_away?: boolean
  line: Large[]
  sent: number
}

const MIB = 1_048_576
/** Bodies of these may be longer than a megabyte. */
const BODY_LIMITS: Record<string, number> = {
  'POST /sms/send': 8 * MIB,
  'POST /sms/estimate': 8 * MIB,
  'POST /lists/contact/rows/bulk': 8 * MIB,
  'POST /lists/contact/imports': 8 * MIB,
  'POST /campaigns/{id}/recipients': 8 * MIB,
}

/** Every operation of the API description, and the two that accept files. */
export async function apiTargets(place: Place): Promise<Target[]> {
  const good = await goodBodies(place)
  const headers = { authorization: place.owner.key }
  const targets: Target[] = []
  for (const { name, method, path, parameters, body, needs_key } of readOperations()) {
    const id = path.includes('{') ? ((await THINGS[path]?.(place)) ?? 'x') : ''
    const filled = path.replace(/\{\w+\}/, `${id}¶`)
    const limit = BODY_LIMITS[name] ?? MIB
    const line = largeRequests(filled, parameters, good[name] ?? [], body['application/json'], limit)
    if ('text/csv' in body) line.push(...largeCsv(filled.replace('¶', ''), limit))
    targets.push({ name, method, headers, needs_key, line: orAnything(line, method, filled), sent: 0 })
  }
  return targets
}

/** An operation without a body gets one nevertheless. */
function orAnything(line: Large[], method: string, path: string): Large[] {
  if (line.length > 0) return line
  return largeRequests(path, [ANYTHING], method === 'GET' ? [] : [{}], undefined, MIB)
}

const ANYTHING = { name: 'anything', in: 'query' as const, required: false, schema: {} }

/** Pages, files and redirects, which have only an address. */
export function pageTargets(paths: readonly string[]): Target[] {
  return paths.map((path) => {
    const line = [
      ...largeRequests(path, [ANYTHING], [], undefined, MIB),
      ...['a', '%2e', '%2f', '/'].map((text) => ({ input: `path of ${text}`, path: path + text.repeat(4_000) })),
    ]
    return { name: `GET ${path}`, method: 'GET', headers: {}, line, sent: 0 }
  })
}

export async function consoleTargets(place: Place): Promise<Target[]> {
  const { service, owner } = place
  const good = await goodConsoleBodies(place)
  const ids = await consoleIds(place)
  const operator = await person(service, null, owner.id)
  const targets: Target[] = []
  for (const { method, path, parameters, body } of await consoleRoutes()) {
    const name = `${method} ${path}`
    if (path === '/console/api/events') continue // Never ends.
    // Changing the password, or signing out, ends the session.
    const ends = /\/me\/(password|totp)|\/logout|\/session/.test(path)
    const { cookie, csrf } = ends ? await person(service, null, owner.id) : operator
    const headers = { cookie, 'x-csrf-token': csrf, 'x-organisation-id': owner.id }
    const filled = path.replace(/:\w+/, () => `${ids[path] ?? 'x'}¶`).replace(/:\w+/g, 'x')
    const line = largeRequests(filled, parameters, good[name] ?? [], body, MIB)
    targets.push({ name, method, headers, line: orAnything(line, method, filled), sent: 0 })
  }
  return targets
}
