import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { findGuarded, liftGuard } from '../../otp/guard.ts'
import { GuardPage, SettingsBody } from '../../otp/schema.ts'
import { changeOtpSettings, readOtpSettings } from '../../otp/settings.ts'
import { PageQuery } from '../../values/page.ts'
import { Refusal } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf, faultsOf, keyRoute, refuseMisshapen, requestMeta } from '../route.ts'
import { OtpSettingsAnswer } from '../schema.ts'

const tag = 'One-time passwords'

export function otpSettingsRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get(
    '/otp/settings',
    keyRoute(deps, { summary: 'Read how your OTPs are sent', tag, answer: OtpSettingsAnswer, errors: [] }),
    async (request) => ({ ...(await readOtpSettings(deps, callerOf(request))), meta: requestMeta(request) }),
  )

  app.patch<{ Body: SettingsBody }>(
    '/otp/settings',
    keyRoute(deps, {
      summary: 'Change how your OTPs are sent',
      description:
        'The text, the domain phones may fill the code in for, the channel to fall back to, and numbers with a fixed token. Fields that are not given stay; null takes the default again. Each channel a token goes out on is charged once.',
      tag,
      body: SettingsBody,
      answer: OtpSettingsAnswer,
      errors: [400, 413, 415],
    }),
    async (request) => ({
      ...(await changeOtpSettings(deps, callerOf(request), request.body, faultsOf(request))),
      meta: requestMeta(request),
    }),
  )

  app.get<{ Querystring: PageQuery }>(
    '/otp/guard',
    keyRoute(deps, {
      summary: 'List guarded prefixes',
      description:
        'Number prefixes (a number without its last four digits) whose tokens are requested but hardly ever verified. A slowed prefix lets a request pass now and then, a blocked one none until its time.',
      tag,
      querystring: PageQuery,
      answer: GuardPage,
      errors: [400],
    }),
    async (request) => {
      refuseMisshapen(request)
      const { prefixes, pagination } = await findGuarded(deps, callerOf(request).organisation_id, request.query)
      return { prefixes, meta: { ...requestMeta(request), pagination } }
    },
  )

  app.delete<{ Params: { prefix: string } }>(
    '/otp/guard/:prefix',
    keyRoute(deps, {
      summary: 'Lift the guard off a prefix',
      description: 'Its counters start anew.',
      tag,
      params: Type.Object({ prefix: Type.String({ examples: ['234803123'] }) }),
      empty: true,
      errors: [404],
    }),
    async (request, reply) => {
      const lifted = await liftGuard(deps, callerOf(request).organisation_id, request.params.prefix)
      if (!lifted) throw new Refusal('not_found', 'This prefix is neither slowed nor blocked.')
      return reply.code(204).send()
    },
  )
}
