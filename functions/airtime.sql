-- Charges a batch of purchases, with one ledger line each, and stores those that were charged, with their jobs.
-- `purchases`: see `store_purchases`, in the order of the sales. All earlier purchases are visible here: they were charged under
-- the lock on the balance, which this function holds.
--
-- Returns what `charge` returns, and the reserved purchases with the ids of their jobs.
create function accept_purchases(
  o uuid, ids uuid[], amounts bigint[], keys text[], hashes text[], answers text[], caps text[], purchases json,
  twin_minutes double precision, lease_s double precision,
  out balance_left bigint, out line bigint, out moment timestamptz,
  out outcomes text[], out balances_left bigint[], out known_answers text[], out charged uuid[],
  out reserved_ids uuid[], out job_ids bigint[]
) language plpgsql as $$
declare
  size constant integer := cardinality(ids);
  lines_of_sales bigint[] := array_fill(null::bigint, array[size]);
  lines_left integer;
begin
  select * from charge(o, 'airtime', false, ids, amounts, keys, hashes, answers, caps)
  into balance_left, line, moment, outcomes, balances_left, known_answers, charged;
  -- The lines are numbered in the order of the sales.
  lines_left := cardinality(coalesce(charged, ids));
  if lines_left = 0 then
    return;
  end if;
  for n in 1 .. size loop
    if charged is null or ids[n] = any (charged) then
      lines_left := lines_left - 1;
      lines_of_sales[n] := line - lines_left;
    end if;
  end loop;
  select * from store_purchases(o, array_fill(o, array[size]), lines_of_sales, amounts, purchases, twin_minutes, lease_s)
  into reserved_ids, job_ids;
end $$;

-- The same for several organisations, see `charge_many`, with one ledger line per purchase.
create function accept_purchases_of_many(
  os uuid[], totals bigint[], line_counts integer[], line_places integer[], lines_after integer[], amounts bigint[],
  line_sums bigint[], subjects integer[], first_ids uuid[], last_ids uuid[], key_places integer[], key_amounts bigint[],
  key_sums bigint[], keys text[], hashes text[], answers text[], purchases json, twin_minutes double precision,
  lease_s double precision,
  out balances_left bigint[], out lines bigint[], out moment timestamptz, out reserved_ids uuid[], out job_ids bigint[]
) language plpgsql as $$
declare
  organisations uuid[];
  lines_of_sales bigint[];
begin
  select * from charge_many(
    'airtime', os, totals, line_counts, line_places, lines_after, amounts, line_sums, subjects, first_ids, last_ids,
    key_places, key_amounts, key_sums, keys, hashes, answers
  ) into balances_left, lines, moment;
  select array_agg(os[place] order by n), array_agg(lines[place] - after_it order by n)
  from unnest(line_places, lines_after) with ordinality as given (place, after_it, n)
  into organisations, lines_of_sales;
  select * from store_purchases(null, organisations, lines_of_sales, amounts, purchases, twin_minutes, lease_s)
  into reserved_ids, job_ids;
end $$;

-- Stores purchases with their jobs: those that have a ledger line in `lines`. `purchases` is a JSON list of them.
--
-- The job of a `reserved` purchase is leased by the caller from the start, unless the purchase repeats another: the caller
-- carries it out after the commit, without a claim. With a `reference` its first try is stored too, as `calling`, so that it
-- is committed before the vendor is called. If the caller crashes, the lease expires, and the next worker queries the vendor.
--
-- `os` has the organisation of each purchase; `o` is null, or the only organisation. `amounts` are what was charged: the
-- commission of a purchase is part of it. Returns the reserved purchases with the ids of their jobs.
create function store_purchases(
  o uuid, os uuid[], lines bigint[], amounts bigint[], purchases json, twin_minutes double precision,
  lease_s double precision,
  out reserved_ids uuid[], out job_ids bigint[]
) language plpgsql as $$
declare
  reserved_of uuid[];
