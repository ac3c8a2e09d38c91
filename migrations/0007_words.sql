-- Templates with their versions, messages that name the version they were made of, and links that count clicks.

create table templates (
  organisation_id uuid not null,
  id uuid not null,
  -- The newest version; what it says is a line of template_versions.
  version integer not null default 1 check (version > 0),
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id)
);

create table template_versions (
  organisation_id uuid not null,
  template_id uuid not null,
  version integer not null check (version > 0),
  name text not null check (length(name) between 1 and 200),
  content text not null check (content <> ''),
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, template_id, version)
);

alter table messages
  -- The content is kept with the message, so a template may change or go.
  add template_version integer check (template_version is null or template_id is not null);

-- One line per recipient and link. A redirect knows nothing but the code, so like submissions this table is found by
-- that and not by organisation; what is asked about a message goes by the index.
create table links (
  code text primary key check (length(code) between 1 and 7),
  organisation_id uuid not null,
  message_id uuid not null,
  recipient text not null,
  position smallint not null check (position >= 0),
  url text not null,
  -- Every GET, previews and bots too; and those that look like a person.
  clicks_raw integer not null default 0,
  clicks integer not null default 0 check (clicks between 0 and clicks_raw),
  clicked_datetime timestamptz,
  check ((clicks > 0) = (clicked_datetime is not null))
) with (fillfactor = 80);
create index links_by_delivery on links (organisation_id, message_id, recipient, position);

alter table deliveries
  -- The first click of a person on any link of this recipient: its callback goes out when this is set, so once.
  add clicked_datetime timestamptz;
