-- Records the outcomes of first attempts, of one route: inserts the messages and deliveries of the intake rows, and the ids
-- under which the carrier knows them. Rows without deliveries left are deleted.
--
-- `opened`: rows of which nothing was recorded before; their messages are inserted now. `ended`: rows that have no other
-- deliveries left. The arrays from `row_numbers` on are of deliveries that the carrier has accepted; `row_numbers` are
-- indexes into `accepted`, the moments at which their rows were accepted. Arrays of optional values are empty where no
-- delivery has one. `carrier_ids`: see `store_submissions`; empty on a cluster, where the caller has stored them before
-- (they are not colocated with the organisation). `unsent`: see `store_unsent`, or null. Returns those of `unsent` that were
-- inserted, as message id and recipient: only of these may the caller write a final state.
--
-- Idempotent. A process whose lease had expired, and that finds the deliveries recorded by another, still adds the
-- carrier's ids, so that reports on them are matched.
create function record_intake(
  o uuid, of_route text, carrier_name text, opened uuid[], ended uuid[], accepted timestamptz[],
  row_numbers integer[], message_ids uuid[], recipients text[], positions integer[], page_counts smallint[],
  charges bigint[], texts text[], whatsapps text[], carrier_ids text[], report_due_s double precision[], unsent json,
  out stored text[]
) language plpgsql as $$
declare
  on_cluster constant boolean := is_distributed();
  opened_row record;
  are_stored boolean := cardinality(opened) = 0;
  written integer;
begin
  if on_cluster and cardinality(opened) = 1 then
    -- Citus inserts a few messages one by one in less time than it takes to plan an insert that reads another table.
    select i.messages, i.line, i.created_datetime from intake i where i.organisation_id = o and i.id = opened[1]
    into opened_row;
    are_stored := opened_row.messages is null or cardinality(string_to_array(opened_row.messages, e',\n')) <= 4;
    if opened_row.messages is not null and are_stored then
      perform store_messages(o, opened_row.messages, opened_row.line, opened_row.created_datetime);
    end if;
  end if;
  if not are_stored then
    -- The columns of a message are also listed in `store_messages`, the variant for few rows. This one reads them from the
    -- intake, which is colocated, so that Citus executes it on the node as it is.
    insert into messages
      (organisation_id, id, channel, sender_id, content, template_id, template_version, personalisation, external_ref,
       is_trackable, callback, encoding, message_length, pages, charge, line, created_datetime, trace)
    select intake.organisation_id, m.id, m.channel, m.sender_id, m.content, m.template_id, m.template_version,
      m.personalisation, m.external_ref, m.is_trackable, m.callback, m.encoding, m.message_length, m.pages, m.charge,
      intake.line, intake.created_datetime, m.trace
    from intake cross join lateral messages_in(intake.messages) m
    where intake.organisation_id = o and intake.id = any (opened)
    on conflict (organisation_id, id) do nothing;
  end if;

  if on_cluster and cardinality(message_ids) between 1 and 4 then
    perform store_few_sent(
      o, of_route, carrier_name, accepted, row_numbers, message_ids, recipients, positions, page_counts, charges, texts,
      whatsapps
    );
  elsif cardinality(message_ids) > 0 then
    -- Selected from a colocated table with one row per organisation, so that Citus executes the insert on the node;
    -- otherwise it would materialise all rows first and copy them.
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
    perform store_submissions(
      carrier_name, o, message_ids, recipients, carrier_ids, report_due_s,
      written is distinct from cardinality(message_ids)
    );
  end if;
  if unsent is not null then
    stored := store_unsent(o, of_route, accepted, unsent);
  end if;
  delete from intake where organisation_id = o and id = any (ended);
end $$;

-- Inserts messages one by one, from JSON objects as the intake holds them (`messages_in`); with `only_ids` only these. For
-- few messages: those of a cancellation, an erasure or a schedule, and on a cluster a row with few. The variant for many,
-- with the same columns, is in `record_intake`. With `must_be_new` a message that is stored already is an error.
create function store_messages(
  o uuid, items text, of_line bigint, accepted timestamptz, only_ids uuid[] default null,
  must_be_new boolean default false
) returns void language plpgsql as $$
declare
  m record;
begin
  for m in select * from messages_in(items) given where only_ids is null or given.id = any (only_ids) loop
    insert into messages
      (organisation_id, id, channel, sender_id, content, template_id, template_version, personalisation, external_ref,
       is_trackable, callback, encoding, message_length, pages, charge, line, created_datetime, trace)
    values (o, m.id, m.channel, m.sender_id, m.content, m.template_id, m.template_version, m.personalisation,
      m.external_ref, m.is_trackable, m.callback, m.encoding, m.message_length, m.pages, m.charge, of_line, accepted,
      m.trace)
    on conflict (organisation_id, id) do nothing;
    if must_be_new and not found then
      raise exception 'a message with this id is stored already' using errcode = 'unique_violation';
    end if;
  end loop;
end $$;

-- Inserts a few deliveries that a carrier has accepted: the variant of the insert in `record_intake` for a cluster, see there.
create function store_few_sent(
  o uuid, of_route text, carrier_name text, accepted timestamptz[], row_numbers integer[], message_ids uuid[],
  recipients text[], positions integer[], page_counts smallint[], charges bigint[], texts text[], whatsapps text[]
) returns void language plpgsql as $$
declare
  moment constant timestamptz := now();
  -- Variables, because Citus cannot deparse a statement with array subscripts.
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

