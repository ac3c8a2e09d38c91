import { mayDo, type Area } from '../../../users/roles.ts'
import { Type } from '../../../values/schema/type.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'
import { FoundByName } from './schema.ts'
import { searchCampaigns, searchSenders, searchSmartlists, searchTemplates, type NamedRow } from './store.ts'

const Query = Type.Object({ text: Type.String({ minLength: 1, maxLength: 200 }) })

/** The palette of the console: what has a name, five of each kind. Messages and contacts have searches of their own. */
export function searchRoutes({ db }: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/console/api/search',
      who: 'organisation',
      area: 'overview',
      summary: 'Search by name',
      answer: FoundByName,
      query: Query,
      run: async ({ caller: { organisation_id }, visitor, query }) => {
        const text = query.text.replaceAll('\0', '').trim()
        const may = (area: Area) => text !== '' && mayDo(visitor.role, area, false)
        const find = async (area: Area, search: typeof searchCampaigns): Promise<NamedRow[]> =>
          may(area) ? search(db, { organisation_id, text }) : []
        const [campaigns, templates, smartlists, senders] = await Promise.all([
          find('sms', searchCampaigns),
          find('sms', searchTemplates),
          find('lists', searchSmartlists),
          find('sms', searchSenders),
        ])
        return { campaigns, templates, smartlists, senders }
      },
    }),
  ]
}
