-- Asks every piece of a table that lies on one node of a cluster, the node that `o` would lie on: one question for a node
-- instead of one for each piece, and a node that is away fails alone. In `query` the table is called %s.
create function ask_shards(o uuid, of_table text, query text) returns setof json language plpgsql as $$
declare
  piece text;
begin
  for piece in
    select shard_name(of_table::regclass, s.shardid)
    from pg_dist_shard s
    join pg_dist_placement p on p.shardid = s.shardid
    where s.logicalrelid = of_table::regclass and p.groupid = (select l.groupid from pg_dist_local_group l)
  loop
    return query execute 'select to_json(one) from (' || replace(query, '%s', piece) || ') one';
  end loop;
end $$;