begin
  insert into purchases
    (organisation_id, id, sequence, network, recipient, amount, commission, external_ref, callback, idempotency_key,
     warnings, vendors)
  select os[n], id, lines[n], network, recipient, amounts[n] - coalesce(commission, 0), commission, external_ref, callback,
    idempotency_key, warnings, vendors
  from rows from (json_to_recordset(purchases) as (
    id uuid, network text, recipient text, commission bigint, external_ref text, callback text, idempotency_key text,
    warnings text[], vendors text[]
  )) with ordinality
    as given (id, network, recipient, commission, external_ref, callback, idempotency_key, warnings, vendors, n)
  where lines[n] is not null;

  select array_agg(os[n]), array_agg(id)
  from rows from (json_to_recordset(purchases) as (id uuid, reserved boolean)) with ordinality as given (id, reserved, n)
  where reserved and lines[n] is not null
  into reserved_of, reserved_ids;
  if reserved_ids is not null then
    select array_agg(id) from unnest(reserved_ids) as id
    where id not in (select repeated_purchases(o, reserved_of, reserved_ids, twin_minutes))
    into reserved_ids;
  end if;

  -- clock_timestamp() and not now(): this function may have waited for the lock.
  if reserved_ids is not null then
    insert into purchase_tries (organisation_id, purchase_id, position, vendor, reference, status, called_datetime)
    select os[n], id, 0, vendors[1], reference, 'calling', clock_timestamp()
    from rows from (json_to_recordset(purchases) as (id uuid, reference text, vendors text[])) with ordinality
      as given (id, reference, vendors, n)
    where reference is not null and id = any (reserved_ids);
  end if;
  with job as (
    insert into jobs (queue, lane, organisation_id, subject_id, attempts, leased, leased_until)
    select 'airtime', organisation, organisation, id, reserved::integer, reserved,
      case when reserved then clock_timestamp() + lease_s * interval '1 s' end
    from (
      select os[n] as organisation, id, coalesce(id = any (reserved_ids), false) as reserved
      from rows from (json_to_recordset(purchases) as (id uuid)) with ordinality as given (id, n)
      where lines[n] is not null
    ) sold
    returning id, subject_id, leased
  )
  select array_agg(subject_id), array_agg(id) from job where leased into reserved_ids, job_ids;
end $$;

-- Which of these purchases repeat another one, that is, have the same recipient, network and amount as a purchase charged
-- earlier, within `twin_minutes`. Two purchases with different idempotency keys or references are intended; failed ones do
-- not count. `os` has the organisation of each; `o` is null, or the only organisation.
create function repeated_purchases(o uuid, os uuid[], ids uuid[], twin_minutes double precision) returns setof uuid
stable language plpgsql as $$
begin
  return query
  select own.id
  from purchase_keys(os, ids) given
  join purchases own on own.organisation_id = given.organisation_id and own.id = given.id
  where (o is null or own.organisation_id = o) and exists (
    select from purchases earlier
    where earlier.organisation_id = own.organisation_id and (o is null or earlier.organisation_id = o)
      and earlier.recipient = own.recipient and earlier.sequence < own.sequence
      and earlier.network = own.network and earlier.amount = own.amount
      and earlier.created_datetime > own.created_datetime - twin_minutes * interval '1 minute'
      and earlier.status in ('pending', 'sent', 'success')
      and (earlier.idempotency_key <> own.idempotency_key) is not true
      and (earlier.external_ref <> own.external_ref) is not true
    offset 0 -- forces an index lookup per purchase: as a join the planner would scan all purchases of the organisation
  );
end $$;

-- The keys of purchases as rows. Declared as `rows 1`, so that a cached plan joins by primary key, see `delivery_keys`.
create function purchase_keys(os uuid[], ids uuid[]) returns table (organisation_id uuid, id uuid)
rows 1 stable language plpgsql as $$
begin
  return query select * from unnest(os, ids);
end $$;

-- Stores vendors' answers to tries, and what follows from them, for a batch of purchases. Earlier values stay where the
-- answer has none. Nothing is stored for a purchase that another worker has advanced meanwhile.
--
-- `verdicts` are: settle (ended with the status in `ends`), next_vendor, call_again, ask_later, review. The job of an open
-- purchase is due after `delays_ms`. Returns the purchases that have ended.
create function record_rulings(
  o uuid, purchase_ids uuid[], positions smallint[], call_counts smallint[], statuses text[], questions smallint[],
  codes text[], descriptions text[], vendor_purchase_ids text[], costs bigint[], vendor_balances bigint[],
  job_ids bigint[], verdicts text[], ends text[], end_descriptions text[], delays_ms integer[]
) returns table (
  organisation_id uuid, id uuid, recipient text, network text, amount bigint, status text, external_ref text,
  callback text, refunded boolean, updated_datetime timestamptz, has_webhooks boolean
) language plpgsql as $$
#variable_conflict use_column
declare
  recorded uuid[];
  settled uuid[];
  settled_as text[];
  settled_words text[];
  sent uuid[];
  reviewed uuid[];
  over bigint[];
