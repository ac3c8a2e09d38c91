-- What the intake holds, and who takes it.
--
-- A row's `messages` are JSON objects with a comma and a line break between them. Each is a message, or a part of one
-- that is in `messages` already (`stored`), with recipients who share everything but their number and perhaps their
-- text: `to` (numbers with commas), `pages` and `price` (of each recipient), `at` (where the first of them is in the
-- message's list) or `positions`, `texts` (of each, else `content` is what they get), `whatsapp` (the template it goes
-- out as), `is_binary` (the content is no text), `sealed` (Base64 of what is sent instead; the content is what may be shown),
-- `promotional` (where it is), `expires_in_s` and `trace` (where the message is in another trace than the one its id names). A message that is not
-- stored also has what its row in `messages` will have.

-- Takes rows of a route and priority for up to so many deliveries (`budget`), the oldest first. What is to be handed
-- over is written into the row by this, before it is: `granted` of its deliveries from number `handed` on. A row that
-- somebody had before and did not finish comes with the deliveries that are `recorded` of it; whatever else was handed
-- over before may be with a carrier. `opted_out` are recipients who have asked for silence since it was accepted.
create function claim_intake(o uuid, of_route text, of_priority integer, budget integer, lease_s double precision)
returns table (
  id uuid, size integer, handed integer, granted integer, claims integer, created_datetime timestamptz,
  age_s double precision, messages text, recorded text[], opted_out text[]
) language plpgsql as $$
declare
  found_row record;
  left_over integer := budget;
begin
  for found_row in
    select i.id, i.size, i.handed, i.claims, i.created_datetime, i.messages, i.leased_until from intake i
    where i.route = of_route and i.priority = of_priority and i.organisation_id = o
      and (i.leased_until is null or i.leased_until <= now())
    order by i.id
    limit least(64, budget)
    for update skip locked
  loop
    exit when left_over <= 0;
    id := found_row.id;
    size := found_row.size;
    handed := found_row.handed;
    granted := least(left_over, size - handed);
    claims := found_row.claims + 1;
    created_datetime := found_row.created_datetime;
    age_s := extract(epoch from now() - found_row.created_datetime);
    messages := found_row.messages;
    update intake i
    set leased_until = now() + lease_s * interval '1 s', claims = found_row.claims + 1, handed = found_row.handed + granted
    where i.organisation_id = o and i.id = found_row.id;
    recorded := null;
    if handed > 0 then
      select array_agg(given.message_id || ' ' || given.recipient) from deliveries_in(found_row.messages) given
      where (
        select true from deliveries d
        where d.organisation_id = o and d.message_id = given.message_id and d.recipient = given.recipient
      )
      into recorded;
    end if;
    -- Those that may have to be handed over once more take their share of the budget, too.
    left_over := left_over - greatest(1, granted + handed - coalesce(cardinality(recorded), 0));
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

-- Gives rows back that were stored as in hand and of which nothing was handed over, if nobody has taken them since: who
-- does counts one claim more. So it may be asked for again when the answer was lost. Gives how many that were.
create function release_intake(o uuid, row_ids uuid[], out given_back integer) language plpgsql as $$
begin
  update intake set handed = 0, leased_until = null
  where organisation_id = o and id = any (row_ids) and claims = 1;
  get diagnostics given_back = row_count;
end $$;

-- Writes down that more deliveries of a row are about to be handed over, and gives how many of it may be: fewer than asked
-- for where the rest was taken back meanwhile. Null when it is not ours any more.
create function advance_intake(o uuid, row_id uuid, claim integer, up_to integer, lease_s double precision)
returns integer language plpgsql as $$
declare
  granted integer;
begin
  update intake set handed = least(up_to, size), leased_until = now() + lease_s * interval '1 s'
  where organisation_id = o and id = row_id and claims = claim
  returning handed into granted;
  return granted;
end $$;

