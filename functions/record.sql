-- Records the outcomes of first attempts, of one route: inserts the messages and deliveries of the intake rows, and the ids
-- under which the carrier knows them. Rows without deliveries left are deleted.
--
-- `row_os` to `are_ended`: the rows, with their organisations and the moments at which they were accepted. `are_new`: nothing
-- of the row was recorded before; its messages are inserted now. `are_ended`: the row has no other deliveries left. The
-- arrays from `os` on are of deliveries that the carrier has accepted, with their organisations; `row_numbers` are indexes
-- into `accepted`, and `carriers` are those that have accepted them. Arrays of optional values are empty where no delivery has
-- one. `carrier_ids`: see `store_submissions`; empty on a cluster, where the caller has stored them before (they are not
-- colocated with the organisation). `unsent`: see `store_unsent`, or null. `costs` and `if_delivered`: what the carrier charges,
-- and whether only for what is delivered. `routings`: see the column of `deliveries`. Returns those of `unsent` that were
-- inserted, as message id and recipient: only of these may the caller write a final state.
--
-- On a single server `o` is null, and there may be several organisations, unless there are `unsent` deliveries. Then rows and
-- deliveries are sorted by organisation, and the call fails if it has to wait long for a lock: the caller repeats it for each
-- organisation, so that none delays the others. On a cluster all are of `o`.
--
-- Idempotent. A process whose lease had expired, and that finds the deliveries recorded by another, still adds the
-- carrier's ids, so that reports on them are matched.
create function record_intake(
  o uuid, of_route text, row_os uuid[], row_ids uuid[], accepted timestamptz[], are_new boolean[], are_ended boolean[],
  os uuid[], row_numbers integer[], carriers text[], message_ids uuid[], recipients text[], positions integer[],
  page_counts smallint[], charges bigint[], texts text[], whatsapps text[], carrier_ids text[],
  report_due_s double precision[], unsent json, price_rule_ids bigint[], costs bigint[], if_delivered boolean[],
  routings smallint[], out stored text[]
) language plpgsql as $$
declare
  new_row record;
  are_stored boolean := true <> all (are_new);
  written integer;
