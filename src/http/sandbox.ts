import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { findHandsetMessages } from '../carriers/simulator/read.ts'
import { SandboxMessage } from '../carriers/simulator/schema.ts'
import { cleanPhone, dialPlan } from '../values/phone.ts'
import { ListMeta, PageQuery } from '../values/page.ts'
import { Refusal, refuseIfFaulty } from '../values/refusal.ts'
import type { HttpDeps } from './deps.ts'
import { callerOf, keyRoute, refuseMisshapen, requestMeta } from './route.ts'

const ListQuery = Type.Object({
  ...PageQuery.properties,
  recipient: Type.Optional(Type.String({ description: 'Only this handset.', examples: ['2348031234567'] })),
})

export function sandboxRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get<{ Querystring: PageQuery & { recipient?: string } }>(
    '/sandbox/messages',
    keyRoute(deps, {
      summary: 'What the virtual handsets show',
      description: 'In sandbox mode, or with a test key. One-time passwords are in clear here, as on a phone.',
      tag: 'Sandbox',
      scope: 'any',
      querystring: ListQuery,
      answer: Type.Object({ messages: Type.Array(SandboxMessage), meta: ListMeta }),
      errors: [400, 404],
      compress: true,
    }),
    async (request) => {
      const caller = callerOf(request)
      if (!deps.sandbox && caller.mode === 'live') {
        throw new Refusal('not_found', 'There are no virtual handsets in live mode; use a test key.')
      }
      refuseMisshapen(request)
      const recipient = readRecipient(request.query.recipient, caller.default_country)
      const { messages, pagination } = await findHandsetMessages(deps, caller.organisation_id, {
        ...request.query,
        recipient,
      })
      return { messages, meta: { ...requestMeta(request), pagination } }
    },
  )
}

function readRecipient(given: string | undefined, country: string): string | undefined {
  if (given === undefined) return undefined
  const recipient = cleanPhone(given, dialPlan(country))
  if (recipient === undefined) {
    refuseIfFaulty([{ field: 'recipient', message: 'This is not a phone number.', type: 'phone_invalid' }])
  }
  return recipient
}
