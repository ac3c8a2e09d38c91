-- What became of what was accepted in an hour, counted in memory and added here once a second; see docs/decisions/0048.
-- A row per hour, dimension and value: `all` has one for everything, `*` is whatever is beyond the bound of an hour.
-- Rows that are a year old or so are added up to one of the whole day, at the hour it began.
create table analytics (
  organisation_id uuid not null,
  dimension text not null check (
    dimension in ('all', 'channel', 'country', 'operator', 'sender', 'route', 'error', 'template')
  ),
  hour timestamptz not null,
  value text not null check (length(value) <= 100),
  is_day boolean not null default false,
  accepted bigint not null default 0,
  delivered bigint not null default 0,
  failed bigint not null default 0,
  unknown bigint not null default 0,
  canceled bigint not null default 0,
  pages bigint not null default 0,
  cost bigint not null default 0,
  refunded bigint not null default 0,
  otp_requested bigint not null default 0,
  otp_verified bigint not null default 0,
  otp_failed bigint not null default 0,
  primary key (organisation_id, dimension, hour, value)
) with (fillfactor = 70);
create index analytics_by_age on analytics (is_day, hour) where dimension = 'all';

-- By whose clock its days are told; null: that of its country's capital.
alter table organisations add column time_zone text check (length(time_zone) between 1 and 60);
