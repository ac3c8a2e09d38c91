import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type ServerTimes = {
  headersTimeout: number
  requestTimeout: number
  keepAliveTimeout: number
  /** Idle time after which a connection is closed: nothing was received, and nothing of a response was sent. */
  silence_ms: number
}

/** Maximum of queued requests, per connection and in total; a connection that exceeds it is closed. */
const MAX_WAITING = 1_024
const MAX_WAITING_IN_ALL = 16_384

/**
 * Node's HTTP server with two bounds per connection. Pipelined requests are processed one at a time, the next once the
 * response before it was flushed, so a thousand of them take the memory of one. A connection whose peer does not read a
 * response is closed. A request without a Host header reaches the handler: Node would reject it without a body.
 */
export function createPipelinedServer(handler: RequestListener, times: ServerTimes): Server {
  const { silence_ms, ...timeouts } = times
  const queues = new WeakMap<Socket, Queue>()
  let waiting_in_all = 0

  const server = createServer({ ...timeouts, requireHostHeader: false }, (request, response) => {
    const queue = queueOf(request.socket)
    if (!queue.busy) return carryOut(queue, { request, response })
    queue.waiting.push({ request, response })
    waiting_in_all++
    if (queue.waiting.length > MAX_WAITING || waiting_in_all > MAX_WAITING_IN_ALL) request.socket.destroy()
  })

  function queueOf(socket: Socket): Queue {
    const known = queues.get(socket)
    if (known) return known
    const queue: Queue = { busy: false, waiting: [] }
    queues.set(socket, queue)
    socket.once('close', () => {
      waiting_in_all -= queue.waiting.length
      queue.waiting = []
    })
    return queue
  }

  function carryOut(queue: Queue, { request, response }: Exchange): void {
    queue.busy = true
    response.once('close', () => {
      if (!request.complete) setTimeout(cutOff, silence_ms, request).unref()
      setImmediate(next, queue) // not recursively: a thousand requests would nest a thousand calls
    })
    handler(request, response)
  }

  /** A refused body may still be arriving, byte by byte: there is no reason to receive it. */
  function cutOff(request: IncomingMessage): void {
    if (!request.complete) request.socket.destroy()
  }

  function next(queue: Queue): void {
    queue.busy = false
    const [exchange] = queue.waiting
    if (!exchange) return
    // The response before has closed the connection: this request cannot be answered, so it is not processed.
    if (exchange.request.socket.writableEnded) return
    queue.waiting.shift()
    waiting_in_all--
    carryOut(queue, exchange)
  }

  server.setTimeout(silence_ms, (socket: Socket) => {
    // Time spent making the answer does not count as idle.
    const making = queues.get(socket)?.busy === true && socket.writableLength === 0
    if (!making) socket.destroy()
  })
  return server
}

type Exchange = { request: IncomingMessage; response: ServerResponse }
type Queue = { busy: boolean; waiting: Exchange[] }
