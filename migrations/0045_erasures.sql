-- What was erased of people: the receipt of each erasure, and how far one has come that is under way. The number is
-- sealed in it until it has ended; then only its keyed hash is left, which is also what stands in its place elsewhere.
create table erasures (
  organisation_id uuid not null,
  id uuid not null,
  number_hash text not null,
  sealed_number bytea,
  asked_by text not null check (length(asked_by) between 1 and 300),
  -- Also what all organisations share: for the operator, and where there is only one.
  everywhere boolean not null default false,
  status text not null default 'running' check (status in ('running', 'done')),
  -- Tables are walked one after the other, again and again until nothing is found: the round, the table, the key in it
  -- behind which it goes on; and how many rows this round has found, and had to leave for the next.
  round integer not null default 1,
  at_table text not null default '',
  place jsonb,
  found_now integer not null default 0,
  left_now integer not null default 0,
  -- Rows by table, over all rounds; and the tables with rows that somebody has in hand.
  found jsonb not null default '{}',
  waits_for text[] not null default '{}',
  created_datetime timestamptz not null default now(),
  ended_datetime timestamptz,
  primary key (organisation_id, id),
  check ((status = 'running') = (sealed_number is not null)),
  check ((status = 'done') = (ended_datetime is not null))
);

-- One at a time for each number: who asks again meanwhile is told of the one that runs.
create unique index erasures_running on erasures (organisation_id, number_hash) where status = 'running';

-- Lines of the ledger stay as they are, but for whom they name: a refund carries the number of the delivery it is for,
-- and a note what somebody wrote. Where the tables lie on a cluster there are no triggers.
create function ledger_line_keeps_its_money() returns trigger language plpgsql as $$
begin
  if (new.organisation_id, new.sequence, new.kind, new.amount, new.balance_after, new.subject_id, new.created_datetime,
      new.subjects, new.last_subject_id)
    is distinct from (old.organisation_id, old.sequence, old.kind, old.amount, old.balance_after, old.subject_id,
      old.created_datetime, old.subjects, old.last_subject_id)
    or (new.subject_key <> old.subject_key and new.subject_key not like 'erased-%')
    or (new.note is distinct from old.note and position('erased-' in coalesce(new.note, '')) = 0)
  then
    raise exception 'ledger lines are never changed or removed';
  end if;
  return new;
end $$;

do $$
begin
  if exists (select from pg_trigger where tgname = 'ledger_lines_stay' and tgrelid = 'ledger_lines'::regclass) then
    drop trigger ledger_lines_stay on ledger_lines;
    create trigger ledger_lines_stay before delete or truncate on ledger_lines
      for each statement execute function ledger_is_append_only();
    create trigger ledger_lines_keep_their_money before update on ledger_lines
      for each row execute function ledger_line_keeps_its_money();
  end if;
end $$;
