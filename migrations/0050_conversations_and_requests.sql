-- A conversation begins with a text that somebody wrote, and its row is written with each of them: a message that goes
-- out costs nothing here. What was sent to the number is found where it is. Answers from a conversation are noted.
create table conversations (
  organisation_id uuid not null,
  phone text not null check (phone ~ '^[0-9]{7,15}$'),
  -- The newest text of the person, or the newest answer to it: the list goes by it.
  id uuid not null,
  direction text not null check (direction in ('in', 'out')),
  -- Of the newest text that came: how it came, and to which of our numbers.
  channel text not null check (channel in ('sms', 'whatsapp')),
  "to" text not null,
  received_datetime timestamptz not null,
  -- How many texts came, and how many of them somebody has read. Counted under the lock of the row, so that a text that
  -- is stored while somebody reads is not taken for read.
  received bigint not null check (received > 0),
  read bigint not null default 0 check (read >= 0 and read <= received),
  primary key (organisation_id, phone)
);
create unique index conversations_by_id on conversations (organisation_id, id);

-- What was there before has been dealt with.
insert into conversations (organisation_id, phone, id, direction, channel, "to", received_datetime, received, read)
select distinct on (organisation_id, "from") organisation_id, "from", id, 'in', channel, "to", created_datetime,
  count(*) over (partition by organisation_id, "from"), count(*) over (partition by organisation_id, "from")
from inbound_messages
where organisation_id <> '00000000-0000-0000-0000-000000000000' and "from" ~ '^[0-9]{7,15}$'
order by organisation_id, "from", id desc;

-- The calls an organisation made, a row for all that a process answered in a second. What is looked through lies apart
-- from bodies and answers, which are long and seldom wanted.
create table request_bursts (
  organisation_id uuid not null,
  id uuid not null,
  -- Calls of that second; more than are kept where there were many.
  seen integer not null check (seen > 0),
  request_ids text[] not null,
  calls jsonb not null,
  contents jsonb not null,
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, id)
);
create index request_bursts_by_request_id on request_bursts using gin (organisation_id, request_ids);

-- The lines that are not for messages, by their kind. Those for messages are most, and found without it: the index costs
-- a message nothing.
create index ledger_lines_by_kind on ledger_lines (organisation_id, kind, sequence) where kind <> 'message';
