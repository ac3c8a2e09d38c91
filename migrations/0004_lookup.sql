-- What is known about phone numbers beyond their prefix. These are facts about numbers, not about customers, so they
-- belong to no organisation. A number is its digits as an integer: eight bytes, and the key of every table here.

-- Registries, imported from files. Their age is that of the import, so a line carries nothing it need not.
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

-- An import under way: how far it has come, so that it can go on where it was interrupted.
create table number_imports (
  kind text primary key check (kind in ('ported', 'dnd')),
  -- Which file, as far as one can tell without reading it: its size, the time of its last change, its first bytes.
  fingerprint text not null,
  mode text not null check (mode in ('merge', 'replace')),
  bytes_done bigint not null default 0,
  lines_done bigint not null default 0,
  rejected bigint not null default 0,
  rejects_bytes bigint not null default 0
);

-- The lines read so far. Written in order and without an index; put in their place, sorted, at the end.
create table ported_import_lines (
  line bigint not null,
  msisdn bigint not null,
  operator text not null
) with (autovacuum_enabled = false);

create table dnd_import_lines (
  line bigint not null,
  msisdn bigint not null
) with (autovacuum_enabled = false);

-- What carriers told in passing, with the day they did: numbers change hands.
create table carrier_facts (
  msisdn bigint primary key,
  operator text,
  operator_noted timestamptz,
  dnd_noted timestamptz,
  check ((operator is null) = (operator_noted is null))
);
create index carrier_facts_by_age on carrier_facts (greatest(operator_noted, dnd_noted));

-- What the lookup provider answered, for as long as it counts as fresh.
create table provider_answers (
  msisdn bigint primary key,
  operator text,
  ported boolean,
  dnd boolean,
  asked_datetime timestamptz not null default now()
);
create index provider_answers_by_age on provider_answers (asked_datetime);

-- The operator a carrier names in its report, where it does.
alter table reports add column operator text;
