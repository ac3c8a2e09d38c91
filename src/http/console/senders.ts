import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { decideSender, findAllSenders } from '../../senders/decide.ts'
import { SENDER_STATES, type SenderState } from '../../senders/schema.ts'
import { recordAudit } from '../../users/audit.ts'
import { present } from '../../values/present.ts'
import type { HttpDeps } from '../deps.ts'
import { refuseMisshapen } from '../route/faults.ts'
import { requestMeta } from '../route/meta.ts'
import { consoleRoute } from './console-route.ts'
import type { ConsoleAnswers } from './schema.ts'
import { actorOf } from './visitor.ts'

const ListQuery = Type.Object({
  state: Type.Optional(Type.Unsafe<SenderState>({ type: 'string', enum: [...SENDER_STATES] })),
})

const DecideBody = Type.Object({
  organisation_id: Type.String(),
  state: Type.Unsafe<'approved' | 'rejected'>({ type: 'string', enum: ['approved', 'rejected'] }),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500, pattern: '^[^\\u0000-\\u001f]*$' })),
})
type DecideBody = { organisation_id: string; state: 'approved' | 'rejected'; reason?: string }

/** Senders of all organisations, for the operator to decide on. */
export function senderDecisionRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get<{ Querystring: { state?: SenderState } }>(
    '/console/api/senders',
    consoleRoute(deps, { for: 'operator', querystring: ListQuery, compress: true }),
    async (request): Promise<ConsoleAnswers['GET /console/api/senders']> => {
      refuseMisshapen(request)
      const rows = await findAllSenders(deps, request.query.state)
      const senders = rows
        .filter(({ mode }) => mode === 'live')
        .map((row) => ({
          organisation_id: row.organisation_id,
          organisation_name: row.organisation,
          id: row.id,
          sender_id: row.sender_id,
          state: row.state,
          class: row.class,
          ...present('note', row.note),
          ...present('reason', row.reason),
          created_datetime: row.created_datetime,
          ...present('updated_datetime', row.updated_datetime),
        }))
      return { senders, meta: requestMeta(request) }
    },
  )

  app.post<{ Params: { id: string }; Body: DecideBody }>(
    '/console/api/senders/:id',
    consoleRoute(deps, { for: 'operator', body: DecideBody }),
    async (request): Promise<ConsoleAnswers['POST /console/api/senders/{id}']> => {
      refuseMisshapen(request)
      const { organisation_id, state, reason = null } = request.body
      const sender = await decideSender(deps, organisation_id, request.params.id, { state, reason }, (tx, decided) =>
        recordAudit(tx, actorOf(request), {
          organisation_id,
          action: 'sender.decide',
          subject: decided.sender_id,
          after: { state, reason },
        }),
      )
      deps.tellChange(organisation_id)
      return { sender, meta: requestMeta(request) }
    },
  )
}
