import type { Channel, OutgoingWhatsapp } from '../../carriers/message-carrier.ts'
import { newId } from '../../values/id.ts'
import type { Draft, DraftDelivery } from '../draft.ts'
import { messageFields, optional } from './json-fields.ts'

/** Maximum number of recipients of a row: it is claimed as a whole, and its progress is a single number. */
export const SLICE = 256
/** Approximate maximum length of a row, unless a single message is longer: every reader parses all of it. */
const MAX_CHARACTERS = 256 * 1_024

/** A row of the intake that is about to be stored. */
export type NewRow = {
  id: string
  route: string
  priority: number
  /** Number of recipients. */
  size: number
  items: Item[]
  /** It is stored as leased: this process submits it right after the commit. */
  leased: boolean
}

/**
 * A message, or a part of one, in the intake: recipients that share everything but their number and perhaps their text.
 * Without a `draft` the message is in `messages` already.
 */
export type Item = {
  id: string
  to: readonly string[]
  /** The position of each recipient in the message's list. */
  positions: readonly number[]
  channel: Channel
  sender_id: string | null
  content: string | null
  pages: number
  /** The charge of each recipient. */
  price: bigint
  /** The price rule of each recipient, or one for all; undefined: the configuration file. */
  rules?: readonly (number | null)[] | undefined
  texts?: readonly string[] | undefined
  whatsapp?: OutgoingWhatsapp | undefined
  /** The content is the encoded form of binary content (`BinaryText`). */
  is_binary?: boolean | undefined
  promotional?: boolean | undefined
  sealed_text?: Buffer | undefined
  expires_in_s?: number | undefined
  trace?: string | undefined
  /** Fields of the message for its callbacks. Not known of a message that is stored already, once read back. */
  facts?: MessageFacts | undefined
  /** What its message is stored from, unless it is stored already. */
  draft?: Draft | undefined
}

export type MessageFacts = { template_id: string | null; external_ref: string | null; callback: string | null }

/** Sorts a batch into rows of the intake; messages with several routes or times are `stored` immediately. */
export function fillRows(drafts: readonly Draft[]): { rows: NewRow[]; stored: Draft[] } {
  const rows: NewRow[] = []
  const open = new Map<string, { row: NewRow; characters: number }>()
  const stored: Draft[] = []

  function put(route: string, { priority, has_own_rows }: Draft, item: Item): void {
    const key = `${priority} ${route} ${has_own_rows ? item.id : ''}`
    const characters = charactersOf(item)
    let last = open.get(key)
    if (!last || last.row.size + item.to.length > SLICE || last.characters + characters > MAX_CHARACTERS) {
      last = { row: { id: newId(), route, priority, size: 0, items: [], leased: false }, characters: 0 }
      open.set(key, last)
      rows.push(last.row)
    }
    last.row.items.push(item)
    last.row.size += item.to.length
    last.characters += characters
  }

  for (const draft of drafts) {
    const [first] = draft.deliveries
    if (first && isWhole(draft, first)) {
      put(first.route, draft, itemOf(draft, first, draft.deliveries, undefined, draft))
      continue
    }
    stored.push(draft)
    for (const { first: one, deliveries, positions } of partsOf(draft)) {
      put(one.route, draft, itemOf(draft, one, deliveries, positions, undefined))
    }
  }
  return { rows, stored }
}

/** The length of what the customer wrote; the rest of an item is short. */
function charactersOf({ draft, content, texts = [] }: Item): number {
  const words = draft ? messageFields(draft).length : (content?.length ?? 0)
  return texts.reduce((sum, { length }) => sum + length, words)
}

/** One route, sent immediately, and few enough for a row. */
function isWhole({ deliveries }: Draft, first: DraftDelivery): boolean {
  if (deliveries.length === 1) return first.send_at === undefined
  return deliveries.length <= SLICE && deliveries.every((one) => one.send_at === undefined && isAlike(first, one))
}

/** Whether they differ only in their number and text. */
function isAlike(one: DraftDelivery, other: DraftDelivery): boolean {
  return (
    one.route === other.route &&
    one.charge === other.charge &&
    one.pages === other.pages &&
    one.promotional === other.promotional &&
    (one.text === undefined) === (other.text === undefined) &&
    !one.whatsapp &&
    !other.whatsapp &&
    !one.sealed_text &&
    !other.sealed_text
  )
}

type Part = { first: DraftDelivery; deliveries: DraftDelivery[]; positions: number[] }

