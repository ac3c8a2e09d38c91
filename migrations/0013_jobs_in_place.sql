-- A claim marks its jobs in a column no index knows, and pages keep room for it: the row is then updated in its place,
-- without a new entry in either index. A queue moves its whole content through the table many times a day, so what is
-- dead is cleared early.
alter table jobs
  add leased_until timestamptz,
  set (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000,
    autovacuum_analyze_scale_factor = 0.2);

update jobs set leased_until = run_at where in_hand;
