import { MAX_PDU_BYTES } from './pdu.ts'

/**
 * Splits a TCP stream into frames of one PDU each. A frame within one chunk is a view of it; one that spans several is
 * copied once, when its last byte has arrived. After an impossible length `push` returns false forever: the start of the
 * next PDU is unknown.
 */
export function makeFramer(onFrame: (frame: Buffer) => void): Framer {
  let kept: Buffer[] = []
  let kept_bytes = 0
  let lost = false
  let held = false

  function push(chunk: Buffer): boolean {
    if (lost || chunk.length === 0) return !lost
    if (kept_bytes === 0 && !held) return parse(chunk)
    kept.push(chunk)
    kept_bytes += chunk.length
    return parseKept()
  }

  function parseKept(): boolean {
    if (lost || held || kept_bytes === 0 || kept_bytes < frameBytes(kept, kept_bytes)) return !lost
    const bytes = kept.length === 1 ? kept[0]! : Buffer.concat(kept, kept_bytes)
    kept = []
    kept_bytes = 0
    return parse(bytes)
  }

  function parse(bytes: Buffer): boolean {
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
      return parseKept()
    },
    get partial() {
      return kept_bytes > 0 && !held
    },
  }
}

export type Framer = {
  push(chunk: Buffer): boolean
  /** Emits no further frame, effective immediately inside `onFrame`; incoming bytes are buffered. */
  hold(): void
  /** Emits the buffered frames. As `push`, false once the stream is lost. */
  release(): boolean
  /** A PDU has been received in part. */
  readonly partial: boolean
}

/** The length of the frame that the buffered chunks begin; 0 if impossible, which `takeFrames` then reports. */
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
