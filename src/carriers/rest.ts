import type { Db } from '../db/connect.ts'
import type { Meters } from '../observe/meters.ts'
import type { Log } from '../values/log.ts'
import { saveLastCall } from './calls-store.ts'
import { pauseCarrier, readPause, type Pause } from './pauses-store.ts'

/** Whether a carrier may be handed anything at present. What its network says about that holds in all processes. */
export type Rest = {
  resting(): boolean
  downFor(): number
  /** For this process alone. */
  begin(for_s: number): void
  /** Nobody answered: the same, and told to who looks at the carriers. */
  unreached(for_s: number, reason: string): void
  /** For all processes; `alert`: somebody has to do something about it. */
  pause(pause: Pause, alert: boolean): Promise<void>
  /** Asks what the other processes have learned; true while the carrier is paused. */
  isPaused(): Promise<boolean>
  /** It answered, and would take messages. */
  working(): void
}

/** So often a paused carrier is looked at again: somebody may have lifted the pause. */
const LOOK_EVERY_S = 5
/** How a call ended is written down when it is news, and as often besides: never once a message. */
const TOLD_AGAIN_MS = 60_000

export function makeRest({ db, log, meters }: { db: Db; log: Log; meters: Meters }, carrier: string): Rest {
  let until_ms = 0
  let since_ms: number | undefined
  let told: { answered: boolean; at_ms: number } | undefined
  meters.carrier_paused.set({ carrier }, 0)

  function begin(for_s: number): void {
    since_ms ??= Date.now()
    until_ms = Math.max(until_ms, Date.now() + 1_000 * for_s)
  }

  function tell(answered: boolean, reason: string | null): void {
    if (told?.answered === answered && Date.now() - told.at_ms < TOLD_AGAIN_MS) return
    told = { answered, at_ms: Date.now() }
    saveLastCall(db, { carrier, answered, reason }).catch((fault: unknown) => {
      told = undefined
      log.warn({ carrier, err: fault }, 'how a call to a carrier ended could not be written down')
    })
  }

  return {
    resting: () => Date.now() < until_ms,
    downFor: () => (since_ms === undefined ? 0 : Math.max(1, Date.now() - since_ms)),
    begin,
    unreached(for_s, reason) {
      begin(for_s)
      tell(false, reason)
    },
    async pause(pause, alert) {
      begin(Math.min(pause.for_s, LOOK_EVERY_S))
      meters.carrier_paused.set({ carrier }, 1)
      await pauseCarrier(db, carrier, pause)
      const details = { carrier, code: pause.code, reason: pause.reason, for_s: pause.for_s }
      if (alert) log.error(details, 'a carrier is stopped: somebody has to see to it')
      else log.warn(details, 'a carrier pauses')
    },
    async isPaused() {
      const pause = await readPause(db, carrier)
      if (!pause) return false
      begin(Math.min(pause.for_s, LOOK_EVERY_S))
      meters.carrier_paused.set({ carrier }, 1)
      return true
    },
    working() {
      tell(true, null)
      if (since_ms === undefined) return
      since_ms = undefined
      meters.carrier_paused.set({ carrier }, 0)
    },
  }
}
