import type { FastifyInstance } from 'fastify'
import { Type } from '../../values/schema/type.ts'
import type { LiveEvent } from '../../observe/live-buffer.ts'
import { mayDo, type Area } from '../../users/roles.ts'
import { findOpen, SESSIONS_ENDED } from '../../users/login/session.ts'
import type { HttpDeps } from '../deps.ts'
import { addRoutes } from '../route/add-routes.ts'
import { route } from '../route/route.ts'
import { makeStallCheck } from '../connection/stalled.ts'
import type { LiveEvents } from './messages/schema.ts'
import { makeLiveConnections, type LiveConnection } from './live-connections.ts'

const HEARTBEAT_MS = 15_000
/** Unsent bytes at which a page is disconnected; it reconnects and reloads its data. */
const MOST_UNSENT_BYTES = 1024 * 1024

/** The area a user needs a right to, by event. */
const AREAS: Record<LiveEvent['kind'], Area> = { phone: 'phones', deliveries: 'sms', texts: 'sms' }

const Query = Type.Object({ organisation_id: Type.Optional(Type.String()) })

/**
 * Server-sent events of an organisation, for as long as the session lasts. Adds its route to Fastify directly, because
 * the streams must end before the server can close.
 */
export function eventRoutes(app: FastifyInstance, deps: HttpDeps): void {
  /** Set by the first stream. */
  let offEnded: (() => void) | undefined
  const connections = makeLiveConnections()
  const beats = new Map<LiveConnection, () => Promise<void>>()

  const events = route({
    method: 'GET',
    path: '/console/api/events',
    who: 'organisation',
    area: 'overview',
    summary: 'Stream live events',
    query: Query,
    no_head: true,
    run: async ({ caller, visitor, socket }, reply) => {
      const { raw } = reply
      let unwatch = (): void => {}
      let { role } = visitor
      // Events before the first write are dropped: the client loads its data after `hello`, and writing now would omit
      // the headers.
      let greeted = false
      const end = (): void => {
        clearInterval(heartbeat)
        unwatch()
        leave()
        raw.end()
      }
      const connection = { ...visitor, end }
      const leave = (): void => {
        connections.leave(connection)
        beats.delete(connection)
      }
      connections.take(connection)
      const heartbeat = setInterval(() => void beat(), HEARTBEAT_MS)
      const send = (text: string): void => {
        raw.write(text)
        if (raw.writableLength > MOST_UNSENT_BYTES) raw.destroy()
      }
      const isStalled = makeStallCheck(socket)
      const beat = async (): Promise<void> => {
        if (isStalled(performance.now())) return void raw.destroy()
        // If the database is unreachable, the session is assumed to be open.
        const open = await findOpen(deps, visitor.token).catch(() => ({ role }))
        if (open) {
          role = open.role
          return send(': \n\n')
        }
        send('event: bye\ndata: {}\n\n')
        end()
      }
      offEnded ??= deps.wakeups.onWake(SESSIONS_ENDED, () => {
        for (const one of beats.values()) void one()
      })
      beats.set(connection, beat)
      raw.on('close', end)
      try {
        unwatch = await deps.live.watch(caller.organisation_id, (event) => {
          if (greeted && mayDo(role, AREAS[event.kind], false)) send(written(event))
        })
      } catch (fault) {
        clearInterval(heartbeat)
        leave()
        throw fault
      }
      // The client disconnected, or was disconnected, during the subscription.
      if (raw.destroyed || raw.writableEnded) return end()
      reply.hijack()
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) raw.setHeader(name, value)
      raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
      })
      greeted = true
      send('retry: 2000\nevent: hello\ndata: {}\n\n')
    },
  })
  addRoutes(app, deps, [events])

  // A closing server waits for its connections, and streams never end on their own.
  app.addHook('preClose', (done) => {
    offEnded?.()
    for (const { end } of connections.all()) end()
    done()
  })
}

function written(event: LiveEvent): string {
  if (event.kind === 'phone') return sseEvent('phone', event.message)
  if (event.kind === 'texts') return sseEvent('texts', { phones: event.phones, truncated: event.truncated })
  const { kind, ...deliveries } = event
  return sseEvent(kind, deliveries)
}

function sseEvent<Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
