-- `delivered`, for deliveries of one organisation: it gives no money back and ends nobody's OTP, so all there is to do is
-- the state and what is told about it, for those that moved. The rows must come without repetition and in the order they
-- are locked in everywhere. Gives the places of those that moved, and what store_events gives.
create function settle_delivered(
  o uuid, moment timestamptz, message_ids uuid[], recipients text[], codes text[], descriptions text[],
  event_ids uuid[], urls text[], lanes uuid[], bodies text[], in_hands boolean[], lease_s integer,
  out moved integer[], out waiting integer, out burst_lanes uuid[], out burst_ids bigint[]
) language plpgsql as $$
declare
  told record;
begin
  with delivery as (
    update deliveries
    set status = 'delivered', code = given.code, description = given.description, sealed_text = null,
      updated_datetime = moment
    from unnest(message_ids, recipients, codes, descriptions) with ordinality
      as given (message_id, recipient, code, description, n)
    where organisation_id = o and deliveries.message_id = given.message_id and deliveries.recipient = given.recipient
      and deliveries.status in ('queued', 'sent', 'expired', 'unknown')
    returning n
  )
  select array_agg(n) from delivery into moved;
  waiting := 0;
  if moved is null or cardinality(event_ids) = 0 then
    return;
  end if;
  select * from store_events(
    o, event_ids, array_fill('text.delivered'::text, array[cardinality(message_ids)]), urls, lanes, message_ids, bodies,
    in_hands, case when cardinality(moved) < cardinality(message_ids) then moved end, lease_s
  ) into told;
  waiting := told.waiting;
  burst_lanes := told.burst_lanes;
  burst_ids := told.burst_ids;
end $$;
