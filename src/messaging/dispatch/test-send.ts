import { hostname } from 'node:os'
import type { MessageCarrier, SubmitOutcome } from '../../carriers/message-carrier.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { makeBoundedCache } from '../../values/concurrency/bounded-cache.ts'
import { newId } from '../../values/id.ts'
import { isRecord } from '../../values/record.ts'
import { Refusal } from '../../values/refusal.ts'
import { asError } from '../../values/thrown.ts'
import { Type, type Static } from '../../values/schema/type.ts'

/** The text travels in a notification of PostgreSQL, which has at most 8,000 bytes. */
export const MAX_TEXT = 300
export const DEFAULT_TEST_TEXT = 'A test message.'

export const TestSendBody = Type.Object({
  recipient: Type.String({ maxLength: 40 }),
  sender_id: Type.String({ minLength: 1, maxLength: 20 }),
  text: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_TEXT })),
})
/** The recipient as digits with the country code. */
export type TestSend = Required<Static<typeof TestSendBody>>

const OUTCOMES = ['accepted', 'rejected', 'temporary', 'held', 'undelivered', 'unknown'] as const

/** What a carrier made of a test message. */
export const TestSent = Type.Object({
  /** The process that submitted it; absent if that has not answered. */
  process: Type.Optional(Type.String()),
  outcome: Type.Unsafe<SubmitOutcome['kind']>({
    type: 'string',
    enum: [...OUTCOMES],
  }),
  code: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  carrier_message_id: Type.Optional(Type.String()),
  /** Of the other segments of a long text. */
  further_ids: Type.Optional(Type.Array(Type.String())),
})
export type TestSent = Static<typeof TestSent>

/** Kinds of carriers that need nothing but a number and a text. */
export const TESTABLE_KINDS: readonly string[] = ['smpp', 'http']

const ASK = 'test-send'
const ANSWER = 'test-sent'
const READY_MS = 2_000
/** Longer than any carrier takes for an answer. */
const SENT_MS = 95_000
const MAX_REMEMBERED = 1_000

/** `to`: the instance that is to submit the message. */
type Question = { id: string; carrier: string } & ({ to?: undefined } | { to: string; message: TestSend })
/** Of an instance of this service. */
type Reply = { id: string; from: string } & ({ ready: boolean } | TestSent)

/**
 * Submits a message through one carrier, beside all routes and pauses: it is not charged and not stored here, and its
 * report is not awaited. A process with a working connection does it; only one is ever asked to.
 */
export async function testSend(
  { wakeups }: { wakeups: Wakeups },
  carrier: string,
  message: TestSend,
): Promise<TestSent> {
  const id = newId()
  let note = (_reply: Reply): void => {}
  const end = wakeups.onWake(ANSWER, (detail) => {
    const reply = readReply(detail)
    if (reply?.id === id) note(reply)
  })
  const ask = (question: Question): void => wakeups.wake(ASK, 0, JSON.stringify(question))
  try {
    let is_running = false
    const ready = await within(READY_MS, (resolve: (instance: string) => void) => {
      note = (reply) => {
        if (!('ready' in reply)) return
        is_running = true
        if (reply.ready) resolve(reply.from)
      }
      ask({ id, carrier })
    })
    if (ready === undefined) {
      const why = is_running ? 'has a working connection to' : 'runs'
      throw new Refusal('unavailable', `No process ${why} the carrier ${carrier}.`)
    }
    const sent = await within(SENT_MS, (resolve: (sent: TestSent) => void) => {
      note = (reply) => {
        if ('ready' in reply) return
        const { id: _id, from: _from, ...rest } = reply
        resolve(rest)
      }
      ask({ id, carrier, to: ready, message })
    })
    return sent ?? { outcome: 'unknown', description: 'The process has not answered.' }
  } finally {
    end()
  }
}

