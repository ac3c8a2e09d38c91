-- When the service last ran as a sandbox: what was accepted then is never submitted to a real network. One row, written by the
-- processes that start (docs/decisions/0085).
create table sandbox_period (
  only_row boolean primary key default true check (only_row),
  began timestamptz not null,
  -- Null: it is one.
  ended timestamptz
);
