-- WhatsApp: when the recipient read a message, and the category by which Meta prices it (`marketing`, `utility`,
-- `authentication`, `service`, …). Null on other channels.
alter table deliveries add column read_datetime timestamptz;
alter table deliveries add column price_category text check (price_category ~ '^[a-z_]{1,40}$');

-- Deliveries that were read, among those delivered.
alter table analytics add column read bigint not null default 0;
