import { carriersOf } from '../../../messaging/settings.ts'
import { assignCosts, findCostAssignments } from '../../../prices/assign-costs.ts'
import { CarrierParams, CostAssignmentBody } from '../../../prices/schema.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'
import { actorOf } from '../../route/visitor.ts'
import { CostAssignmentsAnswer } from './schema.ts'

const PATH = '/console/api/cost-assignments'

/** Which carrier has which cost list. The lists themselves are price lists of another kind. */
export function costRoutes(deps: HttpDeps): Route[] {
  const { currency } = deps
  const answer = async () => {
    const routes = deps.installation.routes.map((one) => ({ name: one.name, carriers: carriersOf(one) }))
    return { assignments: await findCostAssignments(deps, routes), currency }
  }
  return [
    route({
      method: 'GET',
      path: PATH,
      who: 'operator',
      summary: 'List the cost lists of carriers',
      answer: CostAssignmentsAnswer,
      run: answer,
    }),

    route({
      method: 'POST',
      path: `${PATH}/:carrier`,
      who: 'operator',
      summary: 'Assign a cost list to a carrier',
      params: CarrierParams,
      body: CostAssignmentBody,
      answer: CostAssignmentsAnswer,
      run: async (request) => {
        await assignCosts(deps, actorOf(request), request.params.carrier, request.body)
        return answer()
      },
    }),
  ]
}
