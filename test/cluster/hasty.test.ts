import { describe, expect, test } from 'vitest'
import { recordSubmitted } from '../../src/messaging/dispatch/store.ts'
import { openService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { cluster } from './nodes.ts'

describe.skipIf(!cluster)(
  'a report that arrives between storing the ids of a delivery and recording its submission',
  () => {
    test('counts, and the delivery has its carrier', async () => {
      const service = await openService()
      try {
        const { db, id } = service
        const body = { recipients: '08031234567', content: 'Hello' }
        const { id: message_id } = (await service.call<{ id: string }>('POST', '/sms/send', body)).body
        const read = async () => {
          const [row] = await db<{ status: string; carrier: string | null }[]>`
          select status, carrier from deliveries where organisation_id = ${id} and message_id = ${message_id}`
          return row
        }
        await until('the delivery', async () => (await read())?.status === 'delivered')
        await db`
        update deliveries set carrier = null, sent_datetime = null
        where organisation_id = ${id} and message_id = ${message_id}`
        const submitted = {
          organisation_id: id,
          job_id: 0n,
          message_id,
          recipient: '2348031234567',
          ids: ['1'],
          report_due_s: 60,
        }
        await recordSubmitted(db, 'mtn', [submitted])
        expect(await read()).toEqual({ status: 'delivered', carrier: 'mtn' })
        await recordSubmitted(db, 'other', [submitted])
        expect(await read()).toEqual({ status: 'delivered', carrier: 'mtn' })
      } finally {
        await service.close()
      }
    })
  },
)
