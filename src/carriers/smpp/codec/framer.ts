import { MAX_PDU_BYTES } from './pdu.ts'

/**
 * Cuts a TCP stream into frames, one PDU each, however it was chopped up on the way. A frame that lies in one chunk
 * points into it; one spread over several is put together once, when its last byte is there. `push` returns false, for
 * good, after a length no PDU has: where the next one begins is then anybody's guess.
 */
export function makeFramer(onFrame: (frame: Buffer) => void): Framer {
  let kept: Buffer[] = []
  let kept_bytes = 0
  let lost = false
  let held = false

  function push(chunk: Buffer): boolean {
    if (lost || chunk.length === 0) return !lost
    if (kept_bytes === 0 && !held) return goOnWith(chunk)
    kept.push(chunk)
    kept_bytes += chunk.length
    return goOn()
  }

  function goOn(): boolean {
    if (lost || held || kept_bytes === 0 || kept_bytes < frameBytes(kept, kept_bytes)) return !lost
    const bytes = kept.length === 1 ? kept[0]! : Buffer.concat(kept, kept_bytes)
    kept = []
    kept_bytes = 0
    return goOnWith(bytes)
  }

  function goOnWith(bytes: Buffer): boolean {
    lost = !takeFrames(bytes)
    return !lost
  }

  function takeFrames(bytes: Buffer): boolean {
    let at = 0
    while (!held && bytes.length - at >= 4) {
      const length = bytes.readUInt32BE(at)
      if (length < 16 || length > MAX_PDU_BYTES) return false
      if (bytes.length - at < length) break
      onFrame(bytes.subarray(at, (at += length)))
    }
    if (at < bytes.length) {
      kept = [bytes.subarray(at)]
      kept_bytes = bytes.length - at
    }
    return true
  }

  return {
    push,
    hold: () => void (held = true),
    release() {
      held = false
      return goOn()
    },
    get partial() {
      return kept_bytes > 0 && !held
    },
  }
}

export type Framer = {
  push(chunk: Buffer): boolean
  /** No further frame is given, from within `onFrame` on; what comes is kept. */
  hold(): void
  /** Goes on with what was kept. As `push`, false once the stream is lost. */
  release(): boolean
  /** The first bytes of a PDU are there, its last ones not. */
  readonly partial: boolean
}

/** The length of the frame that the kept chunks begin. A bad one is found when they are put together. */
function frameBytes(kept: readonly Buffer[], kept_bytes: number): number {
  if (kept_bytes < 4) return 4
  let length = 0
  let seen = 0
  for (const chunk of kept) {
    for (let i = 0; i < chunk.length && seen < 4; i++, seen++) length = length * 256 + chunk[i]!
    if (seen === 4) break
  }
  return length > MAX_PDU_BYTES ? 0 : length
}
