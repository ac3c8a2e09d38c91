import type { ChargeSale } from '../../billing/charge.ts'
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
import type { Log } from '../../values/log.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import type { FallbackItem } from '../accept.ts'
import { failUndeliverable } from './fail-store.ts'
import { dropSealedToken, findFallback, type Fallback } from './fallback-store.ts'
import { fallbackSeal, hashToken } from '../token.ts'
import type { RequestDeps } from '../request.ts'
import { readSettings } from '../settings-store.ts'
import { FALLBACK_QUEUE } from '../store.ts'
import { writeText } from '../text.ts'

export type FallbackDeps = Omit<RequestDeps, 'admission' | 'report_times' | 'chargeOtp'> & {
  log: Log
  /** The queue of the carrier for a second message on this route, after the one that had the first; undefined: any. */
  queueAfter: (route: string, second: Routable) => string | undefined
  chargeFallback: ChargeSale<FallbackItem>
}

const BATCH = 20
/** How often a second message waits for the first one to be submitted. */
const WAIT_MS = 2_000

/** Sends second messages of OTPs whose first one was not reported as delivered in time. */
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
  const fallback = await findFallback(deps.db, organisation_id, otp_id)
  if (fallback?.wanted && fallback.waits) return postpone(deps.db, [job], WAIT_MS)
  if (fallback?.wanted) {
    try {
      await sendAgain(deps, organisation_id, fallback)
    } catch (fault) {
      // No balance, no price on that channel, or the OTP has ended meanwhile: there will be no second message.
      if (!(fault instanceof Refusal)) throw fault
      deps.log.warn({ otp_id, organisation_id, reason: fault.message }, 'the fallback message of an OTP was refused')
    }
  }
  const failed = await transaction(deps.db, async (tx) => {
    await dropSealedToken(tx, organisation_id, otp_id)
    const undeliverable = await failUndeliverable(tx, organisation_id, [otp_id])
    await finish(tx, [job])
    return undeliverable
  })
  for (const otp of failed) noteOtp(deps.meters.analytics, organisation_id, otp, 'otp_failed')
}

/**
 * Charges and sends the second message. Its id was assigned when the OTP was requested, so if two workers try, the
 * ledger refuses the second charge.
 */
async function sendAgain(deps: FallbackDeps, organisation_id: string, fallback: Fallback): Promise<void> {
  const token = deps.seal.open(fallback.sealed_token, fallbackSeal(fallback.id))
  if (token === undefined) throw new Refusal('unavailable', 'The token was sealed under another pepper.')
  const draft = await draftAgain(deps, organisation_id, fallback, token)
  const token_hash = hashToken(deps.pepper_keys.token_key, fallback.id, token)
  const second = { otp_id: fallback.id, token_hash, queue: queueOf(deps, fallback, draft) }
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
 * The queue of another carrier than that of the first message. A first message that no carrier accepted was rejected by the
 * first one. Undefined: any carrier, because the route has not more, or the message takes another route.
 */
function queueOf(
  { queueAfter }: FallbackDeps,
  { through_next_carrier, first_route, first_carrier }: Fallback,
  { channel, deliveries: [delivery] }: Draft,
): string | undefined {
  if (!through_next_carrier || !delivery || delivery.route !== first_route) return undefined
  const { recipient, pages, sealed_text = null } = delivery
  const tried = first_carrier === null ? [] : [first_carrier]
  return queueAfter(first_route, { recipient, channel, pages, sealed_text, tried })
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
