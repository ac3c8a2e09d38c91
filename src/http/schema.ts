import { Type, type Static, type ObjectSchema, type Properties } from '../values/schema/type.ts'
import { BoughtPurchase, PurchasePage, ReadPurchase } from '../airtime/schema.ts'
import { AnalyticsReport } from '../analytics/schema.ts'
import { AccountPage, MessageCostPage } from '../billing/schema.ts'
import { CampaignReport } from '../campaigns/report/schema.ts'
import { ListSend } from '../campaigns/list-send/schema.ts'
import { Campaign, CampaignPage, CampaignWithOutcomes } from '../campaigns/schema.ts'
import { CallbackPage, CallbackWithAttempts, ListedCallback } from '../callbacks/schema.ts'
import { Webhook, WebhookPage, WebhookWithSecret } from '../callbacks/webhooks/schema.ts'
import { SandboxPage } from '../carriers/simulator/schema.ts'
import { Change } from '../contacts/changes/schema.ts'
import { ImportWithFaults } from '../contacts/import/schema.ts'
import { CountedSmartlist, RowsAnswer, SmartlistPage } from '../contacts/query/schema.ts'
import { ColumnAnswer, ContactTable, RowAnswer } from '../contacts/schema.ts'
import { HookPage, HookWithSecret } from '../hooks/schema.ts'
import { SmppAccountPage, SmppAccountWithPassword } from '../smpp-accounts/schema.ts'
import { LookupsAnswer } from '../lookup/schema.ts'
import { MessageEstimate } from '../messaging/compose/estimate-schema.ts'
import { ConversationPage, Thread } from '../messaging/conversations/schema.ts'
import { InboundMessage, InboundPage } from '../messaging/inbound/schema.ts'
import { SentMessage } from '../messaging/schema.ts'
import { MAX_OPTOUT_RECIPIENTS, Optout, OptoutPage } from '../optouts/schema.ts'
import { SettingsAnswer } from '../organisations/schema.ts'
import { GuardPage, OrganisationOtpSettings, OtpRecord } from '../otp/schema.ts'
import { Erasure, ErasurePage, PersonExport } from '../people/schema.ts'
import { RequestPage, RequestWithContent } from '../requests/schema.ts'
import { RegisteredSender, SenderPage } from '../senders/schema.ts'
import { Template, TemplatePage } from '../templates/schema.ts'
import { FAULT_TYPES, MAX_FAULTS } from '../values/refusal.ts'
import { RequestMeta } from './shapes.ts'

/** What is wrong with a field. */
const Fault = Type.Object({
  field: Type.String({ description: 'The name the caller used.' }),
  message: Type.String({ description: 'What is wrong with it, in a sentence.' }),
  type: Type.Unsafe<string>({ type: 'string', enum: [...FAULT_TYPES], description: 'The kind of fault.' }),
})
export type Fault = Static<typeof Fault>

/** Every answer that is not a success. */
export const ErrorAnswer = Type.Object({
  status: Type.Integer({ description: 'The HTTP status.' }),
  message: Type.String({ description: 'What went wrong, in a sentence.' }),
  errors: Type.Optional(
    Type.Array(Fault, {
      maxItems: MAX_FAULTS,
      description: `One item per fault; the first ${MAX_FAULTS}, if there are more.`,
    }),
  ),
})
export type ErrorAnswer = Static<typeof ErrorAnswer>

/** The answer is what a room knows, with the request it answers in `meta`. */
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

/** A 204: done, and there is nothing to say about it. */
export const Nothing = Type.Undefined()
/** A file to download. */
export const CsvFile = Type.String()

/**
 * What the operations of the public API answer, as far as the console uses them. A test holds this table to
 * openapi.json; the console takes the types of its answers from it, by method and path.
 */
