import { copyCampaign, resendToFailed } from '../../campaigns/draft/copy.ts'
import { exportCampaign } from '../../campaigns/report/export.ts'
import { listRecipients } from '../../campaigns/report/recipients.ts'
import { readReport } from '../../campaigns/report/report.ts'
import { CampaignRecipientPage, ExportQuery, RecipientsQuery } from '../../campaigns/report/schema.ts'
import type { HttpDeps } from '../deps.ts'
import { requestMeta } from '../route/answer.ts'
import { route, type Route } from '../route/route.ts'
import { CampaignAnswer, CampaignReportAnswer } from '../schema.ts'
import { IdParams } from '../shapes.ts'

const tag = 'Campaigns'

/** The recipients and results of a campaign, and campaigns made from another one. */
export function campaignResultRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/campaigns/:id/recipients',
      operation: 'campaigns.listRecipients',
      scope: 'sms',
      summary: 'List some recipients of a campaign',
      description:
        'Those that were uploaded, left out by the estimate, or not reached. Not counted: `GET /campaigns/{id}` and its report have the totals. A page may be short, and is continued with `query_id`.',
      tag,
      params: IdParams,
      query: RecipientsQuery,
      answer: CampaignRecipientPage,
      errors: [400, 404],
      compress: true,
      run: ({ caller, params, query }) => listRecipients(deps, caller, params.id, query),
    }),

    route({
      method: 'POST',
      path: '/campaigns/:id/copy',
      operation: 'campaigns.copy',
      scope: 'sms',
      summary: 'Duplicate a campaign',
      description:
        'Creates a draft with its content, settings and recipients, without its start time. With an `Idempotency-Key` a retry returns the same draft.',
      tag,
      params: IdParams,
      answer: CampaignAnswer,
      errors: [400, 404, 409],
      idempotent: true,
      receipt: true,
      run: async (request) => {
        const { campaign, replayed } = await copyCampaign(deps, request.caller, request.params.id, request.idempotency)
        return { answer: JSON.stringify({ ...campaign, meta: requestMeta(request) }), replayed }
      },
    }),

    route({
      method: 'POST',
      path: '/campaigns/:id/resend',
      operation: 'campaigns.resend',
      scope: 'sms',
      summary: 'Prepare a campaign for the recipients that were not reached',
      description:
        'Creates a draft with the same content for the recipients whose delivery failed, to be estimated and started like any other. A repeated request returns the same draft until that is canceled, so that no recipient gets it twice. Recipients whose outcome is `unknown` may have received the message and are not included. 409 while the campaign is running, or if no delivery failed.',
      tag,
      params: IdParams,
      answer: CampaignAnswer,
      errors: [404, 409],
      run: async ({ caller, params }) => (await resendToFailed(deps, caller, params.id)).campaign,
    }),

    route({
      method: 'GET',
      path: '/campaigns/:id/report',
      operation: 'campaigns.report',
      scope: 'sms',
      summary: 'Read the report of a campaign',
      description:
        'Deliveries, failures by reason and operator, clicks, replies, opt-outs and cost, over time, and the best of several texts.',
      tag,
      params: IdParams,
      answer: CampaignReportAnswer,
      errors: [404],
      compress: true,
      run: ({ caller, params }) => readReport(deps, caller, params.id),
    }),

    route({
      method: 'GET',
      path: '/campaigns/:id/report.csv',
      operation: 'campaigns.exportReport',
      scope: 'sms',
      summary: 'Download the recipients of a campaign as CSV',
      description: 'What each person received, and who was left out and why; or only some of them.',
      tag,
      params: IdParams,
      query: ExportQuery,
      file: 'campaign.csv',
      errors: [400, 404],
      run: ({ caller, params, query }) => exportCampaign(deps, caller, params.id, query.outcome),
    }),
  ]
}
