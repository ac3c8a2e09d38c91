-- Inserts the one-time passwords whose messages were charged (`otps`, a JSON list), with the jobs of their fallbacks.
--
-- A code of Twilio Verify (`service_sid`) joins the open verification of its number and service, unless that has five
-- codes already; otherwise it starts one. The row of the first code is the lock of a verification, because a concurrent
-- check may close it. Batches of one organisation are serialised by the lock of its balance, which the caller holds.
--
-- `line`: the newest ledger line. Fees were charged by the one before it (`charge`). The fee of a verification is refunded
-- by a job unless the OTP has been verified by then.
create function store_otps(o uuid, otps json, charged uuid[], line bigint default null) returns void language plpgsql as $$
declare
  code record;
  open_id uuid;
begin
  insert into otps (organisation_id, id, recipient, token_hash, minutes, expires_datetime, counted_slot,
    fallback_channel, fallback_message_id, sealed_token, through_next_carrier, resend_after_s, resends_left, request_fee,
    verified_fee, fee_line)
  select o, id, recipient, decode(token_hash, 'base64'), minutes, now() + minutes * interval '1 minute', counted_slot,
    fallback_channel, fallback_message_id, decode(sealed_token, 'base64'), coalesce(through_next_carrier, false),
    case when through_next_carrier then after_s end, coalesce(resends_left, 0), request_fee,
    verified_fee, case when coalesce(request_fee, verified_fee) is not null then line - 1 end
  from json_to_recordset(otps) as given (
    id uuid, recipient text, token_hash text, minutes smallint, counted_slot timestamptz, fallback_channel text,
    fallback_message_id uuid, sealed_token text, through_next_carrier boolean, after_s smallint, resends_left smallint,
    service_sid text, request_fee bigint, verified_fee bigint
  )
  where service_sid is null and (charged is null or id = any (charged));
  for code in
    select * from json_to_recordset(otps) as given (
      id uuid, recipient text, token_hash text, minutes smallint, counted_slot timestamptz, fallback_channel text,
      fallback_message_id uuid, sealed_token text, through_next_carrier boolean, after_s smallint,
      resends_left smallint, service_sid text, channel text, request_fee bigint, verified_fee bigint
    )
    where service_sid is not null and (charged is null or id = any (charged))
    order by id
  loop
    open_id := open_verification(o, code.recipient, code.service_sid);
    insert into otps (organisation_id, id, recipient, token_hash, minutes, expires_datetime, counted_slot,
      fallback_channel, fallback_message_id, sealed_token, through_next_carrier, resend_after_s, resends_left,
      verification_id, service_sid, channel, request_fee, verified_fee, fee_line)
    values (o, code.id, code.recipient, decode(code.token_hash, 'base64'), code.minutes,
      now() + code.minutes * interval '1 minute', code.counted_slot, code.fallback_channel, code.fallback_message_id,
      decode(code.sealed_token, 'base64'), coalesce(code.through_next_carrier, false),
      case when code.through_next_carrier then code.after_s end, coalesce(code.resends_left, 0),
      coalesce(open_id, code.id), code.service_sid, code.channel, code.request_fee, code.verified_fee,
      case when coalesce(code.request_fee, code.verified_fee) is not null then line - 1 end);
  end loop;
  insert into jobs (queue, lane, organisation_id, subject_id, run_at)
  select 'otp-fallback', o, o, id, now() + after_s * interval '1 s'
  from json_to_recordset(otps) as given (id uuid, after_s integer)
  where after_s is not null and (charged is null or id = any (charged));
  insert into jobs (queue, lane, organisation_id, subject_id, run_at)
  select 'otp-refund', o, o, id, now() + minutes * interval '1 minute' + interval '1 s'
  from json_to_recordset(otps) as given (id uuid, minutes smallint, verified_fee bigint)
  where verified_fee is not null and (charged is null or id = any (charged));
end $$;

-- Locks and returns the verification that another code of a number and service joins; null if it starts a new one.
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

-- Charges another message of an OTP, with a ledger line of its own. Nothing is charged (`outcomes`: `ended`) if the OTP has
-- ended, or if another worker has sent this message: it is then no longer the one that is awaited. The OTP cannot end before
-- this commits, because its row is locked: after the balance, as everywhere.
--
-- `token_hashes`: of the token in the message, which is valid from then on. `unsent`: the delivery with the queue of the
-- carrier that it is submitted to (`store_unsent`); null: the message is in the intake, for its route. `next_message_id` and
-- `next_sealed_token`: the message that may follow; null: none, and the sealed token is deleted because it is not needed again.
create function accept_fallbacks(
  o uuid, together boolean, ids uuid[], amounts bigint[], keys text[], hashes text[], answers text[],
  caps text[], row_ids uuid[], routes text[], priorities smallint[], sizes integer[], first_ids uuid[], last_ids uuid[],
  first_positions integer[], leased boolean[], contents text, lease_s double precision, stored text, scheduled json,
  links json, otps json, otp_ids uuid[], token_hashes text[] default null, unsent json default null,
  next_message_id uuid default null, next_sealed_token text default null,
  out balance_left bigint, out line bigint, out moment timestamptz,
  out outcomes text[], out balances_left bigint[], out known_answers text[], out charged uuid[], out opted_out text[]
) language plpgsql as $$
declare
  its_hash constant bytea := decode(token_hashes[1], 'base64');
