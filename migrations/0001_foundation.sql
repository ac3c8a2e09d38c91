-- Organisations, their keys and money, messages with their deliveries, the queue, callbacks, and the sandbox's phones.
--
-- Every table that grows has organisation_id first in its primary key, so that the schema can be distributed by
-- organisation. The busy tables carry no foreign keys: each would cost a probe and a row lock per line written, and
-- rows are only ever written by the statements of one store that has just checked the parent.

create table organisations (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  mode text not null check (mode in ('live', 'test')),
  -- A test twin points to the organisation it was made with.
  twin_of uuid unique references organisations (id),
  default_country text not null check (default_country ~ '^[A-Z]{2}$'),
  default_sender_id text check (length(default_sender_id) between 1 and 11),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The newest first; two while a rotation is under way.
  callback_secrets text[] not null check (cardinality(callback_secrets) between 1 and 2),
  created_datetime timestamptz not null default now(),
  check ((mode = 'test') = (twin_of is not null))
);

create table api_keys (
  id uuid primary key,
  organisation_id uuid not null references organisations (id),
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  -- The first and last characters, enough to recognise a key in a list.
  hint text not null,
  name text,
  -- Null means every scope.
  scopes text[] check (scopes <@ array['sms', 'otp', 'airtime', 'lookup', 'lists']),
  expires_datetime timestamptz,
  revoked_datetime timestamptz,
  created_datetime timestamptz not null default now()
);
create index api_keys_by_organisation on api_keys (organisation_id, id);

-- Money is counted in ten-thousandths of the currency unit.
create table balances (
  organisation_id uuid primary key references organisations (id),
  balance bigint not null default 0 check (balance >= 0),
  -- The number of the newest ledger line.
  sequence bigint not null default 0 check (sequence >= 0)
) with (fillfactor = 20);

create table ledger_lines (
  organisation_id uuid not null,
  sequence bigint not null check (sequence > 0),
  kind text not null check (kind in ('opening', 'top_up', 'adjustment', 'message', 'airtime', 'lookup', 'refund')),
  amount bigint not null,
  balance_after bigint not null check (balance_after >= 0),
  -- What the line is for: a message, a purchase, a top-up; for a refund also which of its recipients.
  subject_id uuid not null,
  subject_key text not null default '',
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, sequence),
  -- Nothing is charged twice and nothing is refunded twice.
  unique (organisation_id, subject_id, kind, subject_key)
);

create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'ledger lines are never changed or removed';
end $$;
create trigger ledger_lines_stay before update or delete or truncate on ledger_lines
  for each statement execute function ledger_is_append_only();

-- Each new line continues the one before it. Together with the next trigger this makes the balance the sum of the
-- lines, by induction, at the price of two probes by key per burst and organisation. The probes are statements of
-- their own, so that no plan made while the table was small can turn them into a scan of it.
create function ledger_lines_continue() returns trigger language plpgsql as $$
declare
  burst record;
  balance_before bigint;
  newest_sequence bigint;
begin
  for burst in
    select organisation_id, min(sequence) as first, max(sequence) as last, count(*) as lines,
      min(array[sequence, balance_after - amount]) as start,
      bool_and(continues) as continues
    from (
      select *, coalesce(
          sequence = lag(sequence) over chain + 1 and balance_after = lag(balance_after) over chain + amount, true
        ) as continues
      from added
      window chain as (partition by organisation_id order by sequence)
    ) line
    group by organisation_id
  loop
    select balance_after into balance_before from ledger_lines
    where organisation_id = burst.organisation_id and sequence = burst.first - 1;
    if not burst.continues
      or (burst.first > 1 and balance_before is null)
      or coalesce(balance_before, 0) <> burst.start[2] then
      raise exception 'a ledger line does not continue the one before it';
    end if;
    select sequence into newest_sequence from balances where organisation_id = burst.organisation_id;
    if newest_sequence is distinct from burst.last then
      raise exception 'a ledger line was written without its balance';
    end if;
  end loop;
  return null;
end $$;
create trigger ledger_lines_continue after insert on ledger_lines
  referencing new table as added for each statement execute function ledger_lines_continue();

