// Written by `npm run clients` from openapi.json.
import type {
  AccountPage,
  AnalyticsAnswer,
  Assignees,
  BoughtPurchase,
  BulkAnswer,
  CallbackAnswer,
  CallbackPage,
  CallbackWithAttemptsAnswer,
  CampaignAnswer,
  CampaignPage,
  CampaignRecipientPage,
  CampaignReportAnswer,
  CampaignWithOutcomesAnswer,
  Change,
  ColumnAnswer,
  ContactTable,
  ContactsColumnsListAnswer,
  ContactsImportsListAnswer,
  ConversationMessage,
  ConversationPage,
  Conversion,
  CountedSmartlist,
  ErasureAnswer,
  ErasurePage,
  ExplainedMessageEstimate,
  Explanation,
  GuardPage,
  HookWithSecretAnswer,
  HooksAnswer,
  ImportWithFaults,
  InboundAnswer,
  InboundPage,
  ListSend,
  LookupAnswer,
  LookupsAnswer,
  Media,
  MediaPage,
  MessageCostPage,
  MessageWithDeliveries,
  MetaTemplate,
  MetaTemplates,
  OptoutPage,
  OptoutsAnswer,
  OrganisationSettingsAnswer,
  OtpRecord,
  OtpSettingsAnswer,
  PersonExport,
  PurchasePage,
  ReadPurchase,
  RequestAnswer,
  RequestPage,
  RowAnswer,
  RowsAnswer,
  SandboxPage,
  SenderAnswer,
  SenderPage,
  SentMessage,
  SmartlistPage,
  SmppAccountWithPasswordAnswer,
  SmppAccountsAnswer,
  SmsListAnswer,
  Template,
  TemplatePage,
  Thread,
  WebhookAnswer,
  WebhookPage,
  WebhookWithSecretAnswer,
  WebhooksReplayAnswer,
} from './types.ts'

