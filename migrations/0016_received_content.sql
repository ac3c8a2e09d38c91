-- What a text received on WhatsApp is besides its words: its type, the button or row that was chosen, a location, contacts,
-- a reaction, and the message that it quotes or reacts to. Personal data, as the text. Null on other channels.
alter table inbound_messages add column whatsapp jsonb;
-- Finds the text that another one quotes or reacts to by Meta's id. Texts on other channels have none.
create index inbound_messages_by_carrier_id on inbound_messages (organisation_id, carrier_message_id)
  where carrier_message_id is not null;

-- What a message on a virtual handset has besides its text, as the carrier got it.
alter table sandbox_messages add column whatsapp jsonb;
