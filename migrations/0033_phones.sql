-- Phones that send SMS for us with an app, by the mobile side of SMSGate. A phone is the operator's and serves all
-- organisations, so these tables name the carrier, as submissions and reports do.

-- A carrier made of phones: its row is locked while messages are put on their lists, and tells which of its pairing
-- tokens is the present one.
create table phone_carriers (
  carrier text primary key,
  pairing integer not null default 1 check (pairing > 0)
);

create table phones (
  id uuid primary key,
  carrier text not null,
  name text not null,
  -- The app and its version, as it introduces itself.
  app text not null,
  token_hash bytea not null unique,
  registered_datetime timestamptz not null default now(),
  -- Its last call; null: it never came back after it was registered.
  seen_datetime timestamptz,
  -- It did not fetch what was put on its list; until it calls again it is passed over.
  missed_datetime timestamptz,
  -- What it told of itself last.
  battery smallint check (battery between 0 and 100),
  charging boolean,
  network text,
  health_datetime timestamptz
) with (fillfactor = 50);
create index phones_by_carrier on phones (carrier);

create table phone_sims (
  phone_id uuid not null references phones (id) on delete cascade,
  -- As the app counts slots, from 1; 0: the app may not look, and the phone's own choice sends.
  sim smallint not null check (sim between 0 and 10),
  -- As the app tells them, mostly stars.
  operator text,
  number_end text,
  -- Learned from the texts it received.
  number text,
  -- In a row, since the last that went out; after a few of them the SIM rests.
  failures integer not null default 0,
  rests_until timestamptz,
  primary key (phone_id, sim)
) with (fillfactor = 50);

-- What was put on a phone's list. `offered`: the phone may fetch it until the offer ends; `withdrawn`: it did not, and
-- cannot any more; `taken`: it has fetched it; `sent`: it has handed it to its modem; `done`: delivered; `failed`: it
-- says that it did not send it, or that it did not arrive; `lost`: it has been silent for longer than it may still send
-- it; `abandoned`: somebody waited for it in vain, and it goes again another way.
create table phone_messages (
  id uuid primary key,
  carrier text not null,
  organisation_id uuid not null,
  message_id uuid not null,
  recipient text not null,
  phone_id uuid not null,
  sim smallint not null,
  -- Gone as soon as the phone has sent it or never will.
  sealed_text bytea,
  segments smallint not null check (segments > 0),
  urgent boolean not null,
  state text not null default 'offered'
    check (state in ('offered', 'withdrawn', 'taken', 'sent', 'done', 'failed', 'lost', 'abandoned')),
  -- The phone's last word on it, and its reason where it failed.
  phone_state text,
  error text,
  -- It has said that the network took it, or a part of it.
  was_sent boolean not null default false,
  -- The route was told that the carrier has it: what comes now is a report.
  answered boolean not null default false,
  offered_until timestamptz not null,
  valid_until timestamptz not null,
  placed_datetime timestamptz not null default now(),
  taken_datetime timestamptz
) with (fillfactor = 50);
-- A message is with one phone only: whoever hands it over again finds it here.
create unique index phone_messages_by_delivery on phone_messages (carrier, organisation_id, message_id, recipient)
  where state in ('offered', 'taken', 'sent', 'done', 'lost');
create index phone_messages_in_hand on phone_messages (carrier, valid_until) where state = 'taken';
create index phone_messages_by_sim on phone_messages (phone_id, sim, placed_datetime);

-- Whether a phone calls, and has fetched what was last put on its list.
create function phone_is_present(phone phones, silent_after_s float8) returns boolean
language sql stable as $$
  select coalesce(phone.seen_datetime > now() - silent_after_s * interval '1 s', false)
    and coalesce(phone.seen_datetime > phone.missed_datetime, true)
$$;

-- The pages a SIM has sent or is about to, and the messages in its hands that are not among these.
create function phone_sim_use(
  phone uuid, of_sim smallint, own uuid[],
  out used_minute integer, out used_hour integer, out used_day integer, out in_hand integer
)
language sql stable as $$
  select
    coalesce(sum(segments) filter (where placed_datetime > now() - interval '1 minute'), 0)::integer,
    coalesce(sum(segments) filter (where placed_datetime > now() - interval '1 hour'), 0)::integer,
    coalesce(sum(segments), 0)::integer,
    -- What the phone has fetched and does not speak of it may still send, until it may not any more.
    (count(*) filter (where not id = any(own) and (
      (state = 'offered' and offered_until > now()) or (state = 'taken' and valid_until > now())
    )))::integer
  from phone_messages
  where phone_id = phone and sim = of_sim and placed_datetime > now() - interval '1 day' and state <> 'withdrawn'
$$;
