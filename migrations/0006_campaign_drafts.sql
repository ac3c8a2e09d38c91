-- Incomplete campaigns, campaigns that repeat another one, and the messages of a campaign.

-- The fields of a campaign that was saved with `is_incomplete`, as given: they are checked once it is saved complete.
alter table campaigns add column draft jsonb;

-- The campaign whose failed recipients this one is for. At most one that is not canceled, so that it reaches no recipient twice.
alter table campaigns add column resend_of uuid;
create unique index campaigns_resent_once on campaigns (organisation_id, resend_of)
  where resend_of is not null and status <> 'canceled';

-- From a message to its campaign, and to the first message of that. One entry per slice, not per recipient.
create index campaign_slices_by_message on campaign_slices (organisation_id, message_id) where message_id is not null;
create index campaign_slices_by_campaign on campaign_slices (organisation_id, campaign_id, message_id)
  where message_id is not null;