-- Takes back what of a message waits in the intake: every delivery that nobody has begun to hand over becomes `canceled`.
-- Only for messages whose rows hold nothing else (`has_own_rows`). A row of which nothing was begun goes; of the others the
-- end is cut off, and whoever has them in hand learns so when they ask for more. Gives who it was and what each had cost.
create function cancel_intake(o uuid, of_message uuid)
returns table (recipient text, charge bigint, route text) language plpgsql as $$
declare
  found_row record;
begin
  for found_row in
    select i.id, i.route, i.handed, i.messages, i.line, i.created_datetime from intake i
    where i.organisation_id = o and i.last_id = of_message and i.first_id = of_message and i.handed < i.size
    order by i.id
    for update
  loop
    insert into messages
      (organisation_id, id, channel, sender_id, content, template_id, template_version, personalisation, external_ref,
       is_trackable, callback, encoding, message_length, pages, charge, line, created_datetime, trace)
    select o, m.id, m.channel, m.sender_id, m.content, m.template_id, m.template_version, m.personalisation,
      m.external_ref, m.is_trackable, m.callback, m.encoding, m.message_length, m.pages, m.charge, found_row.line,
      found_row.created_datetime, m.trace
    from messages_in(found_row.messages) m
    on conflict do nothing;
    return query
    insert into deliveries as d
      (organisation_id, message_id, recipient, position, status, pages, charge, refunded, route, text, whatsapp,
       created_datetime, updated_datetime)
    select o, given.message_id, given.recipient, given.position, 'canceled', given.pages, given.charge,
      given.charge > 0, found_row.route, given.text, given.whatsapp, found_row.created_datetime, now()
    from deliveries_in(found_row.messages) given
    where given.n > found_row.handed
    on conflict do nothing
    returning d.recipient, d.charge, d.route;
    if found_row.handed = 0 then
      delete from intake i where i.organisation_id = o and i.id = found_row.id;
    else
      update intake i set size = found_row.handed where i.organisation_id = o and i.id = found_row.id;
    end if;
  end loop;
end $$;

-- Takes back what of some messages waits to be tried again. Its job goes first, so nobody can take it in hand any more;
-- what somebody has in hand goes its way. What a carrier may have from an earlier try is `unknown`, and not given back.
-- `known_queues` are those of all routes and their carriers; a route that is gone from the configuration has at least its
-- first.
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
    where j.organisation_id = o and j.queue = any (queues) and j.subject_id = any (message_ids) and not j.in_hand
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

-- Keeps rows for another lease; 0 seconds give them back. Not those that somebody else has claimed since.
create function extend_intake_leases(o uuid, row_ids uuid[], row_claims integer[], lease_s double precision)
returns void language plpgsql as $$
begin
  update intake set leased_until = now() + lease_s * interval '1 s'
  from unnest(row_ids, row_claims) as held (row_id, claim)
  where organisation_id = o and id = row_id and claims = claim;
end $$;

-- The messages in a text of the intake that are not in `messages` yet.
create function messages_in(row_messages text) returns table (
  id uuid, channel text, sender_id text, content text, template_id text, template_version integer, personalisation jsonb,
  external_ref text, is_trackable boolean, callback text, encoding text, message_length integer, pages smallint,
  charge bigint, trace uuid
) stable language sql as $$
  select id, channel, sender_id, content, template_id, template_version, personalisation, external_ref, is_trackable,
    callback, encoding, message_length, pages, price * cardinality(string_to_array("to", ',')), trace
  from json_to_recordset(('[' || row_messages || ']')::json) as item (
    id uuid, "to" text, channel text, sender_id text, content text, template_id text, template_version integer,
    personalisation jsonb, external_ref text, is_trackable boolean, callback text, encoding text,
    message_length integer, pages smallint, price bigint, stored boolean, trace uuid
  )
  where stored is not true
$$;

