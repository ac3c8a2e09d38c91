// Written by `npm run clients` from openapi.json.
import type { Call, CallOptions, Each, FileToUpload } from './call.ts'
import type {
  AccountPage,
  AirtimeBuyBody,
  AnalyticsAnswer,
  Assignees,
  BoughtPurchase,
  BulkAnswer,
  CallbackAnswer,
  CallbackPage,
  CallbackWithAttemptsAnswer,
  Campaign,
  CampaignAnswer,
  CampaignPage,
  CampaignRecipientPage,
  CampaignReportAnswer,
  CampaignWithOutcomesAnswer,
  CampaignsAddRecipientsBody,
  CampaignsCreateBody,
  CampaignsStartBody,
  CampaignsTestBody,
  CampaignsUpdateBody,
  Change,
  ColumnAnswer,
  ContactRow,
  ContactTable,
  ContactsChangesCreateBody,
  ContactsColumnsCreateBody,
  ContactsColumnsListAnswer,
  ContactsColumnsUpdateBody,
  ContactsConversionsCreateBody,
  ContactsImportsCreateBody,
  ContactsImportsListAnswer,
  ContactsRowsBulkBody,
  ContactsRowsCreateBody,
  ContactsRowsExportBody,
  ContactsRowsQueryBody,
  ContactsSendsCreateBody,
  ContactsSmartlistsCreateBody,
  ContactsSmartlistsUpdateBody,
  ConversationMessage,
  ConversationPage,
  ConversationsAnswerBody,
  ConversationsAssignBody,
  ConversationsCloseBody,
  ConversationsNotesCreateBody,
  ConversationsReadBody,
  Conversion,
  CountedSmartlist,
  Erasure,
  ErasureAnswer,
  ErasurePage,
  ExplainedMessageEstimate,
  Explanation,
  GuardPage,
  GuardedPrefix,
  HookWithSecretAnswer,
  HooksAnswer,
  HooksCreateBody,
  Import,
  ImportWithFaults,
  InboundAnswer,
  InboundMessage,
  InboundPage,
  LedgerEntry,
  ListSend,
  ListedCallback,
  ListedConversation,
  ListedMessage,
  ListedPurchase,
  LoggedRequest,
  LookupAnswer,
  LookupPhoneBody,
  LookupPhonesBody,
  LookupsAnswer,
  Media,
  MediaPage,
  MessageCostPage,
  MessageWithDeliveries,
  MetaTemplate,
  MetaTemplates,
  Optout,
  OptoutPage,
  OptoutsAnswer,
  OptoutsCreateBody,
  OrganisationSettingsAnswer,
  OtpRecord,
  OtpRequestBody,
  OtpSettingsAnswer,
  OtpSettingsUpdateBody,
  OtpVerifyBody,
  PeopleExportBody,
  PersonExport,
  PurchasePage,
  ReadPurchase,
  RegisteredSender,
  RequestAnswer,
  RequestPage,
  RowAnswer,
  RowsAnswer,
  SandboxMessage,
  SandboxPage,
  SandboxReplyBody,
  SenderAnswer,
  SenderPage,
  SendersCreateBody,
  SendersUpdateBody,
  SentMessage,
  SettingsUpdateBody,
  Smartlist,
  SmartlistPage,
  SmppAccountWithPasswordAnswer,
  SmppAccountsAnswer,
  SmppAccountsCreateBody,
  SmsEstimateBody,
  SmsListAnswer,
  SmsSendBody,
  Template,
  TemplatePage,
  TemplatesCreateBody,
  TemplatesUpdateBody,
  Thread,
  Webhook,
  WebhookAnswer,
  WebhookPage,
  WebhookWithSecretAnswer,
  WebhooksCreateBody,
  WebhooksReplayAnswer,
  WebhooksReplayBody,
  WebhooksRotateBody,
  WebhooksUpdateBody,
  WhatsappTemplatesCreateBody,
  WhatsappTemplatesUpdateBody,
} from './types.ts'

export type Methods = ReturnType<typeof methods>