begin
  perform from balances where organisation_id = o for update;
  perform from otps
  where organisation_id = o and id = any (otp_ids) and status = 1 and expires_datetime > clock_timestamp()
    and not verified_fee_refunded and sealed_token is not null and fallback_message_id = any (accept_fallbacks.ids)
  for update;
  if not found then
    moment := now();
    outcomes := array['ended'];
    charged := '{}';
    return;
  end if;
  select * from accept_messages(
    o, together, ids, amounts, keys, hashes, answers, caps, row_ids, routes, priorities, sizes, first_ids, last_ids,
    first_positions, leased, contents, lease_s, stored, scheduled, links, otps
  ) into balance_left, line, moment, outcomes, balances_left, known_answers, charged, opted_out;
  if charged is not null then
    return;
  end if;
  if next_message_id is null then
    update otps set sealed_token = null, fallback_token_hash = nullif(its_hash, token_hash)
    where organisation_id = o and id = any (otp_ids);
  else
    update otps
    set sealed_token = decode(next_sealed_token, 'base64'), fallback_message_id = next_message_id,
      resends_left = resends_left - 1, resent_message_ids = array_append(resent_message_ids, fallback_message_id),
      resent_token_hashes = array_append(resent_token_hashes, its_hash)
    where organisation_id = o and id = any (otp_ids);
  end if;
  if unsent is not null then
    perform store_unsent(o, null, array[moment], unsent);
  end if;
end $$;

create function entered_resent(message_ids uuid[], token_hashes bytea[], salt bytea, wanted bytea) returns uuid
immutable language sql as $$
  select message_id from unnest(message_ids, token_hashes) as resent (message_id, token_hash)
  where position(sha256(token_hash || salt) in wanted) in (1, 33)
  limit 1
$$;

-- The message whose token was entered, by salted hashes (`verify_otps`); null: none of them. Without a subquery, so that
-- PostgreSQL inlines it.
create function entered_message(
  id uuid, token_hash bytea, fallback_message_id uuid, fallback_token_hash bytea, resent_message_ids uuid[],
  resent_token_hashes bytea[], salt bytea, wanted bytea
) returns uuid immutable language sql as $$
  select case
    when position(sha256(token_hash || salt) in wanted) in (1, 33) then id
    when position(sha256(fallback_token_hash || salt) in wanted) in (1, 33) then fallback_message_id
    when cardinality(resent_message_ids) > 0 then entered_resent(resent_message_ids, resent_token_hashes, salt, wanted)
  end
$$;

