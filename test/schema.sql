set check_function_bodies = off;

create extension btree_gin;

create extension pg_trgm;

CREATE OR REPLACE FUNCTION balance_has_its_line()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.sequence = 0 then
    if new.balance <> 0 then
      raise exception 'a balance without ledger lines must be zero';
    end if;
  elsif (
    select line.sequence = new.sequence and line.balance_after = new.balance from ledger_lines line
    where line.organisation_id = new.organisation_id and line.sequence <= new.sequence
    order by line.sequence desc limit 1
  ) is not true then
    raise exception 'a balance was changed without its ledger line';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION first_id_at(moment timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select overlay(
    '00000000-0000-0000-0000-000000000000' placing
    overlay(lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') placing '-' from 9 for 0) from 1 for 13
  )::uuid
$function$
;

CREATE OR REPLACE FUNCTION ledger_is_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'ledger lines are never changed or removed';
end $function$
;

CREATE OR REPLACE FUNCTION ledger_line_keeps_its_money()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.organisation_id, new.sequence, new.kind, new.amount, new.balance_after, new.subject_id, new.created_datetime,
      new.subjects, new.last_subject_id)
    is distinct from (old.organisation_id, old.sequence, old.kind, old.amount, old.balance_after, old.subject_id,
      old.created_datetime, old.subjects, old.last_subject_id)
    or (new.subject_key <> old.subject_key and new.subject_key not like 'erased-%')
    or (new.note is distinct from old.note and position('erased-' in coalesce(new.note, '')) = 0)
  then
    raise exception 'ledger lines are never changed or removed';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION ledger_lines_continue()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
begin
  if exists (
    select from added line
    where not coalesce((
      select before.sequence = line.sequence - 1 and before.balance_after = line.balance_after - line.amount
      from ledger_lines before
      where before.organisation_id = line.organisation_id and before.sequence < line.sequence
      order by before.sequence desc limit 1
    ), line.sequence = 1 and line.balance_after = line.amount)
  ) then
    raise exception 'a ledger line does not continue the one before it';
  end if;
  if exists (
    select from added line
    where (
      select own.sequence >= line.sequence from balances own where own.organisation_id = line.organisation_id
    ) is not true
  ) then
    raise exception 'a ledger line was written without its balance';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION partition_bounds(part text)
 RETURNS TABLE(upper_bound uuid)
 LANGUAGE sql
 STABLE
AS $function$
  select (regexp_match(pg_get_expr(relpartbound, oid), 'TO \(''([0-9a-f-]+)''\)'))[1]::uuid
  from pg_class where oid = to_regclass(part) and pg_get_expr(relpartbound, oid) like '%TO (''%'
$function$
;

create table activity (
  organisation_id uuid not null,
  minute timestamp with time zone not null,
  accepted bigint not null default 0,
  delivered bigint not null default 0,
  undelivered bigint not null default 0,
  expired bigint not null default 0,
  rejected bigint not null default 0,
  failed bigint not null default 0,
  unknown bigint not null default 0,
  otp_sent bigint not null default 0,
  otp_verified bigint not null default 0,
  spend bigint not null default 0,
  refunds bigint not null default 0,
  constraint activity_pkey PRIMARY KEY (organisation_id, minute)
);
CREATE INDEX activity_by_age ON activity USING btree (minute);

create table analytics (
  organisation_id uuid not null,
  dimension text not null,
  hour timestamp with time zone not null,
  value text not null,
  is_day boolean not null default false,
  accepted bigint not null default 0,
  delivered bigint not null default 0,
  failed bigint not null default 0,
  unknown bigint not null default 0,
  canceled bigint not null default 0,
  pages bigint not null default 0,
  cost bigint not null default 0,
  refunded bigint not null default 0,
  otp_requested bigint not null default 0,
  otp_verified bigint not null default 0,
  otp_failed bigint not null default 0,
  read bigint not null default 0,
  constraint analytics_pkey PRIMARY KEY (organisation_id, dimension, hour, value),
  constraint analytics_dimension_check CHECK ((dimension = ANY (ARRAY['all'::text, 'channel'::text, 'country'::text, 'operator'::text, 'sender'::text, 'route'::text, 'error'::text, 'template'::text]))),
  constraint analytics_value_check CHECK ((length(value) <= 100))
) with (fillfactor=70);
CREATE INDEX analytics_by_age ON analytics USING btree (is_day, hour) WHERE (dimension = 'all'::text);

create table api_keys (
  id uuid not null,
  organisation_id uuid not null,
  key_hash bytea not null,
  hint text not null,
  name text,
  scopes text[],
  expires_datetime timestamp with time zone,
  revoked_datetime timestamp with time zone,
  created_datetime timestamp with time zone not null default now(),
  last_used_datetime timestamp with time zone,
  daily_spending_limit bigint,
  spends_as uuid,
  limit_notified_day date,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_key_hash_key UNIQUE (key_hash),
  constraint api_keys_daily_spending_limit_check CHECK ((daily_spending_limit >= 0)),
  constraint api_keys_key_hash_check CHECK ((octet_length(key_hash) = 32)),
  constraint api_keys_scopes_check CHECK ((scopes <@ ARRAY['sms'::text, 'otp'::text, 'airtime'::text, 'lookup'::text, 'lists'::text, 'settings'::text, 'callbacks'::text, 'balance'::text]))
);
CREATE INDEX api_keys_by_organisation ON api_keys USING btree (organisation_id, id);

create table audit_entries (
  organisation_id uuid not null,
  id uuid not null,
  user_id uuid,
  actor text not null,
  address text,
  action text not null,
  subject text,
  before jsonb,
  after jsonb,
  created_datetime timestamp with time zone not null default now(),
  constraint audit_entries_pkey PRIMARY KEY (organisation_id, id)
);
CREATE INDEX audit_entries_by_action ON audit_entries USING btree (organisation_id, action, id);
CREATE INDEX audit_entries_by_words ON audit_entries USING gin (uuid_hash_extended(organisation_id, (0)::bigint), lower(((((actor || ' '::text) || action) || ' '::text) || COALESCE(subject, ''::text))) gin_trgm_ops);

create table backups (
  id uuid not null,
  file text not null,
  begun_datetime timestamp with time zone not null default now(),
  ended_datetime timestamp with time zone,
  bytes bigint,
  fault text,
  constraint backups_pkey PRIMARY KEY (id)
);
CREATE INDEX backups_by_age ON backups USING btree (begun_datetime);

create table balances (
  organisation_id uuid not null,
  balance bigint not null default 0,
  sequence bigint not null default 0,
  low_notified boolean not null default false,
  credit_limit bigint not null default 0,
  uncovered bigint,
  exhausted_notified boolean not null default false,
  spent_day date,
  spent_keys uuid[],
  spent_amounts bigint[],
  constraint balances_pkey PRIMARY KEY (organisation_id),
  constraint balances_credit_limit_check CHECK ((credit_limit >= 0)),
  constraint balances_sequence_check CHECK ((sequence >= 0)),
  constraint balances_spent CHECK ((cardinality(spent_keys) = cardinality(spent_amounts))),
  constraint balances_uncovered_check CHECK ((uncovered > 0)),
  constraint balances_within_credit CHECK ((balance >= (- credit_limit)))
) with (fillfactor=20);
CREATE INDEX balances_uncovered ON balances USING btree (organisation_id) WHERE (uncovered IS NOT NULL);
CREATE CONSTRAINT TRIGGER balance_has_its_line AFTER INSERT OR UPDATE ON balances DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION balance_has_its_line();

create table blocklist (
  entry text collate "C" not null,
  reason text not null,
  actor text not null,
  expires_datetime timestamp with time zone,
  hits bigint not null default 0,
  last_hit_datetime timestamp with time zone,
  version bigint not null,
  removed_datetime timestamp with time zone,
  created_datetime timestamp with time zone not null default now(),
  constraint blocklist_pkey PRIMARY KEY (entry),
  constraint blocklist_entry_check CHECK ((entry ~ '^[1-9][0-9]{0,14}\*?$'::text)),
  constraint blocklist_reason_check CHECK ((length(reason) <= 500))
);
CREATE INDEX blocklist_by_version ON blocklist USING btree (version);

create table builds (
  version text not null,
  first_datetime timestamp with time zone not null default now(),
  constraint builds_pkey PRIMARY KEY (version)
);

create table callback_attempts (
  organisation_id uuid not null,
  callback_id uuid not null,
  attempt smallint not null,
  status_code integer,
  reason text,
  excerpt text,
  duration_ms integer not null,
  created_datetime timestamp with time zone not null default now(),
  constraint callback_attempts_pkey PRIMARY KEY (organisation_id, callback_id, attempt)
);

create table callbacks (
  organisation_id uuid not null,
  id uuid not null,
  type text not null,
  url text not null,
  body text not null,
  status text not null default 'pending'::text,
  attempts smallint not null default 0,
  subject_id uuid not null,
  created_datetime timestamp with time zone not null default now(),
  updated_datetime timestamp with time zone,
  webhook_id uuid,
  event_id uuid,
  burst_id bigint,
  last_status_code integer,
  last_reason text,
  last_excerpt text,
  last_duration_ms integer,
  next_attempt_datetime timestamp with time zone,
  constraint callbacks_pkey PRIMARY KEY (organisation_id, id),
  constraint callbacks_check CHECK (((webhook_id IS NULL) = (event_id IS NULL))),
  constraint callbacks_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'stopped'::text, 'failed'::text])))
) with (fillfactor=50);
CREATE INDEX callbacks_by_subject ON callbacks USING btree (subject_id, organisation_id);
CREATE INDEX callbacks_by_webhook ON callbacks USING btree (organisation_id, webhook_id, id) WHERE (webhook_id IS NOT NULL);

create table campaign_left_out (
  organisation_id uuid not null,
  campaign_id uuid not null,
  step integer not null,
  entries jsonb not null,
  constraint campaign_left_out_pkey PRIMARY KEY (organisation_id, campaign_id, step)
);

create table campaign_outcomes (
  organisation_id uuid not null,
  campaign_id uuid not null,
  text_number smallint not null,
  outcome text not null,
  code text not null,
  operator text not null,
  hour timestamp with time zone not null,
  people bigint not null,
  charge bigint not null,
  refunded bigint not null,
  constraint campaign_outcomes_pkey PRIMARY KEY (organisation_id, campaign_id, text_number, outcome, code, operator, hour)
);

create table campaign_recipients (
  organisation_id uuid not null,
  campaign_id uuid not null,
  estimate integer not null,
  recipient text not null,
  constraint campaign_recipients_pkey PRIMARY KEY (organisation_id, campaign_id, estimate, recipient)
);

