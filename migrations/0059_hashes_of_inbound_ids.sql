-- The ids by which carriers know texts contain the number at some of them (in Base64 in those of WhatsApp). To know them
-- again their hashes are enough.
update inbound_ids set received_id = encode(sha256(convert_to(received_id, 'UTF8')), 'hex');
