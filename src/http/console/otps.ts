import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { findAllOtps } from '../../otp/list.ts'
import { PageQuery } from '../../values/page.ts'
import { cleanPhone, dialPlan } from '../../values/phone.ts'
import { refuseIfFaulty } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf } from '../route/add-routes.ts'
import { faultsOf } from '../route/faults.ts'
import { requestMeta } from '../route/meta.ts'
import { consoleRoute } from './console-route.ts'
import type { ConsoleAnswers } from './schema.ts'

const ListQuery = Type.Object({
  ...PageQuery.properties,
  recipient: Type.Optional(Type.String({ maxLength: 60 })),
  status: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
})
type ListQuery = PageQuery & { recipient?: string; status?: number }

export function otpListRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get<{ Querystring: ListQuery }>(
    '/console/api/otps',
    consoleRoute(deps, { for: 'organisation', querystring: ListQuery, compress: true }),
    async (request): Promise<ConsoleAnswers['GET /console/api/otps']> => {
      const faults = faultsOf(request)
      refuseIfFaulty(faults.filter(({ type }) => type === 'string_type')) // given twice: there is no text to look at
      const { organisation_id, default_country } = callerOf(request)
      const given = request.query.recipient
      const recipient = given ? cleanPhone(given, dialPlan(default_country)) : undefined
      if (given && recipient === undefined) {
        faults.push({ field: 'recipient', message: 'This is not a phone number.', type: 'phone_invalid' })
      }
      refuseIfFaulty(faults)
      const { otps, pagination } = await findAllOtps(deps, organisation_id, { ...request.query, recipient })
      return { otps, meta: { ...requestMeta(request), pagination } }
    },
  )
}
