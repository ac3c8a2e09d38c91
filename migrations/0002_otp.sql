-- One-time passwords: their records, the limits on sending them, and messages whose text must not rest in clear.

-- The text as only a running Gangan can read it, kept until the message is handed over; and when the message stops
-- being worth delivering.
alter table deliveries
  add column sealed_text bytea,
  add column expires_datetime timestamptz;

-- Secrets of the house that all of its processes share, where the environment and the data folder do not hold them.
create table secrets (
  name text primary key,
  value text not null,
  created_datetime timestamptz not null default now()
);

-- An OTP has the id of the message that carries it. 1 SENT, 3 FAILED, 4 VERIFIED, 5 DELETED; 2 EXPIRED is never
-- stored: it is what 1 means once the time is over.
create table otps (
  organisation_id uuid not null,
  id uuid not null,
  recipient text not null,
  status smallint not null default 1 check (status in (1, 3, 4, 5)),
  token_hash bytea not null check (octet_length(token_hash) = 32),
  attempts smallint not null default 0 check (attempts between 0 and 5),
  minutes smallint not null check (minutes between 1 and 60),
  expires_datetime timestamptz not null,
  -- The slot of otp_counters it was counted in, if it was.
  counted_slot timestamptz,
  -- The message on the other channel, and the token for it until it is sent or not needed any more.
  fallback_channel text check (fallback_channel in ('sms', 'whatsapp')),
  fallback_message_id uuid,
  sealed_token bytea,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id),
  check ((fallback_channel is null) = (fallback_message_id is null)),
  check (sealed_token is null or fallback_message_id is not null)
) with (fillfactor = 90);
create index otps_by_recipient on otps (organisation_id, recipient, id);
create unique index otps_by_fallback on otps (organisation_id, fallback_message_id)
  where fallback_message_id is not null;
create index otps_by_age on otps (created_datetime);

-- What an organisation has set for its OTPs; null: as the configuration file says.
create table otp_settings (
  organisation_id uuid primary key references organisations (id),
  template text,
  origin text,
  fallback_channel text check (fallback_channel in ('sms', 'whatsapp')),
  fallback_after_s integer check (fallback_after_s between 5 and 600),
  updated_datetime timestamptz not null default now(),
  check ((fallback_channel is null) = (fallback_after_s is null))
);

-- Numbers whose token is fixed: nothing is sent to them and nothing charged.
create table otp_test_numbers (
  organisation_id uuid not null references organisations (id),
  recipient text not null,
  sealed_token bytea not null,
  primary key (organisation_id, recipient)
);

-- The OTPs of the last day by number, for the limits per number.
create table otp_sends (
  organisation_id uuid not null,
  recipient text not null,
  otp_id uuid not null,
  sent_datetime timestamptz not null default now(),
  primary key (organisation_id, recipient, otp_id)
);
create index otp_sends_by_age on otp_sends (sent_datetime);

-- OTPs sent and verified in slots of five minutes, by number prefix, by country and in all.
create table otp_counters (
  organisation_id uuid not null,
  kind text not null check (kind in ('prefix', 'country', 'organisation')),
  key text not null,
  slot timestamptz not null,
  sent integer not null default 0 check (sent >= 0),
  verified integer not null default 0 check (verified >= 0),
  primary key (organisation_id, kind, key, slot)
) with (fillfactor = 50);
create index otp_counters_by_age on otp_counters (slot);

-- Prefixes whose OTPs are requested but not verified. Until then no request is let through.
create table otp_guard (
  organisation_id uuid not null,
  prefix text not null,
  state text not null check (state in ('slowed', 'blocked')),
  sent integer not null,
  verified integer not null,
  until_datetime timestamptz not null,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, prefix)
);