create table campaign_slices (
  organisation_id uuid not null,
  campaign_id uuid not null,
  number integer not null,
  text_number smallint not null default 0,
  country text not null default ''::text,
  recipients jsonb not null,
  people integer not null,
  charge bigint not null,
  status text not null default 'waiting'::text,
  message_id uuid,
  accepted_datetime timestamp with time zone,
  waiting integer not null default 0,
  outcomes jsonb not null default '{}'::jsonb,
  count_at timestamp with time zone,
  constraint campaign_slices_pkey PRIMARY KEY (organisation_id, campaign_id, number),
  constraint campaign_slices_check CHECK (((status = 'waiting'::text) OR (message_id IS NOT NULL))),
  constraint campaign_slices_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'begun'::text, 'accepted'::text, 'taken_back'::text])))
);
CREATE INDEX campaign_slices_by_campaign ON campaign_slices USING btree (organisation_id, campaign_id, message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX campaign_slices_by_message ON campaign_slices USING btree (organisation_id, message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX campaign_slices_on_the_way ON campaign_slices USING btree (organisation_id, campaign_id, number) WHERE ((status = 'accepted'::text) AND (waiting > 0));
CREATE INDEX campaign_slices_to_count ON campaign_slices USING btree (organisation_id, campaign_id, count_at) WHERE (count_at IS NOT NULL);
CREATE INDEX campaign_slices_to_send ON campaign_slices USING btree (organisation_id, campaign_id, number) WHERE (status = ANY (ARRAY['waiting'::text, 'begun'::text]));

create table campaign_uploads (
  organisation_id uuid not null,
  campaign_id uuid not null,
  number integer not null,
  size integer not null,
  entries jsonb not null,
  idempotency_key text,
  request_hash bytea,
  constraint campaign_uploads_pkey PRIMARY KEY (organisation_id, campaign_id, number),
  constraint campaign_uploads_organisation_id_campaign_id_idempotency_ke_key UNIQUE (organisation_id, campaign_id, idempotency_key)
);

create table campaigns (
  organisation_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null default 'draft'::text,
  is_list_send boolean not null default false,
  smartlist_id uuid,
  filters jsonb not null default '[]'::jsonb,
  number smallint,
  uploads integer not null default 0,
  uploaded integer not null default 0,
  message jsonb not null,
  texts jsonb not null,
  send_at timestamp with time zone,
  pace_per_hour integer,
  quiet_from text,
  quiet_until text,
  idempotency_key text,
  request_hash bytea,
  run integer not null default 0,
  estimates integer not null default 0,
  gathered boolean not null default false,
  place text,
  steps integer not null default 0,
  slices integer not null default 0,
  rows integer not null default 0,
  people integer not null default 0,
  charge bigint not null default 0,
  sizes jsonb not null default '{}'::jsonb,
  left_out jsonb not null default '{}'::jsonb,
  samples jsonb not null default '[]'::jsonb,
  asked_datetime timestamp with time zone,
  estimated_datetime timestamp with time zone,
  accepted integer not null default 0,
  charged bigint not null default 0,
  dropped integer not null default 0,
  taken_back integer not null default 0,
  given_back bigint not null default 0,
  all_accepted boolean not null default false,
  next_at timestamp with time zone,
  holds_price boolean not null default true,
  pause_reason text,
  fault text,
  started_datetime timestamp with time zone,
  ended_datetime timestamp with time zone,
  created_datetime timestamp with time zone not null default now(),
  updated_datetime timestamp with time zone,
  draft jsonb,
  resend_of uuid,
  key_id uuid,
  constraint campaigns_pkey PRIMARY KEY (organisation_id, id),
  constraint campaigns_organisation_id_idempotency_key_key UNIQUE (organisation_id, idempotency_key),
  constraint campaigns_check CHECK (((accepted >= 0) AND (taken_back >= 0) AND (taken_back <= accepted) AND (given_back <= charged))),
  constraint campaigns_name_check CHECK ((name <> ''::text)),
  constraint campaigns_pace_per_hour_check CHECK ((pace_per_hour > 0)),
  constraint campaigns_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'estimating'::text, 'estimated'::text, 'scheduled'::text, 'running'::text, 'paused'::text, 'finished'::text, 'canceled'::text])))
);
CREATE UNIQUE INDEX campaigns_resent_once ON campaigns USING btree (organisation_id, resend_of) WHERE ((resend_of IS NOT NULL) AND (status <> 'canceled'::text));

create table carrier_balances (
  carrier text not null,
  balance numeric(19,4) not null,
  currency text,
  read_datetime timestamp with time zone not null default now(),
  constraint carrier_balances_pkey PRIMARY KEY (carrier)
);

create table carrier_binds (
  carrier text not null,
  bind smallint not null,
  holder uuid,
  lease_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  state text not null default 'stopped'::text,
  bound_datetime timestamp with time zone,
  figures jsonb,
  pdus jsonb,
  updated_datetime timestamp with time zone not null default now(),
  constraint carrier_binds_pkey PRIMARY KEY (carrier, bind),
  constraint carrier_binds_bind_check CHECK ((bind > 0))
) with (fillfactor=30);

create table carrier_calls (
  carrier text not null,
  answered boolean not null,
  reason text,
  datetime timestamp with time zone not null default now(),
  constraint carrier_calls_pkey PRIMARY KEY (carrier)
);

create table carrier_facts (
  msisdn bigint not null,
  operator text,
  operator_noted timestamp with time zone,
  dnd_noted timestamp with time zone,
  constraint carrier_facts_pkey PRIMARY KEY (msisdn),
  constraint carrier_facts_check CHECK (((operator IS NULL) = (operator_noted IS NULL)))
);
CREATE INDEX carrier_facts_by_age ON carrier_facts USING btree (GREATEST(operator_noted, dnd_noted));

create table carrier_id_modes (
  carrier text not null,
  mode text not null,
  learned_datetime timestamp with time zone not null default now(),
  constraint carrier_id_modes_pkey PRIMARY KEY (carrier),
  constraint carrier_id_modes_mode_check CHECK ((mode = ANY (ARRAY['raw'::text, 'resp_hex_dlr_dec'::text, 'resp_dec_dlr_hex'::text])))
);

create table carrier_pauses (
  carrier text not null,
  until timestamp with time zone not null,
  code text not null,
  reason text not null,
  constraint carrier_pauses_pkey PRIMARY KEY (carrier)
);

create table configured_entries (
  kind text not null,
  name text not null,
  "position" integer not null,
  settings json not null,
  secrets text,
  version bigint not null,
  changed_by text not null,
  changed_datetime timestamp with time zone not null default now(),
  constraint configured_entries_pkey PRIMARY KEY (kind, name),
  constraint configured_entries_kind_check CHECK ((kind = ANY (ARRAY['carrier'::text, 'route'::text]))),
  constraint configured_entries_name_check CHECK ((name ~ '^[a-z0-9-]{1,40}$'::text)),
  constraint configured_entries_settings_check CHECK ((json_typeof(settings) = 'object'::text))
);

create table contact_cells (
  organisation_id uuid not null,
  number smallint not null,
  row_id uuid not null,
  key text collate "C" not null
);
CREATE UNIQUE INDEX contact_cells_by_key ON contact_cells USING btree (organisation_id, number, "left"(key, 200), row_id);
CREATE INDEX contact_cells_by_trigram ON contact_cells USING gin (uuid_hash_extended(organisation_id, (number)::bigint), key gin_trgm_ops);

create table contact_change_rows (
  organisation_id uuid not null,
  change_id uuid not null,
  row_id uuid not null,
  cells jsonb not null,
  keys jsonb not null,
  created_datetime timestamp with time zone not null,
  updated_datetime timestamp with time zone,
  constraint contact_change_rows_pkey PRIMARY KEY (organisation_id, change_id, row_id)
);

create table contact_changes (
  organisation_id uuid not null,
  id uuid not null,
  user_id uuid,
  action text not null,
  number smallint,
  value text,
  key text,
  query jsonb,
  row_ids uuid[] not null,
  status text not null default 'running'::text,
  after_id uuid,
  place integer not null default 0,
  rows integer not null default 0,
  restored integer not null default 0,
  not_restored integer not null default 0,
  fault text,
  undo_until timestamp with time zone,
  created_datetime timestamp with time zone not null default now(),
  updated_datetime timestamp with time zone,
  constraint contact_changes_pkey PRIMARY KEY (organisation_id, id),
  constraint contact_changes_action_check CHECK ((action = ANY (ARRAY['set'::text, 'delete'::text]))),
  constraint contact_changes_check CHECK (((action = 'set'::text) = (number IS NOT NULL))),
  constraint contact_changes_check1 CHECK (((value IS NULL) = (key IS NULL))),
  constraint contact_changes_status_check CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'undoing'::text, 'undone'::text, 'final'::text])))
);
CREATE INDEX contact_changes_by_age ON contact_changes USING btree (created_datetime);
CREATE INDEX contact_changes_open ON contact_changes USING btree (organisation_id) WHERE (status = ANY (ARRAY['running'::text, 'done'::text, 'undoing'::text]));

create table contact_columns (
  organisation_id uuid not null,
  id uuid not null,
  number smallint not null,
  name text not null,
  name_key text not null,
  type text not null,
  options text[],
  "position" smallint not null default 0,
  first_number smallint not null,
  constraint contact_columns_pkey PRIMARY KEY (organisation_id, id),
  constraint contact_columns_organisation_id_name_key_key UNIQUE (organisation_id, name_key),
  constraint contact_columns_organisation_id_number_key UNIQUE (organisation_id, number),
  constraint contact_columns_check CHECK (((options IS NOT NULL) = (type = ANY (ARRAY['SELECT'::text, 'MULTI SELECT'::text])))),
  constraint contact_columns_number_check CHECK ((number > 0)),
  constraint contact_columns_type_check CHECK ((type = ANY (ARRAY['TEXT'::text, 'NUMBER'::text, 'DATE'::text, 'PHONE NUMBER'::text, 'EMAIL'::text, 'URL'::text, 'SELECT'::text, 'MULTI SELECT'::text])))
);

create table contact_conversions (
  organisation_id uuid not null,
  id uuid not null,
  column_id uuid not null,
  from_number smallint not null,
  from_type text not null,
  from_options text[],
  number smallint,
  type text not null,
  options text[],
  format text,
  clear_unfit boolean not null,
  status text not null,
  until_id uuid,
  after_id uuid,
  rows integer not null default 0,
  fits integer not null default 0,
  unfit integer not null default 0,
  fit_rows uuid[] not null default '{}'::uuid[],
  unfit_rows uuid[] not null default '{}'::uuid[],
  fault text,
  undo_until timestamp with time zone,
  created_datetime timestamp with time zone not null default now(),
  updated_datetime timestamp with time zone,
  constraint contact_conversions_pkey PRIMARY KEY (organisation_id, id),
  constraint contact_conversions_check CHECK (((number IS NULL) = (status = ANY (ARRAY['checking'::text, 'checked'::text])))),
  constraint contact_conversions_status_check CHECK ((status = ANY (ARRAY['checking'::text, 'checked'::text, 'running'::text, 'done'::text, 'final'::text, 'undone'::text, 'failed'::text])))
);
CREATE INDEX contact_conversions_by_age ON contact_conversions USING btree (created_datetime);
CREATE UNIQUE INDEX contact_conversions_open ON contact_conversions USING btree (organisation_id, column_id) WHERE (status = ANY (ARRAY['running'::text, 'done'::text]));

