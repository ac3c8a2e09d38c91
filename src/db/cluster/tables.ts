/**
 * Where tables lie on a cluster (Citus). What grows lies with its organisation, all of it on the same node; what is small
 * and read everywhere is copied to every node; what belongs to nobody, or must be unique over all organisations, stays
 * where the service connects to, on the coordinator. A test holds this to the schema.
 */
export const DISTRIBUTED = [
  'balances',
  'ledger_lines',
  'idempotency_keys',
  'intake',
  'messages',
  'deliveries',
  'jobs',
  'callbacks',
  'callback_attempts',
  'webhooks',
  'smpp_outbox',
  'smpp_long_texts',
  'activity',
  'audit_entries',
  'inbound_messages',
  'optouts',
  'otps',
  'otp_counters',
  'otp_guard',
  'otp_sends',
  'otp_settings',
  'otp_test_numbers',
  'purchases',
  'purchase_tries',
  'templates',
  'template_versions',
  'template_whatsapp',
  'sandbox_messages',
  'sandbox_topups',
  'contact_tables',
  'contact_columns',
  'contact_rows',
  'contact_cells',
  'contact_queries',
  'contact_smartlists',
  'contact_imports',
  'contact_import_chunks',
  'contact_import_rejects',
  'erasures',
  'campaigns',
  'campaign_uploads',
  'campaign_recipients',
  'campaign_left_out',
  'campaign_slices',
  'campaign_outcomes',
]

export const REFERENCE = ['organisations']

/** Tables with an organisation that stay on the coordinator: they are found by something that names none. */
export const ON_COORDINATOR = [
  'api_keys',
  'users',
  'senders',
  'links',
  'submissions',
  'report_jobs',
  'phone_messages',
  'live_watchers',
  'hooks',
  'smpp_accounts',
]
