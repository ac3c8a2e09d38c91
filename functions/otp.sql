-- Charges a burst of one-time passwords, stores their messages as `accept_messages` does, and the OTPs of those that were
-- charged (`otps`, a JSON list) with the jobs of their fallbacks.
--
-- A code of Twilio's Verify (`service_sid`) joins the verification of its number and service that is open, unless that has
-- five codes already; else it begins one. The row of the first code is the lock of a verification: a check that is under
-- way may close it. Bursts of one organisation come one after the other, since each has the lock of its balance.
create function accept_otps(
  o uuid, together boolean, ids uuid[], amounts bigint[], keys text[], hashes text[], answers text[],
  row_ids uuid[], routes text[], priorities smallint[], sizes integer[], first_ids uuid[], last_ids uuid[],
  first_positions integer[], in_hand boolean[], contents text, lease_s double precision, stored json, scheduled json,
  links json, otps json,
  out balance_left bigint, out line bigint, out moment timestamptz,
  out outcomes text[], out balances_left bigint[], out known_answers text[], out charged uuid[], out opted_out text[]
) language plpgsql as $$
declare
  code record;
  open_id uuid;
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
    fallback_message_id uuid, sealed_token text, service_sid text
  )
  where service_sid is null and (charged is null or id = any (charged));
  for code in
    select * from json_to_recordset(otps) as given (
      id uuid, recipient text, token_hash text, minutes smallint, counted_slot timestamptz, fallback_channel text,
      fallback_message_id uuid, sealed_token text, service_sid text, channel text
    )
    where service_sid is not null and (charged is null or id = any (charged))
    order by id
  loop
    open_id := open_verification(o, code.recipient, code.service_sid);
    insert into otps (organisation_id, id, recipient, token_hash, minutes, expires_datetime, counted_slot,
      fallback_channel, fallback_message_id, sealed_token, verification_id, service_sid, channel)
    values (o, code.id, code.recipient, decode(code.token_hash, 'base64'), code.minutes,
      now() + code.minutes * interval '1 minute', code.counted_slot, code.fallback_channel, code.fallback_message_id,
      decode(code.sealed_token, 'base64'), coalesce(open_id, code.id), code.service_sid, code.channel);
  end loop;
  insert into jobs (queue, lane, organisation_id, subject_id, run_at)
  select 'otp-fallback', o, o, id, now() + after_s * interval '1 s'
  from json_to_recordset(otps) as given (id uuid, after_s integer)
  where after_s is not null and (charged is null or id = any (charged));
end $$;

-- The verification that another code of a number and service joins, locked; null where it begins one.
create function open_verification(o uuid, number text, service text) returns uuid language plpgsql as $$
declare
  open_id uuid;
  codes record;
