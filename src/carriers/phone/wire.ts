import type { PulledMessage } from './message-store.ts'
import { PHONE_PATH } from './tokens.ts'

/** How often the app sends its health, and fetches messages without being woken. */
const PING_EVERY_S = 60
/** Retries of an event that was not answered, over more than a day. */
const RETRIES = 15
/** From this priority on the app ignores its own limits and pauses. */
const EXPEDITED = 100

/**
 * Messages in the app's format and the order it asked for, urgent ones first. One that cannot be unsealed is left out. The
 * app reads at most three decimals of a second.
 */
export function writeMessages(
  messages: readonly (PulledMessage & { text: string | undefined })[],
  order: 'fifo' | 'lifo',
): object[] {
  const sign = order === 'fifo' ? 1 : -1
  return messages
    .toSorted((a, b) => Number(b.urgent) - Number(a.urgent) || sign * (a.id < b.id ? -1 : 1))
    .flatMap(({ id, recipient, sim, text, urgent, placed_ms, valid_ms }) => {
      if (text === undefined) return []
      return [
        {
          id,
          message: text,
          textMessage: { text },
          phoneNumbers: [/^\d{7,15}$/.test(recipient) ? `+${recipient}` : recipient],
          ...(sim > 0 ? { simNumber: sim } : {}),
          withDeliveryReport: true,
          isEncrypted: false,
          priority: urgent ? EXPEDITED : 0,
          validUntil: new Date(valid_ms).toISOString(),
          state: 'Pending',
          createdAt: new Date(placed_ms).toISOString(),
        },
      ]
    })
}

/** The app's settings that matter to us; it reads them when it starts and when it is notified of a change. */
export function phoneSettings(signing_key: string): object {
  return {
    gateway: { notification_channel: 'SSE_ONLY' },
    // We keep the limits, per SIM; the app has only one for all SIMs.
    messages: { processing_order: 'FIFO', limit_period: 'Disabled' },
    ping: { interval_seconds: PING_EVERY_S },
    webhooks: { internet_required: true, retry_count: RETRIES, signing_key },
  }
}

const EVENTS = ['sms:received', 'system:ping'] as const

/** The events that the phone posts, and where to. */
export function phoneWebhooks(phone_id: string, address: string): object[] {
  return EVENTS.map((event) => ({
    id: `gangan-${event.replace(':', '-')}`,
    url: `${address}${PHONE_PATH}/webhooks/${phone_id}`,
    event,
  }))
}
