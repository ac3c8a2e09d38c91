import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_BODY, MAX_HEAD, readPlainRequest, type PlainRequest } from './read-request.ts'

/** Answers a plain request with a whole response, or `undefined` if it is one for the full server after all. */
export type Serve = (request: PlainRequest, body: string) => Promise<string> | undefined

export type Lane = {
  /** No new requests: idle connections end now, busy ones after their answer. */
  close(): void
}

/** A connection with half a request on it is given up after this long, however it trickles. */
const PATIENCE_MS = 15_000
const SWEEP_MS = 5_000
/** Answers under way and the bytes of further requests: what a connection may pile up here. */
const MAX_WAITING = MAX_HEAD + MAX_BODY

/**
 * The express lane. Node's HTTP server and a framework take two thirds of the time of a small request, and nearly all
 * requests of a busy installation are `POST /sms/send` in its plainest form. Those are read and answered right on the
 * socket; at the first request that is anything else, the connection goes over to the HTTP server with all its bytes
 * and stays there. So there is no second dialect to learn: what the lane does not serve it has not touched.
 */
export function openLane(server: Server, serve: Serve, keep_alive_ms: number): Lane {
  const [serveInFull] = server.listeners('connection') as ((socket: Socket) => void)[]
  if (!serveInFull) throw new Error('an HTTP server listens for connections')
  server.removeListener('connection', serveInFull)
  const lanes = new Set<Connection>()
  let closed = false
  const handOver = (socket: Socket): void => serveInFull.call(server, socket)
  server.on('connection', (socket: Socket) => {
    const connection = new Connection(socket, serve, handOver, keep_alive_ms)
    lanes.add(connection)
    connection.gone = () => lanes.delete(connection)
    if (closed) connection.close()
  })
  const sweep = setInterval(() => {
    const now = performance.now()
    for (const connection of lanes) connection.giveUp(now - PATIENCE_MS)
  }, SWEEP_MS).unref()
  return {
    close() {
      closed = true
      clearInterval(sweep)
      for (const connection of lanes) connection.close()
    },
  }
}

/** One connection while it is on the lane. A class because it owns a socket. */
class Connection {
  gone: () => void = () => {}
  readonly #socket: Socket
  readonly #serve: Serve
  readonly #handOver: (socket: Socket) => void
  #unread: Buffer | undefined
  #unread_since = 0
  #busy = false
  #closing = false
  #ended = false

  constructor(socket: Socket, serve: Serve, handOver: (socket: Socket) => void, keep_alive_ms: number) {
    this.#socket = socket
    this.#serve = serve
    this.#handOver = handOver
    socket.on('data', this.#read).on('end', this.#end).on('close', this.#closed).on('error', this.#failed)
    socket.on('drain', this.#goOn)
    socket.setTimeout(keep_alive_ms, this.#idle)
  }

  close(): void {
    this.#closing = true
    if (!this.#busy) this.#socket.destroySoon()
  }

  /** Half a request that has lain here since before `moment` will not be completed. */
  giveUp(moment: number): void {
    if (!this.#occupied && this.#unread && this.#unread_since < moment) this.#socket.destroy()
  }

  /** An answer is being made, or what was made is not taken: until it is, nothing more is made. */
  get #occupied(): boolean {
    return this.#busy || this.#socket.writableNeedDrain
  }

  #read = (bytes: Buffer): void => {
    if (this.#unread) {
      this.#unread = Buffer.concat([this.#unread, bytes])
    } else {
      this.#unread = bytes
      this.#unread_since = performance.now()
    }
    if (!this.#occupied) this.#proceed()
    else if (this.#unread.length > MAX_WAITING) this.#socket.pause()
  }

  #proceed(): void {
    const bytes = this.#unread
    const request = bytes && !this.#closing ? readPlainRequest(bytes) : 'incomplete'
    if (!bytes || request === 'incomplete') {
      if (this.#closing || this.#ended) this.#socket.destroySoon()
      return
    }
    const answer =
      request === 'unusual' ? undefined : this.#serve(request, bytes.toString('utf8', request.from, request.to))
    if (request === 'unusual' || !answer) return this.#leave(bytes)
    this.#unread = request.to === bytes.length ? undefined : bytes.subarray(request.to)
    this.#unread_since = performance.now()
    this.#busy = true
    answer.then(this.#answer, (fault: Error) => this.#socket.destroy(fault))
  }

  #answer = (response: string): void => {
    this.#busy = false
    if (this.#socket.destroyed) return
    this.#socket.write(response)
    this.#goOn()
  }

  #goOn = (): void => {
    if (this.#occupied) return
    if (this.#socket.isPaused()) this.#socket.resume()
    this.#proceed()
  }

  /** From here on the HTTP server has it, from the first byte of this request. */
  #leave(bytes: Buffer): void {
    const socket = this.#socket
    socket.off('data', this.#read).off('end', this.#end).off('close', this.#closed).off('error', this.#failed)
    socket.off('drain', this.#goOn).off('timeout', this.#idle).setTimeout(0)
    this.gone()
    this.#handOver(socket)
    socket.unshift(bytes)
    if (socket.isPaused()) socket.resume()
  }

  /** The caller has said all it will; what it still waits for it gets. */
  #end = (): void => {
    this.#ended = true
    if (!this.#occupied) this.#proceed()
  }

  #closed = (): void => this.gone()

  #failed = (): void => {
    this.#socket.destroy()
  }

  #idle = (): void => {
    if (!this.#busy) this.#socket.destroy()
  }
}
