-- When a key was last used, to the minute: written now and then, not by every call.
alter table api_keys add last_used_datetime timestamptz;

-- When a callback that failed is tried again; null: it was not tried yet, is due at once, or is over.
alter table callbacks add next_attempt_datetime timestamptz;

-- Filters of the page of messages under a name: somebody's own, in one organisation.
create table saved_views (
  organisation_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null check (length(name) between 1 and 60),
  query jsonb not null check (jsonb_typeof(query) = 'object'),
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, id),
  unique (organisation_id, user_id, name)
);