begin
  if row_os[1] <> row_os[cardinality(row_os)] then
    perform set_config('lock_timeout', '100ms', true);
  end if;
  if o is not null and not are_stored and cardinality(row_ids) = 1 then
    -- Citus inserts a few messages one by one in less time than it takes to plan an insert that reads another table.
    select i.messages, i.line, i.created_datetime from intake i where i.organisation_id = o and i.id = row_ids[1]
    into new_row;
    are_stored := new_row.messages is null or cardinality(string_to_array(new_row.messages, e',\n')) <= 4;
    if new_row.messages is not null and are_stored then
      perform store_messages(o, new_row.messages, new_row.line, new_row.created_datetime);
    end if;
  end if;
  if not are_stored then
    -- The columns of a message are also listed in `store_messages`, the variant for few rows. This one reads them from the
    -- intake, which is colocated, so that Citus executes it on the node as it is.
    --
    -- Statistics show the intake as empty, so that a kept plan might read all of it to join by `=`. By `between` it has to
    -- look up each row.
    insert into messages
      (organisation_id, id, channel, sender_id, content, template_id, template_version, personalisation, external_ref,
       is_trackable, callback, encoding, message_length, pages, charge, line, created_datetime, trace)
    select intake.organisation_id, m.id, m.channel, m.sender_id, m.content, m.template_id, m.template_version,
      m.personalisation, m.external_ref, m.is_trackable, m.callback, m.encoding, m.message_length, m.pages, m.charge,
      intake.line, intake.created_datetime, m.trace
    from unnest(row_os, row_ids, are_new) as given (organisation_id, row_id, is_new)
    join intake on (o is null or intake.organisation_id = o) and (intake.organisation_id, intake.id)
      between (given.organisation_id, given.row_id) and (given.organisation_id, given.row_id)
    cross join lateral messages_in(intake.messages) m
    where given.is_new
    on conflict (organisation_id, id) do nothing;
  end if;

  if o is not null and cardinality(message_ids) between 1 and 4 then
    perform store_few_sent(
      o, of_route, accepted, row_numbers, carriers, message_ids, recipients, positions, page_counts, charges, texts,
      whatsapps, price_rule_ids, costs, if_delivered, routings
    );
  elsif cardinality(message_ids) > 0 then
    -- Selected from a colocated table with one row per organisation, so that Citus executes the insert on the node;
    -- otherwise it would materialise all rows first and copy them.
    insert into deliveries
      (organisation_id, message_id, recipient, position, status, pages, charge, price_rule_id, route, text, whatsapp,
       carrier, created_datetime, updated_datetime, sent_datetime, cost, cost_if_delivered, routing)
    select own.organisation_id, message_id, recipient, position, 'sent', page_count, charge, price_rule_id, of_route, text,
      whatsapp::jsonb, carrier, accepted[row_number], now(), now(), cost, is_due_later, routing
    from unnest(
      os, row_numbers, carriers, message_ids, recipients, positions, page_counts, charges, texts, whatsapps,
      record_intake.price_rule_ids, record_intake.costs, if_delivered, record_intake.routings
    ) as given (
      organisation_id, row_number, carrier, message_id, recipient, position, page_count, charge, text, whatsapp,
      price_rule_id, cost, is_due_later, routing
    )
    join balances own on own.organisation_id = given.organisation_id and (o is null or own.organisation_id = o)
    on conflict (organisation_id, message_id, recipient) do nothing;
    get diagnostics written = row_count;
  end if;
  if cardinality(carrier_ids) > 0 then
    perform store_submissions(
      carriers, os, message_ids, recipients, carrier_ids, report_due_s,
      written is distinct from cardinality(message_ids)
    );
  end if;
  if unsent is not null then
    stored := store_unsent(row_os[1], of_route, accepted, unsent);
  end if;
  delete from intake using unnest(row_os, row_ids, are_ended) as given (organisation_id, row_id, is_ended)
  where given.is_ended and (o is null or intake.organisation_id = o) and (intake.organisation_id, intake.id)
    between (given.organisation_id, given.row_id) and (given.organisation_id, given.row_id);
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
  o uuid, of_route text, accepted timestamptz[], row_numbers integer[], carriers text[], message_ids uuid[],
  recipients text[], positions integer[], page_counts smallint[], charges bigint[], texts text[], whatsapps text[],
  price_rule_ids bigint[], costs bigint[], if_delivered boolean[], routings smallint[]
) returns void language plpgsql as $$
declare
  moment constant timestamptz := now();
  -- Variables, because Citus cannot deparse a statement with array subscripts.
  its_carrier text;
  its_message uuid;
  its_recipient text;
  its_position integer;
  its_pages smallint;
  its_charge bigint;
  its_rule bigint;
  its_cost bigint;
  is_due_later boolean;
  its_routing smallint;
  its_text text;
  its_whatsapp jsonb;
  accepted_at timestamptz;
