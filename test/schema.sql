activity
  organisation_id uuid not null
  minute timestamptz not null
  accepted int8 not null default 0
  delivered int8 not null default 0
  undelivered int8 not null default 0
  expired int8 not null default 0
  rejected int8 not null default 0
  failed int8 not null default 0
  unknown int8 not null default 0
  otp_sent int8 not null default 0
  otp_verified int8 not null default 0
  spend int8 not null default 0
  refunds int8 not null default 0
  activity_pkey PRIMARY KEY (organisation_id, minute)
  CREATE INDEX activity_by_age ON activity USING btree (minute)
  CREATE UNIQUE INDEX activity_pkey ON activity USING btree (organisation_id, minute)

analytics
  organisation_id uuid not null
  dimension text not null
  hour timestamptz not null
  value text not null
  is_day bool not null default false
  accepted int8 not null default 0
  delivered int8 not null default 0
  failed int8 not null default 0
  unknown int8 not null default 0
  canceled int8 not null default 0
  pages int8 not null default 0
  cost int8 not null default 0
  refunded int8 not null default 0
  otp_requested int8 not null default 0
  otp_verified int8 not null default 0
  otp_failed int8 not null default 0
  analytics_dimension_check CHECK ((dimension = ANY (ARRAY['all'::text, 'channel'::text, 'country'::text, 'operator'::text, 'sender'::text, 'route'::text, 'error'::text, 'template'::text])))
  analytics_pkey PRIMARY KEY (organisation_id, dimension, hour, value)
  analytics_value_check CHECK ((length(value) <= 100))
  CREATE INDEX analytics_by_age ON analytics USING btree (is_day, hour) WHERE (dimension = 'all'::text)
  CREATE UNIQUE INDEX analytics_pkey ON analytics USING btree (organisation_id, dimension, hour, value)

api_keys
  id uuid not null
  organisation_id uuid not null
  key_hash bytea not null
  hint text not null
  name text
  scopes _text
  expires_datetime timestamptz
  revoked_datetime timestamptz
  created_datetime timestamptz not null default now()
  last_used_datetime timestamptz
  api_keys_key_hash_check CHECK ((octet_length(key_hash) = 32))
  api_keys_key_hash_key UNIQUE (key_hash)
  api_keys_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id)
  api_keys_pkey PRIMARY KEY (id)
  api_keys_scopes_check CHECK ((scopes <@ ARRAY['sms'::text, 'otp'::text, 'airtime'::text, 'lookup'::text, 'lists'::text, 'settings'::text, 'callbacks'::text, 'balance'::text]))
  CREATE INDEX api_keys_by_organisation ON api_keys USING btree (organisation_id, id)
  CREATE UNIQUE INDEX api_keys_key_hash_key ON api_keys USING btree (key_hash)
  CREATE UNIQUE INDEX api_keys_pkey ON api_keys USING btree (id)

audit_entries
  organisation_id uuid not null
  id uuid not null
  user_id uuid
  actor text not null
  address text
  action text not null
  subject text
  before jsonb
  after jsonb
  created_datetime timestamptz not null default now()
  audit_entries_pkey PRIMARY KEY (organisation_id, id)
  CREATE UNIQUE INDEX audit_entries_pkey ON audit_entries USING btree (organisation_id, id)

backups
  id uuid not null
  file text not null
  begun_datetime timestamptz not null default now()
  ended_datetime timestamptz
  bytes int8
  fault text
  backups_pkey PRIMARY KEY (id)
  CREATE INDEX backups_by_age ON backups USING btree (begun_datetime)
  CREATE UNIQUE INDEX backups_pkey ON backups USING btree (id)

balances
  organisation_id uuid not null
  balance int8 not null default 0
  sequence int8 not null default 0
  low_told bool not null default false
  balance_has_its_line TRIGGER DEFERRABLE INITIALLY DEFERRED
  balances_balance_check CHECK ((balance >= 0))
  balances_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id)
  balances_pkey PRIMARY KEY (organisation_id)
  balances_sequence_check CHECK ((sequence >= 0))
  CREATE UNIQUE INDEX balances_pkey ON balances USING btree (organisation_id)
  CREATE CONSTRAINT TRIGGER balance_has_its_line AFTER INSERT OR UPDATE ON balances DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION balance_has_its_line()

callback_attempts
  organisation_id uuid not null
  callback_id uuid not null
  attempt int2 not null
  status_code int4
  reason text
  excerpt text
  duration_ms int4 not null
  created_datetime timestamptz not null default now()
  callback_attempts_pkey PRIMARY KEY (organisation_id, callback_id, attempt)
  CREATE UNIQUE INDEX callback_attempts_pkey ON callback_attempts USING btree (organisation_id, callback_id, attempt)

callbacks
  organisation_id uuid not null
  id uuid not null
  type text not null
  url text not null
  body text not null
  status text not null default 'pending'::text
  attempts int2 not null default 0
  subject_id uuid not null
  created_datetime timestamptz not null default now()
  updated_datetime timestamptz
  webhook_id uuid
  event_id uuid
  burst_id int8
  last_status_code int4
  last_reason text
  last_excerpt text
  last_duration_ms int4
  next_attempt_datetime timestamptz
  callbacks_check CHECK (((webhook_id IS NULL) = (event_id IS NULL)))
  callbacks_pkey PRIMARY KEY (organisation_id, id)
  callbacks_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'stopped'::text, 'failed'::text])))
  CREATE INDEX callbacks_by_subject ON callbacks USING btree (organisation_id, subject_id)
  CREATE INDEX callbacks_by_webhook ON callbacks USING btree (organisation_id, webhook_id, id) WHERE (webhook_id IS NOT NULL)
  CREATE UNIQUE INDEX callbacks_pkey ON callbacks USING btree (organisation_id, id)

campaign_left_out
  organisation_id uuid not null
  campaign_id uuid not null
  step int4 not null
  entries jsonb not null
  campaign_left_out_pkey PRIMARY KEY (organisation_id, campaign_id, step)
  CREATE UNIQUE INDEX campaign_left_out_pkey ON campaign_left_out USING btree (organisation_id, campaign_id, step)

campaign_outcomes
  organisation_id uuid not null
  campaign_id uuid not null
  text_number int2 not null
  outcome text not null
  code text not null
  operator text not null
  hour timestamptz not null
  people int8 not null
  charge int8 not null
  refunded int8 not null
  campaign_outcomes_pkey PRIMARY KEY (organisation_id, campaign_id, text_number, outcome, code, operator, hour)
  CREATE UNIQUE INDEX campaign_outcomes_pkey ON campaign_outcomes USING btree (organisation_id, campaign_id, text_number, outcome, code, operator, hour)

campaign_recipients
  organisation_id uuid not null
  campaign_id uuid not null
  estimate int4 not null
  recipient text not null
  campaign_recipients_pkey PRIMARY KEY (organisation_id, campaign_id, estimate, recipient)
  CREATE UNIQUE INDEX campaign_recipients_pkey ON campaign_recipients USING btree (organisation_id, campaign_id, estimate, recipient)

campaign_slices
  organisation_id uuid not null
  campaign_id uuid not null
  number int4 not null
  text_number int2 not null default 0
  country text not null default ''::text
  recipients jsonb not null
  people int4 not null
  charge int8 not null
  status text not null default 'waiting'::text
  message_id uuid
  accepted_datetime timestamptz
  waiting int4 not null default 0
  outcomes jsonb not null default '{}'::jsonb
  count_at timestamptz
  campaign_slices_check CHECK (((status = 'waiting'::text) OR (message_id IS NOT NULL)))
  campaign_slices_pkey PRIMARY KEY (organisation_id, campaign_id, number)
  campaign_slices_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'begun'::text, 'accepted'::text, 'taken_back'::text])))
  CREATE INDEX campaign_slices_on_the_way ON campaign_slices USING btree (organisation_id, campaign_id, number) WHERE ((status = 'accepted'::text) AND (waiting > 0))
  CREATE INDEX campaign_slices_to_count ON campaign_slices USING btree (organisation_id, campaign_id, count_at) WHERE (count_at IS NOT NULL)
  CREATE INDEX campaign_slices_to_send ON campaign_slices USING btree (organisation_id, campaign_id, number) WHERE (status = ANY (ARRAY['waiting'::text, 'begun'::text]))
  CREATE UNIQUE INDEX campaign_slices_pkey ON campaign_slices USING btree (organisation_id, campaign_id, number)

