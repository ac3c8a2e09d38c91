-- Vendors with an HTTP interface pause as WhatsApp numbers do: what one of them has said holds in all processes.
alter table whatsapp_pauses rename to carrier_pauses;
alter index whatsapp_pauses_pkey rename to carrier_pauses_pkey;

-- What is left of our money at a carrier, as it was last read. Belongs to no organisation.
create table carrier_balances (
  carrier text primary key,
  balance numeric(19, 4) not null,
  currency text,
  read_datetime timestamptz not null default now()
);