/** The deliveries of a message that are sent immediately, in parts that are alike. Templates and sealed texts are parts of their own. */
function partsOf({ deliveries }: Draft): Part[] {
  const parts: Part[] = []
  const open = new Map<string, Part>()
  let part: Part | undefined
  for (const [position, delivery] of deliveries.entries()) {
    if (delivery.send_at !== undefined) continue
    if (!part || part.deliveries.length === SLICE || !isAlike(part.first, delivery)) {
      const { route, pages, charge, text, whatsapp, sealed_text, promotional } = delivery
      const alike = `${route} ${pages} ${charge} ${text === undefined} ${promotional}`
      const kind = whatsapp || sealed_text ? `${position}` : alike
      part = open.get(kind)
      if (!part || part.deliveries.length === SLICE) {
        part = { first: delivery, deliveries: [], positions: [] }
        open.set(kind, part)
        parts.push(part)
      }
    }
    part.deliveries.push(delivery)
    part.positions.push(position)
  }
  return parts
}

function itemOf(
  { id, channel, sender_id, content, encoding, expires_in_s, trace, template, external_ref, callback }: Draft,
  { pages, charge, text, whatsapp, sealed_text, promotional }: DraftDelivery,
  deliveries: readonly DraftDelivery[],
  positions: readonly number[] | undefined,
  draft: Draft | undefined,
): Item {
  return {
    id,
    to: deliveries.map(({ recipient }) => recipient),
    positions: positions ?? deliveries.map((_, n) => n),
    channel,
    sender_id,
    content,
    pages,
    price: charge,
    rules: rulesOf(deliveries),
    texts: text === undefined ? undefined : deliveries.map((one) => one.text ?? ''),
    whatsapp,
    is_binary: encoding === 'binary' || undefined,
    promotional: promotional || undefined,
    sealed_text,
    expires_in_s,
    trace,
    facts: { template_id: template?.id ?? null, external_ref: external_ref ?? null, callback: callback ?? null },
    draft,
  }
}

/** Most recipients of a message, or all, are charged by one rule. */
function rulesOf(deliveries: readonly DraftDelivery[]): Item['rules'] {
  const first = deliveries[0]?.price_rule_id ?? null
  if (deliveries.every(({ price_rule_id }) => price_rule_id === first)) return first === null ? undefined : [first]
  return deliveries.map(({ price_rule_id }) => price_rule_id)
}

/** The messages of a row as they are stored. */
export function writeRow({ items }: NewRow): string {
  return items.map(writeItem).join(',\n')
}

/** Written by hand: `JSON.stringify` of the whole takes three times as long. Customer input is always escaped. */
function writeItem(item: Item): string {
  const { draft, sealed_text } = item
  return (
    `{"id":"${item.id}","to":"${item.to.join(',')}","channel":"${item.channel}","pages":${item.pages},"price":${item.price}` +
    (item.rules ? `,"rules":${JSON.stringify(item.rules)}` : '') +
    positionsOf(item) +
    (draft ? messageColumns(draft) : `,"stored":true${optional('content', item.texts ? undefined : item.content)}`) +
    optional('sender_id', item.sender_id) +
    optional('texts', item.texts) +
    optional('whatsapp', item.whatsapp) +
    optional('is_binary', item.is_binary) +
    optional('promotional', item.promotional) +
    optional('sealed', sealed_text?.toString('base64')) +
    optional('expires_in_s', item.expires_in_s) +
    optional('trace', item.trace) +
    '}'
  )
}

/** Nearly always consecutive. */
function positionsOf({ positions }: Item): string {
  const first = positions[0] ?? 0
  const last = positions.at(-1) ?? 0
  return last - first === positions.length - 1 ? `,"at":${first}` : `,"positions":[${positions.join()}]`
}

/** A message as `messages_in` (functions/intake.sql) reads it, without recipients: for one that is stored immediately. */
export function writeMessage(draft: Draft): string {
  const { id, channel, pages, charge, sender_id, trace } = draft
  return (
    `{"id":"${id}","channel":"${channel}","pages":${pages},"charge":${charge}` +
    messageColumns(draft) +
    optional('sender_id', sender_id) +
    optional('trace', trace) +
    '}'
  )
}

/** The columns of `messages` that a delivery does not need. */
function messageColumns(draft: Draft): string {
  return (
    `,"is_trackable":${draft.is_trackable},"encoding":"${draft.encoding}","message_length":${draft.message_length}` +
    messageFields(draft)
  )
}

/** The lowest and the highest id of its messages. */
export function idRange({ items }: NewRow): { first_id: string; last_id: string } {
  let first_id = items[0]?.id ?? ''
  let last_id = first_id
  for (const { id } of items) {
    if (id < first_id) first_id = id
    if (id > last_id) last_id = id
  }
  return { first_id, last_id }
}

/** The lowest position of its recipients in the lists of their messages. */
export function firstPosition({ items }: NewRow): number {
  return items.reduce((least, { positions }) => Math.min(least, positions[0] ?? 0), Infinity)
}