export const PUBLIC_ANSWERS = {
  'GET /airtime': PurchasePage,
  'GET /airtime/{id}': ReadPurchase,
  'POST /airtime/buy': BoughtPurchase,
  'GET /analytics': AnalyticsAnswer,
  'GET /analytics.csv': CsvFile,
  'GET /balance': AccountPage,
  'GET /balance.csv': CsvFile,
  'GET /balance/messages': MessageCostPage,
  'GET /balance/messages.csv': CsvFile,
  'GET /callbacks': CallbackPage,
  'GET /callbacks/{id}': CallbackWithAttemptsAnswer,
  'POST /callbacks/{id}/replay': CallbackAnswer,
  'GET /campaigns': CampaignPage,
  'POST /campaigns': CampaignAnswer,
  'GET /campaigns/{id}': CampaignWithOutcomesAnswer,
  'PATCH /campaigns/{id}': CampaignAnswer,
  'POST /campaigns/{id}/cancel': CampaignAnswer,
  'POST /campaigns/{id}/estimate': CampaignAnswer,
  'POST /campaigns/{id}/pause': CampaignAnswer,
  'POST /campaigns/{id}/recipients': CampaignAnswer,
  'DELETE /campaigns/{id}/recipients': Nothing,
  'GET /campaigns/{id}/report': CampaignReportAnswer,
  'GET /campaigns/{id}/report.csv': CsvFile,
  'POST /campaigns/{id}/resume': CampaignAnswer,
  'POST /campaigns/{id}/start': CampaignAnswer,
  'POST /campaigns/{id}/test': SentMessage,
  'GET /conversations': ConversationPage,
  'GET /conversations/{phone}': Thread,
  'POST /conversations/{phone}/messages': SentMessage,
  'POST /conversations/{phone}/read': Nothing,
  'GET /hooks': HooksAnswer,
  'POST /hooks': HookWithSecretAnswer,
  'DELETE /hooks/{name}': Nothing,
  'GET /inbound': InboundPage,
  'GET /lists/contact': ContactTable,
  'POST /lists/contact/changes': Change,
  'GET /lists/contact/changes/{id}': Change,
  'POST /lists/contact/changes/{id}/undo': Change,
  'POST /lists/contact/columns': ColumnAnswer,
  'PATCH /lists/contact/columns/{column_id}': ColumnAnswer,
  'DELETE /lists/contact/columns/{column_id}': Nothing,
  'POST /lists/contact/imports': ImportWithFaults,
  'GET /lists/contact/imports/{id}': ImportWithFaults,
  'GET /lists/contact/imports/{id}/rejects': CsvFile,
  'POST /lists/contact/rows': RowAnswer,
  'POST /lists/contact/rows/export': CsvFile,
  'POST /lists/contact/rows/query': RowsAnswer,
  'GET /lists/contact/rows/{row_id}': RowAnswer,
  'PATCH /lists/contact/rows/{row_id}': RowAnswer,
  'DELETE /lists/contact/rows/{row_id}': Nothing,
  'POST /lists/contact/sends': ListSend,
  'GET /lists/contact/sends/{id}': ListSend,
  'GET /lists/contact/smartlists': SmartlistPage,
  'POST /lists/contact/smartlists': CountedSmartlist,
  'GET /lists/contact/smartlists/{id}': CountedSmartlist,
  'PATCH /lists/contact/smartlists/{id}': CountedSmartlist,
  'DELETE /lists/contact/smartlists/{id}': Nothing,
  'POST /lookup/phones': LookupsAnswer,
  'GET /optouts': OptoutPage,
  'POST /optouts': OptoutsAnswer,
  'DELETE /optouts/{id}': Nothing,
  'GET /otp/guard': GuardPage,
  'DELETE /otp/guard/{prefix}': Nothing,
  'POST /otp/request_token': OtpRecord,
  'GET /otp/settings': OtpSettingsAnswer,
  'PATCH /otp/settings': OtpSettingsAnswer,
  'POST /otp/verify': OtpRecord,
  'GET /people/erasures': ErasurePage,
  'POST /people/erasures': ErasureAnswer,
  'GET /people/erasures/{id}': ErasureAnswer,
  'POST /people/export': PersonExport,
  'GET /requests': RequestPage,
  'GET /requests/{request_id}': RequestAnswer,
  'GET /sandbox/messages': SandboxPage,
  'POST /sandbox/reply': InboundAnswer,
  'GET /senders': SenderPage,
  'POST /senders': SenderAnswer,
  'DELETE /senders/{id}': Nothing,
  'GET /settings': OrganisationSettingsAnswer,
  'PATCH /settings': OrganisationSettingsAnswer,
  'GET /smpp/accounts': SmppAccountsAnswer,
  'POST /smpp/accounts': SmppAccountWithPasswordAnswer,
  'DELETE /smpp/accounts/{system_id}': Nothing,
  'POST /sms/estimate': MessageEstimate,
  'POST /sms/send': SentMessage,
  'DELETE /sms/{id}': Nothing,
  'GET /templates': TemplatePage,
  'POST /templates': Template,
  'GET /templates/{id}': Template,
  'PATCH /templates/{id}': Template,
  'DELETE /templates/{id}': Nothing,
  'GET /webhooks': WebhookPage,
  'POST /webhooks': WebhookWithSecretAnswer,
  'PATCH /webhooks/{id}': WebhookAnswer,
  'DELETE /webhooks/{id}': Nothing,
  'POST /webhooks/{id}/rotate': WebhookWithSecretAnswer,
  'POST /webhooks/{id}/test': CallbackAnswer,
} as const
export type PublicAnswers = {
  [Operation in keyof typeof PUBLIC_ANSWERS]: Static<(typeof PUBLIC_ANSWERS)[Operation]>
}
