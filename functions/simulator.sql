-- Shows messages of one organisation on the sandbox handsets, and enqueues the reports on them: both or neither. A message
-- that is submitted twice is shown once. Reports that are due together are one job, with the carrier's message ids
-- separated by line breaks: a job per report would cost as much as showing the message.
--
-- The insert selects from a table that is colocated with its target; see record_intake.
create function show_messages(
  o uuid, of_queue text, message_ids uuid[], recipients text[], ids uuid[], sender_ids text[], channels text[],
  texts text[], batch_ids uuid[], batch_delays_ms integer[], batch_messages text[]
) returns void language plpgsql as $$
declare
  due timestamptz;
begin
  if cardinality(message_ids) > 0 then
    insert into sandbox_messages (organisation_id, message_id, recipient, id, sender_id, channel, text)
    select own.organisation_id, message_id, recipient, given.id, sender_id, channel, text
    from balances own
    cross join unnest(message_ids, recipients, ids, sender_ids, channels, texts)
      as given (message_id, recipient, id, sender_id, channel, text)
    where own.organisation_id = o
    on conflict (organisation_id, message_id, recipient) do nothing;
  end if;
  for n in 1 .. cardinality(batch_ids) loop
    due := now() + batch_delays_ms[n] * interval '1 ms';
    insert into jobs (queue, lane, organisation_id, subject_id, subject_key, run_at)
    values (of_queue, o, o, batch_ids[n], batch_messages[n], due);
  end loop;
end $$;
