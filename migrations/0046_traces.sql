-- The trace a message is in, where that is not the one its own id names: that of the caller, or nil where the caller said
-- that it is not sampled. Nearly always null, which takes no room in the row.
alter table messages add column trace uuid;
