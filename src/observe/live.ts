import type { Db } from '../db/connect.ts'
import { listen, notify } from '../db/listen.ts'
import type { Log } from '../values/log.ts'
import { makeOutbox, type LiveEvent } from './live-outbox.ts'
import type { PhoneMessage } from './schema.ts'
import { noteWatched, readWatched } from './live-store.ts'
import { isRecord } from '../values/record.ts'

export type Live = {
  isWatched(organisation_id: string): boolean
  /** Messages that arrived on virtual handsets. */
  tellPhones(messages: readonly (PhoneMessage & { organisation_id: string })[]): void
  /** Deliveries that came to a state. */
  tellDeliveries(organisation_id: string, changed: readonly { message_id: string; status: string }[]): void
  /** Numbers that wrote, or were answered. */
  tellTexts(organisation_id: string, phones: readonly string[]): void
  /** Hears what happens in an organisation, in whichever process; returns how to stop. */
  watch(organisation_id: string, heard: (event: LiveEvent) => void): Promise<() => void>
  stop(): Promise<void>
}

type Bus = { wake(name: string): void; onWake(name: string, listener: () => void): () => void }

const CHANNEL = 'gangan_live'
/** A call on the wake-up bus: somebody began to watch. */
const WATCH = 'live-watch'
const WATCHED_S = 30
const RENEW_MS = 10_000
const FLUSH_MS = 200

/**
 * What happens, told while it happens, over all processes. Who watches says so in a table and on the wake-up bus;
 * workers keep the list in memory and tell only about organisations on it. So nobody watching costs a look into a Map.
 */
export function makeLive(deps: { db: Db; log: Log; bus: Bus }): Live {
  const { db, log } = deps
  const watched = new Map<string, number>()
  const listeners = new Map<string, Set<(event: LiveEvent) => void>>()
  const outbox = makeOutbox()
  let subscription: Promise<{ close(): Promise<void> }> | undefined
  let flushing: NodeJS.Timeout | undefined
  let closed = false

  async function learn(): Promise<void> {
    const now = Date.now()
    for (const { organisation_id, remaining_ms } of await readWatched(db))
      watched.set(organisation_id, now + remaining_ms)
    for (const [organisation_id, until] of watched) if (until < now) watched.delete(organisation_id)
  }

  async function renew(): Promise<void> {
    if (listeners.size > 0) await noteWatched(db, [...listeners.keys()], WATCHED_S)
    await learn()
  }

  const quietly = (work: Promise<unknown>): void => {
    work.catch((err: unknown) => {
      if (!closed) log.warn({ err }, 'live events are away for the moment')
    })
  }

  function flush(): void {
    flushing = undefined
    quietly(notify(db, CHANNEL, [...outbox.drain()]))
  }

  function isWatched(organisation_id: string): boolean {
    return !closed && watched.size > 0 && watched.has(organisation_id)
  }

  function soon(): void {
    flushing ??= setTimeout(flush, FLUSH_MS).unref()
  }

  function hear(payload: string): void {
    const heard: unknown = JSON.parse(payload)
    if (!isLiveEvents(heard)) return
    for (const listener of listeners.get(heard.organisation_id) ?? []) for (const event of heard.events) listener(event)
  }

  const offWatch = deps.bus.onWake(WATCH, () => quietly(learn()))
  const timer = setInterval(() => quietly(renew()), RENEW_MS).unref()

  return {
    isWatched,
    tellPhones(messages) {
      for (const { organisation_id, ...message } of messages) {
        if (!isWatched(organisation_id)) continue
        outbox.addPhone(organisation_id, message)
        soon()
      }
    },
    tellDeliveries(organisation_id, changed) {
      if (!isWatched(organisation_id) || changed.length === 0) return
      outbox.addDeliveries(organisation_id, changed)
      soon()
    },
    tellTexts(organisation_id, phones) {
      if (!isWatched(organisation_id) || phones.length === 0) return
      outbox.addTexts(organisation_id, phones)
      soon()
    },
    async watch(organisation_id, heard) {
      subscription ??= listen(db, CHANNEL, hear)
      // A database that is away now is asked again by who comes next.
      await subscription.catch((fault: unknown) => {
        subscription = undefined
        throw fault
      })
      const own = listeners.get(organisation_id) ?? new Set()
      listeners.set(organisation_id, own.add(heard))
      await renew()
      deps.bus.wake(WATCH)
      return () => {
        own.delete(heard)
        if (own.size === 0 && listeners.get(organisation_id) === own) listeners.delete(organisation_id)
      }
    },
    async stop() {
      closed = true
      clearInterval(timer)
      clearTimeout(flushing)
      offWatch()
      await (await subscription?.catch(() => undefined))?.close()
    },
  }
}

/** Only processes of this service speak on the channel; one of another release may do it in another form. */
function isLiveEvents(heard: unknown): heard is { organisation_id: string; events: LiveEvent[] } {
  return isRecord(heard) && typeof heard.organisation_id === 'string' && Array.isArray(heard.events)
}
