import { Type } from '../../../values/schema/type.ts'
import { exportLedger, readAccount } from '../../../billing/ledger.ts'
import { AccountPage, CampaignQuery, LedgerQuery, LedgerTimes, MessageCostPage } from '../../../billing/schema.ts'
import { findChargedBy } from '../../../messaging/read/charged-store.ts'
import { PAGE_LIMIT, PageQuery, readScroll, ScrollQuery, scrollTo } from '../../../values/page.ts'
import { findSpending } from '../../../organisations/manage-keys.ts'
import { present } from '../../../values/record.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'
import { entryCampaigns } from '../../../campaigns/messages.ts'
import { readLedgerFilter } from './ledger-filter.ts'
import { exportCosts, findCosts, readCostSearch } from './message-costs.ts'

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
        'The balance is the sum of all ledger entries. Lists entries newest first: all of them, or those of a period, a kind, a message or a reference of yours. With a period, `opening_balance` and `closing_balance` are the balances before and after it, regardless of other filters.',
      tag,
      query: Type.Object({ ...PageQuery.properties, ...LedgerQuery.properties, ...CampaignQuery.properties }),
      answer: AccountPage,
      errors: [400, 404],
      compress: true,
      run: async ({ caller, query }) => {
        const filter = await readLedgerFilter(deps, caller.organisation_id, query)
        const { account, pagination } = await readAccount(deps, caller, query, filter)
        const several = account.entries.filter(({ subjects }) => subjects !== undefined).map(({ id }) => id)
        const named = await findChargedBy(deps.db, caller.organisation_id, several, NAMED)
        const campaigns = filter.hides ? await entryCampaigns(deps, caller.organisation_id, account.entries) : undefined
        const entries = account.entries.map((entry) => {
          return {
            ...entry,
            ...present('subject_ids', named.get(entry.id)),
            ...present('campaign', campaigns?.get(entry.id)),
          }
        })
        return { ...account, ...(await findSpending(deps, caller)), entries, pagination }
      },
    }),

    route({
      method: 'GET',
      path: '/balance.csv',
      operation: 'balance.export',
      scope: 'balance',
      summary: 'Download the ledger as CSV',
      description: 'All entries that `GET /balance` lists, newest first.',
      tag,
      query: LedgerQuery,
      file: 'ledger.csv',
      errors: [400, 404],
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
      summary: 'List the cost of messages',
      description:
        'One entry per message accepted in the period, newest first: what was charged, refunded since, and remains. Messages are deleted when their retention ends; the ledger stays.',
      tag,
      query: Type.Object({ ...ScrollQuery.properties, ...LedgerTimes.properties, ...CampaignQuery.properties }),
      answer: MessageCostPage,
      errors: [400, 404],
      compress: true,
      run: async ({ caller, query }) => {
        const { limit = PAGE_LIMIT } = query
        const before = readScroll(query.query_id)
        const search = await readCostSearch(deps, caller.organisation_id, query)
        const { messages, next } = await findCosts(deps, caller.organisation_id, search, { before, limit })
        return { messages, pagination: scrollTo(limit, next), meta: {} }
      },
    }),

    route({
      method: 'GET',
      path: '/balance/messages.csv',
      operation: 'balance.exportMessages',
      scope: 'balance',
      summary: 'Download the cost of messages as CSV',
      description: 'Everything that `GET /balance/messages` lists, newest first.',
      tag,
      query: Type.Object({ ...LedgerTimes.properties, campaign_id: CampaignQuery.properties.campaign_id }),
      file: 'message-costs.csv',
      errors: [400, 404],
      run: async ({ caller, query }) => {
        const { organisation_id } = caller
        return exportCosts(deps, organisation_id, (await readCostSearch(deps, organisation_id, query)).search)
      },
    }),
  ]
}
