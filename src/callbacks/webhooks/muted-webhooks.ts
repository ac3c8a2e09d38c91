import type { Db } from '../../db/connect.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { readCalled } from './store.ts'

/** The topic of wake-ups after a webhook was deleted or disabled, so that no process posts its queued callbacks. */
const TOPIC = 'webhooks'

export function announceMuted(wakeups: Pick<Wakeups, 'wake'>): void {
  wakeups.wake(TOPIC)
}

/** The state of the webhooks that callbacks in flight are for. */
export type MutedWebhooks = {
  /** From now until `release` the state of the webhook is read at every announcement. */
  hold(organisation_id: string, webhook_id: string): void
  release(webhook_id: string): void
  /** Waits for a read in progress, so that earlier announcements count. */
  isMuted(webhook_id: string, type: string): Promise<boolean>
  stop(): void
}

type Held = { organisation_id: string; callbacks: number; state: 'enabled' | 'disabled' | 'gone' }

/** A lost announcement costs an unwanted post at most: the state is also read with each callback. */
export function watchMuted({ db, wakeups }: { db: Db; wakeups: Pick<Wakeups, 'onWake'> }): MutedWebhooks {
  const held = new Map<string, Held>()
  let reading: Promise<void> | undefined
  let is_stale = false

  async function read(): Promise<void> {
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
    is_stale = true
    if (reading || held.size === 0) return
    is_stale = false
    reading = read()
      .catch(() => {})
      .finally(() => {
        reading = undefined
        if (is_stale) onChange()
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
      while (reading) await reading
      const state = held.get(webhook_id)?.state
      // A test event is also posted to a disabled webhook.
      return state === 'gone' || (state === 'disabled' && type !== 'webhook.test')
    },
    stop: unsubscribe,
  }
}
