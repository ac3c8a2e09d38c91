import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { connectionsOf } from '../../src/db/layout.ts'
import { connect } from '../../src/db/connect.ts'
import { onDatabase } from '../support/address.ts'
import type { Organisation } from '../support/service.ts'
import { until } from '../support/until.ts'
import { isDelivered, serviceAcrossWorkers } from './across-workers.ts'
import { cluster } from './nodes.ts'

/** More on each worker than there are connections for charges. */
const EACH = 8

const send = ({ call }: Organisation) =>
  call<{ id: string }>('POST', '/sms/send', { recipients: '08031234567', content: 'Hello' })

async function isServed(organisation: Organisation): Promise<void> {
  const { status, body } = await send(organisation)
  expect(status).toBe(200)
  await until('the delivery', () => isDelivered(organisation, body.id))
}

describe.skipIf(!cluster)('nodes that are queried without the coordinator', () => {
  const across = serviceAcrossWorkers(EACH)

  /** Our connections to the workers; those of the coordinator have another application name. */
  async function ourConnections(): Promise<number[]> {
    const name = new URL(across.database.url).pathname.slice(1)
    const [, ...nodes] = cluster?.nodes ?? []
    return Promise.all(
      nodes.map(async (node) => {
        const db = connect(onDatabase(node, name), { connections: 1, application_name: 'counting' })
        const [row] = await db<{ count: number }[]>`
          select count(*)::integer as count from pg_stat_activity
          where datname = current_database() and application_name = 'gangan'`
        await db.end()
        return row?.count ?? 0
      }),
    )
  }

  test('an organisation is served by its node', async () => {
    await until('connections to both workers', async () => {
      await Promise.all([...across.its, ...across.others].map(isServed))
      return (await ourConnections()).every((count) => count > 0)
    })
    expect(await auditMoney(across.service.db)).toEqual([])
  })

  test('a silent node delays no other organisation, and resumes when it is back', async () => {
    across.worker.stall()
    let answered = 0
    const open = across.its.map((organisation) => send(organisation).finally(() => (answered += 1)))
    await Promise.all(across.others.map(isServed))
    // They were served while requests to the silent node still waited, and not because those had timed out.
    expect(answered).toBe(0)
    across.worker.flow()
    const answers = await Promise.all(open)
    for (const { status } of answers) expect([200, 503]).toContain(status)
    await until(
      'the return',
      async () => !('nodes_away' in Object(await (await fetch(`${across.service.url}/ready`)).json())),
    )
    await Promise.all([...across.its, ...across.others].map(isServed))
    for (const [n, { status, body }] of answers.entries()) {
      const organisation = across.its[n]
      if (status === 200 && organisation) await until('accepted messages', () => isDelivered(organisation, body.id))
    }
    expect(await auditMoney(across.service.db)).toEqual([])
  })

  test('a connection to a node does not grow with its statements', async () => {
    const db = connect(across.database.address, { distributed: true, connections: 1 })
    const [{ id } = { id: '' }] = across.others
    await until('a direct connection', async () => connectionsOf(db, id) !== db)
    const there = connectionsOf(db, id)
    const askOften = async (times: number): Promise<number> => {
      for (let n = 0; n < times; n += 1) await there`select release_intake(${id}, ${[randomUUID()]}::uuid[])`
      const [row] = await there<{ bytes: number }[]>`
        select sum(used_bytes)::float8 as bytes from pg_backend_memory_contexts`
      return row?.bytes ?? 0
    }
    const before = await askOften(30)
    expect((await askOften(300)) - before).toBeLessThan(1_000_000) // Cached plans take some 50 kB each.
    await db.end()
  })

  test('one that cannot be reached directly is queried through the coordinator', async () => {
    const db = connect(across.database.address, { distributed: true })
    const [{ id } = { id: '' }] = across.its
    const look = () => connectionsOf(db, id) !== db
    await until('a direct connection', async () => look())
    const node = db.nodes.known.find(({ name }) => name === across.worker.name)
    if (!node) throw new Error('the worker is not known')
    const { port } = node
    Object.assign(node, { port: 1 })
    node.direct.tested_ms = -Infinity
    await until('the coordinator to be used', async () => !look())
    expect(await connectionsOf(db, id)`select 1 as one`).toEqual([{ one: 1 }])
    Object.assign(node, { port })
    node.direct.tested_ms = -Infinity
    await until('a direct connection again', async () => look())
    // Another server at that address is not the node.
    Object.assign(node, { group_id: 4_711 })
    node.direct.tested_ms = -Infinity
    await until('the coordinator to be used again', async () => !look())
    expect(await connectionsOf(db, id)`select 1 as one`).toEqual([{ one: 1 }])
    await db.end()
  })
})