campaign_uploads
  organisation_id uuid not null
  campaign_id uuid not null
  number int4 not null
  size int4 not null
  entries jsonb not null
  idempotency_key text
  request_hash bytea
  campaign_uploads_organisation_id_campaign_id_idempotency_ke_key UNIQUE (organisation_id, campaign_id, idempotency_key)
  campaign_uploads_pkey PRIMARY KEY (organisation_id, campaign_id, number)
  CREATE UNIQUE INDEX campaign_uploads_organisation_id_campaign_id_idempotency_ke_key ON campaign_uploads USING btree (organisation_id, campaign_id, idempotency_key)
  CREATE UNIQUE INDEX campaign_uploads_pkey ON campaign_uploads USING btree (organisation_id, campaign_id, number)

campaigns
  organisation_id uuid not null
  id uuid not null
  name text not null
  status text not null default 'draft'::text
  is_list_send bool not null default false
  smartlist_id uuid
  filters jsonb not null default '[]'::jsonb
  number int2
  uploads int4 not null default 0
  uploaded int4 not null default 0
  message jsonb not null
  texts jsonb not null
  send_at timestamptz
  pace_per_hour int4
  quiet_from text
  quiet_until text
  idempotency_key text
  request_hash bytea
  run int4 not null default 0
  estimates int4 not null default 0
  gathered bool not null default false
  place text
  steps int4 not null default 0
  slices int4 not null default 0
  rows int4 not null default 0
  people int4 not null default 0
  charge int8 not null default 0
  sizes jsonb not null default '{}'::jsonb
  left_out jsonb not null default '{}'::jsonb
  samples jsonb not null default '[]'::jsonb
  asked_datetime timestamptz
  estimated_datetime timestamptz
  accepted int4 not null default 0
  charged int8 not null default 0
  dropped int4 not null default 0
  taken_back int4 not null default 0
  given_back int8 not null default 0
  all_accepted bool not null default false
  next_at timestamptz
  holds_price bool not null default true
  pause_reason text
  fault text
  started_datetime timestamptz
  ended_datetime timestamptz
  created_datetime timestamptz not null default now()
  updated_datetime timestamptz
  campaigns_check CHECK (((accepted >= 0) AND (taken_back >= 0) AND (taken_back <= accepted) AND (given_back <= charged)))
  campaigns_name_check CHECK ((name <> ''::text))
  campaigns_organisation_id_idempotency_key_key UNIQUE (organisation_id, idempotency_key)
  campaigns_pace_per_hour_check CHECK ((pace_per_hour > 0))
  campaigns_pkey PRIMARY KEY (organisation_id, id)
  campaigns_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'estimating'::text, 'estimated'::text, 'scheduled'::text, 'running'::text, 'paused'::text, 'finished'::text, 'canceled'::text])))
  CREATE UNIQUE INDEX campaigns_organisation_id_idempotency_key_key ON campaigns USING btree (organisation_id, idempotency_key)
  CREATE UNIQUE INDEX campaigns_pkey ON campaigns USING btree (organisation_id, id)

carrier_balances
  carrier text not null
  balance numeric not null
  currency text
  read_datetime timestamptz not null default now()
  carrier_balances_pkey PRIMARY KEY (carrier)
  CREATE UNIQUE INDEX carrier_balances_pkey ON carrier_balances USING btree (carrier)

carrier_binds
  carrier text not null
  bind int2 not null
  holder uuid
  lease_until timestamptz not null default '-infinity'::timestamp with time zone
  state text not null default 'stopped'::text
  bound_datetime timestamptz
  figures jsonb
  pdus jsonb
  updated_datetime timestamptz not null default now()
  carrier_binds_bind_check CHECK ((bind > 0))
  carrier_binds_pkey PRIMARY KEY (carrier, bind)
  CREATE UNIQUE INDEX carrier_binds_pkey ON carrier_binds USING btree (carrier, bind)

carrier_calls
  carrier text not null
  answered bool not null
  reason text
  datetime timestamptz not null default now()
  carrier_calls_pkey PRIMARY KEY (carrier)
  CREATE UNIQUE INDEX carrier_calls_pkey ON carrier_calls USING btree (carrier)

carrier_facts
  msisdn int8 not null
  operator text
  operator_noted timestamptz
  dnd_noted timestamptz
  carrier_facts_check CHECK (((operator IS NULL) = (operator_noted IS NULL)))
  carrier_facts_pkey PRIMARY KEY (msisdn)
  CREATE INDEX carrier_facts_by_age ON carrier_facts USING btree (GREATEST(operator_noted, dnd_noted))
  CREATE UNIQUE INDEX carrier_facts_pkey ON carrier_facts USING btree (msisdn)

carrier_id_modes
  carrier text not null
  mode text not null
  learned_datetime timestamptz not null default now()
  carrier_id_modes_mode_check CHECK ((mode = ANY (ARRAY['raw'::text, 'resp_hex_dlr_dec'::text, 'resp_dec_dlr_hex'::text])))
  carrier_id_modes_pkey PRIMARY KEY (carrier)
  CREATE UNIQUE INDEX carrier_id_modes_pkey ON carrier_id_modes USING btree (carrier)

carrier_pauses
  carrier text not null
  until timestamptz not null
  code text not null
  reason text not null
  carrier_pauses_pkey PRIMARY KEY (carrier)
  CREATE UNIQUE INDEX carrier_pauses_pkey ON carrier_pauses USING btree (carrier)

contact_cells
  organisation_id uuid not null
  number int2 not null
  row_id uuid not null
  key text not null
  CREATE INDEX contact_cells_by_trigram ON contact_cells USING gin (uuid_hash_extended(organisation_id, (number)::bigint), key gin_trgm_ops)
  CREATE UNIQUE INDEX contact_cells_by_key ON contact_cells USING btree (organisation_id, number, "left"(key, 200), row_id)

contact_change_rows
  organisation_id uuid not null
  change_id uuid not null
  row_id uuid not null
  cells jsonb not null
  keys jsonb not null
  created_datetime timestamptz not null
  updated_datetime timestamptz
  contact_change_rows_pkey PRIMARY KEY (organisation_id, change_id, row_id)
  CREATE UNIQUE INDEX contact_change_rows_pkey ON contact_change_rows USING btree (organisation_id, change_id, row_id)

contact_changes
  organisation_id uuid not null
  id uuid not null
  user_id uuid
  action text not null
  number int2
  value text
  key text
  query jsonb
  row_ids _uuid not null
  status text not null default 'running'::text
  after_id uuid
  place int4 not null default 0
  rows int4 not null default 0
  restored int4 not null default 0
  not_restored int4 not null default 0
  fault text
  undo_until timestamptz
  created_datetime timestamptz not null default now()
  updated_datetime timestamptz
  contact_changes_action_check CHECK ((action = ANY (ARRAY['set'::text, 'delete'::text])))
  contact_changes_check CHECK (((action = 'set'::text) = (number IS NOT NULL)))
  contact_changes_check1 CHECK (((value IS NULL) = (key IS NULL)))
  contact_changes_pkey PRIMARY KEY (organisation_id, id)
  contact_changes_status_check CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'undoing'::text, 'undone'::text, 'final'::text])))
  CREATE INDEX contact_changes_by_age ON contact_changes USING btree (created_datetime)
  CREATE INDEX contact_changes_open ON contact_changes USING btree (organisation_id) WHERE (status = ANY (ARRAY['running'::text, 'done'::text, 'undoing'::text]))
  CREATE UNIQUE INDEX contact_changes_pkey ON contact_changes USING btree (organisation_id, id)

