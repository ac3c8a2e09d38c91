-- Stores events as callbacks: for the callback URL of the request (`urls`, null if there is none), and for each enabled
-- webhook whose filter matches. `os` has the organisation of each event; `o` is null, or on a cluster the only organisation.
-- `places`: positions of the events to store; null: all. An event without an id is skipped. `for_webhooks` is false if the
-- caller knows that there are no webhooks.
--
-- Callbacks of requests may be posted by the calling process itself (`are_leased`): all of a lane then share one job, their
-- batch, leased for `lease_s`. Every other callback gets a job of its own; a webhook is its own lane. If the caller dies,
-- the lease of the batch expires and requeue_burst enqueues the rest of it.
--
-- The callback of a request over SMPP is an account (`smpp:…`) instead of a URL, and has no lane: its events wait in the
-- outbox until the account has a receiver.
--
-- Returns the number of posts, how many of them are queued, and the batches by lane.
create function store_events(
  o uuid, os uuid[], ids uuid[], types text[], urls text[], lanes uuid[], subject_ids uuid[], bodies text[],
  are_leased boolean[], places integer[], lease_s integer, for_webhooks boolean default true,
  out posts integer, out waiting integer, out burst_lanes uuid[], out burst_ids bigint[]
) language plpgsql as $$
declare
  moment constant timestamptz := now();
  stored integer;
  copies record;
begin
  waiting := 0;
  if true = any (are_leased) then
    with burst as (
      insert into jobs (queue, lane, organisation_id, subject_id, subject_key, attempts, leased, leased_until)
      select 'callback bursts', lane, organisation, sorted[1], sorted[cardinality(sorted)], 1, true,
        moment + lease_s * interval '1 s'
      from (
        select organisation, lane, array_agg(id order by id) as sorted
        from unnest(os, ids, lanes, are_leased) with ordinality as event (organisation, id, lane, leased, n)
        where lane is not null and leased and (places is null or n = any (places))
        group by organisation, lane
      ) held
      returning id, lane
    )
    select array_agg(lane), array_agg(id) from burst into burst_lanes, burst_ids;
  end if;

  insert into callbacks (organisation_id, id, type, url, body, subject_id, burst_id)
  select organisation, id, type, url, body, subject_id,
    case when leased then burst_ids[array_position(burst_lanes, lane)] end
  from unnest(os, ids, types, urls, lanes, subject_ids, bodies, are_leased) with ordinality
    as event (organisation, id, type, url, lane, subject_id, body, leased, n)
  where lane is not null and (places is null or n = any (places));
  get diagnostics posts = row_count;

  if posts > 0 and (cardinality(are_leased) = 0 or false = any (are_leased)) then
    insert into jobs (queue, lane, organisation_id, subject_id)
    select 'callbacks', lane, organisation, id
    from unnest(os, ids, lanes, are_leased) with ordinality as event (organisation, id, lane, leased, n)
    where lane is not null and leased is not true and (places is null or n = any (places));
    get diagnostics waiting = row_count;
  end if;

  if posts < cardinality(urls) then
    insert into smpp_outbox (organisation_id, id, account_id, address, body)
    select organisation, id, split_part(url, ':', 2)::uuid, url, body
    from unnest(os, ids, urls, lanes, bodies) with ordinality as event (organisation, id, url, lane, body, n)
    where url is not null and lane is null and (places is null or n = any (places));
    get diagnostics stored = row_count;
    posts := posts + stored;
    waiting := waiting + stored;
  end if;

  if not for_webhooks then
    return;
  end if;
  -- Webhooks are read once, so that callbacks and jobs match even if one is added or deleted concurrently.
  select array_agg(organisation_id) as os, array_agg(copy_id(event.id, webhook.id)) as ids, array_agg(type) as types,
    array_agg(webhook.url) as urls, array_agg(body) as bodies, array_agg(subject_id) as subject_ids,
    array_agg(webhook.id) as webhook_ids, array_agg(event.id) as event_ids
  from unnest(os, ids, types, subject_ids, bodies) with ordinality
    as event (organisation, id, type, subject_id, body, n)
  join webhooks webhook on organisation_id = organisation and (o is null or organisation_id = o) and enabled
    and events && array['*', type, split_part(type, '.', 1) || '.*']
  where event.id is not null and (places is null or n = any (places))
  into copies;
  if copies.ids is not null then
    insert into callbacks (organisation_id, id, type, url, body, subject_id, webhook_id, event_id)
    select copy.*
    from unnest(
      copies.os, copies.ids, copies.types, copies.urls, copies.bodies, copies.subject_ids, copies.webhook_ids,
      copies.event_ids
    ) as copy;
    get diagnostics stored = row_count;
    insert into jobs (queue, lane, organisation_id, subject_id)
    select 'callbacks', webhook_id, organisation, id
    from unnest(copies.os, copies.ids, copies.webhook_ids) as copy (organisation, id, webhook_id);
    posts := posts + stored;
    waiting := waiting + stored;
  end if;
end $$;

