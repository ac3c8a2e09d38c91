-- The rule of a price list that a delivery was charged by; null: a price of the configuration file, or no charge. Rules are
-- withdrawn and never updated, so that the rule tells the price even after it was changed.
alter table deliveries add column price_rule_id bigint;
create unique index price_rules_by_id on price_rules (id);
