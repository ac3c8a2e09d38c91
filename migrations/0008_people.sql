-- Sender IDs with the operator's word on each, people who want no messages, texts that people send, and messages that
-- wait for their time.

-- A name, short code or number that messages come from. In live mode only approved ones are used.
create table senders (
  organisation_id uuid not null references organisations (id),
  id uuid not null,
  -- Names have at most 11 characters; numbers that texts are received on may be longer.
  sender_id text not null check (sender_id ~ '^[A-Za-z0-9 ._&-]{1,11}$' or sender_id ~ '^[0-9]{12,15}$'),
  -- As it is compared: without case.
  sender_key text not null generated always as (lower(sender_id)) stored,
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected')),
  class text not null default 'transactional' check (class in ('transactional', 'promotional')),
  -- What the organisation says it is for, and why the operator decided as it did.
  note text,
  reason text,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id),
  unique (organisation_id, sender_key)
);
-- A number or short code belongs to one organisation, or nobody could tell whom a text to it is for.
create unique index senders_by_number on senders (sender_id) where state = 'approved' and sender_id ~ '^[0-9]+$';

-- What organisations send as by default goes on working. Of several that use one number the oldest has it.
insert into senders (organisation_id, id, sender_id, state)
select id, gen_random_uuid(), default_sender_id,
  case when default_sender_id ~ '^[0-9]+$' and row_number() over (partition by default_sender_id order by created_datetime, id) > 1
    then 'pending' else 'approved' end
from organisations where mode = 'live' and default_sender_id ~ '^[A-Za-z0-9 ._&-]{1,11}$';

-- Who has asked an organisation for silence.
create table optouts (
  organisation_id uuid not null,
  -- In the order of its digits, so that numbers are found by how they begin.
  recipient text collate "C" not null,
  id uuid not null,
  -- By a text such as STOP, or by the organisation itself.
  source text not null check (source in ('text', 'api')),
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, recipient)
);
create unique index optouts_by_id on optouts (organisation_id, id);

-- Texts that people sent. Those that nobody here owns the number of lie under the organisation of zeros.
create table inbound_messages (
  organisation_id uuid not null,
  id uuid not null,
  "from" text not null,
  "to" text not null,
  channel text not null check (channel in ('sms', 'whatsapp')),
  text text not null,
  -- What the text asks of us, where it is such a word.
  keyword text check (keyword in ('stop', 'start', 'help')),
  carrier text not null,
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, id)
);
create index inbound_messages_by_from on inbound_messages (organisation_id, "from", id);

-- What carriers call the texts we have, so that one handed over twice is kept once.
create table inbound_ids (
  carrier text not null,
  received_id text not null,
  received_datetime timestamptz not null default now(),
  primary key (carrier, received_id)
);
create index inbound_ids_by_age on inbound_ids (received_datetime);

-- When a delivery that had to wait was to go; one job per message and moment lies in the queue `scheduled`.
alter table deliveries add send_at timestamptz;
