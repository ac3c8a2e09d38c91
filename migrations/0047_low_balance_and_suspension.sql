-- Below this the organisation is told that its balance runs out, once until it is above it again.
alter table organisations add column low_balance bigint check (low_balance > 0);
alter table balances add column low_told boolean not null default false;

-- Since when the operator lets it send nothing more.
alter table organisations add column suspended_datetime timestamptz;
