-- Charges an organisation's balance for a batch of sales, in their order: each is charged if the balance and the credit limit
-- still cover it, so that one they do not cover fails alone. A sale whose idempotency key is known returns the response that is
-- stored under it and charges nothing.
--
-- `together`: one ledger line for everything that is charged, under the lowest of the ids; otherwise one line per sale, in
-- their order. `keys`, `hashes` and `answers` are empty where no sale has a key. The answers have placeholders for values
-- that only this function knows (src/billing/answer-slots.ts).
--
-- `caps` names for each sale the key that it is counted for and how much that key may spend per day (UTC), separated by a
-- blank; null where the key has no limit, and empty if none has one. What they have spent is in the row of the balance.
--
-- `fees`: the part of each amount that is a fee of an OTP; empty if there are none. With `together`, what is charged of them
-- has a ledger line of its own, of the kind `otp`, before the line of the sales.
--
-- Returns the remaining balance and the number of the newest line. Where every sale was charged the rest is null; otherwise
-- `outcomes` has the outcome of each, `balances_left` the balance after it, `known_answers` the stored responses, and
-- `charged` the ids that were charged.
create function charge(
  o uuid, sale_kind text, together boolean, ids uuid[], amounts bigint[], keys text[], hashes text[], answers text[],
  caps text[], fees bigint[] default '{}',
  out balance_left bigint, out line bigint, out moment timestamptz,
  out outcomes text[], out balances_left bigint[], out known_answers text[], out charged uuid[]
) language plpgsql as $$
declare
  size constant integer := cardinality(ids);
  credit bigint;
  total bigint := 0;
  lines bigint;
  known record;
  place integer;
  sold uuid[] := ids;
  prices bigint[] := amounts;
  last_id uuid;
  today constant date := (now() at time zone 'UTC')::date;
  day date;
  spenders uuid[];
  spent bigint[];
  spender integer;
  with_fee uuid[];
  fee_total bigint := 0;