contact_columns
  organisation_id uuid not null
  id uuid not null
  number int2 not null
  name text not null
  name_key text not null
  type text not null
  options _text
  position int2 not null default 0
  contact_columns_check CHECK (((options IS NOT NULL) = (type = ANY (ARRAY['SELECT'::text, 'MULTI SELECT'::text]))))
  contact_columns_number_check CHECK ((number > 0))
  contact_columns_organisation_id_name_key_key UNIQUE (organisation_id, name_key)
  contact_columns_organisation_id_number_key UNIQUE (organisation_id, number)
  contact_columns_pkey PRIMARY KEY (organisation_id, id)
  contact_columns_type_check CHECK ((type = ANY (ARRAY['TEXT'::text, 'NUMBER'::text, 'DATE'::text, 'PHONE NUMBER'::text, 'EMAIL'::text, 'URL'::text, 'SELECT'::text, 'MULTI SELECT'::text])))
  CREATE UNIQUE INDEX contact_columns_organisation_id_name_key_key ON contact_columns USING btree (organisation_id, name_key)
  CREATE UNIQUE INDEX contact_columns_organisation_id_number_key ON contact_columns USING btree (organisation_id, number)
  CREATE UNIQUE INDEX contact_columns_pkey ON contact_columns USING btree (organisation_id, id)

contact_import_chunks
  organisation_id uuid not null
  import_id uuid not null
  position int8 not null
  bytes bytea not null
  contact_import_chunks_pkey PRIMARY KEY (organisation_id, import_id, "position")
  CREATE UNIQUE INDEX contact_import_chunks_pkey ON contact_import_chunks USING btree (organisation_id, import_id, "position")

contact_import_rejects
  organisation_id uuid not null
  import_id uuid not null
  line int4 not null
  fields _text not null
  faults jsonb not null
  contact_import_rejects_pkey PRIMARY KEY (organisation_id, import_id, line)
  CREATE UNIQUE INDEX contact_import_rejects_pkey ON contact_import_rejects USING btree (organisation_id, import_id, line)

contact_imports
  organisation_id uuid not null
  id uuid not null
  status text not null default 'uploading'::text
  dry_run bool not null
  encoding text not null
  delimiter text not null
  fields jsonb not null
  upsert_number int2
  bytes_total int8 not null default 0
  bytes_done int8 not null default 0
  lines_done int4 not null default 0
  created int4 not null default 0
  updated int4 not null default 0
  rejected int4 not null default 0
  fault text
  created_datetime timestamptz not null default now()
  updated_datetime timestamptz
  contact_imports_pkey PRIMARY KEY (organisation_id, id)
  contact_imports_status_check CHECK ((status = ANY (ARRAY['uploading'::text, 'queued'::text, 'running'::text, 'done'::text, 'failed'::text, 'canceled'::text])))
  CREATE INDEX contact_imports_by_age ON contact_imports USING btree (created_datetime)
  CREATE UNIQUE INDEX contact_imports_pkey ON contact_imports USING btree (organisation_id, id)

contact_queries
  organisation_id uuid not null
  id uuid not null
  query jsonb not null
  used_datetime timestamptz not null default now()
  contact_queries_pkey PRIMARY KEY (organisation_id, id)
  CREATE INDEX contact_queries_by_age ON contact_queries USING btree (used_datetime)
  CREATE UNIQUE INDEX contact_queries_pkey ON contact_queries USING btree (organisation_id, id)

contact_rows
  organisation_id uuid not null
  id uuid not null
  cells jsonb not null
  keys jsonb not null
  created_datetime timestamptz not null default now()
  updated_datetime timestamptz
  contact_rows_pkey PRIMARY KEY (organisation_id, id)
  CREATE UNIQUE INDEX contact_rows_pkey ON contact_rows USING btree (organisation_id, id)

contact_smartlists
  organisation_id uuid not null
  id uuid not null
  name text not null
  name_key text not null
  filters jsonb not null
  created_datetime timestamptz not null default now()
  updated_datetime timestamptz
  contact_smartlists_organisation_id_name_key_key UNIQUE (organisation_id, name_key)
  contact_smartlists_pkey PRIMARY KEY (organisation_id, id)
  CREATE UNIQUE INDEX contact_smartlists_organisation_id_name_key_key ON contact_smartlists USING btree (organisation_id, name_key)
  CREATE UNIQUE INDEX contact_smartlists_pkey ON contact_smartlists USING btree (organisation_id, id)

contact_tables
  organisation_id uuid not null
  id uuid not null
  next_number int2 not null default 1
  created_datetime timestamptz not null default now()
  updated_datetime timestamptz
  contact_tables_next_number_check CHECK ((next_number > 0))
  contact_tables_pkey PRIMARY KEY (organisation_id)
  CREATE UNIQUE INDEX contact_tables_pkey ON contact_tables USING btree (organisation_id)

conversations
  organisation_id uuid not null
  phone text not null
  id uuid not null
  direction text not null
  channel text not null
  to text not null
  received_datetime timestamptz not null
  received int8 not null
  read int8 not null default 0
  conversations_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'whatsapp'::text])))
  conversations_check CHECK (((read >= 0) AND (read <= received)))
  conversations_direction_check CHECK ((direction = ANY (ARRAY['in'::text, 'out'::text])))
  conversations_phone_check CHECK ((phone ~ '^[0-9]{7,15}$'::text))
  conversations_pkey PRIMARY KEY (organisation_id, phone)
  conversations_received_check CHECK ((received > 0))
  CREATE UNIQUE INDEX conversations_by_id ON conversations USING btree (organisation_id, id)
  CREATE UNIQUE INDEX conversations_pkey ON conversations USING btree (organisation_id, phone)

deliveries
  organisation_id uuid not null
  message_id uuid not null
  recipient text not null
  position int4 not null
  status text not null
  text text
  pages int2 not null
  charge int8 not null
  refunded bool not null default false
  route text not null
  carrier text
  code text
  description text
  created_datetime timestamptz not null default now()
  updated_datetime timestamptz
  sealed_text bytea
  expires_datetime timestamptz
  clicked_datetime timestamptz
  send_at timestamptz
  whatsapp jsonb
  tried _text
  sent_datetime timestamptz
  promotional bool
  deliveries_charge_check CHECK ((charge >= 0))
  deliveries_check CHECK (((NOT refunded) OR (status = ANY (ARRAY['failed'::text, 'rejected'::text, 'canceled'::text]))))
  deliveries_pages_check CHECK ((pages > 0))
  deliveries_pkey PRIMARY KEY (organisation_id, message_id, recipient)
  deliveries_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'queued'::text, 'sent'::text, 'delivered'::text, 'undelivered'::text, 'expired'::text, 'rejected'::text, 'failed'::text, 'unknown'::text, 'canceled'::text])))
  CREATE UNIQUE INDEX deliveries_pkey ON ONLY deliveries USING btree (organisation_id, message_id, recipient)

dnd_import_lines
  line int8 not null
  msisdn int8 not null

dnd_numbers
  msisdn int8 not null
  dnd_numbers_pkey PRIMARY KEY (msisdn)
  CREATE UNIQUE INDEX dnd_numbers_pkey ON dnd_numbers USING btree (msisdn)

erasures
  organisation_id uuid not null
  id uuid not null
  number_hash text not null
  sealed_number bytea
  asked_by text not null
  everywhere bool not null default false
  status text not null default 'running'::text
  round int4 not null default 1
  at_table text not null default ''::text
  place jsonb
  found_now int4 not null default 0
  left_now int4 not null default 0
  found jsonb not null default '{}'::jsonb
  waits_for _text not null default '{}'::text[]
  created_datetime timestamptz not null default now()
  ended_datetime timestamptz
  erasures_asked_by_check CHECK (((length(asked_by) >= 1) AND (length(asked_by) <= 300)))
  erasures_check CHECK (((status = 'running'::text) = (sealed_number IS NOT NULL)))
  erasures_check1 CHECK (((status = 'done'::text) = (ended_datetime IS NOT NULL)))
  erasures_pkey PRIMARY KEY (organisation_id, id)
  erasures_status_check CHECK ((status = ANY (ARRAY['running'::text, 'done'::text])))
  CREATE UNIQUE INDEX erasures_pkey ON erasures USING btree (organisation_id, id)
  CREATE UNIQUE INDEX erasures_running ON erasures USING btree (organisation_id, number_hash) WHERE (status = 'running'::text)

function_files
  name text not null
  hash text not null
  made _text not null
  made_datetime timestamptz not null default now()
  function_files_pkey PRIMARY KEY (name)
  CREATE UNIQUE INDEX function_files_pkey ON function_files USING btree (name)

