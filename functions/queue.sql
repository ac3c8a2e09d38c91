-- Claims due jobs of one organisation from a queue, up to `budget`: lower priority numbers first, its lanes in round robin
-- after the one served last (`after`), each in order of time, at most `per_lane` of each. This is the claim of a cluster; on
-- one server a single statement claims for all organisations (src/queue/store.ts). Without `per_lane`, fewer jobs than the
-- budget means that no others are due.
create function claim_jobs(
  o uuid, of_queue text, budget integer, lease_s double precision, per_lane integer, except_lanes uuid[], after uuid
) returns table (
  id bigint, lane uuid, attempts smallint, interrupted boolean, subject_id uuid, subject_key text, run_at timestamptz
) language plpgsql as $$
declare
  priorities smallint[] := '{}';
  lanes uuid[] := '{}';
  next_lane record;
  at_priority smallint := -1;
  at_lane uuid := '00000000-0000-0000-0000-000000000000';
  share integer;
  left_over integer := budget;
  nth integer;
  left_before integer;
  has_more boolean := true;
  job record;
  of_priority smallint;
  of_lane uuid;
begin
  -- A loose index scan: a lane with a million jobs costs no more than a lane with one.
  while cardinality(lanes) < 1000 loop
    select j.priority, j.lane from jobs j
    where j.organisation_id = o and j.queue = of_queue and (j.priority, j.lane) > (at_priority, at_lane)
    order by j.priority, j.lane limit 1
    into next_lane;
    exit when not found;
    at_priority := next_lane.priority;
    at_lane := next_lane.lane;
    if at_lane <> all (except_lanes) then
      priorities := priorities || at_priority;
      lanes := lanes || at_lane;
    end if;
  end loop;
  share := coalesce(per_lane, greatest(1, budget / greatest(1, cardinality(lanes))));

  while has_more and left_over > 0 loop
    has_more := false;
    for nth in
      select n from unnest(priorities, lanes) with ordinality as found (priority, its_lane, n)
      order by priority, its_lane <= after, its_lane
    loop
      exit when left_over <= 0;
      left_before := left_over;
      of_priority := priorities[nth];
      of_lane := lanes[nth];
      for job in
        select j.id, j.leased from jobs j
        where j.organisation_id = o and j.queue = of_queue and j.priority = of_priority and j.lane = of_lane
          and j.run_at <= now() and (not j.leased or j.leased_until is null or j.leased_until <= now())
        order by j.run_at
        limit least(share, left_over)
        for update skip locked
      loop
        update jobs j
        set leased_until = now() + lease_s * interval '1 s', attempts = least(j.attempts + 1, 32767), leased = true
        where j.organisation_id = o and j.id = job.id
        returning j.id, j.lane, j.attempts, j.subject_id, j.subject_key, j.run_at
        into id, lane, attempts, subject_id, subject_key, run_at;
        interrupted := job.leased;
        left_over := left_over - 1;
        return next;
      end loop;
      has_more := has_more or (per_lane is null and left_before - left_over = share);
    end loop;
  end loop;
end $$;