begin
  moment := now();
  for n in 1 .. size loop
    total := total + amounts[n];
  end loop;

  if cardinality(keys) = 0 and cardinality(caps) = 0 and cardinality(fees) = 0 then
    lines := case when together then 1 else size end;
    update balances set balance = balance - total, sequence = sequence + lines
    where organisation_id = o and balance + credit_limit >= total
    returning balance, sequence into balance_left, line;
  end if;

  if line is null then
    -- A key may be known or limited, or the balance does not cover everything: each sale is decided alone, under the
    -- balance's lock.
    select balance, sequence, credit_limit, spent_day, spent_keys, spent_amounts from balances
    where organisation_id = o for update
    into strict balance_left, line, credit, day, spenders, spent;
    -- A transaction that began before midnight may get the lock after one that began later: days only advance.
    if cardinality(caps) > 0 and (day is null or day < today) then
      day := today;
      spenders := '{}';
      spent := '{}';
    end if;
    select array_agg(key) as keys, array_agg(request_hash) as hashes, array_agg(answer) as answers
    from idempotency_keys where organisation_id = o and key = any (charge.keys)
    into known;
    if known.keys is not null or total > balance_left + credit or cardinality(caps) > 0 then
      outcomes := array_fill('charged'::text, array[size]);
      balances_left := array_fill(null::bigint, array[size]);
      known_answers := array_fill(null::text, array[size]);
      sold := '{}';
      prices := '{}';
      total := 0;
      for n in 1 .. size loop
        place := array_position(known.keys, keys[n]);
        if place is not null then
          known_answers[n] := known.answers[place];
          outcomes[n] := case when known.hashes[place] = decode(hashes[n], 'base64') then 'replayed' else 'conflict' end;
        elsif amounts[n] > balance_left + credit then
          outcomes[n] := 'insufficient';
        else
          if caps[n] is not null then
            spender := array_position(spenders, split_part(caps[n], ' ', 1)::uuid);
            if spender is null then
              spenders := spenders || split_part(caps[n], ' ', 1)::uuid;
              spent := spent || 0::bigint;
              spender := cardinality(spenders);
            end if;
            if spent[spender] + amounts[n] > split_part(caps[n], ' ', 2)::bigint then
              outcomes[n] := 'over_limit';
              balances_left[n] := balance_left;
              continue;
            end if;
            spent[spender] := spent[spender] + amounts[n];
          end if;
          balance_left := balance_left - amounts[n];
          total := total + amounts[n];
          sold := sold || ids[n];
          prices := prices || amounts[n];
        end if;
        balances_left[n] := balance_left;
      end loop;
      if cardinality(sold) = size then
        outcomes := null;
        balances_left := null;
        known_answers := null;
      else
        charged := sold;
      end if;
    else
      balance_left := balance_left - total;
    end if;
    lines := case when together then least(1, cardinality(sold)) else cardinality(sold) end;
    if lines = 0 then
      return;
    end if;
    if cardinality(fees) > 0 then
      select array_agg(id order by id), sum(fee) from unnest(ids, fees) as sale (id, fee)
      where fee > 0 and id = any (sold)
      into with_fee, fee_total;
      lines := lines + least(1, cardinality(with_fee));
    end if;
    line := line + lines;
    update balances
    set balance = balance_left, sequence = line, spent_day = day, spent_keys = spenders, spent_amounts = spent
    where organisation_id = o;
    if cardinality(keys) > 0 then
      insert into idempotency_keys (organisation_id, key, request_hash, answer)
      select o, key, decode(hash, 'base64'),
        write_answer(answer, moment, after_it::bigint, amount)
      from (
        select *, coalesce(own_left, balance_left + total - sum(amount) over (order by n)) as after_it
        from unnest(keys, hashes, answers, amounts, outcomes, balances_left) with ordinality
          as given (key, hash, answer, amount, outcome, own_left, n)
      ) sale
      where key is not null and coalesce(outcome, 'charged') = 'charged';
    end if;
  end if;

  if together then
    if with_fee is not null then
      insert into ledger_lines
        (organisation_id, sequence, kind, amount, balance_after, subject_id, last_subject_id, subjects)
      values (o, line - 1, 'otp', -fee_total, balance_left + total - fee_total, with_fee[1],
        case when cardinality(with_fee) > 1 then with_fee[cardinality(with_fee)] end, cardinality(with_fee));
      total := total - fee_total;
    end if;
    sold := array(select id from unnest(sold) as id order by id);
    last_id := case when cardinality(sold) > 1 then sold[cardinality(sold)] end;
    insert into ledger_lines
      (organisation_id, sequence, kind, amount, balance_after, subject_id, last_subject_id, subjects)
    values (o, line, sale_kind, -total, balance_left, sold[1], last_id, cardinality(sold));
  else
    insert into ledger_lines (organisation_id, sequence, kind, amount, balance_after, subject_id)
    select o, line - lines + n, sale_kind, -amount, balance_left + total - sum(amount) over (order by n), id
    from unnest(sold, prices) with ordinality as sale (id, amount, n);
  end if;
end $$;

-- Charges several organisations, where that is simple: balance and credit cover all sales of the organisation, no idempotency
-- key of theirs is known, and no sale is made with a key that has a spending limit. The caller charges the others with `charge`, each alone.
--
-- `os` are distinct and sorted. Balances are locked in this order, so that two calls cannot deadlock. If the locks take
-- longer than 100 ms, organisations whose balance is locked are left out. `totals` are the sums of the sales of each, and
-- `line_counts` the numbers of their ledger lines.
--
-- The arrays from `line_places` on are of ledger lines: the position of their organisation in `os`, the number of its lines
-- after this one, the amount, the sum of its amounts up to this one, and the number of sales with the lowest and highest of
-- their ids. The arrays from `key_places` on are of sales with an idempotency key: the position of their organisation, and the
-- sum of the sales up to them.
--
-- Returns the remaining balance and the number of the newest line for each organisation in `os`; null where nothing was
-- charged.
create function charge_many(
  sale_kind text, os uuid[], totals bigint[], line_counts integer[], line_places integer[], lines_after integer[],
  line_amounts bigint[], line_sums bigint[], subjects integer[], first_ids uuid[], last_ids uuid[], key_places integer[],
  key_amounts bigint[], key_sums bigint[], keys text[], hashes text[], answers text[],
  out balances_left bigint[], out lines bigint[], out moment timestamptz
) language plpgsql as $$
declare
  places integer[];
  known integer[];
