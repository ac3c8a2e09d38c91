import { exportMargins, readForExport, readMargins } from '../../../margins/read.ts'
import { MarginsQuery, MarginsReport } from '../../../margins/schema.ts'
import { Type } from '../../../values/schema/type.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'
import { RequestMeta } from '../../shapes.ts'

const MarginsAnswer = Type.Object({ ...MarginsReport.properties, meta: RequestMeta })

/** What the operator of the installation earns. */
export function marginRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/console/api/margins',
      who: 'operator',
      summary: 'Read revenue, cost and margin',
      query: MarginsQuery,
      answer: MarginsAnswer,
      adds_faults: true,
      compress: true,
      run: ({ query, shape_faults }) => readMargins(deps, query, shape_faults),
    }),

    route({
      method: 'GET',
      path: '/console/api/margins.csv',
      who: 'operator',
      summary: 'Download revenue, cost and margin as CSV',
      query: MarginsQuery,
      file: 'margins.csv',
      adds_faults: true,
      run: async ({ query, shape_faults }) => exportMargins(await readForExport(deps, query, shape_faults)),
    }),
  ]
}
