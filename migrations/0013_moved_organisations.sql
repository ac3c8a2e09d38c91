-- Organisations that are moved to another installation. While one is suspended its pending work waits as well, if it was
-- `exported` to be moved, or was `restored` from an export: until it is resumed in one of the two installations.
alter table organisations
  add column held text check (held in ('exported', 'restored')),
  add check (held is null or suspended_datetime is not null);
