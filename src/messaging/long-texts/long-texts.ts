import { fromStorable, joinSegments, toStorable } from '../../carriers/codec/join-segments.ts'
import type { Concatenation } from '../../carriers/codec/udh.ts'
import { CALLBACK_QUEUE, enqueueCallbacks } from '../../callbacks/enqueue.ts'
import { smppForm } from '../../callbacks/formats/address.ts'
import { wantsReport } from '../../callbacks/formats/address.ts'
import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { findCallerOf, type Caller } from '../../organisations/store.ts'
import { startPeriodicJob, type PeriodicJob } from '../../values/concurrency/periodic-job.ts'
import { newId } from '../../values/id.ts'
import type { Log } from '../../values/log.ts'
import { Refusal, refuseIfFaulty } from '../../values/refusal.ts'
import { answerTime } from '../../values/time/moment.ts'
import type { SendDeps } from '../accept/send.ts'
import { sendText, type WholeText } from './send-text.ts'
import { findAbandoned, deleteLongText, readLongText, storeSegment, deleteSegment, type LongText } from './store.ts'

export type LongTextDeps = SendDeps & {
  db: Db
  log: Log
  /** Maximum number of incomplete long texts per organisation. */
  most_long_texts: number
}

export type SweepDeps = SendDeps & {
  db: Db
  log: Log
  wakeups: Wakeups
  /** How long to wait for missing segments. */
  long_text_wait_s: number
}

/** Limit for texts that do not arrive over SMPP, whose server has its own setting. */
export const MAX_LONG_TEXTS = 1_000
/** Default without an SMPP server. */
export const LONG_TEXT_WAIT_S = 300

/** A segment as a client submitted it. */
export type Segment = {
  /** Each account counts its own references. */
  account_id: string
  sender: string | undefined
  recipient: string
  text: string
  concatenation: Concatenation
  /** Reports requested over the bind: 0 none, 1 all, 2 failures, 3 successes. */
  wants: number
  /** `user_message_reference`, repeated in the reports of the segment. */
  user_reference?: number | null
  /** Callback address; if segments differ, the last one applies. */
  callback?: string | undefined
  is_bulk?: boolean
  send_at_ms: number | undefined
  expires_at_ms: number | undefined
}

/**
 * Stores a segment, and sends the text once all segments are stored. A segment is stored before it is answered; the answer
 * to the last one is that of the send. Returns the id of the message.
 */
export async function receiveSegment(
  deps: LongTextDeps,
  caller: Caller,
  given: Segment,
  send: typeof sendText = sendText,
): Promise<string> {
  const { reference, total, segment } = given.concatenation
  const text = await storeSegment(
    deps.db,
    {
      organisation_id: caller.organisation_id,
      account_id: given.account_id,
      sender: given.sender ?? '',
      recipient: given.recipient,
      reference,
      total,
      id: newId(),
      segment,
      text: toStorable(given.text),
      wants: given.wants,
      user_reference: given.user_reference ?? null,
      callback: given.callback ?? null,
      is_bulk: given.is_bulk ?? false,
      send_at: momentOf(given.send_at_ms),
      expires_at: momentOf(given.expires_at_ms),
    },
    deps.most_long_texts,
  )
  if (!text) throw new Refusal('unavailable', 'Too many long texts are incomplete.')
  if (lengthOf(text) > MAX_CHARACTERS) {
    await deleteSegment(deps.db, text, segment)
    const message = `The segments have more than ${MAX_CHARACTERS.toLocaleString('en')} characters together.`
    refuseIfFaulty([{ field: 'content', message, type: 'string_too_long' }])
  }
  if (isComplete(text)) {
    try {
      await send(deps, caller, completeTextOf(text))
    } catch (fault) {
      if (fault instanceof Refusal) await deleteSegment(deps.db, text, segment)
      throw fault
    }
    await deleteLongText(deps.db, text)
  }
  return text.id
}

/** Longer than any text that is sent: each segment rewrites the row. */
const MAX_CHARACTERS = 8_192

