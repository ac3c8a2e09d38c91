-- Passkeys (WebAuthn credentials) of console users: a second factor after the password, and sign-in without a password.
create table passkeys (
  user_id uuid not null references users on delete cascade,
  id uuid not null,
  -- Assigned by the authenticator.
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  -- In COSE format.
  public_key bytea not null check (octet_length(public_key) between 1 and 4000),
  -- The host that the passkey was created for; browsers offer it for no other.
  rp_id text not null check (length(rp_id) between 1 and 255),
  name text not null check (length(name) between 1 and 60),
  -- Signature counter of the authenticator; 0 if it has none. It must increase, or the passkey was cloned.
  counter bigint not null default 0 check (counter >= 0),
  transports text[] not null default '{}',
  -- Synchronised by the user's password manager, so it survives the loss of a device.
  backed_up boolean not null default false,
  used_datetime timestamptz,
  created_datetime timestamptz not null default now(),
  primary key (user_id, id)
);

-- Challenges of WebAuthn ceremonies in progress; each is deleted when it is used.
create table passkey_challenges (
  challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
  purpose text not null check (purpose in ('register', 'sign_in', 'second_factor')),
  -- The user who registers a passkey; null: not known before the passkey is presented.
  user_id uuid references users on delete cascade,
  expires_datetime timestamptz not null,
  check ((user_id is not null) = (purpose = 'register'))
);
create index passkey_challenges_by_expiry on passkey_challenges (expires_datetime);
create index passkey_challenges_by_user on passkey_challenges (user_id) where user_id is not null;
