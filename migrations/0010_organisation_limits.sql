-- Limits of an organisation, set by the operator; null: unlimited.
alter table organisations
  add column requests_per_s double precision check (requests_per_s > 0),
  add column messages_per_s double precision check (messages_per_s > 0);
