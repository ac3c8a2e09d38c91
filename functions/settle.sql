-- Marks deliveries `delivered` and stores the events of those that moved. No refund is due and no OTP ends. The deliveries
-- must be distinct and in the order in which every statement locks them. Returns the positions of those that moved, and the
-- result of store_events.
--
-- `os` has the organisation of each delivery; `o` is null, or on a cluster the only organisation. A call for several
-- organisations does not wait for rows that another transaction has locked: those deliveries do not move, and the caller
-- settles them in a call for their organisation alone.
--
-- `from_memory`: the caller remembers the deliveries, of one organisation, and has not read them now. If the organisation
-- has webhooks, which the caller does not know of, the call is `refused` and nothing is done; and only deliveries that are
-- still `sent` move. `unless_erased`: the remembered data may contain a phone number; the call is also refused while an
-- erasure runs, and for a month after one, which is longer than data is remembered and an erasure takes.
create function settle_delivered(
  o uuid, os uuid[], moment timestamptz, message_ids uuid[], recipients text[], codes text[], descriptions text[],
  event_ids uuid[], urls text[], lanes uuid[], bodies text[], are_leased boolean[], lease_s integer,
  for_webhooks boolean, from_memory boolean, unless_erased boolean,
  out moved integer[], out waiting integer, out burst_lanes uuid[], out burst_ids bigint[], out refused boolean
) language plpgsql as $$
declare
  movable constant text[] :=
    case when from_memory then '{sent}'::text[] else '{queued,sent,expired,unknown}'::text[] end;
  unlocked integer[];
  -- Citus cannot deparse subscripts in a statement.
  its_organisation constant uuid := os[1];
  lately uuid;
  posts integer;
begin
  waiting := 0;
  if from_memory then
    perform 1 from webhooks where organisation_id = its_organisation and enabled limit 1;
    refused := found;
    if not refused and unless_erased then
      perform 1 from erasures where organisation_id = its_organisation and status = 'running' limit 1;
      refused := found;
    end if;
    if not refused and unless_erased then
      lately := first_id_at(now() - interval '1 month');
      perform 1 from erasures where organisation_id = its_organisation and id >= lately limit 1;
      refused := found;
    end if;
    if refused then
      return;
    end if;
  end if;
  if o is not null and are_few(message_ids) and are_alike(codes) and are_alike(descriptions) then
    moved := mark_by_message(o, moment, message_ids, recipients, codes[1], descriptions[1], movable);
  else
    if os[1] <> os[cardinality(os)] then
      select array_agg(given.n)
      from delivery_keys(os, message_ids, recipients) given
      cross join lateral (
        select from deliveries
        where organisation_id = given.organisation_id and message_id = given.message_id
          and recipient = given.recipient and status = any (movable)
        for update skip locked
      ) delivery
      into unlocked;
      if unlocked is null then
        return;
      elsif cardinality(unlocked) = cardinality(os) then
        unlocked := null;
      end if;
    end if;
    with delivery as (
      update deliveries
      set status = 'delivered', code = given.code, description = given.description, sealed_text = null,
        updated_datetime = moment
      from delivery_keys(os, message_ids, recipients, codes, descriptions, unlocked) given
      where deliveries.organisation_id = given.organisation_id and (o is null or deliveries.organisation_id = o)
        and deliveries.message_id = given.message_id
        and deliveries.recipient = given.recipient and deliveries.status = any (movable)
      returning given.n
    )
    select array_agg(n) from delivery into moved;
  end if;
  if moved is null or cardinality(event_ids) = 0 then
    return;
  end if;
  select * from store_events(
    o, os, event_ids, array_fill('text.delivered'::text, array[cardinality(message_ids)]), urls, lanes, message_ids,
    bodies, are_leased, case when cardinality(moved) < cardinality(message_ids) then moved end, lease_s, for_webhooks
  ) into posts, waiting, burst_lanes, burst_ids;
end $$;

-- The same on a cluster, one message at a time: every statement is planned there each time, and one that names one table
-- and one message is planned in a fifth of the time of a join.
create function mark_by_message(
  o uuid, moment timestamptz, message_ids uuid[], recipients text[], its_code text, its_description text,
  movable text[], out moved integer[]
) language plpgsql as $$
declare
  its_message uuid;
  its_recipients text[];
  its_places integer[];
  its_recipient text;
begin
  for its_message, its_recipients, its_places in
    select given.message_id, array_agg(given.recipient), array_agg(given.n)
    from unnest(message_ids, recipients) with ordinality as given (message_id, recipient, n)
    group by given.message_id order by given.message_id
  loop
    for its_recipient in
      update deliveries
      set status = 'delivered', code = its_code, description = its_description, sealed_text = null,
        updated_datetime = moment
      where organisation_id = o and message_id = its_message and recipient = any (its_recipients)
        and status = any (movable)
      returning recipient
    loop
      moved := moved || its_places[array_position(its_recipients, its_recipient)];
    end loop;
  end loop;
end $$;

-- Whether there are few enough messages for one statement each. In PL/pgSQL, so that its expressions are planned once.
create function are_few(message_ids uuid[]) returns boolean immutable language plpgsql as $$
declare
  known uuid[] := '{}';
  message_id uuid;
begin
  foreach message_id in array message_ids loop
    if message_id <> all (known) then
      known := known || message_id;
      if cardinality(known) > 4 then
        return false;
      end if;
    end if;
  end loop;
  return true;
end $$;

-- Whether all values are equal; the array is empty if they are null.
create function are_alike(given text[]) returns boolean immutable language plpgsql as $$
declare
  value text;
begin
  foreach value in array given loop
    if value is distinct from given[1] then
      return false;
    end if;
  end loop;
  return true;
end $$;

-- Whether the tables are distributed over a cluster (src/db/cluster/settings.ts). There a statement must name the
-- organisation as a condition; on one server, where plans are cached, it must not, see below.
create function is_distributed() returns boolean stable language sql as $$
  select coalesce(current_setting('gangan.distributed', true), '') = 'on'
$$;

-- The keys of deliveries as rows: of all, or of those at the given `places`. Declared as `rows 1` and with the organisation
-- as a column, so that a cached plan joins by primary key, even if it was made while the table was small; with the
-- organisation as a condition it would scan all rows of the organisation. In PL/pgSQL, so that it is not inlined.
create function delivery_keys(
  os uuid[], message_ids uuid[], recipients text[], codes text[] default '{}', descriptions text[] default '{}',
  places integer[] default null, costs bigint[] default '{}'
) returns table (
  organisation_id uuid, message_id uuid, recipient text, code text, description text, n integer, cost bigint
)
rows 1 stable language plpgsql as $$
begin
  return query
  select given.o, given.message_id, given.recipient, given.code, given.description, given.n::integer, given.cost
  from unnest(os, message_ids, recipients, codes, descriptions, costs) with ordinality
    as given (o, message_id, recipient, code, description, cost, n)
  where places is null or given.n = any (places);
end $$;
