-- Browsers somebody has logged in with before. Their tries are counted apart from those of strangers, so that nobody is
-- locked out by other people's guesses. Several people may share a browser.
create table user_devices (
  user_id uuid not null references users,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  seen_datetime timestamptz not null default now(),
  created_datetime timestamptz not null default now(),
  primary key (user_id, token_hash)
);
create index user_devices_by_token on user_devices (token_hash);
