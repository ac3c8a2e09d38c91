-- The part of the revenue of deliveries whose cost is not known: no margin is computed for it.
alter table margins add column revenue_without_cost bigint not null default 0;
