-- Adds to the counters of an organisation. The rows of dimension `all` are locked first, in the order of hours: that
-- serializes processes, so that they neither deadlock nor exceed the limit together. An hour keeps the first `most` values
-- of a dimension; later ones are counted under `*`.
create function add_analytics(
  o uuid, most integer, dimensions text[], hours timestamptz[], names text[],
  accepted bigint[], delivered bigint[], failed bigint[], unknown bigint[], canceled bigint[], pages bigint[],
  cost bigint[], refunded bigint[], otp_requested bigint[], otp_verified bigint[], otp_failed bigint[],
  -- A process of the previous release does not count it.
  read bigint[] default null
) returns void language plpgsql as $$
#variable_conflict use_column
declare
  kept text[];
begin
  insert into analytics (organisation_id, dimension, hour, value)
  select own.organisation_id, 'all', hour, ''
  from balances own
  cross join (select distinct hour from unnest(hours) as given (hour) order by hour) of_all
  where own.organisation_id = o
  on conflict (organisation_id, dimension, hour, value) do nothing;
  perform from analytics
  where organisation_id = o and dimension = 'all' and hour = any (hours) and value = ''
  order by hour for update;

  kept := kept_values(o, most, dimensions, hours, names);

  insert into analytics as known (organisation_id, dimension, hour, value, accepted, delivered, failed, unknown, canceled,
    pages, cost, refunded, otp_requested, otp_verified, otp_failed, read)
  select own.organisation_id, dimension, hour, value, sum(accepted), sum(delivered), sum(failed), sum(unknown), sum(canceled), sum(pages),
    sum(cost), sum(refunded), sum(otp_requested), sum(otp_verified), sum(otp_failed),
    coalesce(sum(read), 0)
  from balances own
  cross join unnest(dimensions, hours, kept, add_analytics.accepted, add_analytics.delivered, add_analytics.failed,
      add_analytics.unknown, add_analytics.canceled, add_analytics.pages, add_analytics.cost, add_analytics.refunded,
      add_analytics.otp_requested, add_analytics.otp_verified, add_analytics.otp_failed, add_analytics.read)
    as given (dimension, hour, value, accepted, delivered, failed, unknown, canceled, pages, cost, refunded,
      otp_requested, otp_verified, otp_failed, read)
  where own.organisation_id = o
  group by own.organisation_id, dimension, hour, value
  on conflict (organisation_id, dimension, hour, value) do update set
    accepted = known.accepted + excluded.accepted, delivered = known.delivered + excluded.delivered,
    failed = known.failed + excluded.failed, unknown = known.unknown + excluded.unknown,
    canceled = known.canceled + excluded.canceled, pages = known.pages + excluded.pages,
    cost = known.cost + excluded.cost, refunded = known.refunded + excluded.refunded,
    otp_requested = known.otp_requested + excluded.otp_requested,
    otp_verified = known.otp_verified + excluded.otp_verified, otp_failed = known.otp_failed + excluded.otp_failed,
    read = known.read + excluded.read;
end $$;

-- The values to count under, in the given order: existing ones, and new ones up to the limit; `*` for the rest.
create function kept_values(o uuid, most integer, dimensions text[], hours timestamptz[], names text[])
returns text[] language plpgsql as $$
#variable_conflict use_column
declare
  kept text[];
begin
  if not exists (
    select from unnest(dimensions, hours, names) as given (dimension, hour, value)
    left join analytics on organisation_id = o and analytics.dimension = given.dimension and analytics.hour = given.hour
      and analytics.value = given.value
    where given.value <> '*' and analytics.value is null
  ) then
    return names;
  end if;
  select array_agg(case when is_known or rank + taken <= most then value else '*' end order by n)
  from (
    select n, given.value, is_known,
      row_number() over (partition by given.dimension, given.hour, is_known order by given.value, n) as rank,
      (
        select count(*) from analytics
        where organisation_id = o and analytics.dimension = given.dimension and analytics.hour = given.hour
          and analytics.value <> '*'
      ) as taken
    from (
      select given.dimension, given.hour, given.value, n, given.value = '*' or analytics.value is not null as is_known
      from unnest(dimensions, hours, names) with ordinality as given (dimension, hour, value, n)
      left join analytics on organisation_id = o and analytics.dimension = given.dimension
        and analytics.hour = given.hour and analytics.value = given.value
    ) given
  ) judged
  into kept;
  return kept;
end $$;

-- Replaces the hourly rows of a day by one row per value, at the hour in which the day began; the values with the most
-- messages are kept. Idempotent.
create function fold_analytics(o uuid, most integer, day_began timestamptz, day_ended timestamptz)
returns void language plpgsql as $$
declare
  dimensions constant text[] := array['all', 'channel', 'country', 'operator', 'sender', 'route', 'error', 'template'];
  folded json;
begin
  perform from analytics a
  where a.organisation_id = o and a.dimension = 'all' and a.hour >= day_began and a.hour < day_ended
  order by a.hour for update;
  select json_agg(of_day) from (
    select a.dimension, case when ranked.rank <= most then a.value else '*' end as value, sum(a.accepted) as accepted,
      sum(a.delivered) as delivered, sum(a.failed) as failed, sum(a.unknown) as unknown, sum(a.canceled) as canceled,
      sum(a.pages) as pages, sum(a.cost) as cost, sum(a.refunded) as refunded, sum(a.otp_requested) as otp_requested,
      sum(a.otp_verified) as otp_verified, sum(a.otp_failed) as otp_failed, sum(a.read) as read
    from analytics a
    join (
      select b.dimension, b.value,
        row_number() over (partition by b.dimension order by b.value = '*' desc, sum(b.accepted + b.failed) desc, b.value)
          as rank
      from analytics b
      where b.organisation_id = o and b.dimension = any (dimensions) and b.hour >= day_began and b.hour < day_ended
      group by b.dimension, b.value
    ) ranked on ranked.dimension = a.dimension and ranked.value = a.value
    where a.organisation_id = o and a.dimension = any (dimensions) and a.hour >= day_began and a.hour < day_ended
    group by 1, 2
  ) of_day
  into folded;
  delete from analytics a
  where a.organisation_id = o and a.dimension = any (dimensions) and a.hour >= day_began and a.hour < day_ended;
  insert into analytics (organisation_id, dimension, hour, value, is_day, accepted, delivered, failed, unknown, canceled,
    pages, cost, refunded, otp_requested, otp_verified, otp_failed, read)
  select o, day.dimension, day_began, day.value, true, day.accepted, day.delivered, day.failed, day.unknown, day.canceled,
    day.pages, day.cost, day.refunded, day.otp_requested, day.otp_verified, day.otp_failed, day.read
  from json_to_recordset(folded) as day (
    dimension text, value text, accepted bigint, delivered bigint, failed bigint, unknown bigint, canceled bigint,
    pages bigint, cost bigint, refunded bigint, otp_requested bigint, otp_verified bigint, otp_failed bigint,
    read bigint
  );
end $$;
