import type { FastifyInstance } from 'fastify'
import { ListSend } from '../../contacts/send/schema.ts'
import { cancelListSend, readListSend } from '../../contacts/send/send-list.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf, keyRoute } from '../route.ts'
import { IdParams } from '../shapes.ts'

export function contactSendRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const shared = { tag: 'Contacts', params: IdParams }
  app.get<{ Params: IdParams }>(
    '/lists/contact/sends/:id',
    keyRoute(deps, { ...shared, summary: 'See how far a message to a smartlist is', answer: ListSend, errors: [404] }),
    async (request) => readListSend(deps, callerOf(request), request.params.id),
  )

  app.delete<{ Params: IdParams }>(
    '/lists/contact/sends/:id',
    keyRoute(deps, {
      empty: true,
      ...shared,
      summary: 'Cancel a message to a smartlist',
      description: 'What has been sent stays sent.',
      errors: [404],
    }),
    async (request, reply) => {
      await cancelListSend(deps, callerOf(request), request.params.id)
      return reply.code(204).send()
    },
  )
}
