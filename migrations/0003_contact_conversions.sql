-- Converting a column of the contact list to another type.
--
-- The converted cells get a number of their own. While they are filled, reads use the previous cells, and writes write
-- both; then one statement changes the number and type of the column. The previous cells stay until the undo ends. So no
-- reader sees a half-converted column, undo needs no copies of rows, and a conversion that fails has changed nothing.

-- Imports, changes and campaigns refer to a column by the number it was created with.
alter table contact_columns add column first_number smallint;
update contact_columns set first_number = number;
alter table contact_columns alter column first_number set not null;

-- Counts the changes of a column's type. A transaction that writes cells holds the version (for key share) for which it
-- read the columns.
alter table contact_tables add column version integer not null default 0;

create table contact_conversions (
  organisation_id uuid not null,
  id uuid not null,
  column_id uuid not null,
  from_number smallint not null,
  from_type text not null,
  from_options text[],
  -- Null: a preview, which writes nothing.
  number smallint,
  type text not null,
  options text[],
  -- How numbers or dates are written.
  format text,
  -- Whether cells that do not fit are cleared; otherwise the conversion fails if there are any.
  clear_unfit boolean not null,
  -- A preview: checking, checked. A conversion: running, then done (can be undone), then final; undone; failed.
  status text not null check (status in ('checking', 'checked', 'running', 'done', 'final', 'undone', 'failed')),
  -- The last row when it began; null: there was none. Later rows are written with both cells.
  until_id uuid,
  -- Progress: the last row processed.
  after_id uuid,
  rows integer not null default 0,
  fits integer not null default 0,
  unfit integer not null default 0,
  -- The first rows whose cell fits, and the first whose cell does not.
  fit_rows uuid[] not null default '{}',
  unfit_rows uuid[] not null default '{}',
  fault text,
  undo_until timestamptz,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id),
  check ((number is null) = (status in ('checking', 'checked')))
);
-- One conversion of a column at a time.
create unique index contact_conversions_open on contact_conversions (organisation_id, column_id)
  where status in ('running', 'done');
create index contact_conversions_by_age on contact_conversions (created_datetime);
