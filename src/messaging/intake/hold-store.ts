import type { Tx } from '../../db/connect.ts'

/** Holds the rows of organisations until `releaseHeldRows`: those of a copy, on which no process works. */
export async function holdRows(tx: Tx, organisation_ids: readonly string[]): Promise<void> {
  await tx`
    update intake set leased_until = 'infinity' where organisation_id = any (${organisation_ids}::uuid[])`
}

/**
 * Takes the rows of organisations from the processes that have them, as a claim does, so that no process submits more of
 * them. A row is held once the outcomes of all that was submitted are recorded; until then the lease stays, and when it
 * expires another process resolves what was in flight.
 */
export async function takeRows(tx: Tx, organisation_ids: readonly string[]): Promise<void> {
  await tx`
    update intake
    set claims = least(claims + 1, 32767),
      leased_until = case
        when submitted = 0 or submitted = (
          select count(*) from deliveries_in(messages) given
          where given.n <= submitted and (
            select true from deliveries known
            where known.organisation_id = intake.organisation_id and known.message_id = given.message_id
              and known.recipient = given.recipient
          )
        ) then 'infinity'
        else leased_until
      end
    where organisation_id = any (${organisation_ids}::uuid[]) and (leased_until = 'infinity') is not true`
}

export async function releaseHeldRows(tx: Tx, organisation_ids: readonly string[]): Promise<void> {
  await tx`
    update intake set leased_until = null
    where organisation_id = any (${organisation_ids}::uuid[]) and leased_until = 'infinity'`
}

export async function countUnheldRows(tx: Tx, organisation_ids: readonly string[]): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from intake
    where organisation_id = any (${organisation_ids}::uuid[]) and (leased_until = 'infinity') is not true`
  return row?.count ?? 0
}
