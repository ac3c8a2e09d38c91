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
      summary: 'Export what is kept about a number',
      description:
        'As JSON, table by table, for the person who asks what you know about them (the right of access). A POST, so that the number stands in no address and no log. What waits or was kept for several people shows only the part about this one. Everything you have is looked through, so there is one at a time: 429 while another is being written.',
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
        'Everywhere: the number and the texts sent to it and received from it (the right to erasure). Messages that wait are canceled and refunded; money, counters and states stay, under a keyed hash in place of the number; an opt-out stays in force. It works in the background, goes on after a restart, and ends with a receipt: read it until its `status` is `done`. Asked again while it runs it is the same erasure. It cannot be undone.',
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
      description: 'Newest first. Receipts are kept, and name nobody.',
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
      description: 'What was found in which table, by whom it was asked for and when it ended.',
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
