-- Messages and deliveries lie in parts by month, so that old ones go by dropping a table and not by deleting rows. The
-- month is in the id already: a UUIDv7 begins with its time, so the keys stay as they are and every read by id finds its
-- part by it. What was there becomes the first part. Deliveries are written three times in their life; their pages keep
-- room, so that this happens in place.
create function first_id_at(moment timestamptz) returns uuid immutable language sql as $$
  select overlay(
    '00000000-0000-0000-0000-000000000000' placing
    overlay(lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') placing '-' from 9 for 0) from 1 for 13
  )::uuid
$$;

alter table messages rename to messages_first;
alter table messages_first rename constraint messages_pkey to messages_first_pkey;
alter index messages_by_external_ref rename to messages_first_by_external_ref;
create table messages (like messages_first including defaults including constraints) partition by range (id);
alter table messages add primary key (organisation_id, id);
create index messages_by_external_ref on messages (organisation_id, external_ref, id) where external_ref is not null;

alter table deliveries rename to deliveries_first;
alter table deliveries_first rename constraint deliveries_pkey to deliveries_first_pkey;
create table deliveries (like deliveries_first including defaults including constraints) partition by range (message_id);
alter table deliveries add primary key (organisation_id, message_id, recipient);
alter table deliveries_first set (fillfactor = 70);

do $$
declare
  bound uuid := first_id_at(date_trunc('month', now(), 'UTC') + interval '1 month');
begin
  execute format('alter table messages attach partition messages_first for values from (minvalue) to (%L)', bound);
  execute format('alter table deliveries attach partition deliveries_first for values from (minvalue) to (%L)', bound);
end $$;

-- For a clock that runs far ahead: nothing is refused for want of a part.
create table messages_later partition of messages default;
create table deliveries_later partition of deliveries default with (fillfactor = 70);

-- Where a part ends; nothing for the part of everything else.
create function part_bounds(part text) returns table (upper_bound uuid) stable language sql as $$
  select (regexp_match(pg_get_expr(relpartbound, oid), 'TO \(''([0-9a-f-]+)''\)'))[1]::uuid
  from pg_class where oid = to_regclass(part) and pg_get_expr(relpartbound, oid) like '%TO (''%'
$$;
