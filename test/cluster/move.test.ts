import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { cluster, nodeOf } from './nodes.ts'

const LIMIT_MS = 400_000

describe.skipIf(!cluster)('an organisation that is moved to another node', () => {
  let service: TestService
  const organisations: Organisation[] = []

  beforeAll(async () => {
    service = await openService()
    while (organisations.length < 4) organisations.push(await service.organisation())
  })
  afterAll(() => service.close())

  test(
    'is served all the while, and so are the others: no request fails, nothing is lost',
    async () => {
      const [moved] = organisations
      if (!moved) throw new Error('no organisation')
      const from = await nodeOf(service.db, moved.id)
      const accepted = organisations.map((): string[] => [])
      const faults: string[] = []
      let moving = true
      const sending = organisations.map(async ({ call }, n) => {
        while (moving) {
          const { status, text, body } = await call<{ id: string }>('POST', '/sms/send', {
            recipients: '08031234567',
            content: 'Hello',
          })
          if (status === 200) accepted[n]?.push(body.id)
          else faults.push(`${status} ${text}`)
        }
      })
      try {
        await move(service, moved.id)
      } finally {
        moving = false
        await Promise.all(sending)
      }
      expect(await nodeOf(service.db, moved.id)).not.toBe(from)
      expect(faults).toEqual([])
      for (const [n, { call }] of organisations.entries()) {
        const { status, body } = await call<{ id: string }>('POST', '/sms/send', {
          recipients: '08031234567',
          content: 'Hello',
        })
        expect(status).toBe(200)
        accepted[n]?.push(body.id)
      }
      for (const [n, { id }] of organisations.entries()) {
        await until('all to be delivered', async () => {
          const rows = await service.db<{ message_id: string }[]>`
            select message_id from deliveries where organisation_id = ${id} and status = 'delivered'`
          return rows.length === accepted[n]?.length
        })
      }
      expect(await auditMoney(service.db)).toEqual([])
    },
    LIMIT_MS,
  )
})

/** As the rebalancer does, which decides by itself what to move. */
async function move({ db }: TestService, organisation_id: string): Promise<void> {
  await db.unsafe('set statement_timeout = 0')
  const [place] = await db<{ shard: string; from_name: string; from_port: number; name: string; port: number }[]>`
    select shardid::text as shard, source.nodename as from_name, source.nodeport as from_port, target.nodename as name,
      target.nodeport as port
    from pg_dist_placement
    join pg_dist_node source using (groupid)
    join pg_dist_node target on target.groupid not in (0, source.groupid)
    where shardid = get_shard_id_for_distribution_column('messages', ${organisation_id}::uuid)
    limit 1`
  if (!place) throw new Error('no place')
  await db`
    select citus_move_shard_placement(
      ${place.shard}::bigint, ${place.from_name}, ${place.from_port}, ${place.name}, ${place.port}, 'auto'
    )`
}
