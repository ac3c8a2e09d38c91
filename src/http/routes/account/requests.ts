import { Type } from '../../../values/schema/type.ts'
import { findRequests, isPlace, placeOf, readRequest } from '../../../requests/read.ts'
import { RequestFilter, RequestPage } from '../../../requests/schema.ts'
import { PAGE_LIMIT, readScroll, ScrollQuery, scrollTo } from '../../../values/page.ts'
import { present } from '../../../values/record.ts'
import { answerTime } from '../../../values/time/moment.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'
import { RequestAnswer } from '../../schema.ts'
import { readTimes } from './ledger-filter.ts'

const tag = 'Requests'
const area = 'requests'

export function requestRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/requests',
      operation: 'requests.list',
      scope: 'all',
      area,
      summary: 'List requests',
      description:
        'Requests made with your keys in the last days, newest first, visible a second or two after their answer. Of more than twenty requests in a second, failures are kept first and a sample of the others: `shown` and `seen` count them. A crash of the service loses the last second of the log.',
      tag,
      query: Type.Object({ ...ScrollQuery.properties, ...RequestFilter.properties }),
      answer: RequestPage,
      errors: [400],
      compress: true,
      run: async ({ caller, query }) => {
        const { limit = PAGE_LIMIT, status, path, key_id, request_id } = query
        const place = readScroll(query.query_id, isPlace)
        const { from_ms, until_ms } = readTimes(query)
        const search = { status, path, key_id, request_id: request_id || undefined, from_ms, until_ms }
        const after = place === undefined ? undefined : placeOf(place)
        const found = await findRequests(deps, caller.organisation_id, search, { after, limit })
        const { requests, next, searched_until_ms } = found
        const searched_until = searched_until_ms === undefined ? undefined : answerTime(searched_until_ms)
        return {
          requests,
          kept_days: deps.requests_days,
          pagination: scrollTo(limit, next),
          meta: present('searched_until', searched_until),
        }
      },
    }),

    route({
      method: 'GET',
      path: '/requests/:request_id',
      operation: 'requests.get',
      scope: 'all',
      area,
      summary: 'Read a request',
      description:
        'With the bodies of request and answer, each cut at 4,096 characters. One-time passwords, keys, passwords and other secrets are masked, and headers are not stored.',
      tag,
      params: Type.Object({
        request_id: Type.String({ maxLength: 128, description: 'The `x-request-id` of the answer.' }),
      }),
      answer: RequestAnswer,
      errors: [404],
      run: ({ caller, params }) => readRequest(deps, caller.organisation_id, params.request_id),
    }),
  ]
}
