import type { Tx } from '../connect.ts'
import { DISTRIBUTED } from './tables.ts'

/**
 * They insert what they read from another table of the organisation. Citus carries that out in one piece, but does not see
 * whose it is, and so not inside a function that is held to one organisation.
 */
const NOT_HELD = ['record_intake', 'add_analytics', 'show_messages']

/**
 * A function of one organisation is carried out whole on the node that has the organisation, and commits there. Also
 * inside a transaction (`force_delegation`): it touches nothing of anybody else.
 */
export async function distributeFunctions(tx: Tx): Promise<void> {
  const missing = await tx<{ signature: string; held: boolean }[]>`
    select oid::regprocedure::text as signature, proname <> all (${NOT_HELD}::text[]) as held
    from pg_proc
    join function_files on oid::regprocedure::text = any (made)
    where proargnames[1] = 'o' and proargtypes[0] = 'uuid'::regtype
      and not exists (
        select from pg_dist_object
        where classid = 'pg_proc'::regclass and objid = pg_proc.oid and distribution_argument_index is not null
      )
    order by 1`
  for (const { signature, held } of missing) {
    await tx`
      select create_distributed_function(
        ${signature}::regprocedure, 'o', colocate_with => ${DISTRIBUTED[0]}, force_delegation => ${held}
      )`
  }
}