create table contact_import_chunks (
  organisation_id uuid not null,
  import_id uuid not null,
  "position" bigint not null,
  bytes bytea not null,
  constraint contact_import_chunks_pkey PRIMARY KEY (organisation_id, import_id, "position")
);
alter table contact_import_chunks alter column bytes set storage external;

create table contact_import_rejects (
  organisation_id uuid not null,
  import_id uuid not null,
  line integer not null,
  fields text[] not null,
  faults jsonb not null,
  constraint contact_import_rejects_pkey PRIMARY KEY (organisation_id, import_id, line)
);

create table contact_imports (
  organisation_id uuid not null,
  id uuid not null,
  status text not null default 'uploading'::text,
  dry_run boolean not null,
  encoding text not null,
  delimiter text not null,
  fields jsonb not null,
  upsert_number smallint,
  bytes_total bigint not null default 0,
  bytes_done bigint not null default 0,
  lines_done integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  rejected integer not null default 0,
  fault text,
  created_datetime timestamp with time zone not null default now(),
  updated_datetime timestamp with time zone,
  constraint contact_imports_pkey PRIMARY KEY (organisation_id, id),
  constraint contact_imports_status_check CHECK ((status = ANY (ARRAY['uploading'::text, 'queued'::text, 'running'::text, 'done'::text, 'failed'::text, 'canceled'::text])))
);
CREATE INDEX contact_imports_by_age ON contact_imports USING btree (created_datetime);

create table contact_queries (
  organisation_id uuid not null,
  id uuid not null,
  query jsonb not null,
  used_datetime timestamp with time zone not null default now(),
  constraint contact_queries_pkey PRIMARY KEY (organisation_id, id)
);
CREATE INDEX contact_queries_by_age ON contact_queries USING btree (used_datetime);

create table contact_rows (
  organisation_id uuid not null,
  id uuid not null,
  cells jsonb not null,
  keys jsonb not null,
  created_datetime timestamp with time zone not null default now(),
  updated_datetime timestamp with time zone,
  constraint contact_rows_pkey PRIMARY KEY (organisation_id, id)
);

create table contact_smartlists (
  organisation_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null,
  filters jsonb not null,
  created_datetime timestamp with time zone not null default now(),
  updated_datetime timestamp with time zone,
  constraint contact_smartlists_pkey PRIMARY KEY (organisation_id, id),
  constraint contact_smartlists_organisation_id_name_key_key UNIQUE (organisation_id, name_key)
);

create table contact_tables (
  organisation_id uuid not null,
  id uuid not null,
  next_number smallint not null default 1,
  created_datetime timestamp with time zone not null default now(),
  updated_datetime timestamp with time zone,
  version integer not null default 0,
  constraint contact_tables_pkey PRIMARY KEY (organisation_id),
  constraint contact_tables_next_number_check CHECK ((next_number > 0))
);

create table conversation_notes (
  organisation_id uuid not null,
  id uuid not null,
  phone text not null,
  author_id uuid,
  text text not null,
  created_datetime timestamp with time zone not null default now(),
  constraint conversation_notes_pkey PRIMARY KEY (organisation_id, id),
  constraint conversation_notes_text_check CHECK (((length(text) >= 1) AND (length(text) <= 2000)))
);
CREATE INDEX conversation_notes_by_phone ON conversation_notes USING btree (organisation_id, phone, id);

create table conversations (
  organisation_id uuid not null,
  phone text not null,
  id uuid not null,
  direction text not null,
  channel text not null,
  "to" text not null,
  received_datetime timestamp with time zone not null,
  received bigint not null,
  read bigint not null default 0,
  closed_received bigint not null default 0,
  assignee_id uuid,
  state text not null generated always as (
CASE
    WHEN (closed_received = received) THEN 'closed'::text
    WHEN (read < received) THEN 'unread'::text
    ELSE 'read'::text
END) stored,
  is_assigned boolean not null generated always as ((assignee_id IS NOT NULL)) stored,
  constraint conversations_pkey PRIMARY KEY (organisation_id, phone),
  constraint conversations_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'whatsapp'::text]))),
  constraint conversations_check CHECK (((read >= 0) AND (read <= received))),
  constraint conversations_check1 CHECK (((closed_received >= 0) AND (closed_received <= received))),
  constraint conversations_direction_check CHECK ((direction = ANY (ARRAY['in'::text, 'out'::text]))),
  constraint conversations_phone_check CHECK ((phone ~ '^[0-9]{7,15}$'::text)),
  constraint conversations_received_check CHECK ((received > 0))
);
CREATE INDEX conversations_by_assignee ON conversations USING btree (organisation_id, assignee_id, state, id) WHERE (assignee_id IS NOT NULL);
CREATE UNIQUE INDEX conversations_by_id ON conversations USING btree (organisation_id, id);
CREATE INDEX conversations_by_state ON conversations USING btree (organisation_id, state, is_assigned, id);

create table cost_assignments (
  carrier text not null,
  price_list_id uuid not null,
  billed_on text not null,
  use_answers boolean not null default false,
  constraint cost_assignments_pkey PRIMARY KEY (carrier),
  constraint cost_assignments_billed_on_check CHECK ((billed_on = ANY (ARRAY['submitted'::text, 'delivered'::text]))),
  constraint cost_assignments_carrier_check CHECK (((length(carrier) >= 1) AND (length(carrier) <= 60)))
);
CREATE INDEX cost_assignments_by_list ON cost_assignments USING btree (price_list_id);

create table deliveries (
  organisation_id uuid not null,
  message_id uuid not null,
  recipient text not null,
  "position" integer not null,
  status text not null,
  text text,
  pages smallint not null,
  charge bigint not null,
  refunded boolean not null default false,
  route text not null,
  carrier text,
  code text,
  description text,
  created_datetime timestamp with time zone not null default now(),
  updated_datetime timestamp with time zone,
  sealed_text bytea,
  expires_datetime timestamp with time zone,
  clicked_datetime timestamp with time zone,
  send_at timestamp with time zone,
  whatsapp jsonb,
  tried text[],
  sent_datetime timestamp with time zone,
  promotional boolean,
  read_datetime timestamp with time zone,
  price_category text,
  price_rule_id bigint,
  cost bigint,
  cost_if_delivered boolean,
  routing smallint,
  constraint deliveries_pkey PRIMARY KEY (organisation_id, message_id, recipient),
  constraint deliveries_charge_check CHECK ((charge >= 0)),
  constraint deliveries_check CHECK (((NOT refunded) OR (status = ANY (ARRAY['failed'::text, 'rejected'::text, 'canceled'::text])))),
  constraint deliveries_pages_check CHECK ((pages > 0)),
  constraint deliveries_price_category_check CHECK ((price_category ~ '^[a-z_]{1,40}$'::text)),
  constraint deliveries_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'queued'::text, 'sent'::text, 'delivered'::text, 'undelivered'::text, 'expired'::text, 'rejected'::text, 'failed'::text, 'unknown'::text, 'canceled'::text])))
) partition by range (message_id);

create table dnd_import_lines (
  line bigint not null,
  msisdn bigint not null
) with (autovacuum_enabled=false);

create table dnd_numbers (
  msisdn bigint not null,
  constraint dnd_numbers_pkey PRIMARY KEY (msisdn)
);

create table erasures (
  organisation_id uuid not null,
  id uuid not null,
  number_hash text not null,
  sealed_number bytea,
  asked_by text not null,
  everywhere boolean not null default false,
  status text not null default 'running'::text,
  round integer not null default 1,
  at_table text not null default ''::text,
  place jsonb,
  found_now integer not null default 0,
  left_now integer not null default 0,
  found jsonb not null default '{}'::jsonb,
  waits_for text[] not null default '{}'::text[],
  created_datetime timestamp with time zone not null default now(),
  ended_datetime timestamp with time zone,
  constraint erasures_pkey PRIMARY KEY (organisation_id, id),
  constraint erasures_asked_by_check CHECK (((length(asked_by) >= 1) AND (length(asked_by) <= 300))),
  constraint erasures_check CHECK (((status = 'running'::text) = (sealed_number IS NOT NULL))),
  constraint erasures_check1 CHECK (((status = 'done'::text) = (ended_datetime IS NOT NULL))),
  constraint erasures_status_check CHECK ((status = ANY (ARRAY['running'::text, 'done'::text])))
);
CREATE UNIQUE INDEX erasures_running ON erasures USING btree (organisation_id, number_hash) WHERE (status = 'running'::text);

create table evidence (
  hour timestamp with time zone not null,
  carrier text not null,
  country text not null,
  operator text not null,
  channel text not null,
  class text not null,
  submitted bigint not null,
  rejections bigint[] not null,
  delivered bigint not null,
  undelivered bigint not null,
  no_report bigint not null,
  report_times bigint[] not null,
  verified bigint not null,
  cost bigint not null,
  judged bigint not null,
  good bigint not null,
  claimed bigint not null default 0,
  proven bigint not null default 0,
  contradicted bigint not null default 0,
  confirmed bigint not null default 0,
  advised bigint not null default 0,
  saved bigint not null default 0,
  gained bigint not null default 0,
  changed_at timestamp with time zone not null default now(),
  constraint evidence_pkey PRIMARY KEY (hour, carrier, country, operator, channel, class),
  constraint evidence_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'whatsapp'::text]))),
  constraint evidence_class_check CHECK ((class = ANY (ARRAY['otp'::text, 'other'::text])))
) with (fillfactor=70);

create table function_files (
  name text not null,
  hash text not null,
  made text[] not null,
  made_datetime timestamp with time zone not null default now(),
  constraint function_files_pkey PRIMARY KEY (name)
);

create table hooks (
  name text not null,
  organisation_id uuid not null,
  kind text not null,
  secret text not null,
  created_datetime timestamp with time zone not null default now(),
  constraint hooks_pkey PRIMARY KEY (name),
  constraint hooks_name_check CHECK ((name ~ '^[a-z]+-[0-9a-z]{16}$'::text))
);
CREATE INDEX hooks_by_organisation ON hooks USING btree (organisation_id, name);

create table idempotency_keys (
  organisation_id uuid not null,
  key text not null,
  request_hash bytea not null,
  answer text not null,
  created_datetime timestamp with time zone not null default now(),
  constraint idempotency_keys_pkey PRIMARY KEY (organisation_id, key),
  constraint idempotency_keys_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255)))
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_datetime);

create table inbound_ids (
  carrier text not null,
  received_id text not null,
  received_datetime timestamp with time zone not null default now(),
  constraint inbound_ids_pkey PRIMARY KEY (carrier, received_id)
);
CREATE INDEX inbound_ids_by_age ON inbound_ids USING btree (received_datetime);

