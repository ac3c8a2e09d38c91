-- WhatsApp: when the recipient read a message, and the category by which Meta prices it (`marketing`, `utility`,
-- `authentication`, `service`, …). Null on other channels.
alter table deliveries add column read_datetime timestamptz;
alter table deliveries add column price_category text check (price_category ~ '^[a-z_]{1,40}$');

-- Deliveries that were read, among those delivered.
alter table analytics add column read bigint not null default 0;

-- What Meta says of a template, and whose it is. The id is Meta's; null until Meta has answered. `reason`: why it was
-- rejected or paused; `quality`: Meta's score. `owner_id`: the organisation that created it through the API; null: any.
alter table whatsapp_templates add column template_id text;
alter table whatsapp_templates add column owner_id uuid;
alter table whatsapp_templates add column reason text;
alter table whatsapp_templates add column quality text;
alter table whatsapp_templates add column previous_category text;
alter table whatsapp_templates add column updated_datetime timestamptz not null default now();
