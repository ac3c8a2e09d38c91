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

-- Tries at OTPs of an organisation, each seeing what became of those before it: by the order of the OTPs' ids, those at
-- one OTP in the order given. The right token of an open OTP verifies it, `max_attempts` wrong ones end it. What is
-- compared are hashes, hashed once more with a salt, so that the time it takes tells nothing.
--
-- With `failures_per_day` an OTP is only looked at while the tokens sent to its number within a day have seen fewer wrong
-- tries together. Then tries at the OTPs of one number wait for each other, over all processes. Numbers are locked in one
-- order, and OTPs and counters in theirs: two bursts never wait for each other.
--
-- Gives for each try (`n` is its place) how its OTP stands now, and whether it was `looked_at`. No row: no such OTP.
create function verify_otps(
  o uuid, otp_ids uuid[], salts bytea[], blinded bytea[], max_attempts integer, failures_per_day integer
) returns table (
  n integer, looked_at boolean, id uuid, recipient text, status smallint, attempts smallint,
  created_datetime timestamptz, updated_datetime timestamptz
) language plpgsql as $$
#variable_conflict use_column
declare
  one record;
  became record;
  counted_numbers text[] := '{}';
  counted_slots timestamptz[] := '{}';
begin
  if failures_per_day is not null then
    perform pg_advisory_xact_lock(number) from (
      select distinct hashtextextended('otp tries ' || o::text || ' ' || recipient, 0) as number
      from otps where organisation_id = o and id = any (otp_ids)
      order by number
    ) numbers;
  end if;

  for one in
    select otp_id, salt, wanted, place
    from unnest(otp_ids, salts, blinded) with ordinality as try (otp_id, salt, wanted, place)
    order by otp_id, place
  loop
    update otps
    set attempts = attempts + 1,
      status = case
        when sha256(token_hash || one.salt) = one.wanted then 4
        when attempts + 1 >= max_attempts then 3
        else 1
      end,
      updated_datetime = case
        when sha256(token_hash || one.salt) = one.wanted or attempts + 1 >= max_attempts then now()
      end
    where organisation_id = o and id = one.otp_id and status = 1 and expires_datetime > now()
      and (
        failures_per_day is null
        or failures_per_day > (
          select coalesce(sum(attempts - case when status = 4 then 1 else 0 end), 0) from otps of_number
          where of_number.organisation_id = o and of_number.recipient = otps.recipient
            and of_number.created_datetime > now() - interval '1 day'
        )
      )
    returning recipient, status, attempts, created_datetime, updated_datetime, counted_slot into became;
    looked_at := found;
    if looked_at then
      if became.status = 4 and became.counted_slot is not null then
        counted_numbers := counted_numbers || became.recipient;
        counted_slots := counted_slots || became.counted_slot;
      end if;
    else
      -- Time ends an OTP without anybody writing it down.
      select recipient, attempts, created_datetime, updated_datetime,
        case when status = 1 and expires_datetime <= now() then 2::smallint else status end as status
      from otps where organisation_id = o and id = one.otp_id
      into became;
      continue when not found;
    end if;
    n := one.place;
    id := one.otp_id;
    recipient := became.recipient;
    status := became.status;
    attempts := became.attempts;
    created_datetime := became.created_datetime;
    updated_datetime := became.updated_datetime;
    return next;
  end loop;

  for one in
    select left(number, -4) as prefix, slot, count(*) as verified
    from unnest(counted_numbers, counted_slots) as sent (number, slot)
    group by prefix, slot
    order by prefix, slot
  loop
    update otp_counters set verified = verified + one.verified
    where organisation_id = o and kind = 'prefix' and key = one.prefix and slot = one.slot;
  end loop;
end $$;