begin
  select verification_id from otps
  where organisation_id = o and recipient = number and service_sid = service and status = 1 and expires_datetime > now()
  order by id desc limit 1
  into open_id;
  if open_id is null then
    return null;
  end if;
  perform from otps where organisation_id = o and id = open_id for update;
  select count(*) as size, bool_or(status = 1 and expires_datetime > now()) as is_open from otps
  where organisation_id = o and verification_id = open_id
  into codes;
  return case when codes.is_open and codes.size < 5 then open_id end;
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
-- A code of a verification is never looked at here, since a try counts for all of them: see `check_verification`.
--
-- Gives for each try (`n` is its place) how its OTP stands now, and whether it was `looked_at`. No row: no such OTP.
create function verify_otps(
  o uuid, otp_ids uuid[], salts bytea[], blinded bytea[], max_attempts integer, failures_per_day integer
) returns table (
  n integer, looked_at boolean, id uuid, recipient text, status smallint, attempts smallint,
  created_datetime timestamptz, updated_datetime timestamptz, verification_id uuid
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
        and verification_id is null
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
        case when status = 1 and expires_datetime <= moment then 2::smallint else status end,
        coalesce((
          select sum(code.attempts) from otps code
          where code.organisation_id = o and code.verification_id = otps.verification_id
        )::smallint, attempts),
        created_datetime, updated_datetime, verification_id
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

-- A try at a verification, which is all its codes: `otp_ids` with a salted hash for each. The right one of any open code
-- verifies that code and revokes the others; `max_attempts` wrong ones, counted over all codes, end all of them. With
-- `deed` 'approve' or 'cancel' it is closed without a try. `of_first` is the id of the first code; an OTP that belongs to
-- no verification is one by its own id.
--
-- Every change of a verification locks its first code and then the others in the order of their ids: so only one of
-- several concurrent checks verifies it, and a code that is being added is either seen or begins another verification.
--
-- Gives how it stands by the code that decides it, with the tries at all codes, and whether it was `looked_at`.
create function check_verification(
  o uuid, of_first uuid, otp_ids uuid[], salts bytea[], blinded bytea[], max_attempts integer,
  failures_per_day integer, deed text
) returns table (
  looked_at boolean, id uuid, recipient text, status smallint, attempts smallint, created_datetime timestamptz,
  updated_datetime timestamptz, verification_id uuid
) language plpgsql as $$
#variable_conflict use_column
declare
  moment constant timestamptz := now();
  number text;
  members uuid[];
  newest uuid;
  hit uuid;
  tries integer;
  is_over boolean;
begin
  select recipient from otps where organisation_id = o and id = of_first into number;
  if failures_per_day is not null and deed = 'try' then
    perform pg_advisory_xact_lock(hashtextextended('otp tries ' || o::text || ' ' || number, 0));
  end if;
  perform from otps where organisation_id = o and id = of_first for update;
  members := array(select id from otps where organisation_id = o and verification_id = of_first);
  members := case when of_first = any (members) then members else members || of_first end;
  perform from otps where organisation_id = o and id = any (members) order by id for update;
  select (array_agg(id order by id desc) filter (where status = 1 and expires_datetime > moment))[1], sum(attempts)
  from otps where organisation_id = o and id = any (members)
  into newest, tries;
  looked_at := newest is not null and (
    failures_per_day is null or deed <> 'try' or failures_per_day > (
      select coalesce(sum(attempts - case when status = 4 then 1 else 0 end), 0) from otps
      where organisation_id = o and recipient = number and created_datetime > moment - interval '1 day'
    )
  );

  if looked_at then
    if deed = 'approve' then
      hit := newest;
    elsif deed = 'try' then
      select id from otps join unnest(otp_ids, salts, blinded) as given (otp_id, salt, wanted) on id = otp_id
      where organisation_id = o and id = any (members) and status = 1 and expires_datetime > moment
        and sha256(token_hash || salt) = wanted
      limit 1
      into hit;
      tries := tries + 1;
    end if;
    is_over := hit is not null or deed = 'cancel' or tries >= max_attempts;
    update otps
    set attempts = attempts + case when deed = 'try' and id = coalesce(hit, newest) then 1 else 0 end,
      status = case
        when id = hit then 4
        when hit is not null or deed = 'cancel' then 5
        when is_over then 3
        else 1
      end,
      sealed_token = case when is_over then null else sealed_token end,
      updated_datetime = case when is_over then moment else updated_datetime end
    where organisation_id = o and id = any (members) and status = 1 and expires_datetime > moment;
    update otp_counters set verified = verified + 1
    where organisation_id = o and kind = 'prefix' and key = left(number, -4)
      and slot = (select counted_slot from otps where organisation_id = o and id = hit);
  end if;

  return query
    select looked_at, id, recipient,
      case when status = 1 and expires_datetime <= moment then 2::smallint else status end,
      tries::smallint, created_datetime, updated_datetime, of_first
    from otps where organisation_id = o and id = any (members)
    order by verification_rank(status, expires_datetime), id desc
    limit 1;
end $$;

-- Which of the codes of a verification decides how it stands: the one that was verified, else one that is open, else one
-- that was revoked, failed or has expired.
create function verification_rank(status smallint, expires_datetime timestamptz) returns integer stable language sql as $$
  select case
    when status = 4 then 1
    when status = 1 and expires_datetime > now() then 2
    when status = 5 then 3
    when status = 3 then 4
    else 5
  end
$$;
