import { describe, expect, test } from 'vitest'
import { nodesOf } from '../../src/db/cluster/nodes.ts'
import { queryAllShards } from '../../src/db/layout.ts'
import { until } from '../support/until.ts'
import { serviceAcrossWorkers } from './across-workers.ts'
import { cluster } from './nodes.ts'

const QUERY = 'select organisation_id from %s order by 1'

/**
 * Citus executes functions on the coordinator while a node's `metadatasynced` is false, as after a change of its
 * address, and also a function that is called in a query with another table.
 */
describe.skipIf(!cluster)('a query over the shards of a node, run on the coordinator', () => {
  const across = serviceAcrossWorkers(3)

  async function askOnCoordinator(key: string): Promise<string[]> {
    const rows = await across.service.db<{ row: { organisation_id: string } }[]>`
      select ask_shards as row from generate_series(1, 1), ask_shards(${key}, 'balances', ${QUERY})`
    return rows.map(({ row }) => row.organisation_id)
  }

  test('finds the same jobs as the node itself', async () => {
    const nodes = await nodesOf(across.service.db)
    const found = (await Promise.all(nodes.map(({ key }) => askOnCoordinator(key)))).flat()
    const delegated = await queryAllShards<{ organisation_id: string }>(across.service.db, 'balances', QUERY)
    expect(found.toSorted()).toEqual(delegated.map(({ organisation_id }) => organisation_id).toSorted())
    for (const { id } of [...across.its, ...across.others]) expect(found).toContain(id)
  })

  test('reports that the node is unreachable', async () => {
    const node = (await nodesOf(across.service.db)).find(({ name }) => name === across.worker.name)
    await across.worker.refuse()
    await across.service.db`
      update pg_dist_node set metadatasynced = false where nodename || ':' || nodeport = ${across.worker.name}`
    await expect(askOnCoordinator(node?.key ?? '')).rejects.toMatchObject({ code: '08006' })
    await until('the node to be detected', async () => {
      const ready = (await (await fetch(`${across.service.url}/ready`)).json()) as { nodes_away?: string[] }
      return ready.nodes_away?.[0] === across.worker.name
    })
    await across.worker.accept()
  })
})
