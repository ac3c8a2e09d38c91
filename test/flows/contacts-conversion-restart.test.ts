import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect } from '../../src/db/connect.ts'
import { makeService } from '../../src/service.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

type Conversion = { id: string; status: string; rows: number; fits: number; unfit: number }
type Found = { rows: { id: string; columns: Record<string, string> }[]; table: { columns: { id: string }[] } }

let service: TestService
const others: { stop(): Promise<void> }[] = []
beforeEach(async () => {
  service = await openService({ workers: false })
})
afterEach(async () => {
  for (const other of others.splice(0)) await other.stop()
  await service.close()
})

/** The workers of another process on the same database, which can be killed. */
async function startWorkers(): Promise<() => Promise<void>> {
  const db = connect(service.database.address, { connections: 4 })
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const other = await makeService({ config: service.config, db, log })
  other.startWorkers()
  others.push({
    async stop() {
      await other.stop()
      await db.end({ timeout: 1 })
    },
  })
  return async () => {
    await db.end({ timeout: 0 }) // Its connections are closed at any point.
    await other.stop() // Otherwise those of its queue would claim the job again, and postpone it as failed.
  }
}

const ROWS = 12_000
const PATH = '/lists/contact/columns/Balance/conversions'

/** Rows with balances such as `1,007`, without a worker. */
async function fill(): Promise<void> {
  await service.call('POST', '/lists/contact/columns', { name: 'Balance' })
  for (let n = 0; n < ROWS; n += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, m) => ({ columns: { Balance: (n + m).toLocaleString('en') } }))
    await service.call('POST', '/lists/contact/rows/bulk', { rows })
  }
}
const begin = async () => (await service.call<Conversion>('POST', PATH, { type: 'NUMBER' })).body.id
const read = async (id: string) => (await service.call<Conversion>('GET', `/lists/contact/conversions/${id}`)).body
const query = async (body: object) => (await service.call<Found>('POST', '/lists/contact/rows/query', body)).body
const set = (id: string | undefined, Balance: string) =>
  service.call('PATCH', `/lists/contact/rows/${id}`, { columns: { Balance } })
const over = (value: string) => ({ filters: [{ name: 'Balance', operator: 'greater', value }] })

test('a conversion whose worker dies resumes; what is written meanwhile is converted, and it is undone as a whole', async () => {
  await fill()
  const oldest = await query({ filters: [{ name: 'Balance', operator: 'is_any', value: ['0', '1', '2'] }] })
  const [two, one, zero] = oldest.rows.map((row) => row.id)
  const newest = (await query({ limit: 1 })).rows[0]?.id
  const id = await begin()
  const die = await startWorkers()
  await until('some rows', async () => (await read(id)).rows > 0)
  await die()
  const halfway = await read(id)
  expect(halfway).toMatchObject({ status: 'running' })
  expect(halfway.rows).toBeLessThan(ROWS)

  // Behind and before the place it has come to: readers see texts, writers write both.
  expect((await set(two, 'two')).status).toBe(400)
  expect((await set(zero, '20,000')).status).toBe(200)
  expect((await set(newest, '30,000')).status).toBe(200)
  expect((await service.call('DELETE', `/lists/contact/rows/${one}`)).status).toBe(204)
  const added = await service.call('POST', '/lists/contact/rows', { columns: { Balance: '40,000' } })
  expect(added.status).toBe(200)
  const texts = await query({ filters: [{ name: 'Balance', operator: 'contain', value: ',000' }], limit: 1_000 })
  expect(texts.rows).toHaveLength(11 + 3)

  await service.db`update jobs set run_at = now(), leased_until = now() where queue = 'contacts:convert'`
  await startWorkers()
  const done = await until(
    'the conversion to end',
    async () => {
      const now = await read(id)
      return now.status === 'done' && now
    },
    60_000,
  )
  expect(done).toMatchObject({ rows: ROWS, fits: ROWS, unfit: 0 })
  expect((await query({ ...over('11997'), limit: 10 })).rows).toHaveLength(4)
  const [stored] = await service.db`
    select count(*)::integer as rows, count(*) filter (where r.keys ->> v.number::text = c.key)::integer as indexed,
      count(distinct c.key)::integer as keys
    from contact_rows r
    join contact_conversions v on v.organisation_id = r.organisation_id
    join contact_cells c on c.organisation_id = r.organisation_id and c.number = v.number and c.row_id = r.id
    where r.organisation_id = ${service.id}`
  expect(stored).toEqual({ rows: ROWS, indexed: ROWS, keys: ROWS })

  expect((await service.call('POST', `/lists/contact/conversions/${id}/undo`)).status).toBe(200)
  const back = await query({ filters: [{ name: 'Balance', operator: 'contain', value: ',000' }], limit: 1_000 })
  expect(back.rows).toHaveLength(11 + 3)
}, 180_000)

test('rows written while it begins and ends are all converted', async () => {
  await service.call('POST', '/lists/contact/columns', { name: 'Balance' })
  await startWorkers()
  let writing = true
  let written = 0
  const writers = Array.from({ length: 4 }, async () => {
    while (writing) {
      const { status } = await service.call('POST', '/lists/contact/rows', { columns: { Balance: '1000' } })
      if (status === 200) written += 1
    }
  })
  try {
    for (const type of ['NUMBER', 'TEXT', 'NUMBER']) {
      const { id } = (await service.call<Conversion>('POST', PATH, { type })).body
      await until('the conversion to end', async () => (await read(id)).status === 'done')
    }
  } finally {
    writing = false
    await Promise.all(writers)
  }
  expect(written).toBeGreaterThan(0)
  const { meta } = (
    await service.call<{ meta: { pagination: { count_total: number } } }>('POST', '/lists/contact/rows/query', {
      ...over('999'),
      limit: 1,
    })
  ).body
  expect(meta.pagination.count_total).toBe(written)
}, 90_000)
