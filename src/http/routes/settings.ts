import type { FastifyInstance } from 'fastify'
import { urlFault } from '../../callbacks/post/address-guard.ts'
import { SettingsBody } from '../../organisations/schema.ts'
import { changeOrganisationSettings, readOrganisationSettings } from '../../organisations/settings.ts'
import { approvalFault } from '../../senders/approved.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf, faultsOf, keyRoute, requestMeta } from '../route.ts'
import { OrganisationSettingsAnswer } from '../schema.ts'

const tag = 'Settings'

export function settingsRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get(
    '/settings',
    keyRoute(deps, { summary: 'Read your settings', tag, answer: OrganisationSettingsAnswer, errors: [] }),
    async (request) => ({
      ...(await readOrganisationSettings(deps, callerOf(request).organisation_id)),
      meta: requestMeta(request),
    }),
  )

  app.patch<{ Body: SettingsBody }>(
    '/settings',
    keyRoute(deps, {
      summary: 'Change your settings',
      description:
        'Fields that are not given stay; null takes a value away where there need not be one. A change counts within a second on every process. The currency is the operator’s to set.',
      tag,
      body: SettingsBody,
      answer: OrganisationSettingsAnswer,
      errors: [400, 413, 415],
    }),
    async (request) => {
      const caller = callerOf(request)
      const any_sender = deps.sandbox || caller.mode === 'test'
      const settings = await changeOrganisationSettings(
        {
          ...deps,
          urlFault: (url) => urlFault(url, deps.address_mode),
          senderFault: async (tx, sender_id) =>
            any_sender ? undefined : approvalFault(tx, caller.organisation_id, sender_id),
        },
        caller.organisation_id,
        request.body,
        faultsOf(request),
      )
      return { ...settings, meta: requestMeta(request) }
    },
  )
}
