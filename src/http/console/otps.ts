import { Type } from '../../values/schema/type.ts'
import { findAllOtps } from '../../otp/read.ts'
import { PageQuery } from '../../values/page.ts'
import { cleanPhone, dialPlan } from '../../values/phone/phone.ts'
import { refuseIfFaulty } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { OtpPage } from './messages/schema.ts'

const ListQuery = Type.Object({
  ...PageQuery.properties,
  recipient: Type.Optional(Type.String({ maxLength: 60 })),
  status: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
})

export function otpListRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/console/api/otps',
      who: 'organisation',
      area: 'otp',
      summary: 'List OTPs',
      answer: OtpPage,
      query: ListQuery,
      adds_faults: true,
      compress: true,
      run: ({ caller, query, shape_faults: faults }) => {
        refuseIfFaulty(faults.filter(({ type }) => type === 'string_type')) // given twice
        const { organisation_id, default_country } = caller
        const given = query.recipient
        const recipient = given ? cleanPhone(given, dialPlan(default_country)) : undefined
        if (given && recipient === undefined) {
          faults.push({ field: 'recipient', message: 'This is not a phone number.', type: 'phone_invalid' })
        }
        refuseIfFaulty(faults)
        return findAllOtps(deps, organisation_id, { ...query, recipient })
      },
    }),
  ]
}