/** Every operation, by the name it has in all clients. */
export function methods(call: Call, each: Each) {
  return {
    sms: {
      /** Send a message. Sends a text to one or several phone numbers. The charge is taken immediately and refunded for every recipient the message was never submitted for. With an `Idempotency-Key` a retry within 24 hours gets the first answer again and is not charged. A `smartlist_id` in place of `recipients` is accepted too, and answered like `POST /lists/contact/sends`. */
      send: (body: SmsSendBody, options?: CallOptions) =>
        call<SentMessage>({ method: 'POST', path: '/sms/send', body, keyed: true }, options),
      /** Estimate a message. Accepts and validates the body of `POST /sms/send`, but stores, charges and sends nothing. Returns each text, its encoding and pages, the characters that force UCS-2 and their positions, the cost of the text in GSM, and the result of smart encoding. `available_balance` is the balance after the charge; `is_covered` says whether it would be charged. With `explain` the answer says why, as `GET /sms/{id}/explain` does for a message. */
      estimate: (body: SmsEstimateBody, options?: CallOptions) =>
        call<ExplainedMessageEstimate>({ method: 'POST', path: '/sms/estimate', body }, options),
      /** Read a message and its deliveries. With one delivery per recipient, in their order: its status, its price, and the report of the carrier. The answer to a message with many recipients is streamed, in chunks and without a `content-length`; its fields may be in another order. */
      get: (id: string, options?: CallOptions) =>
        call<MessageWithDeliveries>({ method: 'GET', path: `/sms/${encodeURIComponent(id)}` }, options),
      /** Cancel a scheduled message. Every delivery still `scheduled`, for its `send_at` or for quiet hours, becomes `canceled` and is refunded. Deliveries that became due meanwhile are sent; if none is left to cancel, the answer is 409. */
      cancel: (id: string, options?: CallOptions) =>
        call<void>({ method: 'DELETE', path: `/sms/${encodeURIComponent(id)}` }, options),
      /** Explain a message. For each recipient, in sentences and as data: the encoding and pages of the text and the characters that forced UCS-2, the price rule and why it applied, the route, its carriers and why one was chosen or skipped, every attempt with the answer of the carrier, and what was refunded and why. It is computed from what is stored; what is not stored is said to be unknown. Names of carriers and price lists are for operators of the installation, in the console. */
      explain: (id: string, query: { recipient?: string; limit?: number; page?: number } = {}, options?: CallOptions) =>
        call<Explanation>({ method: 'GET', path: `/sms/${encodeURIComponent(id)}/explain`, query }, options),
      /** List messages. Newest first, all of them or those with your `external_ref` or of a campaign. */
      list: (
        query: { limit?: number; page?: number; query_id?: string; external_ref?: string; campaign_id?: string } = {},
        options?: CallOptions,
      ) => call<SmsListAnswer>({ method: 'GET', path: '/sms', query }, options),
      /** All entries of `list`, page after page. */
      each: (
        query: { limit?: number; page?: number; query_id?: string; external_ref?: string; campaign_id?: string } = {},
        options?: CallOptions,
      ) => each<ListedMessage>({ method: 'GET', path: '/sms', query }, 'messages', options),
    },
    campaigns: {
      /** Create a campaign. A message to many people, with a life cycle: `draft` → `estimated` → `scheduled` → `running` → `paused` → `finished` or `canceled`. This stores a draft: nothing is sent or charged before it is estimated and started. With `smartlist_id` the key also needs the scope `lists`. */
      create: (body: CampaignsCreateBody, options?: CallOptions) =>
        call<CampaignAnswer>({ method: 'POST', path: '/campaigns', body, keyed: true }, options),
      /** List campaigns. Newest first, optionally of one `status`. */
      list: (
        query: {
          limit?: number
          page?: number
          query_id?: string
          status?: 'draft' | 'estimating' | 'estimated' | 'scheduled' | 'running' | 'paused' | 'finished' | 'canceled'
        } = {},
        options?: CallOptions,
      ) => call<CampaignPage>({ method: 'GET', path: '/campaigns', query }, options),
      /** Read a campaign and its progress. With its estimate, its progress and its outcomes so far, from counters. */
      get: (id: string, options?: CallOptions) =>
        call<CampaignWithOutcomesAnswer>({ method: 'GET', path: `/campaigns/${encodeURIComponent(id)}` }, options),
      /** Change a campaign that has not started. Fields that are left out stay; null removes a value. A previous estimate becomes invalid. */
      update: (id: string, body: CampaignsUpdateBody, options?: CallOptions) =>
        call<CampaignAnswer>({ method: 'PATCH', path: `/campaigns/${encodeURIComponent(id)}`, body }, options),
      /** Upload people to a campaign. Adds people to those already uploaded: up to 10,000 as JSON, or up to 8 MiB of CSV (as `csv`, or as the body with content type `text/csv`), in any number of requests. With an `Idempotency-Key` a retry adds nothing. Invalid numbers are accepted: the estimate reports who is left out and why. A number receives the message once, however often it is uploaded. */
      addRecipients: (id: string, body: CampaignsAddRecipientsBody, options?: CallOptions) =>
        call<CampaignAnswer>(
          { method: 'POST', path: `/campaigns/${encodeURIComponent(id)}/recipients`, body, keyed: true },
          options,
        ),
      /** Remove all uploaded people from a campaign. To upload another list afterwards. Only while the campaign is a draft or estimated. */
      clearRecipients: (id: string, options?: CallOptions) =>
        call<void>({ method: 'DELETE', path: `/campaigns/${encodeURIComponent(id)}/recipients` }, options),
      /** List some recipients of a campaign. Those that were uploaded, left out by the estimate, or not reached. Not counted: `GET /campaigns/{id}` and its report have the totals. A page may be short, and is continued with `query_id`. */
      listRecipients: (
        id: string,
        query: {
          limit?: number
          query_id?: string
          outcome?: 'uploaded' | 'left_out' | 'failed'
          reason?:
            | 'opted_out'
            | 'dnd'
            | 'no_number'
            | 'bad_number'
            | 'twice'
            | 'incomplete'
            | 'too_long'
            | 'no_route'
            | 'no_window'
            | 'blocked'
        } = {},
        options?: CallOptions,
      ) =>
        call<CampaignRecipientPage>(
          { method: 'GET', path: `/campaigns/${encodeURIComponent(id)}/recipients`, query },
          options,
        ),
      /** Estimate a campaign. Composes every text, counts its pages and price, and reports who is left out and why. Answers immediately; read the campaign until it is `estimated`. The estimate fixes the recipients. A second request restarts it. */
      estimate: (id: string, options?: CallOptions) =>
        call<CampaignAnswer>({ method: 'POST', path: `/campaigns/${encodeURIComponent(id)}/estimate` }, options),
      /** Send a test of a campaign. To at most 5 numbers, with the values of the first person of the list. Charged as any message is. */
      test: (id: string, body: CampaignsTestBody, options?: CallOptions) =>
        call<SentMessage>(
          { method: 'POST', path: `/campaigns/${encodeURIComponent(id)}/test`, body, keyed: true },
          options,
        ),
      /** Start a campaign. Immediately, or at its `send_at`. Send the figures of the estimate: 409 if they are not those of the last estimate, 402 if the balance does not cover them. Slices are charged as they are sent; if the balance runs out, the campaign is paused with the reason `insufficient_balance`. */
      start: (id: string, body: CampaignsStartBody, options?: CallOptions) =>
        call<CampaignAnswer>({ method: 'POST', path: `/campaigns/${encodeURIComponent(id)}/start`, body }, options),
      /** Pause a campaign. No further slice is charged. The few thousand messages accepted before are still sent. */
      pause: (id: string, options?: CallOptions) =>
        call<CampaignAnswer>({ method: 'POST', path: `/campaigns/${encodeURIComponent(id)}/pause` }, options),
      /** Resume a paused campaign. A campaign paused because it would cost more than confirmed continues at the new price. */
      resume: (id: string, options?: CallOptions) =>
        call<CampaignAnswer>({ method: 'POST', path: `/campaigns/${encodeURIComponent(id)}/resume` }, options),
      /** Cancel a campaign. Messages not yet submitted to a carrier are canceled and refunded within moments; submitted ones are not. */
      cancel: (id: string, options?: CallOptions) =>
        call<CampaignAnswer>({ method: 'POST', path: `/campaigns/${encodeURIComponent(id)}/cancel` }, options),
      /** Duplicate a campaign. Creates a draft with its content, settings and recipients, without its start time. With an `Idempotency-Key` a retry returns the same draft. */
      copy: (id: string, options?: CallOptions) =>
        call<CampaignAnswer>(
          { method: 'POST', path: `/campaigns/${encodeURIComponent(id)}/copy`, keyed: true },
          options,
        ),
      /** Prepare a campaign for the recipients that were not reached. Creates a draft with the same content for the recipients whose delivery failed, to be estimated and started like any other. A repeated request returns the same draft until that is canceled, so that no recipient gets it twice. Recipients whose outcome is `unknown` may have received the message and are not included. 409 while the campaign is running, or if no delivery failed. */
      resend: (id: string, options?: CallOptions) =>
        call<CampaignAnswer>({ method: 'POST', path: `/campaigns/${encodeURIComponent(id)}/resend` }, options),
      /** Read the report of a campaign. Deliveries, failures by reason and operator, clicks, replies, opt-outs and cost, over time, and the best of several texts. */
      report: (id: string, options?: CallOptions) =>
        call<CampaignReportAnswer>({ method: 'GET', path: `/campaigns/${encodeURIComponent(id)}/report` }, options),
      /** Download the recipients of a campaign as CSV. What each person received, and who was left out and why; or only some of them. */
      exportReport: (id: string, query: { outcome?: 'left_out' | 'failed' } = {}, options?: CallOptions) =>
        call<string>({ method: 'GET', path: `/campaigns/${encodeURIComponent(id)}/report.csv`, query }, options),
      /** All entries of `list`, page after page. */
      each: (
        query: {
          limit?: number
          page?: number
          query_id?: string
          status?: 'draft' | 'estimating' | 'estimated' | 'scheduled' | 'running' | 'paused' | 'finished' | 'canceled'
        } = {},
        options?: CallOptions,
      ) => each<Campaign>({ method: 'GET', path: '/campaigns', query }, 'campaigns', options),
    },
    senders: {
      /** List your senders. Newest first, with the decision of the operator on each. */
      list: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
        call<SenderPage>({ method: 'GET', path: '/senders', query }, options),
      /** Register a sender. `pending` until the operator approves or rejects it. In live mode only approved senders are used; in the sandbox, and with a test key, any. */
      create: (body: SendersCreateBody, options?: CallOptions) =>
        call<SenderAnswer>({ method: 'POST', path: '/senders', body }, options),
      /** Read a sender. With the decision of the operator. */
      get: (id: string, options?: CallOptions) =>
        call<SenderAnswer>({ method: 'GET', path: `/senders/${encodeURIComponent(id)}` }, options),
      /** Change a sender. A new `sender_id` or `class` is `pending` again. Fields that are left out stay. */
      update: (id: string, body: SendersUpdateBody, options?: CallOptions) =>
        call<SenderAnswer>({ method: 'PATCH', path: `/senders/${encodeURIComponent(id)}`, body }, options),
      /** Remove a sender. Rejected while it is your default sender. */
      delete: (id: string, options?: CallOptions) =>
        call<void>({ method: 'DELETE', path: `/senders/${encodeURIComponent(id)}` }, options),
      /** All entries of `list`, page after page. */
      each: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
        each<RegisteredSender>({ method: 'GET', path: '/senders', query }, 'senders', options),
    },
    optouts: {
      /** List opt-outs. Newest first: people who answered STOP, and numbers you have blocked. */
      list: (
        query: { limit?: number; page?: number; query_id?: string; recipient?: string } = {},
        options?: CallOptions,
      ) => call<OptoutPage>({ method: 'GET', path: '/optouts', query }, options),
      /** Block numbers. Messages to them end `rejected` with the code `opted_out` and are not charged, over any API. One-time passwords that a person requests are still sent. */
      create: (body: OptoutsCreateBody, options?: CallOptions) =>
        call<OptoutsAnswer>({ method: 'POST', path: '/optouts', body }, options),
      /** Remove an opt-out. By the id of the entry, or by the phone number. */
      delete: (id: string, options?: CallOptions) =>
        call<void>({ method: 'DELETE', path: `/optouts/${encodeURIComponent(id)}` }, options),
      /** All entries of `list`, page after page. */
      each: (
        query: { limit?: number; page?: number; query_id?: string; recipient?: string } = {},
        options?: CallOptions,
      ) => each<Optout>({ method: 'GET', path: '/optouts', query }, 'optouts', options),
    },
    inbound: {
      /** List inbound texts. Newest first: all of them, or those from one number. */
      list: (query: { limit?: number; page?: number; query_id?: string; from?: string } = {}, options?: CallOptions) =>
        call<InboundPage>({ method: 'GET', path: '/inbound', query }, options),
      /** Read an inbound text. With the keyword recognised in it. */
      get: (id: string, options?: CallOptions) =>
        call<InboundAnswer>({ method: 'GET', path: `/inbound/${encodeURIComponent(id)}` }, options),
      /** All entries of `list`, page after page. */
      each: (query: { limit?: number; page?: number; query_id?: string; from?: string } = {}, options?: CallOptions) =>
        each<InboundMessage>({ method: 'GET', path: '/inbound', query }, 'inbound', options),
    },
    media: {
      /** Upload a file. A picture, video, recording or document for messages on WhatsApp, which name it by `id`. The body is the file and `Content-Type` its type, which its content must confirm (`application/octet-stream`: the content decides). JPEG and PNG up to 5 MB, MP4 and 3GP up to 16 MB, AAC, AMR, MP3, M4A and Ogg with Opus up to 16 MB, PDF, Office documents and text up to 100 MB, WebP as a sticker up to 100 KB, animated 500 KB. */
      upload: (file: FileToUpload, query: { filename?: string } = {}, options?: CallOptions) =>
        call<Media>({ method: 'POST', path: '/media', file, query }, options),
      /** List files. Newest first: those you uploaded, and those that people sent. */
      list: (
        query: { limit?: number; page?: number; query_id?: string; direction?: 'in' | 'out' } = {},
        options?: CallOptions,
      ) => call<MediaPage>({ method: 'GET', path: '/media', query }, options),
      /** Read what a file is. Type, size, checksum and state. */
      get: (id: string, options?: CallOptions) =>
        call<Media>({ method: 'GET', path: `/media/${encodeURIComponent(id)}` }, options),
      /** Delete a file. Messages that wait to be sent with it are rejected and refunded. Meta deletes its copy within 30 days. */
      delete: (id: string, options?: CallOptions) =>
        call<void>({ method: 'DELETE', path: `/media/${encodeURIComponent(id)}` }, options),
      /** Download a file. A received file once it is `stored`. */
      content: (id: string, options?: CallOptions) =>
        call<Uint8Array>({ method: 'GET', path: `/media/${encodeURIComponent(id)}/content`, bytes: true }, options),
      /** All entries of `list`, page after page. */
      each: (
        query: { limit?: number; page?: number; query_id?: string; direction?: 'in' | 'out' } = {},
        options?: CallOptions,
      ) => each<Media>({ method: 'GET', path: '/media', query }, 'media', options),
    },
    conversations: {
      /** List conversations. One for each number that has texted you, the one with the newest text or reply first. A conversation starts with an inbound text. Other messages to the number, such as campaigns, are part of its thread and do not move it up. The filters can be combined; `unread=true&limit=1` counts the conversations with unread texts. */
      list: (
        query: {
          limit?: number
          page?: number
          query_id?: string
          status?: 'open' | 'closed'
          unread?: boolean
          assignee_id?: string
          q?: string
        } = {},
        options?: CallOptions,
      ) => call<ConversationPage>({ method: 'GET', path: '/conversations', query }, options),
      /** Read a conversation. All messages in both directions and your notes, newest first, with the status of those you sent, and whether you can reply. The search is limited to half a second; `searched_until` then says how far it came, and `query_id` continues it. */
      get: (phone: string, query: { limit?: number; query_id?: string } = {}, options?: CallOptions) =>
        call<Thread>({ method: 'GET', path: `/conversations/${encodeURIComponent(phone)}`, query }, options),
      /** Reply in a conversation. Sends a text on the channel the person last used, from the number or name they wrote to if it may send. Priced, charged and reported like `POST /sms/send`. */
      answer: (phone: string, body: ConversationsAnswerBody, options?: CallOptions) =>
        call<SentMessage>(
          { method: 'POST', path: `/conversations/${encodeURIComponent(phone)}/messages`, body, keyed: true },
          options,
        ),
      /** Mark a conversation as read. For all users of the organisation. Send `received` as you have read it, so that a text that arrives meanwhile stays unread. */
      read: (phone: string, body: ConversationsReadBody, options?: CallOptions) =>
        call<void>({ method: 'POST', path: `/conversations/${encodeURIComponent(phone)}/read`, body }, options),
      /** List assignees. The active users of your console whose role lets them reply, by name. */
      assignees: (options?: CallOptions) =>
        call<Assignees>({ method: 'GET', path: '/conversations/assignees' }, options),
      /** Assign a conversation. To a user, or to no one. Send `current_assignee_id` so that of two users who take the same conversation one gets a 409. */
      assign: (phone: string, body: ConversationsAssignBody, options?: CallOptions) =>
        call<void>({ method: 'POST', path: `/conversations/${encodeURIComponent(phone)}/assign`, body }, options),
      /** Close a conversation. Also marks its texts as read. The next text of the person reopens it. Send `received` as you have read it, so that a text that arrives meanwhile is not closed unread. */
      close: (phone: string, body: ConversationsCloseBody, options?: CallOptions) =>
        call<void>({ method: 'POST', path: `/conversations/${encodeURIComponent(phone)}/close`, body }, options),
      /** Reopen a conversation. An open one stays open. */
      reopen: (phone: string, options?: CallOptions) =>
        call<void>({ method: 'POST', path: `/conversations/${encodeURIComponent(phone)}/reopen` }, options),
      /** All entries of `list`, page after page. */
      each: (
        query: {
          limit?: number
          page?: number
          query_id?: string
          status?: 'open' | 'closed'
          unread?: boolean
          assignee_id?: string
          q?: string
        } = {},
        options?: CallOptions,
      ) => each<ListedConversation>({ method: 'GET', path: '/conversations', query }, 'conversations', options),
      notes: {
        /** Add a note to a conversation. Only your users see it, in the thread. It is not sent, and does not move the conversation up. */
        create: (phone: string, body: ConversationsNotesCreateBody, options?: CallOptions) =>
          call<ConversationMessage>(
            { method: 'POST', path: `/conversations/${encodeURIComponent(phone)}/notes`, body },
            options,
          ),
        /** Delete a note. By its id in the thread. */
        delete: (note_id: string, options?: CallOptions) =>
          call<void>({ method: 'DELETE', path: `/notes/${encodeURIComponent(note_id)}` }, options),
      },
    },
    templates: {
      /** Create a template. A reusable text, sent with `template_id` in `POST /sms/send`. Placeholders in double braces are filled per recipient from `personalisation`, or from the columns of the contact list when it is sent to a smartlist. */
      create: (body: TemplatesCreateBody, options?: CallOptions) =>
        call<Template>({ method: 'POST', path: '/templates', body }, options),
      /** List templates. Newest first, each in its newest version. */
      list: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
        call<TemplatePage>({ method: 'GET', path: '/templates', query }, options),
      /** Read a template. In its newest version, or in an older one. */
      get: (id: string, query: { version?: number } = {}, options?: CallOptions) =>
        call<Template>({ method: 'GET', path: `/templates/${encodeURIComponent(id)}`, query }, options),
      /** Change a template. Every change creates a new version. Sent messages keep theirs. */
      update: (id: string, body: TemplatesUpdateBody, options?: CallOptions) =>
        call<Template>({ method: 'PATCH', path: `/templates/${encodeURIComponent(id)}`, body }, options),
      /** Delete a template. With all its versions. Sent messages keep their text. */
      delete: (id: string, options?: CallOptions) =>
        call<void>({ method: 'DELETE', path: `/templates/${encodeURIComponent(id)}` }, options),
      /** All entries of `list`, page after page. */
      each: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
        each<Template>({ method: 'GET', path: '/templates', query }, 'templates', options),
    },
    whatsapp: {
      templates: {
        /** Create a WhatsApp template. Submits a template to Meta, which reviews it: minutes, at most a day. It is checked by Meta’s rules first. A template of `/templates` then names it in `whatsapp`. */
        create: (body: WhatsappTemplatesCreateBody, options?: CallOptions) =>
          call<MetaTemplate>({ method: 'POST', path: '/whatsapp/templates', body }, options),
        /** List WhatsApp templates. All templates at Meta that you may send, by name, with status, reason and quality. Meta’s webhooks update them immediately. */
        list: (options?: CallOptions) => call<MetaTemplates>({ method: 'GET', path: '/whatsapp/templates' }, options),
        /** Read a WhatsApp template. With its status at Meta. */
        get: (id: string, options?: CallOptions) =>
          call<MetaTemplate>({ method: 'GET', path: `/whatsapp/templates/${encodeURIComponent(id)}` }, options),
        /** Change a WhatsApp template. Replaces its components; Meta reviews it again. Meta allows one change of an approved template in 24 hours, and ten in 30 days. */
        update: (id: string, body: WhatsappTemplatesUpdateBody, options?: CallOptions) =>
          call<MetaTemplate>({ method: 'PATCH', path: `/whatsapp/templates/${encodeURIComponent(id)}`, body }, options),
        /** Delete a WhatsApp template. At Meta, in this language. Its name cannot be used again for 30 days. */
        delete: (id: string, options?: CallOptions) =>
          call<void>({ method: 'DELETE', path: `/whatsapp/templates/${encodeURIComponent(id)}` }, options),
      },
    },
    otp: {
      /** Send a token. Sends a one-time password to a phone number and charges the price of a message on that channel, and the fees for OTPs that the operator may have agreed with you: the one for the verification is refunded if the OTP ends unverified. No answer contains the token; the message is not sent after the token has expired. In live mode a number gets at most five in ten minutes and twenty in a day, and prefixes whose tokens are never verified are slowed, then blocked: 429 with `Retry-After` and the reason. */
      request: (body: OtpRequestBody, options?: CallOptions) =>
        call<OtpRecord>({ method: 'POST', path: '/otp/request_token', body, keyed: true }, options),
      /** Verify a token. The correct token returns the record with status 4, once. Everything else is a 404 whose `errors[0].type` gives the reason: `invalid`, `expired`, `used`, `revoked`, `max_attempts`, or `not_found` for the id. Five wrong attempts end the OTP. In live mode twenty wrong attempts in a day, over all OTPs of a number, are `max_attempts` too. */
      verify: (body: OtpVerifyBody, options?: CallOptions) =>
        call<OtpRecord>({ method: 'POST', path: '/otp/verify', body }, options),
      /** Read an OTP. The current status: an OTP past its time is EXPIRED. The token is never returned. */
      get: (id: string, options?: CallOptions) =>
        call<OtpRecord>({ method: 'GET', path: `/otp/${encodeURIComponent(id)}` }, options),
      /** Revoke an OTP. It can no longer be verified. A verified OTP stays verified, and the answer is 409. An expired, failed or revoked OTP stays as it is, and the answer is 204. */
      revoke: (id: string, options?: CallOptions) =>
        call<void>({ method: 'DELETE', path: `/otp/${encodeURIComponent(id)}` }, options),
      /** List the OTPs of a recipient. Newest first, at most 1,000. The number is read from the query, the path (`/otp/get-by-recipient/2348031234567`) or a JSON body, and may also be named `phone` or `to`; `get_by_recipient` is an alias of the path. */
      list: (query: { recipient: string }, options?: CallOptions) =>
        call<OtpRecord[]>({ method: 'GET', path: '/otp/get-by-recipient', query }, options),
      settings: {
        /** Read the OTP settings. Your settings, and the configured defaults of the rest. */
        get: (options?: CallOptions) => call<OtpSettingsAnswer>({ method: 'GET', path: '/otp/settings' }, options),
        /** Change the OTP settings. The text, the domain for autofill, a second message, and numbers with a fixed token. Fields that are left out stay; null restores the default. Each message of an OTP is charged. */
        update: (body: OtpSettingsUpdateBody, options?: CallOptions) =>
          call<OtpSettingsAnswer>({ method: 'PATCH', path: '/otp/settings', body }, options),
      },
      guard: {
        /** List guarded prefixes. Number prefixes (a number without its last four digits) whose tokens are requested but rarely verified. A slowed prefix accepts a request now and then, a blocked one none until its block ends. */
        list: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
          call<GuardPage>({ method: 'GET', path: '/otp/guard', query }, options),
        /** Remove the guard of a prefix. Resets its counters. */
        lift: (prefix: string, options?: CallOptions) =>
          call<void>({ method: 'DELETE', path: `/otp/guard/${encodeURIComponent(prefix)}` }, options),
        /** All entries of `list`, page after page. */
        each: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
          each<GuardedPrefix>({ method: 'GET', path: '/otp/guard', query }, 'prefixes', options),
      },
    },
    airtime: {
      /** Buy airtime. Charges the amount immediately and answers `pending`; the outcome is posted to your `callback`, or read with `GET /airtime/{id}`. A purchase that ends `failed`, `duplicate` or `error` is refunded, once. The same network, recipient and amount within five minutes ends `duplicate`, unless the requests carry different `Idempotency-Key`s or `external_ref`s; a first purchase that failed does not count. If the vendor does not report a clear outcome, the purchase stays `sent`, and is neither refunded nor bought again, until the vendor or the operator settles it. */
      buy: (body: AirtimeBuyBody, options?: CallOptions) =>
        call<BoughtPurchase>({ method: 'POST', path: '/airtime/buy', body, keyed: true }, options),
      /** Read a purchase. Its status and charge, and the reason if it was refunded. */
      get: (id: string, options?: CallOptions) =>
        call<ReadPurchase>({ method: 'GET', path: `/airtime/${encodeURIComponent(id)}` }, options),
      /** List purchases. Newest first, all of them or those with your `external_ref`. */
      list: (
        query: { limit?: number; page?: number; query_id?: string; external_ref?: string } = {},
        options?: CallOptions,
      ) => call<PurchasePage>({ method: 'GET', path: '/airtime', query }, options),
      /** All entries of `list`, page after page. */
      each: (
        query: { limit?: number; page?: number; query_id?: string; external_ref?: string } = {},
        options?: CallOptions,
      ) => each<ListedPurchase>({ method: 'GET', path: '/airtime', query }, 'purchases', options),
    },
    lookup: {
      /** Look up a phone number by POST. The same, and with an `Idempotency-Key` a retry is charged once. */
      phone: (body: LookupPhoneBody, options?: CallOptions) =>
        call<LookupAnswer>({ method: 'POST', path: '/lookup/phone', body, keyed: true }, options),
      /** Look up many phone numbers. One answer per number, in the given order. An invalid number rejects the request, unless `skip_invalid` is set. */
      phones: (body: LookupPhonesBody, options?: CallOptions) =>
        call<LookupsAnswer>({ method: 'POST', path: '/lookup/phones', body, keyed: true }, options),
    },
    contacts: {
      /** Read the contact table. Its columns. An organisation without a table gets one with the columns Name, Email and Mobile. */
      get: (options?: CallOptions) => call<ContactTable>({ method: 'GET', path: '/lists/contact' }, options),
      rows: {
        /** Add a row. With cells for any of the columns. All errors are returned together. */
        create: (body: ContactsRowsCreateBody, options?: CallOptions) =>
          call<RowAnswer>({ method: 'POST', path: '/lists/contact/rows', body }, options),
        /** List all rows. Newest first, or sorted by a column. `POST /lists/contact/rows/query` filters. */
        list: (
          query: {
            limit?: number
            per_page?: number
            page?: number
            query_id?: string
            sort?: string
            search?: string
          } = {},
          options?: CallOptions,
        ) => call<RowsAnswer>({ method: 'GET', path: '/lists/contact/rows', query }, options),
        /** Add up to 1,000 rows. All rows, or none if any is invalid; errors name the index of their row. */
        bulk: (body: ContactsRowsBulkBody, options?: CallOptions) =>
          call<BulkAnswer>({ method: 'POST', path: '/lists/contact/rows/bulk', body }, options),
        /** Read a row. `row` is an alias of `rows` in the path. */
        get: (row_id: string, options?: CallOptions) =>
          call<RowAnswer>({ method: 'GET', path: `/lists/contact/rows/${encodeURIComponent(row_id)}` }, options),
        /** Change cells of a row. Cells that are left out stay. `row` is an alias of `rows` in the path. */
        update: (row_id: string, body: ContactsRowsCreateBody, options?: CallOptions) =>
          call<RowAnswer>(
            { method: 'PATCH', path: `/lists/contact/rows/${encodeURIComponent(row_id)}`, body },
            options,
          ),
        /** Delete a row. `row` is an alias of `rows` in the path. */
        delete: (row_id: string, options?: CallOptions) =>
          call<void>({ method: 'DELETE', path: `/lists/contact/rows/${encodeURIComponent(row_id)}` }, options),
        /** Query rows. The rows that match all filters and contain every word of `search`, newest first or sorted by a column. `page` selects a page near the beginning; `query_id` scrolls: while rows are added and deleted, every row that stays is returned exactly once. */
        query: (body: ContactsRowsQueryBody, options?: CallOptions) =>
          call<RowsAnswer>({ method: 'POST', path: '/lists/contact/rows/query', body }, options),
        /** Download rows as CSV. All rows that match, with the columns as headers, in UTF-8 with a byte order mark, streamed. A cell that begins with `=`, `+`, `-` or `@` is prefixed with an apostrophe, so that spreadsheets do not execute it; an import removes the apostrophe. */
        export: (body: ContactsRowsExportBody, options?: CallOptions) =>
          call<string>({ method: 'POST', path: '/lists/contact/rows/export', body }, options),
        /** All entries of `query`, page after page. */
        each: (body: ContactsRowsQueryBody, options?: CallOptions) =>
          each<ContactRow>({ method: 'POST', path: '/lists/contact/rows/query', body }, 'rows', options),
      },
      columns: {
        /** List the columns. In display order. */
        list: (options?: CallOptions) =>
          call<ContactsColumnsListAnswer>({ method: 'GET', path: '/lists/contact/columns' }, options),
        /** Add a column. At the end of the table, with empty cells. */
        create: (body: ContactsColumnsCreateBody, options?: CallOptions) =>
          call<ColumnAnswer>({ method: 'POST', path: '/lists/contact/columns', body }, options),
        /** Rename a column, change its options or move it. The type of a column cannot change. Cells keep their values, even if they are no longer an option. */
        update: (column_id: string, body: ContactsColumnsUpdateBody, options?: CallOptions) =>
          call<ColumnAnswer>(
            { method: 'PATCH', path: `/lists/contact/columns/${encodeURIComponent(column_id)}`, body },
            options,
          ),
        /** Delete a column with its cells. Refused while a smartlist filters by it. */
        delete: (column_id: string, options?: CallOptions) =>
          call<void>({ method: 'DELETE', path: `/lists/contact/columns/${encodeURIComponent(column_id)}` }, options),
      },
      conversions: {
        /** Convert a column to another type. With `dry_run` a preview: how many cells fit the type, which do not, and what they become. Otherwise a job converts all cells and then gives the column its type; until then it is read as before. From the start, values written to the column must fit the new type, too. Numbers are stored as `1234.5`, dates as `2026-04-03`. Refused if a smartlist or an open campaign uses the column in a way the type does not allow; 409 while a bulk change or an import is running. It can be undone for 10 minutes, and ends the undo of earlier bulk changes. It continues after a restart. */
        create: (column_id: string, body: ContactsConversionsCreateBody, options?: CallOptions) =>
          call<Conversion>(
            { method: 'POST', path: `/lists/contact/columns/${encodeURIComponent(column_id)}/conversions`, body },
            options,
          ),
        /** Read the progress of a conversion. Counts of the cells so far, with the first cells that fit and the first that do not. */
        get: (id: string, options?: CallOptions) =>
          call<Conversion>({ method: 'GET', path: `/lists/contact/conversions/${encodeURIComponent(id)}` }, options),
        /** Undo a conversion. The column has its previous type and cells immediately. A cell written since is kept if it fits that type, and otherwise cleared. 409 if the time to undo has passed, or a smartlist or an open campaign depends on the new type. */
        undo: (id: string, options?: CallOptions) =>
          call<Conversion>(
            { method: 'POST', path: `/lists/contact/conversions/${encodeURIComponent(id)}/undo` },
            options,
          ),
      },
      changes: {
        /** Change or delete many rows. Writes one cell of every row, or deletes the rows: up to 10,000 given by id, or all that a query finds. A thousand rows are done before the answer; for more it reports the progress, which reading the change updates. It continues after a restart. It can be undone for 30 seconds after the last row, or until the next change by the same user. */
        create: (body: ContactsChangesCreateBody, options?: CallOptions) =>
          call<Change>({ method: 'POST', path: '/lists/contact/changes', body }, options),
        /** Read the progress of a bulk change. Users read their own changes, keys those made with keys. */
        get: (id: string, options?: CallOptions) =>
          call<Change>({ method: 'GET', path: `/lists/contact/changes/${encodeURIComponent(id)}` }, options),
        /** Undo a bulk change. Deleted rows are restored with their ids, and changed cells with their previous values. A cell changed since is kept, and counted in `not_restored`. 409 if the time to undo has passed. */
        undo: (id: string, options?: CallOptions) =>
          call<Change>({ method: 'POST', path: `/lists/contact/changes/${encodeURIComponent(id)}/undo` }, options),
      },
      smartlists: {
        /** List smartlists. Newest first, without row counts. */
        list: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
          call<SmartlistPage>({ method: 'GET', path: '/lists/contact/smartlists', query }, options),
        /** Save filters as a smartlist. A smartlist contains the rows that match its filters at the time it is used; without filters, all rows. */
        create: (body: ContactsSmartlistsCreateBody, options?: CallOptions) =>
          call<CountedSmartlist>({ method: 'POST', path: '/lists/contact/smartlists', body }, options),
        /** Read a smartlist. With its filters and its current row count. */
        get: (id: string, options?: CallOptions) =>
          call<CountedSmartlist>(
            { method: 'GET', path: `/lists/contact/smartlists/${encodeURIComponent(id)}` },
            options,
          ),
        /** Change a smartlist. Fields that are left out stay. New filters replace all saved ones. */
        update: (id: string, body: ContactsSmartlistsUpdateBody, options?: CallOptions) =>
          call<CountedSmartlist>(
            { method: 'PATCH', path: `/lists/contact/smartlists/${encodeURIComponent(id)}`, body },
            options,
          ),
        /** Delete a smartlist. The rows stay. Messages being sent to it are not stopped. */
        delete: (id: string, options?: CallOptions) =>
          call<void>({ method: 'DELETE', path: `/lists/contact/smartlists/${encodeURIComponent(id)}` }, options),
        /** All entries of `list`, page after page. */
        each: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
          each<Smartlist>({ method: 'GET', path: '/lists/contact/smartlists', query }, 'smartlists', options),
      },
      imports: {
        /** Import rows from CSV. Send the file as the body with content type `text/csv` (up to 256 MiB; the first line holds the headers; comma, semicolon, tab or bar; UTF-8 or Windows-1252) and the options as query parameters, or everything as JSON. Answers once the file is stored; read the import for its progress. A line with the phone number of an existing row updates that row, unless `allow_duplicates` is true. Valid lines are written, rejected ones can be downloaded. It continues after a restart. */
        create: (body: ContactsImportsCreateBody, options?: CallOptions) =>
          call<ImportWithFaults>({ method: 'POST', path: '/lists/contact/imports', body }, options),
        /** List imports. Newest first, each with its progress. */
        list: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
          call<ContactsImportsListAnswer>({ method: 'GET', path: '/lists/contact/imports', query }, options),
        /** Read the progress of an import. Lines read, written and rejected so far, with the first errors. */
        get: (id: string, options?: CallOptions) =>
          call<ImportWithFaults>({ method: 'GET', path: `/lists/contact/imports/${encodeURIComponent(id)}` }, options),
        /** Cancel an import. Rows already written stay. */
        cancel: (id: string, options?: CallOptions) =>
          call<void>({ method: 'DELETE', path: `/lists/contact/imports/${encodeURIComponent(id)}` }, options),
        /** Download the rejected lines as CSV. Each with its line number and error, to be corrected and imported again. */
        rejects: (id: string, options?: CallOptions) =>
          call<string>({ method: 'GET', path: `/lists/contact/imports/${encodeURIComponent(id)}/rejects` }, options),
        /** All entries of `list`, page after page. */
        each: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
          each<Import>({ method: 'GET', path: '/lists/contact/imports', query }, 'imports', options),
      },
      sends: {
        /** Send a message to a smartlist. Answers immediately; a job sends and charges in chunks, to each number once. `{{Name}}` in the content or template is filled from the column of that name. With an `Idempotency-Key` a retry within 24 hours is sent once. */
        create: (body: ContactsSendsCreateBody, options?: CallOptions) =>
          call<ListSend>({ method: 'POST', path: '/lists/contact/sends', body, keyed: true }, options),
        /** Read the progress of a message to a smartlist. Rows scanned, recipients accepted, and the charge so far. */
        get: (id: string, options?: CallOptions) =>
          call<ListSend>({ method: 'GET', path: `/lists/contact/sends/${encodeURIComponent(id)}` }, options),
        /** Cancel a message to a smartlist. Messages not yet submitted to a carrier are canceled and refunded; submitted ones are not. */
        cancel: (id: string, options?: CallOptions) =>
          call<void>({ method: 'DELETE', path: `/lists/contact/sends/${encodeURIComponent(id)}` }, options),
      },
    },
    people: {
      /** Export the data of a number. As JSON, table by table, for a person who requests their data (right of access). A POST, so that the number is in no URL and no log. Records about several people contain only the part about this one. The export scans all your data, so only one runs at a time: 429 while another is being written. */
      export: (body: PeopleExportBody, options?: CallOptions) =>
        call<PersonExport>({ method: 'POST', path: '/people/export', body }, options),
      erasures: {
        /** Erase a number. Erases the number and the texts sent to and received from it, everywhere (right to erasure). Pending messages are canceled and refunded; money, counters and states stay, under a keyed hash in place of the number; an opt-out stays in force. Runs in the background, continues after a restart, and ends with a receipt: read it until its `status` is `done`. A second request while it runs returns the same erasure. It cannot be undone. */
        create: (body: PeopleExportBody, options?: CallOptions) =>
          call<ErasureAnswer>({ method: 'POST', path: '/people/erasures', body }, options),
        /** List erasures. Newest first. Receipts are kept, and contain no personal data. */
        list: (
          query: { limit?: number; page?: number; query_id?: string; number_hash?: string } = {},
          options?: CallOptions,
        ) => call<ErasurePage>({ method: 'GET', path: '/people/erasures', query }, options),
        /** Read the receipt of an erasure. The rows found by table, who requested it and when it ended. */
        get: (id: string, options?: CallOptions) =>
          call<ErasureAnswer>({ method: 'GET', path: `/people/erasures/${encodeURIComponent(id)}` }, options),
        /** All entries of `list`, page after page. */
        each: (
          query: { limit?: number; page?: number; query_id?: string; number_hash?: string } = {},
          options?: CallOptions,
        ) => each<Erasure>({ method: 'GET', path: '/people/erasures', query }, 'erasures', options),
      },
    },
    balance: {
      /** Read the balance and its ledger. The balance is the sum of all ledger entries. Lists entries newest first: all of them, or those of a period, a kind, a message or a reference of yours. With a period, `opening_balance` and `closing_balance` are the balances before and after it, regardless of other filters. */
      get: (
        query: {
          limit?: number
          page?: number
          query_id?: string
          from?: string
          until?: string
          external_ref?: string
          campaign_id?: string
          kind?: 'opening' | 'top_up' | 'adjustment' | 'message' | 'otp' | 'airtime' | 'lookup' | 'refund'
          subject_id?: string
          group?: 'campaign'
        } = {},
        options?: CallOptions,
      ) => call<AccountPage>({ method: 'GET', path: '/balance', query }, options),
      /** Download the ledger as CSV. All entries that `GET /balance` lists, newest first. */
      export: (
        query: {
          from?: string
          until?: string
          external_ref?: string
          campaign_id?: string
          kind?: 'opening' | 'top_up' | 'adjustment' | 'message' | 'otp' | 'airtime' | 'lookup' | 'refund'
          subject_id?: string
        } = {},
        options?: CallOptions,
      ) => call<string>({ method: 'GET', path: '/balance.csv', query }, options),
      /** List the cost of messages. One entry per message accepted in the period, newest first: what was charged, refunded since, and remains. Messages are deleted when their retention ends; the ledger stays. */
      messages: (
        query: {
          limit?: number
          query_id?: string
          from?: string
          until?: string
          external_ref?: string
          campaign_id?: string
          group?: 'campaign'
        } = {},
        options?: CallOptions,
      ) => call<MessageCostPage>({ method: 'GET', path: '/balance/messages', query }, options),
      /** Download the cost of messages as CSV. Everything that `GET /balance/messages` lists, newest first. */
      exportMessages: (
        query: { from?: string; until?: string; external_ref?: string; campaign_id?: string } = {},
        options?: CallOptions,
      ) => call<string>({ method: 'GET', path: '/balance/messages.csv', query }, options),
      /** All entries of `get`, page after page. */
      each: (
        query: {
          limit?: number
          page?: number
          query_id?: string
          from?: string
          until?: string
          external_ref?: string
          campaign_id?: string
          kind?: 'opening' | 'top_up' | 'adjustment' | 'message' | 'otp' | 'airtime' | 'lookup' | 'refund'
          subject_id?: string
          group?: 'campaign'
        } = {},
        options?: CallOptions,
      ) => each<LedgerEntry>({ method: 'GET', path: '/balance', query }, 'entries', options),
    },
    requests: {
      /** List requests. Requests made with your keys in the last days, newest first, visible a second or two after their answer. Of more than twenty requests in a second, failures are kept first and a sample of the others: `shown` and `seen` count them. A crash of the service loses the last second of the log. */
      list: (
        query: {
          limit?: number
          query_id?: string
          status?: string
          path?: string
          key_id?: string
          request_id?: string
          from?: string
          until?: string
        } = {},
        options?: CallOptions,
      ) => call<RequestPage>({ method: 'GET', path: '/requests', query }, options),
      /** Read a request. With the bodies of request and answer, each cut at 4,096 characters. One-time passwords, keys, passwords and other secrets are masked, and headers are not stored. */
      get: (request_id: string, options?: CallOptions) =>
        call<RequestAnswer>({ method: 'GET', path: `/requests/${encodeURIComponent(request_id)}` }, options),
      /** All entries of `list`, page after page. */
      each: (
        query: {
          limit?: number
          query_id?: string
          status?: string
          path?: string
          key_id?: string
          request_id?: string
          from?: string
          until?: string
        } = {},
        options?: CallOptions,
      ) => each<LoggedRequest>({ method: 'GET', path: '/requests', query }, 'requests', options),
    },
    analytics: {
      /** Read analytics of messages and one-time passwords. For any range of days, in steps of an hour, a day or a month of your time zone, by channel, country, operator, sender, route, error or template, and compared with an earlier range. A message counts in the hour it was accepted, so rates are exact for any range; figures of the last days still change while reports arrive. They come from counters that are written within a second, and stay when messages are deleted or people are erased. A killed process loses at most a second of them; the ledger is exact. */
      get: (
        query: {
          from?: string
          until?: string
          by?: 'channel' | 'country' | 'operator' | 'sender' | 'route' | 'error' | 'template'
          value?: string
          interval?: 'hour' | 'day' | 'month'
          compare?: 'previous_period' | 'previous_year'
        } = {},
        options?: CallOptions,
      ) => call<AnalyticsAnswer>({ method: 'GET', path: '/analytics', query }, options),
      /** Download analytics as CSV. The same figures in UTF-8 with a byte order mark: a line for each value of `by`, or without it for each step; with `compare`, the earlier figures in separate columns. */
      export: (
        query: {
          from?: string
          until?: string
          by?: 'channel' | 'country' | 'operator' | 'sender' | 'route' | 'error' | 'template'
          value?: string
          interval?: 'hour' | 'day' | 'month'
          compare?: 'previous_period' | 'previous_year'
        } = {},
        options?: CallOptions,
      ) => call<string>({ method: 'GET', path: '/analytics.csv', query }, options),
    },
    settings: {
      /** Read your settings. Settings of your organisation, including those of the operator. */
      get: (options?: CallOptions) => call<OrganisationSettingsAnswer>({ method: 'GET', path: '/settings' }, options),
      /** Change your settings. Fields that are left out stay; null removes an optional value. A change takes effect within a second on every process. Only the operator sets the currency. */
      update: (body: SettingsUpdateBody, options?: CallOptions) =>
        call<OrganisationSettingsAnswer>({ method: 'PATCH', path: '/settings', body }, options),
    },
    callbacks: {
      /** List callbacks. Newest first: all of them, or those of one message, one webhook, one `webhook-id`, or one status. */
      list: (
        query: {
          limit?: number
          page?: number
          query_id?: string
          subject_id?: string
          webhook_id?: string
          event_id?: string
          status?: 'pending' | 'delivered' | 'stopped' | 'failed'
        } = {},
        options?: CallOptions,
      ) => call<CallbackPage>({ method: 'GET', path: '/callbacks', query }, options),
      /** Read a callback with its attempts. With the body as it was posted, and every attempt: its time, its duration, and the answer of your endpoint. */
      get: (id: string, options?: CallOptions) =>
        call<CallbackWithAttemptsAnswer>({ method: 'GET', path: `/callbacks/${encodeURIComponent(id)}` }, options),
      /** Resend a callback. Immediately, with the same `webhook-id` and body, whatever its status. A callback of a registered webhook goes to the current URL of that webhook. */
      replay: (id: string, options?: CallOptions) =>
        call<CallbackAnswer>({ method: 'POST', path: `/callbacks/${encodeURIComponent(id)}/replay` }, options),
      /** All entries of `list`, page after page. */
      each: (
        query: {
          limit?: number
          page?: number
          query_id?: string
          subject_id?: string
          webhook_id?: string
          event_id?: string
          status?: 'pending' | 'delivered' | 'stopped' | 'failed'
        } = {},
        options?: CallOptions,
      ) => each<ListedCallback>({ method: 'GET', path: '/callbacks', query }, 'callbacks', options),
    },
    webhooks: {
      /** List webhooks. Newest first. Secrets are not returned. */
      list: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
        call<WebhookPage>({ method: 'GET', path: '/webhooks', query }, options),
      /** Register a webhook. Every later event that matches its filter is posted there, in addition to the `callback` of a request. An event sent to several endpoints has the same `webhook-id` at each of them. Posts are signed with the secret of this answer, which is returned only once. An endpoint that fails for days without one success, or answers 410, is disabled; `disabled_reason` says why. */
      create: (body: WebhooksCreateBody, options?: CallOptions) =>
        call<WebhookWithSecretAnswer>({ method: 'POST', path: '/webhooks', body }, options),
      /** Read a webhook. With the reason and start of its failures, if any. Its secret is not returned. */
      get: (id: string, options?: CallOptions) =>
        call<WebhookAnswer>({ method: 'GET', path: `/webhooks/${encodeURIComponent(id)}` }, options),
      /** Change a webhook. Fields that are left out stay. Pending callbacks go to the new `url`. While a webhook is disabled no events are stored for it, and pending callbacks are stopped when they become due; they can be resent later. A new `url` of a Twilio-style webhook also needs the scope `sms`. */
      update: (id: string, body: WebhooksUpdateBody, options?: CallOptions) =>
        call<WebhookAnswer>({ method: 'PATCH', path: `/webhooks/${encodeURIComponent(id)}`, body }, options),
      /** Delete a webhook. Its pending callbacks become `stopped`. One in flight may still arrive. */
      delete: (id: string, options?: CallOptions) =>
        call<void>({ method: 'DELETE', path: `/webhooks/${encodeURIComponent(id)}` }, options),
      /** Rotate the secret of a webhook. For `overlap_hours` posts carry two signatures, of the new secret and of the previous one, so that your endpoint can switch. 0 revokes the old one immediately. */
      rotate: (id: string, body: WebhooksRotateBody, options?: CallOptions) =>
        call<WebhookWithSecretAnswer>(
          { method: 'POST', path: `/webhooks/${encodeURIComponent(id)}/rotate`, body },
          options,
        ),
      /** Send a test event. Posts one event of type `webhook.test`, regardless of the filter and even while the webhook is disabled. `GET /callbacks/{id}` with the id of the answer returns its outcome. */
      test: (id: string, options?: CallOptions) =>
        call<CallbackAnswer>({ method: 'POST', path: `/webhooks/${encodeURIComponent(id)}/test` }, options),
      /** Resend failed events. Requeues the callbacks of this webhook that failed or were stopped in a period, with the same `webhook-id` and body. Up to 10,000 per request: repeat it until `complete` is true. */
      replay: (id: string, body: WebhooksReplayBody, options?: CallOptions) =>
        call<WebhooksReplayAnswer>(
          { method: 'POST', path: `/webhooks/${encodeURIComponent(id)}/replay`, body },
          options,
        ),
      /** All entries of `list`, page after page. */
      each: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
        each<Webhook>({ method: 'GET', path: '/webhooks', query }, 'webhooks', options),
    },
    hooks: {
      /** List hooks. Secrets are not returned. */
      list: (options?: CallOptions) => call<HooksAnswer>({ method: 'GET', path: '/hooks' }, options),
      /** Create a hook. For identity servers and others that post messages in a format of their own: `POST /hooks/{name}` accepts their requests, signed or authenticated with the secret of this answer, which is returned only once. One-time passwords have the priority, limits and guard of our own; the other side verifies them, and `POST /hooks/{name}/verified` with `{"to": …}` reports a success to the guard. */
      create: (body: HooksCreateBody, options?: CallOptions) =>
        call<HookWithSecretAnswer>({ method: 'POST', path: '/hooks', body }, options),
      /** Delete a hook. Later requests to it are rejected. */
      delete: (name: string, options?: CallOptions) =>
        call<void>({ method: 'DELETE', path: `/hooks/${encodeURIComponent(name)}` }, options),
    },
    smpp: {
      accounts: {
        /** List SMPP accounts. With active binds, and the messages pending for a receiver. */
        list: (options?: CallOptions) => call<SmppAccountsAnswer>({ method: 'GET', path: '/smpp/accounts' }, options),
        /** Create an SMPP account. For software that speaks SMPP 3.4: it binds to the operator’s SMPP port with `system_id` and the password of this answer, which is returned only once. Its messages are sent and charged like those of `POST /sms/send`. The operator may allow fewer binds, a lower rate and a smaller window than requested. */
        create: (body: SmppAccountsCreateBody, options?: CallOptions) =>
          call<SmppAccountWithPasswordAnswer>({ method: 'POST', path: '/smpp/accounts', body }, options),
        /** Delete an SMPP account. Its binds are closed within a second, and pending messages for it are dropped. */
        delete: (system_id: string, options?: CallOptions) =>
          call<void>({ method: 'DELETE', path: `/smpp/accounts/${encodeURIComponent(system_id)}` }, options),
      },
    },
    sandbox: {
      /** List messages on virtual handsets. In sandbox mode, or with a test key. One-time passwords are in clear text, as on a phone. */
      messages: (
        query: { limit?: number; page?: number; query_id?: string; recipient?: string } = {},
        options?: CallOptions,
      ) => call<SandboxPage>({ method: 'GET', path: '/sandbox/messages', query }, options),
      /** Reply from a virtual handset. In sandbox mode, or with a test key. The text is processed like one from a real handset: stored, posted to your inbound URL, and STOP blocks the number. Real handsets cannot reply to a name such as `Gangan`; these can. */
      reply: (body: SandboxReplyBody, options?: CallOptions) =>
        call<InboundAnswer>({ method: 'POST', path: '/sandbox/reply', body }, options),
      /** All entries of `messages`, page after page. */
      each: (
        query: { limit?: number; page?: number; query_id?: string; recipient?: string } = {},
        options?: CallOptions,
      ) => each<SandboxMessage>({ method: 'GET', path: '/sandbox/messages', query }, 'messages', options),
    },
  }
}
