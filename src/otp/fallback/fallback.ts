import type { ChargeSale } from '../../billing/charge.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { tariffFor } from '../../messaging/compose/number.ts'
import { composeSecretText } from '../../messaging/compose/secret-text.ts'
import { PRIORITY, type Draft } from '../../messaging/draft.ts'
import { checkApproved } from '../../messaging/compose/check.ts'
import type { Routable } from '../../messaging/dispatch/target.ts'
import { noteOtp } from '../../messaging/counters.ts'
import { findCallerOf } from '../../organisations/store.ts'
import { finish, postpone, type Job } from '../../queue/store.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import { newId } from '../../values/id.ts'
import type { Log } from '../../values/log.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import type { FallbackItem } from '../accept.ts'
import { LOST } from './fail.ts'
import { failUndeliverable } from './fail-store.ts'
import { dropSealedToken, findFallback, listFormer, lockOtp, type Fallback, type Former } from './fallback-store.ts'
import { fallbackSeal, hashToken, otherToken } from '../token.ts'
import type { RequestDeps } from '../request.ts'
import { readSettings } from '../settings-store.ts'
import { FALLBACK_QUEUE } from '../store.ts'
import { writeText } from '../text.ts'

export type FallbackDeps = Omit<RequestDeps, 'admission' | 'report_times' | 'chargeOtp'> & {
  log: Log
  /** The queue of a carrier of this route that has not had the OTP (`tried`); undefined: there is none. */
  queueAfter: (route: string, second: Routable) => string | undefined
  chargeFallback: ChargeSale<FallbackItem>
}

const BATCH = 20
/** Interval at which a message checks whether the previous one was submitted. */
const WAIT_MS = 2_000

/**
 * Sends another message of OTPs whose last one was not reported as delivered in time: on the second channel, or through the
 * next carrier, the latter up to three times.
 *
 * An OTP has one job, and its row says which message is the next (`fallback_message_id`, with its sealed token). Accepting
 * that message stores the one after it in the same transaction, so a worker that dies repeats nothing: the worker that takes
 * over reads the row, and waits until the message that was just sent is late.
 */
export function startFallback(deps: FallbackDeps): Worker {
  return startWorker(deps, {
    queue: FALLBACK_QUEUE,
    limit: 10 * BATCH,
    batch: BATCH,
    work: async (jobs) => {
      await Promise.all(jobs.map((job) => fallBack(deps, job)))
    },
  })
}

async function fallBack(deps: FallbackDeps, job: Job): Promise<void> {
  const { organisation_id, subject_id: otp_id } = job
  const next = await findNext(deps.db, organisation_id, otp_id)
  const is_due = next?.is_wanted === true && next.wait_ms === 0
  const refused = is_due && !(await trySend(deps, organisation_id, next)) ? next.fallback : undefined
  const failed = await transaction(deps.db, async (tx) => {
    let awaited = next
    if (next?.is_wanted) {
      // A report that fails the message that was just sent brings the job forward; it waits for this lock.
      await lockOtp(tx, organisation_id, otp_id)
      if (refused) await dropSealedToken(tx, organisation_id, refused)
      awaited = await findNext(tx, organisation_id, otp_id)
      if (awaited?.is_wanted) {
        await postpone(tx, [job], awaited.wait_ms)
        return []
      }
    }
    if (awaited) await dropSealedToken(tx, organisation_id, awaited.fallback)
    const undeliverable = await failUndeliverable(tx, organisation_id, [otp_id])
    await finish(tx, [job])
    return undeliverable
  })
  for (const otp of failed) noteOtp(deps.meters.analytics, organisation_id, otp, 'otp_failed')
}

type Next = {
  fallback: Fallback
  former: Former[]
  /** The OTP is open, and none of its messages was reported as delivered. */
  is_wanted: boolean
  /** Until the previous message is late. */
  wait_ms: number
}

async function findNext(sql: Db | Tx, organisation_id: string, otp_id: string): Promise<Next | undefined> {
  const fallback = await findFallback(sql, organisation_id, otp_id)
  if (!fallback) return undefined
  const former = await listFormer(sql, organisation_id, fallback.former_ids)
  const is_wanted = fallback.is_open && former.every(({ status }) => status !== 'delivered')
  return { fallback, former, is_wanted, wait_ms: waitMs(fallback, former) }
}

/**
 * The delay counts from the submission of the previous message: while that waits in a queue, there is no carrier that the
 * next one could avoid. A second channel is used when its time has come, whatever the first one does.
 */