-- Inserts deliveries that no carrier has accepted, from a JSON list, and returns those that were new, as message id and
-- recipient. The default state is `queued`; `carrier` is one that may have the delivery from an earlier attempt. With
-- `only_ids` only deliveries of these messages.
create function store_deliveries(
  o uuid, of_route text, accepted timestamptz[], given json, only_ids uuid[] default null, out stored text[]
) language plpgsql as $$
begin
  with inserted as (
    insert into deliveries
      (organisation_id, message_id, recipient, position, status, pages, charge, refunded, route, send_at, text, whatsapp,
       sealed_text, expires_datetime, tried, carrier, promotional, created_datetime, updated_datetime)
    select o, message_id, recipient, position, coalesce(status, 'queued'), pages, charge,
      coalesce(status = 'canceled' and charge > 0, false), coalesce(route, of_route), send_at, text, whatsapp, decode(sealed, 'base64'),
      accepted[row_number] + expires_in_s * interval '1 s', tried, carrier, promotional,
      coalesce(accepted[row_number], now()), case when status in ('canceled', 'unknown') then now() end
    from json_to_recordset(given) as item (
      row_number integer, message_id uuid, recipient text, position integer, status text, pages smallint, charge bigint,
      route text, send_at timestamptz, text text, whatsapp jsonb, sealed text, expires_in_s double precision,
      tried text[], carrier text, promotional boolean
    )
    where only_ids is null or message_id = any (only_ids)
    on conflict (organisation_id, message_id, recipient) do nothing
    returning message_id || ' ' || recipient as key
  )
  select array_agg(key) from inserted into stored;
end $$;

-- Inserts deliveries that wait for another attempt, with their job, or whose final state the caller writes in the same
-- transaction. A job is inserted only with its delivery, so that a repeated call submits nothing twice. Returns the
-- deliveries that were inserted.
--
-- Which of them get a job is looked up among the keys of an object: joined with the list, a kept plan would compare each
-- with every other (twice the time for 256 of them, ten times for 2,000).
create function store_unsent(o uuid, of_route text, accepted timestamptz[], unsent json, out stored text[])
language plpgsql as $$
declare
  stored_keys jsonb;
begin
  stored := store_deliveries(o, of_route, accepted, unsent);
  select jsonb_object_agg(key, true) from unnest(stored) as key into stored_keys;
  insert into jobs (queue, priority, lane, organisation_id, subject_id, subject_key, attempts, run_at)
  select queue, priority, o, o, message_id, recipient, attempts, now() + delay_ms * interval '1 ms'
  from json_to_recordset(unsent) as given (
    message_id uuid, recipient text, queue text, priority smallint, delay_ms double precision, attempts smallint
  )
  where queue is not null and stored_keys ? (message_id || ' ' || recipient);
end $$;

-- Inserts the ids under which a carrier knows deliveries, a row per segment. `carrier_ids` has the ids of one delivery with
-- \x1f between its segments; an empty id is not known (yet) and is skipped. With `may_exist` rows that are there already
-- are left out; without it nothing is looked up, which is nearly always possible.
--
-- `submissions` is not colocated with the organisation, since a report names none: on a cluster call it on the coordinator.
create function store_submissions(
  carrier_name text, organisation uuid, message_ids uuid[], recipients text[], carrier_ids text[],
  report_due_s double precision[], may_exist boolean
) returns void language plpgsql as $$
begin
  insert into submissions
    (carrier, carrier_message_id, organisation_id, message_id, recipient, segment, segments, report_due)
  select carrier_name, segment_id, organisation, message_id, recipient, n, cardinality(ids),
    now() + due_s * interval '1 s'
  from (
    select message_id, recipient, string_to_array(joined_ids, e'\x1f') as ids, due_s
    from unnest(message_ids, recipients, carrier_ids, report_due_s) as given (message_id, recipient, joined_ids, due_s)
  ) delivery
  cross join lateral unnest(ids) with ordinality as segment (segment_id, n)
  where segment_id <> '' and (not may_exist or not exists (
    select from submissions known
    where known.carrier = carrier_name and known.carrier_message_id = segment_id
      and known.organisation_id = organisation and known.message_id = delivery.message_id
      and known.recipient = delivery.recipient
  ));
end $$;

-- Records that a carrier has accepted deliveries that had jobs: `sent`, unless a report that arrived first has said more.
create function record_submitted(
  o uuid, carrier_name text, job_ids bigint[], message_ids uuid[], recipients text[], carrier_ids text[],
  report_due_s double precision[]
) returns void language plpgsql as $$
declare
  on_cluster constant boolean := is_distributed();
  written integer;
begin
  update deliveries
  set status = 'sent', carrier = carrier_name, sealed_text = null, updated_datetime = now(), sent_datetime = now()
  from delivery_keys(o, message_ids, recipients) given
  where deliveries.organisation_id = given.organisation_id and (not on_cluster or deliveries.organisation_id = o)
      and deliveries.message_id = given.message_id
    and deliveries.recipient = given.recipient and status = 'queued';
  get diagnostics written = row_count;
  -- There the carrier's ids are stored before this, and a report may have arrived in between.
  if on_cluster then
    update deliveries set carrier = carrier_name, sent_datetime = updated_datetime
    from delivery_keys(o, message_ids, recipients) given
    where deliveries.organisation_id = o and deliveries.organisation_id = given.organisation_id
      and deliveries.message_id = given.message_id and deliveries.recipient = given.recipient
      and status <> 'queued' and sent_datetime is null;
  end if;
  if cardinality(carrier_ids) > 0 then
    perform store_submissions(
      carrier_name, o, message_ids, recipients, carrier_ids, report_due_s,
      written <> cardinality(message_ids)
    );
  end if;
  delete from jobs where organisation_id = o and id = any (job_ids);
end $$;