hooks
  name text not null
  organisation_id uuid not null
  kind text not null
  secret text not null
  created_datetime timestamptz not null default now()
  hooks_name_check CHECK ((name ~ '^[a-z]+-[0-9a-z]{16}$'::text))
  hooks_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id)
  hooks_pkey PRIMARY KEY (name)
  CREATE INDEX hooks_by_organisation ON hooks USING btree (organisation_id, name)
  CREATE UNIQUE INDEX hooks_pkey ON hooks USING btree (name)

idempotency_keys
  organisation_id uuid not null
  key text not null
  request_hash bytea not null
  answer text not null
  created_datetime timestamptz not null default now()
  idempotency_keys_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255)))
  idempotency_keys_pkey PRIMARY KEY (organisation_id, key)
  CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_datetime)
  CREATE UNIQUE INDEX idempotency_keys_pkey ON idempotency_keys USING btree (organisation_id, key)

inbound_ids
  carrier text not null
  received_id text not null
  received_datetime timestamptz not null default now()
  inbound_ids_pkey PRIMARY KEY (carrier, received_id)
  CREATE INDEX inbound_ids_by_age ON inbound_ids USING btree (received_datetime)
  CREATE UNIQUE INDEX inbound_ids_pkey ON inbound_ids USING btree (carrier, received_id)

inbound_messages
  organisation_id uuid not null
  id uuid not null
  from text not null
  to text not null
  channel text not null
  text text not null
  keyword text
  carrier text not null
  created_datetime timestamptz not null default now()
  inbound_messages_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'whatsapp'::text])))
  inbound_messages_keyword_check CHECK ((keyword = ANY (ARRAY['stop'::text, 'start'::text, 'help'::text])))
  inbound_messages_pkey PRIMARY KEY (organisation_id, id)
  CREATE INDEX inbound_messages_by_from ON inbound_messages USING btree (organisation_id, "from", id)
  CREATE UNIQUE INDEX inbound_messages_pkey ON inbound_messages USING btree (organisation_id, id)

inbound_pdus
  carrier text not null
  digest bytea not null
  received_id text not null
  received_datetime timestamptz not null default now()
  inbound_pdus_pkey PRIMARY KEY (carrier, digest)
  CREATE INDEX inbound_pdus_by_age ON inbound_pdus USING btree (carrier, received_datetime)
  CREATE UNIQUE INDEX inbound_pdus_pkey ON inbound_pdus USING btree (carrier, digest)

inbound_segments
  carrier text not null
  sender text not null
  destination text not null
  reference int4 not null
  segments int2 not null
  segment int2 not null
  text text not null
  received_datetime timestamptz not null default now()
  inbound_segments_check CHECK (((segment >= 1) AND (segment <= segments)))
  inbound_segments_pkey PRIMARY KEY (carrier, sender, destination, reference, segments, segment)
  inbound_segments_segments_check CHECK ((segments > 1))
  CREATE INDEX inbound_segments_by_age ON inbound_segments USING btree (received_datetime)
  CREATE UNIQUE INDEX inbound_segments_pkey ON inbound_segments USING btree (carrier, sender, destination, reference, segments, segment)

intake
  organisation_id uuid not null
  id uuid not null
  route text not null
  priority int2 not null
  first_id uuid not null
  last_id uuid not null
  size int4 not null
  first_position int4 not null default 0
  handed int4 not null default 0
  claims int2 not null default 0
  line int8
  leased_until timestamptz
  created_datetime timestamptz not null default now()
  messages text not null
  intake_check CHECK ((last_id >= first_id))
  intake_check1 CHECK (((handed >= 0) AND (handed <= size)))
  intake_pkey PRIMARY KEY (organisation_id, id)
  intake_size_check CHECK ((size > 0))
  CREATE INDEX intake_by_last_id ON intake USING btree (organisation_id, last_id)
  CREATE INDEX intake_by_route ON intake USING btree (route, priority, organisation_id, id)
  CREATE UNIQUE INDEX intake_pkey ON intake USING btree (organisation_id, id)

jobs
  id int8 not null
  queue text not null
  priority int2 not null default 1
  lane uuid not null
  run_at timestamptz not null default now()
  attempts int2 not null default 0
  in_hand bool not null default false
  organisation_id uuid not null
  subject_id uuid not null
  subject_key text not null default ''::text
  leased_until timestamptz
  jobs_pkey PRIMARY KEY (id)
  CREATE INDEX jobs_due ON jobs USING btree (queue, priority, lane, run_at)
  CREATE UNIQUE INDEX jobs_pkey ON jobs USING btree (id)

ledger_lines
  organisation_id uuid not null
  sequence int8 not null
  kind text not null
  amount int8 not null
  balance_after int8 not null
  subject_id uuid not null
  subject_key text not null default ''::text
  created_datetime timestamptz not null default now()
  note text
  last_subject_id uuid
  subjects int4 not null default 1
  ledger_lines_balance_after_check CHECK ((balance_after >= 0))
  ledger_lines_kind_check CHECK ((kind = ANY (ARRAY['opening'::text, 'top_up'::text, 'adjustment'::text, 'message'::text, 'airtime'::text, 'lookup'::text, 'refund'::text])))
  ledger_lines_note_check CHECK (((length(note) >= 1) AND (length(note) <= 500)))
  ledger_lines_organisation_id_subject_id_kind_subject_key_key UNIQUE (organisation_id, subject_id, kind, subject_key)
  ledger_lines_pkey PRIMARY KEY (organisation_id, sequence)
  ledger_lines_sequence_check CHECK ((sequence > 0))
  ledger_lines_subjects_check CHECK ((subjects > 0))
  CREATE INDEX ledger_lines_by_kind ON ledger_lines USING btree (organisation_id, kind, sequence) WHERE (kind <> 'message'::text)
  CREATE UNIQUE INDEX ledger_lines_organisation_id_subject_id_kind_subject_key_key ON ledger_lines USING btree (organisation_id, subject_id, kind, subject_key)
  CREATE UNIQUE INDEX ledger_lines_pkey ON ledger_lines USING btree (organisation_id, sequence)
  CREATE TRIGGER ledger_lines_continue AFTER INSERT ON ledger_lines REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_lines_continue()
  CREATE TRIGGER ledger_lines_keep_their_money BEFORE UPDATE ON ledger_lines FOR EACH ROW EXECUTE FUNCTION ledger_line_keeps_its_money()
  CREATE TRIGGER ledger_lines_stay BEFORE DELETE OR TRUNCATE ON ledger_lines FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only()

links
  code text not null
  organisation_id uuid not null
  message_id uuid not null
  recipient text not null
  position int2 not null
  url text not null
  clicks_raw int4 not null default 0
  clicks int4 not null default 0
  clicked_datetime timestamptz
  links_check CHECK (((clicks >= 0) AND (clicks <= clicks_raw)))
  links_check1 CHECK (((clicks > 0) = (clicked_datetime IS NOT NULL)))
  links_code_check CHECK (((length(code) >= 1) AND (length(code) <= 7)))
  links_pkey PRIMARY KEY (code)
  links_position_check CHECK (("position" >= 0))
  CREATE INDEX links_by_delivery ON links USING btree (organisation_id, message_id, recipient, "position")
  CREATE UNIQUE INDEX links_pkey ON links USING btree (code)

live_watchers
  organisation_id uuid not null
  until_datetime timestamptz not null
  live_watchers_pkey PRIMARY KEY (organisation_id)
  CREATE UNIQUE INDEX live_watchers_pkey ON live_watchers USING btree (organisation_id)

login_tries
  key bytea not null
  tries int4 not null
  until_datetime timestamptz not null
  login_tries_key_check CHECK ((octet_length(key) = 32))
  login_tries_pkey PRIMARY KEY (key)
  login_tries_tries_check CHECK ((tries >= 0))
  CREATE UNIQUE INDEX login_tries_pkey ON login_tries USING btree (key)

