-- The numbers of WhatsApp accounts; the carrier is the number's. `quality` and `status` are Meta's, null until they were read.
create table whatsapp_numbers (
  carrier text primary key,
  account text not null,
  phone_number_id text not null,
  quality text,
  status text,
  updated_datetime timestamptz not null default now()
);

-- The messaging limit of an account: how many people it may write to first in 24 hours; null: unlimited. `used` counts
-- them as messages are sent, and anew every half minute.
create table whatsapp_limits (
  account text primary key,
  recipients integer check (recipients > 0),
  used integer not null default 0
);

-- When the number last wrote to the person outside of the window, which counts toward the messaging limit.
alter table whatsapp_users add column initiated_datetime timestamptz;
create index whatsapp_users_by_initiation on whatsapp_users (carrier, initiated_datetime)
  where initiated_datetime is not null;

-- When the components of a template changed; null: not since it is known. A campaign that was estimated before has to be
-- estimated anew.
alter table whatsapp_templates add column changed_datetime timestamptz;
