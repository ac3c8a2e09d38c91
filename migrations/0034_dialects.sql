-- In whose form an endpoint is told: ours (Standard Webhooks), Simpu's or Twilio's.
alter table webhooks add format text not null default 'standard' check (format in ('standard', 'simpu', 'twilio'));

-- Where identity servers and other software that knows only its own form of request hand over what is to be sent. Found
-- by name alone, as links are, so it belongs to no organisation's shard; each is one organisation's all the same.
create table hooks (
  name text primary key check (name ~ '^[a-z]+-[0-9a-z]{16}$'),
  organisation_id uuid not null references organisations (id),
  kind text not null,
  -- Sealed under the pepper: the other side signs with it, or shows it.
  secret text not null,
  created_datetime timestamptz not null default now()
);
create index hooks_by_organisation on hooks (organisation_id, name);
