-- Stores events of an organisation for everybody who wants them: for the callback of the request (`urls`, null where
-- there is none), and for each enabled endpoint of the organisation whose filter fits. `places` are those of the events
-- that are to be stored; null: all. An event without an id is none. Who knows that there is no endpoint says so
-- (`for_webhooks`), and none is looked for.
--
-- What goes to the callback of a request may be `in_hands`, those of the caller: then all of a lane get one job together,
-- their burst, leased for `lease_s`. Everything else gets a job of its own; an endpoint is its own lane. Should the
-- caller die, the lease of the burst ends and scatter_burst puts what is left of it in line.
--
-- The callback of a request that came over SMPP is no URL but an account (`smpp:…`), and has no lane: what is told to it
-- waits in its outbox until it has a receiver.
--
-- Gives the number of posts that makes, how many of them wait in line, and the bursts by their lanes.
create function store_events(
  o uuid, ids uuid[], types text[], urls text[], lanes uuid[], subject_ids uuid[], bodies text[], in_hands boolean[],
  places integer[], lease_s integer, for_webhooks boolean default true,
  out posts integer, out waiting integer, out burst_lanes uuid[], out burst_ids bigint[]
) language plpgsql as $$
declare
  moment constant timestamptz := now();
  stored integer;
  copies record;
begin
  waiting := 0;
  if true = any (in_hands) then
    with burst as (
      insert into jobs (queue, lane, organisation_id, subject_id, subject_key, attempts, in_hand, leased_until)
      select 'callbacks in hand', lane, o, sorted[1], sorted[cardinality(sorted)], 1, true,
        moment + lease_s * interval '1 s'
      from (
        select lane, array_agg(id order by id) as sorted
        from unnest(ids, urls, lanes, in_hands) with ordinality as event (id, url, lane, in_hand, n)
        where lane is not null and in_hand and (places is null or n = any (places))
        group by lane
      ) held
      returning id, lane
    )
    select array_agg(lane), array_agg(id) from burst into burst_lanes, burst_ids;
  end if;

  insert into callbacks (organisation_id, id, type, url, body, subject_id, burst_id)
  select o, id, type, url, body, subject_id,
    case when in_hand then burst_ids[array_position(burst_lanes, lane)] end
  from unnest(ids, types, urls, lanes, subject_ids, bodies, in_hands) with ordinality
    as event (id, type, url, lane, subject_id, body, in_hand, n)
  where lane is not null and (places is null or n = any (places));
  get diagnostics posts = row_count;

  if posts > 0 and (cardinality(in_hands) = 0 or false = any (in_hands)) then
    insert into jobs (queue, lane, organisation_id, subject_id)
    select 'callbacks', lane, o, id
    from unnest(ids, urls, lanes, in_hands) with ordinality as event (id, url, lane, in_hand, n)
    where lane is not null and in_hand is not true and (places is null or n = any (places));
    get diagnostics waiting = row_count;
  end if;

  if posts < cardinality(urls) then
    insert into smpp_outbox (organisation_id, id, account_id, address, body)
    select o, id, split_part(url, ':', 2)::uuid, url, body
    from unnest(ids, urls, lanes, bodies) with ordinality as event (id, url, lane, body, n)
    where url is not null and lane is null and (places is null or n = any (places));
    get diagnostics stored = row_count;
    posts := posts + stored;
    waiting := waiting + stored;
  end if;

  if not for_webhooks then
    return;
  end if;
  -- The endpoints are read once, so that what is stored is what gets a job, though one be added or deleted meanwhile.
  select array_agg(copy_id(event.id, webhook.id)) as ids, array_agg(type) as types, array_agg(webhook.url) as urls,
    array_agg(body) as bodies, array_agg(subject_id) as subject_ids, array_agg(webhook.id) as webhook_ids,
    array_agg(event.id) as event_ids
  from webhooks webhook
  cross join unnest(ids, types, subject_ids, bodies) with ordinality as event (id, type, subject_id, body, n)
  where webhook.organisation_id = o and enabled
    and events && array['*', type, split_part(type, '.', 1) || '.*']
    and event.id is not null and (places is null or n = any (places))
  into copies;
  if copies.ids is not null then
    insert into callbacks (organisation_id, id, type, url, body, subject_id, webhook_id, event_id)
    select o, copy.*
    from unnest(
      copies.ids, copies.types, copies.urls, copies.bodies, copies.subject_ids, copies.webhook_ids, copies.event_ids
    ) as copy;
    get diagnostics stored = row_count;
    insert into jobs (queue, lane, organisation_id, subject_id)
    select 'callbacks', webhook_id, o, id from unnest(copies.ids, copies.webhook_ids) as copy (id, webhook_id);
    posts := posts + stored;
    waiting := waiting + stored;
  end if;
