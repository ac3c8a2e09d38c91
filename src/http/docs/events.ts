import { Type, type Schema } from '../../values/schema/type.ts'
import { PurchaseReport } from '../../airtime/schema.ts'
import type { EVENT_TYPES } from '../../callbacks/webhooks/schema.ts'
import { DeliveryReport, LinkClick, ReadReceipt } from '../../messaging/event-schema.ts'
import { InboundMessage } from '../../messaging/inbound/schema.ts'

const TestNote = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The webhook.' }),
  description: Type.String({ examples: ['This is a test. Nothing has happened.'] }),
})

const LowBalance = Type.Object({
  balance: Type.Number({ description: 'The balance when this was detected.', examples: [4996] }),
  low_balance: Type.Number({ description: 'As in the settings.', examples: [5000] }),
  currency: Type.String({ examples: ['NGN'] }),
})

const Exhausted = Type.Object({
  balance: Type.Number({ description: 'The balance when this was detected.', examples: [3] }),
  credit_limit: Type.Number({ description: 'How far below zero the balance may fall.', examples: [0] }),
  charge: Type.Number({ description: 'The lowest charge that was refused.', examples: [4] }),
  currency: Type.String({ examples: ['NGN'] }),
})

const OverLimit = Type.Object({
  key_id: Type.String({ format: 'uuid' }),
  key: Type.String({ description: 'Its first and last characters.', examples: ['gg_live_Ab…9z'] }),
  name: Type.Optional(Type.String({ examples: ['shop'] })),
  daily_spending_limit: Type.Number({ description: 'What the key may spend per day (UTC).', examples: [500] }),
  charge: Type.Number({ description: 'The charge that was refused.', examples: [4] }),
  currency: Type.String({ examples: ['NGN'] }),
})

type EventDescription = { summary: string; data: Schema }

/** Every event type with the schema of its `data`. */
const EVENTS: Record<(typeof EVENT_TYPES)[number] | 'webhook.test', EventDescription> = {
  'text.delivered': { summary: 'A message was delivered', data: DeliveryReport },
  'text.undelivered': { summary: 'A message could not be delivered', data: DeliveryReport },
  'text.expired': { summary: 'A message was not delivered in time', data: DeliveryReport },
  'text.rejected': { summary: 'A message was rejected, and is refunded', data: DeliveryReport },
  'text.failed': { summary: 'A message was never submitted, and is refunded', data: DeliveryReport },
  'text.clicked': { summary: 'A person opened a tracked link', data: LinkClick },
  'text.read': { summary: 'A person read a message on WhatsApp', data: ReadReceipt },
  'text.received': { summary: 'A text was received', data: InboundMessage },
  'airtime.success': { summary: 'Airtime was bought', data: PurchaseReport },
  'airtime.failed': { summary: 'Airtime could not be bought, and is refunded', data: PurchaseReport },
  'airtime.duplicate': { summary: 'A purchase was a duplicate, and is refunded', data: PurchaseReport },
  'airtime.error': { summary: 'A purchase failed on our side, and is refunded', data: PurchaseReport },
  'balance.low': { summary: 'The balance fell below `low_balance`', data: LowBalance },
  'balance.exhausted': { summary: 'The balance did not cover a charge', data: Exhausted },
  'balance.spending_limit': { summary: 'A key reached its daily spending limit', data: OverLimit },
  'webhook.test': { summary: 'A test event', data: TestNote },
}

/** The `webhooks` section of openapi.json, with a named schema for each event. */
export function describeEvents(): { webhooks: Record<string, object>; schemas: Record<string, object> } {
  const shapes = Object.entries(EVENTS).map(([type, event]) => ({ type, ...event, name: eventName(type) }))
  const schemas = Object.fromEntries(shapes.map(({ type, data, name }) => [name, eventShape(type, data)]))
  const webhooks = shapes.map(({ type, summary, name }) => [type, { post: postOf(type, summary, name) }])
  return { webhooks: Object.fromEntries(webhooks), schemas }
}

function eventShape(type: string, data: Schema): Schema {
  return Type.Object({
    id: Type.String({ format: 'uuid', description: 'The `webhook-id`: the same on every attempt.' }),
    type: Type.Literal(type),
    created_datetime: Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] }),
    data,
  })
}

function postOf(type: string, summary: string, name: string): object {
  return {
    operationId: `on${name}`,
    summary,
    description: `Posted as \`${type}\`, signed as Standard Webhooks prescribe.`,
    tags: ['Webhooks'],
    security: [],
    parameters: HEADERS.map(([header, description]) => ({
      name: header,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema: { $ref: refTo(name) } } } },
    responses: {
      '2XX': { description: 'Acknowledged. It is not posted again.' },
      '410': { description: 'Rejected. It is not posted again.' },
      default: { description: 'Retried for 24 hours.' },
    },
  }
}

const HEADERS = [
  ['webhook-id', 'The same on every try.'],
  ['webhook-timestamp', 'When this try was made, in seconds since 1970.'],
  ['webhook-signature', '`v1,` and the base64 of HMAC-SHA-256 over id, timestamp and body; two during a rotation.'],
] as const

/** `text.delivered` becomes `TextDeliveredEvent`. */
function eventName(type: string): string {
  return `${type.replaceAll(/(^|\.)(\w)/g, (_whole, _dot, letter: string) => letter.toUpperCase())}Event`
}

function refTo(name: string): string {
  return `#/components/schemas/${name}`
}