create table inbound_messages (
  organisation_id uuid not null,
  id uuid not null,
  "from" text not null,
  "to" text not null,
  channel text not null,
  text text not null,
  keyword text,
  carrier text not null,
  created_datetime timestamp with time zone not null default now(),
  carrier_message_id text,
  whatsapp jsonb,
  constraint inbound_messages_pkey PRIMARY KEY (organisation_id, id),
  constraint inbound_messages_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'whatsapp'::text]))),
  constraint inbound_messages_keyword_check CHECK ((keyword = ANY (ARRAY['stop'::text, 'start'::text, 'help'::text])))
);
CREATE INDEX inbound_messages_by_carrier_id ON inbound_messages USING btree (organisation_id, carrier_message_id) WHERE (carrier_message_id IS NOT NULL);
CREATE INDEX inbound_messages_by_from ON inbound_messages USING btree (organisation_id, "from", id);
CREATE INDEX inbound_messages_by_words ON inbound_messages USING gin (uuid_hash_extended(organisation_id, (0)::bigint), lower(text) gin_trgm_ops);

create table inbound_pdus (
  carrier text not null,
  digest bytea not null,
  received_id text not null,
  received_datetime timestamp with time zone not null default now(),
  constraint inbound_pdus_pkey PRIMARY KEY (carrier, digest)
);
CREATE INDEX inbound_pdus_by_age ON inbound_pdus USING btree (carrier, received_datetime);

create table inbound_segments (
  carrier text not null,
  sender text not null,
  destination text not null,
  reference integer not null,
  segments smallint not null,
  segment smallint not null,
  text text not null,
  received_datetime timestamp with time zone not null default now(),
  constraint inbound_segments_pkey PRIMARY KEY (carrier, sender, destination, reference, segments, segment),
  constraint inbound_segments_check CHECK (((segment >= 1) AND (segment <= segments))),
  constraint inbound_segments_segments_check CHECK ((segments > 1))
);
CREATE INDEX inbound_segments_by_age ON inbound_segments USING btree (received_datetime);

create table intake (
  organisation_id uuid not null,
  id uuid not null,
  route text not null,
  priority smallint not null,
  first_id uuid not null,
  last_id uuid not null,
  size integer not null,
  first_position integer not null default 0,
  submitted integer not null default 0,
  claims smallint not null default 0,
  line bigint,
  leased_until timestamp with time zone,
  created_datetime timestamp with time zone not null default now(),
  messages text not null,
  constraint intake_pkey PRIMARY KEY (organisation_id, id),
  constraint intake_check CHECK ((last_id >= first_id)),
  constraint intake_check1 CHECK (((submitted >= 0) AND (submitted <= size))),
  constraint intake_size_check CHECK ((size > 0))
) with (autovacuum_vacuum_cost_delay=0, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=500, fillfactor=70, toast.autovacuum_vacuum_cost_delay=0, toast.autovacuum_vacuum_scale_factor=0.02, toast.autovacuum_vacuum_threshold=4000);
alter table intake alter column messages set storage external;
CREATE INDEX intake_by_last_id ON intake USING btree (organisation_id, last_id) WHERE (last_id IS NOT NULL);
CREATE INDEX intake_by_route ON intake USING btree (route, priority, organisation_id, id) WHERE (route IS NOT NULL);

create table jobs (
  id bigint not null generated always as identity,
  queue text not null,
  priority smallint not null default 1,
  lane uuid not null,
  run_at timestamp with time zone not null default now(),
  attempts smallint not null default 0,
  leased boolean not null default false,
  organisation_id uuid not null,
  subject_id uuid not null,
  subject_key text not null default ''::text,
  leased_until timestamp with time zone,
  constraint jobs_pkey PRIMARY KEY (id)
) with (autovacuum_analyze_scale_factor=0.2, autovacuum_vacuum_cost_delay=0, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=5000, fillfactor=60);
alter table jobs alter column subject_key set storage external;
CREATE INDEX jobs_due ON jobs USING btree (queue, priority, lane, run_at);

create table ledger_lines (
  organisation_id uuid not null,
  sequence bigint not null,
  kind text not null,
  amount bigint not null,
  balance_after bigint not null,
  subject_id uuid not null,
  subject_key text not null default ''::text,
  created_datetime timestamp with time zone not null default now(),
  note text,
  last_subject_id uuid,
  subjects integer not null default 1,
  constraint ledger_lines_pkey PRIMARY KEY (organisation_id, sequence),
  constraint ledger_lines_organisation_id_subject_id_kind_subject_key_key UNIQUE (organisation_id, subject_id, kind, subject_key),
  constraint ledger_lines_kind_check CHECK ((kind = ANY (ARRAY['opening'::text, 'top_up'::text, 'adjustment'::text, 'message'::text, 'otp'::text, 'airtime'::text, 'lookup'::text, 'refund'::text]))),
  constraint ledger_lines_note_check CHECK (((length(note) >= 1) AND (length(note) <= 500))),
  constraint ledger_lines_sequence_check CHECK ((sequence > 0)),
  constraint ledger_lines_subjects_check CHECK ((subjects > 0))
);
CREATE INDEX ledger_lines_by_kind ON ledger_lines USING btree (organisation_id, kind, sequence) WHERE (kind <> 'message'::text);
CREATE TRIGGER ledger_lines_continue AFTER INSERT ON ledger_lines REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_lines_continue();
CREATE TRIGGER ledger_lines_keep_their_money BEFORE UPDATE ON ledger_lines FOR EACH ROW EXECUTE FUNCTION ledger_line_keeps_its_money();
CREATE TRIGGER ledger_lines_stay BEFORE DELETE OR TRUNCATE ON ledger_lines FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

create table links (
  code text not null,
  organisation_id uuid not null,
  message_id uuid not null,
  recipient text not null,
  "position" smallint not null,
  url text not null,
  clicks_raw integer not null default 0,
  clicks integer not null default 0,
  clicked_datetime timestamp with time zone,
  constraint links_pkey PRIMARY KEY (code),
  constraint links_check CHECK (((clicks >= 0) AND (clicks <= clicks_raw))),
  constraint links_check1 CHECK (((clicks > 0) = (clicked_datetime IS NOT NULL))),
  constraint links_code_check CHECK (((length(code) >= 1) AND (length(code) <= 7))),
  constraint links_position_check CHECK (("position" >= 0))
) with (fillfactor=80);
CREATE INDEX links_by_delivery ON links USING btree (organisation_id, message_id, recipient, "position");

create table live_versions (
  name text not null,
  version bigint not null default 1,
  constraint live_versions_pkey PRIMARY KEY (name)
);

create unlogged table live_watchers (
  organisation_id uuid not null,
  until_datetime timestamp with time zone not null,
  constraint live_watchers_pkey PRIMARY KEY (organisation_id)
);

create table login_tries (
  key bytea not null,
  tries integer not null,
  until_datetime timestamp with time zone not null,
  constraint login_tries_pkey PRIMARY KEY (key),
  constraint login_tries_key_check CHECK ((octet_length(key) = 32)),
  constraint login_tries_tries_check CHECK ((tries >= 0))
);

create table margins (
  organisation_id uuid not null,
  day date not null,
  carrier text not null,
  country text not null,
  operator text not null,
  deliveries bigint not null default 0,
  pages bigint not null default 0,
  revenue bigint not null default 0,
  cost bigint not null default 0,
  without_cost bigint not null default 0,
  revenue_without_cost bigint not null default 0,
  constraint margins_pkey PRIMARY KEY (organisation_id, day, carrier, country, operator)
) with (fillfactor=70);
CREATE INDEX margins_by_day ON margins USING btree (day);

create table media (
  organisation_id uuid not null,
  id uuid not null,
  direction text not null,
  "from" text,
  state text not null,
  type text not null,
  filename text,
  size bigint,
  sha256 bytea,
  reason text,
  carrier text,
  carrier_media_id text,
  attempt integer not null default 1,
  created_datetime timestamp with time zone not null default now(),
  expires_datetime timestamp with time zone,
  constraint media_pkey PRIMARY KEY (organisation_id, id),
  constraint media_check CHECK (((state = 'stored'::text) <= ((size IS NOT NULL) AND (sha256 IS NOT NULL)))),
  constraint media_direction_check CHECK ((direction = ANY (ARRAY['in'::text, 'out'::text]))),
  constraint media_size_check CHECK ((size >= 0)),
  constraint media_state_check CHECK ((state = ANY (ARRAY['uploading'::text, 'pending'::text, 'stored'::text, 'refused'::text, 'expired'::text])))
);

create table media_chunks (
  organisation_id uuid not null,
  media_id uuid not null,
  attempt integer not null,
  "position" bigint not null,
  bytes bytea not null,
  constraint media_chunks_pkey PRIMARY KEY (organisation_id, media_id, attempt, "position")
);
alter table media_chunks alter column bytes set storage external;

create table media_uploads (
  organisation_id uuid not null,
  media_id uuid not null,
  phone_number_id text not null,
  carrier_media_id text,
  leased_until timestamp with time zone,
  expires_datetime timestamp with time zone,
  constraint media_uploads_pkey PRIMARY KEY (organisation_id, media_id, phone_number_id)
);

create table messages (
  organisation_id uuid not null,
  id uuid not null,
  channel text not null,
  sender_id text,
  content text,
  template_id text,
  personalisation jsonb,
  external_ref text,
  is_trackable boolean not null default false,
  callback text,
  encoding text not null,
  message_length integer not null,
  pages smallint not null,
  charge bigint not null,
  created_datetime timestamp with time zone not null default now(),
  template_version integer,
  line bigint,
  trace uuid,
  deleted_datetime timestamp with time zone,
  constraint messages_pkey PRIMARY KEY (organisation_id, id),
  constraint messages_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'whatsapp'::text]))),
  constraint messages_charge_check CHECK ((charge >= 0)),
  constraint messages_check CHECK (((template_version IS NULL) OR (template_id IS NOT NULL))),
  constraint messages_encoding_check CHECK ((encoding = ANY (ARRAY['GSM'::text, 'UCS-2'::text, 'binary'::text]))),
  constraint messages_pages_check CHECK ((pages > 0))
) partition by range (id);
CREATE INDEX messages_by_external_ref ON ONLY messages USING btree (organisation_id, external_ref, id) WHERE (external_ref IS NOT NULL);

create table migrations (
  number integer not null,
  name text not null,
  applied_datetime timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (number)
);

create table number_imports (
  kind text not null,
  fingerprint text not null,
  mode text not null,
  bytes_done bigint not null default 0,
  lines_done bigint not null default 0,
  rejected bigint not null default 0,
  rejects_bytes bigint not null default 0,
  constraint number_imports_pkey PRIMARY KEY (kind),
  constraint number_imports_kind_check CHECK ((kind = ANY (ARRAY['ported'::text, 'dnd'::text]))),
  constraint number_imports_mode_check CHECK ((mode = ANY (ARRAY['merge'::text, 'replace'::text])))
);

create table number_registries (
  kind text not null,
  numbers bigint not null,
  imported_datetime timestamp with time zone not null default now(),
  constraint number_registries_pkey PRIMARY KEY (kind),
  constraint number_registries_kind_check CHECK ((kind = ANY (ARRAY['ported'::text, 'dnd'::text])))
);

