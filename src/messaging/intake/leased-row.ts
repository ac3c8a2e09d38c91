import type { Channel, OutgoingWhatsapp } from '../../carriers/message-carrier.ts'
import type { Choice } from '../../choice/choice.ts'
import type { Item, MessageFacts, NewRow } from './row.ts'

/** A row of the intake leased by this process. */
export type LeasedRow = {
  organisation_id: string
  id: string
  priority: number
  /** Number of claims so far. A later claim by another process revokes this lease. */
  claims: number
  accepted: string
  deliveries: LeasedDelivery[]
  /** Deliveries up to this one may be with a carrier: stored before they are submitted. */
  submitted: number
  /** Deliveries in flight: submitted and not yet recorded. */
  open: number
  /** Deliveries that are not recorded, submitted or not. */
  left: number
  /** Its messages are stored. */
  opened: boolean
}

export type LeasedDelivery = {
  row: LeasedRow
  message_id: string
  recipient: string
  position: number
  channel: Channel
  sender_id: string | null
  /** The text, unless it is sealed. */
  text: string
  has_own_text: boolean
  sealed_text: Buffer | null
  whatsapp: OutgoingWhatsapp | null
  /** The text is the encoded form of binary content (`BinaryText`). */
  is_binary: boolean
  promotional: boolean
  pages: number
  charge: bigint
  price_rule_id: number | null
  expires_in_s: number | null
  /** Not submitted after this moment, by the clock of this process, in seconds. */
  expires_at_s: number | null
  /** The process that leased it before died: whether a carrier has it is not known. */
  interrupted: boolean
  opted_out: boolean
  /** See `Draft`. */
  trace: string | undefined
  message: MessageFacts | undefined
  /** Why this carrier, where one was chosen. */
  choice: Choice | undefined
}

/** The columns of a row, apart from its messages. */
type Given = Pick<LeasedRow, 'organisation_id' | 'id' | 'priority' | 'claims' | 'accepted'> & {
  age_s: number
  opted_out: ReadonlySet<string>
}

/** After this time a person may have been erased from the stored message, but not from the row: its facts are not used. */
const FACTS_S = 24 * 3_600

/** A row with the deliveries of its messages, in the order in which `submitted` counts them. */
export function makeLeasedRow({ age_s, opted_out, ...given }: Given, items: readonly Item[]): LeasedRow {
  const row: LeasedRow = { ...given, deliveries: [], submitted: 0, open: 0, left: 0, opened: false }
  const now_s = performance.now() / 1_000
  for (const item of items) {
    const { id, channel, sender_id, content, pages, price, rules, texts, whatsapp = null, facts } = item
    const { expires_in_s = null } = item
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
        price_rule_id: (rules?.length === 1 ? rules[0] : rules?.[n]) ?? null,
        expires_in_s,
        expires_at_s,
        interrupted: false,
        opted_out: opted_out.size > 0 && opted_out.has(recipient),
        trace: item.trace,
        message: age_s < FACTS_S ? facts : undefined,
        choice: undefined,
      })
    }
  }
  row.left = row.deliveries.length
  return row
}

/** Removes deliveries that were canceled: those after `size`, unless they were submitted. */
export function truncateRow(row: LeasedRow, size: number): void {
  const canceled = row.deliveries.length - Math.max(size, row.submitted)
  if (canceled <= 0) return
  row.deliveries.length -= canceled
  row.left -= canceled
}

/** A row that was stored as leased by this process: all of it is to be submitted now. */
export function leaseNewRow(
  organisation_id: string,
  { id, priority, items }: NewRow,
  { accepted, opted_out }: { accepted: string; opted_out: ReadonlySet<string> },
): LeasedRow {
  const row = makeLeasedRow({ organisation_id, id, priority, claims: 1, accepted, age_s: 0, opted_out }, items)
  row.submitted = row.deliveries.length
  return row
}

/** A JSON object of a row, see functions/intake.sql. */
export type WrittenItem = {
  id: string
  to: string
  at?: number
  positions?: number[]
  channel: Channel
  sender_id?: string
  content?: string
  pages: number
  price: number
  rules?: (number | null)[]
  texts?: string[]
  whatsapp?: OutgoingWhatsapp
  is_binary?: boolean
  promotional?: boolean
  sealed?: string
  expires_in_s?: number
  trace?: string
  stored?: boolean
  personalisation?: { to?: unknown }[]
  template_id?: string
  external_ref?: string
  callback?: string
}

/** The JSON objects of a row. */
export function parseRow(messages: string): WrittenItem[] {
  return JSON.parse(`[${messages}]`)
}

/** The messages of a row as they were stored (`writeRow`). */
export function readItems(messages: string): Item[] {
  return parseRow(messages).map(
    ({ id, to, at = 0, positions, channel, sender_id, content, pages, price, rules, texts, ...rest }) => {
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
        rules,
        texts,
        whatsapp: rest.whatsapp,
        is_binary: rest.is_binary,
        promotional: rest.promotional,
        sealed_text: rest.sealed === undefined ? undefined : Buffer.from(rest.sealed, 'base64'),
        expires_in_s: rest.expires_in_s,
        trace: rest.trace,
        facts: rest.stored ? undefined : factsIn(rest),
      }
    },
  )
}

function factsIn({ template_id = null, external_ref = null, callback = null }: Partial<MessageFacts>): MessageFacts {
  return { template_id, external_ref, callback }
}
