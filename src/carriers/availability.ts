import type { Db } from '../db/connect.ts'
import type { Meters } from '../observe/meters.ts'
import type { Log } from '../values/log.ts'
import { pauseCarrier, readPause, saveLastCall, type Pause, type StoredAvailability } from './availability-store.ts'
import type { CarrierState } from './schema.ts'

/** Whether messages may be submitted to a carrier that is called over HTTP. Pauses apply to all processes. */
export type Availability = {
  isBackingOff(): boolean
  /** Milliseconds since the carrier stopped accepting messages; 0: it accepts them. */
  downFor(): number
  /** Submits nothing for a while, in this process only. */
  backOff(for_s: number): void
  /** Backs off, and stores that the carrier did not answer. */
  unreached(for_s: number, reason: string): void
  /** Pauses the carrier in all processes. `alert`: the operator has to act. Never rejects. */
  pause(pause: Pause, alert: boolean): Promise<void>
  /** Reads whether this or another process has paused the carrier. */
  isPaused(): Promise<boolean>
  /** The carrier answered and accepts messages. */
  working(): void
}

/** How often a paused carrier's pause is read again: an operator may have lifted it. */
const PAUSE_READ_EVERY_S = 5
/** Outcomes of calls are stored when they change, and otherwise this often: never once per message. */
const LAST_CALL_SAVED_EVERY_MS = 60_000

export function makeAvailability(
  { db, log, meters }: { db: Db; log: Log; meters: Meters },
  carrier: string,
): Availability {
  let until_ms = 0
  let since_ms: number | undefined
  let saved: { answered: boolean; at_ms: number } | undefined
  meters.carrier_paused.set({ carrier }, 0)

  function backOff(for_s: number): void {
    since_ms ??= Date.now()
    until_ms = Math.max(until_ms, Date.now() + 1_000 * for_s)
  }

  function showPause(for_s: number): void {
    backOff(Math.min(for_s, PAUSE_READ_EVERY_S))
    meters.carrier_paused.set({ carrier }, 1)
  }

  function save(answered: boolean, reason: string | null): void {
    if (saved?.answered === answered && Date.now() - saved.at_ms < LAST_CALL_SAVED_EVERY_MS) return
    saved = { answered, at_ms: Date.now() }
    saveLastCall(db, { carrier, answered, reason }).catch((fault: unknown) => {
      saved = undefined
      log.warn({ carrier, err: fault }, 'the outcome of a call to a carrier could not be stored')
    })
  }

  return {
    isBackingOff: () => Date.now() < until_ms,
    downFor: () => (since_ms === undefined ? 0 : Math.max(1, Date.now() - since_ms)),
    backOff,

    unreached(for_s, reason) {
      backOff(for_s)
      save(false, reason)
    },

    async pause(pause, alert) {
      showPause(pause.for_s)
      const details = { carrier, code: pause.code, reason: pause.reason, for_s: pause.for_s }
      try {
        await pauseCarrier(db, carrier, pause)
      } catch (fault) {
        log.warn({ ...details, err: fault }, 'the pause of a carrier could not be stored')
        return
      }
      if (alert) log.error(details, 'a carrier is paused: the operator has to act')
      else log.warn(details, 'a carrier is paused')
    },

    async isPaused() {
      const pause = await readPause(db, carrier)
      if (pause) showPause(pause.for_s)
      return pause !== undefined
    },

    working() {
      save(true, null)
      if (since_ms === undefined) return
      since_ms = undefined
      meters.carrier_paused.set({ carrier }, 0)
    },
  }
}

/** The state of a carrier by what the processes have stored; `unknown` if it was never called. */
export function describeAvailability(
  name: string,
  { pauses, calls }: StoredAvailability,
): Pick<CarrierState, 'state' | 'detail'> {
  const pause = pauses.find(({ carrier }) => carrier === name)
  if (pause) return { state: 'down', detail: `paused: ${pause.code} ${pause.reason}` }
  const call = calls.find(({ carrier }) => carrier === name)
  if (!call) return { state: 'unknown', detail: 'not called yet' }
  if (!call.answered) return { state: 'down', detail: `cannot be reached: ${call.reason ?? 'no answer'}` }
  return { state: 'up' }
}
