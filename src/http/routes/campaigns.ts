import { Readable } from 'node:stream'
import { Type } from '../../values/schema/type.ts'
import { cancelOf, estimateCampaign, pauseOf, resumeOf, startOf } from '../../campaigns/control.ts'
import { changeCampaign, createCampaign } from '../../campaigns/draft/create.ts'
import { removeRecipients, uploadRecipients } from '../../campaigns/draft/upload.ts'
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_ENTRIES, UploadBody } from '../../campaigns/draft/upload-schema.ts'
import { findCampaigns, readCampaign } from '../../campaigns/read.ts'
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
import { CampaignAnswer, CampaignWithOutcomesAnswer } from '../schema.ts'
import { IdParams } from '../shapes.ts'

const tag = 'Campaigns'

const ListQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(
    Type.Unsafe<CampaignStatus>({
      type: 'string',
      enum: [...CAMPAIGN_STATUSES],
      description: 'Only campaigns of this status.',
    }),
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
      summary: 'Create a campaign',
      description:
        'A message to many people, with a life cycle: `draft` → `estimated` → `scheduled` → `running` → `paused` → `finished` or `canceled`. This stores a draft: nothing is sent or charged before it is estimated and started. With `smartlist_id` the key also needs the scope `lists`.',
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
      description: 'Newest first, optionally of one `status`.',
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
      summary: 'Read a campaign and its progress',
      description: 'With its estimate, its progress and its outcomes so far, from counters.',
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
      summary: 'Change a campaign that has not started',
      description: 'Fields that are left out stay; null removes a value. A previous estimate becomes invalid.',
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
      description: `Adds people to those already uploaded: up to ${MAX_UPLOAD_ENTRIES.toLocaleString('en')} as JSON, or up to ${MAX_UPLOAD_BYTES / 1024 / 1024} MiB of CSV (as \`csv\`, or as the body with content type \`text/csv\`), in any number of requests. With an \`Idempotency-Key\` a retry adds nothing. Invalid numbers are accepted: the estimate reports who is left out and why. A number receives the message once, however often it is uploaded.`,
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
      summary: 'Remove all uploaded people from a campaign',
      description: 'To upload another list afterwards. Only while the campaign is a draft or estimated.',
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
      summary: 'Estimate a campaign',
      description:
        'Composes every text, counts its pages and price, and reports who is left out and why. Answers immediately; read the campaign until it is `estimated`. The estimate fixes the recipients. A second request restarts it.',
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
      summary: 'Send a test of a campaign',
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
        'Immediately, or at its `send_at`. Send the figures of the estimate: 409 if they are not those of the last estimate, 402 if the balance does not cover them. Slices are charged as they are sent; if the balance runs out, the campaign is paused with the reason `insufficient_balance`.',
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
      description: 'No further slice is charged. The few thousand messages accepted before are still sent.',
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
      summary: 'Resume a paused campaign',
      description: 'A campaign paused because it would cost more than confirmed continues at the new price.',
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
        'Messages not yet submitted to a carrier are canceled and refunded within moments; submitted ones are not.',
      tag,
      params: IdParams,
      answer: CampaignAnswer,
      errors: [404, 409],
      run: ({ caller, params }) => cancelOf(deps, caller, params.id),
    }),
  ]
}

/** Messages reveal the members of a list, so the key needs its scope. */
function requireLists(caller: Caller): void {
  const fault = scopeFault(caller, 'lists')
  if (fault) throw fault
}
