-- The second messages of OTPs have ledger lines of their own. Several that were charged together all said they were charged
-- by the last of these lines, and the audit said so. They say nothing now: their line is the one that names them.
alter table intake alter column line drop not null;
comment on column intake.line is 'The ledger line they were charged by; null where each has a line of its own.';
comment on column messages.line is 'The ledger line it was charged by; null for those that have lines of their own.';

update messages set line = null
from otps
where otps.organisation_id = messages.organisation_id and otps.fallback_message_id = messages.id
  and messages.line is not null;
