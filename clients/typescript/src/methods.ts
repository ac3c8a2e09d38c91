// Written by `npm run clients` from openapi.json.
import type { Call, CallOptions, Each } from './call.ts'
import type {
  AccountPage,
  AirtimeBuyBody,
  AnalyticsAnswer,
  BoughtPurchase,
  BulkAnswer,
  CallbackAnswer,
  CallbackPage,
  CallbackWithAttemptsAnswer,
  Campaign,
  CampaignAnswer,
  CampaignPage,
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
  ContactsImportsCreateBody,
  ContactsImportsListAnswer,
  ContactsRowsBulkBody,
  ContactsRowsCreateBody,
  ContactsRowsExportBody,
  ContactsRowsQueryBody,
  ContactsSendsCreateBody,
  ContactsSmartlistsCreateBody,
  ContactsSmartlistsUpdateBody,
  ConversationPage,
  ConversationsAnswerBody,
  ConversationsReadBody,
  CountedSmartlist,
  Erasure,
  ErasureAnswer,
  ErasurePage,
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
  MessageCostPage,
  MessageEstimate,
  MessageWithDeliveries,
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
} from './types.ts'

export type Methods = ReturnType<typeof methods>

/** Every operation, by the name it has in all clients. */
export function methods(call: Call, each: Each) {
  return {
    sms: {
      /** Send a message. Sends a text to one or several phone numbers. The charge is taken at once and given back for every recipient the message was never carried to. With an `Idempotency-Key` a retry within 24 hours gets the first answer again and is not charged. A `smartlist_id` in place of `recipients` is taken too, and answered as by `POST /lists/contact/sends`. */
      send: (body: SmsSendBody, options?: CallOptions) =>
        call<SentMessage>({ method: 'POST', path: '/sms/send', body, keyed: true }, options),
      /** See what a message would be and cost. Takes the body of `POST /sms/send` and checks it in the same way, but stores, charges and sends nothing. Tells each text, its encoding and pages, the characters that force UCS-2 and where they are, what the text would cost in GSM, and what smart encoding would make of it. `available_balance` is what would be left, below zero when the balance does not cover the charge. */
      estimate: (body: SmsSendBody, options?: CallOptions) =>
        call<MessageEstimate>({ method: 'POST', path: '/sms/estimate', body }, options),
      /** Read a message and what became of it. With one delivery per recipient, in their order: its status, its price, and what the carrier says. The answer to a message with many recipients is sent while it is read, in chunks and without a `content-length`; its fields may come in another order. */
      get: (id: string, options?: CallOptions) =>
        call<MessageWithDeliveries>({ method: 'GET', path: `/sms/${encodeURIComponent(id)}` }, options),
      /** Take a scheduled message back. Every delivery that still is `scheduled`, for its `send_at` or for quiet hours, becomes `canceled` and is refunded. What has become due meanwhile goes its way; when nothing is left to take back, the answer is 409. */
      cancel: (id: string, options?: CallOptions) =>
        call<void>({ method: 'DELETE', path: `/sms/${encodeURIComponent(id)}` }, options),
      /** List messages. Newest first, all of them or those with your `external_ref`. */
      list: (
        query: { limit?: number; page?: number; query_id?: string; external_ref?: string } = {},
        options?: CallOptions,
      ) => call<SmsListAnswer>({ method: 'GET', path: '/sms', query }, options),
      /** All entries of `list`, page after page. */
      each: (
        query: { limit?: number; page?: number; query_id?: string; external_ref?: string } = {},
        options?: CallOptions,
      ) => each<ListedMessage>({ method: 'GET', path: '/sms', query }, 'messages', options),
    },
    campaigns: {
      /** Make a campaign. A message to many people, with a life of its own: `draft` → `estimated` → `scheduled` → `running` → `paused` → `finished` or `canceled`. This keeps a draft: nothing is sent or charged before it is estimated and started. With `smartlist_id` the key needs the scope `lists` as well. */
      create: (body: CampaignsCreateBody, options?: CallOptions) =>
        call<CampaignAnswer>({ method: 'POST', path: '/campaigns', body, keyed: true }, options),
      /** List campaigns. Newest first; `status` names one state. */
      list: (
        query: {
          limit?: number
          page?: number
          query_id?: string
          status?: 'draft' | 'estimating' | 'estimated' | 'scheduled' | 'running' | 'paused' | 'finished' | 'canceled'
        } = {},
        options?: CallOptions,
      ) => call<CampaignPage>({ method: 'GET', path: '/campaigns', query }, options),
      /** Read a campaign and how far it is. With its estimate, its progress and what became of it so far, from counters. */
      get: (id: string, options?: CallOptions) =>
        call<CampaignWithOutcomesAnswer>({ method: 'GET', path: `/campaigns/${encodeURIComponent(id)}` }, options),
      /** Change a campaign that has not begun. Fields left out stay; null takes a value away. An estimate that it had counts no more. */
      update: (id: string, body: CampaignsUpdateBody, options?: CallOptions) =>
        call<CampaignAnswer>({ method: 'PATCH', path: `/campaigns/${encodeURIComponent(id)}`, body }, options),
      /** Upload people to a campaign. Adds people behind those that are there: up to 10,000 as JSON, or up to 8 MiB of CSV (as `csv`, or as the body with content type `text/csv`), as often as needed. With an `Idempotency-Key` a retry adds nothing. Bad numbers are taken: the estimate tells who is left out and why, and a number gets the message once however often it is uploaded. */
      addRecipients: (id: string, body: CampaignsAddRecipientsBody, options?: CallOptions) =>
        call<CampaignAnswer>(
          { method: 'POST', path: `/campaigns/${encodeURIComponent(id)}/recipients`, body, keyed: true },
          options,
        ),
      /** Take all uploaded people off a campaign. For a list that was wrong: upload another one afterwards. Only while it is a draft or estimated. */
      clearRecipients: (id: string, options?: CallOptions) =>
        call<void>({ method: 'DELETE', path: `/campaigns/${encodeURIComponent(id)}/recipients` }, options),
      /** Work out what a campaign would be and cost. Composes every text and counts its pages and price, and tells who is left out and why. The answer comes at once; read the campaign until it is `estimated`. Who will get it is fixed by this. Asked again, it begins anew. */
      estimate: (id: string, options?: CallOptions) =>
        call<CampaignAnswer>({ method: 'POST', path: `/campaigns/${encodeURIComponent(id)}/estimate` }, options),
      /** Send a campaign’s text to yourself. To at most 5 numbers, with the values of the first person of the list. Charged as any message is. */
      test: (id: string, body: CampaignsTestBody, options?: CallOptions) =>
        call<SentMessage>(
          { method: 'POST', path: `/campaigns/${encodeURIComponent(id)}/test`, body, keyed: true },
          options,
        ),
      /** Start a campaign. At once, or at its `send_at`. Give the estimate’s figures back: 409 if they are not what was worked out last, 402 if the balance does not cover them. Slices are charged as they go; should the balance run out midway, the campaign is paused with the reason `insufficient_balance`. */
      start: (id: string, body: CampaignsStartBody, options?: CallOptions) =>
        call<CampaignAnswer>({ method: 'POST', path: `/campaigns/${encodeURIComponent(id)}/start`, body }, options),
      /** Pause a campaign. No further slice is charged. The few thousand that were accepted before go out. */
      pause: (id: string, options?: CallOptions) =>
        call<CampaignAnswer>({ method: 'POST', path: `/campaigns/${encodeURIComponent(id)}/pause` }, options),
      /** Go on with a paused campaign. One that was paused because it would cost more than was confirmed goes on at the new price. */
      resume: (id: string, options?: CallOptions) =>
        call<CampaignAnswer>({ method: 'POST', path: `/campaigns/${encodeURIComponent(id)}/resume` }, options),
      /** Cancel a campaign. What was charged and not handed over is taken back and refunded within moments; what a carrier has stays with it. */
      cancel: (id: string, options?: CallOptions) =>
        call<CampaignAnswer>({ method: 'POST', path: `/campaigns/${encodeURIComponent(id)}/cancel` }, options),
      /** See what became of a campaign. Delivered, failed by reason and operator, clicks, replies, opt-outs and cost, over time, and which of several texts did best. */
      report: (id: string, options?: CallOptions) =>
        call<CampaignReportAnswer>({ method: 'GET', path: `/campaigns/${encodeURIComponent(id)}/report` }, options),
      /** Download everybody of a campaign as CSV. What each person got, and who was left out and why. */
      exportReport: (id: string, options?: CallOptions) =>
        call<string>({ method: 'GET', path: `/campaigns/${encodeURIComponent(id)}/report.csv` }, options),
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
      /** List your senders. Newest first, with what the operator says about each. */
      list: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
        call<SenderPage>({ method: 'GET', path: '/senders', query }, options),
      /** Register a sender. It is `pending` until the operator has decided. In live mode only approved senders are used; in the sandbox, and with a test key, any. */
      create: (body: SendersCreateBody, options?: CallOptions) =>
        call<SenderAnswer>({ method: 'POST', path: '/senders', body }, options),
      /** Read a sender. With what the operator says about it. */
      get: (id: string, options?: CallOptions) =>
        call<SenderAnswer>({ method: 'GET', path: `/senders/${encodeURIComponent(id)}` }, options),
      /** Change a sender. Another `sender_id` or `class` is `pending` again. Fields that are not given stay. */
      update: (id: string, body: SendersUpdateBody, options?: CallOptions) =>
        call<SenderAnswer>({ method: 'PATCH', path: `/senders/${encodeURIComponent(id)}`, body }, options),
      /** Remove a sender. Not while it is your default sender. */
      delete: (id: string, options?: CallOptions) =>
        call<void>({ method: 'DELETE', path: `/senders/${encodeURIComponent(id)}` }, options),
      /** All entries of `list`, page after page. */
      each: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
        each<RegisteredSender>({ method: 'GET', path: '/senders', query }, 'senders', options),
    },
    optouts: {
      /** List who wants no messages. Newest first: people who answered STOP, and numbers you have blocked. */
      list: (
        query: { limit?: number; page?: number; query_id?: string; recipient?: string } = {},
        options?: CallOptions,
      ) => call<OptoutPage>({ method: 'GET', path: '/optouts', query }, options),
      /** Block numbers. Messages to them end `rejected` with the code `opted_out` and are not charged, whichever way they were asked for. A one-time password that somebody asks for is still sent. */
      create: (body: OptoutsCreateBody, options?: CallOptions) =>
        call<OptoutsAnswer>({ method: 'POST', path: '/optouts', body }, options),
      /** Lift a block. By the id of the entry, or by the phone number. */
      delete: (id: string, options?: CallOptions) =>
        call<void>({ method: 'DELETE', path: `/optouts/${encodeURIComponent(id)}` }, options),
      /** All entries of `list`, page after page. */
      each: (
        query: { limit?: number; page?: number; query_id?: string; recipient?: string } = {},
        options?: CallOptions,
      ) => each<Optout>({ method: 'GET', path: '/optouts', query }, 'optouts', options),
    },
    inbound: {
      /** List what people wrote. Newest first, all of it or what one number wrote. */
      list: (query: { limit?: number; page?: number; query_id?: string; from?: string } = {}, options?: CallOptions) =>
        call<InboundPage>({ method: 'GET', path: '/inbound', query }, options),
      /** Read a text. As it came, with the keyword we found in it. */
      get: (id: string, options?: CallOptions) =>
        call<InboundAnswer>({ method: 'GET', path: `/inbound/${encodeURIComponent(id)}` }, options),
      /** All entries of `list`, page after page. */
      each: (query: { limit?: number; page?: number; query_id?: string; from?: string } = {}, options?: CallOptions) =>
        each<InboundMessage>({ method: 'GET', path: '/inbound', query }, 'inbound', options),
    },
    conversations: {
      /** List conversations. One for each number that has written to you, the one with the newest text or answer first. A conversation begins with a text of theirs. What you send to the number otherwise, such as a campaign, is in its thread and does not move it up. */
      list: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
        call<ConversationPage>({ method: 'GET', path: '/conversations', query }, options),
      /** Read a conversation. Everything that went to and fro, newest first, with the state of what you sent, and what holds for an answer. Of very many messages only as many are looked through as half a second allows; then `searched_until` says how far, and `query_id` goes on. */
      get: (phone: string, query: { limit?: number; query_id?: string } = {}, options?: CallOptions) =>
        call<Thread>({ method: 'GET', path: `/conversations/${encodeURIComponent(phone)}`, query }, options),
      /** Answer in a conversation. Sends a text on the channel they last wrote by, from the number or name they wrote to where messages may come from it. Priced, charged and reported as by `POST /sms/send`. */
      answer: (phone: string, body: ConversationsAnswerBody, options?: CallOptions) =>
        call<SentMessage>(
          { method: 'POST', path: `/conversations/${encodeURIComponent(phone)}/messages`, body, keyed: true },
          options,
        ),
      /** Mark a conversation as read. For everybody in the organisation. Give `received` as you have read it, so that a text that comes meanwhile stays unread. */
      read: (phone: string, body: ConversationsReadBody, options?: CallOptions) =>
        call<void>({ method: 'POST', path: `/conversations/${encodeURIComponent(phone)}/read`, body }, options),
      /** All entries of `list`, page after page. */
      each: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
        each<ListedConversation>({ method: 'GET', path: '/conversations', query }, 'conversations', options),
    },
    templates: {
      /** Create a template. A text to send again and again with `template_id` in `POST /sms/send`. What is in double braces is filled in per recipient from `personalisation`, or from the columns of the contact list when it is sent to a smartlist. */
      create: (body: TemplatesCreateBody, options?: CallOptions) =>
        call<Template>({ method: 'POST', path: '/templates', body }, options),
      /** List templates. Newest first, each in its newest version. */
      list: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
        call<TemplatePage>({ method: 'GET', path: '/templates', query }, options),
      /** Read a template. In its newest version, or in an older one such as a message was made of. */
      get: (id: string, query: { version?: number } = {}, options?: CallOptions) =>
        call<Template>({ method: 'GET', path: `/templates/${encodeURIComponent(id)}`, query }, options),
      /** Change a template. Every change makes a new version. Messages that were sent keep the one they were made of. */
      update: (id: string, body: TemplatesUpdateBody, options?: CallOptions) =>
        call<Template>({ method: 'PATCH', path: `/templates/${encodeURIComponent(id)}`, body }, options),
      /** Delete a template. With all of its versions. Messages that were sent keep their text. */
      delete: (id: string, options?: CallOptions) =>
        call<void>({ method: 'DELETE', path: `/templates/${encodeURIComponent(id)}` }, options),
      /** All entries of `list`, page after page. */
      each: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
        each<Template>({ method: 'GET', path: '/templates', query }, 'templates', options),
    },
    otp: {
      /** Send a token. Sends a one-time password to a phone number and charges what a message on that channel costs. The token is in no answer; the message is not handed over any more once the token has expired. In live mode a number gets at most five in ten minutes and twenty in a day, and numbers whose tokens are never verified are slowed, then blocked: 429 with `Retry-After` and the reason. */
      request: (body: OtpRequestBody, options?: CallOptions) =>
        call<OtpRecord>({ method: 'POST', path: '/otp/request_token', body, keyed: true }, options),
      /** Verify a token. The right token gives the record with status 4, once. Everything else is a 404 whose `errors[0].type` says why: `invalid`, `expired`, `used`, `revoked`, `max_attempts`, or `not_found` for the id. Five wrong tries end the OTP. In live mode twenty wrong tries in a day, over all OTPs of a number, are `max_attempts` too. */
      verify: (body: OtpVerifyBody, options?: CallOptions) =>
        call<OtpRecord>({ method: 'POST', path: '/otp/verify', body }, options),
      /** Read an OTP. Its status is what holds at this moment: one whose time is over is EXPIRED. The token is never shown. */
      get: (id: string, options?: CallOptions) =>
        call<OtpRecord>({ method: 'GET', path: `/otp/${encodeURIComponent(id)}` }, options),
      /** Revoke an OTP. Nothing can be verified with it afterwards. One that was verified stays so, and the answer is 409. One that has expired, failed or been revoked already stays as it is, too, and the answer is 204: it is of no use any more. */
      revoke: (id: string, options?: CallOptions) =>
        call<void>({ method: 'DELETE', path: `/otp/${encodeURIComponent(id)}` }, options),
      /** List the OTPs of a recipient. Newest first, at most 1,000. The number is taken from the query, from the path (`/otp/get-by-recipient/2348031234567`) or from a JSON body, and may be called `phone` or `to` as well; `get_by_recipient` is the same path. */
      list: (query: { recipient: string }, options?: CallOptions) =>
        call<OtpRecord[]>({ method: 'GET', path: '/otp/get-by-recipient', query }, options),
      settings: {
        /** Read how your OTPs are sent. What you have set, and what the configuration says about the rest. */
        get: (options?: CallOptions) => call<OtpSettingsAnswer>({ method: 'GET', path: '/otp/settings' }, options),
        /** Change how your OTPs are sent. The text, the domain phones may fill the code in for, the channel to fall back to, and numbers with a fixed token. Fields that are not given stay; null takes the default again. Each channel a token goes out on is charged once. */
        update: (body: OtpSettingsUpdateBody, options?: CallOptions) =>
          call<OtpSettingsAnswer>({ method: 'PATCH', path: '/otp/settings', body }, options),
      },
      guard: {
        /** List guarded prefixes. Number prefixes (a number without its last four digits) whose tokens are requested but hardly ever verified. A slowed prefix lets a request pass now and then, a blocked one none until its time. */
        list: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
          call<GuardPage>({ method: 'GET', path: '/otp/guard', query }, options),
        /** Lift the guard off a prefix. Its counters start anew. */
        lift: (prefix: string, options?: CallOptions) =>
          call<void>({ method: 'DELETE', path: `/otp/guard/${encodeURIComponent(prefix)}` }, options),
        /** All entries of `list`, page after page. */
        each: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
          each<GuardedPrefix>({ method: 'GET', path: '/otp/guard', query }, 'prefixes', options),
      },
    },
    airtime: {
      /** Buy airtime. Charges the amount at once and answers `pending`; what follows comes to your `callback`, or is read with `GET /airtime/{id}`. A purchase that ends `failed`, `duplicate` or `error` is refunded, once. The same network, recipient and amount again within five minutes ends `duplicate`, unless both requests carry different `Idempotency-Key`s or `external_ref`s; a first one that came to nothing does not count. When the vendor does not say clearly what became of a purchase it stays `sent`, and is neither refunded nor bought again, until the vendor or the operator knows. */
      buy: (body: AirtimeBuyBody, options?: CallOptions) =>
        call<BoughtPurchase>({ method: 'POST', path: '/airtime/buy', body, keyed: true }, options),
      /** Read a purchase and what became of it. Its status and its charge, with the reason where it was refunded. */
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
      /** Look up many phone numbers. One answer per number, in the order given. One number that is none refuses the request, unless `skip_invalid` says otherwise. */
      phones: (body: LookupPhonesBody, options?: CallOptions) =>
        call<LookupsAnswer>({ method: 'POST', path: '/lookup/phones', body, keyed: true }, options),
    },
    contacts: {
      /** Read the contact table. Its columns. An organisation that has none yet gets one with the columns Name, Email and Mobile. */
      get: (options?: CallOptions) => call<ContactTable>({ method: 'GET', path: '/lists/contact' }, options),
      rows: {
        /** Add a row. With cells for any of the columns. All faults are told at once. */
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
        /** Add up to 1,000 rows. All of them, or none when there is any fault; faults name the place of their row. */
        bulk: (body: ContactsRowsBulkBody, options?: CallOptions) =>
          call<BulkAnswer>({ method: 'POST', path: '/lists/contact/rows/bulk', body }, options),
        /** Read a row. Under `rows` and under `row`, which is the same. */
        get: (row_id: string, options?: CallOptions) =>
          call<RowAnswer>({ method: 'GET', path: `/lists/contact/rows/${encodeURIComponent(row_id)}` }, options),
        /** Change cells of a row. Cells that are not given stay as they are. Under `rows` and under `row`, which is the same. */
        update: (row_id: string, body: ContactsRowsCreateBody, options?: CallOptions) =>
          call<RowAnswer>(
            { method: 'PATCH', path: `/lists/contact/rows/${encodeURIComponent(row_id)}`, body },
            options,
          ),
        /** Delete a row. Under `rows` and under `row`, which is the same. */
        delete: (row_id: string, options?: CallOptions) =>
          call<void>({ method: 'DELETE', path: `/lists/contact/rows/${encodeURIComponent(row_id)}` }, options),
        /** Query rows. The rows all filters hold for and every word of `search` stands in, newest first or sorted by a column. `page` selects a page near the beginning; `query_id` scrolls: while rows come and go, every row that stays is seen exactly once. */
        query: (body: ContactsRowsQueryBody, options?: CallOptions) =>
          call<RowsAnswer>({ method: 'POST', path: '/lists/contact/rows/query', body }, options),
        /** Download rows as CSV. All rows the query finds, with the columns as headers, in UTF-8 with a byte order mark, streamed. A cell that begins with `=`, `+`, `-` or `@` gets an apostrophe in front, or a spreadsheet would carry it out; an import takes the apostrophe off again. */
        export: (body: ContactsRowsExportBody, options?: CallOptions) =>
          call<string>({ method: 'POST', path: '/lists/contact/rows/export', body }, options),
        /** All entries of `query`, page after page. */
        each: (body: ContactsRowsQueryBody, options?: CallOptions) =>
          each<ContactRow>({ method: 'POST', path: '/lists/contact/rows/query', body }, 'rows', options),
      },
      columns: {
        /** List the columns. In the order of the table. */
        list: (options?: CallOptions) =>
          call<ContactsColumnsListAnswer>({ method: 'GET', path: '/lists/contact/columns' }, options),
        /** Add a column. At the end of the table; rows have nothing in it yet. */
        create: (body: ContactsColumnsCreateBody, options?: CallOptions) =>
          call<ColumnAnswer>({ method: 'POST', path: '/lists/contact/columns', body }, options),
        /** Rename a column, change its options or move it. The type of a column stays. Cells keep what they say, also where it is no option any more. */
        update: (column_id: string, body: ContactsColumnsUpdateBody, options?: CallOptions) =>
          call<ColumnAnswer>(
            { method: 'PATCH', path: `/lists/contact/columns/${encodeURIComponent(column_id)}`, body },
            options,
          ),
        /** Delete a column with its cells. Refused while a smartlist filters by it. */
        delete: (column_id: string, options?: CallOptions) =>
          call<void>({ method: 'DELETE', path: `/lists/contact/columns/${encodeURIComponent(column_id)}` }, options),
      },
      changes: {
        /** Change or delete many rows. Writes one cell of every row, or deletes the rows: up to 10,000 that are named, or all a query finds. A thousand are done when the answer comes; of more it says how far it is, and reading the change says more. A restart goes on where it left off. For 30 seconds after the last row, or until the next change by the same person, it can be taken back. */
        create: (body: ContactsChangesCreateBody, options?: CallOptions) =>
          call<Change>({ method: 'POST', path: '/lists/contact/changes', body }, options),
        /** See how far a change of many rows is. Of a person only their own, of a key those made with keys. */
        get: (id: string, options?: CallOptions) =>
          call<Change>({ method: 'GET', path: `/lists/contact/changes/${encodeURIComponent(id)}` }, options),
        /** Take a change of many rows back. Deleted rows come back as they were, with their ids; changed cells say again what they said. A cell that somebody has changed since stays, and is counted in `not_restored`. 409 when it is too late. */
        undo: (id: string, options?: CallOptions) =>
          call<Change>({ method: 'POST', path: `/lists/contact/changes/${encodeURIComponent(id)}/undo` }, options),
      },
      smartlists: {
        /** List smartlists. Newest first, without how many rows they have. */
        list: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
          call<SmartlistPage>({ method: 'GET', path: '/lists/contact/smartlists', query }, options),
        /** Save filters as a smartlist. It always holds the rows its filters hold for at the time. Without filters it holds all rows. */
        create: (body: ContactsSmartlistsCreateBody, options?: CallOptions) =>
          call<CountedSmartlist>({ method: 'POST', path: '/lists/contact/smartlists', body }, options),
        /** Read a smartlist. With its filters, and how many rows fit them at this moment. */
        get: (id: string, options?: CallOptions) =>
          call<CountedSmartlist>(
            { method: 'GET', path: `/lists/contact/smartlists/${encodeURIComponent(id)}` },
            options,
          ),
        /** Change a smartlist. Fields that are not given stay. Given filters take the place of all saved ones. */
        update: (id: string, body: ContactsSmartlistsUpdateBody, options?: CallOptions) =>
          call<CountedSmartlist>(
            { method: 'PATCH', path: `/lists/contact/smartlists/${encodeURIComponent(id)}`, body },
            options,
          ),
        /** Delete a smartlist. The rows stay. Messages on their way to it are not stopped. */
        delete: (id: string, options?: CallOptions) =>
          call<void>({ method: 'DELETE', path: `/lists/contact/smartlists/${encodeURIComponent(id)}` }, options),
        /** All entries of `list`, page after page. */
        each: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
          each<Smartlist>({ method: 'GET', path: '/lists/contact/smartlists', query }, 'smartlists', options),
      },
      imports: {
        /** Import rows from CSV. Send the file as the body with content type `text/csv` (up to 256 MiB; the first line holds the headers; comma, semicolon, tab or bar; UTF-8 or Windows-1252) and the wishes as query parameters, or everything as JSON. The answer comes when the file has been taken in; read the import to see how far it is. A line with the phone number of a row changes that row, unless `allow_duplicates` is true. Good lines are written, bad ones are kept aside and can be downloaded. A restart goes on where it left off. */
        create: (body: ContactsImportsCreateBody, options?: CallOptions) =>
          call<ImportWithFaults>({ method: 'POST', path: '/lists/contact/imports', body }, options),
        /** List imports. Newest first, each with how far it has come. */
        list: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
          call<ContactsImportsListAnswer>({ method: 'GET', path: '/lists/contact/imports', query }, options),
        /** See how far an import is. Lines read, written and rejected so far, with the first faults. */
        get: (id: string, options?: CallOptions) =>
          call<ImportWithFaults>({ method: 'GET', path: `/lists/contact/imports/${encodeURIComponent(id)}` }, options),
        /** Cancel an import. Rows it has written stay. */
        cancel: (id: string, options?: CallOptions) =>
          call<void>({ method: 'DELETE', path: `/lists/contact/imports/${encodeURIComponent(id)}` }, options),
        /** Download the rejected lines as CSV. Each with its line number and what is wrong with it, to be mended and imported again. */
        rejects: (id: string, options?: CallOptions) =>
          call<string>({ method: 'GET', path: `/lists/contact/imports/${encodeURIComponent(id)}/rejects` }, options),
        /** All entries of `list`, page after page. */
        each: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
          each<Import>({ method: 'GET', path: '/lists/contact/imports', query }, 'imports', options),
      },
      sends: {
        /** Send a message to a smartlist. The answer comes at once; a job sends and charges chunk by chunk, to each number once. `{{Name}}` in the content or template is filled from the column of that name. With an `Idempotency-Key` a retry within 24 hours is sent once. */
        create: (body: ContactsSendsCreateBody, options?: CallOptions) =>
          call<ListSend>({ method: 'POST', path: '/lists/contact/sends', body, keyed: true }, options),
        /** See how far a message to a smartlist is. Rows looked at, recipients accepted, and what was charged so far. */
        get: (id: string, options?: CallOptions) =>
          call<ListSend>({ method: 'GET', path: `/lists/contact/sends/${encodeURIComponent(id)}` }, options),
        /** Cancel a message to a smartlist. What was charged and not handed over is taken back and refunded; what a carrier has stays with it. */
        cancel: (id: string, options?: CallOptions) =>
          call<void>({ method: 'DELETE', path: `/lists/contact/sends/${encodeURIComponent(id)}` }, options),
      },
    },
    people: {
      /** Export what is kept about a number. As JSON, table by table, for the person who asks what you know about them (the right of access). A POST, so that the number stands in no address and no log. What waits or was kept for several people shows only the part about this one. Everything you have is looked through, so there is one at a time: 429 while another is being written. */
      export: (body: PeopleExportBody, options?: CallOptions) =>
        call<PersonExport>({ method: 'POST', path: '/people/export', body }, options),
      erasures: {
        /** Erase a number. Everywhere: the number and the texts sent to it and received from it (the right to erasure). Messages that wait are canceled and refunded; money, counters and states stay, under a keyed hash in place of the number; an opt-out stays in force. It works in the background, goes on after a restart, and ends with a receipt: read it until its `status` is `done`. Asked again while it runs it is the same erasure. It cannot be undone. */
        create: (body: PeopleExportBody, options?: CallOptions) =>
          call<ErasureAnswer>({ method: 'POST', path: '/people/erasures', body }, options),
        /** List erasures. Newest first. Receipts are kept, and name nobody. */
        list: (
          query: { limit?: number; page?: number; query_id?: string; number_hash?: string } = {},
          options?: CallOptions,
        ) => call<ErasurePage>({ method: 'GET', path: '/people/erasures', query }, options),
        /** Read the receipt of an erasure. What was found in which table, by whom it was asked for and when it ended. */
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
      /** Read the balance and its ledger. The balance is always the sum of all ledger lines. Newest lines first: all of them, or those of a time, a kind, a message or a reference of yours. With a time, `opening_balance` and `closing_balance` are what there was before and after it, whatever else is asked for. */
      get: (
        query: {
          limit?: number
          page?: number
          query_id?: string
          from?: string
          until?: string
          external_ref?: string
          kind?: 'opening' | 'top_up' | 'adjustment' | 'message' | 'airtime' | 'lookup' | 'refund'
          subject_id?: string
        } = {},
        options?: CallOptions,
      ) => call<AccountPage>({ method: 'GET', path: '/balance', query }, options),
      /** Download the ledger as CSV. The lines that `GET /balance` lists, all of them, newest first. */
      export: (
        query: {
          from?: string
          until?: string
          external_ref?: string
          kind?: 'opening' | 'top_up' | 'adjustment' | 'message' | 'airtime' | 'lookup' | 'refund'
          subject_id?: string
        } = {},
        options?: CallOptions,
      ) => call<string>({ method: 'GET', path: '/balance.csv', query }, options),
      /** See what each message came to. One line for each message that was accepted in that time, newest first: what was charged, what was given back since, and what is left. Messages go when their retention ends; the ledger stays. */
      messages: (
        query: { limit?: number; query_id?: string; from?: string; until?: string; external_ref?: string } = {},
        options?: CallOptions,
      ) => call<MessageCostPage>({ method: 'GET', path: '/balance/messages', query }, options),
      /** Download what each message came to as CSV. What `GET /balance/messages` lists, all of it, newest first. */
      exportMessages: (query: { from?: string; until?: string; external_ref?: string } = {}, options?: CallOptions) =>
        call<string>({ method: 'GET', path: '/balance/messages.csv', query }, options),
      /** All entries of `get`, page after page. */
      each: (
        query: {
          limit?: number
          page?: number
          query_id?: string
          from?: string
          until?: string
          external_ref?: string
          kind?: 'opening' | 'top_up' | 'adjustment' | 'message' | 'airtime' | 'lookup' | 'refund'
          subject_id?: string
        } = {},
        options?: CallOptions,
      ) => each<LedgerEntry>({ method: 'GET', path: '/balance', query }, 'entries', options),
    },
    requests: {
      /** List your calls. What was called with your keys in the last days, newest first, a second or two after it was answered. Of more than twenty calls in a second failures are kept first, and a sample of the others: `shown` and `seen` say so. It is a log and no proof: a crash of the service loses its last second. */
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
      /** Read a call. With what was sent and answered, each cut at 4,096 characters. One-time passwords, keys, passwords and other secrets are masked, and no headers are kept. */
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
      /** See what became of messages and one-time passwords. Of any stretch of days, in steps of an hour, a day or a month of your time zone, by channel, country, operator, sender, route, error or template, and compared with a stretch before. A message is counted in the hour it was accepted, whatever becomes of it later, so rates are true for any stretch; figures of the last days still move while reports come in. They come from counters that are written within a second, and stay when messages are deleted or people are erased. A process that is killed loses a second of them at most: what you pay is told by the ledger. */
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
      /** Download analytics as CSV. The same figures, in UTF-8 with a byte order mark: a line for each value of `by`, or without it for each step; with `compare` the figures before in columns of their own. */
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
      /** Read your settings. Those of your organisation, with what the operator has set. */
      get: (options?: CallOptions) => call<OrganisationSettingsAnswer>({ method: 'GET', path: '/settings' }, options),
      /** Change your settings. Fields that are not given stay; null takes a value away where there need not be one. A change counts within a second on every process. The currency is the operator’s to set. */
      update: (body: SettingsUpdateBody, options?: CallOptions) =>
        call<OrganisationSettingsAnswer>({ method: 'PATCH', path: '/settings', body }, options),
    },
    callbacks: {
      /** List callbacks. Newest first: all of them, or those about one message, of one webhook, with one `webhook-id`, or in one state. */
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
      /** Read a callback with every try. With the body as it was posted, and every try: when, how long, and what your endpoint answered. */
      get: (id: string, options?: CallOptions) =>
        call<CallbackWithAttemptsAnswer>({ method: 'GET', path: `/callbacks/${encodeURIComponent(id)}` }, options),
      /** Send a callback again. At once, with the same `webhook-id` and body, whatever became of it before. What was for a registered webhook goes where that webhook points now. */
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
      /** List webhooks. Newest first. Secrets are not shown. */
      list: (query: { limit?: number; page?: number; query_id?: string } = {}, options?: CallOptions) =>
        call<WebhookPage>({ method: 'GET', path: '/webhooks', query }, options),
      /** Register a webhook. From now on every event its filter names is posted there, besides the `callback` a request may name. An event that goes to several endpoints has the same `webhook-id` at each of them. Posts are signed with the secret of this answer, which is shown this once. An endpoint that fails for days without one success, or answers 410, is disabled; `disabled_reason` says why. */
      create: (body: WebhooksCreateBody, options?: CallOptions) =>
        call<WebhookWithSecretAnswer>({ method: 'POST', path: '/webhooks', body }, options),
      /** Read a webhook. With why and since when it fails, where it does. Its secret is not shown. */
      get: (id: string, options?: CallOptions) =>
        call<WebhookAnswer>({ method: 'GET', path: `/webhooks/${encodeURIComponent(id)}` }, options),
      /** Change a webhook. Fields that are not given stay. What still waits to be tried goes to the new `url`. While a webhook is disabled nothing is kept for it, and what waits is stopped when its turn comes; it can be sent again later. Another `url` for one in the form of Twilio needs the scope `sms` as well. */
      update: (id: string, body: WebhooksUpdateBody, options?: CallOptions) =>
        call<WebhookAnswer>({ method: 'PATCH', path: `/webhooks/${encodeURIComponent(id)}`, body }, options),
      /** Delete a webhook. Callbacks that wait for it are `stopped`. What is on its way at this moment may still arrive. */
      delete: (id: string, options?: CallOptions) =>
        call<void>({ method: 'DELETE', path: `/webhooks/${encodeURIComponent(id)}` }, options),
      /** Rotate the secret of a webhook. For `overlap_hours` posts carry two signatures, one of the new secret and one of the secret before it, so that your endpoint can change over. 0 ends the old one at once. */
      rotate: (id: string, body: WebhooksRotateBody, options?: CallOptions) =>
        call<WebhookWithSecretAnswer>(
          { method: 'POST', path: `/webhooks/${encodeURIComponent(id)}/rotate`, body },
          options,
        ),
      /** Send a test event. Posts an event of type `webhook.test`, once, whatever the filter, also while the webhook is disabled. `GET /callbacks/{id}` with the id of the answer tells what came of it. */
      test: (id: string, options?: CallOptions) =>
        call<CallbackAnswer>({ method: 'POST', path: `/webhooks/${encodeURIComponent(id)}/test` }, options),
      /** Send failed events again. Everything for this webhook that failed or was stopped in a time is put in line again, with the same `webhook-id` and body. Up to 10,000 at once: ask again until `complete` is true. */
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
      /** List hooks. With what each is for. Secrets are not shown. */
      list: (options?: CallOptions) => call<HooksAnswer>({ method: 'GET', path: '/hooks' }, options),
      /** Make a hook. For identity servers and others that hand over what is to be sent in a form of their own: `POST /hooks/{name}` takes their requests, signed or authenticated with the secret of this answer, which is shown this once. One-time passwords go with the priority, the limits and the guard of ours; verifying them stays with the other side, and `POST /hooks/{name}/verified` with `{"to": …}` tells the guard of a success. */
      create: (body: HooksCreateBody, options?: CallOptions) =>
        call<HookWithSecretAnswer>({ method: 'POST', path: '/hooks', body }, options),
      /** Delete a hook. What it asks for afterwards is refused. */
      delete: (name: string, options?: CallOptions) =>
        call<void>({ method: 'DELETE', path: `/hooks/${encodeURIComponent(name)}` }, options),
    },
    smpp: {
      accounts: {
        /** List SMPP accounts. With the binds that are up, and what waits for a receiver. */
        list: (options?: CallOptions) => call<SmppAccountsAnswer>({ method: 'GET', path: '/smpp/accounts' }, options),
        /** Make an SMPP account. For software that speaks SMPP 3.4: it binds to the port the operator has opened, under `system_id` and with the password of this answer, which is shown this once. Its messages are sent and charged as those of `POST /sms/send` are. The operator may allow fewer binds, a lower rate and a smaller window than it asks for. */
        create: (body: SmppAccountsCreateBody, options?: CallOptions) =>
          call<SmppAccountWithPasswordAnswer>({ method: 'POST', path: '/smpp/accounts', body }, options),
        /** Delete an SMPP account. Its binds are closed within a second, and what waits for it is dropped. */
        delete: (system_id: string, options?: CallOptions) =>
          call<void>({ method: 'DELETE', path: `/smpp/accounts/${encodeURIComponent(system_id)}` }, options),
      },
    },
    sandbox: {
      /** What the virtual handsets show. In sandbox mode, or with a test key. One-time passwords are in clear here, as on a phone. */
      messages: (
        query: { limit?: number; page?: number; query_id?: string; recipient?: string } = {},
        options?: CallOptions,
      ) => call<SandboxPage>({ method: 'GET', path: '/sandbox/messages', query }, options),
      /** Let a virtual handset answer. In sandbox mode, or with a test key. The text is received as one from a real handset would be: kept, posted to your inbound URL, and STOP blocks the number. Real handsets cannot answer a name such as `Gangan`; these can. */
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
