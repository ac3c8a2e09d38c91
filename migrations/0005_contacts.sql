-- The contact list: one table of typed columns per organisation, its rows, smartlists and imports.

create extension if not exists pg_trgm;
-- Lets organisation and column stand in front of the trigrams in one index.
create extension if not exists btree_gin;

create table contact_tables (
  organisation_id uuid primary key,
  id uuid not null,
  -- The number the next column gets. Numbers are never given twice, so a deleted column's cells cannot come back.
  next_number smallint not null default 1 check (next_number > 0),
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz
);

create table contact_columns (
  organisation_id uuid not null,
  id uuid not null,
  -- What rows call the column: a UUID in every cell would take more room than most values.
  number smallint not null check (number > 0),
  name text not null,
  -- The name as it is compared: without case.
  name_key text not null,
  type text not null check (type in
    ('TEXT', 'NUMBER', 'DATE', 'PHONE NUMBER', 'EMAIL', 'URL', 'SELECT', 'MULTI SELECT')),
  options text[],
  primary key (organisation_id, id),
  unique (organisation_id, number),
  unique (organisation_id, name_key),
  check ((options is not null) = (type in ('SELECT', 'MULTI SELECT')))
);

-- A row as its owner reads it: `cells` holds the values as given, `keys` the same in the form that is compared (lower
-- case, digits of a phone number, numbers and dates so that they sort as text). Both by column number; no empty ones.
create table contact_rows (
  organisation_id uuid not null,
  id uuid not null,
  cells jsonb not null,
  keys jsonb not null,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id)
);

-- The keys once more, one line each (a MULTI SELECT cell has one per choice), for finding and sorting. Written with
-- its row in one transaction. See docs/decisions/0008-contact-indexes.md.
create table contact_cells (
  organisation_id uuid not null,
  number smallint not null,
  row_id uuid not null,
  key text collate "C" not null
);
-- A btree entry has a limit of its own, so keys are cut there; who looks by a longer one looks at the row again.
create unique index contact_cells_by_key on contact_cells (organisation_id, number, left(key, 200), row_id);
-- Organisation and column are hashed into one: an index key each would have to be intersected with the other.
create index contact_cells_by_trigram on contact_cells
  using gin (uuid_hash_extended(organisation_id, number), key gin_trgm_ops);

-- A query that is being scrolled. Its id is a hash of it, so asking the same again writes nothing.
create table contact_queries (
  organisation_id uuid not null,
  id uuid not null,
  query jsonb not null,
  used_datetime timestamptz not null default now(),
  primary key (organisation_id, id)
);
create index contact_queries_by_age on contact_queries (used_datetime);

create table contact_smartlists (
  organisation_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null,
  filters jsonb not null,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id),
  unique (organisation_id, name_key)
);

create table contact_imports (
  organisation_id uuid not null,
  id uuid not null,
  status text not null default 'uploading' check (status in
    ('uploading', 'queued', 'running', 'done', 'failed', 'canceled')),
  dry_run boolean not null,
  encoding text not null,
  delimiter text not null,
  -- What each field of a line is called and which column it goes to.
  fields jsonb not null,
  -- Rows with the same key in this column are updated.
  upsert_number smallint,
  bytes_total bigint not null default 0,
  -- How far it has come. Moves in the transaction that writes the rows, so nothing is done twice or left out.
  bytes_done bigint not null default 0,
  lines_done integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  rejected integer not null default 0,
  fault text,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id)
);
create index contact_imports_by_age on contact_imports (created_datetime);

-- The uploaded file, until it is worked off: any process may carry the import on.
create table contact_import_chunks (
  organisation_id uuid not null,
  import_id uuid not null,
  -- Of the chunk's first byte in the file.
  position bigint not null,
  bytes bytea not null,
  primary key (organisation_id, import_id, position)
);
alter table contact_import_chunks alter column bytes set storage external;

create table contact_import_rejects (
  organisation_id uuid not null,
  import_id uuid not null,
  line integer not null,
  fields text[] not null,
  faults jsonb not null,
  primary key (organisation_id, import_id, line)
);

-- A message on its way to a smartlist, chunk by chunk.
create table contact_sends (
  organisation_id uuid not null,
  id uuid not null,
  smartlist_id uuid not null,
  -- The column the numbers stand in.
  number smallint not null,
  message jsonb not null,
  idempotency_key text,
  request_hash bytea,
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed', 'canceled')),
  -- Chunks sent; `prepared` says that the next one has its recipients.
  chunks integer not null default 0,
  prepared boolean not null default false,
  after_id uuid,
  rows integer not null default 0,
  accepted integer not null default 0,
  duplicates integer not null default 0,
  without_number integer not null default 0,
  incomplete integer not null default 0,
  refused integer not null default 0,
  charge bigint not null default 0,
  fault text,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id),
  unique (organisation_id, idempotency_key)
);

-- Who gets it, each once. Written before a chunk is sent, so that a chunk that is sent again is the same.
create table contact_send_recipients (
  organisation_id uuid not null,
  send_id uuid not null,
  recipient text not null,
  chunk integer not null,
  text text,
  primary key (organisation_id, send_id, recipient)
);
create index contact_send_recipients_by_chunk on contact_send_recipients (organisation_id, send_id, chunk);
