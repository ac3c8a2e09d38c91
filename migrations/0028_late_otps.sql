-- The second message of an OTP is sent when the delivery report of the first is late by the evidence (docs/evidence.md);
-- `resend_after_s` is then the longest delay.
alter table otp_settings
  add column resend_when_late boolean not null default false,
  add constraint otp_settings_longest_delay check (not resend_when_late or resend_after_s is not null);
