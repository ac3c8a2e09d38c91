import { isOneOf, Type } from '../../values/schema/type.ts'
import { findNetwork } from '../../airtime/find-network.ts'
import { NETWORKS } from '../../carriers/topup-carrier.ts'
import { cleanPhone, dialPlan } from '../../values/phone/phone.ts'
import { present } from '../../values/record.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { RequestMeta } from '../shapes.ts'

const NetworkQuery = Type.Object({ phone: Type.String({ maxLength: 60 }) })
const NetworkAnswer = Type.Object({
  /** Absent while the number is not complete or its network is not known. */
  network: Type.Optional(isOneOf(NETWORKS)),
  meta: RequestMeta,
})

export function airtimeConsoleRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/console/api/airtime/network',
      who: 'organisation',
      area: 'airtime',
      summary: 'Read the network of a number',
      query: NetworkQuery,
      answer: NetworkAnswer,
      run: async ({ caller, query }) => {
        const recipient = cleanPhone(query.phone, dialPlan(caller.default_country))
        if (recipient === undefined) return {}
        return present('network', await findNetwork(deps.lookupOf(caller), recipient))
      },
    }),
  ]
}
