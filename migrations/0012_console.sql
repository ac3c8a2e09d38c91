-- People who use the console. Without an organisation they are operators of the installation.
create table users (
  id uuid primary key,
  organisation_id uuid references organisations,
  -- The first operator chooses an address with the link of the first start; until then there is none.
  email text,
  -- The address as it is compared: lower case.
  email_key text unique,
  name text,
  -- With its salt and cost, in text; null until the link was used.
  password_hash text,
  -- Sealed. Without totp_since it waits for its first code.
  totp_secret bytea,
  totp_since timestamptz,
  -- The last time step a code was taken for: none is taken twice.
  totp_step bigint not null default 0,
  recovery_hashes bytea[] not null default '{}',
  disabled_datetime timestamptz,
  last_login_datetime timestamptz,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  check (length(email) between 3 and 254),
  check (length(name) between 1 and 100),
  check ((email is null) = (email_key is null)),
  check (password_hash is null or email is not null),
  check (totp_since is null or totp_secret is not null)
);
create index users_by_organisation on users (organisation_id, id);

-- One-time links to set a password.
create table user_links (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id uuid not null references users,
  expires_datetime timestamptz not null,
  used_datetime timestamptz,
  created_datetime timestamptz not null default now()
);
create index user_links_by_user on user_links (user_id);

create table user_sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  id uuid not null unique,
  user_id uuid not null references users,
  address text,
  user_agent text,
  seen_datetime timestamptz not null default now(),
  expires_datetime timestamptz not null,
  created_datetime timestamptz not null default now()
);
create index user_sessions_by_user on user_sessions (user_id, id);

-- Tries to log in, per address and per account, known or not: hashed, so that nobody learns who tried.
create table login_tries (
  key bytea primary key check (octet_length(key) = 32),
  tries integer not null check (tries >= 0),
  until_datetime timestamptz not null
);

-- What people change. What concerns no organisation is under the nil id.
create table audit_entries (
  organisation_id uuid not null,
  id uuid not null,
  user_id uuid,
  -- The person's address, or where it was done otherwise.
  actor text not null,
  address text,
  action text not null,
  subject text,
  before jsonb,
  after jsonb,
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, id)
);

-- What happened, counted per minute in memory and added here once a second; see docs/decisions/0017.
create table activity (
  organisation_id uuid not null,
  minute timestamptz not null,
  accepted bigint not null default 0,
  delivered bigint not null default 0,
  undelivered bigint not null default 0,
  expired bigint not null default 0,
  rejected bigint not null default 0,
  failed bigint not null default 0,
  unknown bigint not null default 0,
  otp_sent bigint not null default 0,
  otp_verified bigint not null default 0,
  spend bigint not null default 0,
  refunds bigint not null default 0,
  primary key (organisation_id, minute)
);
create index activity_by_age on activity (minute);

-- Organisations somebody watches live at the moment; the others' events are not told at all.
create unlogged table live_watchers (
  organisation_id uuid primary key,
  until_datetime timestamptz not null
);

-- Why the operator moved the balance.
alter table ledger_lines add note text check (length(note) between 1 and 500);

-- When the carrier took it; updated_datetime moves on when it ends.
alter table deliveries add sent_datetime timestamptz;
