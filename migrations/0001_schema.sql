-- The schema of Gangan, by module.
--
-- Conventions
--   * Tables that grow start their primary key with organisation_id. On a cluster (Citus) they are distributed by that
--     column, so all rows of an organisation are colocated on one node. src/db/cluster/tables.ts lists where each table
--     is placed, and distribute.ts adapts the keys and triggers that a cluster does not support.
--   * Busy tables have no foreign keys: each would cost a lookup and a row lock per inserted row. Their rows are written
--     by statements that have just checked the parent row.
--   * Ids are UUIDv7, which start with the time of their creation: ordering by id is ordering by age.
--   * Money is counted in ten-thousandths of the currency unit.
--   * A *_hash column holds a digest, a sealed_* column ciphertext under a key derived from the pepper.
--   * Expensive operations are functions, in functions/*.sql. They are replaced whenever their text changes and are not
--     part of the numbered migrations.

-- ---------------------------------------------------------------------------------------------------------------------
-- Extensions and partitioning by time
-- ---------------------------------------------------------------------------------------------------------------------

-- Substring search in contacts.
create extension if not exists pg_trgm;
-- Allows a scalar column beside trigrams in one GIN index.
create extension if not exists btree_gin;

-- The smallest UUIDv7 of a moment: the bound of a monthly partition.
create function first_id_at(moment timestamptz) returns uuid immutable language sql as $$
  select overlay(
    '00000000-0000-0000-0000-000000000000' placing
    overlay(lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') placing '-' from 9 for 0) from 1 for 13
  )::uuid
$$;

-- The upper bound of a partition; no row for a default partition.
create function partition_bounds(part text) returns table (upper_bound uuid) stable language sql as $$
  select (regexp_match(pg_get_expr(relpartbound, oid), 'TO \(''([0-9a-f-]+)''\)'))[1]::uuid
  from pg_class where oid = to_regclass(part) and pg_get_expr(relpartbound, oid) like '%TO (''%'
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- Organisations
-- ---------------------------------------------------------------------------------------------------------------------

create table organisations (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  mode text not null check (mode in ('live', 'test')),
  -- The live organisation that this test organisation was created with.
  twin_of uuid unique references organisations (id),
  default_country text not null check (default_country ~ '^[A-Z]{2}$'),
  default_sender_id text check (length(default_sender_id) between 1 and 11),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Sealed secrets that sign callbacks, newest first; two during a rotation.
  callback_secrets text[] not null check (cardinality(callback_secrets) between 1 and 2),
  created_datetime timestamptz not null default now(),
  -- Replace typographic characters by their GSM equivalents where that keeps a text in the GSM alphabet.
  smart_encoding boolean not null default false,
  -- Receives inbound messages.
  inbound_url text,
  -- Promotional messages wait until these local hours of the recipient are over.
  quiet_from time,
  quiet_until time,
  -- Send free text outside WhatsApp's 24-hour window by SMS instead of rejecting it.
  whatsapp_fallback boolean not null default false,
  -- The balance below which the organisation is notified.
  low_balance bigint check (low_balance > 0),
  -- Since when the operator has blocked the organisation from sending.
  suspended_datetime timestamptz,
  -- Time zone of its days in reports; null: that of its country's capital.
  time_zone text check (length(time_zone) between 1 and 60),
  check ((mode = 'test') = (twin_of is not null)),
  check ((quiet_from is null) = (quiet_until is null))
);

create table api_keys (
  id uuid primary key,
  organisation_id uuid not null references organisations (id),
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  -- The first and last characters, enough to recognise a key in a list.
  hint text not null,
  name text,
  -- Null: every scope.
  scopes text[] check (scopes <@ array['sms', 'otp', 'airtime', 'lookup', 'lists', 'settings', 'callbacks', 'balance']),
  expires_datetime timestamptz,
  revoked_datetime timestamptz,
  created_datetime timestamptz not null default now(),
  -- Accurate to about a minute: not written with every request.
  last_used_datetime timestamptz
);
create index api_keys_by_organisation on api_keys (organisation_id, id);

-- Secrets of the installation that its processes share and that neither the environment nor the data folder holds, such
-- as a generated pepper.
create table secrets (
  name text primary key,
  value text not null,
  created_datetime timestamptz not null default now()
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Billing
-- ---------------------------------------------------------------------------------------------------------------------

create table balances (
  organisation_id uuid primary key references organisations (id),
  balance bigint not null default 0 check (balance >= 0),
  -- The number of the newest ledger line.
  sequence bigint not null default 0 check (sequence >= 0),
  -- The organisation was notified that its balance is low, and it has not risen above the threshold since.
  low_notified boolean not null default false
) with (fillfactor = 20);

-- Every change of a balance, append-only.
create table ledger_lines (
  organisation_id uuid not null,
  sequence bigint not null check (sequence > 0),
  kind text not null check (kind in ('opening', 'top_up', 'adjustment', 'message', 'airtime', 'lookup', 'refund')),
  amount bigint not null,
  balance_after bigint not null check (balance_after >= 0),
  -- The message, purchase or top-up that the line is for; of several messages charged together, the lowest id.
  subject_id uuid not null,
  -- Of a refund: the recipient.
  subject_key text not null default '',
  created_datetime timestamptz not null default now(),
  -- The operator's reason for an adjustment.
  note text check (length(note) between 1 and 500),
  -- Of several messages charged together, the highest id.
  last_subject_id uuid,
  -- How many messages or purchases the line is for.
  subjects integer not null default 1 check (subjects > 0),
  primary key (organisation_id, sequence),
  -- Nothing is charged twice and nothing is refunded twice.
  unique (organisation_id, subject_id, kind, subject_key)
);
-- Excludes the lines of messages, by far the most, so that a message costs no entry.
create index ledger_lines_by_kind on ledger_lines (organisation_id, kind, sequence) where kind <> 'message';

create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'ledger lines are never changed or removed';
end $$;
create trigger ledger_lines_stay before delete or truncate on ledger_lines
  for each statement execute function ledger_is_append_only();

-- An update may only anonymise: the erasure of a person replaces a phone number in subject_key and note.
create function ledger_line_keeps_its_money() returns trigger language plpgsql as $$
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
end $$;
create trigger ledger_lines_keep_their_money before update on ledger_lines
  for each row execute function ledger_line_keeps_its_money();

-- Each new line continues the previous one, and none is newer than its balance. Together with balance_has_its_line this makes
-- a balance the sum of its lines, by induction, for two lookups by key per line; a statement may add lines of many
-- organisations. A statement without parameters keeps its plan, also one made while the table was small: without
-- sequential scans, and with an order that only the primary key has, there is no other plan than these lookups.
create function ledger_lines_continue() returns trigger language plpgsql set enable_seqscan = off as $$
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
end $$;
create trigger ledger_lines_continue after insert on ledger_lines
  referencing new table as added for each statement execute function ledger_lines_continue();

-- Every balance is that of its newest ledger line, found in an order that only the primary key has.
create function balance_has_its_line() returns trigger language plpgsql as $$
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
end $$;
-- Deferred: two statements of one function write the balance and the line.
create constraint trigger balance_has_its_line after insert or update on balances
  deferrable initially deferred for each row execute function balance_has_its_line();

-- Responses to requests with an idempotency key, returned again when the request is repeated.
create table idempotency_keys (
  organisation_id uuid not null,
  key text not null check (length(key) between 1 and 255),
  request_hash bytea not null,
  answer text not null,
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_datetime);

-- ---------------------------------------------------------------------------------------------------------------------
-- Messages and deliveries
-- ---------------------------------------------------------------------------------------------------------------------

-- Both tables are partitioned by month, so that retention drops a table instead of deleting rows. src/db/partitions.ts
-- creates the coming months; the key stays (organisation_id, id) because the id contains the time.

create table messages (
  organisation_id uuid not null,
  id uuid not null,
  channel text not null check (channel in ('sms', 'whatsapp')),
  sender_id text,
  -- Kept with the message, so that its template may change or be deleted.
  content text,
  template_id text,
  personalisation jsonb,
  external_ref text,
  is_trackable boolean not null default false,
  callback text,
  -- The content of a binary message is its octets in hexadecimal.
  encoding text not null check (encoding in ('GSM', 'UCS-2', 'binary')),
  message_length integer not null,
  pages smallint not null check (pages > 0),
  charge bigint not null check (charge >= 0),
  created_datetime timestamptz not null default now(),
  template_version integer,
  -- The ledger line that charged it; null where the line names the message.
  line bigint,
  -- The caller's trace, where the message belongs to one, or the nil UUID for a trace that is not sampled; null: the
  -- trace is the message id.
  trace uuid,
  -- Deleted by its sender through Twilio's API: the text is gone and that API no longer shows the message.
  deleted_datetime timestamptz,
  primary key (organisation_id, id),
  constraint messages_check check (template_version is null or template_id is not null)
) partition by range (id);
create index messages_by_external_ref on messages (organisation_id, external_ref, id) where external_ref is not null;

-- One recipient of a message. The primary key is the only index, and pages of the partitions are half empty, so that a
-- change of status is a heap-only update.
create table deliveries (
  organisation_id uuid not null,
  message_id uuid not null,
  recipient text not null,
  -- Index of the recipient in the request.
  position integer not null,
  status text not null check (status in
    ('scheduled', 'queued', 'sent', 'delivered', 'undelivered', 'expired', 'rejected', 'failed', 'unknown', 'canceled')),
  -- The text of this recipient where it differs from the content of the message.
  text text,
  pages smallint not null check (pages > 0),
  charge bigint not null check (charge >= 0),
  refunded boolean not null default false,
  route text not null,
  carrier text,
  -- The carrier's error code and its description.
  code text,
  description text,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  -- Text that must not be stored in clear, such as an OTP; cleared once submitted.
  sealed_text bytea,
  -- After this the message is not submitted any more.
  expires_datetime timestamptz,
  -- The first human click on any link of this recipient; setting it enqueues the callback, so there is one.
  clicked_datetime timestamptz,
  -- When a scheduled delivery is due; the queue `scheduled` has one job per message and moment.
  send_at timestamptz,
  -- The WhatsApp template and the values of this recipient: {name, language, parameters}.
  whatsapp jsonb,
  -- The carriers that rejected it before the present one, in order.
  tried text[],
  -- When the carrier accepted it.
  sent_datetime timestamptz,
  -- Whether the rules for promotional messages apply. Set only while a delivery is scheduled or retried; null:
  -- transactional.
  promotional boolean,
  primary key (organisation_id, message_id, recipient),
  -- A refund is only for what no carrier delivered.
  check (not refunded or status in ('failed', 'rejected', 'canceled'))
) partition by range (message_id);

-- The partition of the current month also takes all earlier ids.
do $$
declare
  month timestamptz := date_trunc('month', now(), 'UTC');
  bound uuid := first_id_at(month + interval '1 month');
begin
  execute format('create table %I partition of messages for values from (minvalue) to (%L)',
    to_char(month at time zone 'UTC', '"messages_"YYYY_MM'), bound);
  execute format('create table %I partition of deliveries for values from (minvalue) to (%L) with (fillfactor = 50)',
    to_char(month at time zone 'UTC', '"deliveries_"YYYY_MM'), bound);
end $$;
-- For ids beyond the prepared months, such as those of a clock that is far ahead.
create table messages_later partition of messages default;
create table deliveries_later partition of deliveries default with (fillfactor = 50);

-- ---------------------------------------------------------------------------------------------------------------------
-- Intake and queue
-- ---------------------------------------------------------------------------------------------------------------------

-- Accepted messages that have not been submitted. A row holds the messages of one batch, or a slice of a long list of
-- recipients, of one organisation, route and priority. The submitter stores their messages and deliveries together with
-- the outcome and deletes the row. See docs/decisions/0031-one-intake.md.
create table intake (
  organisation_id uuid not null,
  id uuid not null,
  route text not null,
  priority smallint not null,
  -- The lowest and the highest id of its messages.
  first_id uuid not null,
  last_id uuid not null check (last_id >= first_id),
  -- Recipients of all its messages.
  size integer not null check (size > 0),
  -- The position of its first recipient in the request.
  first_position integer not null default 0,
  -- How many deliveries the carrier may already have; stored before they are submitted.
  submitted integer not null default 0 check (submitted between 0 and size),
  -- How many times it was leased.
  claims smallint not null default 0,
  -- The ledger line that charged its messages; null where each has its own line.
  line bigint,
  -- End of the lease; null: never leased.
  leased_until timestamptz,
  created_datetime timestamptz not null default now(),
  -- JSON objects separated by a comma and a line break, see functions/intake.sql.
  messages text not null,
  primary key (organisation_id, id)
) with (
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0, toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 4000,
  toast.autovacuum_vacuum_cost_delay = 0
);
-- Rows live for milliseconds: compressing them would cost more than writing them.
alter table intake alter column messages set storage external;
-- Partial, so that only statements with a condition on `route` or `last_id` can use them. Statistics show the table as
-- empty: a kept plan of a lookup by primary key might use any index, and read all entries of the organisation, those of
-- deleted rows included.
create index intake_by_route on intake (route, priority, organisation_id, id) where route is not null;
create index intake_by_last_id on intake (organisation_id, last_id) where last_id is not null;

-- The job queue. A job is due when run_at has passed. A claim sets `leased` and `leased_until`, which are in no index, so it
-- is a heap-only update; a job that is still `leased` after `leased_until` belonged to a worker that died.
create table jobs (
  id bigint generated always as identity primary key,
  queue text not null,
  priority smallint not null default 1,
  -- Claims take lanes in round robin, so that one organisation or one slow endpoint does not delay the others.
  lane uuid not null,
  run_at timestamptz not null default now(),
  attempts smallint not null default 0,
  -- Leased by a worker.
  leased boolean not null default false,
  organisation_id uuid not null,
  subject_id uuid not null,
  subject_key text not null default '',
  leased_until timestamptz
) with (
  fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.2
);
-- A job may carry a batch of ids, which is not worth compressing.
alter table jobs alter column subject_key set storage external;
create index jobs_due on jobs (queue, priority, lane, run_at);

-- Jobs of reports whose message is not found yet. They belong to no organisation, so on a cluster they stay on the
-- coordinator.
create table report_jobs (like jobs including all);
alter table report_jobs alter column organisation_id set default '00000000-0000-0000-0000-000000000000';

-- Token buckets of queues with a rate limit, shared by all processes.
create table queue_rates (
  queue text primary key,
  tokens double precision not null,
  refilled timestamptz not null default clock_timestamp()
) with (fillfactor = 20);

-- How far periodic scans have come.
create table sweeps (
  name text primary key,
  done_until timestamptz not null
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Submissions and delivery reports
-- ---------------------------------------------------------------------------------------------------------------------

-- The carrier's id of each submitted segment, to find the delivery when a report arrives. Reports name no organisation,
-- so neither does the key.
create table submissions (
  carrier text not null,
  -- Lower case and without leading zeros, because reports spell ids differently than responses. Not unique: a message
  -- centre that restarts may count from one again.
  carrier_message_id text not null,
  organisation_id uuid not null,
  message_id uuid not null,
  recipient text not null,
  -- After this a missing report is overdue.
  report_due timestamptz not null,
  segment smallint not null default 1,
  segments smallint not null default 1,
  -- The report of one segment of several, until all of them decide the status of the delivery.
  status text check (status in ('delivered', 'undelivered', 'expired', 'rejected', 'unknown')),
  code text,
  description text,
  check (segment between 1 and segments)
);
create index submissions_by_carrier_message on submissions (carrier, carrier_message_id);
create index submissions_by_delivery on submissions (organisation_id, message_id, recipient) where segments > 1;
create index submissions_by_report_due on submissions (report_due);

-- Delivery reports, stored before they are acknowledged to the carrier and deleted once applied to their delivery.
create table reports (
  id uuid primary key,
  carrier text not null,
  carrier_message_id text not null,
  status text not null,
  code text,
  description text,
  received_datetime timestamptz not null default now(),
  -- The network operator, where the report names it.
  operator text,
  -- Normalised ids it may refer to, likeliest first; null: carrier_message_id.
  keys text[],
  -- The recipient, where the report names it; the first `certain` keys are accepted without comparing it.
  recipient text,
  certain smallint not null default 1
);
create index reports_by_age on reports (received_datetime);

-- ---------------------------------------------------------------------------------------------------------------------
-- Callbacks
-- ---------------------------------------------------------------------------------------------------------------------

-- Endpoints that an organisation registered for its events, besides the callback URL of a single request.
create table webhooks (
  organisation_id uuid not null references organisations (id),
  id uuid not null,
  url text not null,
  -- Types such as text.delivered, families such as text.*, or * for everything.
  events text[] not null default '{*}' check (cardinality(events) > 0),
  description text,
  enabled boolean not null default true,
  -- Why the service disabled it, as a sentence; null while it is enabled or when the organisation disabled it.
  disabled_reason text,
  -- The first failed attempt since the last successful one.
  failing_since timestamptz,
  -- Sealed. The old one also signs until its time is over, so that a receiver can change over.
  secret text not null,
  old_secret text,
  old_secret_until timestamptz,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  -- Standard Webhooks, or the format of another vendor's API.
  format text not null default 'standard' check (format in ('standard', 'simpu', 'twilio')),
  primary key (organisation_id, id),
  check ((old_secret is null) = (old_secret_until is null)),
  check (disabled_reason is null or not enabled)
);

-- One HTTP notification to one endpoint. Most succeed at the first attempt: then this row and one update are all that is
-- written, and the outcome is in the last_* columns. See docs/decisions/0032-two-row-versions-per-callback.md.
create table callbacks (
  organisation_id uuid not null,
  id uuid not null,
  type text not null,
  url text not null,
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'stopped', 'failed')),
  attempts smallint not null default 0,
  -- The message or purchase it is about.
  subject_id uuid not null,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  -- The registered endpoint, and the event id that all endpoints receive as webhook-id; null for the callback URL of a
  -- request, whose event id is its id.
  webhook_id uuid,
  event_id uuid,
  -- The job of the batch it was leased with; while that job exists a pending callback has no job of its own.
  burst_id bigint,
  -- The attempt that ended it at updated_datetime; null where that is in callback_attempts, as earlier attempts are.
  last_status_code integer,
  last_reason text,
  last_excerpt text,
  last_duration_ms integer,
  -- When a failed callback is retried; null: not attempted yet, due now, or ended.
  next_attempt_datetime timestamptz,
  primary key (organisation_id, id),
  check ((webhook_id is null) = (event_id is null))
) with (fillfactor = 50);
-- The organisation is not first, so that a plan kept from when the table was small cannot use it for the primary key.
create index callbacks_by_subject on callbacks (subject_id, organisation_id);
create index callbacks_by_webhook on callbacks (organisation_id, webhook_id, id) where webhook_id is not null;

create table callback_attempts (
  organisation_id uuid not null,
  callback_id uuid not null,
  attempt smallint not null,
  status_code integer,
  -- Why there was no response, and the beginning of the response body where there was one.
  reason text,
  excerpt text,
  duration_ms integer not null,
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, callback_id, attempt)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Templates and tracked links
-- ---------------------------------------------------------------------------------------------------------------------

create table templates (
  organisation_id uuid not null,
  id uuid not null,
  -- The newest of its template_versions.
  version integer not null default 1 check (version > 0),
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id)
);

create table template_versions (
  organisation_id uuid not null,
  template_id uuid not null,
  version integer not null check (version > 0),
  name text not null check (length(name) between 1 and 200),
  content text not null check (content <> ''),
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, template_id, version)
);

-- The WhatsApp template that a template version is sent as, and the placeholders that fill its parameters, in order.
create table template_whatsapp (
  organisation_id uuid not null,
  template_id uuid not null,
  version integer not null,
  name text not null,
  language text not null,
  parameters text[] not null,
  primary key (organisation_id, template_id, version)
);

-- Short links, one per recipient and link. A redirect knows only the code, so that is the key.
create table links (
  code text primary key check (length(code) between 1 and 7),
  organisation_id uuid not null,
  message_id uuid not null,
  recipient text not null,
  -- Index of the link in the text.
  position smallint not null check (position >= 0),
  url text not null,
  -- Every GET, previews and bots included; and those that look like a person.
  clicks_raw integer not null default 0,
  clicks integer not null default 0 check (clicks between 0 and clicks_raw),
  clicked_datetime timestamptz,
  check ((clicks > 0) = (clicked_datetime is not null))
) with (fillfactor = 80);
create index links_by_delivery on links (organisation_id, message_id, recipient, position);

-- ---------------------------------------------------------------------------------------------------------------------
-- Senders, opt-outs, inbound messages
-- ---------------------------------------------------------------------------------------------------------------------

-- Sender IDs: names, short codes or numbers. In live mode only approved ones may be used.
create table senders (
  organisation_id uuid not null references organisations (id),
  id uuid not null,
  -- Names have at most 11 characters; numbers that receive texts may be longer.
  sender_id text not null check (sender_id ~ '^[A-Za-z0-9 ._&-]{1,11}$' or sender_id ~ '^[0-9]{12,15}$'),
  -- For comparison: lower case.
  sender_key text not null generated always as (lower(sender_id)) stored,
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected')),
  class text not null default 'transactional' check (class in ('transactional', 'promotional')),
  -- The organisation's purpose, and the operator's reason for the decision.
  note text,
  reason text,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id),
  unique (organisation_id, sender_key)
);
-- A number belongs to one organisation: it decides which organisation receives a text.
create unique index senders_by_number on senders (sender_id) where state = 'approved' and sender_id ~ '^[0-9]+$';

-- Recipients who do not want messages of an organisation.
create table optouts (
  organisation_id uuid not null,
  -- Byte order, so that a prefix search can use the index.
  recipient text collate "C" not null,
  id uuid not null,
  -- By a keyword such as STOP, by the organisation, or reported by the carrier.
  source text not null check (source in ('text', 'api', 'carrier')),
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, recipient)
);
create unique index optouts_by_id on optouts (organisation_id, id);

-- Texts that people sent. Texts to a number that no organisation owns have the nil organisation.
create table inbound_messages (
  organisation_id uuid not null,
  id uuid not null,
  "from" text not null,
  "to" text not null,
  channel text not null check (channel in ('sms', 'whatsapp')),
  text text not null,
  keyword text check (keyword in ('stop', 'start', 'help')),
  carrier text not null,
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, id)
);
create index inbound_messages_by_from on inbound_messages (organisation_id, "from", id);

-- Hashes of the carriers' ids of received texts, to store a redelivered text once. Hashed because ids of WhatsApp contain
-- the phone number.
create table inbound_ids (
  carrier text not null,
  received_id text not null,
  received_datetime timestamptz not null default now(),
  primary key (carrier, received_id)
);
create index inbound_ids_by_age on inbound_ids (received_datetime);

-- deliver_sm PDUs whose response the message centre may not have read: the same PDU again is the same text or segment.
-- Deleted once the centre has certainly read the response, at the latest after an hour.
create table inbound_pdus (
  carrier text not null,
  -- SHA-256 of the PDU without its sequence number.
  digest bytea not null,
  -- The id that the text is stored under.
  received_id text not null,
  received_datetime timestamptz not null default now(),
  primary key (carrier, digest)
);
create index inbound_pdus_by_age on inbound_pdus (carrier, received_datetime);

-- Segments of inbound texts until the text is complete or times out.
create table inbound_segments (
  carrier text not null,
  sender text not null,
  destination text not null,
  reference integer not null,
  segments smallint not null check (segments > 1),
  segment smallint not null check (segment between 1 and segments),
  text text not null,
  received_datetime timestamptz not null default now(),
  primary key (carrier, sender, destination, reference, segments, segment)
);
create index inbound_segments_by_age on inbound_segments (received_datetime);

-- A conversation starts with an inbound text, and its row is updated by inbound texts and by replies from the
-- conversation. Other outbound messages do not write here; they are read from messages.
create table conversations (
  organisation_id uuid not null,
  phone text not null check (phone ~ '^[0-9]{7,15}$'),
  -- The newest inbound text or reply: the order of the list.
  id uuid not null,
  direction text not null check (direction in ('in', 'out')),
  -- Channel, destination and time of the newest inbound text.
  channel text not null check (channel in ('sms', 'whatsapp')),
  "to" text not null,
  received_datetime timestamptz not null,
  -- Counters of inbound texts, all and read. Updated under the row lock, so that a text that arrives while the
  -- conversation is read stays unread.
  received bigint not null check (received > 0),
  read bigint not null default 0 check (read >= 0 and read <= received),
  primary key (organisation_id, phone)
);
create unique index conversations_by_id on conversations (organisation_id, id);

-- ---------------------------------------------------------------------------------------------------------------------
-- One-time passwords
-- ---------------------------------------------------------------------------------------------------------------------

-- An OTP has the id of its message. Status: 1 SENT, 3 FAILED, 4 VERIFIED, 5 DELETED. 2 EXPIRED is never stored: it is a
-- SENT one whose expires_datetime has passed.
create table otps (
  organisation_id uuid not null,
  id uuid not null,
  recipient text not null,
  status smallint not null default 1 check (status in (1, 3, 4, 5)),
  token_hash bytea not null check (octet_length(token_hash) = 32),
  -- Failed verifications.
  attempts smallint not null default 0 check (attempts between 0 and 5),
  minutes smallint not null check (minutes between 1 and 60),
  expires_datetime timestamptz not null,
  -- The slot of otp_counters that counted it; null: not counted.
  counted_slot timestamptz,
  -- The message on the second channel, and the token for it until that message is sent or no longer needed.
  fallback_channel text check (fallback_channel in ('sms', 'whatsapp')),
  fallback_message_id uuid,
  sealed_token bytea,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  -- Twilio Verify: the id of the first code of the verification. All its codes are valid until one is approved, and
  -- failed attempts are counted over all of them.
  verification_id uuid,
  service_sid text,
  channel text,
  primary key (organisation_id, id),
  check ((fallback_channel is null) = (fallback_message_id is null)),
  check (sealed_token is null or fallback_message_id is not null),
  constraint otps_verification_check check ((verification_id is null) = (service_sid is null))
) with (fillfactor = 50);
create index otps_by_recipient on otps (organisation_id, recipient, id);
create unique index otps_by_fallback on otps (organisation_id, fallback_message_id)
  where fallback_message_id is not null;
create index otps_by_age on otps (created_datetime);
create index otps_by_verification on otps (organisation_id, verification_id, id) where verification_id is not null;

-- Settings of an organisation; null: those of the configuration file.
create table otp_settings (
  organisation_id uuid primary key references organisations (id),
  template text,
  origin text,
  fallback_channel text check (fallback_channel in ('sms', 'whatsapp')),
  fallback_after_s integer check (fallback_after_s between 5 and 600),
  updated_datetime timestamptz not null default now(),
  check ((fallback_channel is null) = (fallback_after_s is null))
);

-- Numbers with a fixed token: nothing is sent or charged.
create table otp_test_numbers (
  organisation_id uuid not null references organisations (id),
  recipient text not null,
  sealed_token bytea not null,
  primary key (organisation_id, recipient)
);

-- OTPs of the last day, for the limits per number.
create table otp_sends (
  organisation_id uuid not null,
  recipient text not null,
  otp_id uuid not null,
  sent_datetime timestamptz not null default now(),
  primary key (organisation_id, recipient, otp_id)
);
create index otp_sends_by_age on otp_sends (sent_datetime);

-- OTPs sent and verified in slots of five minutes, by number prefix, country and organisation: the input of the guard
-- against SMS pumping.
create table otp_counters (
  organisation_id uuid not null,
  kind text not null check (kind in ('prefix', 'country', 'organisation')),
  key text not null,
  slot timestamptz not null,
  sent integer not null default 0 check (sent >= 0),
  verified integer not null default 0 check (verified >= 0),
  primary key (organisation_id, kind, key, slot)
) with (fillfactor = 50);
create index otp_counters_by_age on otp_counters (slot);

-- Prefixes whose OTPs are requested but not verified; requests are throttled or rejected until until_datetime.
create table otp_guard (
  organisation_id uuid not null,
  prefix text not null,
  state text not null check (state in ('slowed', 'blocked')),
  sent integer not null,
  verified integer not null,
  until_datetime timestamptz not null,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, prefix)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Airtime
-- ---------------------------------------------------------------------------------------------------------------------

create table purchases (
  organisation_id uuid not null,
  id uuid not null,
  -- The ledger line that charged it. Lines are numbered under the lock of the balance, so this orders purchases, also
  -- those of two processes.
  sequence bigint not null,
  network text not null check (network in ('Airtel', 'MTN', 'Glo', '9mobile', 'NTEL')),
  recipient text not null,
  -- Charged and topped up.
  amount bigint not null check (amount > 0),
  external_ref text,
  callback text,
  idempotency_key text,
  warnings text[] not null default '{}',
  -- Vendors to try, in this order.
  vendors text[] not null check (cardinality(vendors) > 0),
  status text not null default 'pending' check (status in
    ('pending', 'sent', 'success', 'failed', 'error', 'duplicate')),
  refunded boolean not null default false,
  description text,
  -- No vendor reported the outcome in time: the operator decides.
  review_datetime timestamptz,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id),
  -- A purchase is refunded exactly when it was not made.
  check (refunded = (status in ('failed', 'error', 'duplicate'))),
  -- Only a purchase that a vendor may have made needs a review.
  check (review_datetime is null or status in ('sent', 'success', 'failed'))
) with (fillfactor = 50);
create index purchases_by_external_ref on purchases (organisation_id, external_ref, id)
  where external_ref is not null;
create index purchases_by_recipient on purchases (organisation_id, recipient, sequence);
-- Does not mention the status, so that ending a purchase is a heap-only update.
create index purchases_in_review on purchases (organisation_id, id) where review_datetime is not null;

-- One vendor's attempt at a purchase, stored before the vendor is called. The vendor identifies the purchase by the
-- reference, which never changes: calling or querying again cannot buy twice.
create table purchase_tries (
  organisation_id uuid not null,
  purchase_id uuid not null,
  -- Index in purchases.vendors.
  position smallint not null check (position >= 0),
  vendor text not null,
  reference text not null,
  -- calling: a call is in progress, or its response was lost with the process.
  status text not null check (status in
    ('calling', 'unreached', 'accepted', 'unclear', 'success', 'failed', 'error', 'duplicate')),
  calls smallint not null default 1 check (calls > 0),
  requeries smallint not null default 0 check (requeries >= 0),
  vendor_purchase_id text,
  code text,
  description text,
  -- What the vendor charged, and our balance with it afterwards, where it reports them.
  cost bigint,
  vendor_balance bigint,
  called_datetime timestamptz not null default now(),
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, purchase_id, position)
) with (fillfactor = 80);
create index purchase_tries_by_reference on purchase_tries (vendor, reference);
create index purchase_tries_by_vendor_purchase_id on purchase_tries (vendor, vendor_purchase_id)
  where vendor_purchase_id is not null;

-- ---------------------------------------------------------------------------------------------------------------------
-- Numbers and lookup
-- ---------------------------------------------------------------------------------------------------------------------

-- Facts about phone numbers beyond their prefix. They belong to no organisation. The key is the number as an integer,
-- which takes eight bytes.

-- Registries, imported from files. Their age is that of the import.
create table ported_numbers (
  msisdn bigint primary key,
  operator text not null
);

create table dnd_numbers (
  msisdn bigint primary key
);

create table number_registries (
  kind text primary key check (kind in ('ported', 'dnd')),
  numbers bigint not null,
  imported_datetime timestamptz not null default now()
);

-- The progress of an import, from which it resumes.
create table number_imports (
  kind text primary key check (kind in ('ported', 'dnd')),
  -- Identifies the file: its size, modification time and first bytes.
  fingerprint text not null,
  mode text not null check (mode in ('merge', 'replace')),
  bytes_done bigint not null default 0,
  lines_done bigint not null default 0,
  rejected bigint not null default 0,
  rejects_bytes bigint not null default 0
);

-- Lines read so far, without an index; sorted into the registry at the end.
create table ported_import_lines (
  line bigint not null,
  msisdn bigint not null,
  operator text not null
) with (autovacuum_enabled = false);

create table dnd_import_lines (
  line bigint not null,
  msisdn bigint not null
) with (autovacuum_enabled = false);

-- Facts that delivery reports mention, with their date.
create table carrier_facts (
  msisdn bigint primary key,
  operator text,
  operator_noted timestamptz,
  dnd_noted timestamptz,
  check ((operator is null) = (operator_noted is null))
);
create index carrier_facts_by_age on carrier_facts (greatest(operator_noted, dnd_noted));

-- Responses of the lookup provider, cached while fresh.
create table provider_answers (
  msisdn bigint primary key,
  operator text,
  ported boolean,
  dnd boolean,
  asked_datetime timestamptz not null default now()
);
create index provider_answers_by_age on provider_answers (asked_datetime);

-- ---------------------------------------------------------------------------------------------------------------------
-- Contacts
-- ---------------------------------------------------------------------------------------------------------------------

-- One contact list per organisation, with typed columns.
create table contact_tables (
  organisation_id uuid primary key,
  id uuid not null,
  -- The number of the next column. Never reused, so that cells of a deleted column cannot reappear.
  next_number smallint not null default 1 check (next_number > 0),
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz
);

create table contact_columns (
  organisation_id uuid not null,
  id uuid not null,
  -- The column's key in rows: shorter than a UUID in every cell.
  number smallint not null check (number > 0),
  name text not null,
  -- For comparison: lower case.
  name_key text not null,
  type text not null check (type in
    ('TEXT', 'NUMBER', 'DATE', 'PHONE NUMBER', 'EMAIL', 'URL', 'SELECT', 'MULTI SELECT')),
  options text[],
  -- The place in the table; columns of equal position are ordered by number.
  position smallint not null default 0,
  primary key (organisation_id, id),
  unique (organisation_id, number),
  unique (organisation_id, name_key),
  check ((options is not null) = (type in ('SELECT', 'MULTI SELECT')))
);

-- `cells` holds values as entered, `keys` the same normalised for comparison (lower case, digits of a phone number,
-- numbers and dates so that they sort as text). Both are keyed by column number, without empty cells.
create table contact_rows (
  organisation_id uuid not null,
  id uuid not null,
  cells jsonb not null,
  keys jsonb not null,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id)
);

-- The keys of contact_rows, one row each (one per choice of a MULTI SELECT), for filtering and sorting. Written in the
-- transaction of the row. See docs/decisions/0008-contact-indexes.md.
create table contact_cells (
  organisation_id uuid not null,
  number smallint not null,
  row_id uuid not null,
  key text collate "C" not null
);
-- Keys are truncated to fit a btree entry; a search for a longer key rechecks the row.
create unique index contact_cells_by_key on contact_cells (organisation_id, number, left(key, 200), row_id);
-- Organisation and column are hashed into one index key: two would have to be intersected.
create index contact_cells_by_trigram on contact_cells
  using gin (uuid_hash_extended(organisation_id, number), key gin_trgm_ops);

-- A query whose result is being paged through. The id is its hash, so repeating it writes nothing.
create table contact_queries (
  organisation_id uuid not null,
  id uuid not null,
  query jsonb not null,
  used_datetime timestamptz not null default now(),
  primary key (organisation_id, id)
);
create index contact_queries_by_age on contact_queries (used_datetime);

create table contact_smartlists (
  organisation_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null,
  filters jsonb not null,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id),
  unique (organisation_id, name_key)
);

create table contact_imports (
  organisation_id uuid not null,
  id uuid not null,
  status text not null default 'uploading' check (status in
    ('uploading', 'queued', 'running', 'done', 'failed', 'canceled')),
  dry_run boolean not null,
  encoding text not null,
  delimiter text not null,
  -- The name of each field of a line and the column it fills.
  fields jsonb not null,
  -- Rows with the same key in this column are updated.
  upsert_number smallint,
  bytes_total bigint not null default 0,
  -- Progress. Advances in the transaction that writes the rows, so that nothing is imported twice or skipped.
  bytes_done bigint not null default 0,
  lines_done integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  rejected integer not null default 0,
  fault text,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id)
);
create index contact_imports_by_age on contact_imports (created_datetime);

-- The uploaded file until it is imported, so that any process can continue the import.
create table contact_import_chunks (
  organisation_id uuid not null,
  import_id uuid not null,
  -- Offset of the chunk in the file.
  position bigint not null,
  bytes bytea not null,
  primary key (organisation_id, import_id, position)
);
alter table contact_import_chunks alter column bytes set storage external;

create table contact_import_rejects (
  organisation_id uuid not null,
  import_id uuid not null,
  line integer not null,
  fields text[] not null,
  faults jsonb not null,
  primary key (organisation_id, import_id, line)
);

-- Bulk changes of rows, applied in batches; they can be undone for a while.
create table contact_changes (
  organisation_id uuid not null,
  id uuid not null,
  -- The user; null: a caller with an API key.
  user_id uuid,
  action text not null check (action in ('set', 'delete')),
  -- The column to set, and the value of its cells; without a value they are cleared.
  number smallint,
  value text,
  key text,
  -- The rows: row_ids, or with a query all that it finds except row_ids.
  query jsonb,
  row_ids uuid[] not null,
  status text not null default 'running' check (status in
    ('running', 'done', 'undoing', 'undone', 'final')),
  -- Progress: the last row processed of a query, or the number of row_ids processed.
  after_id uuid,
  place integer not null default 0,
  rows integer not null default 0,
  restored integer not null default 0,
  not_restored integer not null default 0,
  fault text,
  undo_until timestamptz,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id),
  check ((action = 'set') = (number is not null)),
  check ((value is null) = (key is null))
);
create index contact_changes_by_age on contact_changes (created_datetime);
-- The few changes that are running or can be undone.
create index contact_changes_open on contact_changes (organisation_id) where status in ('running', 'done', 'undoing');

-- The rows before the change.
create table contact_change_rows (
  organisation_id uuid not null,
  change_id uuid not null,
  row_id uuid not null,
  cells jsonb not null,
  keys jsonb not null,
  created_datetime timestamptz not null,
  updated_datetime timestamptz,
  primary key (organisation_id, change_id, row_id)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Campaigns
-- ---------------------------------------------------------------------------------------------------------------------

-- A message to many people: estimated as a whole, then sent in slices.
create table campaigns (
  organisation_id uuid not null,
  id uuid not null,
  name text not null check (name <> ''),
  status text not null default 'draft' check (status in (
    'draft', 'estimating', 'estimated', 'scheduled', 'running', 'paused', 'finished', 'canceled'
  )),
  -- Created by POST /sms/send with a smartlist: sent without confirming the estimate.
  is_list_send boolean not null default false,
  -- The audience: a smartlist narrowed by filters, or uploaded recipients.
  smartlist_id uuid,
  filters jsonb not null default '[]',
  -- The column with the phone numbers.
  number smallint,
  -- Rows and recipients in campaign_uploads.
  uploads integer not null default 0,
  uploaded integer not null default 0,
  message jsonb not null,
  -- The texts of an A/B test with their shares; usually one.
  texts jsonb not null,
  send_at timestamptz,
  pace_per_hour integer check (pace_per_hour > 0),
  quiet_from text,
  quiet_until text,
  idempotency_key text,
  request_hash bytea,
  -- Incremented whenever work is requested: jobs of an earlier run do nothing.
  run integer not null default 0,
  -- Progress of the estimate: the number of estimates made, whether this one is complete, where it is, and its totals.
  estimates integer not null default 0,
  gathered boolean not null default false,
  place text,
  steps integer not null default 0,
  slices integer not null default 0,
  rows integer not null default 0,
  people integer not null default 0,
  charge bigint not null default 0,
  sizes jsonb not null default '{}',
  left_out jsonb not null default '{}',
  samples jsonb not null default '[]',
  asked_datetime timestamptz,
  estimated_datetime timestamptz,
  -- Progress of the sending. taken_back and given_back count canceled recipients and their refunds.
  accepted integer not null default 0,
  charged bigint not null default 0,
  dropped integer not null default 0,
  taken_back integer not null default 0,
  given_back bigint not null default 0,
  all_accepted boolean not null default false,
  next_at timestamptz,
  -- Pause when a slice would cost more than estimated.
  holds_price boolean not null default true,
  pause_reason text,
  fault text,
  started_datetime timestamptz,
  ended_datetime timestamptz,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id),
  unique (organisation_id, idempotency_key),
  check (accepted >= 0 and taken_back >= 0 and taken_back <= accepted and given_back <= charged)
);

-- Uploaded recipients, one part of the list per row.
create table campaign_uploads (
  organisation_id uuid not null,
  campaign_id uuid not null,
  number integer not null,
  size integer not null,
  entries jsonb not null,
  idempotency_key text,
  request_hash bytea,
  primary key (organisation_id, campaign_id, number),
  unique (organisation_id, campaign_id, idempotency_key)
);

-- Numbers that an estimate has seen, to include each once. Needed only while it runs.
create table campaign_recipients (
  organisation_id uuid not null,
  campaign_id uuid not null,
  estimate integer not null,
  recipient text not null,
  primary key (organisation_id, campaign_id, estimate, recipient)
);

-- Excluded recipients with the reason, one row per step of the estimate.
create table campaign_left_out (
  organisation_id uuid not null,
  campaign_id uuid not null,
  step integer not null,
  entries jsonb not null,
  primary key (organisation_id, campaign_id, step)
);

-- A slice is sent as one message. `recipients` are pairs of a number and its values for the placeholders.
create table campaign_slices (
  organisation_id uuid not null,
  campaign_id uuid not null,
  number integer not null,
  text_number smallint not null default 0,
  country text not null default '',
  recipients jsonb not null,
  people integer not null,
  charge bigint not null,
  status text not null default 'waiting' check (status in ('waiting', 'begun', 'accepted', 'taken_back')),
  message_id uuid,
  accepted_datetime timestamptz,
  -- Recipients without a final status at the last count, the outcomes it counted, and when to count again.
  waiting integer not null default 0,
  outcomes jsonb not null default '{}',
  count_at timestamptz,
  primary key (organisation_id, campaign_id, number),
  check (status = 'waiting' or message_id is not null)
);
create index campaign_slices_to_send on campaign_slices (organisation_id, campaign_id, number)
  where status in ('waiting', 'begun');
create index campaign_slices_to_count on campaign_slices (organisation_id, campaign_id, count_at)
  where count_at is not null;
create index campaign_slices_on_the_way on campaign_slices (organisation_id, campaign_id, number)
  where status = 'accepted' and waiting > 0;

-- Outcomes counted by text, reason, network operator and hour.
create table campaign_outcomes (
  organisation_id uuid not null,
  campaign_id uuid not null,
  text_number smallint not null,
  outcome text not null,
  code text not null,
  operator text not null,
  hour timestamptz not null,
  people bigint not null,
  charge bigint not null,
  refunded bigint not null,
  primary key (organisation_id, campaign_id, text_number, outcome, code, operator, hour)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Carriers
-- ---------------------------------------------------------------------------------------------------------------------

-- Carriers belong to the operator and serve all organisations, so these tables have no organisation_id.

-- How a carrier writes message ids in reports compared to its responses, once learned from enough of them.
create table carrier_id_modes (
  carrier text primary key,
  mode text not null check (mode in ('raw', 'resp_hex_dlr_dec', 'resp_dec_dlr_hex')),
  learned_datetime timestamptz not null default now()
);

-- Binds to SMPP carriers. The process that holds the lease owns a bind and publishes its state here.
create table carrier_binds (
  carrier text not null,
  bind smallint not null check (bind > 0),
  holder uuid,
  lease_until timestamptz not null default '-infinity',
  state text not null default 'stopped',
  -- When it was last bound; routes skip a carrier without a recent bind.
  bound_datetime timestamptz,
  figures jsonb,
  -- The last PDUs, for the operator.
  pdus jsonb,
  updated_datetime timestamptz not null default now(),
  primary key (carrier, bind)
) with (fillfactor = 30);

-- Carriers that asked for a pause, in all processes.
create table carrier_pauses (
  carrier text primary key,
  until timestamptz not null,
  code text not null,
  reason text not null
);

-- The prepaid balance at a carrier, as last read.
create table carrier_balances (
  carrier text primary key,
  balance numeric(19, 4) not null,
  currency text,
  read_datetime timestamptz not null default now()
);

-- Whether an HTTP carrier answered the last call.
create table carrier_calls (
  carrier text primary key,
  answered boolean not null,
  reason text,
  datetime timestamptz not null default now()
);

-- WhatsApp: the last messages between a business number and a person. Free text is allowed within 24 hours of the
-- person's last message; a person gets at most one message in six seconds.
create table whatsapp_users (
  carrier text not null,
  recipient text not null,
  received_datetime timestamptz,
  sent_datetime timestamptz,
  primary key (carrier, recipient)
);
create index whatsapp_users_by_age on whatsapp_users (greatest(received_datetime, sent_datetime));

-- WhatsApp templates approved by Meta, as last synchronised.
create table whatsapp_templates (
  carrier text not null,
  name text not null,
  language text not null,
  category text not null,
  status text not null,
  -- Header, body, footer, buttons and their parameters, as Meta describes them.
  components jsonb not null,
  primary key (carrier, name, language)
);

-- Phones that send SMS with the SMSGate app. The row of a carrier is locked while messages are assigned to its phones.
create table phone_carriers (
  carrier text primary key,
  -- The generation of the pairing token that is valid.
  pairing integer not null default 1 check (pairing > 0)
);

create table phones (
  id uuid primary key,
  carrier text not null,
  name text not null,
  -- The app and its version, from its registration.
  app text not null,
  token_hash bytea not null unique,
  registered_datetime timestamptz not null default now(),
  -- The last request; null: none since the registration.
  seen_datetime timestamptz,
  -- It did not fetch its messages; skipped until its next request.
  missed_datetime timestamptz,
  -- As the phone last reported them.
  battery smallint check (battery between 0 and 100),
  charging boolean,
  network text,
  health_datetime timestamptz
) with (fillfactor = 50);
create index phones_by_carrier on phones (carrier);

create table phone_sims (
  phone_id uuid not null references phones (id) on delete cascade,
  -- The slot, from 1; 0: the app has no permission to read SIMs, and the phone's default SIM sends.
  sim smallint not null check (sim between 0 and 10),
  -- As the app reports them; the number is mostly masked.
  operator text,
  number_end text,
  -- Learned from texts it received.
  number text,
  -- Consecutive failures; after a few the SIM pauses.
  failures integer not null default 0,
  rests_until timestamptz,
  primary key (phone_id, sim)
) with (fillfactor = 50);

-- Messages assigned to a phone. State:
--   offered    the phone may fetch it until offered_until
--   withdrawn  it was not fetched and no longer can be
--   taken      fetched
--   sent       passed to the modem
--   done       delivered
--   failed     the phone reported that it was not sent or not delivered
--   lost       the phone has been silent for longer than it may still send it
--   abandoned  given up on; the delivery is retried elsewhere
create table phone_messages (
  id uuid primary key,
  carrier text not null,
  organisation_id uuid not null,
  message_id uuid not null,
  recipient text not null,
  phone_id uuid not null,
  sim smallint not null,
  -- Cleared once the phone has sent it or never will.
  sealed_text bytea,
  segments smallint not null check (segments > 0),
  urgent boolean not null,
  state text not null default 'offered'
    check (state in ('offered', 'withdrawn', 'taken', 'sent', 'done', 'failed', 'lost', 'abandoned')),
  -- The last state the phone reported, and its error.
  phone_state text,
  error text,
  -- The phone reported that the network accepted at least one segment.
  was_sent boolean not null default false,
  -- The submission was answered; anything later is a delivery report.
  answered boolean not null default false,
  offered_until timestamptz not null,
  valid_until timestamptz not null,
  placed_datetime timestamptz not null default now(),
  taken_datetime timestamptz
) with (fillfactor = 50);
-- A delivery is assigned to one phone at a time: a repeated submission finds it here.
create unique index phone_messages_by_delivery on phone_messages (carrier, organisation_id, message_id, recipient)
  where state in ('offered', 'taken', 'sent', 'done', 'lost');
create index phone_messages_in_flight on phone_messages (carrier, valid_until) where state = 'taken';
create index phone_messages_by_sim on phone_messages (phone_id, sim, placed_datetime);

-- Whether a phone sends requests and has fetched what was last assigned to it.
create function phone_is_present(phone phones, silent_after_s float8) returns boolean
language sql stable as $$
  select coalesce(phone.seen_datetime > now() - silent_after_s * interval '1 s', false)
    and coalesce(phone.seen_datetime > phone.missed_datetime, true)
$$;

-- What the virtual handsets of the simulator show.
create table sandbox_messages (
  organisation_id uuid not null,
  message_id uuid not null,
  recipient text not null,
  id uuid not null,
  sender_id text,
  channel text not null,
  text text not null,
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, message_id, recipient)
);
create index sandbox_messages_by_recipient on sandbox_messages (organisation_id, recipient, id);

-- Purchases of the airtime simulator.
create table sandbox_topups (
  organisation_id uuid not null,
  reference text not null,
  recipient text not null,
  network text not null,
  amount bigint not null,
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, reference)
);
create index sandbox_topups_by_age on sandbox_topups (created_datetime);

-- ---------------------------------------------------------------------------------------------------------------------
-- Hooks and the SMPP server
-- ---------------------------------------------------------------------------------------------------------------------

-- Endpoints for software with a fixed request format, such as identity servers. Found by name alone.
create table hooks (
  name text primary key check (name ~ '^[a-z]+-[0-9a-z]{16}$'),
  organisation_id uuid not null references organisations (id),
  kind text not null,
  -- Sealed; the client signs with it or presents it.
  secret text not null,
  created_datetime timestamptz not null default now()
);
create index hooks_by_organisation on hooks (organisation_id, name);

-- Accounts that may bind to the SMPP server. Found by system_id alone.
create table smpp_accounts (
  id uuid primary key,
  organisation_id uuid not null references organisations (id),
  -- SMPP allows fifteen characters.
  system_id text not null unique check (system_id ~ '^[0-9A-Za-z_.-]{1,15}$'),
  -- Keyed with the pepper: SMPP passwords are too short for a plain hash.
  password_hash bytea not null,
  -- Allowed networks; empty: any.
  allow_networks text[] not null default '{}',
  max_binds smallint not null check (max_binds between 1 and 100),
  rate_per_s integer not null check (rate_per_s between 1 and 10000),
  window_size smallint not null check (window_size between 1 and 1000),
  -- The meaning of data_coding 0.
  alphabet text not null check (alphabet in ('gsm7', 'latin1', 'ascii', 'gsm7-packed')),
  -- Whether inbound messages of the organisation are delivered to it.
  receives_texts boolean not null,
  created_datetime timestamptz not null default now()
);
create index smpp_accounts_by_organisation on smpp_accounts (organisation_id, id);

-- Binds of all processes, each held by a lease, to enforce max_binds.
create table smpp_binds (
  id uuid primary key,
  account_id uuid not null references smpp_accounts (id) on delete cascade,
  mode text not null check (mode in ('transmitter', 'receiver', 'transceiver')),
  address text not null,
  leased_until timestamptz not null,
  created_datetime timestamptz not null default now()
);
create index smpp_binds_by_account on smpp_binds (account_id);

-- Reports and inbound messages for receivers of an account. A claim moves `due` to the end of the lease; the row is
-- deleted when the receiver acknowledges it.
create table smpp_outbox (
  organisation_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  -- Which reports were requested, and of which segments; empty for an inbound message.
  address text not null,
  -- The event, in the format of callbacks.
  body text not null,
  attempts smallint not null default 0,
  due timestamptz not null default now(),
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, id)
);
create index smpp_outbox_due on smpp_outbox (organisation_id, account_id, due);

-- Long texts that are incomplete. The id becomes that of the message, so that every segment can be answered with it.
create table smpp_long_texts (
  organisation_id uuid not null,
  account_id uuid not null,
  sender text not null,
  recipient text not null,
  reference integer not null,
  total smallint not null check (total between 2 and 255),
  id uuid not null,
  -- By segment number; null: not received.
  segments text[] not null,
  -- The registered_delivery of each segment.
  wanted smallint[] not null,
  -- Of the segment received last.
  send_at timestamptz,
  expires_at timestamptz,
  created_datetime timestamptz not null,
  -- The user_message_reference of each segment, repeated in its report; null: none.
  user_references integer[] not null default '{}',
  -- Segments may also arrive through Kannel's sendsms: the URL for reports; null: over the account's bind.
  callback text,
  -- Low priority.
  is_bulk boolean not null default false,
  primary key (organisation_id, account_id, sender, recipient, reference, total)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Users and sign-in
-- ---------------------------------------------------------------------------------------------------------------------

-- Users of the console. Without an organisation they are operators of the installation.
create table users (
  id uuid primary key,
  organisation_id uuid references organisations,
  -- Null for the first operator until the link of the first start is used.
  email text,
  -- For comparison: lower case.
  email_key text,
  name text,
  -- With salt and cost; null until the link is used.
  password_hash text,
  -- Sealed; unconfirmed while totp_since is null.
  totp_secret bytea,
  totp_since timestamptz,
  -- The time step of the last accepted code: no code is accepted twice.
  totp_step bigint not null default 0,
  recovery_hashes bytea[] not null default '{}',
  disabled_datetime timestamptz,
  last_login_datetime timestamptz,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  -- Permissions in the organisation, see src/users/roles.ts. Operators need none.
  role text not null default 'owner'
    check (role in ('owner', 'admin', 'developer', 'marketer', 'finance', 'viewer')),
  -- The identity at an OpenID Connect provider, see docs/sign-in.md.
  issuer text check (length(issuer) between 1 and 500),
  subject text check (length(subject) between 1 and 255),
  -- The provider's name in the configuration at the last sign-in.
  provider text check (length(provider) between 1 and 40),
  -- A rule of the configuration assigned the role; it is removed when the rule no longer matches.
  role_by_provider boolean not null default false,
  -- Of the console; null: the browser's.
  language text check (language ~ '^[a-z]{2}$'),
  unique (issuer, subject),
  check (length(email) between 3 and 254),
  check (length(name) between 1 and 100),
  check ((email is null) = (email_key is null)),
  check (password_hash is null or email is not null),
  check (totp_since is null or totp_secret is not null),
  check ((issuer is null) = (subject is null) and (issuer is null) = (provider is null)),
  check (issuer is not null or not role_by_provider),
  -- A user that the provider has removed must not sign in with a password.
  check (issuer is null or password_hash is null)
);
create index users_by_organisation on users (organisation_id, id);
-- An address is unique per organisation and among operators. If it were unique in the installation, an invitation would
-- reveal that another organisation has the address.
create unique index users_address on users (organisation_id, email_key) where organisation_id is not null;
create unique index users_operator_address on users (email_key) where organisation_id is null;
create index users_by_address on users (email_key);

-- One-time links to set a password.
create table user_links (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id uuid not null references users,
  expires_datetime timestamptz not null,
  used_datetime timestamptz,
  created_datetime timestamptz not null default now(),
  -- Created at the command line: signs an operator in for an hour without a password.
  enters boolean not null default false
);
create index user_links_by_user on user_links (user_id);

create table user_sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  id uuid not null unique,
  user_id uuid not null references users,
  address text,
  user_agent text,
  seen_datetime timestamptz not null default now(),
  expires_datetime timestamptz not null,
  created_datetime timestamptz not null default now(),
  -- The provider has identified the user; the second factor is missing.
  waits_for_code boolean not null default false
);
create index user_sessions_by_user on user_sessions (user_id, id);

-- Sessions that last as long as the OpenID Connect provider confirms them.
create table provider_sessions (
  session_id uuid primary key references user_sessions (id) on delete cascade,
  issuer text not null,
  subject text not null,
  -- The provider's session id, for back-channel logout.
  sid text,
  -- Sealed.
  tokens bytea not null,
  -- When the provider is asked next, and when the session ends without an answer.
  due_datetime timestamptz not null,
  stands_until timestamptz not null
);
create index provider_sessions_by_due on provider_sessions (issuer, due_datetime);
create index provider_sessions_by_subject on provider_sessions (issuer, subject);

-- Browsers that have signed in before. Their failed attempts are counted separately from those of unknown browsers, so
-- that an attacker's guesses do not lock users out. Several users may share a browser.
create table user_devices (
  user_id uuid not null references users,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  seen_datetime timestamptz not null default now(),
  created_datetime timestamptz not null default now(),
  primary key (user_id, token_hash)
);
create index user_devices_by_token on user_devices (token_hash);

-- Failed sign-ins per client address and per account, existing or not. The key is a hash.
create table login_tries (
  key bytea primary key check (octet_length(key) = 32),
  tries integer not null check (tries >= 0),
  until_datetime timestamptz not null
);

-- Changes made by users. Entries of the installation have the nil organisation.
create table audit_entries (
  organisation_id uuid not null,
  id uuid not null,
  user_id uuid,
  -- The user's email address, or the origin of the change.
  actor text not null,
  address text,
  action text not null,
  subject text,
  before jsonb,
  after jsonb,
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, id)
);

-- Named filters of the page of messages, per user and organisation.
create table saved_views (
  organisation_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null check (length(name) between 1 and 60),
  query jsonb not null check (jsonb_typeof(query) = 'object'),
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, id),
  unique (organisation_id, user_id, name)
);

-- Erasures of people: receipts, and the progress of those that are running. The number is sealed until the erasure ends;
-- then only its keyed hash remains, which also replaces the number in other tables.
create table erasures (
  organisation_id uuid not null,
  id uuid not null,
  number_hash text not null,
  sealed_number bytea,
  asked_by text not null check (length(asked_by) between 1 and 300),
  -- Includes tables shared by all organisations: for the operator, or where there is only one organisation.
  everywhere boolean not null default false,
  status text not null default 'running' check (status in ('running', 'done')),
  -- Rounds scan the tables one after the other until a round finds nothing: the round, the current table, the key from
  -- which to continue, and the rows found and skipped in this round.
  round integer not null default 1,
  at_table text not null default '',
  place jsonb,
  found_now integer not null default 0,
  left_now integer not null default 0,
  -- Rows by table over all rounds, and tables with rows that are leased at the moment.
  found jsonb not null default '{}',
  waits_for text[] not null default '{}',
  created_datetime timestamptz not null default now(),
  ended_datetime timestamptz,
  primary key (organisation_id, id),
  check ((status = 'running') = (sealed_number is not null)),
  check ((status = 'done') = (ended_datetime is not null))
);
-- One erasure of a number at a time: a repeated request returns the running one.
create unique index erasures_running on erasures (organisation_id, number_hash) where status = 'running';

-- ---------------------------------------------------------------------------------------------------------------------
-- Observability and operations
-- ---------------------------------------------------------------------------------------------------------------------

-- Events per minute, counted in memory and added here once a second. See docs/decisions/0017.
create table activity (
  organisation_id uuid not null,
  minute timestamptz not null,
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
  primary key (organisation_id, minute)
);
create index activity_by_age on activity (minute);

-- Outcomes of the messages accepted in an hour, by dimension and value. See docs/decisions/0048. The dimension `all` has
-- one row; the value `*` aggregates values beyond the limit of an hour. After about a year the hours of a day are folded
-- into one row at its first hour.
create table analytics (
  organisation_id uuid not null,
  dimension text not null check (
    dimension in ('all', 'channel', 'country', 'operator', 'sender', 'route', 'error', 'template')
  ),
  hour timestamptz not null,
  value text not null check (length(value) <= 100),
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
  primary key (organisation_id, dimension, hour, value)
) with (fillfactor = 70);
create index analytics_by_age on analytics (is_day, hour) where dimension = 'all';

-- API requests of an organisation, one row per process and second. What is searched is stored apart from bodies and
-- responses, which are large and rarely read.
create table request_bursts (
  organisation_id uuid not null,
  id uuid not null,
  -- Requests of that second; more than are stored if there were many.
  seen integer not null check (seen > 0),
  request_ids text[] not null,
  calls jsonb not null,
  contents jsonb not null,
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, id)
);
create index request_bursts_by_request_id on request_bursts using gin (organisation_id, request_ids);

-- Organisations whose live view is open; events of others are not published.
create unlogged table live_watchers (
  organisation_id uuid primary key,
  until_datetime timestamptz not null
);

-- Scheduled backups. One without an end is running, or its process died.
create table backups (
  id uuid primary key,
  file text not null,
  begun_datetime timestamptz not null default now(),
  ended_datetime timestamptz,
  bytes bigint,
  -- Why there is no file.
  fault text
);
create index backups_by_age on backups (begun_datetime);
