import { isRecord } from '../values/record.ts'
import type { HookKind } from './schema.ts'

/** A message requested by a hook: a code, a text that contains one, or a plain text. */
export type HookMessage = {
  to: string
  /** The one-time password, if it is a field of its own. */
  code?: string
  /** The whole text, if the sender wrote it. */
  text?: string
  /** Not a one-time password: sent as an ordinary message. */
  plain?: true
  from?: string
}

/** Parses a payload of this kind; undefined if it has another format. */
export function readPayload(kind: HookKind, payload: unknown): HookMessage | undefined {
  if (!isRecord(payload)) return undefined
  const message = READERS[kind](payload)
  const sound = message.to !== '' && (message.code !== undefined || message.text !== undefined)
  return sound ? message : undefined
}

type Payload = Record<string, unknown>

const READERS: Record<HookKind, (payload: Payload) => HookMessage> = {
  /** `{user: {phone, new_phone, factors}, sms: {otp, sms_type, phone}}` */
  supabase: (payload) => ({ to: international(supabasePhone(payload)), ...code(at(payload, 'sms', 'otp')) }),
  /** `{to, type, payload: {code}}` */
  logto: (payload) => ({ to: at(payload, 'to'), ...code(at(payload, 'payload', 'code')) }),
  /** `{From, To, Body, Message}`: the body is the token alone, the message the sentence with it. */
  authentik: (payload) => {
    const body = first(payload, ['Body', 'body'])
    return {
      to: first(payload, ['To', 'to']),
      ...(isCode(body) ? code(body) : text(body)),
      ...text(first(payload, ['Message', 'message'])),
    }
  },
  /** `{contextInfo: {recipientPhoneNumber}, templateData: {text}, args: {code}}` */
  zitadel: (payload) => ({
    to: at(payload, 'contextInfo', 'recipientPhoneNumber'),
    ...code(at(payload, 'args', 'code') || at(payload, 'args', 'oTP') || at(payload, 'args', 'otp')),
    ...text(at(payload, 'templateData', 'text')),
  }),
  /** Depends on the operator's Jsonnet: these names, or those of Twilio's form. */
  kratos: (payload) => ({
    to: first(payload, ['to', 'To', 'recipient']),
    ...code(first(payload, ['code', 'Code'])),
    ...text(first(payload, ['body', 'Body', 'text'])),
  }),
  /** The plugin's field names are configurable. */
  keycloak: (payload) => ({
    to: first(payload, ['to', 'receiver', 'phone', 'number']),
    ...text(first(payload, ['text', 'message', 'body'])),
  }),
  /** `{message: {phoneNumber, textMessage}}` */
  fusionauth: (payload) => {
    const message = isRecord(payload.message) ? payload.message : payload
    return { to: at(message, 'phoneNumber'), ...code(at(message, 'code')), ...text(at(message, 'textMessage')) }
  },
  /** `{body, content_type, recipients: [{attribs: {phone}}]}`, a post for each subscriber. */
  listmonk: (payload) => {
    const [one]: unknown[] = Array.isArray(payload.recipients) ? payload.recipients : []
    const attribs = isRecord(one) && isRecord(one.attribs) ? one.attribs : {}
    const body = at(payload, 'body')
    return {
      to: first(attribs, ['phone', 'Phone', 'mobile', 'number']),
      ...text(at(payload, 'content_type') === 'plain' ? body : withoutTags(body)),
      plain: true,
    }
  },
  /** `{to, content, sender}` */
  novu: (payload) => {
    const from = first(payload, ['sender', 'from'])
    const named = from === '' ? {} : { from }
    return { to: first(payload, ['to', 'To']), ...text(first(payload, ['content', 'Content'])), plain: true, ...named }
  },
}

/**
 * The number that Supabase generated the code for. Since supabase/auth 2.180 that is `sms.phone`. Older versions leave it
 * out; where the rest of the payload allows more than one number, this returns none, and the post is refused: a code sent
 * to another phone of the user would let that phone confirm the change.
 */
function supabasePhone(payload: Payload): string {
  const named = at(payload, 'sms', 'phone')
  if (named !== '') return named
  const user = isRecord(payload.user) ? payload.user : {}
  const possible =
    at(payload, 'sms', 'sms_type') === 'mfa' ? factorPhones(user) : [at(user, 'phone'), at(user, 'new_phone')]
  const [only = '', ...others] = new Set(possible.filter((phone) => phone !== ''))
  return others.length === 0 ? only : ''
}

/** The challenged factor is one of them. */
function factorPhones(user: Payload): string[] {
  const factors: unknown[] = Array.isArray(user.factors) ? user.factors : []
  return factors.flatMap((factor) => (isRecord(factor) && factor.factor_type === 'phone' ? [at(factor, 'phone')] : []))
}

/** Supabase stores numbers with the country code and without the plus. */
function international(phone: string): string {
  return /^[0-9]/.test(phone) ? `+${phone}` : phone
}

function isCode(given: string): boolean {
  return /^[A-Za-z0-9]{4,10}$/.test(given)
}

function code(given: string): { code?: string } {
  return given === '' ? {} : { code: given }
}

function text(given: string): { text?: string } {
  return given.trim() === '' ? {} : { text: given.trim() }
}

/** A nested field as text; empty if absent. */
function at(payload: Payload, ...path: string[]): string {
  let found: unknown = payload
  for (const name of path) found = isRecord(found) ? found[name] : undefined
  return typeof found === 'string' || typeof found === 'number' ? String(found) : ''
}

function first(payload: Payload, names: readonly string[]): string {
  return names.map((name) => at(payload, name)).find((value) => value !== '') ?? ''
}

const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'", nbsp: ' ' }

/** Removes HTML tags of an email body. */
function withoutTags(html: string): string {
  return html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(lt|gt|amp|quot|#39|nbsp);/g, (whole, name: string) => NAMED[name] ?? whole)
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}
