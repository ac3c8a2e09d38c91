import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { asError } from '../../values/thrown.ts'

/** One request, and the handlers of its response. */
export type Exchange = {
  request: string
  /** The pool that it waits in or uses, and its connection; set by `Connections`. */
  pool: Pool | undefined
  connection: Connection | undefined
  /** Returns what happens to the connection: it waits for more bytes, is kept idle for a time, or is closed. */
  onBytes(bytes: Buffer): 'more' | 'close' | { keep_ms: number }
  /**
   * The endpoint has closed the connection, with a fault or in order. Not called if it closed a kept connection before
   * its first byte: it most likely did so before it read the request, which is then sent again on a new connection.
   */
  onClosed(fault: Error | undefined): void
}

export type Target = { origin: string; tls: boolean; host: string; hostname: string; port: number; path: string }

/** Each lane of each organisation has its own connections, even to the same origin. */
export type Sender = { organisation_id: string; lane: string }

export type Connections = {
  /** Sends it on an idle connection or a new one, or queues it until one is free. */
  send(sender: Sender, target: Target, exchange: Exchange): void
  /** Abandons an exchange: closes its connection, or removes it from the queue. */
  drop(exchange: Exchange): void
  /** Closes all connections; `onClosed` of exchanges in flight is called. */
  destroy(): void
}

export type ConnectionOptions = {
  /** Maximum of one lane to one origin; further exchanges wait in the pool's queue. */
  per_pool: number
  /** Total above which a new connection replaces the one that has been idle longest. */
  in_all: number
  /** Connect timeout of each address of a host. */
  attempt_timeout_ms: number
  lookupFor: (organisation_id: string) => LookupFunction
}

export type Connection = {
  socket: Socket
  exchange: Exchange | undefined
  idle_until: number
  /** A kept connection that has received nothing since its present request. */
  may_be_stale: boolean
}

/** The connections of a lane to an origin, and the exchanges that wait for one. */
export type Pool = {
  name: string
  organisation_id: string
  target: Target
  all: Set<Connection>
  idle: Connection[]
  queue: Set<Exchange>
  /** Exchanges of the queue that need a new connection. */
  resend: Set<Exchange>
}

const SWEEP_EVERY_MS = 1_000