begin
  moment := now();
  perform set_config('lock_timeout', '100ms', true);
  begin
    select array_agg(given.n), array_agg(own.balance - total), array_agg(own.sequence + line_count)
    from unnest(os, totals, line_counts) with ordinality as given (organisation, total, line_count, n)
    cross join lateral (
      select balance, sequence from balances
      where organisation_id = organisation and balance + credit_limit >= total
      for update
    ) own
    into places, balances_left, lines;
  exception when lock_not_available then
    select array_agg(given.n), array_agg(own.balance - total), array_agg(own.sequence + line_count)
    from unnest(os, totals, line_counts) with ordinality as given (organisation, total, line_count, n)
    cross join lateral (
      select balance, sequence from balances
      where organisation_id = organisation and balance + credit_limit >= total
      for update skip locked
    ) own
    into places, balances_left, lines;
  end;

  if cardinality(keys) > 0 and places is not null then
    -- Keys are written under the lock of the balance, so this sees all that were.
    select array_agg(place) from unnest(key_places, keys) as given (place, given_key)
    where (select true from idempotency_keys where organisation_id = os[place] and key = given_key)
    into known;
    if known is not null then
      select array_agg(place), array_agg(left_over), array_agg(line)
      from unnest(places, balances_left, lines) as given (place, left_over, line)
      where place <> all (known)
      into places, balances_left, lines;
    end if;
  end if;

  -- From here on by position in `os`.
  select array_agg(left_over order by n), array_agg(line order by n)
  from generate_series(1, cardinality(os)) as n
  left join unnest(places, balances_left, lines) as given (place, left_over, line) on place = n
  into balances_left, lines;
  if places is not null then
    with charged as (
      update balances set balance = given.left_over, sequence = given.line
      from charged_balances(os, balances_left, lines) given
      where balances.organisation_id = given.organisation_id
    )
    insert into ledger_lines
      (organisation_id, sequence, kind, amount, balance_after, subject_id, last_subject_id, subjects)
    select os[place], lines[place] - after_it, sale_kind, -amount, balances_left[place] + totals[place] - sum_so_far,
      first_id, case when sales > 1 then last_id end, sales
    from unnest(line_places, lines_after, line_amounts, line_sums, subjects, first_ids, last_ids)
      as given (place, after_it, amount, sum_so_far, sales, first_id, last_id)
    where lines[place] is not null;
  end if;

  if cardinality(keys) > 0 then
    insert into idempotency_keys (organisation_id, key, request_hash, answer)
    select os[place], key, decode(hash, 'base64'),
      write_answer(answer, moment, balances_left[place] + totals[place] - sum_so_far, amount)
    from unnest(key_places, key_amounts, key_sums, keys, hashes, answers)
      as given (place, amount, sum_so_far, key, hash, answer)
    where lines[place] is not null;
  end if;
end $$;

-- The new balances as rows. Declared as `rows 1`, so that a cached plan updates by primary key, see `delivery_keys`.
create function charged_balances(os uuid[], balances_left bigint[], lines bigint[])
returns table (organisation_id uuid, left_over bigint, line bigint) rows 1 stable language plpgsql as $$
begin
  return query
  select given.organisation, given.left_over, given.line
  from unnest(os, balances_left, lines) as given (organisation, left_over, line)
  where given.line is not null;
end $$;

-- Replaces the placeholders in the response of a sale (src/billing/answer-slots.ts).
create function write_answer(answer text, moment timestamptz, balance_after bigint, amount bigint) returns text
immutable language sql as $$
  select replace(replace(replace(answer,
    e'\x01', to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')),
    e'\x02', trim_scale(balance_after::numeric / 10000)::text),
    e'\x03', trim_scale((balance_after + amount)::numeric / 10000)::text)
$$;
