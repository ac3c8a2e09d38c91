-- Reports that wait for their message belong to no organisation yet. So their jobs have a table of their own: what belongs
-- to an organisation may lie on another server than the rest (Citus).
create table report_jobs (like jobs including all);
alter table report_jobs alter column organisation_id set default '00000000-0000-0000-0000-000000000000';

insert into report_jobs (queue, priority, lane, organisation_id, subject_id, subject_key, attempts, in_hand, run_at, leased_until)
select queue, priority, lane, organisation_id, subject_id, subject_key, attempts, in_hand, run_at, leased_until
from jobs where queue = 'reports';
delete from jobs where queue = 'reports';
