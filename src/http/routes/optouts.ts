import { Type } from '../../values/schema/type.ts'
import { addOptouts, findOptouts, removeOptout } from '../../optouts/optouts.ts'
import { OptoutBody, OptoutPage } from '../../optouts/schema.ts'
import { PageQuery } from '../../values/page.ts'
import type { HttpDeps } from '../deps.ts'
import { OptoutsAnswer } from '../schema.ts'
import { route, type Route } from '../route/route.ts'

const tag = 'Opt-outs'

const ListQuery = Type.Object({
  ...PageQuery.properties,
  recipient: Type.Optional(
    Type.String({ description: 'Only this number, or numbers that begin with these digits.', examples: ['234803'] }),
  ),
})

export function optoutRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/optouts',
      operation: 'optouts.list',
      scope: 'sms',
      summary: 'List opt-outs',
      description: 'Newest first: people who answered STOP, and numbers you have blocked.',
      tag,
      query: ListQuery,
      answer: OptoutPage,
      errors: [400],
      compress: true,
      run: ({ caller, query }) => findOptouts(deps, caller, query),
    }),

    route({
      method: 'POST',
      path: '/optouts',
      operation: 'optouts.create',
      scope: 'sms',
      summary: 'Block numbers',
      description:
        'Messages to them end `rejected` with the code `opted_out` and are not charged, over any API. One-time passwords that a person requests are still sent.',
      tag,
      body: OptoutBody,
      answer: OptoutsAnswer,
      errors: [400, 413, 415],
      adds_faults: true,
      run: async ({ caller, body, shape_faults }) => ({
        optouts: await addOptouts(deps, caller, body, shape_faults),
      }),
    }),

    route({
      method: 'DELETE',
      path: '/optouts/:id',
      operation: 'optouts.delete',
      scope: 'sms',
      summary: 'Remove an opt-out',
      description: 'By the id of the entry, or by the phone number.',
      tag,
      params: Type.Object({ id: Type.String({ description: 'The id, or the number.', examples: ['2348031234567'] }) }),
      errors: [404],
      run: ({ caller, params }) => removeOptout(deps, caller, params.id),
    }),
  ]
}