-- The id of an event's copy for a webhook: the time and sequence of the event's id, then 60 bits of a hash of both. So it
-- sorts like the event, and can be computed from it.
create function copy_id(event_id uuid, webhook_id uuid) returns uuid language sql immutable as $$
  select overlay(
    overlay(md5(event_id::text || webhook_id::text) placing left(replace(event_id::text, '-', ''), 16) from 1)
    placing 'a' from 17
  )::uuid
$$;

-- Enqueues the pending callbacks of a batch, each with a job of its own, and deletes the job of the batch: its process has
-- died or releases it. A second call finds no batch. Returns the number of enqueued callbacks.
create function requeue_burst(o uuid, burst bigint) returns integer language plpgsql as $$
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

-- Records attempts of callbacks. The last attempt of a callback is stored in its row; one that will be retried
-- (`retries_ms`) is logged, and the callback is requeued: with its job, or, if it came with a batch (`came_with`), with a
-- new one. The callbacks of a scattered batch have jobs already, so only an existing batch gets new ones. `bursts_over`:
-- batches whose callbacks are all recorded by this call.
--
-- `os` has the organisation of each callback, in ascending order; `o` is null, or on a cluster the only organisation. A call
-- for several organisations fails if it has to wait for a lock, so that none delays the others; the caller repeats it for
-- each.
--
-- `urls`: where it was posted, if that may differ from the stored URL. `made`: the number of earlier attempts that the
-- callback must have, so that an attempt whose first recording was not acknowledged is not recorded twice. `waited_ms`: how
-- long ago the attempt ended. Arrays may be empty if all values are null.
--
-- A callback is stopped instead of retried if its webhook was deleted; a deletion in progress is waited for, so that no job
-- is added after its queue was cleared. Returns the webhooks that are disabled by their answers: those that answered 410,
-- and those that have failed for `disable_after_days` without a success and have now exhausted the retries of an event.
create function record_attempts(
  o uuid, os uuid[], ids uuid[], job_ids bigint[], came_with bigint[], lanes uuid[], webhook_ids uuid[], urls text[],
  statuses text[], made smallint[], retries_ms integer[], waited_ms integer[], status_codes integer[], reasons text[],
  excerpts text[], durations_ms integer[], bursts_over bigint[], disable_after_days integer
) returns table (owner uuid, disabled uuid, because text) language plpgsql as $$
declare
  moment constant timestamptz := now();
  retried boolean := cardinality(retries_ms) > 0;
  known uuid[];
  bursts bigint[];
  recorded integer[];
  are_recorded boolean;
  pending uuid[] := '{}';
  jobs_over bigint[] := bursts_over;
