import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Db } from '../../db/connect.ts'
import type { Log } from '../../values/log.ts'
import { Refusal } from '../../values/refusal.ts'
import { isSameSecret } from '../../values/secrets/same-secret.ts'
import { parseJsonOrRefuse } from '../../values/input/parse-json.ts'
import type { TakeOptouts, TakeReceipts, TakeReports, TakeTexts } from '../message-carrier.ts'
import { pauseCarrier } from '../availability-store.ts'
import { judgeError } from './codes.ts'
import { readWebhook, type WebhookContents, type NumberOf } from './read-webhook.ts'
import type { WhatsappSettings } from './schema.ts'
import { noteNumber, saveLimit } from './number-store.ts'
import { findOrganisations, noteReceived } from './store.ts'
import { noteTemplateNews } from './template-store.ts'

export type WebhookDeps = {
  db: Db
  log: Log
  takeReports: TakeReports
  takeReceipts: TakeReceipts
  takeTexts: TakeTexts
  takeOptouts: TakeOptouts
}

/** Receives Meta's webhooks: the verification request when the URL is registered, then signed posts. */
export type WhatsappWebhook = {
  has(carrier: string): boolean
  /** The text to echo; undefined if the token is wrong. */
  challenge(carrier: string, query: Record<string, unknown>): string | undefined
  /** Resolves once everything is stored; false if it is not signed with one of the secrets. */
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
      // One URL may serve several numbers of an app: it may speak for all whose secret signed the post.
      const signed = numbers.filter((one) => isSigned(raw, signature, one))
      const json = parseJsonOrRefuse(raw.toString('utf8'))
      let early: Refusal | undefined
      for (const contents of readWebhook(json, numberAmong(signed))) {
        early = (await storeContents(deps, contents, carrier)) ?? early
      }
      if (early) throw early
      return true
    },
  }
}

/** The first number of an account stands for it. */
function numberAmong(numbers: readonly WhatsappSettings[]): NumberOf {
  return {
    byId: (phone_number_id) => numbers.find((one) => one.phone_number_id === phone_number_id),
    byDigits: (waba_id, digits) => numbers.find((one) => one.waba_id === waba_id && one.digits === digits)?.name,
    accounts: (waba_id) => [...new Set(numbers.filter((one) => one.waba_id === waba_id).map(({ account }) => account))],
  }
}

/**
 * The window opens last: not before the text that opens it is stored. Returns the refusal of receipts for messages that
 * are not stored yet: Meta repeats the post, of which all else is stored by then.
 */
async function storeContents(
  deps: WebhookDeps,
  contents: WebhookContents,
  carrier: string,
): Promise<Refusal | undefined> {
  await Promise.all([
    deps.takeReports(contents.reports, contents.known),
    noteTemplateNews(deps.db, contents.templates),
    ...contents.limits.map(({ account, recipients }) => saveLimit(deps.db, account, recipients)),
    ...contents.numbers.map((news) => noteNumber(deps.db, news.carrier, news)),
    ...distinct(contents.failures).map((failure) => pauseAfter(deps, failure)),
  ])
  // Behind the reports, so that what was read is delivered.
  const early = await deps.takeReceipts(contents.receipts).then(() => undefined, refusalOf)
  await takeOptouts(deps, contents)
  await deps.takeTexts(contents.texts.map(({ timestamp_s: _known_here, ...text }) => text))
  await noteReceived(
    deps.db,
    contents.texts.map((text) => ({ carrier: text.carrier, recipient: text.from, timestamp_s: text.timestamp_s })),
  )
  if (contents.skipped > 0)
    deps.log.warn({ carrier, entries: contents.skipped }, 'a WhatsApp webhook had entries that could not be read')
  for (const { account, event, details } of contents.alerts) {
    deps.log.error({ carrier: account, event, details }, 'Meta restricts a WhatsApp account: the operator has to act')
  }
  return early
}

function refusalOf(fault: unknown): Refusal {
  if (fault instanceof Refusal) return fault
  throw fault
}

/** Runs after the reports, which make messages known under the ids that the statuses name. */
async function takeOptouts({ db, takeOptouts: take }: WebhookDeps, { failures }: WebhookContents): Promise<void> {
  const stopped = failures.filter(({ code }) => {
    const verdict = judgeError(code, 200, 1)
    return verdict.action === 'fail' && verdict.opted_out
  })
  if (stopped.length > 0) await take(await findOrganisations(db, stopped))
}

/** One failure per error code and number: each would cause the same pause. */
function distinct(failures: WebhookContents['failures']): WebhookContents['failures'] {
  return [...new Map(failures.map((failure) => [`${failure.carrier} ${failure.code}`, failure])).values()]
}

async function pauseAfter({ db, log }: WebhookDeps, failure: WebhookContents['failures'][number]): Promise<void> {
  const { carrier, code, description } = failure
  const verdict = code === 0 ? undefined : judgeError(code, 200, 1)
  if (verdict?.action !== 'pause') return
  await pauseCarrier(db, carrier, { for_s: verdict.for_s, code: String(code), reason: description })
  log.error({ carrier, code, reason: description, for_s: verdict.for_s }, 'a WhatsApp number is paused')
}

const SIGNATURE = /^sha256=([0-9a-f]{64})$/

/** Over the received bytes: JSON that was parsed and written again may differ. */
function isSigned(raw: Buffer, signature: unknown, { app_secrets }: WhatsappSettings): boolean {
  const given = typeof signature === 'string' ? SIGNATURE.exec(signature)?.[1] : undefined
  if (given === undefined) return false
  const bytes = Buffer.from(given, 'hex')
  return app_secrets.some((secret) => timingSafeEqual(createHmac('sha256', secret).update(raw).digest(), bytes))
}
