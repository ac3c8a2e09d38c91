import type { Db } from '../../../db/connect.ts'
import type { Meters } from '../../../observe/meters.ts'
import { makeTokenBucket } from '../../../values/concurrency/token-bucket.ts'
import { waitAtMost } from '../../../values/concurrency/wait-at-most.ts'
import type { Log } from '../../../values/log.ts'
import type { MessageCarrier, OutgoingMessage, SubmitOutcome, TakeReport, TakeTexts } from '../../message-carrier.ts'
import { bindSettings, readTlsFiles, bindsOf } from './bind-options.ts'
import { startBinds } from './binds.ts'
import { composeSubmit, type SubmitSegment } from './compose-submit.ts'
import { watchBind } from './figures.ts'
import { startInbound } from '../../inbound/inbound.ts'
import { makeLateAnswers, type TakeSegments } from './late-answers.ts'
import { isProfileFault } from './outcome.ts'
import { makeReceive } from './receive.ts'
import type { SmppSettings } from '../schema.ts'
import { sendSegments } from './send-segments.ts'
import { SubmitFault, type SmppSession, type SubmitAnswer } from '../session/session.ts'
import { startSession } from '../session/start-session.ts'
import { STATUS, statusName } from '../../codec/status.ts'

export type SmppDeps = {
  db: Db
  log: Log
  meters: Meters
  takeReport: TakeReport
  takeTexts: TakeTexts
  takeSegments: TakeSegments
  default_country: string
}

const BATCH = 200
const STOP_WAIT_MS = 3_000
const REFERENCES = 0x10000
const PROFILE_ERROR_LOG_INTERVAL_MS = 60_000
/** A bound session that rejects a submit as `not_sent` within this time cannot encode it; later, it timed out in the queue. */
const UNSENDABLE_MS = 500

/**
 * A carrier over SMPP. Each bind is leased by one process. Messages are submitted over the binds that this process holds;
 * without one that is bound, `freeCapacity` is 0 and nothing is claimed for the carrier.
 */
