-- Searching the audit log.
--
-- By action, newest first.
create index audit_entries_by_action on audit_entries (organisation_id, action, id);
-- By any part of who did what to what. The organisation is hashed into the key, as in contact_cells.
create index audit_entries_by_words on audit_entries using gin
  (uuid_hash_extended(organisation_id, 0), lower(actor || ' ' || action || ' ' || coalesce(subject, '')) gin_trgm_ops);
