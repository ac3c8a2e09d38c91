-- The intake: messages that were accepted and not yet submitted.
--
-- A row's `messages` are JSON objects separated by a comma and a line break. Each is a message, or a part of one that is in
-- `messages` already (`stored`), with recipients that share everything but their number and perhaps their text: `to`
-- (numbers separated by commas), `pages` and `price` (of each recipient), `rules` (the price rule of each, or one for all),
-- `at` (the position of the first of them in the message's list) or `positions`, `texts` (one per recipient; without it they
-- get `content`), `whatsapp` (the template), `is_binary` (the content is not text), `sealed` (Base64 of the text that is
-- sent; `content` is what may be shown), `promotional`, `expires_in_s` and `trace` (if the message is in another trace than
-- the one its id names). A message that is not stored also has the other columns of its row in `messages`. Only this file
-- and src/messaging/intake/ know the format.

-- Claims rows of a route and priority for up to `budget` deliveries, the oldest first. The progress is stored before the
-- deliveries are submitted: `granted` of them from number `submitted` on. A row that another process had claimed and not
-- finished comes with the deliveries that are `recorded`; any other delivery below `submitted` may be with a carrier.
-- `opted_out`: recipients who have opted out since it was accepted.
create function claim_intake(o uuid, of_route text, of_priority integer, budget integer, lease_s double precision)
returns table (
  id uuid, size integer, submitted integer, granted integer, claims integer, created_datetime timestamptz,
  age_s double precision, messages text, recorded text[], opted_out text[]
) language plpgsql as $$
declare
  found_row record;
  left_over integer := budget;
begin
  for found_row in
    select i.id, i.size, i.submitted, i.claims, i.created_datetime, i.messages, i.leased_until from intake i
    where i.route = of_route and i.priority = of_priority and i.organisation_id = o
      and (i.leased_until is null or i.leased_until <= now())
    order by i.id
    limit least(64, budget)
    for update skip locked
  loop
    exit when left_over <= 0;
    id := found_row.id;
    size := found_row.size;
    submitted := found_row.submitted;
    granted := least(left_over, size - submitted);
    claims := found_row.claims + 1;
    created_datetime := found_row.created_datetime;
    age_s := extract(epoch from now() - found_row.created_datetime);
    messages := found_row.messages;
    update intake i
    set leased_until = now() + lease_s * interval '1 s', claims = found_row.claims + 1, submitted = found_row.submitted + granted
    where i.organisation_id = o and i.id = found_row.id;
    recorded := null;
    if submitted > 0 then
      select array_agg(given.message_id || ' ' || given.recipient) from deliveries_in(found_row.messages) given
      where (
        select true from deliveries d
        where d.organisation_id = o and d.message_id = given.message_id and d.recipient = given.recipient
      )
      into recorded;
    end if;
    -- Interrupted deliveries, which may be submitted again, count towards the budget, too.
    left_over := left_over - greatest(1, granted + submitted - coalesce(cardinality(recorded), 0));
    opted_out := null;
    if exists (
      select from optouts t
      where t.organisation_id = o and t.id >= first_id_at(found_row.created_datetime - interval '1 minute')
    ) then
      select array_agg(given.recipient) from deliveries_in(found_row.messages) given
      where (select true from optouts t where t.organisation_id = o and t.recipient = given.recipient)
      into opted_out;
    end if;
    return next;
  end loop;
end $$;

-- Releases rows that were stored as leased and of which nothing was submitted, unless another process has claimed them since
-- (its claim counts one more). Idempotent. Returns how many it released.
create function release_intake(o uuid, row_ids uuid[], out released integer) language plpgsql as $$
begin
  update intake set submitted = 0, leased_until = null
  where organisation_id = o and id = any (row_ids) and claims = 1;
  get diagnostics released = row_count;
end $$;

-- Stores that deliveries of a leased row up to `up_to` are about to be submitted, and returns how many of the row may be:
-- fewer where the rest was canceled. Null if another process has claimed the row.
create function advance_intake(o uuid, row_id uuid, claim integer, up_to integer, lease_s double precision)
returns integer language plpgsql as $$
declare
  granted integer;
