import { joinSegments } from '../../carriers/smpp/codec/join-segments.ts'
import { asKept, asWritten } from '../../carriers/smpp/codec/kept-text.ts'
import type { Concatenation } from '../../carriers/smpp/codec/udh.ts'
import { writeEvent } from '../../callbacks/enqueue.ts'
import { smppForm } from '../../callbacks/formats/address.ts'
import { wantsReport } from '../../callbacks/formats/wants-report.ts'
import { insertWaiting } from '../../callbacks/outbox/store.ts'
import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { findCallerOf, type Caller } from '../../organisations/store.ts'
import { newId } from '../../values/id.ts'
import type { Log } from '../../values/log.ts'
import { Refusal, refuseIfFaulty } from '../../values/refusal.ts'
import { answerTime } from '../../values/time.ts'
import type { SendDeps } from '../accept/send.ts'
import { sendText, type WholeText } from './send-text.ts'
import { findLeftBehind, forgetLongText, readLongText, storeSegment, takeBackSegment, type LongText } from './store.ts'

export type LongTextDeps = SendDeps & {
  db: Db
  log: Log
  /** Long texts of an organisation of which not all segments are here. */
  most_long_texts: number
  /** For so long the last segments are waited for. */
  long_text_wait_s: number
  /** Something waits for a receiver of the organisation. */
  wakeReceivers: (organisation_id: string) => void
}

/** A segment as a client submitted it. */
export type Segment = {
  /** Of two clients of an organisation each counts its own references. */
  account_id: string
  sender: string | undefined
  recipient: string
  text: string
  concatenation: Concatenation
  /** Which reports: 0 none, 1 all, 2 failures, 3 successes. */
  wants: number
  send_at_ms: number | undefined
  expires_at_ms: number | undefined
}

/**
 * Keeps a segment, and sends the text if with it all are here. A segment is stored before it is answered; the answer to
 * the last one is that of the send. Gives the id of the message.
 */
export async function takeSegment(
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
      text: asKept(given.text),
      wants: given.wants,
      send_at: momentOf(given.send_at_ms),
      expires_at: momentOf(given.expires_at_ms),
    },
    deps.most_long_texts,
  )
  if (!text) throw new Refusal('unavailable', 'Too many long texts are not whole yet.')
  if (lengthOf(text) > MAX_CHARACTERS) {
    await takeBackSegment(deps.db, text, segment)
    const message = `The segments have more than ${MAX_CHARACTERS.toLocaleString('en')} characters together.`
    refuseIfFaulty([{ field: 'content', message, type: 'string_too_long' }])
  }
  if (isWhole(text)) {
    try {
      await send(deps, caller, wholeOf(text))
    } catch (fault) {
      if (fault instanceof Refusal) await takeBackSegment(deps.db, text, segment)
      throw fault
    }
    await forgetLongText(deps.db, text)
  }
  return text.id
}

/** More than is ever sent; every segment that comes rewrites all that is here. */
const MAX_CHARACTERS = 8_192

/** Deals with what was left behind. Several processes doing so is harmless. */
export async function sweepLongTexts(deps: LongTextDeps): Promise<void> {
  const wait = { whole_after_s: WHOLE_AFTER_S, wait_s: deps.long_text_wait_s, limit: SWEEP_LIMIT }
  for (const known of await findLeftBehind(deps.db, wait)) {
    const text = await readLongText(deps.db, known)
    if (!text) continue
    await (isWhole(text) ? sendLeftBehind(deps, text) : giveUp(deps, text, 'expired'))
  }
}

/** Longer than any answer takes: what is whole and still here has lost its process. */
const WHOLE_AFTER_S = 30
const SWEEP_LIMIT = 100

async function sendLeftBehind(deps: LongTextDeps, text: LongText): Promise<void> {
  const caller = await findCallerOf(deps.db, text.organisation_id)
  if (!caller) return
  try {
    await sendText(deps, caller, wholeOf(text))
    await forgetLongText(deps.db, text)
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    await giveUp(deps, text, 'rejected')
  }
}

/** Its segments were answered with an id: what came of them is told as a report, once. */
async function giveUp(deps: LongTextDeps, text: LongText, status: 'expired' | 'rejected'): Promise<void> {
  const { organisation_id, account_id, id, recipient, sender } = text
  const callback = callbackOf(text)
  const data = { id, recipient: recipient.replace(/^\+/, ''), status, sender_id: sender, description: INCOMPLETE }
  await transaction(deps.db, async (tx) => {
    if (!(await forgetLongText(tx, text)) || callback === undefined || !wantsReport(callback, status)) return
    const event = writeEvent(`text.${status}`, answerTime(Date.now()), data)
    await insertWaiting(tx, organisation_id, [{ id: event.id, account_id, address: callback, body: event.body }])
  })
  deps.wakeReceivers(organisation_id)
  const details = { organisation_id, account_id, id, total: text.total, status }
  deps.log.warn(details, 'a long text was given up: not all of its segments came, or it was refused')
}

const INCOMPLETE = 'not all segments came'

function isWhole({ segments }: LongText): boolean {
  return segments.every((segment) => segment !== null)
}

function lengthOf({ segments }: LongText): number {
  return segments.reduce((sum, segment) => sum + (segment?.length ?? 0), 0)
}

function wholeOf(text: LongText): WholeText {
  const parts = text.segments.map((segment) => segment ?? '')
  return {
    id: text.id,
    sender: text.sender || undefined,
    recipient: text.recipient,
    text: asWritten(joinSegments(parts, text.total)),
    callback: callbackOf(text),
    send_at_ms: text.send_at === null ? undefined : Date.parse(text.send_at),
    expires_at_ms: text.expires_at === null ? undefined : Date.parse(text.expires_at),
    may_repeat: true,
  }
}

/** Of segments that want different reports, the first decides which. */
function callbackOf({ account_id, wanted }: LongText): string | undefined {
  const segments = wanted.flatMap((wants, n) => (wants ? [n + 1] : []))
  const wants = wanted.find((one) => one)
  return wants ? smppForm({ account_id, wants, segments }) : undefined
}

function momentOf(ms: number | undefined): string | null {
  return ms === undefined ? null : answerTime(ms)
}
