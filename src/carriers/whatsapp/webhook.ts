import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Db } from '../../db/connect.ts'
import type { Log } from '../../values/log.ts'
import { isSameSecret } from '../../values/secrets/same-secret.ts'
import { parseJsonOrRefuse } from '../../values/input/parse-json.ts'
import type { TakeOptouts, TakeReports, TakeTexts } from '../message-carrier.ts'
import { pauseCarrier } from '../pauses-store.ts'
import { judgeError } from './codes.ts'
import { readWebhook, type News, type NumberOf } from './read-webhook.ts'
import type { WhatsappSettings } from './schema.ts'
import { findOrganisations, noteReceived, noteTemplateStatuses } from './store.ts'

export type WebhookDeps = {
  db: Db
  log: Log
  takeReports: TakeReports
  takeTexts: TakeTexts
  takeOptouts: TakeOptouts
}

/** Where Meta tells about messages: its question when the address is registered, and then the news, signed. */
export type WhatsappWebhook = {
  has(carrier: string): boolean
  /** What is to be echoed; undefined when whoever asks does not know the token. */
  challenge(carrier: string, query: Record<string, unknown>): string | undefined
  /** Resolves once everything is stored; false when it is not signed with one of the secrets. */
  take(carrier: string, raw: Buffer, signature: unknown): Promise<boolean>
}

const LONGEST_CHALLENGE = 200

export function makeWhatsappWebhook(deps: WebhookDeps, numbers: readonly WhatsappSettings[]): WhatsappWebhook {
  const by_name = new Map(numbers.map((settings) => [settings.name, settings]))
  return {
    has: (carrier) => by_name.has(carrier),
    challenge(carrier, query) {
      const token = by_name.get(carrier)?.verify_token
      const given = query['hub.verify_token']
      const challenge = query['hub.challenge']
      if (token === undefined || query['hub.mode'] !== 'subscribe' || typeof given !== 'string') return undefined
      if (typeof challenge !== 'string' || challenge.length > LONGEST_CHALLENGE) return undefined
      return isSameSecret(given, token) ? challenge : undefined
    },
    async take(carrier, raw, signature) {
      const settings = by_name.get(carrier)
      if (!settings || !isSigned(raw, signature, settings)) return false
      // One address may serve several numbers of an app; it speaks for those whose secret it knows.
      const signed = numbers.filter((one) => isSigned(raw, signature, one))
      const json = parseJsonOrRefuse(raw.toString('utf8'))
      for (const news of readWebhook(json, numberAmong(signed))) await takeNews(deps, news, carrier)
      return true
    },
  }
}

function numberAmong(numbers: readonly WhatsappSettings[]): NumberOf {
  return ({ phone_number_id, waba_id }) =>
    numbers
      .filter((one) => one.phone_number_id === phone_number_id || (waba_id !== undefined && one.waba_id === waba_id))
      .map(({ name }) => name)
}

/** The window is noted last: until the text is stored nobody has read it. */
async function takeNews(deps: WebhookDeps, news: News, carrier: string): Promise<void> {
  await Promise.all([
    deps.takeReports(news.reports, news.known),
    noteTemplateStatuses(deps.db, news.templates),
    ...distinct(news.failures).map((failure) => pauseAfter(deps, failure)),
  ])
  await takeOptouts(deps, news)
  await deps.takeTexts(news.texts.map(({ timestamp_s: _known_here, ...text }) => text))
  await noteReceived(
    deps.db,
    news.texts.map((text) => ({ carrier: text.carrier, recipient: text.from, timestamp_s: text.timestamp_s })),
  )
  if (news.skipped > 0) deps.log.warn({ carrier, entries: news.skipped }, 'a WhatsApp webhook held entries of no use')
}

/** Behind the reports: then the messages are known under the ids that the statuses name. */
async function takeOptouts({ db, takeOptouts: take }: WebhookDeps, { failures }: News): Promise<void> {
  const stopped = failures.filter(({ code }) => {
    const verdict = judgeError(code, 200, 1)
    return verdict.action === 'fail' && verdict.opted_out
  })
  if (stopped.length > 0) await take(await findOrganisations(db, stopped))
}

/** One of each error of a number: they are all the same pause. */
function distinct(failures: News['failures']): News['failures'] {
  return [...new Map(failures.map((failure) => [`${failure.carrier} ${failure.code}`, failure])).values()]
}

async function pauseAfter({ db, log }: WebhookDeps, failure: News['failures'][number]): Promise<void> {
  const { carrier, code, description } = failure
  const verdict = code === 0 ? undefined : judgeError(code, 200, 1)
  if (verdict?.action !== 'pause') return
  await pauseCarrier(db, carrier, { for_s: verdict.for_s, code: String(code), reason: description })
  log.error({ carrier, code, reason: description, for_s: verdict.for_s }, 'a WhatsApp number is stopped')
}

const SIGNATURE = /^sha256=([0-9a-f]{64})$/

/** Over the bytes as they came: what was parsed and written again is other bytes. */
function isSigned(raw: Buffer, signature: unknown, { app_secrets }: WhatsappSettings): boolean {
  const given = typeof signature === 'string' ? SIGNATURE.exec(signature)?.[1] : undefined
  if (given === undefined) return false
  const bytes = Buffer.from(given, 'hex')
  return app_secrets.some((secret) => timingSafeEqual(createHmac('sha256', secret).update(raw).digest(), bytes))
}
