import { urlFault } from '../../callbacks/post/address-guard.ts'
import { SettingsBody } from '../../organisations/schema.ts'
import { changeOrganisationSettings, readOrganisationSettings } from '../../organisations/settings.ts'
import { approvalFault } from '../../senders/approved.ts'
import type { HttpDeps } from '../deps.ts'
import { OrganisationSettingsAnswer } from '../schema.ts'
import { route, type Route } from '../route/route.ts'

const tag = 'Settings'

export function settingsRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/settings',
      operation: 'settings.get',
      scope: 'settings',
      summary: 'Read your settings',
      description: 'Settings of your organisation, including those of the operator.',
      tag,
      answer: OrganisationSettingsAnswer,
      errors: [],
      run: ({ caller }) => readOrganisationSettings(deps, caller.organisation_id),
    }),

    route({
      method: 'PATCH',
      path: '/settings',
      operation: 'settings.update',
      scope: 'settings',
      summary: 'Change your settings',
      description:
        'Fields that are left out stay; null removes an optional value. A change takes effect within a second on every process. Only the operator sets the currency.',
      tag,
      body: SettingsBody,
      answer: OrganisationSettingsAnswer,
      errors: [400, 413, 415],
      adds_faults: true,
      run: ({ caller, body, shape_faults }) => {
        const any_sender = deps.sandbox || caller.mode === 'test'
        return changeOrganisationSettings(
          {
            ...deps,
            urlFault: (url) => urlFault(url, deps.address_mode),
            senderFault: async (tx, sender_id) =>
              any_sender ? undefined : approvalFault(tx, caller.organisation_id, sender_id),
          },
          caller.organisation_id,
          body,
          shape_faults,
        )
      },
    }),
  ]
}
