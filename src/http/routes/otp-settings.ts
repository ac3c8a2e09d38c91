import { Type } from '../../values/schema/type.ts'
import { findGuarded, liftGuard } from '../../otp/admission/guard.ts'
import { GuardPage, SettingsBody } from '../../otp/schema.ts'
import { changeOtpSettings, readOtpSettings } from '../../otp/settings.ts'
import { PageQuery } from '../../values/page.ts'
import { Refusal } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { OtpSettingsAnswer } from '../schema.ts'
import { route, type Route } from '../route/route.ts'

const tag = 'One-time passwords'

/** Another scope: a stolen OTP key must not set fixed tokens or lift the guard. */
export function otpSettingsRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/otp/settings',
      operation: 'otp.settings.get',
      scope: 'settings',
      summary: 'Read the OTP settings',
      description: 'Your settings, and the configured defaults of the rest.',
      tag,
      answer: OtpSettingsAnswer,
      errors: [],
      run: ({ caller }) => readOtpSettings(deps, caller),
    }),

    route({
      method: 'PATCH',
      path: '/otp/settings',
      operation: 'otp.settings.update',
      scope: 'settings',
      summary: 'Change the OTP settings',
      description:
        'The text, the domain for autofill, a second message, and numbers with a fixed token. Fields that are left out stay; null restores the default. Each message of an OTP is charged.',
      tag,
      body: SettingsBody,
      answer: OtpSettingsAnswer,
      errors: [400, 413, 415],
      adds_faults: true,
      run: ({ caller, body, shape_faults }) => changeOtpSettings(deps, caller, body, shape_faults),
    }),

    route({
      method: 'GET',
      path: '/otp/guard',
      operation: 'otp.guard.list',
      scope: 'otp',
      summary: 'List guarded prefixes',
      description:
        'Number prefixes (a number without its last four digits) whose tokens are requested but rarely verified. A slowed prefix accepts a request now and then, a blocked one none until its block ends.',
      tag,
      query: PageQuery,
      answer: GuardPage,
      errors: [400],
      run: ({ caller, query }) => findGuarded(deps, caller.organisation_id, query),
    }),

    route({
      method: 'DELETE',
      path: '/otp/guard/:prefix',
      operation: 'otp.guard.lift',
      scope: 'settings',
      summary: 'Remove the guard of a prefix',
      description: 'Resets its counters.',
      tag,
      params: Type.Object({ prefix: Type.String({ examples: ['234803123'] }) }),
      errors: [404],
      run: async ({ caller, params }) => {
        const lifted = await liftGuard(deps, caller.organisation_id, params.prefix)
        if (!lifted) throw new Refusal('not_found', 'This prefix is neither slowed nor blocked.')
      },
    }),
  ]
}
