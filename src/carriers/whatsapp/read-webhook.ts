import type { CarrierReport, KnownDelivery, ReceivedText } from '../message-carrier.ts'
import { at, words } from '../vendor-words.ts'
import { describeError } from './codes.ts'
import { listAt } from './graph.ts'
import { readRef, standIn } from './wire.ts'

/** What a webhook of Meta's tells, for all the numbers it speaks of. */
export type News = {
  reports: CarrierReport[]
  known: KnownDelivery[]
  texts: (ReceivedText & { timestamp_s: number })[]
  /** Errors of messages that failed, which may concern the whole number. */
  failures: { carrier: string; carrier_message_id: string; code: number; description: string }[]
  /** Templates whose state has changed. */
  templates: { carrier: string; name: string; language: string; status: string }[]
  /** Entries about numbers that are not ours, or that make no sense. */
  skipped: number
}

/** Which of our numbers an entry is about, by the id of the number or of its business account. */
export type NumberOf = (ids: { phone_number_id?: string | undefined; waba_id?: string | undefined }) => string[]

/** People may be offline for days. */
const REPORT_DUE_S = 72 * 3_600
const MILLISECONDS_FROM = 1e12

/** Meta puts at most 1,000 updates into a post. A post with more is taken in parts, so that others are served in between. */
const UPDATES_AT_ONCE = 1_000

/** All entries, all changes, all statuses: a webhook may hold many of each. */
export function* readWebhook(json: unknown, numberOf: NumberOf): Generator<News> {
  let news = noNews()
  let updates = 0
  for (const addTo of updatesIn(json, numberOf)) {
    addTo(news)
    updates += 1
    if (updates % UPDATES_AT_ONCE > 0) continue
    yield news
    news = noNews()
  }
  yield news
}

function noNews(): News {
  return { reports: [], known: [], texts: [], failures: [], templates: [], skipped: 0 }
}

type Update = (news: News) => void

function* updatesIn(json: unknown, numberOf: NumberOf): Generator<Update> {
  for (const entry of listAt(json, 'entry')) {
    for (const change of listAt(entry, 'changes')) {
      const field = at(change, 'field')
      const value = at(change, 'value')
      if (field === 'messages') yield* messagesIn(value, numberOf)
      else if (field === 'message_template_status_update') {
        yield (news) => readTemplate(news, words(at(entry, 'id')), value, numberOf)
      }
    }
  }
}

function* messagesIn(value: unknown, numberOf: NumberOf): Generator<Update> {
  const [carrier] = numberOf({ phone_number_id: words(at(value, 'metadata', 'phone_number_id')) })
  const [statuses, messages] = [listAt(value, 'statuses'), listAt(value, 'messages')]
  if (carrier === undefined) {
    yield (news) => (news.skipped += statuses.length + messages.length)
    return
  }
  for (const status of statuses) yield (news) => readStatus(news, carrier, status)
  const to = (words(at(value, 'metadata', 'display_phone_number')) ?? '').replace(/\D/g, '')
  for (const message of messages) yield (news) => readMessage(news, carrier, to, message)
}

/**
 * `read` comes instead of `delivered` when somebody looks at once. `sent` says nothing about the end, but that Meta has
 * the message, and under which id. A message that failed was not carried.
 */
function readStatus(news: News, carrier: string, status: unknown): void {
  const carrier_message_id = words(at(status, 'id'))
  const word = at(status, 'status')
  if (carrier_message_id === undefined || !isStatus(word)) {
    news.skipped += 1
    return
  }
  const about = { carrier, carrier_message_id }
  const ref = readRef(at(status, 'biz_opaque_callback_data'))
  if (ref) news.known.push({ ...about, ...ref, report_due_s: REPORT_DUE_S, stand_in: standIn(ref) })
  if (word === 'delivered' || word === 'read') {
    news.reports.push({ ...about, status: 'delivered', code: '000', description: word })
  } else if (word === 'failed') {
    const [error] = listAt(status, 'errors')
    const code = Number(at(error, 'code') ?? 0)
    const theirs = words(at(error, 'error_data', 'details')) ?? words(at(error, 'title'))
    const description = describeError(code, theirs)
    news.failures.push({ ...about, code, description })
    news.reports.push({ ...about, status: 'rejected', code: String(code), description })
  }
}

function isStatus(word: unknown): word is 'sent' | 'delivered' | 'read' | 'failed' {
  return word === 'sent' || word === 'delivered' || word === 'read' || word === 'failed'
}

/** People with a WhatsApp user name may have no number; there is nobody to answer then. */
function readMessage(news: News, carrier: string, to: string, message: unknown): void {
  const received_id = words(at(message, 'id'))
  const from = words(at(message, 'from'))
  if (received_id === undefined || from === undefined || !/^\d{7,15}$/.test(from) || to === '') {
    news.skipped += 1
    return
  }
  const timestamp_s = readTimestamp(at(message, 'timestamp'))
  news.texts.push({ carrier, from, to, text: textOf(message), channel: 'whatsapp', received_id, timestamp_s })
}

/** Seconds, sometimes milliseconds, as text or number; now where it is neither, or still to come. */
export function readTimestamp(given: unknown): number {
  const number = Number(given)
  const now = Date.now() / 1_000
  if (!Number.isFinite(number) || number <= 0) return now
  return Math.min(now, number >= MILLISECONDS_FROM ? number / 1_000 : number)
}

const LONGEST_TEXT = 4_096

/** What the person wrote or chose; of a picture or the like its caption, or what it is. */
function textOf(message: unknown): string {
  const type = words(at(message, 'type')) ?? 'unknown'
  const written = [
    at(message, 'text', 'body'),
    at(message, 'button', 'text'),
    at(message, 'interactive', 'button_reply', 'title'),
    at(message, 'interactive', 'list_reply', 'title'),
    at(message, type, 'caption'),
  ].find((text) => typeof text === 'string' && text !== '')
  const text = typeof written === 'string' ? written : `[${type}]`
  return text.replaceAll('\u0000', '').slice(0, LONGEST_TEXT)
}

function readTemplate(news: News, waba_id: string | undefined, value: unknown, numberOf: NumberOf): void {
  const name = words(at(value, 'message_template_name'))
  const language = words(at(value, 'message_template_language'))
  const status = words(at(value, 'event'))
  if (name === undefined || language === undefined || status === undefined) return
  for (const carrier of numberOf({ waba_id })) news.templates.push({ carrier, name, language, status })
}
