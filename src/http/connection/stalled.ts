import type { Socket } from 'node:net'

/** How long written bytes may stay unsent before the connection counts as stalled. */
const UNREAD_MS = 30_000

/** Returns a check, to be called periodically: whether the socket holds unsent bytes and has sent none for too long. */
export function makeStallCheck(socket: Socket): (now_ms: number) => boolean {
  let taken_before = -1
  let since_ms = 0
  return (now_ms) => {
    const { writableLength, bytesWritten } = socket
    const taken = bytesWritten - writableLength
    if (writableLength > 0 && taken === taken_before) return now_ms - since_ms >= UNREAD_MS
    taken_before = taken
    since_ms = now_ms
    return false
  }
}
