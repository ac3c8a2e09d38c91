import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { asError } from '../../values/thrown.ts'

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

/** Whose post it is: each endpoint of each organisation has connections of its own, also beside others at one origin. */
export type Sender = { organisation_id: string; lane: string }

export type Connections = {
  /** Sends it on a free connection, on a new one, or when one becomes free. */
  send(sender: Sender, target: Target, exchange: Exchange): void
  /** It is over: if it is under way its connection is closed, if it is in the line it never leaves. */
  drop(exchange: Exchange): void
  /** Closes all connections. What is under way learns of it. */
  destroy(): void
}

export type ConnectionOptions = {
  /** At most so many of one lane to one origin; what is more waits in the line of the two. */
  per_pool: number
  /** With so many open in all, a new one takes the place of the one that has been kept unused for longest. */
  in_all: number
  /** For each address of a host. */
  attempt_timeout_ms: number
  lookupFor: (organisation_id: string) => LookupFunction
}

type Connection = {
  socket: Socket
  exchange: Exchange | undefined
  idle_until: number
  /** It was kept, and since its present request nothing has come. */
  may_be_stale: boolean
}

/** The connections of a lane to an origin, and what waits for one. */
type Pool = {
  name: string
  organisation_id: string
  target: Target
  all: Set<Connection>
  idle: Connection[]
  line: Set<Exchange>
  /** Those of the line that want a new connection. */
  again: Set<Exchange>
}

const SWEEP_EVERY_MS = 1_000

/** Connections that are kept for the next request, one request on each at a time: HTTP/1.1 without pipelining. */
export function makeConnections(options: ConnectionOptions): Connections {
  const { per_pool, in_all, attempt_timeout_ms, lookupFor } = options
  const pools = new Map<string, Pool>()
  const places = new Map<Exchange, { pool: Pool; connection: Connection | undefined }>()
  /** Those nobody uses at present, the one for longest first. */
  const kept = new Set<Connection>()
  let open_in_all = 0
  let sweeper: NodeJS.Timeout | undefined
  let destroyed = false

  function send({ organisation_id, lane }: Sender, target: Target, exchange: Exchange): void {
    const name = `${organisation_id} ${lane} ${target.origin}`
    let pool = pools.get(name)
    if (!pool) {
      pool = { name, organisation_id, target, all: new Set(), idle: [], line: new Set(), again: new Set() }
      pools.set(name, pool)
    }
    sweeper ??= setInterval(sweep, SWEEP_EVERY_MS).unref()
    pool.line.add(exchange)
    places.set(exchange, { pool, connection: undefined })
    serve(pool)
  }

  function serve(pool: Pool): void {
    for (const exchange of pool.line) {
      if (pool.idle.length === 0 && pool.all.size >= per_pool) return
      pool.line.delete(exchange)
      try {
        const connection = pool.again.delete(exchange) ? openInstead(pool) : (idleOne(pool) ?? open(pool))
        connection.exchange = exchange
        places.set(exchange, { pool, connection })
        // Before it is connected this waits in the socket.
        connection.socket.write(exchange.request)
      } catch (fault) {
        // A host that cannot even be asked for.
        places.delete(exchange)
        exchange.onClosed(asError(fault))
      }
    }
    if (pool.all.size === 0 && pool.line.size === 0) pools.delete(pool.name)
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

  /** A new one, in the place of one that is kept if there is no other. */
  function openInstead(pool: Pool): Connection {
    const given_up = pool.all.size >= per_pool ? pool.idle.pop() : undefined
    if (given_up) {
      pool.all.delete(given_up)
      given_up.socket.destroy()
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

  /** Its pool learns of it when it is closed; until then it finds it of no use. */
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
    const next = exchange ? exchange.onBytes(bytes) : 'close' // nobody asked
    if (next === 'more') return
    if (exchange) places.delete(exchange)
    connection.exchange = undefined
    if (next === 'close' || next.keep_ms === 0) return void connection.socket.destroy()
    connection.idle_until = performance.now() + next.keep_ms
    pool.idle.push(connection)
    kept.add(connection)
    if (pool.line.size > 0) serve(pool)
  }

  function end(pool: Pool, connection: Connection, fault: Error | undefined): void {
    const { exchange } = connection
    if (!exchange) return
    connection.exchange = undefined
    if (connection.may_be_stale && !destroyed) return sendAgain(pool, exchange)
    places.delete(exchange)
    exchange.onClosed(fault)
  }

  /** First in line, and as soon as the connection that failed it has made room. */
  function sendAgain(pool: Pool, exchange: Exchange): void {
    const others = [...pool.line]
    pool.line.clear()
    for (const one of [exchange, ...others]) pool.line.add(one)
    pool.again.add(exchange)
    places.set(exchange, { pool, connection: undefined })
    serve(pool)
  }

  function sweep(): void {
    for (const [name, pool] of pools) {
      for (const one of pool.idle) if (one.idle_until <= performance.now()) one.socket.destroy()
      if (pool.all.size === 0 && pool.line.size === 0) pools.delete(name)
    }
  }

  return {
    send,
    drop(exchange) {
      const place = places.get(exchange)
      if (!place) return
      places.delete(exchange)
      place.pool.line.delete(exchange)
      place.pool.again.delete(exchange)
      if (!place.connection) return
      place.connection.exchange = undefined
      place.connection.socket.destroy()
    },
    destroy() {
      clearInterval(sweeper)
      destroyed = true
      for (const { all, line } of pools.values()) {
        line.clear()
        for (const { socket } of all) socket.destroy()
      }
    },
  }
}
