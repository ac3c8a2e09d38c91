-- Writes down what became of deliveries of the intake, of one route: the messages and deliveries themselves, which are
-- stored by this for the first time, and the ids that the carrier knows them by. Rows that are over with it go.
--
-- `opened` are rows of which nothing was written before: their messages are stored now. `ended` are those that have no
-- other deliveries left. The arrays from `row_numbers` on are of deliveries that a carrier has taken, each with a number
-- that counts into `accepted`, the moments at which their rows were accepted; arrays of what hardly a delivery has are
-- empty where none has it; `carrier_ids` has one id for each segment, with \x1f between them, and is empty where they are
-- known already (on a cluster, where they do not lie with the organisation). `others` is a JSON list of
-- deliveries that no carrier has taken, or null. Gives those of `others` that were stored by this, as the id of their
-- message and their recipient: only of these may the caller write an end.
--
-- Written twice it changes nothing. Who was too slow, and finds them written by another, leaves at least the carrier's
-- ids, so that reports on them find their way.
create function record_intake(
  o uuid, of_route text, carrier_name text, opened uuid[], ended uuid[], accepted timestamptz[],
  row_numbers integer[], message_ids uuid[], recipients text[], positions integer[], page_counts smallint[],
  charges bigint[], texts text[], whatsapps text[], carrier_ids text[], report_due_s double precision[], others json,
  out stored text[]
) language plpgsql as $$
declare
  on_cluster constant boolean := is_distributed();
  are_stored boolean := cardinality(opened) = 0;
  written integer;
begin
  if on_cluster and cardinality(opened) = 1 then
    are_stored := store_few_opened(o, opened[1]);
  end if;
  if not are_stored then
    insert into messages
      (organisation_id, id, channel, sender_id, content, template_id, template_version, personalisation, external_ref,
       is_trackable, callback, encoding, message_length, pages, charge, line, created_datetime, trace)
    select intake.organisation_id, message.id, message.channel, message.sender_id, message.content, message.template_id,
      message.template_version, message.personalisation, message.external_ref, message.is_trackable, message.callback,
      message.encoding, message.message_length, message.pages, message.charge, intake.line, intake.created_datetime,
      message.trace
    from intake cross join lateral messages_in(intake.messages) message
    where intake.organisation_id = o and intake.id = any (opened)
    on conflict (organisation_id, id) do nothing;
  end if;

  if on_cluster and cardinality(message_ids) between 1 and 4 then
    perform store_few_sent(
      o, of_route, carrier_name, accepted, row_numbers, message_ids, recipients, positions, page_counts, charges, texts,
      whatsapps
    );
  elsif cardinality(message_ids) > 0 then
    -- From a table that lies where they go, each organisation with one row: a cluster then carries it out there as it is,
    -- and else it would read everything first, put it into a file and copy that.
    insert into deliveries
      (organisation_id, message_id, recipient, position, status, pages, charge, route, text, whatsapp, carrier,
       created_datetime, updated_datetime, sent_datetime)
    select own.organisation_id, message_id, recipient, position, 'sent', page_count, charge, of_route, text,
      whatsapp::jsonb, carrier_name, accepted[row_number], now(), now()
    from balances own
    cross join unnest(row_numbers, message_ids, recipients, positions, page_counts, charges, texts, whatsapps)
      as given (row_number, message_id, recipient, position, page_count, charge, text, whatsapp)
    where own.organisation_id = o
    on conflict (organisation_id, message_id, recipient) do nothing;
    get diagnostics written = row_count;
  end if;
  if cardinality(carrier_ids) > 0 then
    insert into submissions
      (carrier, carrier_message_id, organisation_id, message_id, recipient, segment, segments, report_due)
    select carrier_name, segment_id, o, message_id, recipient, n, cardinality(ids), now() + due_s * interval '1 s'
    from (
      select message_id, recipient, string_to_array(carrier_id, e'\x1f') as ids, due_s
      from unnest(message_ids, recipients, carrier_ids, report_due_s) as given (message_id, recipient, carrier_id, due_s)
    ) taken
    cross join lateral unnest(ids) with ordinality as segment (segment_id, n)
    -- Nearly always all of it is new, and nothing is looked for.
    where written = cardinality(message_ids) or not exists (
      select from submissions known
      where known.carrier = carrier_name and known.carrier_message_id = segment_id
        and known.organisation_id = o and known.message_id = taken.message_id and known.recipient = taken.recipient
    );
  end if;
  if others is not null then
    stored := record_others(o, of_route, accepted, others);
  end if;
  delete from intake where organisation_id = o and id = any (ended);
end $$;

-- The messages of a row of the intake, if they are few, and whether they are. On a cluster: there they are stored one by one
-- in less time than it takes to plan how to insert what is read from another table.
create function store_few_opened(o uuid, row_id uuid, out are_stored boolean) language plpgsql as $$
declare
  opened record;
  message record;
begin
  select i.messages, i.line, i.created_datetime from intake i where i.organisation_id = o and i.id = row_id
  into opened;
  are_stored := cardinality(string_to_array(opened.messages, e',\n')) <= 4;
  if are_stored is not true then
    are_stored := opened.messages is null;
    return;
  end if;
  for message in select * from messages_in(opened.messages) loop
    insert into messages
      (organisation_id, id, channel, sender_id, content, template_id, template_version, personalisation, external_ref,
       is_trackable, callback, encoding, message_length, pages, charge, line, created_datetime, trace)
    values (o, message.id, message.channel, message.sender_id, message.content, message.template_id,
      message.template_version, message.personalisation, message.external_ref, message.is_trackable, message.callback,
      message.encoding, message.message_length, message.pages, message.charge, opened.line, opened.created_datetime,
      message.trace)
    on conflict (organisation_id, id) do nothing;
  end loop;
