-- Charges an organisation's balance for a batch of sales, in their order: each is charged if the balance still covers it, so
-- that one the balance does not cover fails alone. A sale whose idempotency key is known returns the response that is
-- stored under it and charges nothing.
--
-- `together`: one ledger line for everything that is charged, under the lowest of the ids; otherwise one line per sale, in
-- their order. `keys`, `hashes` and `answers` are empty where no sale has a key. The answers have placeholders for values
-- that only this function knows (src/billing/answer-slots.ts).
--
-- Returns the remaining balance and the number of the newest line. Where every sale was charged the rest is null; otherwise
-- `outcomes` has the outcome of each, `balances_left` the balance after it, `known_answers` the stored responses, and
-- `charged` the ids that were charged.
create function charge(
  o uuid, sale_kind text, together boolean, ids uuid[], amounts bigint[], keys text[], hashes text[], answers text[],
  out balance_left bigint, out line bigint, out moment timestamptz,
  out outcomes text[], out balances_left bigint[], out known_answers text[], out charged uuid[]
) language plpgsql as $$
declare
  size constant integer := cardinality(ids);
  total bigint := 0;
  lines bigint;
  known record;
  place integer;
  sold uuid[] := ids;
  prices bigint[] := amounts;
  last_id uuid;
begin
  moment := now();
  for n in 1 .. size loop
    total := total + amounts[n];
  end loop;

  if cardinality(keys) = 0 then
    lines := case when together then 1 else size end;
    update balances set balance = balance - total, sequence = sequence + lines
    where organisation_id = o and balance >= total
    returning balance, sequence into balance_left, line;
  end if;

  if line is null then
    -- A key may be known, or the balance does not cover everything: each sale is decided alone, under the balance's lock.
    select balance, sequence from balances where organisation_id = o for update into strict balance_left, line;
    select array_agg(key) as keys, array_agg(request_hash) as hashes, array_agg(answer) as answers
    from idempotency_keys where organisation_id = o and key = any (charge.keys)
    into known;
    if known.keys is not null or total > balance_left then
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
        elsif amounts[n] > balance_left then
          outcomes[n] := 'insufficient';
        else
          balance_left := balance_left - amounts[n];
          total := total + amounts[n];
          sold := sold || ids[n];
          prices := prices || amounts[n];
        end if;
        balances_left[n] := balance_left;
      end loop;
      charged := sold;
    else
      balance_left := balance_left - total;
    end if;
    lines := case when together then least(1, cardinality(sold)) else cardinality(sold) end;
    if lines = 0 then
      return;
    end if;
    line := line + lines;
    update balances set balance = balance_left, sequence = line where organisation_id = o;
    if cardinality(keys) > 0 then
      insert into idempotency_keys (organisation_id, key, request_hash, answer)
      select o, key, decode(hash, 'base64'),
        replace(replace(replace(answer,
          e'\x01', to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')),
          e'\x02', trim_scale(after_it::numeric / 10000)::text),
          e'\x03', trim_scale((after_it + amount)::numeric / 10000)::text)
      from (
        select *, coalesce(own_left, balance_left + total - sum(amount) over (order by n)) as after_it
        from unnest(keys, hashes, answers, amounts, outcomes, balances_left) with ordinality
          as given (key, hash, answer, amount, outcome, own_left, n)
      ) sale
      where key is not null and coalesce(outcome, 'charged') = 'charged';
    end if;
  end if;

  if together then
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