messages
  organisation_id uuid not null
  id uuid not null
  channel text not null
  sender_id text
  content text
  template_id text
  personalisation jsonb
  external_ref text
  is_trackable bool not null default false
  callback text
  encoding text not null
  message_length int4 not null
  pages int2 not null
  charge int8 not null
  created_datetime timestamptz not null default now()
  template_version int4
  line int8
  trace uuid
  deleted_datetime timestamptz
  messages_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'whatsapp'::text])))
  messages_charge_check CHECK ((charge >= 0))
  messages_check CHECK (((template_version IS NULL) OR (template_id IS NOT NULL)))
  messages_encoding_check CHECK ((encoding = ANY (ARRAY['GSM'::text, 'UCS-2'::text, 'binary'::text]))) NOT VALID
  messages_pages_check CHECK ((pages > 0))
  messages_pkey PRIMARY KEY (organisation_id, id)
  CREATE INDEX messages_by_external_ref ON ONLY messages USING btree (organisation_id, external_ref, id) WHERE (external_ref IS NOT NULL)
  CREATE UNIQUE INDEX messages_pkey ON ONLY messages USING btree (organisation_id, id)

migrations
  number int4 not null
  name text not null
  applied_datetime timestamptz not null default now()
  migrations_pkey PRIMARY KEY (number)
  CREATE UNIQUE INDEX migrations_pkey ON migrations USING btree (number)

number_imports
  kind text not null
  fingerprint text not null
  mode text not null
  bytes_done int8 not null default 0
  lines_done int8 not null default 0
  rejected int8 not null default 0
  rejects_bytes int8 not null default 0
  number_imports_kind_check CHECK ((kind = ANY (ARRAY['ported'::text, 'dnd'::text])))
  number_imports_mode_check CHECK ((mode = ANY (ARRAY['merge'::text, 'replace'::text])))
  number_imports_pkey PRIMARY KEY (kind)
  CREATE UNIQUE INDEX number_imports_pkey ON number_imports USING btree (kind)

number_registries
  kind text not null
  numbers int8 not null
  imported_datetime timestamptz not null default now()
  number_registries_kind_check CHECK ((kind = ANY (ARRAY['ported'::text, 'dnd'::text])))
  number_registries_pkey PRIMARY KEY (kind)
  CREATE UNIQUE INDEX number_registries_pkey ON number_registries USING btree (kind)

optouts
  organisation_id uuid not null
  recipient text not null
  id uuid not null
  source text not null
  created_datetime timestamptz not null default now()
  optouts_pkey PRIMARY KEY (organisation_id, recipient)
  optouts_source_check CHECK ((source = ANY (ARRAY['text'::text, 'api'::text, 'carrier'::text]))) NOT VALID
  CREATE UNIQUE INDEX optouts_by_id ON optouts USING btree (organisation_id, id)
  CREATE UNIQUE INDEX optouts_pkey ON optouts USING btree (organisation_id, recipient)

organisations
  id uuid not null
  name text not null
  mode text not null
  twin_of uuid
  default_country text not null
  default_sender_id text
  currency text not null
  callback_secrets _text not null
  created_datetime timestamptz not null default now()
  smart_encoding bool not null default false
  inbound_url text
  quiet_from time
  quiet_until time
  whatsapp_fallback bool not null default false
  low_balance int8
  suspended_datetime timestamptz
  time_zone text
  organisations_callback_secrets_check CHECK (((cardinality(callback_secrets) >= 1) AND (cardinality(callback_secrets) <= 2)))
  organisations_check CHECK (((mode = 'test'::text) = (twin_of IS NOT NULL)))
  organisations_check1 CHECK (((quiet_from IS NULL) = (quiet_until IS NULL)))
  organisations_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text))
  organisations_default_country_check CHECK ((default_country ~ '^[A-Z]{2}$'::text))
  organisations_default_sender_id_check CHECK (((length(default_sender_id) >= 1) AND (length(default_sender_id) <= 11)))
  organisations_low_balance_check CHECK ((low_balance > 0))
  organisations_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text])))
  organisations_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
  organisations_pkey PRIMARY KEY (id)
  organisations_time_zone_check CHECK (((length(time_zone) >= 1) AND (length(time_zone) <= 60)))
  organisations_twin_of_fkey FOREIGN KEY (twin_of) REFERENCES organisations(id)
  organisations_twin_of_key UNIQUE (twin_of)
  CREATE UNIQUE INDEX organisations_pkey ON organisations USING btree (id)
  CREATE UNIQUE INDEX organisations_twin_of_key ON organisations USING btree (twin_of)

otp_counters
  organisation_id uuid not null
  kind text not null
  key text not null
  slot timestamptz not null
  sent int4 not null default 0
  verified int4 not null default 0
  otp_counters_kind_check CHECK ((kind = ANY (ARRAY['prefix'::text, 'country'::text, 'organisation'::text])))
  otp_counters_pkey PRIMARY KEY (organisation_id, kind, key, slot)
  otp_counters_sent_check CHECK ((sent >= 0))
  otp_counters_verified_check CHECK ((verified >= 0))
  CREATE INDEX otp_counters_by_age ON otp_counters USING btree (slot)
  CREATE UNIQUE INDEX otp_counters_pkey ON otp_counters USING btree (organisation_id, kind, key, slot)

otp_guard
  organisation_id uuid not null
  prefix text not null
  state text not null
  sent int4 not null
  verified int4 not null
  until_datetime timestamptz not null
  created_datetime timestamptz not null default now()
  updated_datetime timestamptz
  otp_guard_pkey PRIMARY KEY (organisation_id, prefix)
  otp_guard_state_check CHECK ((state = ANY (ARRAY['slowed'::text, 'blocked'::text])))
  CREATE UNIQUE INDEX otp_guard_pkey ON otp_guard USING btree (organisation_id, prefix)

otp_sends
  organisation_id uuid not null
  recipient text not null
  otp_id uuid not null
  sent_datetime timestamptz not null default now()
  otp_sends_pkey PRIMARY KEY (organisation_id, recipient, otp_id)
  CREATE INDEX otp_sends_by_age ON otp_sends USING btree (sent_datetime)
  CREATE UNIQUE INDEX otp_sends_pkey ON otp_sends USING btree (organisation_id, recipient, otp_id)

otp_settings
  organisation_id uuid not null
  template text
  origin text
  fallback_channel text
  fallback_after_s int4
  updated_datetime timestamptz not null default now()
  otp_settings_check CHECK (((fallback_channel IS NULL) = (fallback_after_s IS NULL)))
  otp_settings_fallback_after_s_check CHECK (((fallback_after_s >= 5) AND (fallback_after_s <= 600)))
  otp_settings_fallback_channel_check CHECK ((fallback_channel = ANY (ARRAY['sms'::text, 'whatsapp'::text])))
  otp_settings_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id)
  otp_settings_pkey PRIMARY KEY (organisation_id)
  CREATE UNIQUE INDEX otp_settings_pkey ON otp_settings USING btree (organisation_id)

otp_test_numbers
  organisation_id uuid not null
  recipient text not null
  sealed_token bytea not null
  otp_test_numbers_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id)
  otp_test_numbers_pkey PRIMARY KEY (organisation_id, recipient)
  CREATE UNIQUE INDEX otp_test_numbers_pkey ON otp_test_numbers USING btree (organisation_id, recipient)

otps
  organisation_id uuid not null
  id uuid not null
  recipient text not null
  status int2 not null default 1
  token_hash bytea not null
  attempts int2 not null default 0
  minutes int2 not null
  expires_datetime timestamptz not null
  counted_slot timestamptz
  fallback_channel text
  fallback_message_id uuid
  sealed_token bytea
  created_datetime timestamptz not null default now()
  updated_datetime timestamptz
  verification_id uuid
  service_sid text
  channel text
  otps_attempts_check CHECK (((attempts >= 0) AND (attempts <= 5)))
  otps_check CHECK (((fallback_channel IS NULL) = (fallback_message_id IS NULL)))
  otps_check1 CHECK (((sealed_token IS NULL) OR (fallback_message_id IS NOT NULL)))
  otps_fallback_channel_check CHECK ((fallback_channel = ANY (ARRAY['sms'::text, 'whatsapp'::text])))
  otps_minutes_check CHECK (((minutes >= 1) AND (minutes <= 60)))
  otps_pkey PRIMARY KEY (organisation_id, id)
  otps_status_check CHECK ((status = ANY (ARRAY[1, 3, 4, 5])))
  otps_token_hash_check CHECK ((octet_length(token_hash) = 32))
  otps_verification_check CHECK (((verification_id IS NULL) = (service_sid IS NULL)))
  CREATE INDEX otps_by_age ON otps USING btree (created_datetime)
  CREATE INDEX otps_by_recipient ON otps USING btree (organisation_id, recipient, id)
  CREATE INDEX otps_by_verification ON otps USING btree (organisation_id, verification_id, id) WHERE (verification_id IS NOT NULL)
  CREATE UNIQUE INDEX otps_by_fallback ON otps USING btree (organisation_id, fallback_message_id) WHERE (fallback_message_id IS NOT NULL)
  CREATE UNIQUE INDEX otps_pkey ON otps USING btree (organisation_id, id)

