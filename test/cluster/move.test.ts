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
    while (organisations.length < 4) organisations.push(await service.organisation({ credit: 1_000_000 }))
  })
  afterAll(() => service.close())

  /** All organisations send meanwhile; afterwards all accepted messages are delivered, and the ledger balances. */
  async function underLoad(work: () => Promise<void>): Promise<void> {
    const accepted = organisations.map((): string[] => [])
    const faults: string[] = []
    let moving = true
    async function send(n: number, { call }: Organisation): Promise<void> {
      const { status, text, body } = await call<{ id: string }>('POST', '/sms/send', {
        recipients: '08031234567',
        content: 'Hello',
      })
      if (status === 200) accepted[n]?.push(body.id)
      else faults.push(`${status} ${text}`)
    }
    const sending = organisations.map(async (organisation, n) => {
      while (moving) await send(n, organisation)
    })
    try {
      await work()
    } finally {
      moving = false
      await Promise.all(sending)
    }
    for (const [n, organisation] of organisations.entries()) await send(n, organisation)
    expect(faults).toEqual([])
    for (const [n, { id }] of organisations.entries()) {
      await until('all to be delivered', async () => {
        const [row] = await service.db<{ delivered: number }[]>`
          select count(*)::integer as delivered from deliveries
          where organisation_id = ${id} and status = 'delivered' and message_id = any (${accepted[n] ?? []}::uuid[])`
        return row?.delivered === accepted[n]?.length
      })
    }
    expect(await auditMoney(service.db)).toEqual([])
  }

  test(
    'is served during the move, like the others: no request fails, nothing is lost',
    async () => {
      const [moved] = organisations
      if (!moved) throw new Error('no organisation')
      const from = await nodeOf(service.db, moved.id)
      await underLoad(() => move(service, moved.id))
      expect(await nodeOf(service.db, moved.id)).not.toBe(from)
    },
    LIMIT_MS,
  )

  test(
    'by the rebalancer is served, too: no request fails, nothing is lost',
    async () => {
      const before = await spread(service)
      await underLoad(async () => {
        await service.db`select citus_rebalance_start('by_shard_count')`
        const isOver = async () => {
          const [job] = await service.db<{ state: string }[]>`select state::text from citus_rebalance_status()`
          if (job?.state === 'failed') throw new Error('the rebalancer failed')
          return job?.state === 'finished'
        }
        await until('the rebalancer', isOver, LIMIT_MS / 2)
      })
      expect(await spread(service)).toBeLessThan(before)
    },
    LIMIT_MS,
  )
})

/** The difference in shards of a table between the fullest and the emptiest node. */
async function spread({ db }: TestService): Promise<number> {
  const [row] = await db<{ spread: number }[]>`
    select (max(shards) - min(shards))::integer as spread
    from (
      select count(*) as shards from pg_dist_shard join pg_dist_placement using (shardid)
      where logicalrelid = 'messages'::regclass
      group by groupid
    ) held`
  return row?.spread ?? 0
}

/** Like the rebalancer, which chooses the shards to move. */
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
  if (!place) throw new Error('no placement')
  await db`
    select citus_move_shard_placement(
      ${place.shard}::bigint, ${place.from_name}, ${place.from_port}, ${place.name}, ${place.port}, 'auto'
    )`
}
