-- The other parts of a WhatsApp template: fallback languages, names of parameters, and the values of header, buttons and
-- cards, as the API takes them.
alter table template_whatsapp add column parts jsonb not null default '{}';
-- Meta's id of a text received on WhatsApp, to quote it or to react to it. It contains the person's number, so it is erased
-- with the person and with the text.
alter table inbound_messages add column carrier_message_id text;