-- The deliveries in a text of the intake, in the order in which they are counted.
create function deliveries_in(row_messages text) returns table (
  n bigint, message_id uuid, recipient text, "position" integer, pages smallint, charge bigint, text text, whatsapp jsonb
) stable language sql as $$
  select row_number() over (order by item.n, given.k), item.id, given.recipient,
    coalesce(given.place, item.at + given.k::integer - 1), item.pages, item.price, given.text, item.whatsapp
  from rows from (
    json_to_recordset(('[' || row_messages || ']')::json) as (
      id uuid, "to" text, "at" integer, positions jsonb, pages smallint, price bigint, texts jsonb, whatsapp jsonb
    )
  ) with ordinality as item (id, "to", "at", positions, pages, price, texts, whatsapp, n)
  cross join lateral unnest(
    string_to_array(item."to", ','),
    array(select jsonb_array_elements_text(item.positions)::integer),
    array(select jsonb_array_elements_text(item.texts))
  ) with ordinality as given (recipient, place, text, k)
$$;

-- Here and wherever it is asked whether one is written: as a subquery of one row, which can only be looked up by key.
-- As `not exists` it might become a walk through all that the organisation has.

-- Messages of an organisation that wait in the intake, of those between two ids. Rows that cannot hold what is looked for
-- are not opened: with `newest` those behind so many newer messages, with `mention` those in which that text is not. A
-- row that was begun may have some of its messages written already.
create function waiting_messages(
  o uuid, from_id uuid, up_to_id uuid, newest integer default null, mention text default null
) returns table (
  id uuid, channel text, sender_id text, content text, template_id text, template_version integer, personalisation jsonb,
  external_ref text, is_trackable boolean, callback text, charge bigint, created_datetime timestamptz
) stable language plpgsql as $$
declare
  oldest uuid := case when newest is not null then newest_waiting(o, up_to_id, newest) end;
begin
  return query
  select message.id, message.channel, message.sender_id, message.content, message.template_id,
    message.template_version, message.personalisation, message.external_ref, message.is_trackable, message.callback,
    message.charge, intake.created_datetime
  from intake cross join lateral messages_in(messages) message
  where organisation_id = o and first_id <= up_to_id and last_id >= from_id
    and (oldest is null or last_id >= oldest)
    and (mention is null or strpos(messages, mention) > 0)
    and message.id between from_id and up_to_id
    and (
      handed = 0
      or (select true from messages known where known.organisation_id = o and known.id = message.id) is null
    );
end $$;

-- Likewise deliveries; with `positions_below` only rows with some of the first recipients of a message are opened.
create function waiting_deliveries(
  o uuid, from_id uuid, up_to_id uuid, newest integer default null, mention text default null,
  positions_below integer default null
) returns table (
  message_id uuid, recipient text, "position" integer, text text, pages smallint, charge bigint, route text,
  created_datetime timestamptz
) stable language plpgsql as $$
declare
  oldest uuid := case when newest is not null then newest_waiting(o, up_to_id, newest) end;
begin
  return query
  select delivery.message_id, delivery.recipient, delivery.position, delivery.text, delivery.pages, delivery.charge,
    intake.route, intake.created_datetime
  from intake cross join lateral deliveries_in(messages) delivery
  where organisation_id = o and first_id <= up_to_id and last_id >= from_id
    and (oldest is null or last_id >= oldest)
    and (mention is null or strpos(messages, mention) > 0)
    and (positions_below is null or (first_position < positions_below and delivery.position < positions_below))
    and delivery.message_id between from_id and up_to_id
    and (
      handed = 0
      or (
        select true from deliveries known
        where known.organisation_id = o and known.message_id = delivery.message_id
          and known.recipient = delivery.recipient
      ) is null
    );
end $$;

-- How many deliveries of a message wait. Slices that nobody has begun need not be opened for that.
create function count_waiting(o uuid, of_message uuid) returns bigint stable language plpgsql as $$
begin
  return (
    select coalesce(sum(case
        when first_id = last_id and handed = 0 then size
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

-- The highest id of the row behind which there are so many newer messages: every row's highest id is a message of its own.
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
