import { Type } from '../../../values/schema/type.ts'
import { exportLedger, readAccount } from '../../../billing/ledger.ts'
import { AccountPage, LedgerQuery, LedgerTimes, MessageCostPage } from '../../../billing/schema.ts'
import { findChargedBy } from '../../../messaging/read/charged-store.ts'
import { PAGE_LIMIT, PageQuery, readScroll, ScrollQuery, scrollTo } from '../../../values/page.ts'
import { present } from '../../../values/record.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'
import { readLedgerFilter, readTimes } from './ledger-filter.ts'
import { exportCosts, findCosts } from './message-costs.ts'

const tag = 'Balance'
/** Messages listed per ledger entry. */
const NAMED = 100

export function balanceRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/balance',
      operation: 'balance.get',
      scope: 'balance',
      summary: 'Read the balance and its ledger',
      description:
        'The balance is always the sum of all ledger lines. Newest lines first: all of them, or those of a time, a kind, a message or a reference of yours. With a time, `opening_balance` and `closing_balance` are what there was before and after it, whatever else is asked for.',
      tag,
      query: Type.Object({ ...PageQuery.properties, ...LedgerQuery.properties }),
      answer: AccountPage,
      errors: [400],
      compress: true,
      run: async ({ caller, query }) => {
        const filter = await readLedgerFilter(deps, caller.organisation_id, query)
        const { account, pagination } = await readAccount(deps, caller, query, filter)
        const several = account.entries.filter(({ subjects }) => subjects !== undefined).map(({ id }) => id)
        const named = await findChargedBy(deps.db, caller.organisation_id, several, NAMED)
        const entries = account.entries.map((entry) => ({ ...entry, ...present('subject_ids', named.get(entry.id)) }))
        return { ...account, entries, pagination }
      },
    }),

    route({
      method: 'GET',
      path: '/balance.csv',
      operation: 'balance.export',
      scope: 'balance',
      summary: 'Download the ledger as CSV',
      description: 'The lines that `GET /balance` lists, all of them, newest first.',
      tag,
      query: LedgerQuery,
      file: 'ledger.csv',
      errors: [400],
      run: async ({ caller, query }) => {
        const filter = await readLedgerFilter(deps, caller.organisation_id, query)
        return exportLedger(deps, caller.organisation_id, filter)
      },
    }),

    route({
      method: 'GET',
      path: '/balance/messages',
      operation: 'balance.messages',
      scope: 'balance',
      summary: 'See what each message came to',
      description:
        'One line for each message that was accepted in that time, newest first: what was charged, what was given back since, and what is left. Messages go when their retention ends; the ledger stays.',
      tag,
      query: Type.Object({ ...ScrollQuery.properties, ...LedgerTimes.properties }),
      answer: MessageCostPage,
      errors: [400],
      compress: true,
      run: async ({ caller, query }) => {
        const { limit = PAGE_LIMIT } = query
        const before = readScroll(query.query_id)
        const { messages, next } = await findCosts(deps, caller.organisation_id, readTimes(query), { before, limit })
        return { messages, pagination: scrollTo(limit, next), meta: {} }
      },
    }),

    route({
      method: 'GET',
      path: '/balance/messages.csv',
      operation: 'balance.exportMessages',
      scope: 'balance',
      summary: 'Download what each message came to as CSV',
      description: 'What `GET /balance/messages` lists, all of it, newest first.',
      tag,
      query: LedgerTimes,
      file: 'message-costs.csv',
      errors: [400],
      run: ({ caller, query }) => exportCosts(deps, caller.organisation_id, readTimes(query)),
    }),
  ]
}
