-- One word for one thing: what a long text is sent in are its segments, as SMPP calls them. `part` was also the word for
-- the tables of a month, which PostgreSQL calls partitions.

alter table submissions rename column part to segment;
alter table submissions rename column parts to segments;

alter table inbound_parts rename to inbound_segments;
alter table inbound_segments rename column part to segment;
alter table inbound_segments rename column parts to segments;
alter table inbound_segments rename constraint inbound_parts_pkey to inbound_segments_pkey;
alter table inbound_segments rename constraint inbound_parts_check to inbound_segments_check;
alter table inbound_segments rename constraint inbound_parts_parts_check to inbound_segments_segments_check;
alter index inbound_parts_by_age rename to inbound_segments_by_age;

alter function part_bounds (text) rename to partition_bounds;
