-- What was accepted is itself the queue of what is new. A row holds the messages of a burst, or a slice of a long list,
-- of one organisation, route and priority, as the accepting function wrote it; who hands them over writes messages and
-- deliveries, with what became of them, and takes the row away. See docs/decisions/0031-one-intake.md.
create table intake (
  organisation_id uuid not null,
  id uuid not null,
  route text not null,
  priority smallint not null,
  first_id uuid not null,
  last_id uuid not null check (last_id >= first_id),
  size integer not null check (size > 0),
  first_position integer not null default 0,
  handed integer not null default 0 check (handed between 0 and size),
  claims smallint not null default 0,
  line bigint not null,
  leased_until timestamptz,
  created_datetime timestamptz not null default now(),
  messages text not null,
  primary key (organisation_id, id)
) with (
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0, toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 4000,
  toast.autovacuum_vacuum_cost_delay = 0
);
comment on column intake.first_id is 'The lowest id of its messages; last_id is the highest.';
comment on column intake.size is 'How many recipients its messages have together.';
comment on column intake.first_position is 'The first place that its recipients have in the list of their message.';
comment on column intake.handed is 'How many of them may be with a carrier: written before they are handed over.';
comment on column intake.line is 'The ledger line they were charged by.';
comment on column intake.leased_until is 'Until then it is in the hands of a process; null: nobody has had it.';
comment on column intake.messages is 'JSON objects with a comma and a line break between them, see functions/intake.sql.';
-- Gone again soon: compressing it would take longer than writing it.
alter table intake alter column messages set storage external;
create index intake_by_route on intake (route, priority, organisation_id, id);
create index intake_by_last_id on intake (organisation_id, last_id);

-- One line for the messages of a burst; each message knows its own.
alter table ledger_lines add column last_subject_id uuid;
alter table ledger_lines add column subjects integer not null default 1 check (subjects > 0);
comment on column ledger_lines.last_subject_id is 'Where a line is for several: the highest of their ids, subject_id is the lowest.';
comment on column ledger_lines.subjects is 'How many messages or purchases the line is for.';
alter table messages add column line bigint;
comment on column messages.line is 'The ledger line it was charged by; null for those of old, which had lines of their own.';

-- Balance and line are written by two statements of one function: whether they belong together is seen at the end.
drop trigger balance_has_its_line on balances;
create constraint trigger balance_has_its_line after insert or update on balances
  deferrable initially deferred for each row execute function balance_has_its_line();

-- What waits in packs and bundles becomes the rows it would have become; they were the intake before this one.
with taken as (
  delete from bundles returning organisation_id, messages, created_datetime
),
given as (
  select organisation_id, message.*, created_datetime from taken cross join lateral messages_in(messages) message
),
message as (
  insert into messages
    (organisation_id, id, channel, sender_id, content, template_id, template_version, personalisation, external_ref,
     is_trackable, callback, encoding, message_length, pages, charge, created_datetime)
  select organisation_id, id, channel, sender_id, content, template_id, template_version, personalisation,
    external_ref, is_trackable, callback, encoding, message_length, pages, charge, created_datetime
  from given
),
one as (
  select given.organisation_id, given.id as message_id, priority, created_datetime, delivery.*
  from given cross join lateral deliveries_in(deliveries) delivery
),
delivery as (
  insert into deliveries
    (organisation_id, message_id, recipient, position, status, pages, charge, route, text, whatsapp, created_datetime)
  select organisation_id, message_id, recipient, position, 'queued', pages, charge, route, text, whatsapp,
    created_datetime
  from one
)
insert into jobs (queue, priority, lane, organisation_id, subject_id, subject_key)
select 'route:' || route, priority, organisation_id, organisation_id, message_id, recipient from one;

with taken as (
  delete from packs
  returning organisation_id, message_id, route, pages, charge, first_position, positions, recipients, texts,
    created_datetime
),
given as (
  select organisation_id, message_id, one.recipient,
    coalesce(one.position, first_position + one.n::integer - 1) as position, pages, charge, route, one.text,
    created_datetime
  from taken
  cross join lateral unnest(string_to_array(recipients, ','), positions, texts) with ordinality
    as one (recipient, position, text, n)
  where exists (
    select from messages where messages.organisation_id = taken.organisation_id and messages.id = taken.message_id
  )
),
delivery as (
  insert into deliveries
    (organisation_id, message_id, recipient, position, status, pages, charge, route, text, created_datetime)
  select organisation_id, message_id, recipient, position, 'queued', pages, charge, route, text, created_datetime
  from given
)
insert into jobs (queue, priority, lane, organisation_id, subject_id, subject_key)
select 'route:' || route, 2, organisation_id, organisation_id, message_id, recipient from given;

delete from jobs where queue in ('unpack', 'unbundle');
drop view every_delivery, every_message, bundled_deliveries, bundled_messages, packed_deliveries;
drop function deliveries_in, messages_in;
drop table bundles, packs;
