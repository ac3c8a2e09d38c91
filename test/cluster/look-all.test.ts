import { expect, test } from 'vitest'
import { transaction } from '../../src/db/transaction.ts'
import { findDue } from '../../src/queue/due-store.ts'
import { enqueue } from '../../src/queue/store.ts'
import { newId } from '../../src/values/id.ts'
import { freshDatabase } from '../support/database.ts'
import { cluster } from './nodes.ts'

test.skipIf(!cluster)('an organisation with one due job is found behind one with thousands', async () => {
  const database = await freshDatabase()
  const { db } = database
  const shardOf = async (id: string) => {
    const [row] = await db<{ shard: bigint }[]>`
      select get_shard_id_for_distribution_column('jobs', ${id}::uuid) as shard`
    return String(row?.shard)
  }
  const put = (organisation_id: string, count: number) =>
    transaction(db, (tx) =>
      enqueue(
        tx,
        'callbacks',
        Array.from({ length: count }, () => ({ lane: organisation_id, organisation_id, subject_id: newId() })),
      ),
    )
  try {
    const busy = newId()
    const shard = await shardOf(busy)
    let other = newId()
    while ((await shardOf(other)) !== shard) other = newId()
    await put(busy, 3_000)
    await put(other, 1)
    const due = await findDue(db)
    expect(due.map(({ organisation_id }) => organisation_id).toSorted()).toEqual([busy, other].toSorted())
  } finally {
    await database.drop()
  }
})