begin
  with answered as (
    update purchase_tries tried
    set status = answer.status, requeries = requeries + answer.asked, updated_datetime = now(),
      code = coalesce(answer.code, tried.code),
      description = coalesce(answer.description, tried.description),
      vendor_purchase_id = coalesce(answer.vendor_purchase_id, tried.vendor_purchase_id),
      cost = coalesce(answer.cost, tried.cost),
      vendor_balance = coalesce(answer.vendor_balance, tried.vendor_balance)
    from unnest(
      purchase_ids, positions, call_counts, statuses, questions, codes, descriptions, vendor_purchase_ids, costs,
      vendor_balances
    ) as answer (
      purchase_id, place, calls, status, asked, code, description, vendor_purchase_id, cost, vendor_balance
    )
    where tried.organisation_id = o and tried.purchase_id = answer.purchase_id
      and tried.position = answer.place and tried.calls = answer.calls
      and tried.status in ('calling', 'unreached', 'accepted', 'unclear')
    returning tried.purchase_id
  )
  select array_agg(purchase_id) from answered into recorded;
  if recorded is null then
    return;
  end if;

  select array_agg(purchase_id) filter (where verdict = 'settle'), array_agg(ended) filter (where verdict = 'settle'),
    array_agg(words) filter (where verdict = 'settle'), array_agg(purchase_id) filter (where verdict = 'ask_later'),
    array_agg(purchase_id) filter (where verdict = 'review'),
    array_agg(job_id) filter (where verdict in ('settle', 'review'))
  from unnest(purchase_ids, job_ids, verdicts, ends, end_descriptions)
    as ruling (purchase_id, job_id, verdict, ended, words)
  where purchase_id = any (recorded)
  into settled, settled_as, settled_words, sent, reviewed, over;

  if settled is not null then
    return query select * from end_purchases(o, settled, settled_as, settled_words);
  end if;
  if sent is not null then
    update purchases set status = 'sent', updated_datetime = now()
    where organisation_id = o and id = any (sent) and status = 'pending';
  end if;
  if reviewed is not null then
    update purchases set status = 'sent', review_datetime = now(), updated_datetime = now()
    where organisation_id = o and id = any (reviewed) and status in ('pending', 'sent') and review_datetime is null;
  end if;
  if over is not null then
    delete from jobs where organisation_id = o and id = any (over);
  end if;
  if coalesce(cardinality(over), 0) < cardinality(recorded) then
    update jobs set run_at = later.due, leased = false
    from (
      select job_id, to_timestamp(extract(epoch from now()) + delay_ms / 1000.0) as due
      from unnest(job_ids, purchase_ids, delays_ms) as given (job_id, purchase_id, delay_ms)
      where delay_ms is not null and purchase_id = any (recorded)
    ) later
    where jobs.organisation_id = o and jobs.id = any (array[job_id]);
  end if;
end $$;

-- Ends open purchases, and refunds those of which nothing was bought, with one ledger line each: a second refund of the
-- same purchase would violate the ledger's unique key. Returns those that had not ended before. A purchase that is `sent`
-- ends as `failed` instead of `error` or `duplicate`.
create function end_purchases(o uuid, ids uuid[], statuses text[], descriptions text[]) returns table (
  organisation_id uuid, id uuid, recipient text, network text, amount bigint, status text, external_ref text,
  callback text, refunded boolean, updated_datetime timestamptz, has_webhooks boolean
) language plpgsql as $$
#variable_conflict use_column
declare
  one record;
  refunds uuid[] := '{}';
  numbers text[] := '{}';
  amounts bigint[] := '{}';
  total bigint := 0;
  left_now bigint;
  newest bigint;
begin
  has_webhooks := exists (select from webhooks where organisation_id = o and enabled);
  for one in
    update purchases
    set status = case
        when purchases.status = 'sent' and final.status in ('error', 'duplicate') then 'failed'
        else final.status
      end,
      refunded = final.status in ('failed', 'error', 'duplicate'),
      description = final.description, updated_datetime = now()
    from unnest(ids, statuses, descriptions) as final (id, status, description)
    where organisation_id = o and purchases.id = final.id and purchases.status in ('pending', 'sent')
    returning purchases.id, recipient, network, amount, commission, purchases.status, external_ref, callback, refunded,
      updated_datetime
  loop
    organisation_id := o;
    id := one.id;
    recipient := one.recipient;
    network := one.network;
    amount := one.amount;
    status := one.status;
    external_ref := one.external_ref;
    callback := one.callback;
    refunded := one.refunded;
    updated_datetime := one.updated_datetime;
    return next;
    if one.refunded then
      refunds := refunds || one.id;
      numbers := numbers || one.recipient;
      amounts := amounts || one.amount + coalesce(one.commission, 0);
      total := total + one.amount + coalesce(one.commission, 0);
    end if;
  end loop;

  if cardinality(refunds) > 0 then
    update balances set balance = balance + total, sequence = sequence + cardinality(refunds)
    where organisation_id = o
    returning balance, sequence into left_now, newest;
    insert into ledger_lines (organisation_id, sequence, kind, amount, balance_after, subject_id, subject_key)
    select o, newest - cardinality(refunds) + n, 'refund', given, left_now - total + sum(given) over (order by n),
      refund_id, number
    from unnest(refunds, numbers, amounts) with ordinality as back (refund_id, number, given, n);
  end if;
end $$;