create table operator_pauses (
  kind text not null,
  name text not null,
  mode text not null,
  reason text not null,
  actor text not null,
  until timestamp with time zone,
  created_datetime timestamp with time zone not null default now(),
  constraint operator_pauses_pkey PRIMARY KEY (kind, name),
  constraint operator_pauses_kind_check CHECK ((kind = ANY (ARRAY['carrier'::text, 'route'::text]))),
  constraint operator_pauses_mode_check CHECK ((mode = ANY (ARRAY['paused'::text, 'draining'::text]))),
  constraint operator_pauses_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint operator_pauses_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500)))
);

create table optouts (
  organisation_id uuid not null,
  recipient text collate "C" not null,
  id uuid not null,
  source text not null,
  created_datetime timestamp with time zone not null default now(),
  constraint optouts_pkey PRIMARY KEY (organisation_id, recipient),
  constraint optouts_source_check CHECK ((source = ANY (ARRAY['text'::text, 'api'::text, 'carrier'::text])))
);
CREATE UNIQUE INDEX optouts_by_id ON optouts USING btree (organisation_id, id);

create table organisations (
  id uuid not null,
  name text not null,
  mode text not null,
  twin_of uuid,
  default_country text not null,
  default_sender_id text,
  currency text not null,
  callback_secrets text[] not null,
  created_datetime timestamp with time zone not null default now(),
  smart_encoding boolean not null default false,
  inbound_url text,
  quiet_from time without time zone,
  quiet_until time without time zone,
  whatsapp_fallback boolean not null default false,
  low_balance bigint,
  suspended_datetime timestamp with time zone,
  time_zone text,
  confirm_above integer,
  requests_per_s double precision,
  messages_per_s double precision,
  held text,
  constraint organisations_pkey PRIMARY KEY (id),
  constraint organisations_twin_of_key UNIQUE (twin_of),
  constraint organisations_callback_secrets_check CHECK (((cardinality(callback_secrets) >= 1) AND (cardinality(callback_secrets) <= 2))),
  constraint organisations_check CHECK (((mode = 'test'::text) = (twin_of IS NOT NULL))),
  constraint organisations_check1 CHECK (((quiet_from IS NULL) = (quiet_until IS NULL))),
  constraint organisations_check2 CHECK (((held IS NULL) OR (suspended_datetime IS NOT NULL))),
  constraint organisations_confirm_above_check CHECK (((confirm_above >= 0) AND (confirm_above <= 10000))),
  constraint organisations_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint organisations_default_country_check CHECK ((default_country ~ '^[A-Z]{2}$'::text)),
  constraint organisations_default_sender_id_check CHECK (((length(default_sender_id) >= 1) AND (length(default_sender_id) <= 11))),
  constraint organisations_held_check CHECK ((held = ANY (ARRAY['exported'::text, 'restored'::text]))),
  constraint organisations_low_balance_check CHECK ((low_balance > 0)),
  constraint organisations_messages_per_s_check CHECK ((messages_per_s > (0)::double precision)),
  constraint organisations_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint organisations_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint organisations_requests_per_s_check CHECK ((requests_per_s > (0)::double precision)),
  constraint organisations_time_zone_check CHECK (((length(time_zone) >= 1) AND (length(time_zone) <= 60)))
);

create table otp_counters (
  organisation_id uuid not null,
  kind text not null,
  key text not null,
  slot timestamp with time zone not null,
  sent integer not null default 0,
  verified integer not null default 0,
  constraint otp_counters_pkey PRIMARY KEY (organisation_id, kind, key, slot),
  constraint otp_counters_kind_check CHECK ((kind = ANY (ARRAY['prefix'::text, 'country'::text, 'organisation'::text]))),
  constraint otp_counters_sent_check CHECK ((sent >= 0)),
  constraint otp_counters_verified_check CHECK ((verified >= 0))
) with (fillfactor=50);
CREATE INDEX otp_counters_by_age ON otp_counters USING btree (slot);

create table otp_guard (
  organisation_id uuid not null,
  prefix text not null,
  state text not null,
  sent integer not null,
  verified integer not null,
  until_datetime timestamp with time zone not null,
  created_datetime timestamp with time zone not null default now(),
  updated_datetime timestamp with time zone,
  constraint otp_guard_pkey PRIMARY KEY (organisation_id, prefix),
  constraint otp_guard_state_check CHECK ((state = ANY (ARRAY['slowed'::text, 'blocked'::text])))
);

create table otp_sends (
  organisation_id uuid not null,
  recipient text not null,
  otp_id uuid not null,
  sent_datetime timestamp with time zone not null default now(),
  constraint otp_sends_pkey PRIMARY KEY (organisation_id, recipient, otp_id)
);
CREATE INDEX otp_sends_by_age ON otp_sends USING btree (sent_datetime);

create table otp_settings (
  organisation_id uuid not null,
  template text,
  origin text,
  fallback_channel text,
  fallback_after_s integer,
  updated_datetime timestamp with time zone not null default now(),
  resend_after_s integer,
  resend_when_late boolean not null default false,
  resend_times smallint not null default 1,
  constraint otp_settings_pkey PRIMARY KEY (organisation_id),
  constraint otp_settings_check CHECK (((fallback_channel IS NULL) = (fallback_after_s IS NULL))),
  constraint otp_settings_fallback_after_s_check CHECK (((fallback_after_s >= 5) AND (fallback_after_s <= 600))),
  constraint otp_settings_fallback_channel_check CHECK ((fallback_channel = ANY (ARRAY['sms'::text, 'whatsapp'::text]))),
  constraint otp_settings_longest_delay CHECK (((NOT resend_when_late) OR (resend_after_s IS NOT NULL))),
  constraint otp_settings_resend_after_s_check CHECK (((resend_after_s >= 5) AND (resend_after_s <= 600))),
  constraint otp_settings_resend_times_check CHECK (((resend_times >= 1) AND (resend_times <= 3)))
);

create table otp_test_numbers (
  organisation_id uuid not null,
  recipient text not null,
  sealed_token bytea not null,
  constraint otp_test_numbers_pkey PRIMARY KEY (organisation_id, recipient)
);

create table otps (
  organisation_id uuid not null,
  id uuid not null,
  recipient text not null,
  status smallint not null default 1,
  token_hash bytea not null,
  attempts smallint not null default 0,
  minutes smallint not null,
  expires_datetime timestamp with time zone not null,
  counted_slot timestamp with time zone,
  fallback_channel text,
  fallback_message_id uuid,
  sealed_token bytea,
  created_datetime timestamp with time zone not null default now(),
  updated_datetime timestamp with time zone,
  verification_id uuid,
  service_sid text,
  channel text,
  request_fee bigint,
  verified_fee bigint,
  fee_line bigint,
  verified_fee_refunded boolean not null default false,
  through_next_carrier boolean not null default false,
  fallback_token_hash bytea,
  verified_message_id uuid,
  resend_after_s smallint,
  resends_left smallint not null default 0,
  resent_message_ids uuid[] not null default '{}'::uuid[],
  resent_token_hashes bytea[] not null default '{}'::bytea[],
  constraint otps_pkey PRIMARY KEY (organisation_id, id),
  constraint otps_attempts_check CHECK (((attempts >= 0) AND (attempts <= 5))),
  constraint otps_check CHECK (((fallback_channel IS NULL) = (fallback_message_id IS NULL))),
  constraint otps_check1 CHECK (((sealed_token IS NULL) OR (fallback_message_id IS NOT NULL))),
  constraint otps_fallback_channel_check CHECK ((fallback_channel = ANY (ARRAY['sms'::text, 'whatsapp'::text]))),
  constraint otps_fallback_token_hash_check CHECK ((octet_length(fallback_token_hash) = 32)),
  constraint otps_fees CHECK (((fee_line IS NULL) = ((request_fee IS NULL) AND (verified_fee IS NULL)))),
  constraint otps_minutes_check CHECK (((minutes >= 1) AND (minutes <= 60))),
  constraint otps_refunded CHECK (((NOT verified_fee_refunded) OR ((verified_fee IS NOT NULL) AND (status <> 4)))),
  constraint otps_request_fee_check CHECK ((request_fee > 0)),
  constraint otps_resend_after_s_check CHECK ((resend_after_s > 0)),
  constraint otps_resends_left_check CHECK (((resends_left >= 0) AND (resends_left <= 2))),
  constraint otps_resent CHECK (((cardinality(resent_message_ids) = cardinality(resent_token_hashes)) AND ((cardinality(resent_message_ids) + resends_left) <= 2) AND (through_next_carrier OR ((resends_left = 0) AND (cardinality(resent_message_ids) = 0))))),
  constraint otps_second_attempt CHECK (((fallback_message_id IS NOT NULL) OR ((NOT through_next_carrier) AND (fallback_token_hash IS NULL)))),
  constraint otps_status_check CHECK ((status = ANY (ARRAY[1, 3, 4, 5]))),
  constraint otps_token_hash_check CHECK ((octet_length(token_hash) = 32)),
  constraint otps_verification_check CHECK (((verification_id IS NULL) = (service_sid IS NULL))),
  constraint otps_verified_fee_check CHECK ((verified_fee > 0)),
  constraint otps_verified_message CHECK (((verified_message_id IS NULL) OR (status = 4)))
) with (fillfactor=50);
CREATE INDEX otps_by_age ON otps USING btree (created_datetime);
CREATE UNIQUE INDEX otps_by_fallback ON otps USING btree (organisation_id, fallback_message_id) WHERE (fallback_message_id IS NOT NULL);
CREATE INDEX otps_by_recipient ON otps USING btree (organisation_id, recipient, id);
CREATE INDEX otps_by_resent ON otps USING gin (resent_message_ids) WITH (fastupdate=off) WHERE (resent_message_ids <> '{}'::uuid[]);
CREATE INDEX otps_by_verification ON otps USING btree (organisation_id, verification_id, id) WHERE (verification_id IS NOT NULL);

create table passkey_challenges (
  challenge_hash bytea not null,
  purpose text not null,
  user_id uuid,
  expires_datetime timestamp with time zone not null,
  constraint passkey_challenges_pkey PRIMARY KEY (challenge_hash),
  constraint passkey_challenges_challenge_hash_check CHECK ((octet_length(challenge_hash) = 32)),
  constraint passkey_challenges_check CHECK (((user_id IS NOT NULL) = (purpose = 'register'::text))),
  constraint passkey_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['register'::text, 'sign_in'::text, 'second_factor'::text])))
);
CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges USING btree (expires_datetime);
CREATE INDEX passkey_challenges_by_user ON passkey_challenges USING btree (user_id) WHERE (user_id IS NOT NULL);

create table passkeys (
  user_id uuid not null,
  id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  rp_id text not null,
  name text not null,
  counter bigint not null default 0,
  transports text[] not null default '{}'::text[],
  backed_up boolean not null default false,
  used_datetime timestamp with time zone,
  created_datetime timestamp with time zone not null default now(),
  constraint passkeys_pkey PRIMARY KEY (user_id, id),
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_counter_check CHECK ((counter >= 0)),
  constraint passkeys_credential_id_check CHECK (((octet_length(credential_id) >= 1) AND (octet_length(credential_id) <= 1023))),
  constraint passkeys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint passkeys_public_key_check CHECK (((octet_length(public_key) >= 1) AND (octet_length(public_key) <= 4000))),
  constraint passkeys_rp_id_check CHECK (((length(rp_id) >= 1) AND (length(rp_id) <= 255)))
);

