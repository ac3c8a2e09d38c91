import type { Tx } from '../connect.ts'
import { DISTRIBUTED } from './tables.ts'

/**
 * These insert rows selected from another table of the organisation. Citus executes that as one statement, but does not
 * recognise the organisation, and so rejects it in a function with `force_delegation`.
 */
const NOT_FORCED = ['record_intake', 'add_analytics', 'show_messages']

/**
 * Delegates functions of one organisation to its node, where they run and commit; with `force_delegation` also inside a
 * transaction, because they touch no other organisation.
 */
export async function distributeFunctions(tx: Tx): Promise<void> {
  const missing = await tx<{ signature: string; forced: boolean }[]>`
    select oid::regprocedure::text as signature, proname <> all (${NOT_FORCED}::text[]) as forced
    from pg_proc
    join function_files on oid::regprocedure::text = any (made)
    where proargnames[1] = 'o' and proargtypes[0] = 'uuid'::regtype
      and not exists (
        select from pg_dist_object
        where classid = 'pg_proc'::regclass and objid = pg_proc.oid and distribution_argument_index is not null
      )
    order by 1`
  for (const { signature, forced } of missing) {
    await tx`
      select create_distributed_function(
        ${signature}::regprocedure, 'o', colocate_with => ${DISTRIBUTED[0]}, force_delegation => ${forced}
      )`
  }
}
