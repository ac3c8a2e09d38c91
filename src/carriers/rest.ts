import type { Db } from '../db/connect.ts'
import type { Meters } from '../observe/meters.ts'
import type { Log } from '../values/log.ts'
import { pauseCarrier, readPause, type Pause } from './pauses-store.ts'

/** Whether a carrier may be handed anything at present. What its network says about that holds in all processes. */
export type Rest = {
  resting(): boolean
  downFor(): number
  /** For this process alone. */
  begin(for_s: number): void
  /** For all processes; `alert`: somebody has to do something about it. */
  pause(pause: Pause, alert: boolean): Promise<void>
  /** Asks what the other processes have learned; true while the carrier is paused. */
  isPaused(): Promise<boolean>
  /** A message was taken. */
  working(): void
}

/** So often a paused carrier is looked at again: somebody may have lifted the pause. */
const LOOK_EVERY_S = 5

export function makeRest({ db, log, meters }: { db: Db; log: Log; meters: Meters }, carrier: string): Rest {
  let until_ms = 0
  let since_ms: number | undefined
  meters.carrier_paused.set({ carrier }, 0)

  function begin(for_s: number): void {
    since_ms ??= Date.now()
    until_ms = Math.max(until_ms, Date.now() + 1_000 * for_s)
  }

  return {
    resting: () => Date.now() < until_ms,
    downFor: () => (since_ms === undefined ? 0 : Math.max(1, Date.now() - since_ms)),
    begin,
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
      if (since_ms === undefined) return
      since_ms = undefined
      meters.carrier_paused.set({ carrier }, 0)
    },
  }
}
