-- The console asks for confirmation before it sends a message to more recipients; null: the default of the service.
alter table organisations add column confirm_above integer check (confirm_above between 0 and 10000);

-- Inbound texts by any part of them, for the search of the inbox. The organisation is hashed into the key, as in
-- contact_cells. With the pending list of the index, a text pays for it only when the list is merged.
create index inbound_messages_by_words on inbound_messages using gin
  (uuid_hash_extended(organisation_id, 0), lower(text) gin_trgm_ops);
