-- Plans of probes: texts sent through one carrier to numbers of ours, with one sender, to see what arrives.
create table probe_plans (
  id uuid primary key,
  name text not null unique check (name ~ '^[a-z0-9-]{1,40}$'),
  carrier text not null,
  -- Of the numbers that it sends to.
  country text not null,
  operator text not null,
  sender_id text not null,
  -- Texts, each with one placeholder for a code or a word that identifies the probe.
  wordings text[] not null check (cardinality(wordings) between 1 and 20),
  -- The most probes of any 24 hours.
  per_day integer not null check (per_day between 1 and 500),
  -- The hours of the day in which it sends, in all time zones of the country.
  from_hour smallint not null check (from_hour between 0 and 23),
  to_hour smallint not null check (to_hour between from_hour + 1 and 24),
  -- When the next probe is due; null: the plan is switched off.
  next_datetime timestamptz,
  -- Probes that were sent or tried: numbers and wordings are used in rotation.
  probes bigint not null default 0,
  -- Why the last probe was not sent; null: it was.
  problem text,
  changed_by text not null,
  changed_datetime timestamptz not null default now()
);
create index probe_plans_due on probe_plans (next_datetime) where next_datetime is not null;

-- Probes, stored before they are submitted so that none is sent twice. They outlive their plan. See docs/decisions/0082.
create table probes (
  id uuid primary key,
  plan text not null,
  carrier text not null,
  country text not null,
  operator text not null,
  sender_id text not null,
  -- The carrier that the receiving phone belongs to, and its number.
  phone_carrier text not null,
  recipient text not null,
  text text not null,
  -- The code or word in the text.
  mark text not null,
  submitted_datetime timestamptz not null default now(),
  -- The carrier's answer; `submitting`: not yet known.
  outcome text not null default 'submitting'
    check (outcome in ('submitting', 'accepted', 'rejected', 'temporary', 'held', 'undelivered', 'unknown')),
  outcome_reason text,
  -- The carrier's ids of its segments, and those of them that were reported as delivered.
  carrier_message_ids text[] not null default '{}',
  delivered_ids text[] not null default '{}',
  -- The carrier's final report; null: none has come.
  report text check (report in ('delivered', 'undelivered', 'expired', 'rejected', 'unknown')),
  report_code text,
  reported_datetime timestamptz,
  -- When the phone has passed the text on to us; null: it has not arrived.
  arrived_datetime timestamptz,
  -- As the phone displays them; the text is null if it is the one that was sent.
  displayed_sender text,
  displayed_text text,
  -- `part`: a part of the text, because the network broke it up.
  displayed text check (displayed in ('equal', 'changed', 'part'))
);
create index probes_by_plan on probes (plan, id);
create unique index probes_by_mark on probes (recipient, mark);
create index probes_by_carrier_ids on probes using gin (carrier_message_ids);
create index probes_submitting on probes (submitted_datetime) where outcome = 'submitting';
