import { expect, test } from 'vitest'
import { makeMeters } from '../observe/meters.ts'
import { newId } from '../values/id.ts'
import { noteMoved, noteSubmitted } from './count-margins.ts'

const CHARGE = 4_0000n
const organisation_id = newId()
const moved = {
  channel: 'sms',
  sender_id: null,
  template_id: null,
  external_ref: null,
  callback: null,
  has_webhooks: false,
  route: 'home',
  pages: 1,
  charge: CHARGE,
  status: 'rejected',
  refunded: true,
  was: 'sent',
  was_code: null,
  code: null,
  description: null,
  updated_datetime: '',
  carrier: 'net',
} as const

test.each([
  { cost: undefined, without_cost: 2, revenue_without_cost: 4_0000 },
  { cost: 1_0000n, without_cost: 0, revenue_without_cost: 0 },
])(
  'a refund lowers the revenue, and with it that of deliveries without a known cost: $cost',
  ({ cost, ...expected }) => {
    const meters = makeMeters()
    const deliveries = ['2348031234567', '2348031234568'].map((recipient) => ({
      message_id: newId(),
      recipient,
      pages: 1,
      charge: CHARGE,
    }))
    noteSubmitted(
      meters,
      organisation_id,
      deliveries.map((delivery) => ({
        delivery,
        carrier: 'net',
        cost: cost === undefined ? undefined : { cost, if_delivered: true },
      })),
    )
    const costs = { cost: cost ?? null, cost_if_delivered: true }
    noteMoved(
      meters,
      organisation_id,
      deliveries.slice(1).map((delivery) => ({ ...moved, ...delivery, ...costs })),
    )
    expect(meters.margins.drain()).toMatchObject([
      { organisation_id, carrier: 'net', deliveries: 2, revenue: 4_0000, cost: Number(cost ?? 0n), ...expected },
    ])
  },
)
