import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type ServerTimes = {
  headersTimeout: number
  requestTimeout: number
  keepAliveTimeout: number
  /** A connection on which nothing was read, and nothing of an answer was taken, for so long. */
  silence_ms: number
}

/** What may wait behind an answer: on one connection, and on all of them. Who sends more without reading is let go. */
const MAX_WAITING = 1_024
const MAX_WAITING_IN_ALL = 16_384

/**
 * Node's HTTP server, with two bounds on what a connection can ask of it. Requests that are sent ahead (pipelining) are
 * carried out one after the other, the next when the answer before it was handed to the system: a thousand of them cost
 * the memory of one answer. And an answer that nobody reads is not kept: its connection ends. A request without a Host
 * is handed on: Node would refuse it with no body.
 */
export function createServerInTurn(handler: RequestListener, times: ServerTimes): Server {
  const { silence_ms, ...timeouts } = times
  const turns = new WeakMap<Socket, Turn>()
  let waiting_in_all = 0

  const server = createServer({ ...timeouts, requireHostHeader: false }, (request, response) => {
    const turn = turnOf(request.socket)
    if (!turn.busy) return carryOut(turn, { request, response })
    turn.waiting.push({ request, response })
    waiting_in_all++
    if (turn.waiting.length > MAX_WAITING || waiting_in_all > MAX_WAITING_IN_ALL) request.socket.destroy()
  })

  function turnOf(socket: Socket): Turn {
    const known = turns.get(socket)
    if (known) return known
    const turn: Turn = { busy: false, waiting: [] }
    turns.set(socket, turn)
    socket.once('close', () => {
      waiting_in_all -= turn.waiting.length
      turn.waiting = []
    })
    return turn
  }

  function carryOut(turn: Turn, { request, response }: Exchange): void {
    turn.busy = true
    response.once('close', () => setImmediate(next, turn)) // not from within: a thousand would be a thousand calls deep
    handler(request, response)
  }

  function next(turn: Turn): void {
    turn.busy = false
    const exchange = turn.waiting.shift()
    if (!exchange) return
    waiting_in_all--
    carryOut(turn, exchange)
  }

  server.setTimeout(silence_ms, (socket: Socket) => {
    // An answer that is still being made has time: how long that takes is not the caller's doing.
    const making = turns.get(socket)?.busy === true && socket.writableLength === 0
    if (!making) socket.destroy()
  })
  return server
}

type Exchange = { request: IncomingMessage; response: ServerResponse }
type Turn = { busy: boolean; waiting: Exchange[] }
