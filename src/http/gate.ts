import type { Server } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Refusal } from '../values/refusal.ts'

/** Whether this process takes requests. */
export type Gate = {
  /** The process is stopping: `/ready` reports it, and each response closes its connection. */
  draining: boolean
  /** Why no request can be served at all; the health checks and the metrics still are. */
  closed: Refusal | undefined
}

export function openGate(): Gate {
  return { draining: false, closed: undefined }
}

/** Sends `Connection: close` while the process is stopping, and refuses requests while the gate is closed. */
export function guardRequests(app: FastifyInstance, { gate }: { gate: Gate }): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (gate.draining) reply.header('connection', 'close')
    done(request.routeOptions.config.quiet === true ? undefined : gate.closed)
  })
}

/**
 * Time for clients with open connections to send their next request, which is answered with `Connection: close`. A
 * connection that is closed while its client sends a request is reset, and the client does not learn whether the request
 * was processed.
 */
const LINGER_MS = 1_000
const POLL_INTERVAL_MS = 20

/**
 * Prepares the server for its end. For `drain_ms` everything is served, while `/ready` makes load balancers choose another
 * process; then only as long as connections are open.
 */
export async function drain(server: Server, gate: Gate, drain_ms: number): Promise<void> {
  gate.draining = true
  await setTimeout(drain_ms)
  const until = performance.now() + LINGER_MS
  while (performance.now() < until && (await countConnections(server)) > 0) await setTimeout(POLL_INTERVAL_MS)
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_fault, count) => resolve(count ?? 0)))
}
