-- Where a column stands in the table; those of one place, such as all from before this, by their number. Numbers only
-- grow, so a new column, whose place is its number, stands behind all others.
alter table contact_columns add position smallint not null default 0;

-- Many rows changed or deleted at once, batch by batch, and taken back if that is asked for in time.
create table contact_changes (
  organisation_id uuid not null,
  id uuid not null,
  -- The person; null is whoever has a key.
  user_id uuid,
  action text not null check (action in ('set', 'delete')),
  -- The column that is set, and what its cells then are; no value clears them.
  number smallint,
  value text,
  key text,
  -- Which rows: these, or what a query finds but these.
  query jsonb,
  row_ids uuid[] not null,
  status text not null default 'running' check (status in
    ('running', 'done', 'undoing', 'undone', 'final')),
  -- How far it has come: behind this row, or this many of the ids.
  after_id uuid,
  place integer not null default 0,
  rows integer not null default 0,
  restored integer not null default 0,
  not_restored integer not null default 0,
  fault text,
  undo_until timestamptz,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id),
  check ((action = 'set') = (number is not null)),
  check ((value is null) = (key is null))
);
create index contact_changes_by_age on contact_changes (created_datetime);
-- Few at a time are of interest: those under way, and those that can still be taken back.
create index contact_changes_open on contact_changes (organisation_id) where status in ('running', 'done', 'undoing');

-- The rows as they were before.
create table contact_change_rows (
  organisation_id uuid not null,
  change_id uuid not null,
  row_id uuid not null,
  cells jsonb not null,
  keys jsonb not null,
  created_datetime timestamptz not null,
  updated_datetime timestamptz,
  primary key (organisation_id, change_id, row_id)
);
