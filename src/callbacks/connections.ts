import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** What goes on a connection: one request, and whoever wants to know what comes back. */
export type Exchange = {
  request: string
  /** Says what is to become of the connection: another answer is awaited, it is free again so long, or of no use. */
  onBytes(bytes: Buffer): 'more' | 'close' | { keep_ms: number }
  /**
   * The endpoint has closed; without a fault in order. One that closed a kept connection before it said a word most
   * likely did so before it read ours: then the request goes out once more, on a new connection, and this is not told.
   */
  onClosed(fault: Error | undefined): void
}

export type Target = { origin: string; tls: boolean; host: string; hostname: string; port: number; path: string }

export type Connections = {
  /** Sends it on a free connection, on a new one, or when one becomes free. */
  send(target: Target, exchange: Exchange): void
  /** It is over: if it is under way its connection is closed, if it is in the line it never leaves. */
  drop(exchange: Exchange): void
  /** Closes all connections. What is under way learns of it. */
  destroy(): void
}

export type ConnectionOptions = {
  /** At most so many to one origin; what is more waits in that origin's line. */
  per_origin: number
  /** For each address of a host. */
  attempt_timeout_ms: number
  lookup: LookupFunction
}

type Connection = {
  socket: Socket
  exchange: Exchange | undefined
  idle_until: number
  /** It was kept, and since its present request nothing has come. */
  may_be_stale: boolean
}

type Origin = {
  target: Target
  all: Set<Connection>
  idle: Connection[]
  line: Set<Exchange>
  /** Those of the line that want a new connection. */
  again: Set<Exchange>
}

const SWEEP_EVERY_MS = 1_000

/** Connections that are kept for the next request, one request on each at a time: HTTP/1.1 without pipelining. */
export function makeConnections({ per_origin, attempt_timeout_ms, lookup }: ConnectionOptions): Connections {
  const origins = new Map<string, Origin>()
  const places = new Map<Exchange, { origin: Origin; connection: Connection | undefined }>()
  let sweeper: NodeJS.Timeout | undefined
  let destroyed = false

  function send(target: Target, exchange: Exchange): void {
    let origin = origins.get(target.origin)
    if (!origin)
      origins.set(target.origin, (origin = { target, all: new Set(), idle: [], line: new Set(), again: new Set() }))
    sweeper ??= setInterval(sweep, SWEEP_EVERY_MS).unref()
    origin.line.add(exchange)
    places.set(exchange, { origin, connection: undefined })
    serve(origin)
  }

  function serve(origin: Origin): void {
    for (const exchange of origin.line) {
      if (origin.idle.length === 0 && origin.all.size >= per_origin) return
      origin.line.delete(exchange)
      try {
        const connection = origin.again.delete(exchange) ? openInstead(origin) : (idleOne(origin) ?? open(origin))
        connection.exchange = exchange
        places.set(exchange, { origin, connection })
        // Before it is connected this waits in the socket.
        connection.socket.write(exchange.request)
      } catch (fault) {
        // A host that cannot even be asked for.
        places.delete(exchange)
        exchange.onClosed(fault as Error)
      }
    }
    if (origin.all.size === 0 && origin.line.size === 0) origins.delete(origin.target.origin)
  }

  function idleOne({ all, idle }: Origin): Connection | undefined {
    for (let one = idle.pop(); one; one = idle.pop()) {
      if (one.idle_until > performance.now() && one.socket.writable) {
        one.may_be_stale = true
        return one
      }
      all.delete(one)
      one.socket.destroy()
    }
    return undefined
  }

  /** A new one, in the place of one that is kept if there is no other. */
  function openInstead(origin: Origin): Connection {
    const given_up = origin.all.size >= per_origin ? origin.idle.pop() : undefined
    if (given_up) {
      origin.all.delete(given_up)
      given_up.socket.destroy()
    }
    return open(origin)
  }

  function open(origin: Origin): Connection {
    const { hostname: host, port, tls } = origin.target
    const where = { host, port, lookup, autoSelectFamilyAttemptTimeout: attempt_timeout_ms, autoSelectFamily: true }
    const names = isIP(host) === 0 ? { servername: host } : {}
    const socket = tls ? connectTls({ ...where, ...names, ALPNProtocols: ['http/1.1'] }) : connectTcp(where)
    const connection: Connection = { socket, exchange: undefined, idle_until: 0, may_be_stale: false }
    let fault: Error | undefined
    origin.all.add(connection)
    socket.setNoDelay(true)
    socket.on('data', (bytes) => take(origin, connection, bytes))
    socket.on('error', (error) => (fault = error))
    socket.on('end', () => end(origin, connection, undefined))
    socket.on('close', () => {
      origin.all.delete(connection)
      const place = origin.idle.indexOf(connection)
      if (place >= 0) origin.idle.splice(place, 1)
      end(origin, connection, fault)
      serve(origin)
    })
    return connection
  }

  function take(origin: Origin, connection: Connection, bytes: Buffer): void {
    const { exchange } = connection
    connection.may_be_stale = false
    const next = exchange ? exchange.onBytes(bytes) : 'close' // nobody asked
    if (next === 'more') return
    if (exchange) places.delete(exchange)
    connection.exchange = undefined
    if (next === 'close' || next.keep_ms === 0) return void connection.socket.destroy()
    connection.idle_until = performance.now() + next.keep_ms
    origin.idle.push(connection)
    if (origin.line.size > 0) serve(origin)
  }

  function end(origin: Origin, connection: Connection, fault: Error | undefined): void {
    const { exchange } = connection
    if (!exchange) return
    connection.exchange = undefined
    if (connection.may_be_stale && !destroyed) return sendAgain(origin, exchange)
    places.delete(exchange)
    exchange.onClosed(fault)
  }

  /** First in line, and as soon as the connection that failed it has made room. */
  function sendAgain(origin: Origin, exchange: Exchange): void {
    const others = [...origin.line]
    origin.line.clear()
    for (const one of [exchange, ...others]) origin.line.add(one)
    origin.again.add(exchange)
    places.set(exchange, { origin, connection: undefined })
    serve(origin)
  }

  function sweep(): void {
    for (const [name, origin] of origins) {
      for (const one of origin.idle) if (one.idle_until <= performance.now()) one.socket.destroy()
      if (origin.all.size === 0 && origin.line.size === 0) origins.delete(name)
    }
  }

  return {
    send,
    drop(exchange) {
      const place = places.get(exchange)
      if (!place) return
      places.delete(exchange)
      place.origin.line.delete(exchange)
      place.origin.again.delete(exchange)
      if (!place.connection) return
      place.connection.exchange = undefined
      place.connection.socket.destroy()
    },
    destroy() {
      clearInterval(sweeper)
      destroyed = true
      for (const { all, line } of origins.values()) {
        line.clear()
        for (const { socket } of all) socket.destroy()
      }
    },
  }
}
