-- Charges a batch of messages and stores those that were charged, in one transaction.
--
-- Messages that are sent immediately become rows of the intake. `contents` has the messages of all rows as one text: rows
-- separated by \x1e (which JSON never contains), the objects of a row by a comma and a line break (see
-- functions/intake.sql). A row with `leased` is leased by the caller from the start: the caller submits all of it right
-- after this, without a claim. Its lease counts from the write, not from the beginning of the transaction, which may have
-- waited for the balance.
--
-- Everything stored has the number of its ledger line, or none where each message has a line of its own, under its id.
--
-- `stored`: JSON objects of messages that are stored now, because they use several routes or are sent at several times,
-- separated as in a row. `scheduled` and `links`: JSON lists of deliveries that are sent later and of links that count
-- clicks. `otps`: see `store_otps`. Each may be null. `fees` of OTPs: see `charge`.
--
-- Returns what `charge` returns, and up to 100 recipients who have opted out within the last minute, if a row is
-- `leased` (src/messaging/accept/store.ts). An organisation with many opt-outs must not delay others.
create function accept_messages(
  o uuid, together boolean, ids uuid[], amounts bigint[], keys text[], hashes text[], answers text[],
  caps text[], row_ids uuid[], routes text[], priorities smallint[], sizes integer[], first_ids uuid[], last_ids uuid[],
  first_positions integer[], leased boolean[], contents text, lease_s double precision,
  stored text, scheduled json, links json, otps json, fees bigint[] default '{}',
  out balance_left bigint, out line bigint, out moment timestamptz,
  out outcomes text[], out balances_left bigint[], out known_answers text[], out charged uuid[], out opted_out text[]
) language plpgsql as $$
declare
  shared_line bigint;
  leased_to timestamptz;
  submitted integer := 0;
  last_minute uuid;
begin
  select * from charge(o, 'message', together, ids, amounts, keys, hashes, answers, caps, fees)
  into balance_left, line, moment, outcomes, balances_left, known_answers, charged;
  if together then
    shared_line := line;
  end if;

  if charged is null and cardinality(row_ids) = 1 then
    -- The most frequent case. Citus caches the plan of an insert with values, not of one that reads an array.
    if leased[1] then
      leased_to := clock_timestamp() + lease_s * interval '1 s';
      submitted := sizes[1];
    end if;
    insert into intake
      (organisation_id, id, route, priority, first_id, last_id, first_position, size, submitted, claims, line,
       leased_until, messages)
    values (o, row_ids[1], routes[1], priorities[1], first_ids[1], last_ids[1], first_positions[1], sizes[1],
      submitted, leased[1]::integer, shared_line, leased_to, contents);
  elsif charged is null then
    perform store_intake(
      array_fill(o, array[cardinality(row_ids)]), array_fill(shared_line, array[cardinality(row_ids)]), row_ids, routes,
      priorities, sizes, first_ids, last_ids, first_positions, leased, string_to_array(contents, e'\x1e'), lease_s
    );
  elsif cardinality(charged) > 0 then
    -- Without the messages that were not charged.
    perform store_intake(
      array_agg(o), array_agg(shared_line), array_agg(row_id), array_agg(route), array_agg(priority),
      array_agg(own.size), array_agg(own.first_id), array_agg(own.last_id), array_agg(first_position), array_agg(held),
      array_agg(own.content), lease_s
    )
    from unnest(
      row_ids, routes, priorities, first_positions, leased, string_to_array(contents, e'\x1e')
    ) as given (row_id, route, priority, first_position, held, content)
    cross join lateral (
      select string_agg(item, e',\n' order by n) as content,
        min(item::json ->> 'id')::uuid as first_id, max(item::json ->> 'id')::uuid as last_id,
        sum(cardinality(string_to_array(item::json ->> 'to', ',')))::integer as size
      from unnest(string_to_array(given.content, e',\n')) with ordinality as one (item, n)
      where (item::json ->> 'id')::uuid = any (charged)
    ) own
    where own.size > 0
    having count(*) > 0;
  end if;

  if stored is not null or scheduled is not null or links is not null or otps is not null then
    perform store_beside(o, shared_line, stored, scheduled, links, otps, charged);
  end if;
  if true = any (leased) then
    last_minute := first_id_at(now() - interval '1 minute');
    select array_agg(recipient)
    from (select recipient from optouts where organisation_id = o and id >= last_minute limit 100) lately
    into opted_out;
  end if;
