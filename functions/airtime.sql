-- Charges a burst of purchases, each by a line of its own, and stores those that were charged (`purchases`, a JSON list)
-- with their jobs.
create function accept_purchases(
  o uuid, ids uuid[], amounts bigint[], keys text[], hashes text[], answers text[], purchases json,
  out balance_left bigint, out line bigint, out moment timestamptz,
  out outcomes text[], out balances_left bigint[], out known_answers text[], out charged uuid[]
) language plpgsql as $$
declare
  paid record;
  sold uuid[];
begin
  select * from charge(o, 'airtime', false, ids, amounts, keys, hashes, answers) into paid;
  balance_left := paid.balance_left;
  line := paid.line;
  moment := paid.moment;
  outcomes := paid.outcomes;
  balances_left := paid.balances_left;
  known_answers := paid.known_answers;
  charged := paid.charged;
  sold := coalesce(charged, ids);

  -- The lines are numbered in the order of the sales.
  insert into purchases
    (organisation_id, id, sequence, network, recipient, amount, external_ref, callback, idempotency_key, warnings, vendors)
  select o, id, accept_purchases.line - cardinality(sold) + array_position(sold, id), network, recipient,
    amounts[array_position(ids, id)], external_ref, callback, idempotency_key, warnings, vendors
  from json_to_recordset(purchases) as given (
    id uuid, network text, recipient text, external_ref text, callback text, idempotency_key text, warnings text[],
    vendors text[]
  )
  where id = any (sold);
  insert into jobs (queue, lane, organisation_id, subject_id)
  select 'airtime', o, o, id from unnest(sold) as id;
end $$;
