import type { FastifyRequest } from 'fastify'
import { Type } from '../../../values/schema/type.ts'
import { askErasure, findErasures, readErasure } from '../../../people/erase.ts'
import { makeExportLimit } from '../../../people/export-limit.ts'
import { exportPerson } from '../../../people/export.ts'
import { ErasurePage, ErasureQuery, PersonBody, PersonExport } from '../../../people/schema.ts'
import type { HttpDeps } from '../../deps.ts'
import { ErasureAnswer } from '../../schema.ts'
import { route, type Route } from '../../route/route.ts'

const tag = 'People'
const area = 'people'

/** Data of one person. It spans all capabilities, so a key needs all scopes. */
export function peopleRoutes(deps: HttpDeps): Route[] {
  const limitExports = makeExportLimit()
  return [
    route({
      method: 'POST',
      path: '/people/export',
      operation: 'people.export',
      scope: 'all',
      area,
      summary: 'Export the data of a number',
      description:
        'As JSON, table by table, for a person who requests their data (right of access). A POST, so that the number is in no URL and no log. Records about several people contain only the part about this one. The export scans all your data, so only one runs at a time: 429 while another is being written.',
      tag,
      body: PersonBody,
      answer: PersonExport,
      file: 'person.json',
      errors: [400, 413, 415, 429],
      run: ({ caller, body }) => limitExports(caller.organisation_id, () => exportPerson(deps, caller, body.phone)),
    }),

    route({
      method: 'POST',
      path: '/people/erasures',
      operation: 'people.erasures.create',
      scope: 'all',
      area,
      summary: 'Erase a number',
      description:
        'Erases the number and the texts sent to and received from it, everywhere (right to erasure). Pending messages are canceled and refunded; money, counters and states stay, under a keyed hash in place of the number; an opt-out stays in force. Runs in the background, continues after a restart, and ends with a receipt: read it until its `status` is `done`. A second request while it runs returns the same erasure. It cannot be undone.',
      tag,
      body: PersonBody,
      answer: ErasureAnswer,
      errors: [400, 413, 415],
      run: (request) => askErasure(deps, request.caller, request.body.phone, askedBy(request)),
    }),

    route({
      method: 'GET',
      path: '/people/erasures',
      operation: 'people.erasures.list',
      scope: 'all',
      area,
      summary: 'List erasures',
      description: 'Newest first. Receipts are kept, and contain no personal data.',
      tag,
      query: ErasureQuery,
      answer: ErasurePage,
      errors: [400],
      compress: true,
      run: ({ caller, query }) => findErasures(deps, caller.organisation_id, query),
    }),

    route({
      method: 'GET',
      path: '/people/erasures/:id',
      operation: 'people.erasures.get',
      scope: 'all',
      area,
      summary: 'Read the receipt of an erasure',
      description: 'The rows found by table, who requested it and when it ended.',
      tag,
      params: Type.Object({ id: Type.String({ description: 'The erasure.' }) }),
      answer: ErasureAnswer,
      errors: [404],
      run: ({ caller, params }) => readErasure(deps, caller.organisation_id, params.id),
    }),
  ]
}

function askedBy({ visitor, caller }: FastifyRequest): string {
  return visitor?.email ?? `key ${caller?.key_id ?? 'unknown'}`
}
