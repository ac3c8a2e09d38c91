-- A message to many people, with a life of its own: worked out whole before it leaves, then sent slice by slice.
create table campaigns (
  organisation_id uuid not null,
  id uuid not null,
  name text not null check (name <> ''),
  status text not null default 'draft' check (status in (
    'draft', 'estimating', 'estimated', 'scheduled', 'running', 'paused', 'finished', 'cancelled'
  )),
  -- Asked for by POST /sms/send with a smartlist: it goes without anybody looking at its estimate.
  is_list_send boolean not null default false,
  -- Who gets it: whoever is in the smartlist and fits the filters, or who was uploaded.
  smartlist_id uuid,
  filters jsonb not null default '[]',
  -- The column the numbers stand in.
  number smallint,
  uploads integer not null default 0,
  uploaded integer not null default 0,
  message jsonb not null,
  texts jsonb not null,
  send_at timestamptz,
  pace_per_hour integer check (pace_per_hour > 0),
  quiet_from text,
  quiet_until text,
  idempotency_key text,
  request_hash bytea,
  -- Counts what was asked of the workers: a job of an earlier run has nothing more to do.
  run integer not null default 0,
  -- How far the people were walked through, and what was found.
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
  -- How far it was sent.
  accepted integer not null default 0,
  charged bigint not null default 0,
  dropped integer not null default 0,
  taken_back integer not null default 0,
  given_back bigint not null default 0,
  all_accepted boolean not null default false,
  next_at timestamptz,
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

-- Who was uploaded, a part of the list in each row.
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

-- Numbers that were met already, so that each gets it once. Of use only while the people are walked through.
create table campaign_recipients (
  organisation_id uuid not null,
  campaign_id uuid not null,
  estimate integer not null,
  recipient text not null,
  primary key (organisation_id, campaign_id, estimate, recipient)
);

-- Who is left out and why; a row for each step of the walk.
create table campaign_left_out (
  organisation_id uuid not null,
  campaign_id uuid not null,
  step integer not null,
  entries jsonb not null,
  primary key (organisation_id, campaign_id, step)
);

-- A slice goes out as one message. `recipients` are lists of a number and the values for the placeholders.
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
  -- Not handed over yet, as far as was counted.
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

-- What became of it: counters by text, outcome, reason, operator and hour.
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

-- What was sent to smartlists before. Whatever had begun stops: what of its next part had left is not known here.
insert into campaigns
  (organisation_id, id, name, status, is_list_send, smartlist_id, number, message, texts, send_at, idempotency_key,
   request_hash, run, gathered, rows, people, charge, left_out, accepted, charged, dropped, all_accepted, fault,
   created_datetime, updated_datetime, ended_datetime)
select organisation_id, id, 'Smartlist', case
    when status = 'queued' or (status = 'running' and rows = 0) then 'scheduled'
    when status = 'done' then 'finished'
    else 'cancelled'
  end, true, smartlist_id, number, message - 'content' - 'template_id' - 'template_version' - 'send_at',
  jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
    'content', message -> 'content', 'template_id', message -> 'template_id',
    'template_version', message -> 'template_version', 'share', 100
  ))),
  (message ->> 'send_at')::timestamptz, idempotency_key, request_hash, 1, status not in ('queued', 'running'), rows,
  accepted, charge,
  jsonb_build_object('twice', duplicates, 'no_number', without_number, 'incomplete', incomplete),
  accepted, charge, refused, status = 'done',
  case when status = 'running' and rows > 0 then 'The service was renewed while this was being sent.' else fault end,
  created_datetime, updated_datetime,
  case when status = 'queued' or (status = 'running' and rows = 0) then null else updated_datetime end
from contact_sends;
delete from jobs
using contact_sends
where queue = 'contacts:send' and jobs.organisation_id = contact_sends.organisation_id
  and jobs.subject_id = contact_sends.id and contact_sends.rows > 0;
update jobs set queue = 'campaigns', subject_key = '1' where queue = 'contacts:send';
insert into jobs (queue, priority, lane, organisation_id, subject_id, subject_key, run_at)
select 'campaigns:count', priority, lane, organisation_id, subject_id, subject_key, run_at
from jobs where queue = 'campaigns';
drop table contact_send_recipients;
drop table contact_sends;
