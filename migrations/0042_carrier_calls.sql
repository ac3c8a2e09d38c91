-- Whether a carrier that is called over HTTP answered when it was last called. Belongs to no organisation.
create table carrier_calls (
  carrier text primary key,
  answered boolean not null,
  reason text,
  datetime timestamptz not null default now()
);
