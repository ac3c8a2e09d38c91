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
comment on column intake.handed is 'How many of them may be with a carrier: written before they are handed over.';
comment on column intake.line is 'The ledger line they were charged by.';
comment on column intake.leased_until is 'Until then it is in the hands of a process; null: nobody has had it.';
comment on column intake.messages is 'JSON objects with a comma and a line break between them, see functions/intake.sql.';
-- Gone again soon: compressing it would take longer than writing it.
alter table intake alter column messages set storage external;
create index intake_by_route on intake (route, priority, organisation_id, id);

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
