import type { Socket } from 'node:net'
import { keysOf } from '../../../values/record.ts'
import { decodePdu, type PduFault } from '../../codec/decode-pdu.ts'
import { encodePdu } from '../../codec/encode-pdu.ts'
import { makeFramer } from '../../codec/framer.ts'
import { COMMANDS, makePdu, type CommandName, type Pdu } from '../../codec/pdu.ts'
import { STATUS } from '../../codec/status.ts'

/**
 * PDUs over a socket, for client and server. Does the framing, answers enquire_link immediately, answers malformed PDUs,
 * closes on a peer that stops in the middle of a PDU or never reads, and writes all PDUs of one event loop iteration with
 * one system call.
 */
export function openWire(events: WireEvents, socket: Socket, partial_pdu_timeout_ms: number): Wire {
  let partial_timer: NodeJS.Timeout | null = null
  let frames = 0
  let is_corked = false
  let close_reason: string | null = null
  let close_timer: NodeJS.Timeout | undefined

  const framer = makeFramer((frame) => {
    frames++
    if (close_reason !== null) return
    const pdu = decodePdu(frame)
    if ('fault' in pdu) {
      events.onFault?.(pdu)
      return answerFault(pdu)
    }
    events.onTrace?.('in', pdu, frame.length)
    if (pdu.command === 'enquire_link') send(makePdu('enquire_link_resp', { sequence_number: pdu.sequence_number }))
    else events.onPdu(pdu)
  })

  function takeChunk(chunk: Buffer): void {
    read(() => framer.push(chunk))
  }

  function hold(): void {
    framer.hold()
    socket.pause()
  }

  function release(): void {
    if (close_reason !== null) return
    socket.resume()
    read(() => framer.release())
  }

  function read(takeFrames: () => boolean): void {
    const frames_before = frames
    if (!takeFrames()) {
      send(makePdu('generic_nack', { command_status: STATUS.RINVCMDLEN }))
      return close('a PDU had an impossible length, so the stream can no longer be framed')
    }
    // The timer runs from the first byte of a PDU: a slow drip of bytes does not extend it.
    if (frames > frames_before) stopPartialTimer()
    if (framer.partial) {
      partial_timer ??= setTimeout(() => close('a PDU was not completed in time'), partial_pdu_timeout_ms)
    }
  }

  function answerFault({ command, command_id, command_status, sequence_number }: PduFault): void {
    if (command_id >= 0x80000000) return // answering a response could loop forever
    const answer = command === null ? 'generic_nack' : (answerName(command) ?? 'generic_nack')
    send(makePdu(answer, { command_status, sequence_number }))
  }

  function send(pdu: Pdu): boolean {
    const bytes = encodePdu(pdu)
    if (close_reason !== null) return false
    events.onTrace?.('out', pdu, bytes.length)
    if (!is_corked) {
      is_corked = true
      socket.cork()
      setImmediate(uncork)
    }
    socket.write(bytes)
    if (socket.writableLength > MAX_UNREAD_BYTES) close('the peer does not read what it is sent')
    return true
  }

  function uncork(): void {
    if (is_corked) socket.uncork()
    is_corked = false
  }

  function stopPartialTimer(): void {
    if (partial_timer !== null) clearTimeout(partial_timer)
    partial_timer = null
  }

  function close(reason: string): void {
    if (close_reason !== null) return
    close_reason = reason
    stopPartialTimer()
    uncork()
    socket.destroySoon()
    close_timer = setTimeout(() => socket.destroy(), FLUSH_MS)
  }

  socket.on('data', takeChunk)
  socket.on('error', (fault) => (close_reason ??= fault.message))
  socket.on('end', () => close('the peer closed the connection'))
  socket.on('close', () => {
    stopPartialTimer()
    clearTimeout(close_timer)
    events.onClose((close_reason ??= 'the connection was cut'))
  })
  return { send, close, hold, release }
}

export type WireEvents = {
  /** All but enquire_link. */
  onPdu(pdu: Pdu): void
  /** Called once, whichever side closed it. */
  onClose(reason: string): void
  /** A malformed PDU; it has been answered already. */
  onFault?(fault: PduFault): void
  onTrace?(direction: 'in' | 'out', pdu: Pdu, bytes: number): void
}

export type Wire = {
  /** Returns false and sends nothing once the wire is closing. Throws `UnsendablePdu`. */
  send(pdu: Pdu): boolean
  /** Pending writes are still flushed, if the peer reads them within a second. */
  close(reason: string): void
  /** Stops reading, including frames already received, until `release`. */
  hold(): void
  release(): void
}

const MAX_UNREAD_BYTES = 4_194_304
const FLUSH_MS = 1_000

/** Null for commands without an answer: responses, outbind, alert_notification. */
export function answerName(command: CommandName): AnswerName | null {
  return ANSWERS.get(command) ?? null
}

type AnswerName = Extract<CommandName, `${string}_resp`>

const ANSWERS = new Map<string, AnswerName>(
  keysOf(COMMANDS)
    .filter((command): command is AnswerName => command.endsWith('_resp'))
    .map((answer) => [answer.slice(0, -'_resp'.length), answer]),
)