end $$;

-- The id of an event's copy for an endpoint: the event's time and order, then 60 bits that only this copy has. So it is
-- as old as the event, and found from it.
create function copy_id(event_id uuid, webhook_id uuid) returns uuid language sql immutable as $$
  select overlay(
    overlay(md5(event_id::text || webhook_id::text) placing left(replace(event_id::text, '-', ''), 16) from 1)
    placing 'a' from 17
  )::uuid
$$;

-- Puts the callbacks of a burst that are still pending in line, each with a job of its own, and takes the burst away:
-- its process has died, or gives it up. Whoever comes second finds no burst. Gives how many those are.
create function scatter_burst(o uuid, burst bigint) returns integer language plpgsql as $$
declare
  held record;
  scattered integer;
begin
  delete from jobs where id = burst and organisation_id = o returning lane, subject_id, subject_key into held;
  if not found then
    return 0;
  end if;
  insert into jobs (queue, lane, organisation_id, subject_id)
  select 'callbacks', held.lane, o, id from callbacks
  where organisation_id = o and id between held.subject_id and held.subject_key::uuid
    and burst_id = burst and status = 'pending';
  get diagnostics scattered = row_count;
  return scattered;
end $$;

-- Writes tries of an organisation's callbacks down. The try that ends a callback stands in its row; one that is followed
-- by another (`retries_ms`) is logged, and the callback waits in line: with the job it has, or if it came with a burst
-- (`came_with`) with a job of its own. Once a burst was scattered its callbacks have jobs, so only a burst that is still
-- there gives another. `bursts_over` are those that nothing is left of with these.
--
-- `made` are the tries made before, where the callback must have no more: a try that goes on, or one that is written a
-- second time because the first answer was lost. `waited_ms` is how long ago a try was over. Arrays may be empty where
-- they have nothing in any row.
--
-- What would be tried again is stopped if its endpoint is gone; one that is being deleted is waited for, so that nothing
-- comes back into a line that has just been cleared. Gives the endpoints that are disabled by what they answered: those
-- that want no more, and those that failed for so many days without one success in between and have now used up all
-- tries of an event.
create function record_tries(
  o uuid, ids uuid[], job_ids bigint[], came_with bigint[], lanes uuid[], webhook_ids uuid[], urls text[],
  statuses text[], made smallint[], retries_ms integer[], waited_ms integer[], status_codes integer[], reasons text[],
  excerpts text[], durations_ms integer[], bursts_over bigint[], disable_after_days integer
) returns table (disabled uuid, because text) language plpgsql as $$
declare
  moment constant timestamptz := now();
  retried boolean := cardinality(retries_ms) > 0;
  known uuid[];
  bursts bigint[];
  told integer[] := '{}';
  told_ids uuid[];
  jobs_over bigint[] := bursts_over;
  -- What is taken out of an array is taken out before the statement: Citus cannot write such a statement down.
  its_id uuid;
  its_status text;
  its_url text;
  its_made smallint;
  over_at timestamptz;
  next_at timestamptz;
  is_last boolean;
  its_code integer;
  its_reason text;
  its_excerpt text;
  its_duration_ms integer;
