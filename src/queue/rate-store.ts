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

/**
 * Returns `unused` tokens to the bucket, and takes at least `needed` and up to `most` from it if it has one. More than it has
 * leaves a debt, for which later calls wait. Returns how many were granted, and how many are left.
 */
export async function takeWithDebt(
  db: Db,
  queue: string,
  rate_per_s: number,
  { unused, needed, most }: { unused: number; needed: number; most: number },
): Promise<{ granted: number; left: number }> {
  const [row] = await db<{ granted: number; left: number }[]>`
    with bucket as (
      select least(
        ${Math.max(1, rate_per_s)}::float8,
        tokens + ${unused}::float8 + ${rate_per_s}::float8 * extract(epoch from clock_timestamp() - refilled)
      ) as tokens
      from queue_rates where queue = ${queue}
      for update
    ),
    taken as (
      select tokens,
        case when tokens >= 1 then greatest(${needed}::float8, least(${most}::float8, floor(tokens))) else 0 end as granted
      from bucket
    )
    update queue_rates set tokens = taken.tokens - granted, refilled = clock_timestamp()
    from taken
    where queue = ${queue}
    returning granted, queue_rates.tokens as left`
  return row ?? { granted: 0, left: 0 }
}
