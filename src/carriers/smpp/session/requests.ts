import { makeBoundedCache } from '../../../values/concurrency/bounded-cache.ts'
import { UnsendablePdu } from '../../codec/encode-pdu.ts'
import { MAX_SEQUENCE_NUMBER, type Pdu } from '../../codec/pdu.ts'
import { SubmitFault } from './session.ts'
import { answerName, type Wire } from './wire.ts'

/** Matches the requests sent on one connection with their answers, by sequence number. */
export function makeRequests(wire: Pick<Wire, 'send'>, onLate?: (request: Pdu, answer: Pdu) => void): Requests {
  const open = new Map<number, Open>()
  /** Timed out; the answer may still arrive. */
  const late = makeBoundedCache<number, Pdu>(MAX_LATE)
  let sequence_number = 0
  let onIdle: (() => void) | null = null

  function send(request: Pdu, timeout_ms: number): Promise<Pdu> {
    sequence_number = sequence_number >= MAX_SEQUENCE_NUMBER ? 1 : sequence_number + 1
    request.sequence_number = sequence_number
    try {
      if (!wire.send(request)) throw new SubmitFault('not_sent', 'The connection is being closed.')
    } catch (fault) {
      if (fault instanceof UnsendablePdu) throw new SubmitFault('not_sent', fault.message)
      throw fault
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => giveUp(request), timeout_ms)
      open.set(request.sequence_number, { request, timer, resolve, reject })
    })
  }

  function giveUp(request: Pdu): void {
    const waiting = take(request.sequence_number)
    late.set(request.sequence_number, request)
    waiting?.reject(new SubmitFault('unanswered', `The SMSC did not answer ${request.command} in time.`))
  }

  function settle(answer: Pdu): boolean {
    const expected = open.get(answer.sequence_number)
    if (expected !== undefined && isAnswer(expected.request, answer)) {
      take(answer.sequence_number)!.resolve(answer)
      return true
    }
    const request = late.get(answer.sequence_number)
    if (request === undefined || !isAnswer(request, answer)) return false
    late.delete(answer.sequence_number)
    onLate?.(request, answer)
    return true
  }

  function take(sequence: number): Open | undefined {
    const waiting = open.get(sequence)
    clearTimeout(waiting?.timer)
    open.delete(sequence)
    if (open.size === 0) onIdle?.()
    return waiting
  }

  function cut(reason: string): void {
    for (const sequence of open.keys()) {
      take(sequence)?.reject(new SubmitFault('unanswered', `No answer before ${reason}.`))
    }
    late.clear()
  }

  return {
    send,
    settle,
    cut,
    get size() {
      return open.size
    },
    idle: () => new Promise<void>((resolve) => (open.size === 0 ? resolve() : (onIdle = resolve))),
  }
}

export type Requests = {
  /** Assigns the sequence number. Throws or rejects with a `SubmitFault`. */
  send(request: Pdu, timeout_ms: number): Promise<Pdu>
  /** False: it answers no request of ours. */
  settle(answer: Pdu): boolean
  /** The connection is gone: rejects all open requests as unanswered. */
  cut(reason: string): void
  readonly size: number
  /** Resolves when no request is open. */
  idle(): Promise<void>
}

type Open = { request: Pdu; timer: NodeJS.Timeout; resolve(answer: Pdu): void; reject(fault: SubmitFault): void }

const MAX_LATE = 1_000

function isAnswer(request: Pdu, answer: Pdu): boolean {
  return answer.command === 'generic_nack' || answer.command === answerName(request.command)
}