begin
  if retried then
    if cardinality(webhook_ids) > 0 then
      select array_agg(id) from (
        select id from webhooks
        where organisation_id = o and id = any (array(
          select webhook_id from unnest(webhook_ids, retries_ms) as tried (webhook_id, retry_ms)
          where retry_ms is not null
        ))
        for key share
      ) endpoint into known;
      for n in 1 .. cardinality(ids) loop
        if retries_ms[n] is not null and webhook_ids[n] is not null and webhook_ids[n] <> all (coalesce(known, '{}')) then
          statuses[n] := 'stopped';
          retries_ms[n] := null;
        end if;
      end loop;
    end if;
    select array_agg(id) from (
      select id from jobs
      where organisation_id = o and id = any (array(
        select burst_id from unnest(came_with, retries_ms) as tried (burst_id, retry_ms) where retry_ms is not null
      ))
      order by id
      for update
    ) burst into bursts;
  end if;

  -- One by one, each by its key: joined with what is given, a kept plan may rather walk all callbacks of the organisation.
  for n in 1 .. cardinality(ids) loop
    its_id := ids[n];
    its_status := statuses[n];
    its_url := urls[n];
    its_made := made[n];
    over_at := moment - coalesce(waited_ms[n], 0) * interval '1 ms';
    is_last := retries_ms[n] is null;
    next_at := case when not is_last then
      moment + greatest(0, retries_ms[n] - coalesce(waited_ms[n], 0)) * interval '1 ms'
    end;
    its_code := case when is_last then status_codes[n] end;
    its_reason := case when is_last then reasons[n] end;
    its_excerpt := case when is_last then excerpts[n] end;
    its_duration_ms := case when is_last then durations_ms[n] end;
    update callbacks
    set status = its_status, url = its_url, attempts = attempts + 1, updated_datetime = over_at,
      burst_id = case when is_last then burst_id end, last_status_code = its_code, last_reason = its_reason,
      last_excerpt = its_excerpt, last_duration_ms = its_duration_ms, next_attempt_datetime = next_at
    where organisation_id = o and id = its_id and status = 'pending' and attempts = coalesce(its_made, attempts);
    if found then
      told := told || n;
    end if;
    if job_ids[n] is not null and retries_ms[n] is null then
      -- A job is over when its callback is, whoever ended that.
      perform 1 from callbacks where organisation_id = o and id = its_id and status = 'pending';
      if not found then
        jobs_over := jobs_over || job_ids[n];
      end if;
    end if;
  end loop;

  if retried then
    insert into callback_attempts
      (organisation_id, callback_id, attempt, status_code, reason, excerpt, duration_ms, created_datetime)
    select o, id, tried.made + 1, status_code, reason, excerpt, duration_ms,
      moment - (duration_ms + coalesce(waited, 0)) * interval '1 ms'
    from unnest(ids, made, retries_ms, waited_ms, status_codes, reasons, excerpts, durations_ms) with ordinality
      as tried (id, made, retry_ms, waited, status_code, reason, excerpt, duration_ms, n)
    where retry_ms is not null and n = any (told);

    insert into jobs (queue, lane, organisation_id, subject_id, attempts, run_at)
    select 'callbacks', lane, o, id, 1, moment + greatest(0, retry_ms - coalesce(waited, 0)) * interval '1 ms'
    from unnest(ids, came_with, lanes, retries_ms, waited_ms) with ordinality
      as tried (id, burst_id, lane, retry_ms, waited, n)
    where retry_ms is not null and burst_id = any (bursts) and n = any (told);

    update jobs set run_at = tried.due, in_hand = false
    from (
      select job_id, to_timestamp(extract(epoch from moment) + greatest(0, retry_ms - coalesce(waited, 0)) / 1000.0) as due
      from unnest(job_ids, retries_ms, waited_ms) with ordinality as given (job_id, retry_ms, waited, n)
      where retry_ms is not null and n = any (told)
    ) tried
    where jobs.organisation_id = o and jobs.id = any (array[job_id]);
  end if;

  if cardinality(jobs_over) > 0 then
    delete from jobs where organisation_id = o and id = any (jobs_over);
  end if;

  if cardinality(webhook_ids) > 0 then
    told_ids := array(select ids[n] from unnest(told) as n);
    return query
    with seen as (
      select webhook_id, bool_or(status = 'delivered') as ok, bool_or(status = 'stopped') as gone,
        bool_or(status = 'failed') as given_up
      from callbacks
      where organisation_id = o and id = any (told_ids) and webhook_id is not null
        and (type <> 'webhook.test' or status = 'delivered')
      group by webhook_id
    ),
    judged as (
      select webhook_id, ok, case
        when ok then null
        when gone then 'The endpoint answered 410: it wants no more events.'
        when given_up and failing_since < moment - disable_after_days * interval '1 day' then
          'The endpoint has failed since ' || to_char(failing_since at time zone 'utc', 'YYYY-MM-DD HH24:MI') || ' UTC.'
        end as verdict
      from seen join webhooks on organisation_id = o and webhooks.id = webhook_id
    ),
    health as (
      update webhooks
      set failing_since = case when not ok then coalesce(failing_since, moment) end,
        enabled = enabled and verdict is null,
        disabled_reason = case when enabled then verdict else disabled_reason end,
        updated_datetime = case when enabled and verdict is not null then moment else updated_datetime end
      from judged
      where organisation_id = o and webhooks.id = webhook_id
        and ((failing_since is null) <> ok or (verdict is not null and enabled))
      returning webhooks.id, disabled_reason, verdict
    )
    select id, disabled_reason from health where verdict is not null and disabled_reason = verdict;
  end if;
end $$;
