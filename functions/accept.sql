-- Charges a burst of messages and stores what of it was charged, in one transaction.
--
-- What goes at once becomes rows of the intake. Their messages come as one text: the rows with \x1e between them (no JSON
-- has it), the objects of a row with a comma and a line break (see functions/intake.sql). A row that is `in_hand` belongs
-- to the caller from the start: it hands all of it over right after this, and need not claim it. Its lease counts from
-- the write, not from the beginning of the transaction: the balance may have been waited for.
--
-- What is stored says by which ledger line it was charged, or nothing where each has a line of its own, under its id.
--
-- `stored`, `scheduled` and `links` are JSON lists, or null: messages that are written down now because they go several
-- ways or at several times, deliveries that wait for their time, and links that count clicks.
--
-- Gives what `charge` gives, and who of the recipients in hand has asked for silence within the last minute.
create function accept_messages(
  o uuid, together boolean, ids uuid[], amounts bigint[], keys text[], hashes text[], answers text[],
  row_ids uuid[], routes text[], priorities smallint[], sizes integer[], first_ids uuid[], last_ids uuid[],
  first_positions integer[], in_hand boolean[], contents text, lease_s double precision,
  stored json, scheduled json, links json,
  out balance_left bigint, out line bigint, out moment timestamptz,
  out outcomes text[], out balances_left bigint[], out known_answers text[], out charged uuid[], out opted_out text[]
) language plpgsql as $$
declare
  shared_line bigint;
  leased timestamptz;
  handed integer := 0;
  last_minute uuid;
begin
  select * from charge(o, 'message', together, ids, amounts, keys, hashes, answers)
  into balance_left, line, moment, outcomes, balances_left, known_answers, charged;
  if together then
    shared_line := line;
  end if;

  if charged is null and cardinality(row_ids) = 1 then
    -- Nearly always; and a cluster keeps the plan of an insert with values, not of one that reads an array.
    if in_hand[1] then
      leased := clock_timestamp() + lease_s * interval '1 s';
      handed := sizes[1];
    end if;
    insert into intake
      (organisation_id, id, route, priority, first_id, last_id, first_position, size, handed, claims, line, leased_until,
       messages)
    values (o, row_ids[1], routes[1], priorities[1], first_ids[1], last_ids[1], first_positions[1], sizes[1],
      handed, in_hand[1]::integer, shared_line, leased, contents);
  elsif charged is null then
    insert into intake
      (organisation_id, id, route, priority, first_id, last_id, first_position, size, handed, claims, line, leased_until,
       messages)
    select o, row_id, route, priority, first_id, last_id, first_position, size, case when held then size else 0 end,
      held::integer,
      shared_line, case when held then clock_timestamp() + lease_s * interval '1 s' end, content
    from unnest(
      row_ids, routes, priorities, sizes, first_ids, last_ids, first_positions, in_hand,
      string_to_array(contents, e'\x1e')
    ) as given (row_id, route, priority, size, first_id, last_id, first_position, held, content);
  elsif cardinality(charged) > 0 then
    insert into intake
      (organisation_id, id, route, priority, first_id, last_id, first_position, size, handed, claims, line, leased_until,
       messages)
    select o, row_id, route, priority, own.first_id, own.last_id, first_position, own.size,
      case when held then own.size else 0 end,
      held::integer, shared_line, case when held then clock_timestamp() + lease_s * interval '1 s' end, own.content
    from unnest(
      row_ids, routes, priorities, first_positions, in_hand, string_to_array(contents, e'\x1e')
    ) as given (row_id, route, priority, first_position, held, content)
    cross join lateral (
      select string_agg(item, e',\n' order by n) as content,
        min(item::json ->> 'id')::uuid as first_id, max(item::json ->> 'id')::uuid as last_id,
        sum(cardinality(string_to_array(item::json ->> 'to', ',')))::integer as size
      from unnest(string_to_array(given.content, e',\n')) with ordinality as one (item, n)
      where (item::json ->> 'id')::uuid = any (charged)
    ) own
    where own.size > 0;
  end if;

  if stored is not null then
    insert into messages
      (organisation_id, id, channel, sender_id, content, template_id, template_version, personalisation, external_ref,
       is_trackable, callback, encoding, message_length, pages, charge, line, trace)
    select o, id, channel, sender_id, content, template_id, template_version, personalisation, external_ref,
      is_trackable, callback, encoding, message_length, pages, amount, shared_line, trace
    from json_to_recordset(stored) as given (
      id uuid, channel text, sender_id text, content text, template_id text, template_version integer,
      personalisation jsonb, external_ref text, is_trackable boolean, callback text, encoding text,
      message_length integer, pages smallint, amount bigint, trace uuid
    )
    where charged is null or id = any (charged);
  end if;
  if scheduled is not null then
    perform store_scheduled(o, scheduled, charged);
  end if;
  if links is not null then
    insert into links (code, organisation_id, message_id, recipient, position, url)
    select code, o, message_id, recipient, position, url
    from json_to_recordset(links) as given (code text, message_id uuid, recipient text, position smallint, url text)
    where charged is null or message_id = any (charged);
  end if;

  if true = any (in_hand) then
    last_minute := first_id_at(now() - interval '1 minute');
    select array_agg(recipient) from optouts where organisation_id = o and id >= last_minute into opted_out;
  end if;
end $$;

-- Deliveries that wait for their time. They have no place in the intake: one job per message and moment puts them in
-- line, in a queue of its own, so that a million messages for next week stand in nobody's way. All that waits is one
-- lane, in order of time: looking for what is due never passes by what is not.
create function store_scheduled(o uuid, scheduled json, charged uuid[]) returns void language plpgsql as $$
begin
  insert into deliveries
    (organisation_id, message_id, recipient, position, status, pages, charge, route, send_at, text, whatsapp, promotional)
  select o, message_id, recipient, position, 'scheduled', pages, price, route, send_at, text, whatsapp, promotional
  from json_to_recordset(scheduled) as given (
    message_id uuid, recipient text, position integer, pages smallint, price bigint, route text, send_at timestamptz,
    text text, whatsapp jsonb, promotional boolean
  )
  where charged is null or message_id = any (charged);
  insert into jobs (queue, priority, lane, organisation_id, subject_id, subject_key, run_at)
  select 'scheduled', 1, '00000000-0000-0000-0000-000000000000', o, message_id, send_at::text, send_at
  from json_to_recordset(scheduled) as given (message_id uuid, send_at timestamptz)
  where charged is null or message_id = any (charged)
  group by message_id, send_at;
end $$;
