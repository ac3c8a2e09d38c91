import { readAccount } from '../../billing/balance.ts'
import { AccountPage } from '../../billing/schema.ts'
import { findChargedBy } from '../../messaging/read/charged-store.ts'
import { present } from '../../values/present.ts'
import type { HttpDeps } from '../deps.ts'
import { PageQuery } from '../../values/page.ts'
import { route, type Route } from '../route/route.ts'

const tag = 'Balance'
/** Of the messages behind a line. */
const NAMED = 100

export function balanceRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/balance',
      operation: 'balance.get',
      scope: 'balance',
      summary: 'Read the balance and its ledger',
      description: 'The balance is always the sum of all ledger lines. Newest lines first.',
      tag,
      query: PageQuery,
      answer: AccountPage,
      errors: [400],
      compress: true,
      run: async ({ caller, query }) => {
        const { account, pagination } = await readAccount(deps, caller, query)
        const several = account.entries.filter(({ subjects }) => subjects !== undefined).map(({ id }) => id)
        const named = await findChargedBy(deps.db, caller.organisation_id, several, NAMED)
        const entries = account.entries.map((entry) => ({ ...entry, ...present('subject_ids', named.get(entry.id)) }))
        return { ...account, entries, pagination }
      },
    }),
  ]
}
