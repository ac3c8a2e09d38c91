import type { Channel, OutgoingTemplate } from '../../carriers/message-carrier.ts'
import { newId } from '../../values/id.ts'
import type { Draft, DraftDelivery } from '../draft.ts'
import { messageWords, optional } from './words.ts'

/** Recipients of one row at most: it is claimed whole, and how much of it was handed over is a single number. */
export const SLICE = 256
/** Letters of one row, about, unless a single message has more: whoever opens it reads all of it. */
const LETTERS = 256 * 1_024

/** A row of the intake that is about to be stored. */
export type NewRow = {
  id: string
  route: string
  priority: number
  /** Recipients. */
  size: number
  items: Item[]
}

/**
 * A message, or the part of one, in the intake: recipients who share everything but their number and perhaps their text.
 * With `stored` the message is in its table already.
 */
export type Item = {
  id: string
  to: readonly string[]
  /** Where in the message's list each of them is. */
  positions: readonly number[]
  channel: Channel
  sender_id: string | null
  content: string | null
  pages: number
  /** Of each recipient. */
  price: bigint
  texts?: readonly string[] | undefined
  whatsapp?: OutgoingTemplate | undefined
  /** The content is no text (`BinaryText`). */
  is_binary?: boolean | undefined
  promotional?: boolean | undefined
  sealed_text?: Buffer | undefined
  expires_in_s?: number | undefined
  trace?: string | undefined
  /** What is told of its message. Read back, that of a message which is stored is not known. */
  facts?: MessageFacts | undefined
  /** What it is written from, unless it is stored. */
  draft?: Draft | undefined
}

export type MessageFacts = { template_id: string | null; external_ref: string | null; callback: string | null }

/** What of a burst goes into the intake, and which messages are stored as they are, because they go several ways. */
export function fillRows(drafts: readonly Draft[]): { rows: NewRow[]; stored: Draft[] } {
  const rows: NewRow[] = []
  const open = new Map<string, { row: NewRow; letters: number }>()
  const stored: Draft[] = []

  function put(route: string, { priority, has_own_rows }: Draft, item: Item): void {
    const key = `${priority} ${route} ${has_own_rows ? item.id : ''}`
    const letters = lettersOf(item)
    let last = open.get(key)
    if (!last || last.row.size + item.to.length > SLICE || last.letters + letters > LETTERS) {
      last = { row: { id: newId(), route, priority, size: 0, items: [] }, letters: 0 }
      open.set(key, last)
      rows.push(last.row)
    }
    last.row.items.push(item)
    last.row.size += item.to.length
    last.letters += letters
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

/** What customers wrote; the rest of an item is short. */
function lettersOf({ draft, content, texts = [] }: Item): number {
  const words = draft ? messageWords(draft).length : (content?.length ?? 0)
  return texts.reduce((sum, { length }) => sum + length, words)
}

/** It goes one way, at once, and fits into a row. */
function isWhole({ deliveries }: Draft, first: DraftDelivery): boolean {
  if (deliveries.length === 1) return first.send_at === undefined
  return deliveries.length <= SLICE && deliveries.every((one) => one.send_at === undefined && isAlike(first, one))
}

/** They differ in nothing but their number and the words of their text. */
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

/** What goes at once of a message, in parts that are alike. Special ones are parts by themselves. */
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

/** The messages of a row as they are stored. */
export function writeRow({ items }: NewRow): string {
  return items.map(writeItem).join(',\n')
}

/** By hand: `JSON.stringify` of the whole takes three times as long. What customers wrote is always escaped. */
function writeItem(item: Item): string {
  const { draft, sealed_text } = item
  return (
    `{"id":"${item.id}","to":"${item.to.join(',')}","channel":"${item.channel}","pages":${item.pages},"price":${item.price}` +
    positionsOf(item) +
    (draft ? restOf(draft) : `,"stored":true${optional('content', item.texts ? undefined : item.content)}`) +
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

/** Nearly always they are one after the other. */
function positionsOf({ positions }: Item): string {
  const first = positions[0] ?? 0
  const last = positions.at(-1) ?? 0
  return last - first === positions.length - 1 ? `,"at":${first}` : `,"positions":[${positions.join()}]`
}

/** What only the message's own row will have. */
function restOf(draft: Draft): string {
  return (
    `,"is_trackable":${draft.is_trackable},"encoding":"${draft.encoding}","message_length":${draft.message_length}` +
    messageWords(draft)
  )
}

/** The lowest and the highest of its messages' ids. */
export function idRange({ items }: NewRow): { first_id: string; last_id: string } {
  let first_id = items[0]?.id ?? ''
  let last_id = first_id
  for (const { id } of items) {
    if (id < first_id) first_id = id
    if (id > last_id) last_id = id
  }
  return { first_id, last_id }
}

/** The first place its recipients have in the list of their message. */
export function firstPosition({ items }: NewRow): number {
  return items.reduce((least, { positions }) => Math.min(least, positions[0] ?? 0), Infinity)
}
