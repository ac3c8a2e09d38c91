import { afterEach, expect, test } from 'vitest'
import { endImport } from '../../src/contacts/import/import-store.ts'
import { transaction } from '../../src/db/transaction.ts'
import { connect } from '../../src/db/connect.ts'
import { makeService, type Service } from '../../src/service.ts'
import { openHouse, type House } from '../support/house.ts'
import { until } from '../support/until.ts'

type Import = { id: string; status: string; lines: number; created: number; rejected: number }

let house: House
const services: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop()
  await house.close()
})

/** Another process on the same database, which can die. */
async function startWorkers(): Promise<Service & { die(): Promise<void> }> {
  const db = connect(house.database.address, { connections: 4 })
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const service = await makeService({ config: house.config, db, log })
  service.startWorkers()
  const stop = async (): Promise<void> => {
    await service.stop()
    await db.end({ timeout: 1 })
  }
  services.push({ stop })
  return {
    ...service,
    async die() {
      await db.end({ timeout: 0 }) // its connections are cut in the middle of whatever it does
    },
  }
}

const LINES = 20_000
const csv = `Name,Mobile\n${Array.from({ length: LINES }, (_, n) =>
  n % 10 === 0 ? `Bad ${n},12\n` : `Person ${n},0803${String(n).padStart(7, '0')}\n`,
).join('')}`

async function upload(): Promise<string> {
  const { body } = await house.call<Import>('POST', '/lists/contact/imports', csv, { 'content-type': 'text/csv' })
  return body.id
}
const read = async (id: string) => (await house.call<Import>('GET', `/lists/contact/imports/${id}`)).body

test('an import whose worker dies goes on where it left off: every line once', async () => {
  house = await openHouse({ workers: false })
  const id = await upload()
  const first = await startWorkers()
  await until('some lines', async () => (await read(id)).created > 0)
  await first.die()
  const halfway = await read(id)
  expect(halfway.created).toBeLessThan(LINES * 0.9)
  expect(halfway.status).toBe('running')
  // The lease of the dead runs out.
  await house.db`update jobs set run_at = now(), leased_until = now() where queue = 'contacts:import'`

  await startWorkers()
  const done = await until('the import to end', async () => {
    const now = await read(id)
    return now.status === 'done' && now
  })
  expect(done).toMatchObject({ created: LINES * 0.9, rejected: LINES * 0.1, lines: LINES + 1 })
  const [stored] = await house.db`
    select count(*)::integer as rows, count(distinct cells ->> '1')::integer as names
    from contact_rows where organisation_id = ${house.id}`
  expect(stored).toEqual({ rows: LINES * 0.9, names: LINES * 0.9 })
  const [rejects] = await house.db`
    select count(*)::integer as count from contact_import_rejects where organisation_id = ${house.id}`
  expect(rejects?.count).toBe(LINES * 0.1)
}, 60_000)

test('an import that is canceled stops, and keeps what it has written', async () => {
  house = await openHouse({ workers: false })
  const id = await upload()
  await startWorkers()
  await until('some lines', async () => (await read(id)).created > 0)
  expect((await house.call('DELETE', `/lists/contact/imports/${id}`)).status).toBe(204)
  const canceled = await read(id)
  expect(canceled.status).toBe('canceled')
  await until('its job to be gone', async () => {
    const left = await house.db`select 1 from jobs where queue = 'contacts:import'`
    return left.length === 0
  })
  expect(await read(id)).toEqual(canceled)
  const again = await transaction(house.db, (tx) => endImport(tx, house.id, id, 'done', null))
  expect(again).toBe(false)
  const [stored] = await house.db`
    select count(*)::integer as rows from contact_rows where organisation_id = ${house.id}`
  expect(stored?.rows).toBe(canceled.created)
}, 60_000)
