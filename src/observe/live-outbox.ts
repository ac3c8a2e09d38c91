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

/** Of one organisation at a time; beyond it a page does better to read anew. */
const MOST_PHONES = 50
const MOST_MESSAGES = 50
const MOST_TEXTS = 50
/** PostgreSQL carries 8,000 bytes in a notification. */
const LONGEST_PAYLOAD = 7_500

/** Gathers what happens in a fifth of a second, so that a burst of ten thousand is a handful of notifications. */
export function makeOutbox() {
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
      if (own.phones.length < MOST_PHONES && fits(message)) own.phones.push(message)
      else own.truncated = true
    },
    addDeliveries(organisation_id: string, changed: readonly { message_id: string; status: string }[]): void {
      const own = of(organisation_id)
      for (const { message_id, status } of changed) {
        const key = `${message_id} ${status}`
        const known = own.deliveries.get(key)
        if (known) known.count += 1
        else if (own.deliveries.size < MOST_MESSAGES) own.deliveries.set(key, { id: message_id, status, count: 1 })
        else own.truncated = true
      }
    },
    addTexts(organisation_id: string, phones: readonly string[]): void {
      const { texts } = of(organisation_id)
      // One more than is told says that there are more.
      for (const phone of phones) if (texts.size <= MOST_TEXTS) texts.add(phone)
    },
    /** The payloads of notifications, each within what one may carry. */
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
    events.push({ kind: 'texts', phones: [...texts].slice(0, MOST_TEXTS), truncated: texts.size > MOST_TEXTS })
  }
  const batches: LiveEvent[][] = []
  let bytes = Infinity
  for (const event of events) {
    const size = Buffer.byteLength(JSON.stringify(event)) + 1
    if (bytes + size > LONGEST_PAYLOAD) {
      batches.push([])
      bytes = 100 // the organisation and the brackets
    }
    batches.at(-1)?.push(event)
    bytes += size
  }
  return batches.map((batch) => JSON.stringify({ organisation_id, events: batch }))
}

function fits(message: PhoneMessage): boolean {
  return Buffer.byteLength(JSON.stringify(message)) < LONGEST_PAYLOAD - 200
}
