import { exportAnalytics } from '../../../analytics/export.ts'
import { readAnalytics } from '../../../analytics/report.ts'
import { AnalyticsQuery } from '../../../analytics/schema.ts'
import type { HttpDeps } from '../../deps.ts'
import { AnalyticsAnswer } from '../../schema.ts'
import { route, type Route } from '../../route/route.ts'

const tag = 'Analytics'
const COUNTED =
  'A message counts in the hour it was accepted, so rates are exact for any range; figures of the last days still change while reports arrive. They come from counters that are written within a second, and stay when messages are deleted or people are erased. A killed process loses at most a second of them; the ledger is exact.'

export function analyticsRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/analytics',
      operation: 'analytics.get',
      scope: ['sms', 'otp'],
      area: 'overview',
      summary: 'Read analytics of messages and one-time passwords',
      description: `For any range of days, in steps of an hour, a day or a month of your time zone, by channel, country, operator, sender, route, error or template, and compared with an earlier range. ${COUNTED}`,
      tag,
      query: AnalyticsQuery,
      answer: AnalyticsAnswer,
      errors: [400],
      adds_faults: true,
      compress: true,
      run: ({ caller, query, shape_faults }) => readAnalytics(deps, caller, query, shape_faults),
    }),

    route({
      method: 'GET',
      path: '/analytics.csv',
      operation: 'analytics.export',
      scope: ['sms', 'otp'],
      area: 'overview',
      summary: 'Download analytics as CSV',
      description:
        'The same figures in UTF-8 with a byte order mark: a line for each value of `by`, or without it for each step; with `compare`, the earlier figures in separate columns.',
      tag,
      query: AnalyticsQuery,
      file: 'analytics.csv',
      errors: [400],
      adds_faults: true,
      run: async ({ caller, query, shape_faults }) =>
        exportAnalytics(await readAnalytics(deps, caller, query, shape_faults)),
    }),
  ]
}