function waitMs({ through_next_carrier, resend_after_s, former_ids }: Fallback, former: readonly Former[]): number {
  if (!through_next_carrier) return 0
  const previous = former.find(({ message_id }) => message_id === former_ids.at(-1))
  if (!previous || previous.status === 'queued') return WAIT_MS
  if (LOST.has(previous.status)) return 0
  return Math.max(0, Math.ceil(1_000 * ((resend_after_s ?? 0) - previous.age_s)))
}

/** False: there will be no further message, for lack of balance, a price, or a carrier, or because the OTP has ended. */
async function trySend(deps: FallbackDeps, organisation_id: string, next: Next): Promise<boolean> {
  try {
    await sendAgain(deps, organisation_id, next)
    return true
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    const { id: otp_id } = next.fallback
    deps.log.warn({ otp_id, organisation_id, reason: fault.message }, 'the fallback message of an OTP was refused')
    return false
  }
}

async function sendAgain(deps: FallbackDeps, organisation_id: string, { fallback, former }: Next): Promise<void> {
  const { id, sealed_token, former_hashes, resends_left } = fallback
  const token = deps.seal.open(sealed_token, fallbackSeal(id))
  if (token === undefined) throw new Refusal('unavailable', 'The token was sealed under another pepper.')
  const draft = await draftAgain(deps, organisation_id, fallback, token)
  const hashOf = (one: string): Buffer => hashToken(deps.pepper_keys.token_key, id, one)
  const isKnown = (one: string): boolean => former_hashes.some((hash) => hash.equals(hashOf(one)))
  const second = {
    otp_id: id,
    token_hash: hashOf(token),
    queue: queueOf(deps, fallback, former, draft),
    next:
      resends_left > 0
        ? { message_id: newId(), sealed_token: deps.seal.close(otherToken(token, isKnown), fallbackSeal(id)) }
        : undefined,
  }
  await deps.chargeFallback(organisation_id, {
    subject_id: draft.id,
    amount: draft.charge,
    answer: () => '',
    item: { draft, second },
    weight: 2,
  })
  deps.meters.accepted.inc({ channel: draft.channel }, draft.deliveries.length)
  deps.meters.otps.inc({ event: 'fell back' })
}

/**
 * The queue of a carrier that has not accepted a message of the OTP. Undefined: any carrier, because the route has no other,
 * or the message takes another route. The third message and those after it are sent only through a carrier that has not
 * rejected one either; one that no carrier accepted was rejected by all that were left.
 */
function queueOf(
  { queueAfter }: FallbackDeps,
  { through_next_carrier, former_ids }: Fallback,
  former: readonly Former[],
  { channel, deliveries: [delivery] }: Draft,
): string | undefined {
  if (!through_next_carrier || !delivery) return undefined
  const is_further = former_ids.length > 1
  const tried = former.flatMap(({ carrier, rejected_by }) => [
    ...(carrier === null ? [] : [carrier]),
    ...(is_further ? rejected_by : []),
  ])
  const { recipient, pages, sealed_text = null, route } = delivery
  const can_avoid = former.every((one) => one.route === route) && !(is_further && former.some(isRejected))
  const queue = can_avoid ? queueAfter(route, { recipient, channel, pages, sealed_text, tried }) : undefined
  if (is_further && queue === undefined) throw new Refusal('unavailable', 'No carrier is left for a further message.')
  return queue
}

function isRejected({ carrier }: Former): boolean {
  return carrier === null
}

async function draftAgain(
  deps: FallbackDeps,
  organisation_id: string,
  { recipient, message_id, channel, minutes, expires_in_s }: Fallback,
  token: string,
): Promise<Draft> {
  const organisation = await findCallerOf(deps.db, organisation_id)
  if (!organisation) throw new Refusal('not_found', 'The organisation is gone.')
  const { default_sender_id: sender_id } = organisation
  const own = await readSettings(deps.db, organisation_id, recipient)
  const words = writeText(own.template ?? deps.otp_settings.template, own.origin ?? deps.otp_settings.origin, {
    token,
    minutes: Math.min(minutes, Math.ceil(expires_in_s / 60)),
    sender_id,
  })
  const faults: Fault[] = []
  const tariff = await tariffFor(deps, organisation, { sender_id, channel }, faults)
  const secret = {
    id: message_id,
    channel,
    sender_id,
    recipient,
    ...words,
    token,
    priority: PRIORITY.otp,
    expires_in_s,
  }
  const draft = composeSecretText({ tariff, seal: deps.seal }, secret, faults)
  if (channel === 'sms' && sender_id === null) {
    faults.push({ field: 'sender_id', message: 'There is no default sender ID.', type: 'missing' })
  }
  checkApproved(deps, organisation, { sender_id, channel }, faults)
  refuseIfFaulty(faults)
  if (!draft) throw new Error('a message without faults was not composed')
  return draft
}
