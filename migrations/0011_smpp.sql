-- SMPP: routes with several carriers, messages in parts, ids as carriers write them, binds held by one process, and
-- parts of texts that people send.

-- The carriers that refused a delivery before the present one was tried, in order.
alter table deliveries add column tried text[];

-- A carrier's ids are kept with their letters folded and without leading zeros, because reports spell them otherwise
-- than answers did. They are not unique: a message centre that restarts counts from one again. A message in parts has a
-- row for each; what was reported on a part is written there, and only there, until the parts decide together.
alter table submissions drop constraint submissions_pkey;
update submissions set carrier_message_id = lower(regexp_replace(carrier_message_id, '^0+(?=.)', ''));
alter table submissions
  add column part smallint not null default 1,
  add column parts smallint not null default 1,
  add column status text check (status in ('delivered', 'undelivered', 'expired', 'rejected', 'unknown')),
  add column code text,
  add column description text,
  add check (part between 1 and parts);
create index submissions_by_carrier_message on submissions (carrier, carrier_message_id);
create index submissions_by_delivery on submissions (organisation_id, message_id, recipient) where parts > 1;

alter table reports
  -- The kept ids it may mean, likeliest first; null: the id as it is.
  add column keys text[],
  -- The number it speaks of, where it says so, and how many of the keys are believed without it.
  add column recipient text,
  add column certain smallint not null default 1;

-- How a carrier's reports write the ids of its answers, once that is known from enough of them.
create table carrier_id_modes (
  carrier text primary key,
  mode text not null check (mode in ('raw', 'resp_hex_dlr_dec', 'resp_dec_dlr_hex')),
  learned_datetime timestamptz not null default now()
);

-- The binds of SMPP carriers. A bind belongs to the process whose lease has not run out; what the operator sees of it
-- is what that process wrote last.
create table carrier_binds (
  carrier text not null,
  bind smallint not null check (bind > 0),
  holder uuid,
  lease_until timestamptz not null default '-infinity',
  state text not null default 'stopped',
  -- When it was last seen bound; a carrier none of whose binds has been for long is passed over.
  bound_datetime timestamptz,
  figures jsonb,
  pdus jsonb,
  updated_datetime timestamptz not null default now(),
  primary key (carrier, bind)
) with (fillfactor = 30);

-- Parts of texts from handsets, until the last one is here or will not come.
create table inbound_parts (
  carrier text not null,
  sender text not null,
  destination text not null,
  reference integer not null,
  parts smallint not null check (parts > 1),
  part smallint not null check (part between 1 and parts),
  text text not null,
  received_datetime timestamptz not null default now(),
  primary key (carrier, sender, destination, reference, parts, part)
);
create index inbound_parts_by_age on inbound_parts (received_datetime);
