import { Readable } from 'node:stream'
import { Type } from '../../values/schema/type.ts'
import { cancelOf, estimateCampaign, pauseOf, resumeOf, startOf } from '../../campaigns/control.ts'
import { changeCampaign, createCampaign } from '../../campaigns/draft/create.ts'
import { removeRecipients, uploadRecipients } from '../../campaigns/draft/upload.ts'
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_ENTRIES, UploadBody } from '../../campaigns/draft/upload-schema.ts'
import { findCampaigns, readCampaign } from '../../campaigns/read.ts'
import { exportCampaign } from '../../campaigns/report/export.ts'
import { readReport } from '../../campaigns/report/report.ts'
import {
  CAMPAIGN_STATUSES,
  CampaignBody,
  CampaignChange,
  CampaignPage,
  MAX_TEST_RECIPIENTS,
  StartBody,
  TestBody,
  type CampaignStatus,
} from '../../campaigns/schema.ts'
import { sendTest } from '../../campaigns/test-send.ts'
import { SentMessage } from '../../messaging/schema.ts'
import type { Caller } from '../../organisations/store.ts'
import { PageQuery } from '../../values/page.ts'
import type { HttpDeps } from '../deps.ts'
import { scopeFault } from '../route/authorize.ts'
import { withFile } from '../route/idempotency.ts'
import { requestMeta } from '../route/answer.ts'
import { route, type Route } from '../route/route.ts'
import { wholeFile } from '../body/read-bodies.ts'
import { CampaignAnswer, CampaignReportAnswer, CampaignWithOutcomesAnswer } from '../schema.ts'
import { IdParams } from '../shapes.ts'

const tag = 'Campaigns'

const ListQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(
    Type.Unsafe<CampaignStatus>({ type: 'string', enum: [...CAMPAIGN_STATUSES], description: 'Only those.' }),
  ),
})

/** The body is CSV or JSON. */
const Upload = Type.Unsafe<Readable | UploadBody>({
  content: {
    'text/csv': { schema: Type.Unsafe<Readable>({}) },
    'application/json': { schema: UploadBody },
  },
})

