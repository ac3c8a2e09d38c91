-- What operators pause: carriers and routes.

-- Data of the installation that every process keeps in memory. A process reads it again when its version has changed.
create table live_versions (
  name text primary key,
  version bigint not null default 1
);

-- Carriers and routes that an operator has paused, beside the pauses that carriers ask for (`carrier_pauses`).
-- `draining`: what the carrier has tried already is still sent.
create table operator_pauses (
  kind text not null check (kind in ('carrier', 'route')),
  name text not null check (length(name) between 1 and 100),
  mode text not null check (mode in ('paused', 'draining')),
  reason text not null check (length(reason) between 1 and 500),
  actor text not null,
  until timestamptz,
  created_datetime timestamptz not null default now(),
  primary key (kind, name)
);
