import { joinSegments } from '../carriers/smpp/codec/join-segments.ts'
import { asKept, asWritten } from '../carriers/smpp/codec/kept-text.ts'
import { writeEvent } from '../callbacks/enqueue.ts'
import { smppForm } from '../callbacks/formats/address.ts'
import { insertWaiting } from '../callbacks/outbox/store.ts'
import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import type { SendDeps } from '../messaging/accept/send.ts'
import { findCallerOf, type Caller } from '../organisations/store.ts'
import { newId } from '../values/id.ts'
import type { Log } from '../values/log.ts'
import { Refusal, refuseIfFaulty } from '../values/refusal.ts'
import { answerTime } from '../values/time.ts'
import {
  findLeftBehind,
  forgetLongText,
  readLongText,
  storeSegment,
  takeBackSegment,
  type LongText,
} from './long-text-store.ts'
import type { Submit } from './read-submit.ts'
import { isRefused, sendText, type WholeText } from './send-submit.ts'

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

/**
 * Keeps a segment, and sends the text if with it all are here. A segment is stored before it is answered; the answer to
 * the last one is that of the send. Gives the id to answer with.
 */
export async function takeSegment(
  deps: LongTextDeps,
  caller: Caller,
  account_id: string,
  submit: Submit & { concatenation: NonNullable<Submit['concatenation']> },
): Promise<string> {
  const { reference, total, segment } = submit.concatenation
  const given = {
    organisation_id: caller.organisation_id,
    account_id,
    sender: submit.sender ?? '',
    recipient: submit.recipient,
    reference,
    total,
    id: newId(),
    segment,
    text: asKept(submit.text),
    wants: submit.wants,
    user_reference: submit.user_reference,
    send_at: momentOf(submit.send_at_ms),
    expires_at: momentOf(submit.expires_at_ms),
  }
  const text = await storeSegment(deps.db, given, deps.most_long_texts)
  if (!text) throw new Refusal('unavailable', 'Too many long texts are not whole yet.')
  if (lengthOf(text) > MAX_CHARACTERS) {
    await takeBackSegment(deps.db, text, segment)
    const message = `The segments have more than ${MAX_CHARACTERS.toLocaleString('en')} characters together.`
    refuseIfFaulty([{ field: 'content', message, type: 'string_too_long' }])
  }
  if (isWhole(text)) {
    try {
      await sendText(deps, caller, wholeOf(text))
    } catch (fault) {
      if (isRefused(fault)) await takeBackSegment(deps.db, text, segment)
      throw fault
    }
    await forgetLongText(deps.db, text)
  }
  return segmentId(text.id, segment)
}

/** More than is ever sent; every segment that comes rewrites all that is here. */
const MAX_CHARACTERS = 8_192

/** A segment is known by the text's id and its number. */
export function segmentId(id: string, segment: number): string {
  return `${id}-${segment}`
}

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
    if (!isRefused(fault)) throw fault
    await giveUp(deps, text, 'rejected')
  }
}

/** Its segments were answered with an id: what came of them is told as a report, once. */
async function giveUp(deps: LongTextDeps, text: LongText, status: 'expired' | 'rejected'): Promise<void> {
  const { organisation_id, account_id, id, recipient, sender } = text
  const { wants, ...reports } = wantedOf(text)
  const data = { id, recipient: recipient.replace(/^\+/, ''), status, sender_id: sender, description: INCOMPLETE }
  await transaction(deps.db, async (tx) => {
    if (!(await forgetLongText(tx, text)) || wants === 0 || wants === ONLY_SUCCESS) return
    const event = writeEvent(`text.${status}`, answerTime(Date.now()), data)
    const address = smppForm({ account_id, wants, ...reports })
    await insertWaiting(tx, organisation_id, [{ id: event.id, account_id, address, body: event.body }])
  })
  deps.wakeReceivers(organisation_id)
  const details = { organisation_id, account_id, id, total: text.total, status }
  deps.log.warn(details, 'a long text over SMPP was given up: not all of its segments came, or it was refused')
}

const INCOMPLETE = 'not all segments came'
const ONLY_SUCCESS = 3

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
    account_id: text.account_id,
    sender: text.sender || undefined,
    recipient: text.recipient,
    text: asWritten(joinSegments(parts, text.total)),
    ...wantedOf(text),
    send_at_ms: text.send_at === null ? undefined : Date.parse(text.send_at),
    expires_at_ms: text.expires_at === null ? undefined : Date.parse(text.expires_at),
    may_repeat: true,
  }
}

/** Of segments that want different reports, the first decides which. */
function wantedOf({ wanted, user_references }: LongText): Pick<WholeText, 'wants' | 'segments' | 'user_references'> {
  const segments = wanted.flatMap((wants, n) => (wants ? [n + 1] : []))
  const own = segments.map((segment) => user_references[segment - 1] ?? null)
  return { wants: wanted.find((wants) => wants) ?? 0, segments, user_references: own }
}

function momentOf(ms: number | undefined): string | null {
  return ms === undefined ? null : answerTime(ms)
}
