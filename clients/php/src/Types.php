<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan;

/**
 * The shapes of requests and answers.
 *
 * @phpstan-type AccountPage array{balance: int|float, currency: string, low_balance?: int|float, entries: list<LedgerEntry>, meta: ListMeta}
 * @phpstan-type AirtimeBuyBody array{network: 'Airtel'|'MTN'|'Glo'|'9mobile'|'NTEL', amount: int|float, recipient: string, callback?: string, external_ref?: string}
 * @phpstan-type AirtimeDuplicateEvent array{id: string, type: 'airtime.duplicate', created_datetime: string, data: PurchaseReport}
 * @phpstan-type AirtimeErrorEvent array{id: string, type: 'airtime.error', created_datetime: string, data: PurchaseReport}
 * @phpstan-type AirtimeFailedEvent array{id: string, type: 'airtime.failed', created_datetime: string, data: PurchaseReport}
 * @phpstan-type AirtimeSuccessEvent array{id: string, type: 'airtime.success', created_datetime: string, data: PurchaseReport}
 * @phpstan-type BalanceLowEvent array{id: string, type: 'balance.low', created_datetime: string, data: array{balance: int|float, low_balance: int|float, currency: string}}
 * @phpstan-type BoughtPurchase array{id: string, recipient: string, external_ref?: string, callback?: string, status: 'pending'|'sent'|'failed'|'error'|'success'|'duplicate', created_datetime: string, network: 'Airtel'|'MTN'|'Glo'|'9mobile'|'NTEL', meta: array{method: string, resource: string, charge: array{amount: int|float, available_balance: int|float, balance_before: int|float, refunded: bool}, warnings?: list<string>}}
 * @phpstan-type BulkAnswer array{rows: list<ContactRow>, table: ContactTable}
 * @phpstan-type CallbackAnswer array{id: string, event_id: string, webhook_id?: string, type: string, url: string, status: 'pending'|'delivered'|'stopped'|'failed', attempts: int, subject_id: string, created_datetime: string, updated_datetime?: string, meta: RequestMeta}
 * @phpstan-type CallbackPage array{callbacks: list<ListedCallback>, meta: ListMeta}
 * @phpstan-type CallbackWithAttemptsAnswer array{id: string, event_id: string, webhook_id?: string, type: string, url: string, status: 'pending'|'delivered'|'stopped'|'failed', attempts: int, subject_id: string, created_datetime: string, updated_datetime?: string, body: string, attempts_log: list<array{attempt: int, status_code?: int, reason?: string, excerpt?: string, duration_ms: int, created_datetime: string}>, meta: RequestMeta}
 * @phpstan-type Campaign array{id: string, name: string, status: 'draft'|'estimating'|'estimated'|'scheduled'|'running'|'paused'|'finished'|'cancelled', smartlist_id?: string, filters?: list<SavedFilter>, uploaded: int, channel: string, sender_id?: string, texts: list<array{content: string, template_id?: string, template_version?: int, share: int}>, route_class: string, is_trackable: bool, smart_encoding?: bool, external_ref?: string, callback?: string, send_at?: string, pace_per_hour?: int, quiet_from?: string, quiet_until?: string, estimate?: array{is_complete: bool, rows: int, people: int, charge: int|float, sizes: list<array{text_number: int, encoding: string, pages: int, people: int, charge: int|float}>, left_out: array<string, int>, samples: list<array{recipient: string, text: string, text_number: int, encoding: string, pages: int, charge: int|float}>, estimated_datetime?: string}, progress: array{accepted: int, charge: int|float, dropped: int, taken_back: int, given_back: int|float}, pause_reason?: string, fault?: string, created_datetime: string, updated_datetime?: string, started_datetime?: string, ended_datetime?: string}
 * @phpstan-type CampaignAnswer array{id: string, name: string, status: 'draft'|'estimating'|'estimated'|'scheduled'|'running'|'paused'|'finished'|'cancelled', smartlist_id?: string, filters?: list<SavedFilter>, uploaded: int, channel: string, sender_id?: string, texts: list<array{content: string, template_id?: string, template_version?: int, share: int}>, route_class: string, is_trackable: bool, smart_encoding?: bool, external_ref?: string, callback?: string, send_at?: string, pace_per_hour?: int, quiet_from?: string, quiet_until?: string, estimate?: array{is_complete: bool, rows: int, people: int, charge: int|float, sizes: list<array{text_number: int, encoding: string, pages: int, people: int, charge: int|float}>, left_out: array<string, int>, samples: list<array{recipient: string, text: string, text_number: int, encoding: string, pages: int, charge: int|float}>, estimated_datetime?: string}, progress: array{accepted: int, charge: int|float, dropped: int, taken_back: int, given_back: int|float}, pause_reason?: string, fault?: string, created_datetime: string, updated_datetime?: string, started_datetime?: string, ended_datetime?: string, meta: RequestMeta}
 * @phpstan-type CampaignPage array{campaigns: list<Campaign>, meta: ListMeta}
 * @phpstan-type CampaignReportAnswer array{people: int, outcomes: array<string, int>, clicked: int, replied: int, opted_out: int, charge: int|float, refunded: int|float, failures: list<array{outcome: string, code: string, operator: string, people: int}>, operators: list<array{operator: string, people: int, delivered: int}>, hours: list<array{hour: string, delivered: int, failed: int}>, texts: list<array{text_number: int, people: int, delivered: int, clicked: int, delivered_rate: int|float, clicked_rate: int|float}>, winner?: int, meta: RequestMeta}
 * @phpstan-type CampaignWithOutcomesAnswer array{id: string, name: string, status: 'draft'|'estimating'|'estimated'|'scheduled'|'running'|'paused'|'finished'|'cancelled', smartlist_id?: string, filters?: list<SavedFilter>, uploaded: int, channel: string, sender_id?: string, texts: list<array{content: string, template_id?: string, template_version?: int, share: int}>, route_class: string, is_trackable: bool, smart_encoding?: bool, external_ref?: string, callback?: string, send_at?: string, pace_per_hour?: int, quiet_from?: string, quiet_until?: string, estimate?: array{is_complete: bool, rows: int, people: int, charge: int|float, sizes: list<array{text_number: int, encoding: string, pages: int, people: int, charge: int|float}>, left_out: array<string, int>, samples: list<array{recipient: string, text: string, text_number: int, encoding: string, pages: int, charge: int|float}>, estimated_datetime?: string}, progress: array{accepted: int, charge: int|float, dropped: int, taken_back: int, given_back: int|float}, pause_reason?: string, fault?: string, created_datetime: string, updated_datetime?: string, started_datetime?: string, ended_datetime?: string, outcomes: array<string, int>, meta: RequestMeta}
 * @phpstan-type CampaignsAddRecipientsBody array{recipients?: list<array{to: string, substitutions?: array<string, string>}>, csv?: string}
 * @phpstan-type CampaignsCreateBody array{name?: string, smartlist_id?: string, filters?: list<Filter>, content?: string, template_id?: string, texts?: list<TextBody>, sender_id?: string, channel?: 'sms'|'whatsapp', external_ref?: string, is_trackable?: bool, smart_encoding?: bool, route_class?: 'transactional'|'promotional', callback?: string, send_at?: string, pace_per_hour?: int, quiet_from?: string, quiet_until?: string}
 * @phpstan-type CampaignsStartBody array{people: int, charge: int|float}
 * @phpstan-type CampaignsTestBody array{recipients: string|list<string>, text?: int}
 * @phpstan-type CampaignsUpdateBody array{name?: string, smartlist_id?: string|null, filters?: list<Filter>, content?: string, template_id?: string, texts?: list<TextBody>, sender_id?: string, channel?: 'sms'|'whatsapp', external_ref?: string, is_trackable?: bool, smart_encoding?: bool, route_class?: 'transactional'|'promotional', callback?: string, send_at?: string|null, pace_per_hour?: int|null, quiet_from?: string|null, quiet_until?: string|null}
 * @phpstan-type Column array{id: string, name: string, type: 'TEXT'|'NUMBER'|'DATE'|'PHONE NUMBER'|'EMAIL'|'URL'|'SELECT'|'MULTI SELECT', options?: list<string>}
 * @phpstan-type ColumnAnswer array{column: Column, table: ContactTable}
 * @phpstan-type ContactRow array{id: string, columns: array<string, string>, created_datetime: string, updated_datetime?: string}
 * @phpstan-type ContactTable array{id: string, columns: list<Column>, created_datetime: string, updated_datetime?: string}
 * @phpstan-type ContactsColumnsCreateBody array{name: string, type?: 'TEXT'|'NUMBER'|'DATE'|'PHONE NUMBER'|'EMAIL'|'URL'|'SELECT'|'MULTI SELECT', options?: list<string>}
 * @phpstan-type ContactsColumnsListAnswer array{columns: list<Column>, meta: RequestMeta}
 * @phpstan-type ContactsColumnsUpdateBody array{name?: string, options?: list<string>}
 * @phpstan-type ContactsImportsCreateBody array{dry_run?: bool, upsert_by?: string, new_columns?: bool, mapping?: array<string, string|null>, csv?: string, rows?: list<list<string|int|float|null|bool>>}
 * @phpstan-type ContactsImportsListAnswer array{imports: list<Import>, meta: ListMeta}
 * @phpstan-type ContactsRowsBulkBody array{rows: list<RowBody>}
 * @phpstan-type ContactsRowsCreateBody array{columns: array<string, mixed>}
 * @phpstan-type ContactsRowsExportBody array{smartlist_id?: string, filters?: list<Filter>, sort?: string}
 * @phpstan-type ContactsRowsQueryBody array{smartlist_id?: string, filters?: list<Filter>, limit?: int, per_page?: int, page?: int, query_id?: string, sort?: string}
 * @phpstan-type ContactsSendsCreateBody array{smartlist_id: string, sender_id?: string, channel?: 'sms'|'whatsapp', content?: string, template_id?: string, external_ref?: string, is_trackable?: bool, smart_encoding?: bool, route_class?: 'transactional'|'promotional', callback?: string, send_at?: string}
 * @phpstan-type ContactsSmartlistsCreateBody array{name: string, filters: list<Filter>}
 * @phpstan-type ContactsSmartlistsUpdateBody array{name?: string, filters?: list<Filter>}
 * @phpstan-type CountedSmartlist array{id: string, name: string, filters: list<SavedFilter>, created_datetime: string, updated_datetime?: string, count: int}
 * @phpstan-type Delivery array{recipient: string, text?: string, status: 'scheduled'|'queued'|'sent'|'delivered'|'undelivered'|'expired'|'rejected'|'failed'|'unknown'|'canceled', code?: string, description?: string, pages: int, charge: int|float, refunded: bool, send_at?: string, clicks?: int, clicks_raw?: int, clicked_datetime?: string, links?: list<array{url: string, short_url: string, clicks?: int, clicks_raw?: int, clicked_datetime?: string}>, created_datetime: string, updated_datetime?: string}
 * @phpstan-type DeliveryReport array{id: string, recipient: string, status: 'scheduled'|'queued'|'sent'|'delivered'|'undelivered'|'expired'|'rejected'|'failed'|'unknown'|'canceled', channel: 'sms'|'whatsapp', sender_id?: string, external_ref?: string, pages: int, charge: int|float, refunded: bool, code?: string, description?: string, updated_datetime: string}
 * @phpstan-type Erasure array{id: string, number_hash: string, status: 'running'|'done', asked_by: string, found: list<array{table: string, rows: int}>, waits_for?: list<string>, created_datetime: string, ended_datetime?: string}
 * @phpstan-type ErasureAnswer array{id: string, number_hash: string, status: 'running'|'done', asked_by: string, found: list<array{table: string, rows: int}>, waits_for?: list<string>, created_datetime: string, ended_datetime?: string, meta: RequestMeta}
 * @phpstan-type ErasurePage array{erasures: list<Erasure>, meta: ListMeta}
 * @phpstan-type Estimate array{available_balance: int|float, charge: int|float, encoding: 'GSM'|'UCS-2', message_length: int, pages: int}
 * @phpstan-type EstimatedText array{text: string, recipients: int, encoding: 'GSM'|'UCS-2', message_length: int, pages: int, charge: int|float, foreign_characters: list<array{character: string, code_point: string, positions: list<int>, look_alike?: string}>, smart_encoding?: array{text: string, encoding: 'GSM'|'UCS-2', message_length: int, pages: int, charge: int|float}, gsm?: array{message_length: int, pages: int, charge: int|float}}
 * @phpstan-type Filter array{column_id?: string, name?: string, operator: 'equal'|'not_equal'|'contain'|'not_contain'|'start_with'|'end_with'|'empty'|'not_empty'|'is_any'|'is_none_of'|'greater'|'less'|'before'|'after', value?: string|int|float|bool|list<string|int|float|bool>}
 * @phpstan-type FoundPhone array{msisdn: string, operator: string, country: string, ported: bool, dnd: bool, source: 'provider'|'cache'|'carrier'|'registry'|'prefix'|'none', age_s?: int}
 * @phpstan-type GuardPage array{prefixes: list<GuardedPrefix>, meta: ListMeta}
 * @phpstan-type GuardedPrefix array{prefix: string, state: 'slowed'|'blocked', sent: int, verified: int, until_datetime: string, created_datetime: string, updated_datetime?: string}
 * @phpstan-type Hook array{name: string, kind: 'supabase'|'logto'|'authentik'|'zitadel'|'kratos'|'keycloak'|'fusionauth'|'listmonk'|'novu', created_datetime: string}
 * @phpstan-type HookWithSecretAnswer array{name: string, kind: 'supabase'|'logto'|'authentik'|'zitadel'|'kratos'|'keycloak'|'fusionauth'|'listmonk'|'novu', created_datetime: string, secret: string, meta: RequestMeta}
 * @phpstan-type HooksAnswer array{hooks: list<Hook>, meta: RequestMeta}
 * @phpstan-type HooksCreateBody array{kind: 'supabase'|'logto'|'authentik'|'zitadel'|'kratos'|'keycloak'|'fusionauth'|'listmonk'|'novu', secret?: string}
 * @phpstan-type Import array{id: string, status: 'uploading'|'queued'|'running'|'done'|'failed'|'canceled', dry_run: bool, columns: list<array{header: string, column_id?: string, name?: string, type?: 'TEXT'|'NUMBER'|'DATE'|'PHONE NUMBER'|'EMAIL'|'URL'|'SELECT'|'MULTI SELECT', is_new: bool}>, upsert_by?: string, progress: int|float, lines: int, created: int, updated: int, rejected: int, fault?: string, created_datetime: string, updated_datetime?: string}
 * @phpstan-type ImportWithFaults array{id: string, status: 'uploading'|'queued'|'running'|'done'|'failed'|'canceled', dry_run: bool, columns: list<array{header: string, column_id?: string, name?: string, type?: 'TEXT'|'NUMBER'|'DATE'|'PHONE NUMBER'|'EMAIL'|'URL'|'SELECT'|'MULTI SELECT', is_new: bool}>, upsert_by?: string, progress: int|float, lines: int, created: int, updated: int, rejected: int, fault?: string, created_datetime: string, updated_datetime?: string, faults: list<array{line: int, field: string, message: string, type: string}>}
 * @phpstan-type InboundAnswer array{id: string, from: string, to: string, channel: 'sms'|'whatsapp', text: string, keyword?: 'stop'|'start'|'help', created_datetime: string, meta: RequestMeta}
 * @phpstan-type InboundMessage array{id: string, from: string, to: string, channel: 'sms'|'whatsapp', text: string, keyword?: 'stop'|'start'|'help', created_datetime: string}
 * @phpstan-type InboundPage array{inbound: list<InboundMessage>, meta: ListMeta}
 * @phpstan-type LedgerEntry array{id: string, kind: 'opening'|'top_up'|'adjustment'|'message'|'airtime'|'lookup'|'refund', amount: int|float, balance_after: int|float, subject_id: string, subjects?: int, subject_ids?: list<string>, recipient?: string, note?: string, created_datetime: string}
 * @phpstan-type LinkClick array{id: string, recipient: string, status: 'scheduled'|'queued'|'sent'|'delivered'|'undelivered'|'expired'|'rejected'|'failed'|'unknown'|'canceled', channel: 'sms'|'whatsapp', sender_id?: string, external_ref?: string, url: string, clicked_datetime: string}
 * @phpstan-type ListMeta array{method: string, resource: string, pagination: Pagination}
 * @phpstan-type ListSend array{id: string, smartlist_id: string, status: 'queued'|'running'|'done'|'failed'|'canceled', sender_id?: string, channel: 'sms'|'whatsapp', content: string, template_id?: string, template_version?: int, external_ref?: string, callback?: string, send_at?: string, rows: int, accepted: int, duplicates: int, without_number: int, incomplete: int, refused: int, charge: int|float, fault?: string, created_datetime: string, updated_datetime?: string}
 * @phpstan-type ListedCallback array{id: string, event_id: string, webhook_id?: string, type: string, url: string, status: 'pending'|'delivered'|'stopped'|'failed', attempts: int, subject_id: string, created_datetime: string, updated_datetime?: string}
 * @phpstan-type ListedMessage array{id: string, recipients: list<string>, sender_id?: string, channel: 'sms'|'whatsapp', is_trackable: bool, content?: string, external_ref?: string, callback?: string, template_id?: string, template_version?: int, personalisation?: list<array{to: string, substitutions: array<string, string>}>, send_at?: string, created_datetime: string, updated_datetime?: string}
 * @phpstan-type ListedPurchase array{id: string, recipient: string, external_ref?: string, callback?: string, status: 'pending'|'sent'|'failed'|'error'|'success'|'duplicate', created_datetime: string, network: 'Airtel'|'MTN'|'Glo'|'9mobile'|'NTEL', description?: string, updated_datetime?: string, meta: array{charge: array{amount: int|float, available_balance: int|float, balance_before: int|float, refunded: bool}, warnings?: list<string>}}
 * @phpstan-type LookupAnswer array{msisdn: string, operator: string, country: string, ported: bool, dnd: bool, meta: array{method: string, resource: string, source: 'provider'|'cache'|'carrier'|'registry'|'prefix'|'none', age_s?: int, charge?: array{amount: int|float, available_balance: int|float, balance_before: int|float}}}
 * @phpstan-type LookupPhoneBody array{phone: string}
 * @phpstan-type LookupPhonesBody array{phones: string|list<string>, skip_invalid?: bool}
 * @phpstan-type LookupsAnswer array{phones: list<FoundPhone>, invalid?: list<string>, meta: array{method: string, resource: string, charge?: array{amount: int|float, available_balance: int|float, balance_before: int|float}}}
 * @phpstan-type MessageEstimate array{recipients: int, texts: list<EstimatedText>, texts_total: int, smart_encoding: array{applied: bool, charge: int|float}, gsm: array{charge: int|float}, meta: array{method: string, resource: string, estimate: Estimate}}
 * @phpstan-type MessageWithDeliveries array{id: string, recipients: list<string>, sender_id?: string, channel: 'sms'|'whatsapp', is_trackable: bool, content?: string, external_ref?: string, callback?: string, template_id?: string, template_version?: int, personalisation?: list<array{to: string, substitutions: array<string, string>}>, send_at?: string, created_datetime: string, updated_datetime?: string, deliveries: list<Delivery>, meta: array{method: string, resource: string}}
 * @phpstan-type Optout array{id: string, recipient: string, source: 'text'|'api', created_datetime: string}
 * @phpstan-type OptoutPage array{optouts: list<Optout>, meta: ListMeta}
 * @phpstan-type OptoutsAnswer array{optouts: list<Optout>, meta: RequestMeta}
 * @phpstan-type OptoutsCreateBody array{recipients: string|list<string>}
 * @phpstan-type OrganisationSettingsAnswer array{name: string, default_country: string, default_sender_id?: string, currency: string, smart_encoding: bool, inbound_url?: string, quiet_from?: string, quiet_until?: string, whatsapp_fallback: bool, low_balance?: int|float, meta: RequestMeta}
 * @phpstan-type OtpRecord array{id: string, recipient: string, status: 1|2|3|4|5, status_desc: 'SENT'|'EXPIRED'|'FAILED'|'VERIFIED'|'DELETED', created_datetime: string, updated_datetime?: string}
 * @phpstan-type OtpRequestBody array{recipient: string, length?: int, expires_in?: int, token?: string, channel?: 'sms'|'whatsapp'}
 * @phpstan-type OtpSettingsAnswer array{template: string, origin?: string, fallback_channel?: 'sms'|'whatsapp', fallback_after_s?: int, test_numbers: list<array{recipient: string}>, updated_datetime?: string, meta: RequestMeta}
 * @phpstan-type OtpSettingsUpdateBody array{template?: string|null, origin?: string|null, fallback_channel?: 'sms'|'whatsapp'|null, fallback_after_s?: int|null, test_numbers?: list<array{recipient: string, token: string}>}
 * @phpstan-type OtpVerifyBody array{id: string, token: string}
 * @phpstan-type Pagination array{next_page: 'True'|'False', prev_page: 'True'|'False', per_page: int, count_total: int, page_total: int, page: int, query_id: string}
 * @phpstan-type PeopleExportBody array{phone: string}
 * @phpstan-type PersonExport array{about: string, phone: string, written_datetime: string, parts: list<array{table: string, what: string, entries: list<array<string, mixed>>}>}
 * @phpstan-type PurchasePage array{purchases: list<ListedPurchase>, meta: ListMeta}
 * @phpstan-type PurchaseReport array{id: string, recipient: string, network: 'Airtel'|'MTN'|'Glo'|'9mobile'|'NTEL', amount: int|float, status: 'pending'|'sent'|'failed'|'error'|'success'|'duplicate', external_ref?: string, refunded: bool}
 * @phpstan-type ReadPurchase array{id: string, recipient: string, external_ref?: string, callback?: string, status: 'pending'|'sent'|'failed'|'error'|'success'|'duplicate', created_datetime: string, network: 'Airtel'|'MTN'|'Glo'|'9mobile'|'NTEL', description?: string, updated_datetime?: string, meta: array{method: string, resource: string, charge: array{amount: int|float, available_balance: int|float, balance_before: int|float, refunded: bool}, warnings?: list<string>}}
 * @phpstan-type RegisteredSender array{id: string, sender_id: string, state: 'pending'|'approved'|'rejected', class: 'transactional'|'promotional', note?: string, reason?: string, created_datetime: string, updated_datetime?: string}
 * @phpstan-type RequestMeta array{method: string, resource: string}
 * @phpstan-type RowAnswer array{row: ContactRow, table: ContactTable}
 * @phpstan-type RowBody array{columns: array<string, mixed>}
 * @phpstan-type RowsAnswer array{rows: list<ContactRow>, table: ContactTable, smartlist: Smartlist|null, meta: array{method: string, resource: string, pagination: array{next_page: 'True'|'False', prev_page: 'True'|'False', per_page: int, count_total: int, page_total: int, page: int, query_id: string}}}
 * @phpstan-type SandboxMessage array{id: string, recipient: string, sender_id?: string, channel: 'sms'|'whatsapp', text: string, created_datetime: string}
 * @phpstan-type SandboxPage array{messages: list<SandboxMessage>, meta: ListMeta}
 * @phpstan-type SandboxReplyBody array{from: string, to: string, text: string, channel?: 'sms'|'whatsapp'}
 * @phpstan-type SavedFilter array{column_id: string, name: string, operator: 'equal'|'not_equal'|'contain'|'not_contain'|'start_with'|'end_with'|'empty'|'not_empty'|'is_any'|'is_none_of'|'greater'|'less'|'before'|'after', value?: string|list<string>}
 * @phpstan-type SenderAnswer array{id: string, sender_id: string, state: 'pending'|'approved'|'rejected', class: 'transactional'|'promotional', note?: string, reason?: string, created_datetime: string, updated_datetime?: string, meta: RequestMeta}
 * @phpstan-type SenderPage array{senders: list<RegisteredSender>, meta: ListMeta}
 * @phpstan-type SendersCreateBody array{sender_id: string, class?: 'transactional'|'promotional', note?: string}
 * @phpstan-type SendersUpdateBody array{sender_id?: string, class?: 'transactional'|'promotional', note?: string|null}
 * @phpstan-type SentMessage array{id: string, recipients: list<string>, sender_id?: string, channel: 'sms'|'whatsapp', is_trackable: bool, content?: string, external_ref?: string, callback?: string, template_id?: string, template_version?: int, personalisation?: list<array{to: string, substitutions: array<string, string>}>, send_at?: string, created_datetime: string, updated_datetime?: string, meta: array{method: string, resource: string, estimate: Estimate}}
 * @phpstan-type SettingsUpdateBody array{name?: string, default_country?: string, default_sender_id?: string|null, smart_encoding?: bool, inbound_url?: string|null, quiet_from?: string|null, quiet_until?: string|null, whatsapp_fallback?: bool, low_balance?: int|float|null}
 * @phpstan-type Smartlist array{id: string, name: string, filters: list<SavedFilter>, created_datetime: string, updated_datetime?: string}
 * @phpstan-type SmartlistPage array{smartlists: list<Smartlist>, meta: ListMeta}
 * @phpstan-type SmppAccount array{system_id: string, allow_networks: list<string>, max_binds: int, rate_per_s: int, window_size: int, alphabet: 'gsm7'|'latin1'|'ascii'|'gsm7-packed', receives_texts: bool, binds: int, waiting: int, created_datetime: string}
 * @phpstan-type SmppAccountWithPasswordAnswer array{system_id: string, allow_networks: list<string>, max_binds: int, rate_per_s: int, window_size: int, alphabet: 'gsm7'|'latin1'|'ascii'|'gsm7-packed', receives_texts: bool, binds: int, waiting: int, created_datetime: string, password: string, meta: RequestMeta}
 * @phpstan-type SmppAccountsAnswer array{accounts: list<SmppAccount>, meta: RequestMeta}
 * @phpstan-type SmppAccountsCreateBody array{system_id?: string, password?: string, allow_networks?: list<string>, max_binds?: int, rate_per_s?: int, window_size?: int, alphabet?: 'gsm7'|'latin1'|'ascii'|'gsm7-packed', receives_texts?: bool}
 * @phpstan-type SmsListAnswer array{messages: list<ListedMessage>, meta: ListMeta}
 * @phpstan-type SmsSendBody array{recipients: string|list<string>, sender_id?: string, channel?: 'sms'|'whatsapp', content?: string, template_id?: string, personalisation?: list<array{to: string, substitutions: array<string, string>}>, external_ref?: string, is_trackable?: bool, smart_encoding?: bool, route_class?: 'transactional'|'promotional', callback?: string, send_at?: string}
 * @phpstan-type Template array{id: string, version: int, name: string, content: string, placeholders: list<array{name: string, default?: string}>, whatsapp?: WhatsappTemplate, created_datetime: string, updated_datetime?: string}
 * @phpstan-type TemplatePage array{templates: list<Template>, meta: ListMeta}
 * @phpstan-type TemplatesCreateBody array{name: string, content: string, whatsapp?: WhatsappTemplate}
 * @phpstan-type TemplatesUpdateBody array{name?: string, content?: string, whatsapp?: array{name: string, language: string, parameters: list<string>}|null}
 * @phpstan-type TextBody array{content?: string, template_id?: string, share?: int}
 * @phpstan-type TextClickedEvent array{id: string, type: 'text.clicked', created_datetime: string, data: LinkClick}
 * @phpstan-type TextDeliveredEvent array{id: string, type: 'text.delivered', created_datetime: string, data: DeliveryReport}
 * @phpstan-type TextExpiredEvent array{id: string, type: 'text.expired', created_datetime: string, data: DeliveryReport}
 * @phpstan-type TextFailedEvent array{id: string, type: 'text.failed', created_datetime: string, data: DeliveryReport}
 * @phpstan-type TextReceivedEvent array{id: string, type: 'text.received', created_datetime: string, data: InboundMessage}
 * @phpstan-type TextRejectedEvent array{id: string, type: 'text.rejected', created_datetime: string, data: DeliveryReport}
 * @phpstan-type TextUndeliveredEvent array{id: string, type: 'text.undelivered', created_datetime: string, data: DeliveryReport}
 * @phpstan-type Webhook array{id: string, url: string, events: list<string>, format?: 'standard'|'simpu'|'twilio', description?: string, enabled: bool, disabled_reason?: string, failing_since?: string, old_secret_until?: string, created_datetime: string, updated_datetime?: string}
 * @phpstan-type WebhookAnswer array{id: string, url: string, events: list<string>, format?: 'standard'|'simpu'|'twilio', description?: string, enabled: bool, disabled_reason?: string, failing_since?: string, old_secret_until?: string, created_datetime: string, updated_datetime?: string, meta: RequestMeta}
 * @phpstan-type WebhookPage array{webhooks: list<Webhook>, meta: ListMeta}
 * @phpstan-type WebhookTestEvent array{id: string, type: 'webhook.test', created_datetime: string, data: array{id: string, description: string}}
 * @phpstan-type WebhookWithSecretAnswer array{id: string, url: string, events: list<string>, format?: 'standard'|'simpu'|'twilio', description?: string, enabled: bool, disabled_reason?: string, failing_since?: string, old_secret_until?: string, created_datetime: string, updated_datetime?: string, secret: string, meta: RequestMeta}
 * @phpstan-type WebhooksCreateBody array{url: string, events?: list<string>, format?: 'standard'|'simpu'|'twilio', description?: string, enabled?: bool}
 * @phpstan-type WebhooksReplayAnswer array{replayed: int, complete: bool, meta: RequestMeta}
 * @phpstan-type WebhooksReplayBody array{since: string, until?: string}
 * @phpstan-type WebhooksRotateBody array{overlap_hours?: int}
 * @phpstan-type WebhooksUpdateBody array{url?: string, events?: list<string>, description?: string|null, enabled?: bool}
 * @phpstan-type WhatsappTemplate array{name: string, language: string, parameters: list<string>}
 * @phpstan-type Event TextDeliveredEvent|TextUndeliveredEvent|TextExpiredEvent|TextRejectedEvent|TextFailedEvent|TextClickedEvent|TextReceivedEvent|AirtimeSuccessEvent|AirtimeFailedEvent|AirtimeDuplicateEvent|AirtimeErrorEvent|BalanceLowEvent|WebhookTestEvent
 */
final class Types
{
}
