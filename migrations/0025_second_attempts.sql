-- A second attempt of an OTP: on another channel, or through the next carrier of the route. It has a token of its own.

-- Seconds until it is sent through the next carrier, if the first message has not been reported as delivered; null: never.
alter table otp_settings add column resend_after_s integer check (resend_after_s between 5 and 600);

alter table otps
  -- The second message is sent through the next carrier of the route, on the same channel.
  add column through_next_carrier boolean not null default false,
  -- The token of the second message, once that is accepted; null: the same token, or no second message.
  add column fallback_token_hash bytea check (octet_length(fallback_token_hash) = 32),
  -- The message whose token was entered.
  add column verified_message_id uuid,
  add constraint otps_second_attempt check (
    fallback_message_id is not null or (not through_next_carrier and fallback_token_hash is null)
  ),
  add constraint otps_verified_message check (verified_message_id is null or status = 4);
