import type { ChangedDeliveries, NewTexts, PhoneMessage } from './schema.ts'

export type LiveEvent =
  | { kind: 'phone'; message: PhoneMessage }
  | ({ kind: 'deliveries' } & ChangedDeliveries)
  | ({ kind: 'texts' } & NewTexts)

type Waiting = {
  phones: PhoneMessage[]
  deliveries: Map<string, { id: string; status: string; count: number }>
  texts: Set<string>
  truncated: boolean
}

/** Per organisation and flush; beyond them the page reloads. */
const MAX_PHONES = 50
const MAX_MESSAGES = 50
const MAX_TEXTS = 50
/** A notification of PostgreSQL holds 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_500

/** Collects events between two flushes, so that ten thousand deliveries need few notifications. */
export function makeLiveBuffer() {
  let waiting = new Map<string, Waiting>()

  function of(organisation_id: string): Waiting {
    let own = waiting.get(organisation_id)
    if (!own)
      waiting.set(organisation_id, (own = { phones: [], deliveries: new Map(), texts: new Set(), truncated: false }))
    return own
  }

  return {
    addPhone(organisation_id: string, message: PhoneMessage): void {
      const own = of(organisation_id)
      if (own.phones.length < MAX_PHONES && fits(message)) own.phones.push(message)
      else own.truncated = true
    },
    addDeliveries(organisation_id: string, changed: readonly { message_id: string; status: string }[]): void {
      const own = of(organisation_id)
      for (const { message_id, status } of changed) {
        const key = `${message_id} ${status}`
        const known = own.deliveries.get(key)
        if (known) known.count += 1
        else if (own.deliveries.size < MAX_MESSAGES) own.deliveries.set(key, { id: message_id, status, count: 1 })
        else own.truncated = true
      }
    },
    addTexts(organisation_id: string, phones: readonly string[]): void {
      const { texts } = of(organisation_id)
      // One more than the limit marks the event as truncated.
      for (const phone of phones) if (texts.size <= MAX_TEXTS) texts.add(phone)
    },
    /** Returns the events as payloads of notifications, and empties the buffer. */
    drain(): string[] {
      const drained = waiting
      waiting = new Map()
      return [...drained].flatMap(([organisation_id, own]) => payloads(organisation_id, own))
    },
  }
}

function payloads(organisation_id: string, { phones, deliveries, texts, truncated }: Waiting): string[] {
  const events: LiveEvent[] = phones.map((message) => ({ kind: 'phone', message }))
  if (deliveries.size > 0 || truncated) {
    events.push({ kind: 'deliveries', messages: [...deliveries.values()], truncated })
  }
  if (texts.size > 0) {
    events.push({ kind: 'texts', phones: [...texts].slice(0, MAX_TEXTS), truncated: texts.size > MAX_TEXTS })
  }
  const batches: LiveEvent[][] = []
  let bytes = Infinity
  for (const event of events) {
    const size = Buffer.byteLength(JSON.stringify(event)) + 1
    if (bytes + size > MAX_PAYLOAD_BYTES) {
      batches.push([])
      bytes = 100 // the organisation and the brackets
    }
    batches.at(-1)?.push(event)
    bytes += size
  }
  return batches.map((batch) => JSON.stringify({ organisation_id, events: batch }))
}

function fits(message: PhoneMessage): boolean {
  return Buffer.byteLength(JSON.stringify(message)) < MAX_PAYLOAD_BYTES - 200
}
