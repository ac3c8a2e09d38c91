-- Up to three further messages of an OTP, each through another carrier and with a token of its own (docs/decisions/0080).

-- How often another token is sent at most.
alter table otp_settings add column resend_times smallint not null default 1 check (resend_times between 1 and 3);

alter table otps
  -- Seconds from the submission of a message until the next one is sent through another carrier; null: the time of the
  -- second message was fixed with the request.
  add column resend_after_s smallint check (resend_after_s > 0),
  -- Messages that may follow `fallback_message_id`.
  add column resends_left smallint not null default 0 check (resends_left between 0 and 2),
  -- The messages between the first one and `fallback_message_id`, with their tokens.
  add column resent_message_ids uuid[] not null default '{}',
  add column resent_token_hashes bytea[] not null default '{}',
  add constraint otps_resent check (
    cardinality(resent_message_ids) = cardinality(resent_token_hashes)
      and cardinality(resent_message_ids) + resends_left <= 2
      and (through_next_carrier or (resends_left = 0 and cardinality(resent_message_ids) = 0))
  );
create index otps_by_resent on otps using gin (resent_message_ids) with (fastupdate = off)
  where resent_message_ids <> '{}';

-- Probes with the texts of campaigns: at most so many of each campaign, through the carrier of the plan.
alter table probe_plans add column per_campaign smallint not null default 0 check (per_campaign between 0 and 20);
-- `mark` of a text without a code or word of its own: `=` and the id. It is recognised by its wording.
alter table probes add column campaign_id uuid;
create index probes_by_campaign on probes (campaign_id, plan) where campaign_id is not null;
create index probes_unmarked on probes (phone_carrier, recipient) where mark like '=%' and arrived_datetime is null;
