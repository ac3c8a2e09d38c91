-- Recipients of a pack may have words of their own.
alter table packs add column texts text[] check (cardinality(texts) = size);
comment on column packs.texts is 'What each of them gets; null: the message''s content.';
alter table packs alter column texts set storage external;

drop view every_delivery;
drop view packed_deliveries;

create view packed_deliveries as
  select organisation_id, message_id, given.recipient,
    coalesce(given.position, first_position + given.n::integer - 1) as position,
    'queued'::text as status, given.text, pages, charge, route, created_datetime, first_position
  from packs
  cross join lateral unnest(string_to_array(recipients, ','), positions, texts) with ordinality
    as given (recipient, position, text, n);

-- Every delivery there is, in a pack or by itself. Who asks once sees each exactly once.
create view every_delivery as
  select organisation_id, message_id, recipient, position, status, text, pages, charge, refunded, route, carrier, code,
    description, send_at, clicked_datetime, created_datetime, updated_datetime, sent_datetime
  from deliveries
  union all
  select organisation_id, message_id, recipient, position, status, text, pages, charge, false, route, null, null,
    null, null, null, created_datetime, null, null
  from packed_deliveries;
