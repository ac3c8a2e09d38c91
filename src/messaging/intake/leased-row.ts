import type { Channel, OutgoingTemplate } from '../../carriers/message-carrier.ts'
import type { Item, MessageFacts, NewRow } from './row.ts'

/** A row of the intake in the hands of this process. */
export type LeasedRow = {
  organisation_id: string
  id: string
  priority: number
  /** How often it was claimed: who claims it anew takes it away from who had it before. */
  claims: number
  accepted: string
  deliveries: LeasedDelivery[]
  /** The first of its deliveries that may not be handed over yet. */
  handed: number
  /** Deliveries that were handed over and of which nothing is written. */
  open: number
  /** Deliveries that are not written down, handed over or not. */
  left: number
  /** Its messages are written down. */
  opened: boolean
}

export type LeasedDelivery = {
  row: LeasedRow
  message_id: string
  recipient: string
  position: number
  channel: Channel
  sender_id: string | null
  /** What is sent, unless it is sealed. */
  text: string
  has_own_text: boolean
  sealed_text: Buffer | null
  whatsapp: OutgoingTemplate | null
  /** The text is none (`BinaryText`). */
  is_binary: boolean
  promotional: boolean
  pages: number
  charge: bigint
  expires_in_s: number | null
  /** By the clock of this process, in seconds: nobody wants it later. */
  expires_at_s: number | null
  /** Who had it before died with it: whether a carrier has it is not known. */
  interrupted: boolean
  opted_out: boolean
  /** See `Draft`. */
  trace: string | undefined
  message: MessageFacts | undefined
}

/** What is known of a row beside its messages. */
type Given = Pick<LeasedRow, 'organisation_id' | 'id' | 'priority' | 'claims' | 'accepted'> & {
  age_s: number
  opted_out: ReadonlySet<string>
}

/** From what has waited longer than this, somebody may have been erased long ago where the message is stored. */
const FACTS_S = 24 * 3_600

/** A row with the deliveries that its messages make, in the order in which they are counted. */
export function makeLeasedRow({ age_s, opted_out, ...given }: Given, items: readonly Item[]): LeasedRow {
  const row: LeasedRow = { ...given, deliveries: [], handed: 0, open: 0, left: 0, opened: false }
  const now_s = performance.now() / 1_000
  for (const item of items) {
    const { id, channel, sender_id, content, pages, price, texts, whatsapp = null, expires_in_s = null, facts } = item
    const expires_at_s = expires_in_s === null ? null : now_s + expires_in_s - age_s
    for (const [n, recipient] of item.to.entries()) {
      row.deliveries.push({
        row,
        message_id: id,
        recipient,
        position: item.positions[n] ?? n,
        channel,
        sender_id,
        text: texts?.[n] ?? content ?? '',
        has_own_text: texts !== undefined,
        sealed_text: item.sealed_text ?? null,
        whatsapp,
        is_binary: item.is_binary === true,
        promotional: item.promotional === true,
        pages,
        charge: price,
        expires_in_s,
        expires_at_s,
        interrupted: false,
        opted_out: opted_out.size > 0 && opted_out.has(recipient),
        trace: item.trace,
        message: age_s < FACTS_S ? facts : undefined,
      })
    }
  }
  row.left = row.deliveries.length
  return row
}

/** The row ends here: what came behind was taken back. Only what was not handed over can be. */
export function cutOff(row: LeasedRow, size: number): void {
  const gone = row.deliveries.length - Math.max(size, row.handed)
  if (gone <= 0) return
  row.deliveries.length -= gone
  row.left -= gone
}

/** A row that was stored as in hand: all of it is to be handed over now. */
export function leaseNewRow(
  organisation_id: string,
  { id, priority, items }: NewRow,
  { accepted, opted_out }: { accepted: string; opted_out: ReadonlySet<string> },
): LeasedRow {
  const row = makeLeasedRow({ organisation_id, id, priority, claims: 1, accepted, age_s: 0, opted_out }, items)
  row.handed = row.deliveries.length
  return row
}

type WrittenItem = {
  id: string
  to: string
  at?: number
  positions?: number[]
  channel: Channel
  sender_id?: string
  content?: string
  pages: number
  price: number
  texts?: string[]
  whatsapp?: OutgoingTemplate
  is_binary?: boolean
  promotional?: boolean
  sealed?: string
  expires_in_s?: number
  trace?: string
  stored?: boolean
  template_id?: string
  external_ref?: string
  callback?: string
}

/** The messages of a row as they were stored (`writeRow`). */
export function readItems(messages: string): Item[] {
  const written: WrittenItem[] = JSON.parse(`[${messages}]`)
  return written.map(({ id, to, at = 0, positions, channel, sender_id, content, pages, price, texts, ...rest }) => {
    const recipients = to.split(',')
    return {
      id,
      to: recipients,
      positions: positions ?? recipients.map((_, n) => at + n),
      channel,
      sender_id: sender_id ?? null,
      content: content ?? null,
      pages,
      price: BigInt(price),
      texts,
      whatsapp: rest.whatsapp,
      is_binary: rest.is_binary,
      promotional: rest.promotional,
      sealed_text: rest.sealed === undefined ? undefined : Buffer.from(rest.sealed, 'base64'),
      expires_in_s: rest.expires_in_s,
      trace: rest.trace,
      facts: rest.stored ? undefined : factsIn(rest),
    }
  })
}

function factsIn({ template_id = null, external_ref = null, callback = null }: Partial<MessageFacts>): MessageFacts {
  return { template_id, external_ref, callback }
}