phone_carriers
  carrier text not null
  pairing int4 not null default 1
  phone_carriers_pairing_check CHECK ((pairing > 0))
  phone_carriers_pkey PRIMARY KEY (carrier)
  CREATE UNIQUE INDEX phone_carriers_pkey ON phone_carriers USING btree (carrier)

phone_messages
  id uuid not null
  carrier text not null
  organisation_id uuid not null
  message_id uuid not null
  recipient text not null
  phone_id uuid not null
  sim int2 not null
  sealed_text bytea
  segments int2 not null
  urgent bool not null
  state text not null default 'offered'::text
  phone_state text
  error text
  was_sent bool not null default false
  answered bool not null default false
  offered_until timestamptz not null
  valid_until timestamptz not null
  placed_datetime timestamptz not null default now()
  taken_datetime timestamptz
  phone_messages_pkey PRIMARY KEY (id)
  phone_messages_segments_check CHECK ((segments > 0))
  phone_messages_state_check CHECK ((state = ANY (ARRAY['offered'::text, 'withdrawn'::text, 'taken'::text, 'sent'::text, 'done'::text, 'failed'::text, 'lost'::text, 'abandoned'::text])))
  CREATE INDEX phone_messages_by_sim ON phone_messages USING btree (phone_id, sim, placed_datetime)
  CREATE INDEX phone_messages_in_hand ON phone_messages USING btree (carrier, valid_until) WHERE (state = 'taken'::text)
  CREATE UNIQUE INDEX phone_messages_by_delivery ON phone_messages USING btree (carrier, organisation_id, message_id, recipient) WHERE (state = ANY (ARRAY['offered'::text, 'taken'::text, 'sent'::text, 'done'::text, 'lost'::text]))
  CREATE UNIQUE INDEX phone_messages_pkey ON phone_messages USING btree (id)

phone_sims
  phone_id uuid not null
  sim int2 not null
  operator text
  number_end text
  number text
  failures int4 not null default 0
  rests_until timestamptz
  phone_sims_phone_id_fkey FOREIGN KEY (phone_id) REFERENCES phones(id) ON DELETE CASCADE
  phone_sims_pkey PRIMARY KEY (phone_id, sim)
  phone_sims_sim_check CHECK (((sim >= 0) AND (sim <= 10)))
  CREATE UNIQUE INDEX phone_sims_pkey ON phone_sims USING btree (phone_id, sim)

phones
  id uuid not null
  carrier text not null
  name text not null
  app text not null
  token_hash bytea not null
  registered_datetime timestamptz not null default now()
  seen_datetime timestamptz
  missed_datetime timestamptz
  battery int2
  charging bool
  network text
  health_datetime timestamptz
  phones_battery_check CHECK (((battery >= 0) AND (battery <= 100)))
  phones_pkey PRIMARY KEY (id)
  phones_token_hash_key UNIQUE (token_hash)
  CREATE INDEX phones_by_carrier ON phones USING btree (carrier)
  CREATE UNIQUE INDEX phones_pkey ON phones USING btree (id)
  CREATE UNIQUE INDEX phones_token_hash_key ON phones USING btree (token_hash)

ported_import_lines
  line int8 not null
  msisdn int8 not null
  operator text not null

ported_numbers
  msisdn int8 not null
  operator text not null
  ported_numbers_pkey PRIMARY KEY (msisdn)
  CREATE UNIQUE INDEX ported_numbers_pkey ON ported_numbers USING btree (msisdn)

provider_answers
  msisdn int8 not null
  operator text
  ported bool
  dnd bool
  asked_datetime timestamptz not null default now()
  provider_answers_pkey PRIMARY KEY (msisdn)
  CREATE INDEX provider_answers_by_age ON provider_answers USING btree (asked_datetime)
  CREATE UNIQUE INDEX provider_answers_pkey ON provider_answers USING btree (msisdn)

provider_sessions
  session_id uuid not null
  issuer text not null
  subject text not null
  sid text
  tokens bytea not null
  due_datetime timestamptz not null
  stands_until timestamptz not null
  provider_sessions_pkey PRIMARY KEY (session_id)
  provider_sessions_session_id_fkey FOREIGN KEY (session_id) REFERENCES user_sessions(id) ON DELETE CASCADE
  CREATE INDEX provider_sessions_by_due ON provider_sessions USING btree (issuer, due_datetime)
  CREATE INDEX provider_sessions_by_subject ON provider_sessions USING btree (issuer, subject)
  CREATE UNIQUE INDEX provider_sessions_pkey ON provider_sessions USING btree (session_id)

purchase_tries
  organisation_id uuid not null
  purchase_id uuid not null
  position int2 not null
  vendor text not null
  reference text not null
  status text not null
  calls int2 not null default 1
  requeries int2 not null default 0
  vendor_purchase_id text
  code text
  description text
  cost int8
  vendor_balance int8
  called_datetime timestamptz not null default now()
  created_datetime timestamptz not null default now()
  updated_datetime timestamptz
  purchase_tries_calls_check CHECK ((calls > 0))
  purchase_tries_pkey PRIMARY KEY (organisation_id, purchase_id, "position")
  purchase_tries_position_check CHECK (("position" >= 0))
  purchase_tries_requeries_check CHECK ((requeries >= 0))
  purchase_tries_status_check CHECK ((status = ANY (ARRAY['calling'::text, 'unreached'::text, 'accepted'::text, 'unclear'::text, 'success'::text, 'failed'::text, 'error'::text, 'duplicate'::text])))
  CREATE INDEX purchase_tries_by_reference ON purchase_tries USING btree (vendor, reference)
  CREATE INDEX purchase_tries_by_vendor_purchase_id ON purchase_tries USING btree (vendor, vendor_purchase_id) WHERE (vendor_purchase_id IS NOT NULL)
  CREATE UNIQUE INDEX purchase_tries_pkey ON purchase_tries USING btree (organisation_id, purchase_id, "position")

purchases
  organisation_id uuid not null
  id uuid not null
  sequence int8 not null
  network text not null
  recipient text not null
  amount int8 not null
  external_ref text
  callback text
  idempotency_key text
  warnings _text not null default '{}'::text[]
  vendors _text not null
  status text not null default 'pending'::text
  refunded bool not null default false
  description text
  review_datetime timestamptz
  created_datetime timestamptz not null default now()
  updated_datetime timestamptz
  purchases_amount_check CHECK ((amount > 0))
  purchases_check CHECK ((refunded = (status = ANY (ARRAY['failed'::text, 'error'::text, 'duplicate'::text]))))
  purchases_check1 CHECK (((review_datetime IS NULL) OR (status = ANY (ARRAY['sent'::text, 'success'::text, 'failed'::text]))))
  purchases_network_check CHECK ((network = ANY (ARRAY['Airtel'::text, 'MTN'::text, 'Glo'::text, '9mobile'::text, 'NTEL'::text])))
  purchases_pkey PRIMARY KEY (organisation_id, id)
  purchases_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'sent'::text, 'success'::text, 'failed'::text, 'error'::text, 'duplicate'::text])))
  purchases_vendors_check CHECK ((cardinality(vendors) > 0))
  CREATE INDEX purchases_by_external_ref ON purchases USING btree (organisation_id, external_ref, id) WHERE (external_ref IS NOT NULL)
  CREATE INDEX purchases_by_recipient ON purchases USING btree (organisation_id, recipient, sequence)
  CREATE INDEX purchases_in_review ON purchases USING btree (organisation_id, id) WHERE (review_datetime IS NOT NULL)
  CREATE UNIQUE INDEX purchases_pkey ON purchases USING btree (organisation_id, id)