create table phone_carriers (
  carrier text not null,
  pairing integer not null default 1,
  constraint phone_carriers_pkey PRIMARY KEY (carrier),
  constraint phone_carriers_pairing_check CHECK ((pairing > 0))
);

create table phone_messages (
  id uuid not null,
  carrier text not null,
  organisation_id uuid not null,
  message_id uuid not null,
  recipient text not null,
  phone_id uuid not null,
  sim smallint not null,
  sealed_text bytea,
  segments smallint not null,
  urgent boolean not null,
  state text not null default 'offered'::text,
  phone_state text,
  error text,
  was_sent boolean not null default false,
  answered boolean not null default false,
  offered_until timestamp with time zone not null,
  valid_until timestamp with time zone not null,
  placed_datetime timestamp with time zone not null default now(),
  taken_datetime timestamp with time zone,
  constraint phone_messages_pkey PRIMARY KEY (id),
  constraint phone_messages_segments_check CHECK ((segments > 0)),
  constraint phone_messages_state_check CHECK ((state = ANY (ARRAY['offered'::text, 'withdrawn'::text, 'taken'::text, 'sent'::text, 'done'::text, 'failed'::text, 'lost'::text, 'abandoned'::text])))
) with (fillfactor=50);
CREATE UNIQUE INDEX phone_messages_by_delivery ON phone_messages USING btree (carrier, organisation_id, message_id, recipient) WHERE (state = ANY (ARRAY['offered'::text, 'taken'::text, 'sent'::text, 'done'::text, 'lost'::text]));
CREATE INDEX phone_messages_by_sim ON phone_messages USING btree (phone_id, sim, placed_datetime);
CREATE INDEX phone_messages_in_flight ON phone_messages USING btree (carrier, valid_until) WHERE (state = 'taken'::text);

create table phone_sims (
  phone_id uuid not null,
  sim smallint not null,
  operator text,
  number_end text,
  number text,
  failures integer not null default 0,
  rests_until timestamp with time zone,
  constraint phone_sims_pkey PRIMARY KEY (phone_id, sim),
  constraint phone_sims_sim_check CHECK (((sim >= 0) AND (sim <= 10)))
) with (fillfactor=50);

create table phones (
  id uuid not null,
  carrier text not null,
  name text not null,
  app text not null,
  token_hash bytea not null,
  registered_datetime timestamp with time zone not null default now(),
  seen_datetime timestamp with time zone,
  missed_datetime timestamp with time zone,
  battery smallint,
  charging boolean,
  network text,
  health_datetime timestamp with time zone,
  constraint phones_pkey PRIMARY KEY (id),
  constraint phones_token_hash_key UNIQUE (token_hash),
  constraint phones_battery_check CHECK (((battery >= 0) AND (battery <= 100)))
) with (fillfactor=50);
CREATE INDEX phones_by_carrier ON phones USING btree (carrier);
CREATE OR REPLACE FUNCTION phone_is_present(phone phones, silent_after_s double precision)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(phone.seen_datetime > now() - silent_after_s * interval '1 s', false)
    and coalesce(phone.seen_datetime > phone.missed_datetime, true)
$function$
;

create table ported_import_lines (
  line bigint not null,
  msisdn bigint not null,
  operator text not null
) with (autovacuum_enabled=false);

create table ported_numbers (
  msisdn bigint not null,
  operator text not null,
  constraint ported_numbers_pkey PRIMARY KEY (msisdn)
);

create table price_assignments (
  organisation_id uuid not null,
  price_list_id uuid not null,
  constraint price_assignments_pkey PRIMARY KEY (organisation_id)
);
CREATE INDEX price_assignments_by_list ON price_assignments USING btree (price_list_id);

create table price_changes (
  price_list_id uuid not null,
  version bigint not null,
  kind text not null,
  actor text not null,
  file_name text,
  added integer not null,
  raised integer not null,
  lowered integer not null,
  removed integer not null,
  undone_by bigint,
  created_datetime timestamp with time zone not null default now(),
  constraint price_changes_pkey PRIMARY KEY (price_list_id, version),
  constraint price_changes_file_name_check CHECK ((length(file_name) <= 200)),
  constraint price_changes_kind_check CHECK ((kind = ANY (ARRAY['set'::text, 'import'::text, 'undo'::text])))
);

create table price_lists (
  id uuid not null,
  name text not null,
  managed_by text not null,
  is_default boolean not null default false,
  version bigint not null default 0,
  created_datetime timestamp with time zone not null default now(),
  changed_datetime timestamp with time zone not null default now(),
  kind text not null default 'price'::text,
  below_cost text not null default 'allow'::text,
  otp_per_request bigint,
  otp_per_verified bigint,
  airtime_commission integer,
  constraint price_lists_pkey PRIMARY KEY (id),
  constraint price_lists_name_key UNIQUE (name),
  constraint price_lists_airtime_commission_check CHECK (((airtime_commission >= '-5000'::integer) AND (airtime_commission <= 10000))),
  constraint price_lists_below_cost_check CHECK ((below_cost = ANY (ARRAY['allow'::text, 'warn'::text, 'refuse'::text]))),
  constraint price_lists_check CHECK (((name = 'file'::text) = (managed_by = 'file'::text))),
  constraint price_lists_default_prices CHECK (((kind = 'price'::text) OR (NOT is_default))),
  constraint price_lists_fees CHECK ((((kind = 'price'::text) AND (managed_by = 'operator'::text)) OR ((otp_per_request IS NULL) AND (otp_per_verified IS NULL) AND (airtime_commission IS NULL)))),
  constraint price_lists_kind_check CHECK ((kind = ANY (ARRAY['price'::text, 'cost'::text]))),
  constraint price_lists_managed_by_check CHECK ((managed_by = ANY (ARRAY['operator'::text, 'file'::text]))),
  constraint price_lists_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9-]{0,39}$'::text)),
  constraint price_lists_otp_per_request_check CHECK (((otp_per_request >= 0) AND (otp_per_request <= '10000000000'::bigint))),
  constraint price_lists_otp_per_verified_check CHECK (((otp_per_verified >= 0) AND (otp_per_verified <= '10000000000'::bigint)))
);
CREATE UNIQUE INDEX price_lists_default ON price_lists USING btree (is_default) WHERE is_default;

create table price_rules (
  price_list_id uuid not null,
  id bigint not null generated always as identity,
  target text collate "C" not null,
  channel text not null,
  route_class text,
  prefix text not null,
  country text,
  operator text,
  mcc_mnc text,
  price bigint,
  valid_from timestamp with time zone not null,
  version bigint not null,
  withdrawn_version bigint,
  constraint price_rules_pkey PRIMARY KEY (price_list_id, id),
  constraint price_rules_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'whatsapp'::text]))),
  constraint price_rules_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint price_rules_mcc_mnc_check CHECK ((length(mcc_mnc) <= 20)),
  constraint price_rules_operator_check CHECK (((length(operator) >= 1) AND (length(operator) <= 60))),
  constraint price_rules_prefix_check CHECK ((prefix ~ '^[0-9]{0,15}$'::text)),
  constraint price_rules_price_check CHECK (((price >= 0) AND (price <= '10000000000'::bigint))),
  constraint price_rules_route_class_check CHECK ((route_class = ANY (ARRAY['transactional'::text, 'promotional'::text])))
);
CREATE UNIQUE INDEX price_rules_active ON price_rules USING btree (price_list_id, target, valid_from) WHERE (withdrawn_version IS NULL);
CREATE UNIQUE INDEX price_rules_by_id ON price_rules USING btree (id);
CREATE INDEX price_rules_by_target ON price_rules USING btree (price_list_id, target, id);
CREATE INDEX price_rules_by_version ON price_rules USING btree (price_list_id, version);
CREATE INDEX price_rules_by_withdrawal ON price_rules USING btree (price_list_id, withdrawn_version) WHERE (withdrawn_version IS NOT NULL);

create table probe_plans (
  id uuid not null,
  name text not null,
  carrier text not null,
  country text not null,
  operator text not null,
  sender_id text not null,
  wordings text[] not null,
  per_day integer not null,
  from_hour smallint not null,
  to_hour smallint not null,
  next_datetime timestamp with time zone,
  probes bigint not null default 0,
  problem text,
  changed_by text not null,
  changed_datetime timestamp with time zone not null default now(),
  per_campaign smallint not null default 0,
  constraint probe_plans_pkey PRIMARY KEY (id),
  constraint probe_plans_name_key UNIQUE (name),
  constraint probe_plans_check CHECK (((to_hour >= (from_hour + 1)) AND (to_hour <= 24))),
  constraint probe_plans_from_hour_check CHECK (((from_hour >= 0) AND (from_hour <= 23))),
  constraint probe_plans_name_check CHECK ((name ~ '^[a-z0-9-]{1,40}$'::text)),
  constraint probe_plans_per_campaign_check CHECK (((per_campaign >= 0) AND (per_campaign <= 20))),
  constraint probe_plans_per_day_check CHECK (((per_day >= 1) AND (per_day <= 500))),
  constraint probe_plans_wordings_check CHECK (((cardinality(wordings) >= 1) AND (cardinality(wordings) <= 20)))
);
CREATE INDEX probe_plans_due ON probe_plans USING btree (next_datetime) WHERE (next_datetime IS NOT NULL);

create table probes (
  id uuid not null,
  plan text not null,
  carrier text not null,
  country text not null,
  operator text not null,
  sender_id text not null,
  phone_carrier text not null,
  recipient text not null,
  text text not null,
  mark text not null,
  submitted_datetime timestamp with time zone not null default now(),
  outcome text not null default 'submitting'::text,
  outcome_reason text,
  carrier_message_ids text[] not null default '{}'::text[],
  delivered_ids text[] not null default '{}'::text[],
  report text,
  report_code text,
  reported_datetime timestamp with time zone,
  arrived_datetime timestamp with time zone,
  displayed_sender text,
  displayed_text text,
  displayed text,
  campaign_id uuid,
  constraint probes_pkey PRIMARY KEY (id),
  constraint probes_displayed_check CHECK ((displayed = ANY (ARRAY['equal'::text, 'changed'::text, 'part'::text]))),
  constraint probes_outcome_check CHECK ((outcome = ANY (ARRAY['submitting'::text, 'accepted'::text, 'rejected'::text, 'temporary'::text, 'held'::text, 'undelivered'::text, 'unknown'::text]))),
  constraint probes_report_check CHECK ((report = ANY (ARRAY['delivered'::text, 'undelivered'::text, 'expired'::text, 'rejected'::text, 'unknown'::text])))
);
CREATE INDEX probes_by_campaign ON probes USING btree (campaign_id, plan) WHERE (campaign_id IS NOT NULL);
CREATE INDEX probes_by_carrier_ids ON probes USING gin (carrier_message_ids);
CREATE UNIQUE INDEX probes_by_mark ON probes USING btree (recipient, mark);
CREATE INDEX probes_by_plan ON probes USING btree (plan, id);
CREATE INDEX probes_submitting ON probes USING btree (submitted_datetime) WHERE (outcome = 'submitting'::text);
CREATE INDEX probes_unmarked ON probes USING btree (phone_carrier, recipient) WHERE ((mark ~~ '=%'::text) AND (arrived_datetime IS NULL));

