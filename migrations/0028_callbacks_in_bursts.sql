-- Most callbacks are posted once, by the process that stored them, a moment later. Then the row and its update are all
-- that is written: no job of its own, and the try that ended it stands in the row. See
-- docs/decisions/0032-two-row-versions-per-callback.md.
alter table callbacks
  add column burst_id bigint,
  add column last_status_code integer,
  add column last_reason text,
  add column last_excerpt text,
  add column last_duration_ms integer;
comment on column callbacks.burst_id is 'The job it was in somebody''s hands with, together with others; while that is there and the callback pending, it has no job of its own.';
comment on column callbacks.last_duration_ms is 'How long the try took that ended it, which was over at updated_datetime; null where that is in callback_attempts, as the tries before it are, or where none ended it.';
