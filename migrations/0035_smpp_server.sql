-- Who may bind to our SMPP server. Found by system_id alone, as keys are by their hash, so it belongs to no organisation's
-- shard; each is one organisation's all the same.
create table smpp_accounts (
  id uuid primary key,
  organisation_id uuid not null references organisations (id),
  -- At most fifteen characters, as SMPP has room for.
  system_id text not null unique check (system_id ~ '^[0-9A-Za-z_.-]{1,15}$'),
  -- Under a key made of the pepper: a password of SMPP is too short to be safe by itself.
  password_hash bytea not null,
  -- Where it may bind from; empty: from anywhere.
  allow_networks text[] not null default '{}',
  max_binds smallint not null check (max_binds between 1 and 100),
  rate_per_s integer not null check (rate_per_s between 1 and 10000),
  window_size smallint not null check (window_size between 1 and 1000),
  -- What data_coding 0 means to it.
  alphabet text not null check (alphabet in ('gsm7', 'latin1', 'ascii', 'gsm7-packed')),
  -- Texts that people write to the organisation are delivered to it.
  receives_texts boolean not null,
  created_datetime timestamptz not null default now()
);
create index smpp_accounts_by_organisation on smpp_accounts (organisation_id, id);

-- Binds that are up, over all processes, each held by a lease: so an account has no more of them than it may.
create table smpp_binds (
  id uuid primary key,
  account_id uuid not null references smpp_accounts (id) on delete cascade,
  mode text not null check (mode in ('transmitter', 'receiver', 'transceiver')),
  address text not null,
  leased_until timestamptz not null,
  created_datetime timestamptz not null default now()
);
create index smpp_binds_by_account on smpp_binds (account_id);

-- Reports and texts that wait for a receiver of an account. Claiming moves `due` behind the lease; a row goes when the
-- receiver has acknowledged it.
create table smpp_outbox (
  organisation_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  -- Which reports are wanted, and of which segments; empty for a text that somebody wrote.
  address text not null,
  -- The event, as callbacks have it.
  body text not null,
  attempts smallint not null default 0,
  due timestamptz not null default now(),
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, id)
);
create index smpp_outbox_due on smpp_outbox (organisation_id, account_id, due);

-- Long texts of which not all segments have come. The id is the message's, so that every segment can be answered with it
-- before there is a message.
create table smpp_long_texts (
  organisation_id uuid not null,
  account_id uuid not null,
  sender text not null,
  recipient text not null,
  reference integer not null,
  total smallint not null check (total between 2 and 255),
  id uuid not null,
  -- By their numbers; null: not here yet.
  segments text[] not null,
  -- What each asked for: registered_delivery.
  wanted smallint[] not null,
  -- Of the segment that came last.
  send_at timestamptz,
  expires_at timestamptz,
  created_datetime timestamptz not null,
  primary key (organisation_id, account_id, sender, recipient, reference, total)
);
