-- Backups that the service makes by itself, newest last: whose turn it is and what the operator is told come from here.
-- One without an end is under way, or its process died.
create table backups (
  id uuid primary key,
  file text not null,
  begun_datetime timestamptz not null default now(),
  ended_datetime timestamptz,
  bytes bigint,
  -- Why there is no file.
  fault text
);
create index backups_by_age on backups (begun_datetime);
