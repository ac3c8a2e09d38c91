import { readAccount } from '../../billing/balance.ts'
import { AccountPage } from '../../billing/schema.ts'
import type { HttpDeps } from '../deps.ts'
import { PageQuery } from '../../values/page.ts'
import { route, type Route } from '../route/route.ts'

const tag = 'Balance'

export function balanceRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/balance',
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
        return { ...account, pagination }
      },
    }),
  ]
}
