import type { Db } from '../../db/connect.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { readCalled } from '../webhooks/store.ts'

/** Announced when an endpoint is deleted or disabled, so that what waits for its turn somewhere does not go out. */
const TOPIC = 'webhooks'

export function announceMuted(wakeups: Pick<Wakeups, 'wake'>): void {
  wakeups.wake(TOPIC)
}

/** Which of the registered endpoints that callbacks in hand are for must not be called any more. */
export type Mutes = {
  /** From now until `release` the endpoint is looked at whenever one is announced. */
  hold(organisation_id: string, webhook_id: string): void
  release(webhook_id: string): void
  /** After the look that is under way, if one is: what was announced before counts. */
  isMuted(webhook_id: string, type: string): Promise<boolean>
  stop(): void
}

type Held = { organisation_id: string; callbacks: number; state: 'enabled' | 'disabled' | 'gone' }

/** An announcement that is lost costs a post that nobody wants; what a callback read of its endpoint holds anyway. */
export function watchMutes({ db, wakeups }: { db: Db; wakeups: Pick<Wakeups, 'onWake'> }): Mutes {
  const held = new Map<string, Held>()
  let looking: Promise<void> | undefined
  let again = false

  async function look(): Promise<void> {
    const asked = [...held]
    const known = await readCalled(
      db,
      asked.map(([id, { organisation_id }]) => ({ organisation_id, id })),
    )
    const enabled = new Map(known.map((one) => [one.id, one.enabled]))
    for (const [id, one] of asked) {
      const is_enabled = enabled.get(id)
      one.state = is_enabled === undefined ? 'gone' : is_enabled ? 'enabled' : 'disabled'
    }
  }

  function onChange(): void {
    again = true
    if (looking || held.size === 0) return
    again = false
    looking = look()
      .catch(() => {})
      .finally(() => {
        looking = undefined
        if (again) onChange()
      })
  }

  const unsubscribe = wakeups.onWake(TOPIC, onChange)
  return {
    hold(organisation_id, webhook_id) {
      const one = held.get(webhook_id)
      if (one) one.callbacks += 1
      else held.set(webhook_id, { organisation_id, callbacks: 1, state: 'enabled' })
    },
    release(webhook_id) {
      const one = held.get(webhook_id)
      if (one && (one.callbacks -= 1) === 0) held.delete(webhook_id)
    },
    async isMuted(webhook_id, type) {
      while (looking) await looking
      const state = held.get(webhook_id)?.state
      // A test event reaches an endpoint that is disabled, too.
      return state === 'gone' || (state === 'disabled' && type !== 'webhook.test')
    },
    stop: unsubscribe,
  }
}
