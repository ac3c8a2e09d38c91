import { Type } from '../../values/schema/type.ts'
import { decideSender, findAllSenders } from '../../senders/decide.ts'
import { SENDER_STATES, type SenderState } from '../../senders/schema.ts'
import { recordAudit } from '../../users/audit.ts'
import { present } from '../../values/record.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { IdParams } from '../shapes.ts'
import { actorOf } from '../route/visitor.ts'
import { DecidedSender, SendersAnswer } from './operator/schema.ts'

const ListQuery = Type.Object({
  state: Type.Optional(Type.Unsafe<SenderState>({ type: 'string', enum: [...SENDER_STATES] })),
})

const DecideBody = Type.Object({
  organisation_id: Type.String(),
  state: Type.Unsafe<'approved' | 'rejected'>({ type: 'string', enum: ['approved', 'rejected'] }),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500, pattern: '^[^\\u0000-\\u001f]*$' })),
})

/** Sender ids of all organisations, for the operator to approve. */
export function senderDecisionRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/console/api/senders',
      who: 'operator',
      summary: 'List senders of all organisations',
      answer: SendersAnswer,
      query: ListQuery,
      compress: true,
      run: async ({ query }) => {
        const rows = await findAllSenders(deps, query.state)
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
        return { senders }
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/senders/:id',
      who: 'operator',
      summary: 'Approve or reject a sender',
      answer: DecidedSender,
      params: IdParams,
      body: DecideBody,
      run: async (request) => {
        const { organisation_id, state, reason = null } = request.body
        const sender = await decideSender(deps, organisation_id, request.params.id, { state, reason }, (tx, decided) =>
          recordAudit(tx, actorOf(request), {
            organisation_id,
            action: 'sender.decide',
            subject: decided.sender_id,
            after: { state, reason },
          }),
        )
        deps.notifyChange(organisation_id)
        return { sender }
      },
    }),
  ]
}