queue_rates
  queue text not null
  tokens float8 not null
  refilled timestamptz not null default clock_timestamp()
  queue_rates_pkey PRIMARY KEY (queue)
  CREATE UNIQUE INDEX queue_rates_pkey ON queue_rates USING btree (queue)

report_jobs
  id int8 not null
  queue text not null
  priority int2 not null default 1
  lane uuid not null
  run_at timestamptz not null default now()
  attempts int2 not null default 0
  in_hand bool not null default false
  organisation_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid
  subject_id uuid not null
  subject_key text not null default ''::text
  leased_until timestamptz
  report_jobs_pkey PRIMARY KEY (id)
  CREATE INDEX report_jobs_queue_priority_lane_run_at_idx ON report_jobs USING btree (queue, priority, lane, run_at)
  CREATE UNIQUE INDEX report_jobs_pkey ON report_jobs USING btree (id)

reports
  id uuid not null
  carrier text not null
  carrier_message_id text not null
  status text not null
  code text
  description text
  received_datetime timestamptz not null default now()
  operator text
  keys _text
  recipient text
  certain int2 not null default 1
  reports_pkey PRIMARY KEY (id)
  CREATE INDEX reports_by_age ON reports USING btree (received_datetime)
  CREATE UNIQUE INDEX reports_pkey ON reports USING btree (id)

request_bursts
  organisation_id uuid not null
  id uuid not null
  seen int4 not null
  request_ids _text not null
  calls jsonb not null
  contents jsonb not null
  created_datetime timestamptz not null default now()
  request_bursts_pkey PRIMARY KEY (organisation_id, id)
  request_bursts_seen_check CHECK ((seen > 0))
  CREATE INDEX request_bursts_by_request_id ON request_bursts USING gin (organisation_id, request_ids)
  CREATE UNIQUE INDEX request_bursts_pkey ON request_bursts USING btree (organisation_id, id)

sandbox_messages
  organisation_id uuid not null
  message_id uuid not null
  recipient text not null
  id uuid not null
  sender_id text
  channel text not null
  text text not null
  created_datetime timestamptz not null default now()
  sandbox_messages_pkey PRIMARY KEY (organisation_id, message_id, recipient)
  CREATE INDEX sandbox_messages_by_recipient ON sandbox_messages USING btree (organisation_id, recipient, id)
  CREATE UNIQUE INDEX sandbox_messages_pkey ON sandbox_messages USING btree (organisation_id, message_id, recipient)

sandbox_topups
  organisation_id uuid not null
  reference text not null
  recipient text not null
  network text not null
  amount int8 not null
  created_datetime timestamptz not null default now()
  sandbox_topups_pkey PRIMARY KEY (organisation_id, reference)
  CREATE INDEX sandbox_topups_by_age ON sandbox_topups USING btree (created_datetime)
  CREATE UNIQUE INDEX sandbox_topups_pkey ON sandbox_topups USING btree (organisation_id, reference)

saved_views
  organisation_id uuid not null
  id uuid not null
  user_id uuid not null
  name text not null
  query jsonb not null
  created_datetime timestamptz not null default now()
  saved_views_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60)))
  saved_views_organisation_id_user_id_name_key UNIQUE (organisation_id, user_id, name)
  saved_views_pkey PRIMARY KEY (organisation_id, id)
  saved_views_query_check CHECK ((jsonb_typeof(query) = 'object'::text))
  CREATE UNIQUE INDEX saved_views_organisation_id_user_id_name_key ON saved_views USING btree (organisation_id, user_id, name)
  CREATE UNIQUE INDEX saved_views_pkey ON saved_views USING btree (organisation_id, id)

secrets
  name text not null
  value text not null
  created_datetime timestamptz not null default now()
  secrets_pkey PRIMARY KEY (name)
  CREATE UNIQUE INDEX secrets_pkey ON secrets USING btree (name)

senders
  organisation_id uuid not null
  id uuid not null
  sender_id text not null
  sender_key text not null
  state text not null default 'pending'::text
  class text not null default 'transactional'::text
  note text
  reason text
  created_datetime timestamptz not null default now()
  updated_datetime timestamptz
  senders_class_check CHECK ((class = ANY (ARRAY['transactional'::text, 'promotional'::text])))
  senders_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id)
  senders_organisation_id_sender_key_key UNIQUE (organisation_id, sender_key)
  senders_pkey PRIMARY KEY (organisation_id, id)
  senders_sender_id_check CHECK (((sender_id ~ '^[A-Za-z0-9 ._&-]{1,11}$'::text) OR (sender_id ~ '^[0-9]{12,15}$'::text)))
  senders_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])))
  CREATE UNIQUE INDEX senders_by_number ON senders USING btree (sender_id) WHERE ((state = 'approved'::text) AND (sender_id ~ '^[0-9]+$'::text))
  CREATE UNIQUE INDEX senders_organisation_id_sender_key_key ON senders USING btree (organisation_id, sender_key)
  CREATE UNIQUE INDEX senders_pkey ON senders USING btree (organisation_id, id)

smpp_accounts
  id uuid not null
  organisation_id uuid not null
  system_id text not null
  password_hash bytea not null
  allow_networks _text not null default '{}'::text[]
  max_binds int2 not null
  rate_per_s int4 not null
  window_size int2 not null
  alphabet text not null
  receives_texts bool not null
  created_datetime timestamptz not null default now()
  smpp_accounts_alphabet_check CHECK ((alphabet = ANY (ARRAY['gsm7'::text, 'latin1'::text, 'ascii'::text, 'gsm7-packed'::text])))
  smpp_accounts_max_binds_check CHECK (((max_binds >= 1) AND (max_binds <= 100)))
  smpp_accounts_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id)
  smpp_accounts_pkey PRIMARY KEY (id)
  smpp_accounts_rate_per_s_check CHECK (((rate_per_s >= 1) AND (rate_per_s <= 10000)))
  smpp_accounts_system_id_check CHECK ((system_id ~ '^[0-9A-Za-z_.-]{1,15}$'::text))
  smpp_accounts_system_id_key UNIQUE (system_id)
  smpp_accounts_window_size_check CHECK (((window_size >= 1) AND (window_size <= 1000)))
  CREATE INDEX smpp_accounts_by_organisation ON smpp_accounts USING btree (organisation_id, id)
  CREATE UNIQUE INDEX smpp_accounts_pkey ON smpp_accounts USING btree (id)
  CREATE UNIQUE INDEX smpp_accounts_system_id_key ON smpp_accounts USING btree (system_id)

smpp_binds
  id uuid not null
  account_id uuid not null
  mode text not null
  address text not null
  leased_until timestamptz not null
  created_datetime timestamptz not null default now()
  smpp_binds_account_id_fkey FOREIGN KEY (account_id) REFERENCES smpp_accounts(id) ON DELETE CASCADE
  smpp_binds_mode_check CHECK ((mode = ANY (ARRAY['transmitter'::text, 'receiver'::text, 'transceiver'::text])))
  smpp_binds_pkey PRIMARY KEY (id)
  CREATE INDEX smpp_binds_by_account ON smpp_binds USING btree (account_id)
  CREATE UNIQUE INDEX smpp_binds_pkey ON smpp_binds USING btree (id)

smpp_long_texts
  organisation_id uuid not null
  account_id uuid not null
  sender text not null
  recipient text not null
  reference int4 not null
  total int2 not null
  id uuid not null
  segments _text not null
  wanted _int2 not null
  send_at timestamptz
  expires_at timestamptz
  created_datetime timestamptz not null
  user_references _int4 not null default '{}'::integer[]
  callback text
  in_no_hurry bool not null default false
  smpp_long_texts_pkey PRIMARY KEY (organisation_id, account_id, sender, recipient, reference, total)
  smpp_long_texts_total_check CHECK (((total >= 2) AND (total <= 255)))
  CREATE UNIQUE INDEX smpp_long_texts_pkey ON smpp_long_texts USING btree (organisation_id, account_id, sender, recipient, reference, total)

smpp_outbox
  organisation_id uuid not null
  id uuid not null
  account_id uuid not null
  address text not null
  body text not null
  attempts int2 not null default 0
  due timestamptz not null default now()
  created_datetime timestamptz not null default now()
  smpp_outbox_pkey PRIMARY KEY (organisation_id, id)
  CREATE INDEX smpp_outbox_due ON smpp_outbox USING btree (organisation_id, account_id, due)
  CREATE UNIQUE INDEX smpp_outbox_pkey ON smpp_outbox USING btree (organisation_id, id)

