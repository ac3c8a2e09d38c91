-- A purchase is written twice: when it is charged and when it has ended. The second time it stays in its place if no index
-- knows what changes, and if its page has room. What waits for the operator is told by its review alone; the few that
-- were settled stay in the index.
drop index purchases_in_review;
create index purchases_in_review on purchases (organisation_id, id) where review_datetime is not null;
alter table purchases set (fillfactor = 50);
-- Likewise a one-time password: stored, and verified a little later, together with its neighbours.
alter table otps set (fillfactor = 50);
