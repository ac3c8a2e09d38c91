-- `delivered`, for deliveries of one organisation: it gives no money back and ends nobody's OTP, so all there is to do is
-- the state and what is told about it, for those that moved. The rows must come without repetition and in the order they
-- are locked in everywhere. Gives the places of those that moved, and what store_events gives.
--
-- `from_memory`: whoever asks has read nothing of this lately. So if there are endpoints, which it does not know of, it is
-- `refused` and nothing is done; and only what is `sent`, as it was then, moves. `unless_erased`: what it remembers may name
-- somebody; if anybody is being erased, or was since it may have been read, that is refused, too. It is hardly older than a
-- day, and a month is longer than an erasure takes.
create function settle_delivered(
  o uuid, moment timestamptz, message_ids uuid[], recipients text[], codes text[], descriptions text[],
  event_ids uuid[], urls text[], lanes uuid[], bodies text[], in_hands boolean[], lease_s integer,
  for_webhooks boolean, from_memory boolean, unless_erased boolean,
  out moved integer[], out waiting integer, out burst_lanes uuid[], out burst_ids bigint[], out refused boolean
) language plpgsql as $$
declare
  on_cluster constant boolean := is_distributed();
  movable constant text[] :=
    case when from_memory then '{sent}'::text[] else '{queued,sent,expired,unknown}'::text[] end;
  lately uuid;
  posts integer;
begin
  waiting := 0;
  if from_memory then
    perform 1 from webhooks where organisation_id = o and enabled limit 1;
    refused := found;
    if not refused and unless_erased then
      perform 1 from erasures where organisation_id = o and status = 'running' limit 1;
      refused := found;
    end if;
    if not refused and unless_erased then
      lately := first_id_at(now() - interval '1 month');
      perform 1 from erasures where organisation_id = o and id >= lately limit 1;
      refused := found;
    end if;
    if refused then
      return;
    end if;
  end if;
  if on_cluster and are_few(message_ids) and are_alike(codes) and are_alike(descriptions) then
    moved := mark_by_message(o, moment, message_ids, recipients, codes[1], descriptions[1], movable);
  else
    with delivery as (
      update deliveries
      set status = 'delivered', code = given.code, description = given.description, sealed_text = null,
        updated_datetime = moment
      from delivery_keys(o, message_ids, recipients, codes, descriptions) given
      where deliveries.organisation_id = given.organisation_id and (not on_cluster or deliveries.organisation_id = o)
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
    o, event_ids, array_fill('text.delivered'::text, array[cardinality(message_ids)]), urls, lanes, message_ids, bodies,
    in_hands, case when cardinality(moved) < cardinality(message_ids) then moved end, lease_s, for_webhooks
  ) into posts, waiting, burst_lanes, burst_ids;
end $$;

-- The same where a cluster carries it out, message after message. What names one table and one message is planned there in
-- a fifth of the time that a join takes, and each statement is planned anew.
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

-- So few messages that a cluster is asked for one after the other. In PL/pgSQL, as the next: its expressions are planned once.
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

-- Whether all are the same; the list is empty where they are null.
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

-- Whether the tables lie on a cluster (src/db/cluster/settings.ts). There a statement must say whose rows it is about; on
-- one machine, where plans are kept, it must not, see below.
create function is_distributed() returns boolean stable language sql as $$
  select coalesce(current_setting('gangan.distributed', true), '') = 'on'
$$;

-- The keys of deliveries as rows. Said to be one row, and with the organisation as a column: so a statement that joins
-- them with the table looks each up by its key, also where its plan was made while the table was small. With the
-- organisation as a condition it would rather walk all that the organisation has. In PL/pgSQL, or it would be taken apart.
create function delivery_keys(
  o uuid, message_ids uuid[], recipients text[], codes text[] default '{}', descriptions text[] default '{}'
) returns table (organisation_id uuid, message_id uuid, recipient text, code text, description text, n integer)
rows 1 stable language plpgsql as $$
begin
  return query
  select o, given.message_id, given.recipient, given.code, given.description, given.n::integer
  from unnest(message_ids, recipients, codes, descriptions) with ordinality
    as given (message_id, recipient, code, description, n);
end $$;
