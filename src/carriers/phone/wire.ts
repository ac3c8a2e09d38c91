import type { PulledMessage } from './message-store.ts'
import { PHONE_PATH } from './tokens.ts'

/** So often the app tells how the phone is, and fetches what is on its list. */
const PING_EVERY_S = 60
/** A text that was received is posted again so often, over more than a day. */
const RETRIES = 15
/** From here on the app lets a message pass its own limits and pauses. */
const EXPEDITED = 100

/**
 * Messages as the app reads them, in the order it asked for, what somebody waits for first. One that cannot be unsealed
 * is not sent. The app reads no more than three digits behind a second.
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

/** The app's settings that matter to us; it asks for them when it starts, and when it is told that they changed. */
export function phoneSettings(signing_key: string): object {
  return {
    gateway: { notification_channel: 'SSE_ONLY' },
    // Limits are ours to keep, for each SIM; the app has one for all of them.
    messages: { processing_order: 'FIFO', limit_period: 'Disabled' },
    ping: { interval_seconds: PING_EVERY_S },
    webhooks: { internet_required: true, retry_count: RETRIES, signing_key },
  }
}

const EVENTS = ['sms:received', 'system:ping'] as const

/** Where the phone is to post what happens on it. */
export function phoneWebhooks(phone_id: string, address: string): object[] {
  return EVENTS.map((event) => ({
    id: `gangan-${event.replace(':', '-')}`,
    url: `${address}${PHONE_PATH}/webhooks/${phone_id}`,
    event,
  }))
}
