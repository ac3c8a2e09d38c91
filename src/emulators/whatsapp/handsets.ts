import { setTimeout as delay } from 'node:timers/promises'
import type { CloudApi, Mood, Taken } from './cloud-api.ts'
import { answerTo } from './answer.ts'
import type { CloudTemplate } from './templates.ts'
import { failure, inbound, messagesBody, post, pricingOf, statusOf, templateBody, type NumberIds } from './webhooks.ts'
import { textOr } from './read.ts'

export type HandsetOptions = {
  /** The webhook of the installation, and the app secret that signs. */
  webhook_url: string
  app_secret: string
  /** Chooses what becomes of an accepted message. */
  fate: () => 'read' | 'delivered' | 'failed' | 'nothing'
  /** Chooses a treatment other than that of the rules below. */
  treat: () => Mood
  /** How long Meta takes to review a template. Names that contain `reject` are rejected. */
  review_ms: number
  /** How long a message takes to arrive, and a person to read it. */
  transit_ms: number
  onNote?: (sentence: string) => void
}

export type Handsets = {
  /** A person writes to a number, the first without it; false if the webhook was not acknowledged. */
  write(from: string, message: object, to?: NumberIds): Promise<boolean>
  /** What a person sends who answers the last message with this text. */
  answer(from: string, text: string): object
  /** A person sends a file. */
  sendFile(from: string, file: { bytes: Buffer; type: string; filename: string }, to?: NumberIds): Promise<boolean>
  /** Resolves once every webhook is acknowledged or given up. */
  quiet(): Promise<void>
}

const WINDOW_MS = 24 * 3_600_000
/** A number sends 80 messages a second; a person gets one in six seconds, after a burst of 45. */
const RATE_PER_S = 80
const PAIR_S = 6
const PAIR_BURST = 45

/** The people behind the emulator: their phones receive, read and write, and Meta reviews templates. */
export function startHandsets(api: CloudApi, options: HandsetOptions): Handsets {
  const wrote_ms = new Map<string, number>()
  const last = new Map<string, Taken>()
  const pairs = new Map<string, Bucket>()
  const rates = new Map<string, Bucket>()
  const busy = new Set<Promise<unknown>>()
  const notes = options.onNote ?? (() => {})
  let count = 0

  const send = (body: string): Promise<boolean> => post(options.webhook_url, body, options.app_secret)
  const status = (message: Taken, one: object): Promise<boolean> =>
    send(messagesBody([{ statuses: [one] }], api.numberOf(message.wamid)))

  function track(work: Promise<unknown>): void {
    busy.add(work)
    void work.finally(() => busy.delete(work))
  }

  api.mood = (message, from) => {
    const chosen = options.treat()
    if (chosen !== 'take') return chosen
    const rate = bucketIn(rates, from.phone_number_id, RATE_PER_S)
    if (!take(rate, RATE_PER_S, RATE_PER_S)) return { code: 130429, status: 429 }
    const pair = bucketIn(pairs, pairOf(from, message.to), PAIR_BURST)
    return take(pair, PAIR_BURST, 1 / PAIR_S) ? 'take' : { code: 131056 }
  }
  api.beforeAnswer = async (message) => {
    notes(`→ ${message.to}: ${shown(message)}`)
    last.set(message.to, message)
    track(deliver(message))
  }
  api.onTemplate = (template, change) => {
    notes(`template ${template.name} (${template.language}): ${change}`)
    if (change === 'review') track(review(template))
  }

  async function deliver(message: Taken): Promise<void> {
    await delay(options.transit_ms)
    const pair = pairOf(api.numberOf(message.wamid), message.to)
    const is_open = (wrote_ms.get(pair) ?? -Infinity) > Date.now() - WINDOW_MS
    // Meta accepts it, and reports by webhook that the window is closed.
    if (message.type !== 'template' && !is_open) return void (await status(message, failure(message, 131047)))
    const fate = options.fate()
    if (fate === 'nothing') return
    if (fate === 'failed') return void (await status(message, failure(message, 131026)))
    const pricing = pricingOf(categoryOf(message), message.type === 'template')
    await status(message, statusOf(message, 'sent', pricing))
    await delay(options.transit_ms)
    await status(message, statusOf(message, 'delivered', pricing))
    if (fate !== 'read') return
    await delay(options.transit_ms)
    await status(message, statusOf(message, 'read'))
  }

  function categoryOf({ template }: Taken): string {
    const known = api.templates.find(
      (one) => one.name === template?.name && (one.language ?? 'en') === template?.language.code,
    )
    return template ? textOr(known ?? {}, 'category', 'utility').toLowerCase() : 'service'
  }

  async function review(template: CloudTemplate): Promise<void> {
    await delay(options.review_ms)
    const rejected = template.name.includes('reject')
    template.status = rejected ? 'REJECTED' : 'APPROVED'
    const reason = rejected ? 'TAG_CONTENT_MISMATCH' : 'NONE'
    if (rejected) template.rejected_reason = reason
    notes(`template ${template.name} (${template.language}): ${template.status.toLowerCase()}`)
    const event = { event: template.status, reason, message_template_category: template.category }
    await send(templateBody(api.number, template, 'message_template_status_update', event))
  }

  async function write(from: string, message: object, to = api.number): Promise<boolean> {
    count += 1
    wrote_ms.set(pairOf(to, from), Date.now())
    const contacts = [{ profile: { name: `Person ${from.slice(-4)}` }, wa_id: from }]
    const one = { ...inbound(`wamid.IN${Date.now()}${count}`, from, ''), ...message }
    return send(messagesBody([{ contacts, messages: [one] }], to))
  }

  return {
    write,
    async sendFile(from, { bytes, type, filename }, to) {
      const { kind, file } = api.media.receive(bytes, type)
      const own = kind === 'document' ? { ...file, filename } : file
      return write(from, { type: kind, text: undefined, [kind]: own }, to)
    },
    answer: (from, text) => answerTo(last.get(from), text, api.templates),
    async quiet() {
      while (busy.size > 0) await Promise.all(busy)
    },
  }
}

/** Windows and pair rates are those of a person with a number. */
function pairOf({ phone_number_id }: NumberIds, person: string): string {
  return `${phone_number_id} ${person}`
}

function bucketIn(buckets: Map<string, Bucket>, key: string, tokens: number): Bucket {
  const bucket = buckets.get(key) ?? { tokens, at_ms: Date.now() }
  buckets.set(key, bucket)
  return bucket
}

type Bucket = { tokens: number; at_ms: number }

function take(bucket: Bucket, most: number, per_s: number): boolean {
  const now = Date.now()
  bucket.tokens = Math.min(most, bucket.tokens + ((now - bucket.at_ms) / 1_000) * per_s)
  bucket.at_ms = now
  if (bucket.tokens < 1) return false
  bucket.tokens -= 1
  return true
}

function shown({ type, text, template }: Taken): string {
  if (text) return text.body
  return template ? `${template.name} ${JSON.stringify(template.components)}` : `[${type}]`
}
