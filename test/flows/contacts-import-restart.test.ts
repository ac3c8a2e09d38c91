import { afterEach, expect, test } from 'vitest'
import { endImport, lockProgress, recordProgress } from '../../src/contacts/import/import-store.ts'
import { transaction } from '../../src/db/transaction.ts'
import { connect } from '../../src/db/connect.ts'
import { makeService, type Service } from '../../src/service.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { somebodyWaits } from '../support/waiting.ts'

type Import = { id: string; status: string; lines: number; created: number; rejected: number }

let service: TestService
const others: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const other of others.splice(0)) await other.stop()
  await service.close()
})

/** Another process on the same database, which can be killed. */
async function startWorkers(): Promise<Service & { die(): Promise<void> }> {
  const db = connect(service.database.address, { connections: 4 })
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const other = await makeService({ config: service.config, db, log })
  other.startWorkers()
  const stop = async (): Promise<void> => {
    await other.stop()
    await db.end({ timeout: 1 })
  }
  others.push({ stop })
  return {
    ...other,
    async die() {
      await db.end({ timeout: 0 }) // Its connections are closed at any point.
      await other.stop() // Otherwise those of its queue would claim the job again, and postpone it as failed.
    },
  }
}

const LINES = 20_000
const csv = `Name,Mobile\n${Array.from({ length: LINES }, (_, n) =>
  n % 10 === 0 ? `Bad ${n},12\n` : `Person ${n},0803${String(n).padStart(7, '0')}\n`,
).join('')}`

async function upload(): Promise<string> {
  const { body } = await service.call<Import>('POST', '/lists/contact/imports', csv, { 'content-type': 'text/csv' })
  return body.id
}
const read = async (id: string) => (await service.call<Import>('GET', `/lists/contact/imports/${id}`)).body

test('an import whose worker dies resumes behind the last stored batch: every line once', async () => {
  service = await openService({ workers: false })
  const id = await upload()
  const first = await startWorkers()
  await until('some lines', async () => (await read(id)).created > 0)
  await first.die()
  const halfway = await read(id)
  expect(halfway.created).toBeLessThan(LINES * 0.9)
  expect(halfway.status).toBe('running')
  // The lease of the dead process expires.
  await service.db`update jobs set run_at = now(), leased_until = now() where queue = 'contacts:import'`

  await startWorkers()
  const done = await until('the import to end', async () => {
    const now = await read(id)
    return now.status === 'done' && now
  })
  expect(done).toMatchObject({ created: LINES * 0.9, rejected: LINES * 0.1, lines: LINES + 1 })
  const [stored] = await service.db`
    select count(*)::integer as rows, count(distinct cells ->> '1')::integer as names
    from contact_rows where organisation_id = ${service.id}`
  expect(stored).toEqual({ rows: LINES * 0.9, names: LINES * 0.9 })
  const [rejects] = await service.db`
    select count(*)::integer as count from contact_import_rejects where organisation_id = ${service.id}`
  expect(rejects?.count).toBe(LINES * 0.1)
}, 60_000)

test('an import continues when the worker with the expired lease writes one more batch', async () => {
  service = await openService({ workers: false })
  const id = await upload()
  const first = csv.split('\n').slice(0, 1_001).join('\n').length + 1
  await transaction(service.db, async (tx) => {
    await lockProgress(tx, service.id, id)
    await startWorkers()
    await until('the next worker to wait for it', () => somebodyWaits(service.db))
    await recordProgress(tx, service.id, id, {
      bytes_done: first,
      lines_done: 1_001,
      created: 900,
      updated: 0,
      rejected: 100,
    })
  })
  const done = await until('the import to end', async () => {
    const now = await read(id)
    return now.status === 'done' && now
  })
  expect(done).toMatchObject({ created: LINES * 0.9, rejected: LINES * 0.1, lines: LINES + 1 })
}, 60_000)

test('an import that is canceled stops, and keeps the rows written so far', async () => {
  service = await openService({ workers: false })
  const id = await upload()
  await startWorkers()
  await until('some lines', async () => (await read(id)).created > 0)
  expect((await service.call('DELETE', `/lists/contact/imports/${id}`)).status).toBe(204)
  const canceled = await read(id)
  expect(canceled.status).toBe('canceled')
  await until('its job to be gone', async () => {
    const left = await service.db`select 1 from jobs where queue = 'contacts:import'`
    return left.length === 0
  })
  expect(await read(id)).toEqual(canceled)
  const again = await transaction(service.db, (tx) => endImport(tx, service.id, id, 'done', null))
  expect(again).toBe(false)
  const [stored] = await service.db`
    select count(*)::integer as rows from contact_rows where organisation_id = ${service.id}`
  expect(stored?.rows).toBe(canceled.created)
}, 60_000)
