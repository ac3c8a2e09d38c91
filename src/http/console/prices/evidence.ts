import { reportHonesty } from '../../../evidence/honesty.ts'
import { readEvidence } from '../../../evidence/read.ts'
import { EvidenceQuery, EvidenceReport, HonestyQuery, HonestyReport } from '../../../evidence/schema.ts'
import { Type } from '../../../values/schema/type.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'
import { RequestMeta } from '../../shapes.ts'

const EvidenceAnswer = Type.Object({ ...EvidenceReport.properties, meta: RequestMeta })

const HonestyAnswer = Type.Object({ ...HonestyReport.properties, meta: RequestMeta })

/** What became of the messages that carriers were given. */
export function evidenceRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/console/api/evidence',
      who: 'operator',
      summary: 'Read what became of messages, by carrier and operator',
      query: EvidenceQuery,
      answer: EvidenceAnswer,
      adds_faults: true,
      compress: true,
      run: ({ query, shape_faults }) => readEvidence(deps, query, shape_faults),
    }),
    route({
      method: 'GET',
      path: '/console/api/evidence/honesty',
      who: 'operator',
      summary: 'Read whether the reports of carriers are true',
      query: HonestyQuery,
      answer: HonestyAnswer,
      adds_faults: true,
      compress: true,
      run: ({ query, shape_faults }) => reportHonesty(deps, query, shape_faults),
    }),
  ]
}