export function campaignRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/campaigns',
      operation: 'campaigns.create',
      scope: 'sms',
      summary: 'Make a campaign',
      description:
        'A message to many people, with a life of its own: `draft` → `estimated` → `scheduled` → `running` → `paused` → `finished` or `canceled`. This keeps a draft: nothing is sent or charged before it is estimated and started. With `smartlist_id` the key needs the scope `lists` as well.',
      tag,
      body: CampaignBody,
      answer: CampaignAnswer,
      errors: [400, 404, 409, 413, 415],
      idempotent: true,
      adds_faults: true,
      receipt: true,
      run: async (request) => {
        const { caller, body, shape_faults, idempotency } = request
        if (body.smartlist_id !== undefined) requireLists(caller)
        const { campaign, replayed } = await createCampaign(deps, caller, body, { shape_faults, idempotency })
        return { answer: JSON.stringify({ ...campaign, meta: requestMeta(request) }), replayed }
      },
    }),

    route({
      method: 'GET',
      path: '/campaigns',
      operation: 'campaigns.list',
      scope: 'sms',
      summary: 'List campaigns',
      description: 'Newest first; `status` names one state.',
      tag,
      query: ListQuery,
      answer: CampaignPage,
      errors: [400],
      compress: true,
      run: ({ caller, query }) => findCampaigns(deps, caller, query),
    }),

    route({
      method: 'GET',
      path: '/campaigns/:id',
      operation: 'campaigns.get',
      scope: 'sms',
      summary: 'Read a campaign and how far it is',
      description: 'With its estimate, its progress and what became of it so far, from counters.',
      tag,
      params: IdParams,
      answer: CampaignWithOutcomesAnswer,
      errors: [404],
      run: ({ caller, params }) => readCampaign(deps, caller, params.id),
    }),

    route({
      method: 'PATCH',
      path: '/campaigns/:id',
      operation: 'campaigns.update',
      scope: 'sms',
      summary: 'Change a campaign that has not begun',
      description: 'Fields left out stay; null takes a value away. An estimate that it had counts no more.',
      tag,
      params: IdParams,
      body: CampaignChange,
      answer: CampaignAnswer,
      errors: [400, 404, 409, 413, 415],
      adds_faults: true,
      run: ({ caller, params, body, shape_faults }) => {
        if (typeof body.smartlist_id === 'string') requireLists(caller)
        return changeCampaign(deps, caller, params.id, body, shape_faults)
      },
    }),

    route({
      method: 'POST',
      path: '/campaigns/:id/recipients',
      operation: 'campaigns.addRecipients',
      scope: 'sms',
      summary: 'Upload people to a campaign',
      description: `Adds people behind those that are there: up to ${MAX_UPLOAD_ENTRIES.toLocaleString('en')} as JSON, or up to ${MAX_UPLOAD_BYTES / 1024 / 1024} MiB of CSV (as \`csv\`, or as the body with content type \`text/csv\`), as often as needed. With an \`Idempotency-Key\` a retry adds nothing. Bad numbers are taken: the estimate tells who is left out and why, and a number gets the message once however often it is uploaded.`,
      tag,
      params: IdParams,
      body: Upload,
      csv_limit: MAX_UPLOAD_BYTES,
      body_limit: MAX_UPLOAD_BYTES,
      answer: CampaignAnswer,
      errors: [400, 404, 409, 413, 415],
      idempotent: true,
      adds_faults: true,
      run: async ({ caller, params, body, shape_faults, idempotency }) => {
        const given = body instanceof Readable ? await wholeFile(body) : body
        const key = withFile(idempotency, given)
        return uploadRecipients(deps, caller, params.id, given, { shape_faults, idempotency: key })
      },
    }),

    route({
      method: 'DELETE',
      path: '/campaigns/:id/recipients',
      operation: 'campaigns.clearRecipients',
      scope: 'sms',
      summary: 'Take all uploaded people off a campaign',
      description: 'For a list that was wrong: upload another one afterwards. Only while it is a draft or estimated.',
      tag,
      params: IdParams,
      errors: [404, 409],
      run: ({ caller, params }) => removeRecipients(deps, caller, params.id),
    }),

    route({
      method: 'POST',
      path: '/campaigns/:id/estimate',
      operation: 'campaigns.estimate',
      scope: 'sms',
      summary: 'Work out what a campaign would be and cost',
      description:
        'Composes every text and counts its pages and price, and tells who is left out and why. The answer comes at once; read the campaign until it is `estimated`. Who will get it is fixed by this. Asked again, it begins anew.',
      tag,
      params: IdParams,
      answer: CampaignAnswer,
      errors: [404, 409],
      run: ({ caller, params }) => estimateCampaign(deps, caller, params.id),
    }),

    route({
      method: 'POST',
      path: '/campaigns/:id/test',
      operation: 'campaigns.test',
      scope: 'sms',
      summary: 'Send a campaign’s text to yourself',
      description: `To at most ${MAX_TEST_RECIPIENTS} numbers, with the values of the first person of the list. Charged as any message is.`,
      tag,
      params: IdParams,
      body: TestBody,
      answer: SentMessage,
      errors: [400, 402, 404, 409, 413, 415, 429],
      idempotent: true,
      adds_faults: true,
      receipt: true,
      run: ({ caller, params, body, shape_faults, idempotency }) =>
        sendTest(deps, caller, params.id, body, { shape_faults, idempotency }),
    }),

    route({
      method: 'POST',
      path: '/campaigns/:id/start',
      operation: 'campaigns.start',
      scope: 'sms',
      summary: 'Start a campaign',
      description:
        'At once, or at its `send_at`. Give the estimate’s figures back: 409 if they are not what was worked out last, 402 if the balance does not cover them. Slices are charged as they go; should the balance run out midway, the campaign is paused with the reason `insufficient_balance`.',
      tag,
      params: IdParams,
      body: StartBody,
      answer: CampaignAnswer,
      errors: [400, 402, 404, 409, 413, 415],
      run: ({ caller, params, body }) => startOf(deps, caller, params.id, body),
    }),

    route({
      method: 'POST',
      path: '/campaigns/:id/pause',
      operation: 'campaigns.pause',
      scope: 'sms',
      summary: 'Pause a campaign',
      description: 'No further slice is charged. The few thousand that were accepted before go out.',
      tag,
      params: IdParams,
      answer: CampaignAnswer,
      errors: [404, 409],
      run: ({ caller, params }) => pauseOf(deps, caller, params.id),
    }),

    route({
      method: 'POST',
      path: '/campaigns/:id/resume',
      operation: 'campaigns.resume',
      scope: 'sms',
      summary: 'Go on with a paused campaign',
      description: 'One that was paused because it would cost more than was confirmed goes on at the new price.',
      tag,
      params: IdParams,
      answer: CampaignAnswer,
      errors: [404, 409],
      run: ({ caller, params }) => resumeOf(deps, caller, params.id),
    }),

    route({
      method: 'POST',
      path: '/campaigns/:id/cancel',
      operation: 'campaigns.cancel',
      scope: 'sms',
      summary: 'Cancel a campaign',
      description:
        'What was charged and not handed over is taken back and refunded within moments; what a carrier has stays with it.',
      tag,
      params: IdParams,
      answer: CampaignAnswer,
      errors: [404, 409],
      run: ({ caller, params }) => cancelOf(deps, caller, params.id),
    }),

    route({
      method: 'GET',
      path: '/campaigns/:id/report',
      operation: 'campaigns.report',
      scope: 'sms',
      summary: 'See what became of a campaign',
      description:
        'Delivered, failed by reason and operator, clicks, replies, opt-outs and cost, over time, and which of several texts did best.',
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
      summary: 'Download everybody of a campaign as CSV',
      description: 'What each person got, and who was left out and why.',
      tag,
      params: IdParams,
      file: 'campaign.csv',
      errors: [404],
      run: ({ caller, params }) => exportCampaign(deps, caller, params.id),
    }),
  ]
}

/** Messages reveal the members of a list, so the key needs its scope. */
function requireLists(caller: Caller): void {
  const fault = scopeFault(caller, 'lists')
  if (fault) throw fault
}
