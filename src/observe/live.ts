import type { Db } from '../db/connect.ts'
import { listen, notify } from '../db/listen.ts'
import type { Log } from '../values/log.ts'
import { makeLiveBuffer, type LiveEvent } from './live-buffer.ts'
import type { PhoneMessage } from './schema.ts'
import { noteWatched, readWatched } from './live-store.ts'
import { isRecord } from '../values/record.ts'

export type Live = {
  isWatched(organisation_id: string): boolean
  /** Publishes messages that arrived on virtual handsets. */
  notifyPhones(messages: readonly (PhoneMessage & { organisation_id: string })[]): void
  /** Publishes deliveries that changed their state. */
  notifyDeliveries(organisation_id: string, changed: readonly { message_id: string; status: string }[]): void
  /** Publishes numbers that wrote, or were answered. */
  notifyTexts(organisation_id: string, phones: readonly string[]): void
  /** Subscribes to the events of an organisation in all processes; returns the function that unsubscribes. */
  watch(organisation_id: string, onEvent: (event: LiveEvent) => void): Promise<() => void>
  stop(): Promise<void>
}

type Bus = { wake(name: string): void; onWake(name: string, listener: () => void): () => void }

const CHANNEL = 'gangan_live'
/** Wake-up after which all processes reload the watched organisations. */
const WATCH = 'live-watch'
const WATCHED_S = 30
const RENEW_MS = 10_000
const FLUSH_MS = 200

/**
 * Publishes live events over all processes by NOTIFY. Watched organisations are stored in a table with an expiry; every
 * process keeps them in memory and publishes only their events, so that an unwatched organisation costs one Map lookup.
 */
export function makeLive(deps: { db: Db; log: Log; bus: Bus }): Live {
  const { db, log } = deps
  const watched = new Map<string, number>()
  const listeners = new Map<string, Set<(event: LiveEvent) => void>>()
  const buffer = makeLiveBuffer()
  let subscription: Promise<{ close(): Promise<void> }> | undefined
  let flushing: NodeJS.Timeout | undefined
  let closed = false

  async function loadWatched(): Promise<void> {
    const now = Date.now()
    for (const { organisation_id, remaining_ms } of await readWatched(db))
      watched.set(organisation_id, now + remaining_ms)
    for (const [organisation_id, until] of watched) if (until < now) watched.delete(organisation_id)
  }

  async function renew(): Promise<void> {
    if (listeners.size > 0) await noteWatched(db, [...listeners.keys()], WATCHED_S)
    await loadWatched()
  }

  const logFailure = (work: Promise<unknown>): void => {
    work.catch((err: unknown) => {
      if (!closed) log.warn({ err }, 'live events are unavailable; retrying')
    })
  }

  function flush(): void {
    flushing = undefined
    logFailure(notify(db, CHANNEL, [...buffer.drain()]))
  }

  function isWatched(organisation_id: string): boolean {
    return !closed && watched.size > 0 && watched.has(organisation_id)
  }

  function scheduleFlush(): void {
    flushing ??= setTimeout(flush, FLUSH_MS).unref()
  }

  function receive(payload: string): void {
    const received: unknown = JSON.parse(payload)
    if (!isLiveEvents(received)) return
    for (const listener of listeners.get(received.organisation_id) ?? []) received.events.forEach(listener)
  }

  const offWatch = deps.bus.onWake(WATCH, () => logFailure(loadWatched()))
  const timer = setInterval(() => logFailure(renew()), RENEW_MS).unref()

  return {
    isWatched,
    notifyPhones(messages) {
      for (const { organisation_id, ...message } of messages) {
        if (!isWatched(organisation_id)) continue
        buffer.addPhone(organisation_id, message)
        scheduleFlush()
      }
    },
    notifyDeliveries(organisation_id, changed) {
      if (!isWatched(organisation_id) || changed.length === 0) return
      buffer.addDeliveries(organisation_id, changed)
      scheduleFlush()
    },
    notifyTexts(organisation_id, phones) {
      if (!isWatched(organisation_id) || phones.length === 0) return
      buffer.addTexts(organisation_id, phones)
      scheduleFlush()
    },
    async watch(organisation_id, onEvent) {
      subscription ??= listen(db, CHANNEL, receive)
      // If the database is unreachable, the next caller tries again.
      await subscription.catch((fault: unknown) => {
        subscription = undefined
        throw fault
      })
      const own = listeners.get(organisation_id) ?? new Set()
      listeners.set(organisation_id, own.add(onEvent))
      await renew()
      deps.bus.wake(WATCH)
      return () => {
        own.delete(onEvent)
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

/** A process of another release may publish another format. */
function isLiveEvents(payload: unknown): payload is { organisation_id: string; events: LiveEvent[] } {
  return isRecord(payload) && typeof payload.organisation_id === 'string' && Array.isArray(payload.events)
}
