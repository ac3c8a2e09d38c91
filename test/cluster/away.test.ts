import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { cluster, nodeOf, wiredDatabase, type WiredDatabase, type Worker } from './nodes.ts'

const EACH = 3

describe.skipIf(!cluster)('a worker that is away', () => {
  let database: WiredDatabase
  let service: TestService
  let worker: Worker
  /** Of the worker that goes away, and of the other. */
  const its: Organisation[] = []
  const others: Organisation[] = []

  beforeAll(async () => {
    database = await wiredDatabase()
    service = await openService({ beside: { database } })
    const [first] = database.workers
    if (!first) throw new Error('the cluster has no worker')
    worker = first
    while (its.length < EACH || others.length < EACH) {
      const organisation = await service.organisation()
      const list = (await nodeOf(service.db, organisation.id)) === worker.name ? its : others
      if (list.length < EACH) list.push(organisation)
    }
  })
  afterAll(async () => {
    await service.close()
    await database.close()
  })

  const send = ({ call }: Organisation) =>
    call<{ id: string; message: string }>('POST', '/sms/send', { recipients: '08031234567', content: 'Hello' })

  const ready = async () => (await (await fetch(`${service.url}/ready`)).json()) as Record<string, unknown>
  const metrics = async () => (await fetch(`${service.url}/metrics`)).text()

  async function isDelivered({ call }: Organisation, id: string): Promise<boolean> {
    const { body } = await call<{ deliveries?: { status: string }[]; status: string }>('GET', `/sms/${id}`)
    return JSON.stringify(body).includes('"delivered"')
  }

  /** Messages of all the others, one after the other, from the door to the phone. */
  async function othersAreServed(): Promise<void> {
    for (const organisation of others) {
      const { status, body } = await send(organisation)
      expect(status).toBe(200)
      await until('the delivery of another', () => isDelivered(organisation, body.id))
    }
  }

  async function itsAreRefused(): Promise<void> {
    for (const organisation of its) {
      const { status, headers, body } = await send(organisation)
      expect({ status, retry_after: headers.get('retry-after') }).toEqual({
        status: 503,
        retry_after: expect.stringMatching(/^[1-9]$/),
      })
      expect(body.message).toMatch(/again/)
    }
  }

  async function allAreServed(): Promise<void> {
    await until('the return', async () => !('nodes_away' in (await ready())))
    for (const organisation of [...its, ...others]) {
      const { status, body } = await send(organisation)
      expect(status).toBe(200)
      await until('the delivery after the return', () => isDelivered(organisation, body.id))
    }
    expect(await auditMoney(service.db)).toEqual([])
  }

  test('its organisations get 503 with Retry-After, the others are served from door to phone', async () => {
    await until('all nodes', async () => (await metrics()).match(/gangan_database_node_up\{[^}]*\} 1/g)?.length === 2)
    await allAreServed()
    const waiting = await Promise.all(its.map(send))
    await worker.refuse()
    await itsAreRefused()
    await othersAreServed()
    await until('the node to be noticed', async () => 'nodes_away' in (await ready()))
    expect(await ready()).toEqual({ status: 'ok', nodes_away: [worker.name] })
    expect(await metrics()).toContain(`gangan_database_node_up{node="${worker.name}"} 0`)
    await itsAreRefused()
    await othersAreServed()

    await worker.accept()
    await allAreServed()
    for (const [n, { status, body }] of waiting.entries()) {
      expect(status).toBe(200)
      const organisation = its[n]
      if (organisation) await until('what was accepted before', () => isDelivered(organisation, body.id))
    }
  })
})
