import { Type } from '../../values/schema/type.ts'
import { findHandsetMessages } from '../../carriers/simulator/read.ts'
import { SandboxPage } from '../../carriers/simulator/schema.ts'
import { replyFromHandset } from '../../messaging/inbound/reply.ts'
import { ReplyBody } from '../../messaging/inbound/schema.ts'
import type { Caller } from '../../organisations/store.ts'
import { cleanPhone, dialPlan } from '../../values/phone/phone.ts'
import { PageQuery } from '../../values/page.ts'
import { Refusal, refuseIfFaulty } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { InboundAnswer } from '../schema.ts'
import { route, type Route } from '../route/route.ts'

const ListQuery = Type.Object({
  ...PageQuery.properties,
  recipient: Type.Optional(Type.String({ description: 'Only this handset.', examples: ['2348031234567'] })),
})

const tag = 'Sandbox'

/** Virtual handsets show OTPs in clear text and reply as their owner: only for keys with all scopes. */
export function sandboxRoutes(deps: HttpDeps): Route[] {
  const handsets = (caller: Caller): void => requireHandsets(deps, caller)
  return [
    route({
      method: 'GET',
      path: '/sandbox/messages',
      operation: 'sandbox.messages',
      scope: 'all',
      area: 'phones',
      summary: 'List messages on virtual handsets',
      description: 'In sandbox mode, or with a test key. One-time passwords are in clear text, as on a phone.',
      tag,
      query: ListQuery,
      answer: SandboxPage,
      errors: [400, 404],
      compress: true,
      requires: handsets,
      run: ({ caller, query }) => {
        const recipient = readRecipient(query.recipient, caller.default_country)
        return findHandsetMessages(deps, caller.organisation_id, { ...query, recipient })
      },
    }),

    route({
      method: 'POST',
      path: '/sandbox/reply',
      operation: 'sandbox.reply',
      scope: 'all',
      area: 'phones',
      summary: 'Reply from a virtual handset',
      description:
        'In sandbox mode, or with a test key. The text is processed like one from a real handset: stored, posted to your inbound URL, and STOP blocks the number. Real handsets cannot reply to a name such as `Gangan`; these can.',
      tag,
      body: ReplyBody,
      answer: InboundAnswer,
      errors: [400, 404, 413, 415],
      adds_faults: true,
      requires: handsets,
      run: ({ caller, body, shape_faults }) => replyFromHandset(deps, caller, body, shape_faults),
    }),
  ]
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
