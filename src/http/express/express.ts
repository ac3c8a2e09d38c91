import { isUtf8 } from 'node:buffer'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { makeStallCheck } from '../connection/stalled.ts'
import { ReceiveBuffer } from './receive-buffer.ts'
import { MAX_BODY, MAX_HEAD, readPlainHead, type PlainHead } from './read-request.ts'

export type Response = {
  text: string
  /** Latin-1 is faster to write, and most responses fit it. */
  encoding: 'latin1' | 'utf8'
  /** The response has announced that the connection closes after it; further requests are not read. */
  last: boolean
}

/** Answers a request, or returns undefined if the HTTP server must handle it. */
export type Serve = (head: PlainHead, body: string) => Promise<Response> | undefined

export type Express = {
  /** Accepts no new requests: idle connections close now, busy ones after their response. */
  close(): void
}

/** Time limit for receiving the rest of a request. */
const HALF_REQUEST_MS = 15_000
const SWEEP_MS = 5_000
/** Bytes of further requests that a connection may buffer while one is in progress. */
const MAX_WAITING = MAX_HEAD + MAX_BODY

/**
 * A fast path for `EXPRESS_PATHS`. Node's HTTP server and the framework take two thirds of the time of a small
 * request, and most requests of a busy installation are these in their plainest form. Those are parsed and answered on
 * the socket. At the first other request, the connection passes to the HTTP server with all its unread bytes and stays
 * there.
 */
export function startExpress(server: Server, serve: Serve, keep_alive_ms: number): Express {
  const [serveInFull] = server.listeners('connection')
  if (!isListener(serveInFull)) throw new Error('an HTTP server listens for connections')
  server.removeListener('connection', serveInFull)
  const passToServer = (socket: Socket): void => serveInFull.call(server, socket)
  const connections = new Set<Connection>()
  const schedule = makeBatcher()
  let closed = false
  server.on('connection', (socket: Socket) => {
    const connection = new Connection(socket, { serve, passToServer, schedule })
    connections.add(connection)
    connection.gone = () => connections.delete(connection)
    if (closed) connection.close()
  })
  const sweep = setInterval(() => {
    const now = performance.now()
    for (const connection of connections) connection.checkTimeouts(now, keep_alive_ms)
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
 * Processes all connections with new bytes in one iteration of the event loop: running the same code for sixty requests
 * in a row takes a tenth less time than interleaving them.
 */
function makeBatcher(): (connection: Connection) => void {
  let waiting = new Set<Connection>()
  const processAll = (): void => {
    const now = waiting
    waiting = new Set()
    for (const connection of now) connection.proceed()
  }
  return (connection) => {
    if (waiting.size === 0) setImmediate(processAll)
    waiting.add(connection)
  }
}

type ConnectionDeps = {
  serve: Serve
  passToServer: (socket: Socket) => void
  schedule: (connection: Connection) => void
}

/** Length of the request with this head. */
function endOf(head: PlainHead | 'unusual'): number {
  return head === 'unusual' ? 0 : head.bytes.length + head.length
}

/**
 * One connection on the express path. A class because it owns a socket. It measures idle time itself: a socket timer
 * would be reset by every read and write.
 */
class Connection {
  gone: () => void = () => {}
  readonly #socket: Socket
  readonly #deps: ConnectionDeps
  #head_before: PlainHead | undefined
  /** Head of the request being received, once complete. */
  #head: PlainHead | undefined
  readonly #unread = new ReceiveBuffer()
  /** Bytes already searched for the end of the head. */
  #searched = 0
  /** When the oldest unread byte arrived, or else the end of the last activity. */
  #active_ms = performance.now()
  readonly #isStalled: (now_ms: number) => boolean
  #busy = false
  #closing = false
  #ended = false
  #left = false

  constructor(socket: Socket, deps: ConnectionDeps) {
    this.#socket = socket
    this.#deps = deps
    this.#isStalled = makeStallCheck(socket)
    socket.on('data', this.#read).on('end', this.#end).on('close', this.#closed).on('error', this.#failed)
    socket.on('drain', this.#continue)
  }

  close(): void {
    this.#closing = true
    if (!this.#busy) this.#socket.destroySoon()
  }

  /**
   * Closes the connection if a request stays incomplete, the connection is idle, or the peer does not read responses.
   */
  checkTimeouts(now: number, keep_alive_ms: number): void {
    if (this.#isStalled(now)) return void this.#socket.destroy()
    const half = this.#unread.length > 0 && !this.#socket.writableNeedDrain
    if (!this.#busy && now - this.#active_ms > (half ? HALF_REQUEST_MS : keep_alive_ms)) this.#socket.destroy()
  }

  /** A response is being made, or the last one is not yet sent: no further request is processed. */
  get #occupied(): boolean {
    return this.#busy || this.#socket.writableNeedDrain
  }

  #read = (bytes: Buffer): void => {
    if (this.#unread.length === 0) this.#active_ms = performance.now()
    this.#unread.add(bytes)
    if (this.#occupied) {
      if (this.#unread.length > MAX_WAITING) this.#socket.pause()
    } else if (!this.#head || this.#unread.length >= endOf(this.#head)) {
      this.#deps.schedule(this)
    }
  }

  /** Processes the next request if it is complete. */
  proceed(): void {
    if (this.#occupied || this.#left || this.#socket.writableEnded || this.#socket.destroyed) return
    const bytes = this.#unread.bytes
    const head = bytes && !this.#closing ? this.#readHead(bytes) : undefined
    if (!bytes || !head || bytes.length < endOf(head)) {
      if (this.#closing || this.#ended) this.#socket.destroySoon()
      return
    }
    if (head === 'unusual') return this.#passOn(bytes)
    const body = bytes.subarray(head.bytes.length, endOf(head))
    if (!isUtf8(body)) return this.#passOn(bytes) // invalid UTF-8: the HTTP server rejects it
    const answer = this.#deps.serve(head, body.toString('utf8'))
    if (!answer) return this.#passOn(bytes)
    this.#unread.drop(endOf(head))
    this.#head = undefined
    this.#searched = 0
    this.#busy = true
    answer.then(this.#answer, (fault: Error) => this.#socket.destroy(fault))
  }

  /** The parsed head is kept, so that a request arriving byte by byte is parsed once. */
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
    if (response.last) {
      this.#socket.destroySoon()
      return
    }
    this.#continue()
  }

  #continue = (): void => {
    if (this.#occupied) return
    if (this.#socket.isPaused()) this.#socket.resume()
    this.proceed()
  }

  /**
   * Passes the connection to the HTTP server, from the first byte of this request. A paused socket may hold more bytes
   * than `bytes`; the server reads new bytes from the system, so all buffered ones must come first.
   */
  #passOn(bytes: Buffer): void {
    const socket = this.#socket.pause()
    const more: Buffer | null = socket.read()
    this.#left = true
    socket.off('data', this.#read).off('end', this.#end).off('close', this.#closed).off('error', this.#failed)
    socket.off('drain', this.#continue)
    this.gone()
    this.#deps.passToServer(socket)
    socket.unshift(more ? Buffer.concat([bytes, more]) : bytes)
    socket.resume()
  }

  /** The caller sends no more; responses in progress are still sent. */
  #end = (): void => {
    this.#ended = true
    if (!this.#occupied) this.#deps.schedule(this)
  }

  #closed = (): void => this.gone()

  #failed = (): void => {
    this.#socket.destroy()
  }
}
