-- Charges a burst of one-time passwords, stores their messages as `accept_messages` does, and the OTPs of those that were
-- charged (`otps`, a JSON list) with the jobs of their fallbacks.
create function accept_otps(
  o uuid, together boolean, ids uuid[], amounts bigint[], keys text[], hashes text[], answers text[],
  row_ids uuid[], routes text[], priorities smallint[], sizes integer[], first_ids uuid[], last_ids uuid[],
  first_positions integer[], in_hand boolean[], contents text, lease_s double precision, stored json, scheduled json,
  links json, otps json,
  out balance_left bigint, out line bigint, out moment timestamptz,
  out outcomes text[], out balances_left bigint[], out known_answers text[], out charged uuid[], out opted_out text[]
) language plpgsql as $$
begin
  select * from accept_messages(
    o, together, ids, amounts, keys, hashes, answers, row_ids, routes, priorities, sizes, first_ids, last_ids,
    first_positions, in_hand, contents, lease_s, stored, scheduled, links
  ) into balance_left, line, moment, outcomes, balances_left, known_answers, charged, opted_out;

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
  first_positions integer[], in_hand boolean[], contents text, lease_s double precision, stored json, scheduled json,
  links json, otp_ids uuid[],
  out balance_left bigint, out line bigint, out moment timestamptz,
  out outcomes text[], out balances_left bigint[], out known_answers text[], out charged uuid[], out opted_out text[]
) language plpgsql as $$
begin
  select * from accept_messages(
    o, together, ids, amounts, keys, hashes, answers, row_ids, routes, priorities, sizes, first_ids, last_ids,
    first_positions, in_hand, contents, lease_s, stored, scheduled, links
  ) into balance_left, line, moment, outcomes, balances_left, known_answers, charged, opted_out;

  update otps set sealed_token = null
  where organisation_id = o and id = any (otp_ids) and (charged is null or fallback_message_id = any (charged));
end $$;

-- Tries at OTPs of an organisation, each seeing what became of those before it. The right token of an open OTP verifies it,
-- `max_attempts` wrong ones end it. What is compared are hashes, hashed once more with a salt, so that the time it takes
-- tells nothing.
--
-- With `failures_per_day` an OTP is only looked at while the tokens sent to its number within a day have seen fewer wrong
-- tries together. Then tries at the OTPs of one number wait for each other, over all processes. Numbers are locked in one
-- order, and OTPs and counters in theirs: two bursts never wait for each other.
--
-- Tries that must not see the same state, those at one OTP or one number, go in turns, in the order given; all others
-- go together. Nearly always there is one turn.
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
  moment constant timestamptz := now();
  turns integer[];
  last_turn integer;
  tried record;
  seen integer[] := '{}';
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
  select array_agg(turn order by place), max(turn)
  from (
    select place, row_number() over (partition by coalesce(recipient, otp_id::text) order by place) as turn
    from unnest(otp_ids) with ordinality as try (otp_id, place)
    left join otps on failures_per_day is not null and organisation_id = o and id = otp_id
  ) line
  into turns, last_turn;
  if last_turn > 1 then
    perform from otps where organisation_id = o and id = any (otp_ids) order by id for update;
  end if;

  for turn in 1 .. last_turn loop
    for tried in
      update otps
      set attempts = attempts + 1,
        status = case
          when sha256(token_hash || salt) = wanted then 4
          when attempts + 1 >= max_attempts then 3
          else 1
        end,
        updated_datetime = case
          when sha256(token_hash || salt) = wanted or attempts + 1 >= max_attempts then moment
        end
      from (
        select otp_id, salt, wanted, place
        from unnest(otp_ids, salts, blinded, turns) with ordinality as given (otp_id, salt, wanted, its_turn, place)
        where its_turn = turn
        order by otp_id
      ) try
      where organisation_id = o and id = otp_id and status = 1 and expires_datetime > moment
        and (
          failures_per_day is null
          or failures_per_day > (
            select coalesce(sum(attempts - case when status = 4 then 1 else 0 end), 0) from otps of_number
            where of_number.organisation_id = o and of_number.recipient = otps.recipient
              and of_number.created_datetime > moment - interval '1 day'
          )
        )
      returning place, id, recipient, status, attempts, created_datetime, updated_datetime, counted_slot
    loop
      seen := seen || tried.place::integer;
      if tried.status = 4 and tried.counted_slot is not null then
        counted_numbers := counted_numbers || tried.recipient;
        counted_slots := counted_slots || tried.counted_slot;
      end if;
      n := tried.place;
      looked_at := true;
      id := tried.id;
      recipient := tried.recipient;
      status := tried.status;
      attempts := tried.attempts;
      created_datetime := tried.created_datetime;
      updated_datetime := tried.updated_datetime;
      return next;
    end loop;
  end loop;

  if cardinality(seen) < cardinality(otp_ids) then
    -- What was not looked at was closed, and stays so. Time ends an OTP without anybody writing it down.
    return query
      select place::integer, false, id, recipient,
        case when status = 1 and expires_datetime <= moment then 2::smallint else status end, attempts,
        created_datetime, updated_datetime
      from unnest(otp_ids) with ordinality as try (otp_id, place)
      join otps on organisation_id = o and id = otp_id
      where place <> all (seen);
  end if;

  for tried in
    select left(number, -4) as prefix, slot, count(*) as verified
    from unnest(counted_numbers, counted_slots) as sent (number, slot)
    group by prefix, slot
    order by prefix, slot
  loop
    update otp_counters set verified = verified + tried.verified
    where organisation_id = o and kind = 'prefix' and key = tried.prefix and slot = tried.slot;
  end loop;
end $$;
