import type { CarrierReceipt, CarrierReport, KnownDelivery, ReceivedFile, ReceivedText } from '../message-carrier.ts'
import { at, shortText } from '../vendor-values.ts'
import { describeError } from './codes.ts'
import { listAt } from './graph.ts'
import { readLimit } from './limit.ts'
import { readReceived } from './read-received.ts'
import type { TemplateNews } from './template-store.ts'
import { reasonOf } from './templates.ts'
import { placeholderId, readRef, type DeliveryRef } from './wire.ts'

/** The contents of a webhook of Meta's, for all numbers it concerns. */
export type WebhookContents = {
  reports: CarrierReport[]
  known: KnownDelivery[]
  /** Read receipts and price categories of delivered messages. */
  receipts: CarrierReceipt[]
  texts: (ReceivedText & { timestamp_s: number })[]
  /** Errors of failed messages, which may concern the whole number. */
  failures: { carrier: string; carrier_message_id: string; code: number; description: string }[]
  /** Templates whose status, category or quality has changed. */
  templates: TemplateNews[]
  /** Messaging limits that have changed. */
  limits: { account: string; recipients: number | null }[]
  /** Numbers whose quality has changed. */
  numbers: { carrier: string; quality: string }[]
  /** What Meta does to an account. */
  alerts: { account: string; event: string; details: string }[]
  /** Entries about unknown numbers, or without the expected fields. */
  skipped: number
}

/** Finds the carriers that an entry concerns. */
export type NumberOf = {
  byId(phone_number_id: string | undefined): { name: string; digits?: string | undefined } | undefined
  byDigits(waba_id: string | undefined, digits: string): string | undefined
  /** The accounts with this id at Meta. */
  accounts(waba_id: string | undefined): string[]
}

/** People may be offline for days. */
const REPORT_DUE_S = 72 * 3_600
const MILLISECONDS_FROM = 1e12

/** Meta puts at most 1,000 updates into a post. A larger one is stored in parts, so that it does not block others. */
const MAX_UPDATES_PER_PART = 1_000

/** Yields the contents of all entries and changes, in parts of bounded size. */
export function* readWebhook(json: unknown, numberOf: NumberOf): Generator<WebhookContents> {
  let contents = emptyContents()
  let updates = 0
  for (const addTo of updatesIn(json, numberOf)) {
    addTo(contents)
    updates += 1
    if (updates % MAX_UPDATES_PER_PART > 0) continue
    yield contents
    contents = emptyContents()
  }
  yield contents
}

function emptyContents(): WebhookContents {
  return {
    reports: [],
    known: [],
    receipts: [],
    texts: [],
    failures: [],
    templates: [],
    limits: [],
    numbers: [],
    alerts: [],
    skipped: 0,
  }
}

type Update = (contents: WebhookContents) => void

function* updatesIn(json: unknown, numberOf: NumberOf): Generator<Update> {
  for (const entry of listAt(json, 'entry')) {
    for (const change of listAt(entry, 'changes')) {
      const field = at(change, 'field')
      const value = at(change, 'value')
      if (field === 'messages') yield* messagesIn(value, numberOf)
      else if (typeof field === 'string' && Object.hasOwn(TEMPLATE_FIELDS, field)) {
        yield (contents) => readTemplate(contents, field, shortText(at(entry, 'id')), value, numberOf)
      } else if (typeof field === 'string' && Object.hasOwn(ACCOUNT_FIELDS, field)) {
        yield (contents) => ACCOUNT_FIELDS[field]?.(contents, shortText(at(entry, 'id')), value, numberOf)
      }
    }
  }
}

function* messagesIn(value: unknown, numberOf: NumberOf): Generator<Update> {
  const number = numberOf.byId(shortText(at(value, 'metadata', 'phone_number_id')))
  const [statuses, messages] = [listAt(value, 'statuses'), listAt(value, 'messages')]
  if (!number) {
    yield (contents) => (contents.skipped += statuses.length + messages.length)
    return
  }
  const { name: carrier, digits } = number
  for (const status of statuses) yield (contents) => readStatus(contents, carrier, status)
  const to = digits ?? digitsOf(at(value, 'metadata', 'display_phone_number'))
  for (const message of messages) yield (contents) => readMessage(contents, carrier, to, message)
}

