import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { findHandsetMessages } from '../../carriers/simulator/read.ts'
import { SandboxPage } from '../../carriers/simulator/schema.ts'
import { replyFromHandset } from '../../messaging/inbound/reply.ts'
import { ReplyBody } from '../../messaging/inbound/schema.ts'
import { cleanPhone, dialPlan } from '../../values/phone.ts'
import { PageQuery } from '../../values/page.ts'
import { Refusal, refuseIfFaulty } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf, faultsOf, keyRoute, refuseMisshapen, requestMeta } from '../route.ts'
import { InboundAnswer } from '../schema.ts'

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
      querystring: ListQuery,
      answer: SandboxPage,
      errors: [400, 404],
      compress: true,
    }),
    async (request) => {
      const caller = callerOf(request)
      requireHandsets(deps, caller)
      refuseMisshapen(request)
      const recipient = readRecipient(request.query.recipient, caller.default_country)
      const { messages, pagination } = await findHandsetMessages(deps, caller.organisation_id, {
        ...request.query,
        recipient,
      })
      return { messages, meta: { ...requestMeta(request), pagination } }
    },
  )

  app.post<{ Body: Partial<ReplyBody> }>(
    '/sandbox/reply',
    keyRoute(deps, {
      summary: 'Let a virtual handset answer',
      description:
        'In sandbox mode, or with a test key. The text is received as one from a real handset would be: kept, posted to your inbound URL, and STOP blocks the number. Real handsets cannot answer a name such as `Gangan`; these can.',
      tag: 'Sandbox',
      body: ReplyBody,
      answer: InboundAnswer,
      errors: [400, 404, 413, 415],
    }),
    async (request) => {
      const caller = callerOf(request)
      requireHandsets(deps, caller)
      const received = await replyFromHandset(deps, caller, request.body, faultsOf(request))
      return { ...received, meta: requestMeta(request) }
    },
  )
}

function requireHandsets({ sandbox }: HttpDeps, { mode }: { mode: 'live' | 'test' }): void {
  if (sandbox || mode === 'test') return
  throw new Refusal('not_found', 'There are no virtual handsets in live mode; use a test key.')
}

function readRecipient(given: string | undefined, country: string): string | undefined {
  if (given === undefined) return undefined
  const recipient = cleanPhone(given, dialPlan(country))
  if (recipient === undefined) {
    refuseIfFaulty([{ field: 'recipient', message: 'This is not a phone number.', type: 'phone_invalid' }])
  }
  return recipient
}
