-- A message to many is accepted as a few packs: recipients who share everything but their number, as one text. A worker
-- turns each into deliveries and queue entries; until then the views below show them as the deliveries they will be.
create table packs (
  organisation_id uuid not null,
  message_id uuid not null,
  number integer not null,
  route text not null,
  pages smallint not null check (pages > 0),
  charge bigint not null check (charge >= 0),
  size integer not null check (size > 0),
  first_position integer not null,
  positions integer[] check (cardinality(positions) = size),
  recipients text not null,
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, message_id, number)
) with (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0,
  toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 4000,
  toast.autovacuum_vacuum_cost_delay = 0
);
comment on column packs.charge is 'Of each recipient.';
comment on column packs.positions is 'Where the recipients were in the list; null: one after the other from first_position.';
comment on column packs.recipients is 'Cleaned numbers with commas between them.';
-- Gone again soon: compressing them would take longer than writing them.
alter table packs alter column recipients set storage external;
alter table packs alter column positions set storage external;

create view packed_deliveries as
  select organisation_id, message_id, given.recipient,
    coalesce(given.position, first_position + given.n::integer - 1) as position,
    'queued'::text as status, pages, charge, route, created_datetime, first_position
  from packs
  cross join lateral unnest(string_to_array(recipients, ','), positions) with ordinality as given (recipient, position, n);

-- Every delivery there is, in a pack or by itself. Who asks once sees each exactly once.
create view every_delivery as
  select organisation_id, message_id, recipient, position, status, text, pages, charge, refunded, route, carrier, code,
    description, send_at, clicked_datetime, created_datetime, updated_datetime, sent_datetime
  from deliveries
  union all
  select organisation_id, message_id, recipient, position, status, null, pages, charge, false, route, null, null,
    null, null, null, created_datetime, null, null
  from packed_deliveries;
