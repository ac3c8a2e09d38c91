-- What an API key may spend per day (UTC); null: unlimited. A rotated key shares the spending of the key that it replaces:
-- `spends_as` is the id of the first one.
alter table api_keys
  add column daily_spending_limit bigint check (daily_spending_limit >= 0),
  add column spends_as uuid,
  -- The day for which `balance.spending_limit` was enqueued.
  add column limit_notified_day date;

-- What keys with a limit have spent on a day, beside the balance: every charge writes this row anyway.
alter table balances
  add column spent_day date,
  add column spent_keys uuid[],
  add column spent_amounts bigint[],
  add constraint balances_spent check (cardinality(spent_keys) = cardinality(spent_amounts));

-- The key that started the campaign: its slices count towards the limit.
alter table campaigns add column key_id uuid;
