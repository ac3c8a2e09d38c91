import type { FastifyReply, FastifyRequest } from 'fastify'
import { phoneQueue, PHONE_REMOVED } from '../../carriers/phone/queues.ts'
import type { Phone } from '../../carriers/phone/store.ts'
import { Refusal } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { makeStallCheck } from '../connection/stalled.ts'

/** Keeps proxies between the phone and the server from closing the connection. */
const HEARTBEAT_MS = 20_000
/**
 * Every third heartbeat makes the phone poll, even without new messages: its request shows that it is online, which an
 * open stream does not.
 */
const LOOK_EVERY = 3
const MOST_STREAMS = 1_000
const COME_BACK_S = 30

const LOOK = event('MessageEnqueued')
/** The app requests both before it has joined, gets nothing, and retries only the next day without these events. */
const GREETING = [event('SettingsUpdated'), event('WebhooksUpdated')].join('')

export type PhoneStreams = {
  open(phone: Phone, request: FastifyRequest, reply: FastifyReply): void
  close(): void
}

/** Server-sent events that make phones poll. Each phone has one stream, its newest. */
export function makePhoneStreams({ wakeups }: Pick<HttpDeps, 'wakeups'>): PhoneStreams {
  const streams = new Map<string, { end: () => void }>()
  let closed = false
  return {
    open({ id }, request, reply) {
      // The phone disconnected, or the server started to close, during authentication.
      if (closed || reply.raw.destroyed || request.raw.socket.destroyed) {
        throw new Refusal('unavailable', 'The service is about to stop.', [], 1)
      }
      streams.get(id)?.end()
      if (streams.size >= MOST_STREAMS) {
        throw new Refusal('too_many_requests', 'Too many phones are here.', [], COME_BACK_S)
      }
      const { raw } = reply
      const isStalled = makeStallCheck(request.raw.socket)
      let beats = 0
      const heartbeat = setInterval(() => {
        if (isStalled(performance.now())) return void raw.destroy()
        beats += 1
        raw.write(beats % LOOK_EVERY === 0 ? LOOK : ': \n\n')
      }, HEARTBEAT_MS)
      const off = wakeups.onWake(phoneQueue(id), (detail) => {
        if (detail === PHONE_REMOVED) stream.end()
        else raw.write(LOOK)
      })
      const stream = {
        end: (): void => {
          clearInterval(heartbeat)
          off()
          if (streams.get(id) === stream) streams.delete(id)
          raw.end()
        },
      }
      streams.set(id, stream)
      raw.on('close', stream.end)
      reply.hijack()
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) raw.setHeader(name, value)
      raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
        connection: 'close', // no keep-alive after an ended stream
      })
      raw.write(GREETING)
    },
    close() {
      closed = true
      for (const { end } of streams.values()) end()
    },
  }
}

function event(name: string): string {
  return `event: ${name}\ndata: {}\n\n`
}