/** Sends complete texts that a crash left unsent, and gives up incomplete ones. Safe in several processes. */
export function startLongTexts(deps: SweepDeps): PeriodicJob {
  const onFailure = (err: unknown) => deps.log.warn({ err }, 'the sweep of long texts failed')
  return startPeriodicJob(SWEEP_INTERVAL_MS, () => sweepLongTexts(deps), onFailure)
}

const SWEEP_INTERVAL_MS = 5_000

async function sweepLongTexts(deps: SweepDeps): Promise<void> {
  const wait = { complete_after_s: COMPLETE_AFTER_S, wait_s: deps.long_text_wait_s, limit: SWEEP_LIMIT }
  for (const known of await findAbandoned(deps.db, wait)) {
    const text = await readLongText(deps.db, known)
    if (!text) continue
    await (isComplete(text) ? sendAbandoned(deps, text) : giveUp(deps, text, 'expired', INCOMPLETE))
  }
}

/** Longer than any send takes: a complete text that is still stored has lost its process. */
const COMPLETE_AFTER_S = 30
const SWEEP_LIMIT = 100

async function sendAbandoned(deps: SweepDeps, text: LongText): Promise<void> {
  const caller = await findCallerOf(deps.db, text.organisation_id)
  if (!caller) return
  try {
    await sendText(deps, caller, completeTextOf(text))
    await deleteLongText(deps.db, text)
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    await giveUp(deps, text, 'rejected', fault.message)
  }
}

/** Reports the failure to the client once: its segments were answered with an id, which no message has. */
async function giveUp(
  deps: SweepDeps,
  text: LongText,
  status: 'expired' | 'rejected',
  description: string,
): Promise<void> {
  const { organisation_id, account_id, id, recipient, sender, total } = text
  const callback = callbackOf(text)
  const event = {
    type: `text.${status}` as const,
    url: callback ?? null,
    subject_id: id,
    created_datetime: answerTime(Date.now()),
    data: { id, recipient: recipient.replace(/^\+/, ''), status, sender_id: sender, description },
  }
  await transaction(deps.db, async (tx) => {
    if (!(await deleteLongText(tx, text)) || callback === undefined || !wantsReport(callback, status)) return
    await enqueueCallbacks(tx, organisation_id, [event], { for_webhooks: false })
  })
  deps.wakeups.wake(CALLBACK_QUEUE, 0, organisation_id)
  const details = { organisation_id, account_id, id, total, status }
  deps.log.warn(details, 'a long text was given up: segments are missing, or it was refused')
}

const INCOMPLETE = 'segments are missing'

function isComplete({ segments }: LongText): boolean {
  return segments.every((segment) => segment !== null)
}

function lengthOf({ segments }: LongText): number {
  return segments.reduce((sum, segment) => sum + (segment?.length ?? 0), 0)
}

function completeTextOf(text: LongText): WholeText {
  const parts = text.segments.map((segment) => segment ?? '')
  return {
    id: text.id,
    sender: text.sender || undefined,
    recipient: text.recipient,
    text: fromStorable(joinSegments(parts, text.total)),
    callback: callbackOf(text),
    send_at_ms: text.send_at === null ? undefined : Date.parse(text.send_at),
    expires_at_ms: text.expires_at === null ? undefined : Date.parse(text.expires_at),
    is_bulk: text.is_bulk,
    may_repeat: true,
  }
}

/** If segments request different reports, the first one applies. */
function callbackOf({ account_id, wanted, user_references, callback }: LongText): string | undefined {
  if (callback !== null) return callback
  const segments = wanted.flatMap((wants, n) => (wants ? [n + 1] : []))
  const wants = wanted.find((one) => one)
  const own = segments.map((segment) => user_references[segment - 1] ?? null)
  return wants ? smppForm({ account_id, wants, segments, user_references: own }) : undefined
}

function momentOf(ms: number | undefined): string | null {
  return ms === undefined ? null : answerTime(ms)
}
