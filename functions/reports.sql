-- What reports on deliveries of one organisation must know of them: this is how a cluster reads it, where what a carrier
-- calls a delivery does not lie with the delivery. A delivery that is not stored `waits` if it is in the intake; else it
-- is gone.
create function read_reported(o uuid, message_ids uuid[], recipients text[]) returns table (
  n integer, delivery_status text, was_code text, pages smallint, charge bigint, route text, channel text,
  sender_id text, template_id text, external_ref text, callback text, has_webhooks boolean, waits boolean
) stable language plpgsql as $$
declare
  stored boolean[] := array_fill(false, array[cardinality(message_ids)]);
  missing uuid;
  places integer[];
  still text[];
begin
  waits := false;
  -- By one statement for all: a cluster plans each of them anew, and lets go of no plan before the function ends.
  for n, delivery_status, was_code, pages, charge, route, channel, sender_id, template_id, external_ref, callback,
    has_webhooks in
    select given.n, d.status, d.code, d.pages, d.charge, d.route, m.channel, m.sender_id, m.template_id, m.external_ref,
      m.callback, exists (select from webhooks w where w.organisation_id = o and w.enabled)
    from delivery_keys(o, message_ids, recipients) given
    join deliveries d on d.message_id = given.message_id and d.recipient = given.recipient
    left join messages m on m.organisation_id = o and m.id = d.message_id
    where d.organisation_id = o
  loop
    stored[n] := true;
    return next;
  end loop;
  select null, null, null, null, null, null, null, null, null, null, false
  into delivery_status, was_code, pages, charge, route, channel, sender_id, template_id, external_ref, callback,
    has_webhooks;
  for missing, places in
    select given.message_id, array_agg(given.place)
    from unnest(message_ids, stored) with ordinality as given (message_id, stored, place)
    where not given.stored
    group by given.message_id
  loop
    still := array(select w.recipient from waiting_deliveries(o, missing, missing) w);
    foreach n in array places loop
      waits := recipients[n] = any (still);
      return next;
    end loop;
  end loop;
end $$;