submissions
  carrier text not null
  carrier_message_id text not null
  organisation_id uuid not null
  message_id uuid not null
  recipient text not null
  report_due timestamptz not null
  segment int2 not null default 1
  segments int2 not null default 1
  status text
  code text
  description text
  submissions_check CHECK (((segment >= 1) AND (segment <= segments)))
  submissions_status_check CHECK ((status = ANY (ARRAY['delivered'::text, 'undelivered'::text, 'expired'::text, 'rejected'::text, 'unknown'::text])))
  CREATE INDEX submissions_by_carrier_message ON submissions USING btree (carrier, carrier_message_id)
  CREATE INDEX submissions_by_delivery ON submissions USING btree (organisation_id, message_id, recipient) WHERE (segments > 1)
  CREATE INDEX submissions_by_report_due ON submissions USING btree (report_due)

sweeps
  name text not null
  done_until timestamptz not null
  sweeps_pkey PRIMARY KEY (name)
  CREATE UNIQUE INDEX sweeps_pkey ON sweeps USING btree (name)

template_versions
  organisation_id uuid not null
  template_id uuid not null
  version int4 not null
  name text not null
  content text not null
  created_datetime timestamptz not null default now()
  template_versions_content_check CHECK ((content <> ''::text))
  template_versions_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
  template_versions_pkey PRIMARY KEY (organisation_id, template_id, version)
  template_versions_version_check CHECK ((version > 0))
  CREATE UNIQUE INDEX template_versions_pkey ON template_versions USING btree (organisation_id, template_id, version)

template_whatsapp
  organisation_id uuid not null
  template_id uuid not null
  version int4 not null
  name text not null
  language text not null
  parameters _text not null
  template_whatsapp_pkey PRIMARY KEY (organisation_id, template_id, version)
  CREATE UNIQUE INDEX template_whatsapp_pkey ON template_whatsapp USING btree (organisation_id, template_id, version)

templates
  organisation_id uuid not null
  id uuid not null
  version int4 not null default 1
  created_datetime timestamptz not null default now()
  updated_datetime timestamptz
  templates_pkey PRIMARY KEY (organisation_id, id)
  templates_version_check CHECK ((version > 0))
  CREATE UNIQUE INDEX templates_pkey ON templates USING btree (organisation_id, id)

user_devices
  user_id uuid not null
  token_hash bytea not null
  seen_datetime timestamptz not null default now()
  created_datetime timestamptz not null default now()
  user_devices_pkey PRIMARY KEY (user_id, token_hash)
  user_devices_token_hash_check CHECK ((octet_length(token_hash) = 32))
  user_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
  CREATE INDEX user_devices_by_token ON user_devices USING btree (token_hash)
  CREATE UNIQUE INDEX user_devices_pkey ON user_devices USING btree (user_id, token_hash)

user_links
  token_hash bytea not null
  user_id uuid not null
  expires_datetime timestamptz not null
  used_datetime timestamptz
  created_datetime timestamptz not null default now()
  enters bool not null default false
  user_links_pkey PRIMARY KEY (token_hash)
  user_links_token_hash_check CHECK ((octet_length(token_hash) = 32))
  user_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
  CREATE INDEX user_links_by_user ON user_links USING btree (user_id)
  CREATE UNIQUE INDEX user_links_pkey ON user_links USING btree (token_hash)

user_sessions
  token_hash bytea not null
  id uuid not null
  user_id uuid not null
  address text
  user_agent text
  seen_datetime timestamptz not null default now()
  expires_datetime timestamptz not null
  created_datetime timestamptz not null default now()
  waits_for_code bool not null default false
  user_sessions_id_key UNIQUE (id)
  user_sessions_pkey PRIMARY KEY (token_hash)
  user_sessions_token_hash_check CHECK ((octet_length(token_hash) = 32))
  user_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
  CREATE INDEX user_sessions_by_user ON user_sessions USING btree (user_id, id)
  CREATE UNIQUE INDEX user_sessions_id_key ON user_sessions USING btree (id)
  CREATE UNIQUE INDEX user_sessions_pkey ON user_sessions USING btree (token_hash)

users
  id uuid not null
  organisation_id uuid
  email text
  email_key text
  name text
  password_hash text
  totp_secret bytea
  totp_since timestamptz
  totp_step int8 not null default 0
  recovery_hashes _bytea not null default '{}'::bytea[]
  disabled_datetime timestamptz
  last_login_datetime timestamptz
  created_datetime timestamptz not null default now()
  updated_datetime timestamptz
  role text not null default 'owner'::text
  issuer text
  subject text
  provider text
  role_by_provider bool not null default false
  language text
  users_check CHECK (((email IS NULL) = (email_key IS NULL)))
  users_check1 CHECK (((password_hash IS NULL) OR (email IS NOT NULL)))
  users_check2 CHECK (((totp_since IS NULL) OR (totp_secret IS NOT NULL)))
  users_check3 CHECK ((((issuer IS NULL) = (subject IS NULL)) AND ((issuer IS NULL) = (provider IS NULL))))
  users_check4 CHECK (((issuer IS NOT NULL) OR (NOT role_by_provider)))
  users_check5 CHECK (((issuer IS NULL) OR (password_hash IS NULL)))
  users_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254)))
  users_issuer_check CHECK (((length(issuer) >= 1) AND (length(issuer) <= 500)))
  users_issuer_subject_key UNIQUE (issuer, subject)
  users_language_check CHECK ((language ~ '^[a-z]{2}$'::text))
  users_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
  users_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id)
  users_pkey PRIMARY KEY (id)
  users_provider_check CHECK (((length(provider) >= 1) AND (length(provider) <= 40)))
  users_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'marketer'::text, 'finance'::text, 'viewer'::text])))
  users_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 255)))
  CREATE INDEX users_by_address ON users USING btree (email_key)
  CREATE INDEX users_by_organisation ON users USING btree (organisation_id, id)
  CREATE UNIQUE INDEX users_address ON users USING btree (organisation_id, email_key) WHERE (organisation_id IS NOT NULL)
  CREATE UNIQUE INDEX users_issuer_subject_key ON users USING btree (issuer, subject)
  CREATE UNIQUE INDEX users_operator_address ON users USING btree (email_key) WHERE (organisation_id IS NULL)
  CREATE UNIQUE INDEX users_pkey ON users USING btree (id)

webhooks
  organisation_id uuid not null
  id uuid not null
  url text not null
  events _text not null default '{*}'::text[]
  description text
  enabled bool not null default true
  disabled_reason text
  failing_since timestamptz
  secret text not null
  old_secret text
  old_secret_until timestamptz
  created_datetime timestamptz not null default now()
  updated_datetime timestamptz
  format text not null default 'standard'::text
  webhooks_check CHECK (((old_secret IS NULL) = (old_secret_until IS NULL)))
  webhooks_check1 CHECK (((disabled_reason IS NULL) OR (NOT enabled)))
  webhooks_events_check CHECK ((cardinality(events) > 0))
  webhooks_format_check CHECK ((format = ANY (ARRAY['standard'::text, 'simpu'::text, 'twilio'::text])))
  webhooks_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id)
  webhooks_pkey PRIMARY KEY (organisation_id, id)
  CREATE UNIQUE INDEX webhooks_pkey ON webhooks USING btree (organisation_id, id)

whatsapp_templates
  carrier text not null
  name text not null
  language text not null
  category text not null
  status text not null
  components jsonb not null
  synced_datetime timestamptz not null default now()
  whatsapp_templates_pkey PRIMARY KEY (carrier, name, language)
  CREATE UNIQUE INDEX whatsapp_templates_pkey ON whatsapp_templates USING btree (carrier, name, language)

whatsapp_users
  carrier text not null
  recipient text not null
  received_datetime timestamptz
  sent_datetime timestamptz
  whatsapp_users_pkey PRIMARY KEY (carrier, recipient)
  CREATE INDEX whatsapp_users_by_age ON whatsapp_users USING btree (GREATEST(received_datetime, sent_datetime))
  CREATE UNIQUE INDEX whatsapp_users_pkey ON whatsapp_users USING btree (carrier, recipient)

