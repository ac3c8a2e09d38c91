import { Type } from '../../values/schema/type.ts'
import { addAccount, findAccounts, removeAccount } from '../../smpp-accounts/accounts.ts'
import { SmppAccountBody } from '../../smpp-accounts/schema.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { SmppAccountsAnswer, SmppAccountWithPasswordAnswer } from '../schema.ts'

const tag = 'SMPP accounts'
const SystemIdParams = Type.Object({
  system_id: Type.String({ description: 'Its SMPP system_id.', examples: ['shop'] }),
})

/** SMPP accounts send for the organisation without a key: only a key with all scopes creates one. */
export function smppAccountRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/smpp/accounts',
      operation: 'smpp.accounts.list',
      scope: 'all',
      summary: 'List SMPP accounts',
      description: 'With active binds, and the messages pending for a receiver.',
      tag,
      answer: SmppAccountsAnswer,
      errors: [],
      run: async ({ caller }) => ({ accounts: await findAccounts(deps, caller.organisation_id) }),
    }),

    route({
      method: 'POST',
      path: '/smpp/accounts',
      operation: 'smpp.accounts.create',
      scope: 'all',
      summary: 'Create an SMPP account',
      description:
        'For software that speaks SMPP 3.4: it binds to the operator’s SMPP port with `system_id` and the password of this answer, which is returned only once. Its messages are sent and charged like those of `POST /sms/send`. The operator may allow fewer binds, a lower rate and a smaller window than requested.',
      tag,
      body: SmppAccountBody,
      answer: SmppAccountWithPasswordAnswer,
      errors: [400, 413, 415],
      adds_faults: true,
      run: ({ caller, body, shape_faults }) =>
        addAccount({ db: deps.db, smpp_key: deps.pepper_keys.smpp_key }, caller.organisation_id, body, shape_faults),
    }),

    route({
      method: 'DELETE',
      path: '/smpp/accounts/:system_id',
      operation: 'smpp.accounts.delete',
      scope: 'all',
      summary: 'Delete an SMPP account',
      description: 'Its binds are closed within a second, and pending messages for it are dropped.',
      tag,
      params: SystemIdParams,
      errors: [404],
      run: ({ caller, params }) => removeAccount(deps, caller.organisation_id, params.system_id),
    }),
  ]
}
