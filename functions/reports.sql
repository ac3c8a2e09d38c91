-- Reads the deliveries of one organisation that reports refer to. Used on a cluster, where carrier message ids are not
-- colocated with the deliveries. A delivery that is not stored `waits` if it is in the intake; else it was deleted.
create function read_reported(o uuid, message_ids uuid[], recipients text[]) returns table (
  n integer, delivery_status text, was_code text, pages smallint, charge bigint, route text, channel text,
  sender_id text, template_id text, external_ref text, callback text, has_webhooks boolean, waits boolean,
  routing smallint, sent_datetime timestamptz
) stable language plpgsql as $$
declare
  stored boolean[] := array_fill(false, array[cardinality(message_ids)]);
  missing uuid;
  places integer[];
  still text[];
  with_webhooks boolean;
  its_message uuid;
  its_recipients text[];
  its_places integer[];
  its_recipient text;
  its_place integer;
begin
  waits := false;
  perform 1 from webhooks w where w.organisation_id = o and w.enabled limit 1;
  with_webhooks := found;
  if are_few(message_ids) then
    -- One message at a time, see mark_by_message.
    for its_message, its_recipients, its_places in
      select given.message_id, array_agg(given.recipient), array_agg(given.place)
      from unnest(message_ids, recipients) with ordinality as given (message_id, recipient, place)
      group by given.message_id
    loop
      select m.channel, m.sender_id, m.template_id, m.external_ref, m.callback from messages m
      where m.organisation_id = o and m.id = its_message
      into channel, sender_id, template_id, external_ref, callback;
      for its_recipient, delivery_status, was_code, pages, charge, route, routing, sent_datetime in
        select d.recipient, d.status, d.code, d.pages, d.charge, d.route, d.routing, d.sent_datetime from deliveries d
        where d.organisation_id = o and d.message_id = its_message and d.recipient = any (its_recipients)
      loop
        has_webhooks := with_webhooks;
        foreach its_place in array array_positions(its_recipients, its_recipient) loop
          n := its_places[its_place];
          stored[n] := true;
          return next;
        end loop;
      end loop;
    end loop;
  else
    for n, delivery_status, was_code, pages, charge, route, routing, sent_datetime, channel, sender_id, template_id,
      external_ref, callback in
      select given.n, d.status, d.code, d.pages, d.charge, d.route, d.routing, d.sent_datetime, m.channel, m.sender_id,
        m.template_id, m.external_ref, m.callback
      from delivery_keys(array_fill(o, array[cardinality(message_ids)]), message_ids, recipients) given
      join deliveries d on d.message_id = given.message_id and d.recipient = given.recipient
      left join messages m on m.organisation_id = o and m.id = d.message_id
      where d.organisation_id = o
    loop
      has_webhooks := with_webhooks;
      stored[n] := true;
      return next;
    end loop;
  end if;
  select null, null, null, null, null, null, null, null, null, null, false, null, null
  into delivery_status, was_code, pages, charge, route, channel, sender_id, template_id, external_ref, callback,
    has_webhooks, routing, sent_datetime;
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
