import type { FastifyInstance } from 'fastify'
import { changeSender, createSender, findSenders, readSender, removeSender } from '../../senders/registry.ts'
import { SenderBody, SenderChange, SenderPage } from '../../senders/schema.ts'
import { PageQuery } from '../../values/page.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf, faultsOf, keyRoute, refuseMisshapen, requestMeta } from '../route.ts'
import { SenderAnswer } from '../schema.ts'
import { IdParams } from '../shapes.ts'

const tag = 'Senders'

export function senderRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get<{ Querystring: PageQuery }>(
    '/senders',
    keyRoute(deps, {
      summary: 'List your senders',
      tag,
      querystring: PageQuery,
      answer: SenderPage,
      errors: [400],
    }),
    async (request) => {
      refuseMisshapen(request)
      const { senders, pagination } = await findSenders(deps, callerOf(request).organisation_id, request.query)
      return { senders, meta: { ...requestMeta(request), pagination } }
    },
  )

  app.post<{ Body: Partial<SenderBody> }>(
    '/senders',
    keyRoute(deps, {
      summary: 'Register a sender',
      description:
        'It is `pending` until the operator has decided. In live mode only approved senders are used; in the sandbox, and with a test key, any.',
      tag,
      body: SenderBody,
      answer: SenderAnswer,
      errors: [400, 413, 415],
    }),
    async (request) => ({
      ...(await createSender(deps, callerOf(request), request.body, faultsOf(request))),
      meta: requestMeta(request),
    }),
  )

  app.get<{ Params: IdParams }>(
    '/senders/:id',
    keyRoute(deps, { summary: 'Read a sender', tag, params: IdParams, answer: SenderAnswer, errors: [404] }),
    async (request) => ({
      ...(await readSender(deps, callerOf(request).organisation_id, request.params.id)),
      meta: requestMeta(request),
    }),
  )

  app.patch<{ Params: IdParams; Body: SenderChange }>(
    '/senders/:id',
    keyRoute(deps, {
      summary: 'Change a sender',
      description: 'Another `sender_id` or `class` is `pending` again. Fields that are not given stay.',
      tag,
      params: IdParams,
      body: SenderChange,
      answer: SenderAnswer,
      errors: [400, 404, 413, 415],
    }),
    async (request) => {
      const caller = callerOf(request)
      const sender = await changeSender(deps, caller, request.params.id, request.body, faultsOf(request))
      deps.tellChange(caller.organisation_id)
      return { ...sender, meta: requestMeta(request) }
    },
  )

  app.delete<{ Params: IdParams }>(
    '/senders/:id',
    keyRoute(deps, {
      summary: 'Remove a sender',
      description: 'Not while it is your default sender.',
      tag,
      params: IdParams,
      empty: true,
      errors: [404, 409],
    }),
    async (request, reply) => {
      const { organisation_id } = callerOf(request)
      await removeSender(deps, organisation_id, request.params.id)
      deps.tellChange(organisation_id)
      return reply.code(204).send()
    },
  )
}
