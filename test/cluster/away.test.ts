import { describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import type { Organisation } from '../support/service.ts'
import { until } from '../support/until.ts'
import { isDelivered, serviceAcrossWorkers } from './across-workers.ts'
import { cluster } from './nodes.ts'

const EACH = 3

describe.skipIf(!cluster)('an unreachable worker', () => {
  const across = serviceAcrossWorkers(EACH)

  const send = ({ call }: Organisation) =>
    call<{ id: string; message: string }>('POST', '/sms/send', { recipients: '08031234567', content: 'Hello' })

  const ready = async () => (await (await fetch(`${across.service.url}/ready`)).json()) as Record<string, unknown>
  const metrics = async () => (await fetch(`${across.service.url}/metrics`)).text()

  /** Messages of all the others, one after the other, from the request to the phone. */
  async function othersAreServed(): Promise<void> {
    for (const organisation of across.others) {
      const { status, body } = await send(organisation)
      expect(status).toBe(200)
      await until('the delivery of another', () => isDelivered(organisation, body.id))
    }
  }

  async function itsAreRefused(): Promise<void> {
    for (const organisation of across.its) {
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
    for (const organisation of [...across.its, ...across.others]) {
      const { status, body } = await send(organisation)
      expect(status).toBe(200)
      await until('the delivery after the return', () => isDelivered(organisation, body.id))
    }
    expect(await auditMoney(across.service.db)).toEqual([])
  }

  test('its organisations get 503 with Retry-After, the others are served end to end', async () => {
    await until('all nodes', async () => (await metrics()).match(/gangan_database_node_up\{[^}]*\} 1/g)?.length === 2)
    await allAreServed()
    const waiting = await Promise.all(across.its.map(send))
    await across.worker.refuse()
    await itsAreRefused()
    await othersAreServed()
    await until('the node to be detected', async () => 'nodes_away' in (await ready()))
    expect(await ready()).toEqual({ status: 'ok', nodes_away: [across.worker.name] })
    expect(await metrics()).toContain(`gangan_database_node_up{node="${across.worker.name}"} 0`)
    await itsAreRefused()
    await othersAreServed()

    await across.worker.accept()
    await allAreServed()
    for (const [n, { status, body }] of waiting.entries()) {
      expect(status).toBe(200)
      const organisation = across.its[n]
      if (organisation) await until('messages accepted before', () => isDelivered(organisation, body.id))
    }
  })
})