end $$;

-- The same for several organisations, see `charge_many`: of those that were charged, everything is stored. Rows of the
-- intake name their organisation by its position in `os` (`row_places`). `stored`, `scheduled`, `links` and `otps` have an
-- element per organisation, or are empty.
create function accept_many(
  os uuid[], totals bigint[], line_counts integer[], line_places integer[], lines_after integer[], line_amounts bigint[],
  line_sums bigint[], subjects integer[], lowest_ids uuid[], highest_ids uuid[], key_places integer[],
  key_amounts bigint[], key_sums bigint[], keys text[], hashes text[], answers text[],
  row_places integer[], row_ids uuid[], routes text[], priorities smallint[], sizes integer[], first_ids uuid[],
  last_ids uuid[], first_positions integer[], leased boolean[], contents text, lease_s double precision,
  stored text[], scheduled text[], links text[], otps text[],
  out balances_left bigint[], out lines bigint[], out moment timestamptz, out opted_out_of integer[],
  out opted_out text[]
) language plpgsql as $$
declare
  last_minute uuid;
begin
  select * from charge_many(
    'message', os, totals, line_counts, line_places, lines_after, line_amounts, line_sums, subjects, lowest_ids,
    highest_ids, key_places, key_amounts, key_sums, keys, hashes, answers
  ) into balances_left, lines, moment;
  perform store_intake(
    array_agg(os[place]), array_agg(lines[place]), array_agg(row_id), array_agg(route), array_agg(priority),
    array_agg(size), array_agg(first_id), array_agg(last_id), array_agg(first_position), array_agg(held),
    array_agg(content), lease_s
  )
  from unnest(
    row_places, row_ids, routes, priorities, sizes, first_ids, last_ids, first_positions, leased,
    string_to_array(contents, e'\x1e')
  ) as given (place, row_id, route, priority, size, first_id, last_id, first_position, held, content)
  where lines[place] is not null
  having count(*) > 0;

  for n in 1 .. greatest(cardinality(stored), cardinality(scheduled), cardinality(links), cardinality(otps)) loop
    if lines[n] is not null then
      perform store_beside(
        os[n], lines[n], stored[n], scheduled[n]::json, links[n]::json, otps[n]::json, null
      );
    end if;
  end loop;

  if true = any (leased) then
    last_minute := first_id_at(now() - interval '1 minute');
    select array_agg(n), array_agg(own.recipient)
    from unnest(os) with ordinality as given (organisation, n)
    cross join lateral (
      select recipient from optouts where organisation_id = organisation and id >= last_minute limit 100
    ) own
    into opted_out_of, opted_out;
  end if;
end $$;

-- Inserts rows of the intake, leased or not.
create function store_intake(
  os uuid[], lines bigint[], row_ids uuid[], routes text[], priorities smallint[], sizes integer[], first_ids uuid[],
  last_ids uuid[], first_positions integer[], leased boolean[], contents text[], lease_s double precision
) returns void language plpgsql as $$
begin
  insert into intake
    (organisation_id, id, route, priority, first_id, last_id, first_position, size, submitted, claims, line,
     leased_until, messages)
  select organisation, row_id, route, priority, first_id, last_id, first_position, size,
    case when held then size else 0 end, held::integer, its_line,
    case when held then clock_timestamp() + lease_s * interval '1 s' end, content
  from unnest(os, lines, row_ids, routes, priorities, sizes, first_ids, last_ids, first_positions, leased, contents)
    as given (
      organisation, its_line, row_id, route, priority, size, first_id, last_id, first_position, held, content
    );
end $$;

-- Inserts what is stored beside the intake: messages, scheduled deliveries, links and one-time passwords, of the charged
-- messages. Each may be null.
create function store_beside(
  o uuid, line bigint, stored text, scheduled json, links json, otps json, charged uuid[]
) returns void language plpgsql as $$
begin
  if stored is not null then
    perform store_messages(o, stored, line, now(), charged, true);
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
  if otps is not null then
    perform store_otps(o, otps, charged, line);
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
