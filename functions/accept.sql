-- Charges a batch of messages and stores those that were charged, in one transaction.
--
-- Messages that are sent immediately become rows of the intake. `contents` has the messages of all rows as one text: rows
-- separated by \x1e (which JSON never contains), the objects of a row by a comma and a line break (see
-- functions/intake.sql). A row with `in_hand` is leased by the caller from the start: the caller submits all of it right
-- after this, without a claim. Its lease counts from the write, not from the beginning of the transaction, which may have
-- waited for the balance.
--
-- Everything stored has the number of its ledger line, or none where each message has a line of its own, under its id.
--
-- `stored`: JSON objects of messages that are stored now, because they use several routes or are sent at several times,
-- separated as in a row. `scheduled` and `links`: JSON lists of deliveries that are sent later and of links that count
-- clicks. Each may be null.
--
-- Returns what `charge` returns, and the recipients of rows `in_hand` who have opted out within the last minute.
create function accept_messages(
  o uuid, together boolean, ids uuid[], amounts bigint[], keys text[], hashes text[], answers text[],
  row_ids uuid[], routes text[], priorities smallint[], sizes integer[], first_ids uuid[], last_ids uuid[],
  first_positions integer[], in_hand boolean[], contents text, lease_s double precision,
  stored text, scheduled json, links json,
  out balance_left bigint, out line bigint, out moment timestamptz,
  out outcomes text[], out balances_left bigint[], out known_answers text[], out charged uuid[], out opted_out text[]
) language plpgsql as $$
declare
  shared_line bigint;
  leased timestamptz;
  submitted integer := 0;
  last_minute uuid;
begin
  select * from charge(o, 'message', together, ids, amounts, keys, hashes, answers)
  into balance_left, line, moment, outcomes, balances_left, known_answers, charged;
  if together then
    shared_line := line;
  end if;

  if charged is null and cardinality(row_ids) = 1 then
    -- The most frequent case. Citus caches the plan of an insert with values, not of one that reads an array.
    if in_hand[1] then
      leased := clock_timestamp() + lease_s * interval '1 s';
      submitted := sizes[1];
    end if;
    insert into intake
      (organisation_id, id, route, priority, first_id, last_id, first_position, size, handed, claims, line, leased_until,
       messages)
    values (o, row_ids[1], routes[1], priorities[1], first_ids[1], last_ids[1], first_positions[1], sizes[1],
      submitted, in_hand[1]::integer, shared_line, leased, contents);
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
    perform store_messages(o, stored, shared_line, now(), charged, true);
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

-- Inserts scheduled deliveries. They are not in the intake: one job per message and moment, in a queue of its own, releases
-- them, so that a million messages for next week delay no other. The queue has one lane, ordered by time: a claim reads
-- only what is due.
create function store_scheduled(o uuid, scheduled json, charged uuid[]) returns void language plpgsql as $$
begin
  perform store_deliveries(o, null, null, scheduled, charged);
  insert into jobs (queue, priority, lane, organisation_id, subject_id, subject_key, run_at)
  select 'scheduled', 1, '00000000-0000-0000-0000-000000000000', o, message_id, send_at::text, send_at
  from json_to_recordset(scheduled) as given (message_id uuid, send_at timestamptz)
  where charged is null or message_id = any (charged)
  group by message_id, send_at;
end $$;
