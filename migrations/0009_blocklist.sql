-- Numbers that nothing is sent to, in the whole installation.

create table blocklist (
  -- Digits with the country code; with `*` behind them all numbers that begin so.
  entry text collate "C" primary key check (entry ~ '^[1-9][0-9]{0,14}\*?$'),
  reason text not null check (length(reason) <= 500),
  actor text not null,
  expires_datetime timestamptz,
  hits bigint not null default 0,
  last_hit_datetime timestamptz,
  -- The live version of the change that last wrote the entry: processes read what is newer than theirs.
  version bigint not null,
  -- Removed entries stay for a day, so that processes learn of it.
  removed_datetime timestamptz,
  created_datetime timestamptz not null default now()
);
create index blocklist_by_version on blocklist (version);
