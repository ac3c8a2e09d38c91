-- Shows messages on the sandbox handsets, and enqueues the reports on them: both or neither. A message that is submitted
-- twice is shown once. Reports of an organisation that are due together are one job, with the carrier's message ids
-- separated by line breaks: a job per report would cost as much as showing the message.
--
-- `os`, `batch_os`: the organisations of messages and jobs. See record_intake for `o`, for what several organisations must
-- observe, and why the insert selects from a table that is colocated with its target.
create function show_messages(
  o uuid, of_queue text, os uuid[], message_ids uuid[], recipients text[], ids uuid[], sender_ids text[],
  channels text[], texts text[], whatsapps text[], batch_os uuid[], batch_ids uuid[], batch_delays_ms integer[], batch_messages text[]
) returns void language plpgsql as $$
declare
  due timestamptz;
begin
  if os[1] <> os[cardinality(os)] then
    perform set_config('lock_timeout', '100ms', true);
  end if;
  if cardinality(message_ids) > 0 then
    insert into sandbox_messages (organisation_id, message_id, recipient, id, sender_id, channel, text, whatsapp)
    select own.organisation_id, message_id, recipient, given.id, sender_id, channel, text, whatsapp::jsonb
    from unnest(os, message_ids, recipients, ids, sender_ids, channels, texts, whatsapps)
      as given (organisation_id, message_id, recipient, id, sender_id, channel, text, whatsapp)
    join balances own on own.organisation_id = given.organisation_id and (o is null or own.organisation_id = o)
    on conflict (organisation_id, message_id, recipient) do nothing;
  end if;
  if o is null then
    insert into jobs (queue, lane, organisation_id, subject_id, subject_key, run_at)
    select of_queue, organisation_id, organisation_id, id, messages, now() + delay_ms * interval '1 ms'
    from unnest(batch_os, batch_ids, batch_delays_ms, batch_messages)
      as given (organisation_id, id, delay_ms, messages);
    return;
  end if;
  -- Citus would materialise the rows of the statement above before it inserts them.
  for n in 1 .. cardinality(batch_ids) loop
    due := now() + batch_delays_ms[n] * interval '1 ms';
    insert into jobs (queue, lane, organisation_id, subject_id, subject_key, run_at)
    values (of_queue, o, o, batch_ids[n], batch_messages[n], due);
  end loop;
end $$;
