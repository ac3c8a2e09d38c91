import { isUtf8 } from 'node:buffer'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { makeUnread } from '../connection/unread.ts'
import { Pieces } from './pieces.ts'
import { MAX_BODY, MAX_HEAD, readPlainHead, type PlainHead } from './read-request.ts'

/** A whole response. Most are of one byte a character, which are the quicker to write. */
export type Response = { text: string; encoding: 'latin1' | 'utf8' }

/** Answers a plain request, or does not (`undefined`) if it is one for the full server after all. */
export type Serve = (head: PlainHead, body: string) => Promise<Response> | undefined

export type Express = {
  /** No new requests: idle connections end now, busy ones after their answer. */
  close(): void
}

/** A connection with half a request on it is given up after this long, however it trickles. */
const HALF_REQUEST_MS = 15_000
const SWEEP_MS = 5_000
/** Answers under way and the bytes of further requests: what a connection may pile up here. */
const MAX_WAITING = MAX_HEAD + MAX_BODY

/**
 * The express path, a fast path for `POST /sms/send`. Node's HTTP server and a framework take two thirds of the time of
 * a small request, and nearly all requests of a busy installation are sends in their plainest form. Those are read and
 * answered right on the socket; at the first request that is anything else, the connection goes over to the HTTP server
 * with all its bytes and stays there. So there is no second dialect to learn: what it does not serve it has not touched.
 */
export function startExpress(server: Server, serve: Serve, keep_alive_ms: number): Express {
  const [serveInFull] = server.listeners('connection')
  if (!isListener(serveInFull)) throw new Error('an HTTP server listens for connections')
  server.removeListener('connection', serveInFull)
  const handOver = (socket: Socket): void => serveInFull.call(server, socket)
  const connections = new Set<Connection>()
  const turn = makeTurn()
  let closed = false
  server.on('connection', (socket: Socket) => {
    const connection = new Connection(socket, { serve, handOver, turn })
    connections.add(connection)
    connection.gone = () => connections.delete(connection)
    if (closed) connection.close()
  })
  const sweep = setInterval(() => {
    const now = performance.now()
    for (const connection of connections) connection.look(now, keep_alive_ms)
  }, SWEEP_MS).unref()
  return {
    close() {
      closed = true
      clearInterval(sweep)
      for (const connection of connections) connection.close()
    },
  }
}

function isListener(listener: unknown): listener is (socket: Socket) => void {
  return typeof listener === 'function'
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

type ConnectionDeps = { serve: Serve; handOver: (socket: Socket) => void; turn: (connection: Connection) => void }

/** Where the request ends that begins with this head. */
function endOf(head: PlainHead | 'unusual'): number {
  return head === 'unusual' ? 0 : head.bytes.length + head.length
}

/**
 * One connection while it is on the express path. A class because it owns a socket. It looks at the time itself: a timer
 * on the socket would be set anew by everything read and written.
 */
class Connection {
  gone: () => void = () => {}
  readonly #socket: Socket
  readonly #deps: ConnectionDeps
  #head_before: PlainHead | undefined
  /** Of the request that is being received, once it is there. */
  #head: PlainHead | undefined
  readonly #unread = new Pieces()
  /** How far the end of the head was looked for. */
  #searched = 0
  /** When the oldest byte came that is not read, or else when it last had something to do. */
  #active_ms = performance.now()
  readonly #isUnread: (now_ms: number) => boolean
  #busy = false
  #closing = false
  #ended = false
  #left = false

  constructor(socket: Socket, deps: ConnectionDeps) {
    this.#socket = socket
    this.#deps = deps
    this.#isUnread = makeUnread(socket)
    socket.on('data', this.#read).on('end', this.#end).on('close', this.#closed).on('error', this.#failed)
    socket.on('drain', this.#goOn)
  }

  close(): void {
    this.#closing = true
    if (!this.#busy) this.#socket.destroySoon()
  }

  /** Ends it if half a request has lain here for too long, nothing has come for long, or nobody takes the answers. */
  look(now: number, keep_alive_ms: number): void {
    if (this.#isUnread(now)) return void this.#socket.destroy()
    const half = this.#unread.length > 0 && !this.#socket.writableNeedDrain
    if (!this.#busy && now - this.#active_ms > (half ? HALF_REQUEST_MS : keep_alive_ms)) this.#socket.destroy()
  }

  /** An answer is being made, or what was made is not taken: until it is, nothing more is made. */
  get #occupied(): boolean {
    return this.#busy || this.#socket.writableNeedDrain
  }

  #read = (bytes: Buffer): void => {
    if (this.#unread.length === 0) this.#active_ms = performance.now()
    this.#unread.add(bytes)
    if (this.#occupied) {
      if (this.#unread.length > MAX_WAITING) this.#socket.pause()
    } else if (!this.#head || this.#unread.length >= endOf(this.#head)) {
      this.#deps.turn(this)
    }
  }

  /** Reads the next request, if it is there whole, and begins to answer it. */
  proceed(): void {
    if (this.#occupied || this.#left || this.#socket.destroyed) return
    const bytes = this.#unread.bytes
    const head = bytes && !this.#closing ? this.#readHead(bytes) : undefined
    if (!bytes || !head || bytes.length < endOf(head)) {
      if (this.#closing || this.#ended) this.#socket.destroySoon()
      return
    }
    if (head === 'unusual') return this.#leave(bytes)
    const body = bytes.subarray(head.bytes.length, endOf(head))
    if (!isUtf8(body)) return this.#leave(bytes) // decoded it would be another text: the full server refuses it
    const answer = this.#deps.serve(head, body.toString('utf8'))
    if (!answer) return this.#leave(bytes)
    this.#unread.drop(endOf(head))
    this.#head = undefined
    this.#searched = 0
    this.#busy = true
    answer.then(this.#answer, (fault: Error) => this.#socket.destroy(fault))
  }

  /** What was read of it is kept: a request that comes byte by byte is not read again with each of them. */
  #readHead(bytes: Buffer): PlainHead | 'unusual' | undefined {
    if (this.#head) return this.#head
    const head = readPlainHead(bytes, this.#head_before, this.#searched)
    if (head === 'incomplete') {
      this.#searched = bytes.length
      return undefined
    }
    if (head === 'unusual') return head
    this.#head = this.#head_before = head
    return head
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

  /**
   * From here on the HTTP server has it, from the first byte of this request. Behind the bytes we know of the socket may
   * hold more, if it was paused; the server takes new bytes right from the system, and must have all of these before.
   */
  #leave(bytes: Buffer): void {
    const socket = this.#socket.pause()
    const more: Buffer | null = socket.read()
    this.#left = true
    socket.off('data', this.#read).off('end', this.#end).off('close', this.#closed).off('error', this.#failed)
    socket.off('drain', this.#goOn)
    this.gone()
    this.#deps.handOver(socket)
    socket.unshift(more ? Buffer.concat([bytes, more]) : bytes)
    socket.resume()
  }

  /** The caller has said all it will; what it still waits for it gets. */
  #end = (): void => {
    this.#ended = true
    if (!this.#occupied) this.#deps.turn(this)
  }

  #closed = (): void => this.gone()

  #failed = (): void => {
    this.#socket.destroy()
  }
}