begin
  for n in 1 .. cardinality(message_ids) loop
    its_carrier := carriers[n];
    its_message := message_ids[n];
    its_recipient := recipients[n];
    its_position := positions[n];
    its_pages := page_counts[n];
    its_charge := charges[n];
    its_rule := price_rule_ids[n];
    its_cost := costs[n];
    is_due_later := if_delivered[n];
    its_routing := routings[n];
    its_text := texts[n];
    its_whatsapp := whatsapps[n]::jsonb;
    accepted_at := accepted[row_numbers[n]];
    insert into deliveries
      (organisation_id, message_id, recipient, position, status, pages, charge, price_rule_id, route, text, whatsapp,
       carrier, created_datetime, updated_datetime, sent_datetime, cost, cost_if_delivered, routing)
    values (o, its_message, its_recipient, its_position, 'sent', its_pages, its_charge, its_rule, of_route, its_text,
      its_whatsapp, its_carrier, accepted_at, moment, moment, its_cost, is_due_later, its_routing)
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
      (organisation_id, message_id, recipient, position, status, pages, charge, price_rule_id, refunded, route, send_at,
       text, whatsapp, sealed_text, expires_datetime, tried, carrier, promotional, routing, created_datetime,
       updated_datetime)
    select o, message_id, recipient, position, coalesce(status, 'queued'), pages, charge, price_rule_id,
      coalesce(status = 'canceled' and charge > 0, false), coalesce(route, of_route), send_at, text, whatsapp, decode(sealed, 'base64'),
      accepted[row_number] + expires_in_s * interval '1 s', tried, carrier, promotional, routing,
      coalesce(accepted[row_number], now()), case when status in ('canceled', 'unknown') then now() end
    from json_to_recordset(given) as item (
      row_number integer, message_id uuid, recipient text, position integer, status text, pages smallint, charge bigint,
      price_rule_id bigint, route text, send_at timestamptz, text text, whatsapp jsonb, sealed text, expires_in_s double precision,
      tried text[], carrier text, promotional boolean, routing smallint
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

-- Inserts the ids under which carriers know deliveries, a row per segment. `carrier_ids` has the ids of one delivery with
-- \x1f between its segments; an empty id is not known (yet) and is skipped. With `may_exist` rows that are there already
-- are left out; without it nothing is looked up, which is nearly always possible.
--
-- `submissions` is not colocated with the organisation, since a report names none: on a cluster call it on the coordinator.
create function store_submissions(
  carriers text[], os uuid[], message_ids uuid[], recipients text[], carrier_ids text[],
  report_due_s double precision[], may_exist boolean
) returns void language plpgsql as $$
begin
  insert into submissions
    (carrier, carrier_message_id, organisation_id, message_id, recipient, segment, segments, report_due)
  select delivery.carrier, segment_id, delivery.organisation_id, message_id, recipient, n, cardinality(ids),
    now() + due_s * interval '1 s'
  from (
    select carrier, organisation_id, message_id, recipient, string_to_array(joined_ids, e'\x1f') as ids, due_s
    from unnest(carriers, os, message_ids, recipients, carrier_ids, report_due_s)
      as given (carrier, organisation_id, message_id, recipient, joined_ids, due_s)
  ) delivery
  cross join lateral unnest(ids) with ordinality as segment (segment_id, n)
  where segment_id <> '' and (not may_exist or not exists (
    select from submissions known
    where known.carrier = delivery.carrier and known.carrier_message_id = segment_id
      and known.organisation_id = delivery.organisation_id and known.message_id = delivery.message_id
      and known.recipient = delivery.recipient
  ));
end $$;

-- Records that a carrier has accepted deliveries that had jobs: `sent`, unless a report that arrived first has said more.
-- `os` has the organisation of each delivery, sorted; for `o`, several organisations and costs see record_intake.
create function record_submitted(
  o uuid, carrier_name text, os uuid[], job_ids bigint[], message_ids uuid[], recipients text[], carrier_ids text[],
  report_due_s double precision[], costs bigint[], if_delivered boolean
) returns void language plpgsql as $$
declare
  written integer;
begin
  if os[1] <> os[cardinality(os)] then
    perform set_config('lock_timeout', '100ms', true);
  end if;
  update deliveries
  set status = 'sent', carrier = carrier_name, sealed_text = null, updated_datetime = now(), sent_datetime = now(),
    cost = given.cost, cost_if_delivered = case when given.cost is not null then if_delivered end
  from delivery_keys(os, message_ids, recipients, '{}', '{}', null, costs) given
  where deliveries.organisation_id = given.organisation_id and (o is null or deliveries.organisation_id = o)
    and deliveries.message_id = given.message_id and deliveries.recipient = given.recipient and status = 'queued';
  get diagnostics written = row_count;
  -- On a cluster the carrier's ids are stored before this, and a report may have arrived in between.
  if o is not null then
    update deliveries
    set carrier = carrier_name, sent_datetime = updated_datetime,
      cost = given.cost, cost_if_delivered = case when given.cost is not null then if_delivered end
    from delivery_keys(os, message_ids, recipients, '{}', '{}', null, costs) given
    where deliveries.organisation_id = o and deliveries.organisation_id = given.organisation_id
      and deliveries.message_id = given.message_id and deliveries.recipient = given.recipient
      and status <> 'queued' and sent_datetime is null;
  end if;
  if cardinality(carrier_ids) > 0 then
    perform store_submissions(
      array_fill(carrier_name, array[cardinality(os)]), os, message_ids, recipients, carrier_ids, report_due_s,
      written <> cardinality(message_ids)
    );
  end if;
  delete from jobs where organisation_id = any (os) and (o is null or organisation_id = o) and id = any (job_ids);
end $$;