create function balance_has_its_line() returns trigger language plpgsql as $$
begin
  if new.sequence = 0 then
    if new.balance <> 0 then
      raise exception 'a balance without ledger lines must be zero';
    end if;
  elsif not exists (
    select 1 from ledger_lines
    where organisation_id = new.organisation_id and sequence = new.sequence and balance_after = new.balance
  ) then
    raise exception 'a balance was changed without its ledger line';
  end if;
  return null;
end $$;
create constraint trigger balance_has_its_line after insert or update on balances
  for each row execute function balance_has_its_line();

create table idempotency_keys (
  organisation_id uuid not null,
  key text not null check (length(key) between 1 and 255),
  request_hash bytea not null,
  answer text not null,
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_datetime);

create table messages (
  organisation_id uuid not null,
  id uuid not null,
  channel text not null check (channel in ('sms', 'whatsapp')),
  sender_id text,
  content text,
  template_id text,
  personalisation jsonb,
  external_ref text,
  is_trackable boolean not null default false,
  callback text,
  encoding text not null check (encoding in ('GSM', 'UCS-2')),
  message_length integer not null,
  pages smallint not null check (pages > 0),
  charge bigint not null check (charge >= 0),
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, id)
);
create index messages_by_external_ref on messages (organisation_id, external_ref, id)
  where external_ref is not null;

-- One recipient of a message. No index but the key, so that a change of state stays on its page.
create table deliveries (
  organisation_id uuid not null,
  message_id uuid not null,
  recipient text not null,
  position integer not null,
  status text not null check (status in
    ('scheduled', 'queued', 'sent', 'delivered', 'undelivered', 'expired', 'rejected', 'failed', 'unknown', 'canceled')),
  -- The text of this recipient where it differs from the message's content.
  text text,
  pages smallint not null check (pages > 0),
  charge bigint not null check (charge >= 0),
  refunded boolean not null default false,
  route text not null,
  carrier text,
  code text,
  description text,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, message_id, recipient),
  -- Only what was never carried is given back.
  check (not refunded or status in ('failed', 'rejected', 'canceled'))
) with (fillfactor = 80);

-- The queue. A job is due when run_at has passed; claiming it moves run_at to the end of the lease. A job that is due
-- while still in hand belonged to a worker that died. The lane keeps one customer, or one slow endpoint, from standing
-- in front of the others.
create table jobs (
  id bigint generated always as identity primary key,
  queue text not null,
  priority smallint not null default 1,
  lane uuid not null,
  run_at timestamptz not null default now(),
  attempts smallint not null default 0,
  in_hand boolean not null default false,
  organisation_id uuid not null,
  subject_id uuid not null,
  subject_key text not null default ''
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
create index jobs_due on jobs (queue, priority, lane, run_at);

-- The token bucket of a queue with a rate, shared by all processes.
create table queue_rates (
  queue text primary key,
  tokens double precision not null,
  refilled timestamptz not null default clock_timestamp()
) with (fillfactor = 20);

-- What a carrier calls the messages it took from us, to find them again when it reports.
create table submissions (
  carrier text not null,
  carrier_message_id text not null,
  organisation_id uuid not null,
  message_id uuid not null,
  recipient text not null,
  report_due timestamptz not null,
  primary key (carrier, carrier_message_id)
);
create index submissions_by_report_due on submissions (report_due);

-- What carriers said, stored before it is acknowledged to them and removed once it has found its delivery.
create table reports (
  id uuid primary key,
  carrier text not null,
  carrier_message_id text not null,
  status text not null,
  code text,
  description text,
  received_datetime timestamptz not null default now()
);
create index reports_by_age on reports (received_datetime);

-- How far a sweep over time has come.
create table sweeps (
  name text primary key,
  done_until timestamptz not null
);

create table callbacks (
  organisation_id uuid not null,
  id uuid not null,
  type text not null,
  url text not null,
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'stopped', 'failed')),
  attempts smallint not null default 0,
  -- The message or purchase it tells about.
  subject_id uuid not null,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id)
) with (fillfactor = 90);
create index callbacks_by_subject on callbacks (organisation_id, subject_id);

create table callback_attempts (
  organisation_id uuid not null,
  callback_id uuid not null,
  attempt smallint not null,
  status_code integer,
  reason text,
  excerpt text,
  duration_ms integer not null,
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, callback_id, attempt)
);

-- What the virtual handsets of the sandbox show.
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
create index sandbox_messages_by_age on sandbox_messages (created_datetime);