function digitsOf(number: unknown): string {
  return (shortText(number) ?? '').replace(/\D/g, '').slice(0, LONGEST_NUMBER)
}

const LONGEST_NUMBER = 15

/**
 * `read` may come instead of `delivered`. `sent` is not final, but says that Meta has the message and under which id. A
 * message that `failed` was not sent.
 */
function readStatus(contents: WebhookContents, carrier: string, status: unknown): void {
  const carrier_message_id = shortText(at(status, 'id'))
  const word = at(status, 'status')
  if (carrier_message_id === undefined || !isStatus(word)) {
    contents.skipped += 1
    return
  }
  const about = { carrier, carrier_message_id }
  const ref = readRef(at(status, 'biz_opaque_callback_data'))
  if (ref) contents.known.push({ ...about, ...ref, report_due_s: REPORT_DUE_S, placeholder_id: placeholderId(ref) })
  if (word === 'delivered' || word === 'read') {
    contents.reports.push({ ...about, status: 'delivered', code: '000', description: word })
    if (ref) contents.receipts.push(...readReceipt(ref, word, status))
  } else if (word === 'failed') {
    const [error] = listAt(status, 'errors')
    const code = codeOf(at(error, 'code'))
    const theirs = shortText(at(error, 'error_data', 'details')) ?? shortText(at(error, 'title'))
    const description = describeError(code, theirs)
    contents.failures.push({ ...about, code, description })
    contents.reports.push({ ...about, status: 'rejected', code: String(code), description })
  }
}

/** 0: none. */
function codeOf(given: unknown): number {
  const code = typeof given === 'number' || typeof given === 'string' ? Number(given) : 0
  return Number.isSafeInteger(code) ? code : 0
}

const CATEGORY = /^[a-z_]{1,40}$/

/** Meta names the price category with `sent`, and with `delivered` or `read`: once it is charged. */
function readReceipt(ref: DeliveryRef, word: 'delivered' | 'read', status: unknown): CarrierReceipt[] {
  const { organisation_id, message_id, recipient } = ref
  const category = at(status, 'pricing', 'category')
  const known = typeof category === 'string' && CATEGORY.test(category.toLowerCase())
  if (word !== 'read' && !known) return []
  const reported_s = readTimestamp(at(status, 'timestamp'))
  return [
    {
      organisation_id,
      message_id,
      recipient,
      reported_s,
      ...(word === 'read' ? { read_s: reported_s } : {}),
      ...(known ? { price_category: category.toLowerCase() } : {}),
    },
  ]
}

function isStatus(word: unknown): word is 'sent' | 'delivered' | 'read' | 'failed' {
  return word === 'sent' || word === 'delivered' || word === 'read' || word === 'failed'
}

/** People with a WhatsApp user name may have no number; their messages cannot be answered and are skipped. */
function readMessage(contents: WebhookContents, carrier: string, to: string, message: unknown): void {
  const received_id = shortText(at(message, 'id'))
  const from = shortText(at(message, 'from'))
  if (received_id === undefined || from === undefined || !/^\d{7,15}$/.test(from) || to === '') {
    contents.skipped += 1
    return
  }
  const timestamp_s = readTimestamp(at(message, 'timestamp'))
  const media = fileOf(message)
  contents.texts.push({
    carrier,
    from,
    to,
    channel: 'whatsapp',
    received_id,
    timestamp_s,
    ...readReceived(message),
    ...(media ? { media } : {}),
  })
}

const FILES = new Set(['image', 'video', 'audio', 'document', 'sticker'])
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,60}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,100}$/

/** The type may have parameters: `audio/ogg; codecs=opus`. */
function fileOf(message: unknown): ReceivedFile | undefined {
  const kind = shortText(at(message, 'type')) ?? ''
  const carrier_media_id = FILES.has(kind) ? shortText(at(message, kind, 'id')) : undefined
  if (carrier_media_id === undefined) return undefined
  const type =
    shortText(at(message, kind, 'mime_type'))
      ?.split(';')[0]
      ?.trim()
      .toLowerCase() ?? ''
  const filename = shortText(at(message, kind, 'filename'))?.replaceAll(/[/\\]/g, '_')
  return {
    carrier_media_id,
    type: MEDIA_TYPE.test(type) ? type : 'application/octet-stream',
    ...(filename === undefined ? {} : { filename }),
  }
}

