-- Credit: an organisation may owe up to its limit. 0: prepaid.
alter table balances
  add column credit_limit bigint not null default 0 check (credit_limit >= 0),
  -- The lowest charge that balance and credit did not cover, until they cover it again.
  add column uncovered bigint check (uncovered > 0),
  -- `balance.exhausted` was enqueued for it.
  add column exhausted_notified boolean not null default false;
alter table balances drop constraint balances_balance_check;
alter table balances add constraint balances_within_credit check (balance >= -credit_limit);
create index balances_uncovered on balances (organisation_id) where uncovered is not null;

-- That a line continues the one before it and equals the balance is checked by triggers; the bound is that of the balance.
alter table ledger_lines drop constraint ledger_lines_balance_after_check;