create table provider_answers (
  msisdn bigint not null,
  operator text,
  ported boolean,
  dnd boolean,
  asked_datetime timestamp with time zone not null default now(),
  constraint provider_answers_pkey PRIMARY KEY (msisdn)
);
CREATE INDEX provider_answers_by_age ON provider_answers USING btree (asked_datetime);

create table provider_sessions (
  session_id uuid not null,
  issuer text not null,
  subject text not null,
  sid text,
  tokens bytea not null,
  due_datetime timestamp with time zone not null,
  stands_until timestamp with time zone not null,
  constraint provider_sessions_pkey PRIMARY KEY (session_id)
);
CREATE INDEX provider_sessions_by_due ON provider_sessions USING btree (issuer, due_datetime);
CREATE INDEX provider_sessions_by_subject ON provider_sessions USING btree (issuer, subject);

create table purchase_tries (
  organisation_id uuid not null,
  purchase_id uuid not null,
  "position" smallint not null,
  vendor text not null,
  reference text not null,
  status text not null,
  calls smallint not null default 1,
  requeries smallint not null default 0,
  vendor_purchase_id text,
  code text,
  description text,
  cost bigint,
  vendor_balance bigint,
  called_datetime timestamp with time zone not null default now(),
  created_datetime timestamp with time zone not null default now(),
  updated_datetime timestamp with time zone,
  constraint purchase_tries_pkey PRIMARY KEY (organisation_id, purchase_id, "position"),
  constraint purchase_tries_calls_check CHECK ((calls > 0)),
  constraint purchase_tries_position_check CHECK (("position" >= 0)),
  constraint purchase_tries_requeries_check CHECK ((requeries >= 0)),
  constraint purchase_tries_status_check CHECK ((status = ANY (ARRAY['calling'::text, 'unreached'::text, 'accepted'::text, 'unclear'::text, 'success'::text, 'failed'::text, 'error'::text, 'duplicate'::text])))
) with (fillfactor=80);
CREATE INDEX purchase_tries_by_reference ON purchase_tries USING btree (vendor, reference);
CREATE INDEX purchase_tries_by_vendor_purchase_id ON purchase_tries USING btree (vendor, vendor_purchase_id) WHERE (vendor_purchase_id IS NOT NULL);

create table purchases (
  organisation_id uuid not null,
  id uuid not null,
  sequence bigint not null,
  network text not null,
  recipient text not null,
  amount bigint not null,
  external_ref text,
  callback text,
  idempotency_key text,
  warnings text[] not null default '{}'::text[],
  vendors text[] not null,
  status text not null default 'pending'::text,
  refunded boolean not null default false,
  description text,
  review_datetime timestamp with time zone,
  created_datetime timestamp with time zone not null default now(),
  updated_datetime timestamp with time zone,
  commission bigint,
  constraint purchases_pkey PRIMARY KEY (organisation_id, id),
  constraint purchases_amount_check CHECK ((amount > 0)),
  constraint purchases_check CHECK ((refunded = (status = ANY (ARRAY['failed'::text, 'error'::text, 'duplicate'::text])))),
  constraint purchases_check1 CHECK (((review_datetime IS NULL) OR (status = ANY (ARRAY['sent'::text, 'success'::text, 'failed'::text])))),
  constraint purchases_commission CHECK (((amount + COALESCE(commission, (0)::bigint)) > 0)),
  constraint purchases_network_check CHECK ((network = ANY (ARRAY['Airtel'::text, 'MTN'::text, 'Glo'::text, '9mobile'::text, 'NTEL'::text]))),
  constraint purchases_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'sent'::text, 'success'::text, 'failed'::text, 'error'::text, 'duplicate'::text]))),
  constraint purchases_vendors_check CHECK ((cardinality(vendors) > 0))
) with (fillfactor=50);
CREATE INDEX purchases_by_external_ref ON purchases USING btree (organisation_id, external_ref, id) WHERE (external_ref IS NOT NULL);
CREATE INDEX purchases_by_recipient ON purchases USING btree (organisation_id, recipient, sequence);
CREATE INDEX purchases_in_review ON purchases USING btree (organisation_id, id) WHERE (review_datetime IS NOT NULL);

create table queue_rates (
  queue text not null,
  tokens double precision not null,
  refilled timestamp with time zone not null default clock_timestamp(),
  constraint queue_rates_pkey PRIMARY KEY (queue)
) with (fillfactor=20);

create table report_jobs (
  id bigint not null generated always as identity,
  queue text not null,
  priority smallint not null default 1,
  lane uuid not null,
  run_at timestamp with time zone not null default now(),
  attempts smallint not null default 0,
  leased boolean not null default false,
  organisation_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  subject_id uuid not null,
  subject_key text not null default ''::text,
  leased_until timestamp with time zone,
  constraint report_jobs_pkey PRIMARY KEY (id)
);
alter table report_jobs alter column subject_key set storage external;
CREATE INDEX report_jobs_queue_priority_lane_run_at_idx ON report_jobs USING btree (queue, priority, lane, run_at);

create table reports (
  id uuid not null,
  carrier text not null,
  carrier_message_id text not null,
  status text not null,
  code text,
  description text,
  received_datetime timestamp with time zone not null default now(),
  operator text,
  keys text[],
  recipient text,
  certain smallint not null default 1,
  constraint reports_pkey PRIMARY KEY (id)
);
CREATE INDEX reports_by_age ON reports USING btree (received_datetime);

create table request_bursts (
  organisation_id uuid not null,
  id uuid not null,
  seen integer not null,
  request_ids text[] not null,
  calls jsonb not null,
  contents jsonb not null,
  created_datetime timestamp with time zone not null default now(),
  constraint request_bursts_pkey PRIMARY KEY (organisation_id, id),
  constraint request_bursts_seen_check CHECK ((seen > 0))
);
CREATE INDEX request_bursts_by_request_id ON request_bursts USING gin (organisation_id, request_ids);

create table sandbox_messages (
  organisation_id uuid not null,
  message_id uuid not null,
  recipient text not null,
  id uuid not null,
  sender_id text,
  channel text not null,
  text text not null,
  created_datetime timestamp with time zone not null default now(),
  whatsapp jsonb,
  constraint sandbox_messages_pkey PRIMARY KEY (organisation_id, message_id, recipient)
);
CREATE INDEX sandbox_messages_by_recipient ON sandbox_messages USING btree (organisation_id, recipient, id);

create table sandbox_period (
  only_row boolean not null default true,
  began timestamp with time zone not null,
  ended timestamp with time zone,
  constraint sandbox_period_pkey PRIMARY KEY (only_row),
  constraint sandbox_period_only_row_check CHECK (only_row)
);

create table sandbox_topups (
  organisation_id uuid not null,
  reference text not null,
  recipient text not null,
  network text not null,
  amount bigint not null,
  created_datetime timestamp with time zone not null default now(),
  constraint sandbox_topups_pkey PRIMARY KEY (organisation_id, reference)
);
CREATE INDEX sandbox_topups_by_age ON sandbox_topups USING btree (created_datetime);

create table saved_views (
  organisation_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  query jsonb not null,
  created_datetime timestamp with time zone not null default now(),
  constraint saved_views_pkey PRIMARY KEY (organisation_id, id),
  constraint saved_views_organisation_id_user_id_name_key UNIQUE (organisation_id, user_id, name),
  constraint saved_views_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint saved_views_query_check CHECK ((jsonb_typeof(query) = 'object'::text))
);

create table secrets (
  name text not null,
  value text not null,
  created_datetime timestamp with time zone not null default now(),
  constraint secrets_pkey PRIMARY KEY (name)
);

create table senders (
  organisation_id uuid not null,
  id uuid not null,
  sender_id text not null,
  sender_key text not null generated always as (lower(sender_id)) stored,
  state text not null default 'pending'::text,
  class text not null default 'transactional'::text,
  note text,
  reason text,
  created_datetime timestamp with time zone not null default now(),
  updated_datetime timestamp with time zone,
  constraint senders_pkey PRIMARY KEY (organisation_id, id),
  constraint senders_organisation_id_sender_key_key UNIQUE (organisation_id, sender_key),
  constraint senders_class_check CHECK ((class = ANY (ARRAY['transactional'::text, 'promotional'::text]))),
  constraint senders_sender_id_check CHECK (((sender_id ~ '^[A-Za-z0-9 ._&-]{1,11}$'::text) OR (sender_id ~ '^[0-9]{12,15}$'::text))),
  constraint senders_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])))
);
CREATE UNIQUE INDEX senders_by_number ON senders USING btree (sender_id) WHERE ((state = 'approved'::text) AND (sender_id ~ '^[0-9]+$'::text));

create table smpp_accounts (
  id uuid not null,
  organisation_id uuid not null,
  system_id text not null,
  password_hash bytea not null,
  allow_networks text[] not null default '{}'::text[],
  max_binds smallint not null,
  rate_per_s integer not null,
  window_size smallint not null,
  alphabet text not null,
  receives_texts boolean not null,
  created_datetime timestamp with time zone not null default now(),
  constraint smpp_accounts_pkey PRIMARY KEY (id),
  constraint smpp_accounts_system_id_key UNIQUE (system_id),
  constraint smpp_accounts_alphabet_check CHECK ((alphabet = ANY (ARRAY['gsm7'::text, 'latin1'::text, 'ascii'::text, 'gsm7-packed'::text]))),
  constraint smpp_accounts_max_binds_check CHECK (((max_binds >= 1) AND (max_binds <= 100))),
  constraint smpp_accounts_rate_per_s_check CHECK (((rate_per_s >= 1) AND (rate_per_s <= 10000))),
  constraint smpp_accounts_system_id_check CHECK ((system_id ~ '^[0-9A-Za-z_.-]{1,15}$'::text)),
  constraint smpp_accounts_window_size_check CHECK (((window_size >= 1) AND (window_size <= 1000)))
);
CREATE INDEX smpp_accounts_by_organisation ON smpp_accounts USING btree (organisation_id, id);

create table smpp_binds (
  id uuid not null,
  account_id uuid not null,
  mode text not null,
  address text not null,
  leased_until timestamp with time zone not null,
  created_datetime timestamp with time zone not null default now(),
  constraint smpp_binds_pkey PRIMARY KEY (id),
  constraint smpp_binds_mode_check CHECK ((mode = ANY (ARRAY['transmitter'::text, 'receiver'::text, 'transceiver'::text])))
);
CREATE INDEX smpp_binds_by_account ON smpp_binds USING btree (account_id);

