import { changePlan, createPlan, findPlans, removePlan } from '../../../probes/manage.ts'
import { exportProbes, findProbe, findProbes } from '../../../probes/read.ts'
import {
  PlanBody,
  PlanChange,
  PlanList,
  PlanParams,
  ProbeFilter,
  ProbePage,
  ProbeQuery,
  ShownPlan,
  ShownProbe,
} from '../../../probes/schema.ts'
import { runPlan } from '../../../probes/send.ts'
import { Type } from '../../../values/schema/type.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'
import { actorOf } from '../../route/visitor.ts'
import { RequestMeta } from '../../shapes.ts'

const PATH = '/console/api/probes'
const PlansAnswer = Type.Object({ ...PlanList.properties, meta: RequestMeta })
const PlanAnswer = Type.Object({ plan: ShownPlan, meta: RequestMeta })
const ProbeAnswer = Type.Object({ probe: ShownProbe, meta: RequestMeta })

/** Plans of probes, and what became of them. */
export function probeRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      who: 'operator',
      summary: 'List plans of probes, with their expected cost',
      answer: PlansAnswer,
      run: () => findPlans(deps),
    }),

    route({
      method: 'POST',
      path: PATH,
      who: 'operator',
      summary: 'Create a plan of probes, switched off',
      body: PlanBody,
      answer: PlanAnswer,
      adds_faults: true,
      run: async (request) => ({
        plan: await createPlan(deps, actorOf(request), request.body, request.shape_faults),
      }),
    }),

    route({
      method: 'PATCH',
      path: `${PATH}/:name`,
      who: 'operator',
      summary: 'Change a plan of probes, or switch it on or off',
      params: PlanParams,
      body: PlanChange,
      answer: PlanAnswer,
      adds_faults: true,
      run: async (request) => {
        const { name } = request.params
        return { plan: await changePlan(deps, actorOf(request), name, request.body, request.shape_faults) }
      },
    }),

    route({
      method: 'DELETE',
      path: `${PATH}/:name`,
      who: 'operator',
      summary: 'Delete a plan of probes; its results stay',
      params: PlanParams,
      run: (request) => removePlan(deps, actorOf(request), request.params.name),
    }),

    route({
      method: 'POST',
      path: `${PATH}/:name/run`,
      who: 'operator',
      summary: 'Send one probe of a plan now',
      params: PlanParams,
      answer: ProbeAnswer,
      run: async (request) => ({
        probe: await findProbe(deps, await runPlan(deps, actorOf(request), request.params.name)),
      }),
    }),

    route({
      method: 'GET',
      path: '/console/api/probe-results',
      who: 'operator',
      summary: 'List probes with what became of them',
      query: ProbeQuery,
      answer: ProbePage,
      compress: true,
      run: ({ query }) => findProbes(deps, query),
    }),

    route({
      method: 'GET',
      path: '/console/api/probe-results.csv',
      who: 'operator',
      summary: 'Download probes as CSV, with hashed numbers',
      query: ProbeFilter,
      file: 'probes.csv',
      run: ({ query }) => exportProbes(deps, query),
    }),
  ]
}