/** Body of a successful answer, by method and path: `undefined` for 204, a string or bytes for files. */
export type Answers = {
  'POST /sms/send': SentMessage
  'POST /sms/estimate': ExplainedMessageEstimate
  'GET /sms/{id}': MessageWithDeliveries
  'DELETE /sms/{id}': undefined
  'GET /sms/{id}/explain': Explanation
  'GET /sms': SmsListAnswer
  'POST /campaigns': CampaignAnswer
  'GET /campaigns': CampaignPage
  'GET /campaigns/{id}': CampaignWithOutcomesAnswer
  'PATCH /campaigns/{id}': CampaignAnswer
  'POST /campaigns/{id}/recipients': CampaignAnswer
  'DELETE /campaigns/{id}/recipients': undefined
  'GET /campaigns/{id}/recipients': CampaignRecipientPage
  'POST /campaigns/{id}/estimate': CampaignAnswer
  'POST /campaigns/{id}/test': SentMessage
  'POST /campaigns/{id}/start': CampaignAnswer
  'POST /campaigns/{id}/pause': CampaignAnswer
  'POST /campaigns/{id}/resume': CampaignAnswer
  'POST /campaigns/{id}/cancel': CampaignAnswer
  'POST /campaigns/{id}/copy': CampaignAnswer
  'POST /campaigns/{id}/resend': CampaignAnswer
  'GET /campaigns/{id}/report': CampaignReportAnswer
  'GET /campaigns/{id}/report.csv': string
  'GET /senders': SenderPage
  'POST /senders': SenderAnswer
  'GET /senders/{id}': SenderAnswer
  'PATCH /senders/{id}': SenderAnswer
  'DELETE /senders/{id}': undefined
  'GET /optouts': OptoutPage
  'POST /optouts': OptoutsAnswer
  'DELETE /optouts/{id}': undefined
  'GET /inbound': InboundPage
  'GET /inbound/{id}': InboundAnswer
  'POST /media': Media
  'GET /media': MediaPage
  'GET /media/{id}': Media
  'DELETE /media/{id}': undefined
  'GET /media/{id}/content': Uint8Array
  'GET /conversations': ConversationPage
  'GET /conversations/{phone}': Thread
  'POST /conversations/{phone}/messages': SentMessage
  'POST /conversations/{phone}/read': undefined
  'GET /conversations/assignees': Assignees
  'POST /conversations/{phone}/assign': undefined
  'POST /conversations/{phone}/close': undefined
  'POST /conversations/{phone}/reopen': undefined
  'POST /conversations/{phone}/notes': ConversationMessage
  'DELETE /notes/{note_id}': undefined
  'POST /templates': Template
  'GET /templates': TemplatePage
  'GET /templates/{id}': Template
  'PATCH /templates/{id}': Template
  'DELETE /templates/{id}': undefined
  'POST /whatsapp/templates': MetaTemplate
  'GET /whatsapp/templates': MetaTemplates
  'GET /whatsapp/templates/{id}': MetaTemplate
  'PATCH /whatsapp/templates/{id}': MetaTemplate
  'DELETE /whatsapp/templates/{id}': undefined
  'POST /otp/request_token': OtpRecord
  'POST /otp/verify': OtpRecord
  'GET /otp/{id}': OtpRecord
  'DELETE /otp/{id}': undefined
  'GET /otp/get-by-recipient': OtpRecord[]
  'GET /otp/settings': OtpSettingsAnswer
  'PATCH /otp/settings': OtpSettingsAnswer
  'GET /otp/guard': GuardPage
  'DELETE /otp/guard/{prefix}': undefined
  'POST /airtime/buy': BoughtPurchase
  'GET /airtime/{id}': ReadPurchase
  'GET /airtime': PurchasePage
  'POST /lookup/phone': LookupAnswer
  'POST /lookup/phones': LookupsAnswer
  'GET /lists/contact': ContactTable
  'POST /lists/contact/rows': RowAnswer
  'GET /lists/contact/rows': RowsAnswer
  'POST /lists/contact/rows/bulk': BulkAnswer
  'GET /lists/contact/rows/{row_id}': RowAnswer
  'PATCH /lists/contact/rows/{row_id}': RowAnswer
  'DELETE /lists/contact/rows/{row_id}': undefined
  'GET /lists/contact/columns': ContactsColumnsListAnswer
  'POST /lists/contact/columns': ColumnAnswer
  'PATCH /lists/contact/columns/{column_id}': ColumnAnswer
  'DELETE /lists/contact/columns/{column_id}': undefined
  'POST /lists/contact/columns/{column_id}/conversions': Conversion
  'GET /lists/contact/conversions/{id}': Conversion
  'POST /lists/contact/conversions/{id}/undo': Conversion
  'POST /lists/contact/rows/query': RowsAnswer
  'POST /lists/contact/rows/export': string
  'POST /lists/contact/changes': Change
  'GET /lists/contact/changes/{id}': Change
  'POST /lists/contact/changes/{id}/undo': Change
  'GET /lists/contact/smartlists': SmartlistPage
  'POST /lists/contact/smartlists': CountedSmartlist
  'GET /lists/contact/smartlists/{id}': CountedSmartlist
  'PATCH /lists/contact/smartlists/{id}': CountedSmartlist
  'DELETE /lists/contact/smartlists/{id}': undefined
  'POST /lists/contact/imports': ImportWithFaults
  'GET /lists/contact/imports': ContactsImportsListAnswer
  'GET /lists/contact/imports/{id}': ImportWithFaults
  'DELETE /lists/contact/imports/{id}': undefined
  'GET /lists/contact/imports/{id}/rejects': string
  'POST /lists/contact/sends': ListSend
  'GET /lists/contact/sends/{id}': ListSend
  'DELETE /lists/contact/sends/{id}': undefined
  'POST /people/export': PersonExport
  'POST /people/erasures': ErasureAnswer
  'GET /people/erasures': ErasurePage
  'GET /people/erasures/{id}': ErasureAnswer
  'GET /balance': AccountPage
  'GET /balance.csv': string
  'GET /balance/messages': MessageCostPage
  'GET /balance/messages.csv': string
  'GET /requests': RequestPage
  'GET /requests/{request_id}': RequestAnswer
  'GET /analytics': AnalyticsAnswer
  'GET /analytics.csv': string
  'GET /settings': OrganisationSettingsAnswer
  'PATCH /settings': OrganisationSettingsAnswer
  'GET /callbacks': CallbackPage
  'GET /callbacks/{id}': CallbackWithAttemptsAnswer
  'POST /callbacks/{id}/replay': CallbackAnswer
  'GET /webhooks': WebhookPage
  'POST /webhooks': WebhookWithSecretAnswer
  'GET /webhooks/{id}': WebhookAnswer
  'PATCH /webhooks/{id}': WebhookAnswer
  'DELETE /webhooks/{id}': undefined
  'POST /webhooks/{id}/rotate': WebhookWithSecretAnswer
  'POST /webhooks/{id}/test': CallbackAnswer
  'POST /webhooks/{id}/replay': WebhooksReplayAnswer
  'GET /hooks': HooksAnswer
  'POST /hooks': HookWithSecretAnswer
  'DELETE /hooks/{name}': undefined
  'GET /smpp/accounts': SmppAccountsAnswer
  'POST /smpp/accounts': SmppAccountWithPasswordAnswer
  'DELETE /smpp/accounts/{system_id}': undefined
  'GET /sandbox/messages': SandboxPage
  'POST /sandbox/reply': InboundAnswer
}