create table smpp_long_texts (
  organisation_id uuid not null,
  account_id uuid not null,
  sender text not null,
  recipient text not null,
  reference integer not null,
  total smallint not null,
  id uuid not null,
  segments text[] not null,
  wanted smallint[] not null,
  send_at timestamp with time zone,
  expires_at timestamp with time zone,
  created_datetime timestamp with time zone not null,
  user_references integer[] not null default '{}'::integer[],
  callback text,
  is_bulk boolean not null default false,
  constraint smpp_long_texts_pkey PRIMARY KEY (organisation_id, account_id, sender, recipient, reference, total),
  constraint smpp_long_texts_total_check CHECK (((total >= 2) AND (total <= 255)))
);

create table smpp_outbox (
  organisation_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  address text not null,
  body text not null,
  attempts smallint not null default 0,
  due timestamp with time zone not null default now(),
  created_datetime timestamp with time zone not null default now(),
  constraint smpp_outbox_pkey PRIMARY KEY (organisation_id, id)
);
CREATE INDEX smpp_outbox_due ON smpp_outbox USING btree (organisation_id, account_id, due);

create table submissions (
  carrier text not null,
  carrier_message_id text not null,
  organisation_id uuid not null,
  message_id uuid not null,
  recipient text not null,
  report_due timestamp with time zone not null,
  segment smallint not null default 1,
  segments smallint not null default 1,
  status text,
  code text,
  description text,
  constraint submissions_check CHECK (((segment >= 1) AND (segment <= segments))),
  constraint submissions_status_check CHECK ((status = ANY (ARRAY['delivered'::text, 'undelivered'::text, 'expired'::text, 'rejected'::text, 'unknown'::text])))
);
CREATE INDEX submissions_by_carrier_message ON submissions USING btree (carrier, carrier_message_id);
CREATE INDEX submissions_by_delivery ON submissions USING btree (organisation_id, message_id, recipient) WHERE (segments > 1);
CREATE INDEX submissions_by_report_due ON submissions USING btree (report_due);

create table sweeps (
  name text not null,
  done_until timestamp with time zone not null,
  constraint sweeps_pkey PRIMARY KEY (name)
);

create table template_versions (
  organisation_id uuid not null,
  template_id uuid not null,
  version integer not null,
  name text not null,
  content text not null,
  created_datetime timestamp with time zone not null default now(),
  constraint template_versions_pkey PRIMARY KEY (organisation_id, template_id, version),
  constraint template_versions_content_check CHECK ((content <> ''::text)),
  constraint template_versions_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint template_versions_version_check CHECK ((version > 0))
);

create table template_whatsapp (
  organisation_id uuid not null,
  template_id uuid not null,
  version integer not null,
  name text not null,
  language text not null,
  parameters text[] not null,
  parts jsonb not null default '{}'::jsonb,
  constraint template_whatsapp_pkey PRIMARY KEY (organisation_id, template_id, version)
);

create table templates (
  organisation_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_datetime timestamp with time zone not null default now(),
  updated_datetime timestamp with time zone,
  constraint templates_pkey PRIMARY KEY (organisation_id, id),
  constraint templates_version_check CHECK ((version > 0))
);

create table user_devices (
  user_id uuid not null,
  token_hash bytea not null,
  seen_datetime timestamp with time zone not null default now(),
  created_datetime timestamp with time zone not null default now(),
  constraint user_devices_pkey PRIMARY KEY (user_id, token_hash),
  constraint user_devices_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
CREATE INDEX user_devices_by_token ON user_devices USING btree (token_hash);

create table user_links (
  token_hash bytea not null,
  user_id uuid not null,
  expires_datetime timestamp with time zone not null,
  used_datetime timestamp with time zone,
  created_datetime timestamp with time zone not null default now(),
  enters boolean not null default false,
  constraint user_links_pkey PRIMARY KEY (token_hash),
  constraint user_links_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
CREATE INDEX user_links_by_user ON user_links USING btree (user_id);

create table user_sessions (
  token_hash bytea not null,
  id uuid not null,
  user_id uuid not null,
  address text,
  user_agent text,
  seen_datetime timestamp with time zone not null default now(),
  expires_datetime timestamp with time zone not null,
  created_datetime timestamp with time zone not null default now(),
  waits_for_code boolean not null default false,
  constraint user_sessions_pkey PRIMARY KEY (token_hash),
  constraint user_sessions_id_key UNIQUE (id),
  constraint user_sessions_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
CREATE INDEX user_sessions_by_user ON user_sessions USING btree (user_id, id);

create table users (
  id uuid not null,
  organisation_id uuid,
  email text,
  email_key text,
  name text,
  password_hash text,
  totp_secret bytea,
  totp_since timestamp with time zone,
  totp_step bigint not null default 0,
  recovery_hashes bytea[] not null default '{}'::bytea[],
  disabled_datetime timestamp with time zone,
  last_login_datetime timestamp with time zone,
  created_datetime timestamp with time zone not null default now(),
  updated_datetime timestamp with time zone,
  role text not null default 'owner'::text,
  issuer text,
  subject text,
  provider text,
  role_by_provider boolean not null default false,
  language text,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_issuer_subject_key UNIQUE (issuer, subject),
  constraint users_check CHECK (((email IS NULL) = (email_key IS NULL))),
  constraint users_check1 CHECK (((password_hash IS NULL) OR (email IS NOT NULL))),
  constraint users_check2 CHECK (((totp_since IS NULL) OR (totp_secret IS NOT NULL))),
  constraint users_check3 CHECK ((((issuer IS NULL) = (subject IS NULL)) AND ((issuer IS NULL) = (provider IS NULL)))),
  constraint users_check4 CHECK (((issuer IS NOT NULL) OR (NOT role_by_provider))),
  constraint users_check5 CHECK (((issuer IS NULL) OR (password_hash IS NULL))),
  constraint users_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint users_issuer_check CHECK (((length(issuer) >= 1) AND (length(issuer) <= 500))),
  constraint users_language_check CHECK ((language ~ '^[a-z]{2}$'::text)),
  constraint users_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint users_provider_check CHECK (((length(provider) >= 1) AND (length(provider) <= 40))),
  constraint users_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'marketer'::text, 'finance'::text, 'viewer'::text]))),
  constraint users_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 255)))
);
CREATE UNIQUE INDEX users_address ON users USING btree (organisation_id, email_key) WHERE (organisation_id IS NOT NULL);
CREATE INDEX users_by_address ON users USING btree (email_key);
CREATE INDEX users_by_organisation ON users USING btree (organisation_id, id);
CREATE UNIQUE INDEX users_operator_address ON users USING btree (email_key) WHERE (organisation_id IS NULL);

create table webhooks (
  organisation_id uuid not null,
  id uuid not null,
  url text not null,
  events text[] not null default '{*}'::text[],
  description text,
  enabled boolean not null default true,
  disabled_reason text,
  failing_since timestamp with time zone,
  secret text not null,
  old_secret text,
  old_secret_until timestamp with time zone,
  created_datetime timestamp with time zone not null default now(),
  updated_datetime timestamp with time zone,
  format text not null default 'standard'::text,
  constraint webhooks_pkey PRIMARY KEY (organisation_id, id),
  constraint webhooks_check CHECK (((old_secret IS NULL) = (old_secret_until IS NULL))),
  constraint webhooks_check1 CHECK (((disabled_reason IS NULL) OR (NOT enabled))),
  constraint webhooks_events_check CHECK ((cardinality(events) > 0)),
  constraint webhooks_format_check CHECK ((format = ANY (ARRAY['standard'::text, 'simpu'::text, 'twilio'::text])))
);

create table whatsapp_limits (
  account text not null,
  recipients integer,
  used integer not null default 0,
  constraint whatsapp_limits_pkey PRIMARY KEY (account),
  constraint whatsapp_limits_recipients_check CHECK ((recipients > 0))
);

create table whatsapp_numbers (
  carrier text not null,
  account text not null,
  phone_number_id text not null,
  quality text,
  status text,
  updated_datetime timestamp with time zone not null default now(),
  constraint whatsapp_numbers_pkey PRIMARY KEY (carrier)
);

create table whatsapp_templates (
  carrier text not null,
  name text not null,
  language text not null,
  category text not null,
  status text not null,
  components jsonb not null,
  template_id text,
  owner_id uuid,
  reason text,
  quality text,
  previous_category text,
  updated_datetime timestamp with time zone not null default now(),
  changed_datetime timestamp with time zone,
  constraint whatsapp_templates_pkey PRIMARY KEY (carrier, name, language)
);

create table whatsapp_users (
  carrier text not null,
  recipient text not null,
  received_datetime timestamp with time zone,
  sent_datetime timestamp with time zone,
  initiated_datetime timestamp with time zone,
  constraint whatsapp_users_pkey PRIMARY KEY (carrier, recipient)
);
CREATE INDEX whatsapp_users_by_age ON whatsapp_users USING btree (GREATEST(received_datetime, sent_datetime));
CREATE INDEX whatsapp_users_by_initiation ON whatsapp_users USING btree (carrier, initiated_datetime) WHERE (initiated_datetime IS NOT NULL);

alter table api_keys add constraint api_keys_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id);

alter table balances add constraint balances_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id);

alter table conversation_notes add constraint conversation_notes_organisation_id_phone_fkey FOREIGN KEY (organisation_id, phone) REFERENCES conversations(organisation_id, phone) ON DELETE CASCADE;

alter table cost_assignments add constraint cost_assignments_price_list_id_fkey FOREIGN KEY (price_list_id) REFERENCES price_lists(id);

alter table hooks add constraint hooks_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id);

alter table media_chunks add constraint media_chunks_organisation_id_media_id_fkey FOREIGN KEY (organisation_id, media_id) REFERENCES media(organisation_id, id) ON DELETE CASCADE;

alter table media_uploads add constraint media_uploads_organisation_id_media_id_fkey FOREIGN KEY (organisation_id, media_id) REFERENCES media(organisation_id, id) ON DELETE CASCADE;

alter table organisations add constraint organisations_twin_of_fkey FOREIGN KEY (twin_of) REFERENCES organisations(id);

alter table otp_settings add constraint otp_settings_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id);

alter table otp_test_numbers add constraint otp_test_numbers_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id);

alter table passkey_challenges add constraint passkey_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table passkeys add constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table phone_sims add constraint phone_sims_phone_id_fkey FOREIGN KEY (phone_id) REFERENCES phones(id) ON DELETE CASCADE;

alter table price_assignments add constraint price_assignments_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id);

alter table price_assignments add constraint price_assignments_price_list_id_fkey FOREIGN KEY (price_list_id) REFERENCES price_lists(id);

alter table price_changes add constraint price_changes_price_list_id_fkey FOREIGN KEY (price_list_id) REFERENCES price_lists(id) ON DELETE CASCADE;

alter table provider_sessions add constraint provider_sessions_session_id_fkey FOREIGN KEY (session_id) REFERENCES user_sessions(id) ON DELETE CASCADE;

alter table senders add constraint senders_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id);

alter table smpp_accounts add constraint smpp_accounts_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id);

alter table smpp_binds add constraint smpp_binds_account_id_fkey FOREIGN KEY (account_id) REFERENCES smpp_accounts(id) ON DELETE CASCADE;

alter table user_devices add constraint user_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table user_links add constraint user_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table user_sessions add constraint user_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table users add constraint users_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id);

alter table webhooks add constraint webhooks_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id);
