-- Segments a SIM has sent or is about to send, and the messages it holds besides `own`.
create function phone_sim_use(
  phone uuid, of_sim smallint, own uuid[],
  out used_minute integer, out used_hour integer, out used_day integer, out in_flight integer
)
language sql stable as $$
  select
    coalesce(sum(segments) filter (where placed_datetime > now() - interval '1 minute'), 0)::integer,
    coalesce(sum(segments) filter (where placed_datetime > now() - interval '1 hour'), 0)::integer,
    coalesce(sum(segments), 0)::integer,
    -- The phone may still send a message that it has fetched and not reported on, until its validity ends.
    (count(*) filter (where not id = any(own) and (
      (state = 'offered' and offered_until > now()) or (state = 'taken' and valid_until > now())
    )))::integer
  from phone_messages
  where phone_id = phone and sim = of_sim and placed_datetime > now() - interval '1 day' and state <> 'withdrawn'
$$;