export function startSmpp(deps: SmppDeps, settings: SmppSettings): MessageCarrier {
  const { name, profile } = settings
  const bind_options = bindsOf(settings)
  const tls = readTlsFiles(settings)
  const inbound = startInbound(deps, name)
  const onDeliver = makeReceive({ ...deps, inbound }, settings)
  const late = makeLateAnswers(deps, settings)
  const binds = startBinds(deps, name, bind_options.length, open)
  const { rate_per_account } = settings
  const account_bucket =
    rate_per_account === undefined ? undefined : makeTokenBucket({ rate_per_s: rate_per_account, burst_s: 0.1 })
  const submitting = new Set<Promise<unknown>>()
  let reference = Math.floor(Math.random() * REFERENCES)
  let stopping = false
  let profile_error_logged_at = -Infinity

  function open(bind: number) {
    const watch = watchBind(deps.meters, { carrier: name, bind: String(bind) })
    const session = startSession(
      {
        log: deps.log,
        onDeliver,
        onPdu: (direction, summary) => watch.onPdu(direction, summary),
        onLateAnswer: (sm, answer) => late.take(sm, answer),
        onState: () => {}, // the session logs it, and the lease row shows it
      },
      bindSettings(settings, bind_options[bind - 1] ?? {}, tls),
    )
    return { session, watch }
  }

  function bound(): SmppSession[] {
    return binds.held().flatMap(({ session }) => (session.state().name === 'bound' ? [session] : []))
  }

  /**
   * Bounded by the windows, because after a crash the fate of what is in flight is unknown; and by one second's worth of
   * the rate, so that an OTP does not queue behind bulk messages.
   */
  function freeCapacity(): number {
    const up = bound()
    if (stopping || up.length === 0) return 0
    const windows = up.reduce((sum, { window }) => sum + window, 0)
    const rates = up.map((session) => session.load().rate ?? Infinity).reduce((sum, rate) => sum + rate, 0)
    const rate = Math.min(rates, rate_per_account ?? Infinity)
    return Math.max(0, Math.min(windows, Math.max(2, Math.ceil(rate))) - submitting.size)
  }

  /** Each process keeps to its share of the account's rate, in proportion to the binds it holds. */
  async function waitForAccountRate(segments: number): Promise<void> {
    if (!account_bucket || rate_per_account === undefined) return
    const share = binds.held().length / bind_options.length
    if (share > 0) account_bucket.setRate(rate_per_account * share)
    await account_bucket.acquire(segments)
  }

  /** Over the least loaded bind; a segment that was not sent is retried over another while one is bound. */
  async function submit(message: OutgoingMessage, segment: SubmitSegment, number: number, segments: number) {
    for (;;) {
      await waitForAccountRate(segment.segments)
      const [session] = bound().sort((a, b) => load(a) - load(b))
      if (!session) throw new SubmitFault('not_sent', 'no bind is up')
      const submitted_at = performance.now()
      try {
        return checked(await session.submit(segment.sm, segment.segments))
      } catch (fault) {
        if (!(fault instanceof SubmitFault)) throw fault
        if (fault.fate === 'unanswered') {
          late.expect(segment.sm, message, number, segments)
          throw fault
        }
        if (session.state().name !== 'bound') continue
        if (performance.now() - submitted_at > UNSENDABLE_MS) throw fault
        deps.log.warn({ carrier: name, reason: fault.message }, 'a message cannot be encoded')
        return { command_status: STATUS.RSYSERR, message_id: null }
      }
    }
  }

  function checked(answer: SubmitAnswer): SubmitAnswer {
    const since_logged_ms = performance.now() - profile_error_logged_at
    if (isProfileFault(answer.command_status) && since_logged_ms > PROFILE_ERROR_LOG_INTERVAL_MS) {
      profile_error_logged_at = performance.now()
      const status = statusName(answer.command_status)
      deps.log.error({ carrier: name, status }, 'a carrier rejects the format of our messages: check its profile')
    }
    return answer
  }

  function compose(message: OutgoingMessage): SubmitSegment[] | undefined {
    try {
      return composeSubmit(message, profile, reference)
    } catch (fault) {
      deps.log.error({ carrier: name, err: fault }, 'a message cannot be composed for a carrier')
      return undefined
    }
  }

  async function carry(message: OutgoingMessage): Promise<SubmitOutcome> {
    if (stopping) return { kind: 'held' }
    reference = (reference + 1) % REFERENCES
    const segments = compose(message)
    if (!segments) return { kind: 'rejected', code: '', description: 'the message cannot be encoded for this carrier' }
    const line = {
      submit: (segment: SubmitSegment, number: number) => submit(message, segment, number, segments.length),
      pause: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    }
    return sendSegments(line, message, segments, { profile, report_due_s: late.reportDue(message) })
  }

  /** Never rejects: after an internal error it is unknown whether the message was sent. */
  async function submitMessage(message: OutgoingMessage): Promise<SubmitOutcome> {
    const carrying = carry(message).catch((fault: unknown): SubmitOutcome => {
      deps.log.error({ carrier: name, err: fault }, 'a message could not be submitted')
      return { kind: 'unknown', description: 'internal error while submitting' }
    })
    submitting.add(carrying)
    const outcome = await carrying
    submitting.delete(carrying)
    return outcome
  }

  return {
    name,
    batch: BATCH,
    limit: bind_options.length * settings.window,
    resubmittable: false,
    takes_binary: true,
    submit: (messages) => messages.map(submitMessage),
    freeCapacity,
    downFor: () => binds.downFor(),
    async stop() {
      stopping = true
      // Messages whose first segment was sent get time to send the others.
      await waitAtMost(STOP_WAIT_MS, Promise.all(submitting))
      await binds.stop()
      await inbound.stop()
    },
  }
}

function load(session: SmppSession): number {
  const { inflight, waiting } = session.load()
  return (inflight + waiting) / session.window
}
