import type { Socket } from 'node:net'

/** What was written and is not taken for so long is not kept any longer. */
const UNREAD_MS = 30_000

/** For who asks every now and then: whether something lies in the socket and nothing of it has gone out for too long. */
export function makeUnread(socket: Socket): (now_ms: number) => boolean {
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
