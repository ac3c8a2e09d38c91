-- What reports on deliveries of one organisation must know of them: this is how a cluster reads it, where what a carrier
-- calls a delivery does not lie with the delivery. A delivery that is not stored `waits` if it is in the intake; else it
-- is gone.
create function read_reported(o uuid, message_ids uuid[], recipients text[]) returns table (
  n integer, delivery_status text, was_code text, pages smallint, charge bigint, route text, channel text,
  sender_id text, template_id text, external_ref text, callback text, has_webhooks boolean, waits boolean
) stable language plpgsql as $$
declare
  of_message uuid;
  to_recipient text;
  heard boolean := exists (select from webhooks w where w.organisation_id = o and w.enabled);
begin
  for place in 1 .. cardinality(message_ids) loop
    n := place;
    of_message := message_ids[place];
    to_recipient := recipients[place];
    select d.status, d.code, d.pages, d.charge, d.route from deliveries d
    where d.organisation_id = o and d.message_id = of_message and d.recipient = to_recipient
    into delivery_status, was_code, pages, charge, route;
    select m.channel, m.sender_id, m.template_id, m.external_ref, m.callback from messages m
    where m.organisation_id = o and m.id = of_message and delivery_status is not null
    into channel, sender_id, template_id, external_ref, callback;
    has_webhooks := heard;
    waits := delivery_status is null and exists (
      select from waiting_deliveries(o, of_message, of_message) w where w.recipient = to_recipient
    );
    return next;
  end loop;
end $$;