-- Verification attempts at OTPs of an organisation; each sees the effects of those before it. The right token of an open
-- OTP verifies it, `max_attempts` wrong ones fail it. Salted hashes are compared, so that timing leaks nothing.
--
-- With `failures_per_day`, a token is compared only while all OTPs of its number have had fewer wrong attempts within a
-- day. Attempts at the OTPs of one number are then serialised across all processes. Numbers, OTPs and counters are each
-- locked in a fixed order, so batches cannot deadlock.
--
-- Attempts at the same OTP or number run in rounds, in the given order, so that each sees the previous one; all others
-- run in one statement. Usually there is one round.
--
-- A code of a verification is not compared here, because an attempt counts for all its codes: see `check_verification`.
--
-- `blinded`: the salted hash of the token; during a rotation of the pepper, that under the former one follows it.
--
-- Returns the state of each attempt's OTP (`n` is the position of the attempt), and whether the token was compared
-- (`looked_at`). No row: the OTP does not exist.
create function verify_otps(
  o uuid, otp_ids uuid[], salts bytea[], blinded bytea[], max_attempts integer, failures_per_day integer
) returns table (
  n integer, looked_at boolean, id uuid, recipient text, status smallint, attempts smallint,
  created_datetime timestamptz, updated_datetime timestamptz, verification_id uuid, verified_message_id uuid
) language plpgsql as $$
#variable_conflict use_column
declare
  moment constant timestamptz := now();
  rounds integer[];
  last_round integer;
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
  select array_agg(round order by place), max(round)
  from (
    select place, row_number() over (partition by coalesce(recipient, otp_id::text) order by place) as round
    from unnest(otp_ids) with ordinality as try (otp_id, place)
    left join otps on failures_per_day is not null and organisation_id = o and id = otp_id
  ) line
  into rounds, last_round;
  if last_round > 1 then
    perform from otps where organisation_id = o and id = any (otp_ids) order by id for update;
  end if;

  for round in 1 .. last_round loop
    for tried in
      update otps
      set attempts = attempts + 1,
        status = case
          when entered_message(
            id, token_hash, fallback_message_id, fallback_token_hash, resent_message_ids, resent_token_hashes, salt, wanted
          ) is not null then 4
          when attempts + 1 >= max_attempts then 3
          else 1
        end,
        verified_message_id = entered_message(
          id, token_hash, fallback_message_id, fallback_token_hash, resent_message_ids, resent_token_hashes, salt, wanted
        ),
        updated_datetime = case
          when entered_message(
            id, token_hash, fallback_message_id, fallback_token_hash, resent_message_ids, resent_token_hashes, salt, wanted
          ) is not null or attempts + 1 >= max_attempts
            then moment
        end
      from (
        select otp_id, salt, wanted, place
        from unnest(otp_ids, salts, blinded, rounds) with ordinality as given (otp_id, salt, wanted, its_round, place)
        where its_round = round
        order by otp_id
      ) try
      where organisation_id = o and id = otp_id and status = 1 and expires_datetime > moment
        -- This statement may have waited for its lock until after the OTP had expired.
        and not verified_fee_refunded and verification_id is null
        and (
          failures_per_day is null
          or failures_per_day > (
            select coalesce(sum(attempts - case when status = 4 then 1 else 0 end), 0) from otps of_number
            where of_number.organisation_id = o and of_number.recipient = otps.recipient
              and of_number.created_datetime > moment - interval '1 day'
          )
        )
      returning place, id, recipient, status, attempts, created_datetime, updated_datetime, counted_slot,
        verified_message_id
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
      verified_message_id := tried.verified_message_id;
      return next;
    end loop;
  end loop;

  if cardinality(seen) < cardinality(otp_ids) then
    -- OTPs whose token was not compared were closed already. An OTP expires without a write.
    return query
      select place::integer, false, id, recipient,
        case when status = 1 and (expires_datetime <= moment or verified_fee_refunded) then 2::smallint else status end,
        coalesce((
          select sum(code.attempts) from otps code
          where code.organisation_id = o and code.verification_id = otps.verification_id
        )::smallint, attempts),
        created_datetime, updated_datetime, verification_id, verified_message_id
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

-- An attempt at a verification with all its codes: `otp_ids` with a salted hash for each. The right token of any open code
-- verifies that code and revokes the others; `max_attempts` wrong ones, counted over all codes, fail all of them. `deed`
-- 'approve' or 'cancel' closes it without a token. `of_first` is the id of the first code; an OTP that belongs to no
-- verification is one by its own id.
--
-- Every change locks the first code and then the others in the order of their ids: only one of several concurrent checks
-- can verify it, and a code that is being added is either included or starts another verification.
--
-- Returns the state of the code that determines the status, with the attempts at all codes, and whether the token was
-- compared (`looked_at`).
create function check_verification(
  o uuid, of_first uuid, otp_ids uuid[], salts bytea[], blinded bytea[], max_attempts integer,
  failures_per_day integer, deed text
) returns table (
  looked_at boolean, id uuid, recipient text, status smallint, attempts smallint, created_datetime timestamptz,
  updated_datetime timestamptz, verification_id uuid, verified_message_id uuid
) language plpgsql as $$
#variable_conflict use_column
declare
  moment constant timestamptz := now();
  number text;
  members uuid[];
  newest uuid;
  hit uuid;
  entered uuid;
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
  select
    (array_agg(id order by id desc)
      filter (where status = 1 and expires_datetime > moment and not verified_fee_refunded))[1],
    sum(attempts)
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
      select id, entered_message(
          id, token_hash, fallback_message_id, fallback_token_hash, resent_message_ids, resent_token_hashes, salt, wanted
        )
      from otps join unnest(otp_ids, salts, blinded) as given (otp_id, salt, wanted) on id = otp_id
      where organisation_id = o and id = any (members) and status = 1 and expires_datetime > moment
        and not verified_fee_refunded
        and entered_message(
          id, token_hash, fallback_message_id, fallback_token_hash, resent_message_ids, resent_token_hashes, salt, wanted
        ) is not null
      limit 1
      into hit, entered;
      tries := tries + 1;
    end if;
    is_over := hit is not null or deed = 'cancel' or tries >= max_attempts;
    update otps
    set attempts = attempts + case when deed = 'try' and id = coalesce(hit, newest) then 1 else 0 end,
      verified_message_id = case when id = hit then entered end,
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
      tries::smallint, created_datetime, updated_datetime, of_first, verified_message_id
    from otps where organisation_id = o and id = any (members)
    order by verification_rank(status, expires_datetime), id desc
    limit 1;
end $$;

-- Ranks the codes of a verification; the first determines its status: verified, else open, else revoked, failed or expired.
create function verification_rank(status smallint, expires_datetime timestamptz) returns integer stable language sql as $$
  select case
    when status = 4 then 1
    when status = 1 and expires_datetime > now() then 2
    when status = 5 then 3
    when status = 3 then 4
    else 5
  end
$$;