/** Seconds, sometimes milliseconds, as text or number. Anything else, or a time in the future, counts as now. */
export function readTimestamp(given: unknown): number {
  const number = Number(given)
  const now = Date.now() / 1_000
  if (!Number.isFinite(number) || number <= 0) return now
  return Math.min(now, number >= MILLISECONDS_FROM ? number / 1_000 : number)
}

/** What the webhooks about templates say. */
const TEMPLATE_FIELDS: Record<string, (value: unknown) => Omit<TemplateNews, 'carrier' | 'name' | 'language'>> = {
  message_template_status_update(value) {
    const event = shortText(at(value, 'event'))?.toUpperCase()
    const detailed = reasonOf(at(value, 'rejection_info', 'reason')) ?? reasonOf(at(value, 'other_info', 'description'))
    const reason = detailed ?? reasonOf(at(value, 'reason'))
    const category = shortText(at(value, 'message_template_category'))
    // These say how Meta judges it; whether it may be sent does not change.
    if (event === undefined || event === 'FLAGGED' || event === 'LOCKED' || event === 'LIMIT_EXCEEDED')
      return { reason }
    return { status: event === 'REINSTATED' ? 'APPROVED' : event, reason, category }
  },
  message_template_quality_update: (value) => ({ quality: shortText(at(value, 'new_quality_score')) }),
  template_category_update: (value) => ({ category: shortText(at(value, 'new_category')) }),
}

function readTemplate(
  contents: WebhookContents,
  field: string,
  waba_id: string | undefined,
  value: unknown,
  numberOf: NumberOf,
): void {
  const name = shortText(at(value, 'message_template_name'))
  const language = shortText(at(value, 'message_template_language'))
  const news = TEMPLATE_FIELDS[field]?.(value)
  if (name === undefined || language === undefined || !news) return
  for (const carrier of numberOf.accounts(waba_id)) contents.templates.push({ carrier, name, language, ...news })
}

type ReadAccount = (contents: WebhookContents, waba_id: string | undefined, value: unknown, numberOf: NumberOf) => void

/** The throughput of a number, which these events write in the fields of the messaging limit. */
const THROUGHPUT = new Set(['ONBOARDING', 'THROUGHPUT_UPGRADE'])

/** Events of an account after which Meta refuses messages, or all of them. */
const RESTRICTING = new Set(['ACCOUNT_DELETED', 'ACCOUNT_RESTRICTION', 'ACCOUNT_VIOLATION', 'DISABLED_UPDATE'])

/** What the webhooks about numbers and accounts say. */
const ACCOUNT_FIELDS: Record<string, ReadAccount> = {
  phone_number_quality_update(contents, waba_id, value, numberOf) {
    const event = shortText(at(value, 'event'))?.toUpperCase() ?? ''
    const carrier = numberOf.byDigits(waba_id, digitsOf(at(value, 'display_phone_number')))
    if (event === 'FLAGGED' && carrier !== undefined) contents.numbers.push({ carrier, quality: 'RED' })
    if (THROUGHPUT.has(event)) return
    addLimit(
      contents,
      waba_id,
      at(value, 'max_daily_conversations_per_business') ?? at(value, 'current_limit'),
      numberOf,
    )
  },
  business_capability_update(contents, waba_id, value, numberOf) {
    const given = at(value, 'max_daily_conversations_per_business') ?? at(value, 'max_daily_conversation_per_phone')
    addLimit(contents, waba_id, given, numberOf)
  },
  account_update(contents, waba_id, value, numberOf) {
    const event = shortText(at(value, 'event'))?.toUpperCase()
    if (event === undefined || !RESTRICTING.has(event)) return
    const [restriction] = listAt(value, 'restriction_info')
    const details = [
      at(restriction, 'restriction_type'),
      at(restriction, 'expiration'),
      at(value, 'violation_info', 'violation_type'),
      at(value, 'ban_info', 'waba_ban_state'),
    ].flatMap((one) => shortText(one) ?? [])
    for (const account of numberOf.accounts(waba_id)) {
      contents.alerts.push({ account, event, details: details.join(' ') })
    }
  },
}

function addLimit(contents: WebhookContents, waba_id: string | undefined, given: unknown, numberOf: NumberOf): void {
  const recipients = readLimit(given)
  if (recipients === undefined) return
  for (const account of numberOf.accounts(waba_id)) contents.limits.push({ account, recipients })
}
