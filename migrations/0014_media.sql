-- Files of messages: uploaded through the API to be sent, or received with a text.
create table media (
  organisation_id uuid not null,
  -- Of a received file: the id of its text.
  id uuid not null,
  direction text not null check (direction in ('in', 'out')),
  -- The person who sent it; null if it was uploaded.
  "from" text,
  -- `uploading`: its size is reserved, and its chunks arrive. `pending`: it is being downloaded from the carrier, or will be.
  -- `refused`: it is too large, or not what its sender said. `expired`: the carrier no longer has it.
  state text not null check (state in ('uploading', 'pending', 'stored', 'refused', 'expired')),
  -- As determined by its content; until it is stored, as its sender declared it.
  type text not null,
  filename text,
  size bigint check (size >= 0),
  sha256 bytea,
  -- Why it was refused.
  reason text,
  -- Of a received file: where it is downloaded from.
  carrier text,
  carrier_media_id text,
  -- Attempts to store its content. Each writes chunks of its own, so that two never mix.
  attempt integer not null default 1,
  created_datetime timestamptz not null default now(),
  -- When an uploaded file is deleted.
  expires_datetime timestamptz,
  primary key (organisation_id, id),
  check ((state = 'stored') <= (size is not null and sha256 is not null))
);

-- The content of files. Rows rather than large objects: see docs/decisions/0068-files-in-rows.md.
create table media_chunks (
  organisation_id uuid not null,
  media_id uuid not null,
  attempt integer not null,
  -- Offset of the chunk in the file.
  position bigint not null,
  bytes bytea not null,
  primary key (organisation_id, media_id, attempt, position),
  foreign key (organisation_id, media_id) references media (organisation_id, id) on delete cascade
);
-- Pictures and videos are compressed already.
alter table media_chunks alter column bytes set storage external;

-- What Meta calls a file that was uploaded to it: one id per phone number. Null until the upload has ended; a process
-- that uploads it extends `leased_until`.
create table media_uploads (
  organisation_id uuid not null,
  media_id uuid not null,
  phone_number_id text not null,
  carrier_media_id text,
  leased_until timestamptz,
  -- When Meta deletes it.
  expires_datetime timestamptz,
  primary key (organisation_id, media_id, phone_number_id),
  foreign key (organisation_id, media_id) references media (organisation_id, id) on delete cascade
);