/** Answers test messages with the carriers of this process. */
export function startTestSends({
  wakeups,
  find,
}: {
  wakeups: Wakeups
  find: (carrier: string) => MessageCarrier | undefined
}): { stop(): Promise<void> } {
  const from = newId()
  const process_name = `${hostname()}:${process.pid}`
  // A wake-up reaches the process that announces it twice.
  const submitted = makeBoundedCache<string, true>(MAX_REMEMBERED)
  const answer = (reply: Reply): void => wakeups.wake(ANSWER, 0, JSON.stringify(reply))

  async function take(question: Question): Promise<void> {
    const { id } = question
    const carrier = find(question.carrier)
    if (!carrier) return
    if (question.to === undefined) {
      return answer({ id, from, ready: (carrier.freeCapacity?.() ?? 1) > 0 })
    }
    if (question.to !== from || submitted.get(id)) return
    submitted.set(id, true)
    answer({ id, from, process: process_name, ...(await submitTest(carrier, question.message)) })
  }

  const end = wakeups.onWake(ASK, (detail) => {
    const question = readQuestion(detail)
    if (question) void take(question)
  })
  return {
    async stop() {
      end()
    },
  }
}

async function submitTest(carrier: MessageCarrier, { recipient, sender_id, text }: TestSend): Promise<TestSent> {
  const message = {
    organisation_id: newId(),
    message_id: newId(),
    recipient,
    channel: 'sms' as const,
    sender_id,
    text,
    expires_in_s: null,
    attempt: 1,
    urgent: false,
  }
  try {
    const answers = carrier.submit([message])
    const outcome = Array.isArray(answers) ? await answers[0] : (await answers)[0]
    return outcome ? shown(outcome) : { outcome: 'unknown', description: 'The carrier did not say.' }
  } catch (fault) {
    return { outcome: 'held', description: asError(fault).message }
  }
}

function shown(outcome: SubmitOutcome): TestSent {
  return {
    outcome: outcome.kind,
    ...('code' in outcome ? { code: outcome.code } : {}),
    ...('description' in outcome ? { description: outcome.description } : {}),
    ...('carrier_message_id' in outcome ? { carrier_message_id: outcome.carrier_message_id } : {}),
    ...('further_ids' in outcome ? { further_ids: [...outcome.further_ids] } : {}),
  }
}

/** Undefined after the time. */
async function within<T>(limit_ms: number, work: (resolve: (value: T) => void) => void): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<T | undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), limit_ms)
      work(resolve)
    })
  } finally {
    clearTimeout(timer)
  }
}

function readQuestion(detail: string): Question | undefined {
  const read = parse(detail)
  if (typeof read?.id !== 'string' || typeof read.carrier !== 'string') return undefined
  const { id, carrier, to, message } = read
  if (to === undefined) return { id, carrier }
  if (typeof to !== 'string' || !isRecord(message)) return undefined
  const { recipient, sender_id, text } = message
  return {
    id,
    carrier,
    to,
    message: { recipient: String(recipient), sender_id: String(sender_id), text: String(text) },
  }
}

function readReply(detail: string): Reply | undefined {
  const read = parse(detail)
  if (typeof read?.id !== 'string' || typeof read.from !== 'string') return undefined
  const own = { id: read.id, from: read.from }
  if (typeof read.ready === 'boolean') return { ...own, ready: read.ready }
  const outcome = OUTCOMES.find((kind) => kind === read.outcome)
  if (!outcome) return undefined
  const texts = TEXTS.flatMap((key) => (typeof read[key] === 'string' ? [[key, read[key]]] : []))
  const ids = Array.isArray(read.further_ids) ? read.further_ids.filter((id) => typeof id === 'string') : []
  return { ...own, outcome, ...Object.fromEntries(texts), ...(ids.length > 0 ? { further_ids: ids } : {}) }
}

const TEXTS = ['process', 'code', 'description', 'carrier_message_id'] as const

function parse(detail: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(detail)
    return isRecord(read) ? read : undefined
  } catch {
    return undefined
  }
}
