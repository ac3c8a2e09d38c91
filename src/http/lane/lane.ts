import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_BODY, MAX_HEAD, readPlainRequest, type PlainHead } from './read-request.ts'

/** A whole response. Most are of one byte a character, which are the quicker to write. */
export type Response = { text: string; encoding: 'latin1' | 'utf8' }

/** Answers a plain request, or does not (`undefined`) if it is one for the full server after all. */
export type Serve = (head: PlainHead, body: string) => Promise<Response> | undefined

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
  const handOver = (socket: Socket): void => serveInFull.call(server, socket)
  const lanes = new Set<Connection>()
  const turn = makeTurn()
  let closed = false
  server.on('connection', (socket: Socket) => {
    const connection = new Connection(socket, { serve, handOver, turn })
    lanes.add(connection)
    connection.gone = () => lanes.delete(connection)
    if (closed) connection.close()
  })
  const sweep = setInterval(() => {
    const now = performance.now()
    for (const connection of lanes) connection.look(now - PATIENCE_MS, now - keep_alive_ms)
  }, SWEEP_MS).unref()
  return {
    close() {
      closed = true
      clearInterval(sweep)
      for (const connection of lanes) connection.close()
    },
  }
}

/**
 * All connections that have something new go on in one turn of the event loop, one after the other: the same code for
 * sixty requests in a row takes a tenth less time than all the code for each of them.
 */
function makeTurn(): (connection: Connection) => void {
  let waiting = new Set<Connection>()
  const goOn = (): void => {
    const now = waiting
    waiting = new Set()
    for (const connection of now) connection.proceed()
  }
  return (connection) => {
    if (waiting.size === 0) setImmediate(goOn)
    waiting.add(connection)
  }
}

type House = { serve: Serve; handOver: (socket: Socket) => void; turn: (connection: Connection) => void }

/**
 * One connection while it is on the lane. A class because it owns a socket. It looks at the time itself: a timer on the
 * socket would be set anew by everything read and written.
 */
class Connection {
  gone: () => void = () => {}
  readonly #socket: Socket
  readonly #house: House
  #head_before: PlainHead | undefined
  #unread: Buffer | undefined
  /** When the oldest byte came that is not read, or else when it last had something to do. */
  #active_ms = performance.now()
  #busy = false
  #closing = false
  #ended = false
  #left = false

  constructor(socket: Socket, house: House) {
    this.#socket = socket
    this.#house = house
    socket.on('data', this.#read).on('end', this.#end).on('close', this.#closed).on('error', this.#failed)
    socket.on('drain', this.#goOn)
  }

  close(): void {
    this.#closing = true
    if (!this.#busy) this.#socket.destroySoon()
  }

  /** Ends it if half a request has lain here since before `patience`, or nothing has come since before `keep_alive`. */
  look(patience: number, keep_alive: number): void {
    if (!this.#busy && this.#active_ms < this.#limit(patience, keep_alive)) this.#socket.destroy()
  }

  #limit(patience: number, keep_alive: number): number {
    return this.#unread && !this.#socket.writableNeedDrain ? patience : keep_alive
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
      this.#active_ms = performance.now()
    }
    if (!this.#occupied) this.#house.turn(this)
    else if (this.#unread.length > MAX_WAITING) this.#socket.pause()
  }

  /** Reads the next request, if it is there whole, and begins to answer it. */
  proceed(): void {
    if (this.#occupied || this.#left || this.#socket.destroyed) return
    const bytes = this.#unread
    const request = bytes && !this.#closing ? readPlainRequest(bytes, this.#head_before) : 'incomplete'
    if (!bytes || request === 'incomplete') {
      if (this.#closing || this.#ended) this.#socket.destroySoon()
      return
    }
    if (request === 'unusual') return this.#leave(bytes)
    this.#head_before = request.head
    const answer = this.#house.serve(request.head, bytes.toString('utf8', request.from, request.to))
    if (!answer) return this.#leave(bytes)
    this.#unread = request.to === bytes.length ? undefined : bytes.subarray(request.to)
    this.#busy = true
    answer.then(this.#answer, (fault: Error) => this.#socket.destroy(fault))
  }

  #answer = (response: Response): void => {
    this.#busy = false
    this.#active_ms = performance.now()
    if (this.#socket.destroyed) return
    this.#socket.write(response.text, response.encoding)
    this.#goOn()
  }

  #goOn = (): void => {
    if (this.#occupied) return
    if (this.#socket.isPaused()) this.#socket.resume()
    this.proceed()
  }

  /** From here on the HTTP server has it, from the first byte of this request. */
  #leave(bytes: Buffer): void {
    const socket = this.#socket
    this.#left = true
    socket.off('data', this.#read).off('end', this.#end).off('close', this.#closed).off('error', this.#failed)
    socket.off('drain', this.#goOn)
    this.gone()
    this.#house.handOver(socket)
    socket.unshift(bytes)
    if (socket.isPaused()) socket.resume()
  }

  /** The caller has said all it will; what it still waits for it gets. */
  #end = (): void => {
    this.#ended = true
    if (!this.#occupied) this.#house.turn(this)
  }

  #closed = (): void => this.gone()

  #failed = (): void => {
    this.#socket.destroy()
  }
}
