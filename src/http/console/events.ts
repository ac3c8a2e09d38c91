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
/** A page that does not read what it is sent is let go; it comes back and reads anew. */
const MOST_UNSENT_BYTES = 1024 * 1024

/** What somebody must have a right to, to hear of it. */
const AREAS: Record<LiveEvent['kind'], Area> = { phone: 'phones', deliveries: 'sms', texts: 'sms' }

const Query = Type.Object({ organisation_id: Type.Optional(Type.String()) })

/**
 * Server-sent events: what happens in an organisation, while it happens, as long as the session lasts. It has the server
 * in hand, because the streams must end before that can close.
 */
export function eventRoutes(app: FastifyInstance, deps: HttpDeps): void {
  /** Subscribed with the first page. */
  let offEnded: (() => void) | undefined
  const connections = makeLiveConnections()
  const beats = new Map<LiveConnection, () => Promise<void>>()

  const events = route({
    method: 'GET',
    path: '/console/api/events',
    who: 'organisation',
    area: 'overview',
    summary: 'What happens, while it happens',
    query: Query,
    no_head: true,
    run: async ({ caller, visitor, socket }, reply) => {
      const { raw } = reply
      let unwatch = (): void => {}
      let { role } = visitor
      // What happens before the greeting is read by who is greeted; written now, it would go out without its headers.
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
        // A database that is away says nothing about the session.
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
      // Gone, or let go, while we were about to listen.
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

  // A server that closes waits for its connections, and these would never end by themselves.
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
