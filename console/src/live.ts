import { useEffect, useRef } from 'react'
import type { LiveEvents } from '../../src/http/console/messages/schema.ts'
import type { Beginning } from './answers.ts'
import { withQuery } from './api.ts'
import { useRefresh } from './read.ts'
import { useSession } from './session.ts'

/** `deliveries` only says that something changed: read again what is shown. */
type Listener = { [Name in keyof LiveEvents]?: (event: LiveEvents[Name]) => void }

/** All parts of the page that listen share one stream: browsers and the service allow only a few. */
const listeners = new Set<Listener>()
const AGAIN_MS = 5_000
let stream: { source: EventSource; organisation_id: string } | undefined

/** Listens for as long as the component is shown. */
export function useLive(listener: Listener): void {
  const { organisation } = useSession()
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => {
    const mine: Listener = {
      hello: (event) => latest.current.hello?.(event),
      phone: (event) => latest.current.phone?.(event),
      deliveries: (event) => latest.current.deliveries?.(event),
      texts: (event) => latest.current.texts?.(event),
    }
    listeners.add(mine)
    open(organisation.id)
    return () => {
      listeners.delete(mine)
      // A page that is about to be shown may listen to the same stream.
      setTimeout(() => listeners.size === 0 && close(), 0)
    }
  }, [organisation.id])
}

/** Under load deliveries change all the time; a list that is read once a second is live enough. */
const REFRESH_MS = 1_000

/** Refetches these paths whenever a delivery changes or a message arrives. */
export function useLiveRefresh(...prefixes: Beginning[]): void {
  const refresh = useRefresh()
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const last = useRef(0)
  function soon() {
    if (waiting.current !== undefined) return
    const delay = Math.max(0, last.current + REFRESH_MS - Date.now())
    waiting.current = setTimeout(() => {
      waiting.current = undefined
      last.current = Date.now()
      refresh(...prefixes)
    }, delay)
  }
  useEffect(() => () => clearTimeout(waiting.current), [])
  useLive({ hello: soon, deliveries: soon, texts: soon })
}

function open(organisation_id: string): void {
  if (stream?.organisation_id === organisation_id) return
  close()
  const source = new EventSource(withQuery('/console/api/events', { organisation_id }))
  for (const name of ['hello', 'phone', 'deliveries', 'texts'] as const) {
    source.addEventListener(name, ({ data }) => {
      for (const listener of listeners) listener[name]?.(JSON.parse(data))
    })
  }
  source.addEventListener('bye', close)
  // The browser reconnects automatically after a lost connection, but not after a refusal.
  source.addEventListener('error', () => {
    if (source.readyState !== EventSource.CLOSED || stream?.source !== source) return
    stream = undefined
    setTimeout(() => listeners.size > 0 && open(organisation_id), AGAIN_MS)
  })
  stream = { source, organisation_id }
}

function close(): void {
  stream?.source.close()
  stream = undefined
}