end $$;

-- Likewise a few deliveries that a carrier has taken.
create function store_few_sent(
  o uuid, of_route text, carrier_name text, accepted timestamptz[], row_numbers integer[], message_ids uuid[],
  recipients text[], positions integer[], page_counts smallint[], charges bigint[], texts text[], whatsapps text[]
) returns void language plpgsql as $$
declare
  moment constant timestamptz := now();
  -- Taken out of the arrays before the statement: Citus cannot write such a statement down.
  its_message uuid;
  its_recipient text;
  its_position integer;
  its_pages smallint;
  its_charge bigint;
  its_text text;
  its_whatsapp jsonb;
  accepted_at timestamptz;
begin
  for n in 1 .. cardinality(message_ids) loop
    its_message := message_ids[n];
    its_recipient := recipients[n];
    its_position := positions[n];
    its_pages := page_counts[n];
    its_charge := charges[n];
    its_text := texts[n];
    its_whatsapp := whatsapps[n]::jsonb;
    accepted_at := accepted[row_numbers[n]];
    insert into deliveries
      (organisation_id, message_id, recipient, position, status, pages, charge, route, text, whatsapp, carrier,
       created_datetime, updated_datetime, sent_datetime)
    values (o, its_message, its_recipient, its_position, 'sent', its_pages, its_charge, of_route, its_text, its_whatsapp,
      carrier_name, accepted_at, moment, moment)
    on conflict (organisation_id, message_id, recipient) do nothing;
  end loop;
end $$;

-- Deliveries that wait for another try, with their job, or whose end the caller writes in the same transaction. A job is
-- only made with its delivery: who writes this twice hands nothing over twice. `carrier` is one that may have it all the
-- same. Gives those that were stored.
--
-- Which of them get a job is looked up among the keys of an object: joined with what was given, each would be compared
-- with every other where plans are kept (twice as long for 256 of them, ten times as long for 2,000).
create function record_others(o uuid, of_route text, accepted timestamptz[], others json, out result text[])
language plpgsql as $$
declare
  stored_keys jsonb;
begin
  with stored as (
    insert into deliveries
      (organisation_id, message_id, recipient, position, status, pages, charge, route, text, whatsapp, sealed_text,
       expires_datetime, tried, carrier, promotional, created_datetime)
    select o, message_id, recipient, position, 'queued', pages, charge, of_route, text, whatsapp,
      decode(sealed, 'base64'), accepted[row_number] + expires_in_s * interval '1 s', tried, carrier, promotional,
      accepted[row_number]
    from json_to_recordset(others) as given (
      row_number integer, message_id uuid, recipient text, position integer, pages smallint, charge bigint, text text,
      whatsapp jsonb, sealed text, expires_in_s double precision, tried text[], carrier text, promotional boolean
    )
    on conflict (organisation_id, message_id, recipient) do nothing
    returning message_id || ' ' || recipient as key
  )
  select array_agg(key), jsonb_object_agg(key, true) from stored into result, stored_keys;

  insert into jobs (queue, priority, lane, organisation_id, subject_id, subject_key, attempts, run_at)
  select queue, priority, o, o, message_id, recipient, attempts, now() + delay_ms * interval '1 ms'
  from json_to_recordset(others) as given (
    message_id uuid, recipient text, queue text, priority smallint, delay_ms double precision, attempts smallint
  )
  where queue is not null and stored_keys ? (message_id || ' ' || recipient);
end $$;

-- Deliveries that had jobs, and that a carrier has taken now: `sent`, unless a hasty report has said more already.
create function record_submitted(
  o uuid, carrier_name text, job_ids bigint[], message_ids uuid[], recipients text[],
  segment_ids text[], of_places integer[], segments smallint[], segment_counts smallint[], report_due_s double precision[]
) returns void language plpgsql as $$
declare
  on_cluster constant boolean := is_distributed();
begin
  update deliveries
  set status = 'sent', carrier = carrier_name, sealed_text = null, updated_datetime = now(), sent_datetime = now()
  from delivery_keys(o, message_ids, recipients) given
  where deliveries.organisation_id = given.organisation_id and (not on_cluster or deliveries.organisation_id = o)
      and deliveries.message_id = given.message_id
    and deliveries.recipient = given.recipient and status = 'queued';
  -- There the carrier's ids are written before this, and a report may have come in between.
  if on_cluster then
    update deliveries set carrier = carrier_name, sent_datetime = updated_datetime
    from delivery_keys(o, message_ids, recipients) given
    where deliveries.organisation_id = o and deliveries.organisation_id = given.organisation_id
      and deliveries.message_id = given.message_id and deliveries.recipient = given.recipient
      and status <> 'queued' and sent_datetime is null;
  end if;
  if cardinality(segment_ids) > 0 then
    insert into submissions
      (carrier, carrier_message_id, organisation_id, message_id, recipient, segment, segments, report_due)
    select carrier_name, segment_id, o, message_ids[place], recipients[place], segment, of_segments,
      now() + due_s * interval '1 s'
    from unnest(segment_ids, of_places, segments, segment_counts, report_due_s)
      as given (segment_id, place, segment, of_segments, due_s);
  end if;
  delete from jobs where organisation_id = o and id = any (job_ids);
end $$;