/** Keep-alive connections with one request at a time on each: HTTP/1.1 without pipelining. */
export function makeConnections(options: ConnectionOptions): Connections {
  const { per_pool, in_all, attempt_timeout_ms, lookupFor } = options
  const pools = new Map<string, Pool>()
  /** Idle connections of all pools, longest idle first. */
  const kept = new Set<Connection>()
  let open_in_all = 0
  let sweeper: NodeJS.Timeout | undefined
  let destroyed = false

  function send({ organisation_id, lane }: Sender, target: Target, exchange: Exchange): void {
    const name = `${organisation_id} ${lane} ${target.origin}`
    let pool = pools.get(name)
    if (!pool) {
      pool = { name, organisation_id, target, all: new Set(), idle: [], queue: new Set(), resend: new Set() }
      pools.set(name, pool)
    }
    sweeper ??= setInterval(sweep, SWEEP_EVERY_MS).unref()
    pool.queue.add(exchange)
    exchange.pool = pool
    serve(pool)
  }

  function serve(pool: Pool): void {
    for (const exchange of pool.queue) {
      if (pool.idle.length === 0 && pool.all.size >= per_pool) return
      pool.queue.delete(exchange)
      try {
        const connection = pool.resend.delete(exchange) ? openInstead(pool) : (idleOne(pool) ?? open(pool))
        connection.exchange = exchange
        exchange.connection = connection
        // The socket buffers the request until it is connected.
        connection.socket.write(exchange.request)
      } catch (fault) {
        // A host name that cannot be resolved at all throws synchronously.
        leave(exchange)
        exchange.onClosed(asError(fault))
      }
    }
    if (pool.all.size === 0 && pool.queue.size === 0) pools.delete(pool.name)
  }

  function idleOne({ all, idle }: Pool): Connection | undefined {
    for (let one = idle.pop(); one; one = idle.pop()) {
      kept.delete(one)
      if (one.idle_until > performance.now() && one.socket.writable) {
        one.may_be_stale = true
        return one
      }
      all.delete(one)
      one.socket.destroy()
    }
    return undefined
  }

  /** Opens a connection, in place of an idle one if the pool is full. */
  function openInstead(pool: Pool): Connection {
    const replaced = pool.all.size >= per_pool ? pool.idle.pop() : undefined
    if (replaced) {
      pool.all.delete(replaced)
      replaced.socket.destroy()
    }
    return open(pool)
  }

  function open(pool: Pool): Connection {
    if (open_in_all >= in_all) closeOldest()
    const { hostname: host, port, tls } = pool.target
    const lookup = lookupFor(pool.organisation_id)
    const where = { host, port, lookup, autoSelectFamilyAttemptTimeout: attempt_timeout_ms, autoSelectFamily: true }
    const names = isIP(host) === 0 ? { servername: host } : {}
    const socket = tls ? connectTls({ ...where, ...names, ALPNProtocols: ['http/1.1'] }) : connectTcp(where)
    const connection: Connection = { socket, exchange: undefined, idle_until: 0, may_be_stale: false }
    let fault: Error | undefined
    pool.all.add(connection)
    open_in_all += 1
    socket.setNoDelay(true)
    socket.on('data', (bytes) => take(pool, connection, bytes))
    socket.on('error', (error) => (fault = error))
    socket.on('end', () => end(pool, connection, undefined))
    socket.on('close', () => {
      open_in_all -= 1
      kept.delete(connection)
      pool.all.delete(connection)
      const place = pool.idle.indexOf(connection)
      if (place >= 0) pool.idle.splice(place, 1)
      end(pool, connection, fault)
      serve(pool)
    })
    return connection
  }

  /** Its pool removes it on `close`; until then it finds the socket unwritable. */
  function closeOldest(): void {
    for (const one of kept) {
      kept.delete(one)
      one.socket.destroy()
      return
    }
  }

  function take(pool: Pool, connection: Connection, bytes: Buffer): void {
    const { exchange } = connection
    connection.may_be_stale = false
    const next = exchange ? exchange.onBytes(bytes) : 'close' // bytes without a request
    if (next === 'more') return
    if (exchange) leave(exchange)
    connection.exchange = undefined
    if (next === 'close' || next.keep_ms === 0) return void connection.socket.destroy()
    connection.idle_until = performance.now() + next.keep_ms
    pool.idle.push(connection)
    kept.add(connection)
    if (pool.queue.size > 0) serve(pool)
  }

  function end(pool: Pool, connection: Connection, fault: Error | undefined): void {
    const { exchange } = connection
    if (!exchange) return
    connection.exchange = undefined
    if (connection.may_be_stale && !destroyed) return resend(pool, exchange)
    leave(exchange)
    exchange.onClosed(fault)
  }

  /** Queues the exchange first, to be sent once the failed connection has freed its slot. */
  function resend(pool: Pool, exchange: Exchange): void {
    const others = [...pool.queue]
    pool.queue.clear()
    for (const one of [exchange, ...others]) pool.queue.add(one)
    pool.resend.add(exchange)
    exchange.connection = undefined
    serve(pool)
  }

  function sweep(): void {
    for (const [name, pool] of pools) {
      for (const one of pool.idle) if (one.idle_until <= performance.now()) one.socket.destroy()
      if (pool.all.size === 0 && pool.queue.size === 0) pools.delete(name)
    }
  }

  return {
    send,
    drop(exchange) {
      const { pool, connection } = exchange
      if (!pool) return
      leave(exchange)
      pool.queue.delete(exchange)
      pool.resend.delete(exchange)
      if (!connection) return
      connection.exchange = undefined
      connection.socket.destroy()
    },
    destroy() {
      clearInterval(sweeper)
      destroyed = true
      for (const { all, queue } of pools.values()) {
        queue.clear()
        for (const { socket } of all) socket.destroy()
      }
    },
  }
}

function leave(exchange: Exchange): void {
  exchange.pool = undefined
  exchange.connection = undefined
}
