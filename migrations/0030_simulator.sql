-- The simulator's reports wait as one job for each batch it was handed, with the carrier's ids of the messages in the
-- job itself. What was waiting message by message is put the same way.
update jobs set subject_key = subject_id || '-' || subject_key where starts_with(queue, 'simulator:');
-- A batch is gone again soon: compressing it would take longer than writing it.
alter table jobs alter column subject_key set storage external;

-- Old messages are found by their ids, which begin with a time, so that no message has to be entered in a third index.
drop index sandbox_messages_by_age;
