import { Type, type Static, type ObjectSchema, type Properties } from '../values/schema/type.ts'
import { AnalyticsReport } from '../analytics/schema.ts'
import { CampaignReport } from '../campaigns/report/schema.ts'
import { Campaign, CampaignWithOutcomes } from '../campaigns/schema.ts'
import { CallbackWithAttempts, ListedCallback } from '../callbacks/schema.ts'
import { Webhook, WebhookWithSecret } from '../callbacks/webhooks/schema.ts'
import { HookPage, HookWithSecret } from '../hooks/schema.ts'
import { SmppAccountPage, SmppAccountWithPassword } from '../smpp-accounts/schema.ts'
import { InboundMessage } from '../messaging/inbound/schema.ts'
import { MAX_OPTOUT_RECIPIENTS, Optout } from '../optouts/schema.ts'
import { SettingsAnswer } from '../organisations/schema.ts'
import { OrganisationOtpSettings } from '../otp/schema.ts'
import { Erasure } from '../people/schema.ts'
import { RequestWithContent } from '../requests/schema.ts'
import { RegisteredSender } from '../senders/schema.ts'
import { FAULT_TYPES, MAX_FAULTS } from '../values/refusal.ts'
import { RequestMeta } from './shapes.ts'

const Fault = Type.Object({
  field: Type.String({ description: 'The name the caller used.' }),
  message: Type.String({ description: 'What is wrong, in a sentence.' }),
  type: Type.Unsafe<string>({ type: 'string', enum: [...FAULT_TYPES], description: 'The kind of error.' }),
})
export type Fault = Static<typeof Fault>

export const ErrorAnswer = Type.Object({
  status: Type.Integer({ description: 'The HTTP status.' }),
  message: Type.String({ description: 'What went wrong, in a sentence.' }),
  errors: Type.Optional(
    Type.Array(Fault, {
      maxItems: MAX_FAULTS,
      description: `One item per error; the first ${MAX_FAULTS}, if there are more.`,
    }),
  ),
})
export type ErrorAnswer = Static<typeof ErrorAnswer>

/** Adds `meta`, which describes the request, to a module's shape. */
function withMeta<Shape extends Properties>({ properties }: ObjectSchema<Shape>) {
  return Type.Object({ ...properties, meta: RequestMeta })
}

export const AnalyticsAnswer = withMeta(AnalyticsReport)
export const CallbackAnswer = withMeta(ListedCallback)
export const CampaignAnswer = withMeta(Campaign)
export const CampaignWithOutcomesAnswer = withMeta(CampaignWithOutcomes)
export const CampaignReportAnswer = withMeta(CampaignReport)
export const HooksAnswer = withMeta(HookPage)
export const HookWithSecretAnswer = withMeta(HookWithSecret)
export const SmppAccountsAnswer = withMeta(SmppAccountPage)
export const SmppAccountWithPasswordAnswer = withMeta(SmppAccountWithPassword)
export const CallbackWithAttemptsAnswer = withMeta(CallbackWithAttempts)
export const InboundAnswer = withMeta(InboundMessage)
export const OrganisationSettingsAnswer = withMeta(SettingsAnswer)
export const OtpSettingsAnswer = withMeta(OrganisationOtpSettings)
export const RequestAnswer = withMeta(RequestWithContent)
export const SenderAnswer = withMeta(RegisteredSender)
export const WebhookAnswer = withMeta(Webhook)
export const WebhookWithSecretAnswer = withMeta(WebhookWithSecret)

export const ErasureAnswer = withMeta(Erasure)

export const OptoutsAnswer = Type.Object({
  optouts: Type.Array(Optout, { maxItems: MAX_OPTOUT_RECIPIENTS }),
  meta: RequestMeta,
})
