-- Asks every piece of a table that lies on one node of a cluster, the node that `o` would lie on: one question for a node
-- instead of one for each piece, and a node that is away fails alone. In `query` the table is called %s.
create function ask_shards(o uuid, of_table text, query text) returns setof json language plpgsql as $$
declare
  here int := (select l.groupid from pg_dist_local_group l);
  there int := (
    select p.groupid from pg_dist_placement p
    where p.shardid = get_shard_id_for_distribution_column(of_table::regclass, o)
  );
  -- Citus carries functions out on the coordinator while a node is not in step again after its address was changed.
  is_elsewhere boolean := here = 0 and there <> 0;
  question text := (
    select string_agg(
      'select to_json(one) as row from ('
        || replace(query, '%s', shard_name(of_table::regclass, s.shardid)) || ') one', ' union all '
    )
    from pg_dist_shard s
    join pg_dist_placement p on p.shardid = s.shardid
    where s.logicalrelid = of_table::regclass and p.groupid = case when is_elsewhere then there else here end
  );
  answer record;
begin
  if question is null then
    return;
  end if;
  if not is_elsewhere then
    return query execute question;
    return;
  end if;
  select told.success, told.result into answer
  from pg_dist_node n
  cross join master_run_on_worker(
    array[n.nodename], array[n.nodeport], array['select json_agg(row) from (' || question || ') answers'], true
  ) told
  where n.groupid = there and n.noderole = 'primary';
  if not answer.success then
    raise exception '%', answer.result
      using errcode = case when answer.result like 'failed to connect%' then '08006' else 'XX000' end;
  end if;
  return query select each from json_array_elements(nullif(answer.result, '')::json) as each;
end $$;
