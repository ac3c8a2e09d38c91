-- Cost lists: what carriers charge the operator, in the form of price lists.
alter table price_lists
  add column kind text not null default 'price' check (kind in ('price', 'cost')),
  -- What happens to messages whose price is below the cost of the route's first carrier.
  add column below_cost text not null default 'allow' check (below_cost in ('allow', 'warn', 'refuse')),
  add constraint price_lists_default_prices check (kind = 'price' or not is_default);

-- The cost list of a carrier, by its name. A list that is assigned cannot be deleted.
create table cost_assignments (
  carrier text primary key check (length(carrier) between 1 and 60),
  price_list_id uuid not null references price_lists,
  -- When the carrier charges for a message: once it has accepted it, or only if it was delivered.
  billed_on text not null check (billed_on in ('submitted', 'delivered')),
  -- The carrier's answers state costs in our currency: they count instead of the list.
  use_answers boolean not null default false
);
create index cost_assignments_by_list on cost_assignments (price_list_id);

-- What the carrier that accepted a delivery charges for it, as it was when it accepted it; null: not known.
alter table deliveries add column cost bigint;
-- It charges only for what is delivered; null: for everything that it accepts.
alter table deliveries add column cost_if_delivered boolean;

-- Revenue and cost of the messages accepted on a day (UTC), by carrier and by country and operator of the number. Counted
-- in memory during the day; computed from the deliveries once the day has ended. See docs/decisions/0076.
create table margins (
  organisation_id uuid not null,
  day date not null,
  -- Empty: no carrier has accepted them.
  carrier text not null,
  country text not null,
  operator text not null,
  deliveries bigint not null default 0,
  pages bigint not null default 0,
  -- What was charged, minus refunds.
  revenue bigint not null default 0,
  cost bigint not null default 0,
  -- Deliveries whose cost is not known.
  without_cost bigint not null default 0,
  primary key (organisation_id, day, carrier, country, operator)
) with (fillfactor = 70);
create index margins_by_day on margins (day);
