import type { Db } from '../../../db/connect.ts'
import type { Meters } from '../../../observe/meters.ts'
import type { Log } from '../../../values/log.ts'
import type { MessageCarrier, OutgoingMessage, SubmitOutcome, TakeReports, TakeTexts } from '../../message-carrier.ts'
import { makeAccountRate } from './account-rate.ts'
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
import type { SmppSession, SubmitAnswer } from '../session/session.ts'
import { SubmitFault } from '../session/submit-fault.ts'
import { startSession } from '../session/start-session.ts'
import { STATUS, statusName } from '../codec/status.ts'

export type SmppDeps = {
  db: Db
  log: Log
  meters: Meters
  takeReports: TakeReports
  takeTexts: TakeTexts
  takeSegments: TakeSegments
  default_country: string
}

const BATCH = 200
const STOP_WAIT_MS = 3_000
const REFERENCES = 0x10000
const COMPLAIN_EVERY_MS = 60_000
/** A bind that is up and refuses a message sooner than this refuses it for what it is. */
const UNSENDABLE_MS = 500

/**
 * A carrier that speaks SMPP. Its binds are held by this process or by others; messages go out by those that are up
 * here, and where none is, nothing is claimed for it.
 */
export function startSmpp(deps: SmppDeps, settings: SmppSettings): MessageCarrier {
  const { name, profile } = settings
  const bind_options = bindsOf(settings)
  const tls = readTlsFiles(settings)
  const inbound = startInbound(deps, name)
  const onDeliver = makeReceive({ ...deps, inbound }, settings)
  const late = makeLateAnswers(deps, settings)
  const binds = startBinds(deps, name, bind_options.length, open)
  const account = makeAccountRate(settings.rate_per_account ?? null)
  const under_way = new Set<Promise<unknown>>()
  let in_hand = 0
  let reference = Math.floor(Math.random() * REFERENCES)
  let stopping = false
  let complained_at = -Infinity

  function open(bind: number) {
    const watch = watchBind(deps.meters, { carrier: name, bind: String(bind) })
    const session = startSession(
      {
        log: deps.log,
        onDeliver,
        onPdu: (direction, summary) => watch.onPdu(direction, summary),
        onLateAnswer: (sm, answer) => late.take(sm, answer),
        onState: () => {}, // the session logs it, and the lease carries it
      },
      bindSettings(settings, bind_options[bind - 1] ?? {}, tls),
    )
    return { session, watch }
  }

  function bound(): SmppSession[] {
    return binds.held().flatMap(({ session }) => (session.state().name === 'bound' ? [session] : []))
  }

  /**
   * As much as fills the windows, so that no more than that is lost sight of in a crash; but at a given rate not more than
   * a second's worth: an OTP must not wait behind.
   */
  function room(): number {
    const up = bound()
    if (stopping || up.length === 0) return 0
    const windows = up.reduce((sum, { window }) => sum + window, 0)
    const rates = up.map(({ rate }) => rate ?? Infinity).reduce((sum, rate) => sum + rate, 0)
    const rate = Math.min(rates, settings.rate_per_account ?? Infinity)
    return Math.max(0, Math.min(windows, Math.max(2, Math.ceil(rate))) - in_hand)
  }

  /** By the bind with the most room; a segment that did not leave one goes by another, as long as one is up. */
  async function submit(message: OutgoingMessage, segment: SubmitSegment, number: number, segments: number) {
    for (;;) {
      await account.turn(segment.segments, binds.held().length / bind_options.length)
      const [session] = bound().sort((a, b) => load(a) - load(b))
      if (!session) throw new SubmitFault('not_sent', 'no bind is up')
      const asked = performance.now()
      try {
        return checked(await session.submit(segment.sm, segment.segments))
      } catch (fault) {
        if (!(fault instanceof SubmitFault)) throw fault
        if (fault.fate === 'unanswered') {
          late.expect(segment.sm, message, number, segments)
          throw fault
        }
        if (session.state().name !== 'bound') continue
        if (performance.now() - asked > UNSENDABLE_MS) throw fault // its turn did not come
        deps.log.warn({ carrier: name, reason: fault.message }, 'a message cannot be sent as it is')
        return { command_status: STATUS.RSYSERR, message_id: null }
      }
    }
  }

  function checked(answer: SubmitAnswer): SubmitAnswer {
    if (isProfileFault(answer.command_status) && performance.now() - complained_at > COMPLAIN_EVERY_MS) {
      complained_at = performance.now()
      const status = statusName(answer.command_status)
      deps.log.error({ carrier: name, status }, 'a carrier does not understand our messages: its profile is wrong')
    }
    return answer
  }

  function compose(message: OutgoingMessage): SubmitSegment[] | undefined {
    try {
      return composeSubmit(message, profile, reference)
    } catch (fault) {
      deps.log.error({ carrier: name, err: fault }, 'a message cannot be written for a carrier')
      return undefined
    }
  }

  async function carry(message: OutgoingMessage): Promise<SubmitOutcome> {
    if (stopping) return { kind: 'held' }
    reference = (reference + 1) % REFERENCES
    const segments = compose(message)
    if (!segments) return { kind: 'rejected', code: '', description: 'it cannot be written for this carrier' }
    const line = {
      submit: (segment: SubmitSegment, number: number) => submit(message, segment, number, segments.length),
      pause: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    }
    return sendSegments(line, message, segments, { profile, report_due_s: late.reportDue(message) })
  }

  /** It never fails: what goes wrong on our side before anything has left is a try that did not succeed. */
  async function hand(message: OutgoingMessage): Promise<SubmitOutcome> {
    in_hand += 1
    const carrying = carry(message).catch((fault: unknown): SubmitOutcome => {
      deps.log.error({ carrier: name, err: fault }, 'a message could not be handed over')
      return { kind: 'unknown', description: 'a fault of ours while it was handed over' }
    })
    under_way.add(carrying)
    const outcome = await carrying
    under_way.delete(carrying)
    in_hand -= 1
    return outcome
  }

  return {
    name,
    batch: BATCH,
    limit: bind_options.length * settings.window,
    resubmittable: false,
    takes_binary: true,
    submit: (messages) => messages.map(hand),
    room,
    downFor: () => binds.downFor(),
    async stop() {
      stopping = true
      // A message whose first segment is out gets its others out, if that does not take too long.
      await Promise.race([Promise.all(under_way), new Promise((resolve) => setTimeout(resolve, STOP_WAIT_MS).unref())])
      await binds.stop()
      await inbound.stop()
    },
  }
}

function load({ inflight, waiting, window }: SmppSession): number {
  return (inflight + waiting) / window
}
