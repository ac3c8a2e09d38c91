-- Single messages that arrive together are accepted together: those of a burst are one row, as JSON, until a worker makes
-- them into messages, deliveries and queue entries. The views below show them as what they will be.
create table bundles (
  organisation_id uuid not null,
  first_id uuid not null,
  last_id uuid not null check (last_id >= first_id),
  size integer not null check (size > 0),
  messages text not null,
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, last_id)
) with (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0,
  toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 4000,
  toast.autovacuum_vacuum_cost_delay = 0
);
comment on column bundles.first_id is 'The lowest id of its messages; last_id is the highest.';
comment on column bundles.size is 'How many recipients its messages have together.';
comment on column bundles.messages is 'A JSON list of them, see messages_in. Only text here: nobody reads it while it is accepted.';
-- Gone again soon: compressing it would take longer than writing it.
alter table bundles alter column messages set storage external;

create function messages_in(bundle text) returns table (
  id uuid, channel text, sender_id text, content text, template_id text, template_version integer, personalisation jsonb,
  external_ref text, is_trackable boolean, callback text, encoding text, message_length integer, pages smallint,
  charge bigint, priority smallint, deliveries json
) stable language sql as $$
  select * from json_to_recordset(bundle::json) as message (
    id uuid, channel text, sender_id text, content text, template_id text, template_version integer,
    personalisation jsonb, external_ref text, is_trackable boolean, callback text, encoding text,
    message_length integer, pages smallint, charge bigint, priority smallint, deliveries json
  )
$$;

create function deliveries_in(deliveries json) returns table (
  recipient text, pages smallint, charge bigint, route text, text text, whatsapp jsonb, "position" integer
) stable language sql as $$
  select recipient, pages, charge, route, text, whatsapp, n::integer - 1
  from rows from (
    json_to_recordset(deliveries) as (recipient text, pages smallint, charge bigint, route text, text text, whatsapp jsonb)
  ) with ordinality as delivery (recipient, pages, charge, route, text, whatsapp, n)
$$;

create view bundled_messages as
  select organisation_id, message.*, created_datetime, first_id, last_id, messages as bundle
  from bundles cross join lateral messages_in(messages) message;

create view bundled_deliveries as
  select organisation_id, message.id as message_id, delivery.*, created_datetime, first_id, last_id, messages as bundle
  from bundles
  cross join lateral messages_in(messages) message
  cross join lateral deliveries_in(message.deliveries) delivery;

-- Every message there is, by itself or in a bundle. Who asks once sees each exactly once. Who looks for an id also says
-- that it lies between first_id and last_id, and who looks for words, that they are in the bundle if there is one: then
-- no bundle is read that cannot hold them.
create view every_message as
  select organisation_id, id, channel, sender_id, content, template_id, template_version, personalisation, external_ref,
    is_trackable, callback, charge, created_datetime, id as first_id, id as last_id, null as bundle
  from messages
  union all
  select organisation_id, id, channel, sender_id, content, template_id, template_version, personalisation, external_ref,
    is_trackable, callback, charge, created_datetime, first_id, last_id, bundle
  from bundled_messages;

-- Every delivery there is, by itself, in a pack or in a bundle; likewise.
drop view every_delivery;
create view every_delivery as
  select organisation_id, message_id, recipient, position, status, text, pages, charge, refunded, route, carrier, code,
    description, send_at, clicked_datetime, created_datetime, updated_datetime, sent_datetime,
    message_id as first_id, message_id as last_id
  from deliveries
  union all
  select organisation_id, message_id, recipient, position, status, text, pages, charge, false, route, null, null,
    null, null, null, created_datetime, null, null, message_id, message_id
  from packed_deliveries
  union all
  select organisation_id, message_id, recipient, position, 'queued', text, pages, charge, false, route, null, null,
    null, null, null, created_datetime, null, null, first_id, last_id
  from bundled_deliveries;
