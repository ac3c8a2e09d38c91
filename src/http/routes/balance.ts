import type { FastifyInstance } from 'fastify'
import { readAccount } from '../../billing/balance.ts'
import { AccountPage } from '../../billing/schema.ts'
import type { HttpDeps } from '../deps.ts'
import { PageQuery } from '../../values/page.ts'
import { callerOf, keyRoute, refuseMisshapen, requestMeta } from '../route.ts'

export function balanceRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get<{ Querystring: PageQuery }>(
    '/balance',
    keyRoute(deps, {
      summary: 'Read the balance and its ledger',
      description: 'The balance is always the sum of all ledger lines. Newest lines first.',
      tag: 'Balance',
      querystring: PageQuery,
      answer: AccountPage,
      errors: [400],
      compress: true,
    }),
    async (request) => {
      refuseMisshapen(request)
      const { account, pagination } = await readAccount(deps, callerOf(request), request.query)
      return { ...account, meta: { ...requestMeta(request), pagination } }
    },
  )
}
