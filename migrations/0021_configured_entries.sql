-- Carriers and routes that operators manage while the service runs, beside those of the configuration file, which have no
-- rows: every process reads them from its file.

create table configured_entries (
  kind text not null check (kind in ('carrier', 'route')),
  name text not null check (name ~ '^[a-z0-9-]{1,40}$'),
  -- Their order within the kind, behind the entries of the file: of two routes for the same messages the later one applies.
  position integer not null,
  -- As in the configuration file, with placeholders for secrets.
  settings json not null check (json_typeof(settings) = 'object'),
  -- The secrets by their path, as one sealed JSON text; null: it has none.
  secrets text,
  -- The live version of the change that wrote it: another change is refused if it was made for another version. Never used
  -- twice, so an entry that was deleted and created again has another one.
  version bigint not null,
  changed_by text not null,
  changed_datetime timestamptz not null default now(),
  primary key (kind, name)
);