begin
  update intake set submitted = least(up_to, size), leased_until = now() + lease_s * interval '1 s'
  where organisation_id = o and id = row_id and claims = claim
  returning submitted into granted;
  return granted;
end $$;

-- Cancels the deliveries of a message in the intake that no process has begun to submit. Only for messages whose rows contain
-- no other message (`has_own_rows`). A row of which nothing was submitted is deleted; others are truncated, and the process
-- that leases one learns so when it advances. Returns the canceled deliveries with their charge.
create function cancel_intake(o uuid, of_message uuid)
returns table (recipient text, charge bigint, route text) language plpgsql as $$
declare
  found_row record;
  canceled text[];
begin
  for found_row in
    select i.id, i.route, i.submitted, i.messages, i.line, i.created_datetime from intake i
    where i.organisation_id = o and i.last_id = of_message and i.first_id = of_message and i.submitted < i.size
    order by i.id
    for update
  loop
    perform store_messages(o, found_row.messages, found_row.line, found_row.created_datetime);
    canceled := store_deliveries(
      o, found_row.route, array[found_row.created_datetime],
      (
        select json_agg(json_build_object(
          'row_number', 1, 'message_id', given.message_id, 'recipient', given.recipient, 'position', given.position,
          'status', 'canceled', 'pages', given.pages, 'charge', given.charge, 'price_rule_id', given.price_rule_id,
          'text', given.text, 'whatsapp', given.whatsapp
        ))
        from deliveries_in(found_row.messages) given where given.n > found_row.submitted
      )
    );
    return query
    select given.recipient, given.charge, found_row.route from deliveries_in(found_row.messages) given
    where given.message_id || ' ' || given.recipient = any (canceled);
    if found_row.submitted = 0 then
      delete from intake i where i.organisation_id = o and i.id = found_row.id;
    else
      update intake i set size = found_row.submitted where i.organisation_id = o and i.id = found_row.id;
    end if;
  end loop;
end $$;

-- Cancels the deliveries of a message in rows that it shares with others, if no process has the row and nothing of it was
-- submitted: they are removed from the row. Returns the canceled deliveries with their charge.
create function cancel_in_batches(o uuid, of_message uuid)
returns table (recipient text, charge bigint, route text) language plpgsql as $$
declare
  found_row record;
  own text;
  others text;
  canceled text[];
begin
  for found_row in
    select i.id, i.route, i.messages, i.line, i.created_datetime from intake i
    where i.organisation_id = o and i.first_id <= of_message and i.last_id >= of_message and i.first_id < i.last_id
      and i.submitted = 0 and (i.leased_until is null or i.leased_until <= now())
    order by i.id
    for update
  loop
    -- JSON escapes line breaks, so that they separate the items.
    select string_agg(item, e',\n' order by n) filter (where (item::json ->> 'id')::uuid = of_message),
      string_agg(item, e',\n' order by n) filter (where (item::json ->> 'id')::uuid <> of_message)
    from unnest(string_to_array(found_row.messages, e',\n')) with ordinality as items (item, n)
    into own, others;
    continue when own is null;
    perform store_messages(o, own, found_row.line, found_row.created_datetime);
    canceled := store_deliveries(
      o, found_row.route, array[found_row.created_datetime],
      (
        select json_agg(json_build_object(
          'row_number', 1, 'message_id', given.message_id, 'recipient', given.recipient, 'position', given.position,
          'status', 'canceled', 'pages', given.pages, 'charge', given.charge, 'price_rule_id', given.price_rule_id,
          'text', given.text, 'whatsapp', given.whatsapp
        ))
        from deliveries_in(own) given
      )
    );
    return query
    select given.recipient, given.charge, found_row.route from deliveries_in(own) given
    where given.message_id || ' ' || given.recipient = any (canceled);
    if others is null then
      delete from intake i where i.organisation_id = o and i.id = found_row.id;
    else
      update intake i
      set messages = others, size = (select count(*) from deliveries_in(others)),
        first_id = (select given.message_id from deliveries_in(others) given order by given.message_id limit 1),
        last_id = (select given.message_id from deliveries_in(others) given order by given.message_id desc limit 1)
      where i.organisation_id = o and i.id = found_row.id;
    end if;
  end loop;
