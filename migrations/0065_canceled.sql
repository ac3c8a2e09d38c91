-- One spelling of a status in the whole API: campaigns are `canceled`, as deliveries and imports are.
alter table campaigns drop constraint campaigns_status_check;
update campaigns set status = 'canceled' where status = 'cancelled';
alter table campaigns add constraint campaigns_status_check check (status in (
  'draft', 'estimating', 'estimated', 'scheduled', 'running', 'paused', 'finished', 'canceled'
));
