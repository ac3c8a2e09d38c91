import { optional, wordsOf } from './sent-answer.ts'
import type { Draft, DraftDelivery } from '../draft.ts'

/** Messages of one burst that are stored as one row, until a worker makes them into many. */
export type Bundle = {
  first_id: string
  last_id: string
  /** Recipients of all of them. */
  size: number
  /** As the database reads them (`messages_in`). */
  messages: string
}

/** Fewer are as quickly stored as what they are, and are then on their way at once. */
const WORTHWHILE = 8
/** More recipients are many rows anyway, and with more words a bundle might become larger than is good for its reader. */
const FEW_RECIPIENTS = 10
const FEW_WORDS = 8 * 1024

/**
 * Bundles the plain messages of a burst, in which they are accepted in half the time, if they are many enough. Which
 * were bundled is noted on each: the others are to be stored by themselves.
 */
export function bundleUp(drafts: readonly Draft[]): Bundle | undefined {
  for (const draft of drafts) draft.bundled = isPlain(draft)
  const plain = drafts.filter(({ bundled }) => bundled)
  const messages = plain.length < WORTHWHILE ? undefined : `[${plain.map(written).join()}]`
  if (messages === undefined || isUnreadable(messages)) {
    for (const draft of plain) draft.bundled = false
    return undefined
  }
  const ids = plain.map(({ id }) => id).sort()
  const size = plain.reduce((sum, { deliveries }) => sum + deliveries.length, 0)
  return { first_id: ids[0] ?? '', last_id: ids.at(-1) ?? '', size, messages }
}

/** What is secret, waits for its time, runs out, goes to many or says too much is stored as what it is, or in packs. */
function isPlain(draft: Draft): boolean {
  const { packs, expires_in_s, deliveries } = draft
  if (packs || expires_in_s !== undefined || deliveries.length > FEW_RECIPIENTS) return false
  return deliveries.every(isPlainDelivery) && wordsOf(draft).length <= FEW_WORDS
}

function isPlainDelivery({ sealed_text, send_at }: DraftDelivery): boolean {
  return sealed_text === undefined && send_at === undefined
}

/**
 * What the database would only notice when it reads the bundle, too late to refuse it: NUL characters and halves of a
 * character. The door lets none in; should one come another way, it is met while there is somebody to tell.
 */
function isUnreadable(messages: string): boolean {
  return messages.includes('\\u') && UNREADABLE.test(messages)
}

const UNREADABLE = /\\u(?:0000|d[89a-f])/

/** By hand: `JSON.stringify` of the whole takes three times as long. What customers wrote is always escaped. */
function written(draft: Draft): string {
  return (
    `{"id":"${draft.id}","channel":"${draft.channel}","is_trackable":${draft.is_trackable},` +
    `"encoding":"${draft.encoding}","message_length":${draft.message_length},"pages":${draft.pages},` +
    `"charge":${draft.charge},"priority":${draft.priority}` +
    optional('sender_id', draft.sender_id) +
    wordsOf(draft) +
    `,"deliveries":[${draft.deliveries.map(writtenDelivery).join()}]}`
  )
}

function writtenDelivery({ recipient, pages, charge, route, text, whatsapp }: DraftDelivery): string {
  return (
    `{"recipient":"${recipient}","pages":${pages},"charge":${charge}` +
    optional('route', route) +
    optional('text', text) +
    optional('whatsapp', whatsapp) +
    '}'
  )
}