end $$;

-- Cancels the deliveries of some messages that wait for another attempt. The job is deleted first, so that no worker can
-- claim it; a delivery whose job is leased is not canceled. A delivery that a carrier may have from an earlier attempt
-- becomes `unknown` and is not refunded. `known_queues` are those of all routes and their carriers; for a route that is no
-- longer configured, its first queue is added.
create function cancel_retries(o uuid, message_ids uuid[], known_queues text[])
returns table (message_id uuid, recipient text, charge bigint, route text) language plpgsql as $$
declare
  queues text[];
  job record;
begin
  select known_queues || array_agg(distinct 'route:' || d.route) from deliveries d
  where d.organisation_id = o and d.message_id = any (message_ids) and d.status = 'queued'
  into queues;
  for job in
    delete from jobs j
    where j.organisation_id = o and j.queue = any (queues) and j.subject_id = any (message_ids) and not j.leased
    returning j.subject_id, j.subject_key
  loop
    update deliveries d set status = 'unknown', sealed_text = null, updated_datetime = now()
    where d.organisation_id = o and d.message_id = job.subject_id and d.recipient = job.subject_key
      and d.status = 'queued' and d.carrier is not null;
    return query
    update deliveries d
    set status = 'canceled', refunded = d.charge > 0, sealed_text = null, updated_datetime = now()
    where d.organisation_id = o and d.message_id = job.subject_id and d.recipient = job.subject_key
      and d.status = 'queued'
    returning d.message_id, d.recipient, d.charge, d.route;
  end loop;
end $$;

-- Extends the leases of rows; 0 seconds release them. Rows that another process has claimed since are left alone.
create function extend_intake_leases(o uuid, row_ids uuid[], row_claims integer[], lease_s double precision)
returns void language plpgsql as $$
begin
  update intake set leased_until = now() + lease_s * interval '1 s'
  from unnest(row_ids, row_claims) as held (row_id, claim)
  where organisation_id = o and id = row_id and claims = claim;
end $$;

-- The messages in a row's text that are not in `messages` yet. `charge` is that of all recipients.
create function messages_in(row_messages text) returns table (
  id uuid, channel text, sender_id text, content text, template_id text, template_version integer, personalisation jsonb,
  external_ref text, is_trackable boolean, callback text, encoding text, message_length integer, pages smallint,
  charge bigint, trace uuid
) stable language sql as $$
  select id, channel, sender_id, content, template_id, template_version, personalisation, external_ref, is_trackable,
    callback, encoding, message_length, pages, coalesce(charge, price * cardinality(string_to_array("to", ','))), trace
  from json_to_recordset(('[' || row_messages || ']')::json) as item (
    id uuid, "to" text, channel text, sender_id text, content text, template_id text, template_version integer,
    personalisation jsonb, external_ref text, is_trackable boolean, callback text, encoding text,
    message_length integer, pages smallint, price bigint, charge bigint, stored boolean, trace uuid
  )
  where stored is not true
$$;

-- The deliveries in a row's text, in the order in which `submitted` counts them.
create function deliveries_in(row_messages text) returns table (
  n bigint, message_id uuid, recipient text, "position" integer, pages smallint, charge bigint, text text, whatsapp jsonb,
  price_rule_id bigint
) stable language sql as $$
  select row_number() over (order by item.n, given.k), item.id, given.recipient,
    coalesce(given.place, item.at + given.k::integer - 1), item.pages, item.price, given.text, item.whatsapp,
    (case when jsonb_array_length(item.rules) = 1 then item.rules ->> 0 else item.rules ->> given.k::integer - 1 end)::bigint
  from rows from (
    json_to_recordset(('[' || row_messages || ']')::json) as (
      id uuid, "to" text, "at" integer, positions jsonb, pages smallint, price bigint, texts jsonb, whatsapp jsonb,
      rules jsonb
    )
  ) with ordinality as item (id, "to", "at", positions, pages, price, texts, whatsapp, rules, n)
  cross join lateral unnest(
    string_to_array(item."to", ','),
    array(select jsonb_array_elements_text(item.positions)::integer),
    array(select jsonb_array_elements_text(item.texts))
  ) with ordinality as given (recipient, place, text, k)
