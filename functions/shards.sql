-- Runs a query on every shard of a table on one node of a cluster, the node that would hold `o`: one query per node instead
-- of one per shard, and an unreachable node fails alone. In `query` the table is called %s.
create function ask_shards(o uuid, of_table text, query text) returns setof json language plpgsql as $$
declare
  here int := (select l.groupid from pg_dist_local_group l);
  there int := (
    select p.groupid from pg_dist_placement p
    where p.shardid = get_shard_id_for_distribution_column(of_table::regclass, o)
  );
  -- Citus executes functions on the coordinator until the metadata of a node whose address was changed is synced.
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
  select run.success, run.result into answer
  from pg_dist_node n
  cross join master_run_on_worker(
    array[n.nodename], array[n.nodeport], array['select json_agg(row) from (' || question || ') answers'], true
  ) run
  where n.groupid = there and n.noderole = 'primary';
  if not answer.success then
    raise exception '%', answer.result
      using errcode = case when answer.result like 'failed to connect%' then '08006' else 'XX000' end;
  end if;
  return query select each from json_array_elements(nullif(answer.result, '')::json) as each;
end $$;
