import { block, findBlocked, unblock } from '../../blocklist/manage.ts'
import { BlockBody, BlockedPage } from '../../blocklist/schema.ts'
import { PageQuery } from '../../values/page.ts'
import { dialPlan } from '../../values/phone/phone.ts'
import { Type } from '../../values/schema/type.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { actorOf } from '../route/visitor.ts'
import { BlockedAnswer } from './operator/schema.ts'

const PATH = '/console/api/blocklist'

/** The block list of the installation. */
export function blocklistRoutes(deps: HttpDeps): Route[] {
  const plan = () => dialPlan(deps.country)
  return [
    route({
      method: 'GET',
      path: PATH,
      who: 'operator',
      summary: 'List blocked numbers and prefixes',
      answer: BlockedPage,
      query: Type.Object({ ...PageQuery.properties, search: Type.Optional(Type.String({ maxLength: 30 })) }),
      compress: true,
      run: ({ query }) => findBlocked(deps, query),
    }),

    route({
      method: 'POST',
      path: PATH,
      who: 'operator',
      summary: 'Block numbers and prefixes',
      answer: BlockedAnswer,
      body: BlockBody,
      run: async (request) => {
        const { entries, reason, until } = request.body
        const given = entries.map((entry, n) => ({ entry, reason, until, field: `entries[${n}]` }))
        return block(deps, actorOf(request), plan(), given)
      },
    }),

    route({
      method: 'DELETE',
      path: `${PATH}/:entry`,
      who: 'operator',
      summary: 'Unblock a number or prefix',
      params: Type.Object({ entry: Type.String({ maxLength: 60 }) }),
      run: async (request) => unblock(deps, actorOf(request), plan(), [request.params.entry]),
    }),
  ]
}