$$;

-- Here and in the other functions, whether a row exists is a scalar subquery, which can only be an index lookup. As
-- `not exists` it might become a scan of everything the organisation has.

-- The messages of an organisation in the intake with ids between these two. Rows that cannot match are not parsed: with
-- `newest` those after that many newer messages, with `mention` those that do not contain the text. A row that was begun may
-- have some of its messages stored already.
create function waiting_messages(
  o uuid, from_id uuid, up_to_id uuid, newest integer default null, mention text default null
) returns table (
  id uuid, channel text, sender_id text, content text, template_id text, template_version integer, personalisation jsonb,
  external_ref text, is_trackable boolean, callback text, charge bigint, created_datetime timestamptz, encoding text
) stable language plpgsql as $$
declare
  oldest uuid := case when newest is not null then newest_waiting(o, up_to_id, newest) end;
begin
  return query
  select message.id, message.channel, message.sender_id, message.content, message.template_id,
    message.template_version, message.personalisation, message.external_ref, message.is_trackable, message.callback,
    message.charge, intake.created_datetime, message.encoding
  from intake cross join lateral messages_in(messages) message
  where organisation_id = o and first_id <= up_to_id and last_id >= from_id
    and (oldest is null or last_id >= oldest)
    and (mention is null or strpos(messages, mention) > 0)
    and message.id between from_id and up_to_id
    and (
      submitted = 0
      or (select true from messages known where known.organisation_id = o and known.id = message.id) is null
    );
end $$;

-- The same for deliveries; with `positions_below` only rows with some of the first recipients of a message are parsed.
create function waiting_deliveries(
  o uuid, from_id uuid, up_to_id uuid, newest integer default null, mention text default null,
  positions_below integer default null
) returns table (
  message_id uuid, recipient text, "position" integer, text text, whatsapp jsonb, pages smallint, charge bigint, route text,
  created_datetime timestamptz, price_rule_id bigint
) stable language plpgsql as $$
declare
  oldest uuid := case when newest is not null then newest_waiting(o, up_to_id, newest) end;
begin
  return query
  select delivery.message_id, delivery.recipient, delivery.position, delivery.text, delivery.whatsapp, delivery.pages, delivery.charge,
    intake.route, intake.created_datetime, delivery.price_rule_id
  from intake cross join lateral deliveries_in(messages) delivery
  where organisation_id = o and first_id <= up_to_id and last_id >= from_id
    and (oldest is null or last_id >= oldest)
    and (mention is null or strpos(messages, mention) > 0)
    and (positions_below is null or (first_position < positions_below and delivery.position < positions_below))
    and delivery.message_id between from_id and up_to_id
    and (
      submitted = 0
      or (
        select true from deliveries known
        where known.organisation_id = o and known.message_id = delivery.message_id
          and known.recipient = delivery.recipient
      ) is null
    );
end $$;

-- How many deliveries of a message are in the intake. Rows that no process has begun are counted without parsing.
create function count_waiting(o uuid, of_message uuid) returns bigint stable language plpgsql as $$
begin
  return (
    select coalesce(sum(case
        when first_id = last_id and submitted = 0 then size
        else (
          select count(*) from deliveries_in(messages) delivery
          where delivery.message_id = of_message and (
            select true from deliveries known
            where known.organisation_id = o and known.message_id = of_message and known.recipient = delivery.recipient
          ) is null
        )
      end), 0)
    from intake where organisation_id = o and first_id <= of_message and last_id >= of_message
  );
end $$;

-- The highest id of the row after which there are `newest` newer messages: each row's highest id is a message of its own.
create function newest_waiting(o uuid, up_to_id uuid, newest integer) returns uuid stable language plpgsql as $$
begin
  return (
    select coalesce((
      select last_id from (
        select distinct last_id from intake where organisation_id = o and last_id <= up_to_id order by last_id desc
      ) row
      offset newest - 1 limit 1
    ), '00000000-0000-0000-0000-000000000000')
  );
end $$;
