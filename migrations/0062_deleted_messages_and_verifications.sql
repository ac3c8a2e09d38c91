-- A message that its sender deleted through Twilio's API: its text is gone and that API does not show it any more. What was
-- sent, to whom and what it cost stays.
alter table messages add column deleted_datetime timestamptz;

-- Codes of Twilio's Verify. Those that were sent again while a verification was open belong to it: any of them approves
-- it, once, and wrong tries are counted over all of them. `verification_id` is the id of its first code.
alter table otps
  add column verification_id uuid,
  add column service_sid text,
  add column channel text,
  add constraint otps_verification_check check ((verification_id is null) = (service_sid is null));
create index otps_by_verification on otps (organisation_id, verification_id, id) where verification_id is not null;
