-- Charges a burst of one-time passwords, stores their messages as `accept_messages` does, and the OTPs of those that were
-- charged (`otps`, a JSON list) with the jobs of their fallbacks.
create function accept_otps(
  o uuid, together boolean, ids uuid[], amounts bigint[], keys text[], hashes text[], answers text[],
  row_ids uuid[], routes text[], priorities smallint[], sizes integer[], first_ids uuid[], last_ids uuid[],
  first_positions integer[], in_hand boolean[], contents text, lease_s double precision, stored json, scheduled json, links json, otps json,
  out balance_left bigint, out line bigint, out moment timestamptz,
  out outcomes text[], out balances_left bigint[], out known_answers text[], out charged uuid[], out opted_out text[]
) language plpgsql as $$
declare
  accepted record;
begin
  select * from accept_messages(
    o, together, ids, amounts, keys, hashes, answers, row_ids, routes, priorities, sizes, first_ids, last_ids,
    first_positions, in_hand, contents, lease_s, stored, scheduled, links
  ) into accepted;
  balance_left := accepted.balance_left;
  line := accepted.line;
  moment := accepted.moment;
  outcomes := accepted.outcomes;
  balances_left := accepted.balances_left;
  known_answers := accepted.known_answers;
  charged := accepted.charged;
  opted_out := accepted.opted_out;

  insert into otps (organisation_id, id, recipient, token_hash, minutes, expires_datetime, counted_slot,
    fallback_channel, fallback_message_id, sealed_token)
  select o, id, recipient, decode(token_hash, 'base64'), minutes, now() + minutes * interval '1 minute', counted_slot,
    fallback_channel, fallback_message_id, decode(sealed_token, 'base64')
  from json_to_recordset(otps) as given (
    id uuid, recipient text, token_hash text, minutes smallint, counted_slot timestamptz, fallback_channel text,
    fallback_message_id uuid, sealed_token text
  )
  where charged is null or id = any (charged);
  insert into jobs (queue, lane, organisation_id, subject_id, run_at)
  select 'otp-fallback', o, o, id, now() + after_s * interval '1 s'
  from json_to_recordset(otps) as given (id uuid, after_s integer)
  where after_s is not null and (charged is null or id = any (charged));
end $$;

-- Charges the second messages of OTPs, each by a line of its own: should two workers ever try, the ledger refuses the
-- second. With the charge the token has been put to its last use.
create function accept_fallbacks(
  o uuid, together boolean, ids uuid[], amounts bigint[], keys text[], hashes text[], answers text[],
  row_ids uuid[], routes text[], priorities smallint[], sizes integer[], first_ids uuid[], last_ids uuid[],
  first_positions integer[], in_hand boolean[], contents text, lease_s double precision, stored json, scheduled json, links json, otp_ids uuid[],
  out balance_left bigint, out line bigint, out moment timestamptz,
  out outcomes text[], out balances_left bigint[], out known_answers text[], out charged uuid[], out opted_out text[]
) language plpgsql as $$
declare
  accepted record;
begin
  select * from accept_messages(
    o, together, ids, amounts, keys, hashes, answers, row_ids, routes, priorities, sizes, first_ids, last_ids,
    first_positions, in_hand, contents, lease_s, stored, scheduled, links
  ) into accepted;
  balance_left := accepted.balance_left;
  line := accepted.line;
  moment := accepted.moment;
  outcomes := accepted.outcomes;
  balances_left := accepted.balances_left;
  known_answers := accepted.known_answers;
  charged := accepted.charged;
  opted_out := accepted.opted_out;

  update otps set sealed_token = null
  where organisation_id = o and id = any (otp_ids) and (charged is null or fallback_message_id = any (charged));
end $$;