begin
  if os[1] <> os[cardinality(os)] then
    perform set_config('lock_timeout', '100ms', true);
  end if;
  if retried then
    if cardinality(webhook_ids) > 0 then
      select array_agg(id) from (
        select id from webhooks
        where organisation_id = any (os) and (o is null or organisation_id = o) and id = any (array(
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
      where (o is null or organisation_id = o) and id = any (array(
        select burst_id from unnest(came_with, retries_ms) as tried (burst_id, retry_ms) where retry_ms is not null
      ))
      order by id
      for update
    ) burst into bursts;
  end if;

  with attempted as (
    update callbacks
    set status = attempt.status, url = coalesce(attempt.url, callbacks.url), attempts = attempts + 1,
      updated_datetime = attempt.over_at, burst_id = case when attempt.next_at is null then burst_id end,
      last_status_code = attempt.status_code, last_reason = attempt.reason, last_excerpt = attempt.excerpt,
      last_duration_ms = attempt.duration_ms, next_attempt_datetime = attempt.next_at
    from attempt_rows(
      os, ids, moment, urls, statuses, made, retries_ms, waited_ms, status_codes, reasons, excerpts, durations_ms
    ) attempt
    where callbacks.organisation_id = attempt.organisation_id and (o is null or callbacks.organisation_id = o)
      and callbacks.id = attempt.id and callbacks.status = 'pending'
      and callbacks.attempts = coalesce(attempt.made_before, callbacks.attempts)
    returning attempt.n
  )
  select coalesce(array_agg(n), '{}') from attempted into recorded;
  are_recorded := cardinality(recorded) = cardinality(ids);

  if cardinality(job_ids) > 0 then
    -- The job ends when its callback has ended, by whatever process.
    if not are_recorded then
      select coalesce(array_agg(attempt.id), '{}')
      from attempt_rows(os, ids) attempt
      join callbacks on callbacks.organisation_id = attempt.organisation_id and callbacks.id = attempt.id
      where (o is null or callbacks.organisation_id = o) and callbacks.status = 'pending'
      into pending;
    end if;
    jobs_over := jobs_over || array(
      select job_id from unnest(ids, job_ids, retries_ms) as tried (id, job_id, retry_ms)
      where job_id is not null and retry_ms is null and id <> all (pending)
    );
  end if;

  if retried then
    insert into callback_attempts
      (organisation_id, callback_id, attempt, status_code, reason, excerpt, duration_ms, created_datetime)
    select organisation, id, tried.made + 1, status_code, reason, excerpt, duration_ms,
      moment - (duration_ms + coalesce(waited, 0)) * interval '1 ms'
    from unnest(os, ids, made, retries_ms, waited_ms, status_codes, reasons, excerpts, durations_ms) with ordinality
      as tried (organisation, id, made, retry_ms, waited, status_code, reason, excerpt, duration_ms, n)
    where retry_ms is not null and n = any (recorded);

    insert into jobs (queue, lane, organisation_id, subject_id, attempts, run_at)
    select 'callbacks', lane, organisation, id, 1,
      moment + greatest(0, retry_ms - coalesce(waited, 0)) * interval '1 ms'
    from unnest(os, ids, came_with, lanes, retries_ms, waited_ms) with ordinality
      as tried (organisation, id, burst_id, lane, retry_ms, waited, n)
    where retry_ms is not null and burst_id = any (bursts) and n = any (recorded);

    update jobs set run_at = tried.due, leased = false
    from (
      select job_id, to_timestamp(extract(epoch from moment) + greatest(0, retry_ms - coalesce(waited, 0)) / 1000.0) as due
      from unnest(job_ids, retries_ms, waited_ms) with ordinality as given (job_id, retry_ms, waited, n)
      where retry_ms is not null and n = any (recorded)
    ) tried
    where (o is null or jobs.organisation_id = o) and jobs.id = any (array[job_id]);
  end if;

  if cardinality(jobs_over) > 0 then
    delete from jobs where (o is null or organisation_id = o) and id = any (jobs_over);
  end if;

  if cardinality(webhook_ids) > 0 then
    return query
    with seen as (
      select callbacks.organisation_id as organisation, webhook_id, bool_or(callbacks.status = 'delivered') as ok,
        bool_or(callbacks.status = 'stopped') as gone, bool_or(callbacks.status = 'failed') as given_up
      from attempt_rows(os, ids) attempt
      join callbacks on callbacks.organisation_id = attempt.organisation_id and callbacks.id = attempt.id
      where (o is null or callbacks.organisation_id = o) and (are_recorded or attempt.n = any (recorded))
        and webhook_id is not null and (type <> 'webhook.test' or callbacks.status = 'delivered')
      group by callbacks.organisation_id, webhook_id
    ),
    judged as (
      select organisation, webhook_id, ok, case
        when ok then null
        when gone then 'The endpoint answered 410: it wants no more events.'
        when given_up and failing_since < moment - disable_after_days * interval '1 day' then
          'The endpoint has failed since ' || to_char(failing_since at time zone 'utc', 'YYYY-MM-DD HH24:MI') || ' UTC.'
        end as verdict
      from seen join webhooks on organisation_id = organisation and (o is null or organisation_id = o)
        and webhooks.id = webhook_id
    ),
    health as (
      update webhooks
      set failing_since = case when not ok then coalesce(failing_since, moment) end,
        enabled = enabled and verdict is null,
        disabled_reason = case when enabled then verdict else disabled_reason end,
        updated_datetime = case when enabled and verdict is not null then moment else updated_datetime end
      from judged
      where organisation_id = organisation and (o is null or organisation_id = o) and webhooks.id = webhook_id
        and ((failing_since is null) <> ok or (verdict is not null and enabled))
      returning organisation_id, webhooks.id, disabled_reason, verdict
    )
    select organisation_id, id, disabled_reason from health where verdict is not null and disabled_reason = verdict;
  end if;
end $$;

-- Attempts as rows, by the keys of their callbacks; declared like delivery_keys, for the same reason. `next_at` and the last
-- four columns are those of the callback's row: an attempt that is retried is logged instead.
create function attempt_rows(
  os uuid[], ids uuid[], moment timestamptz default null, urls text[] default '{}', statuses text[] default '{}',
  made smallint[] default '{}', retries_ms integer[] default '{}', waited_ms integer[] default '{}',
  status_codes integer[] default '{}', reasons text[] default '{}', excerpts text[] default '{}',
  durations_ms integer[] default '{}'
) returns table (
  organisation_id uuid, id uuid, url text, status text, made_before smallint, over_at timestamptz, next_at timestamptz,
  status_code integer, reason text, excerpt text, duration_ms integer, n integer
) rows 1 stable language plpgsql as $$
begin
  return query
  select given.o, given.id, given.url, given.status, given.made, moment - coalesce(given.waited_ms, 0) * interval '1 ms',
    case when not is_last then moment + greatest(0, given.retry_ms - coalesce(given.waited_ms, 0)) * interval '1 ms' end,
    case when is_last then given.status_code end, case when is_last then given.reason end,
    case when is_last then given.excerpt end, case when is_last then given.duration_ms end, given.n::integer
  from unnest(os, ids, urls, statuses, made, retries_ms, waited_ms, status_codes, reasons, excerpts, durations_ms)
    with ordinality
    as given (o, id, url, status, made, retry_ms, waited_ms, status_code, reason, excerpt, duration_ms, n)
  cross join lateral (select given.retry_ms is null) as given_last (is_last)
  order by given.o, given.id;
end $$;
