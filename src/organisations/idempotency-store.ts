import type { Tx } from '../db/connect.ts'

/**
 * Stores an idempotency key with its response. A concurrent second request waits for the first transaction and gets the
 * stored response. `owner` is the scope of the key.
 */
export async function noteOnce(
  tx: Tx,
  owner: string,
  record: { key: string; request_hash: Buffer; answer: string },
): Promise<{ request_hash: Buffer; answer: string } | undefined> {
  const noted = await tx`
    insert into idempotency_keys (organisation_id, key, request_hash, answer)
    values (${owner}, ${record.key}, ${record.request_hash}, ${record.answer})
    on conflict (organisation_id, key) do nothing`
  if (noted.count === 1) return undefined
  const [known] = await tx<{ request_hash: Buffer; answer: string }[]>`
    select request_hash, answer from idempotency_keys where organisation_id = ${owner} and key = ${record.key}`
  return known
}
