import type { Db } from '../db/connect.ts'

/** Creates the token bucket of a queue, filled with one second's worth. */
export async function openBucket(db: Db, queue: string, rate_per_s: number): Promise<void> {
  await db`insert into queue_rates (queue, tokens) values (${queue}, ${rate_per_s}) on conflict (queue) do nothing`
}

/**
 * Takes up to `wanted` tokens from the queue's bucket, which all processes share. Its size is one second's worth, but at
 * least one token, so that rates below one per second work.
 */
export async function takeTokens(db: Db, queue: string, rate_per_s: number, wanted: number): Promise<number> {
  const [row] = await db<{ granted: number }[]>`
    with bucket as (
      select least(
        ${Math.max(1, rate_per_s)}::float8,
        tokens + ${rate_per_s}::float8 * extract(epoch from clock_timestamp() - refilled)
      ) as tokens
      from queue_rates where queue = ${queue}
      for update
    )
    update queue_rates
    set tokens = bucket.tokens - least(floor(bucket.tokens), ${wanted}::float8), refilled = clock_timestamp()
    from bucket
    where queue = ${queue}
    returning least(floor(bucket.tokens), ${wanted}::float8)::integer as granted`
  return Math.max(0, row?.granted ?? 0)
}

/** Returns tokens that were not used. */
export async function returnTokens(db: Db, queue: string, tokens: number): Promise<void> {
  await db`update queue_rates set tokens = tokens + ${tokens}::float8 where queue = ${queue}`
}
