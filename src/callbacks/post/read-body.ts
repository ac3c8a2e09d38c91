/** Incremental reader of a response body. */
export type BodyReader = {
  take(bytes: Buffer): void
  /** Bytes consumed so far, including framing. */
  readonly taken: number
  readonly is_complete: boolean
  /** Whether the connection can be reused once the body is complete. */
  readonly is_reusable: boolean
  /** Without chunk framing. */
  readonly length: number
  all(): Buffer
}

export function makeBodyReader(head: { status: number; length: number | undefined; chunked: boolean }): BodyReader {
  if (head.status === 204 || head.status === 304) return new BodyOfLength(0)
  // With both headers, the chunks are read and the connection is not reused (RFC 9112, 6.3).
  if (head.chunked) return bodyInChunks(head.length === undefined)
  return new BodyOfLength(head.length)
}

const NOTHING = Buffer.alloc(0)

/** A growing buffer. It doubles its capacity, so each byte is copied about twice. */
export class GrowingBuffer {
  length = 0
  private buffer: Buffer = NOTHING

  add(bytes: Buffer): void {
    if (this.length === 0) this.buffer = bytes // most responses arrive in one chunk, which is not copied
    else if (this.length + bytes.length > this.buffer.length) {
      const larger = Buffer.allocUnsafe(2 * (this.length + bytes.length))
      this.buffer.copy(larger, 0, 0, this.length)
      this.buffer = larger
    }
    if (this.length > 0) bytes.copy(this.buffer, this.length)
    this.length += bytes.length
  }

  all(): Buffer {
    return this.buffer.subarray(0, this.length)
  }
}

/** Without a length, the body ends with the connection. A class, like `GrowingBuffer`: every post has one. */
class BodyOfLength implements BodyReader {
  readonly is_reusable: boolean
  private readonly wanted: number | undefined
  private readonly content = new GrowingBuffer()

  constructor(wanted: number | undefined) {
    this.wanted = wanted
    this.is_reusable = wanted !== undefined
  }

  take(bytes: Buffer): void {
    this.content.add(this.wanted === undefined ? bytes : bytes.subarray(0, this.wanted - this.content.length))
  }

  get taken(): number {
    return this.content.length
  }

  get is_complete(): boolean {
    return this.content.length === this.wanted
  }

  get length(): number {
    return this.content.length
  }

  all(): Buffer {
    return this.content.all()
  }
}

const SIZE = /^[\da-f]{1,8}(?=\s*(?:;|$))/i
const LINE_BREAK = 2
const [CR, LF] = [0x0d, 0x0a]

function bodyInChunks(is_reusable: boolean): BodyReader {
  const content = new GrowingBuffer()
  let line = new GrowingBuffer()
  let taken = 0
  /** Remaining bytes of the present chunk, and of the line break behind it. */
  let left = 0
  let to_skip = 0
  let phase: 'chunks' | 'trailers' | 'complete' | 'broken off' = 'chunks'

  function takeLine(text: string): void {
    if (phase === 'trailers') {
      if (text === '') phase = 'complete'
      return
    }
    const size = SIZE.exec(text)?.[0]
    if (size === undefined) phase = 'broken off' // not a chunk size
    else if (Number.parseInt(size, 16) === 0) phase = 'trailers'
    else {
      left = Number.parseInt(size, 16)
      to_skip = LINE_BREAK
    }
  }

  /** Returns how many of these bytes were consumed. */
  function takeSome(bytes: Buffer): number {
    if (left > 0) {
      const part = bytes.subarray(0, left)
      content.add(part)
      left -= part.length
      return part.length
    }
    if (to_skip > 0) {
      const skipped = Math.min(to_skip, bytes.length)
      to_skip -= skipped
      return skipped
    }
    const until = bytes.indexOf(LF) + 1
    const part = until === 0 ? bytes : bytes.subarray(0, until)
    line.add(part)
    const whole = line.all()
    if (whole.at(-1) === LF && whole.at(-2) === CR) {
      line = new GrowingBuffer()
      takeLine(whole.toString('latin1', 0, whole.length - LINE_BREAK))
    }
    return part.length
  }

  return {
    take(bytes) {
      let at = 0
      while (at < bytes.length && (phase === 'chunks' || phase === 'trailers')) at += takeSome(bytes.subarray(at))
      taken += phase === 'broken off' ? bytes.length : at
    },
    get taken() {
      return taken
    },
    get is_complete() {
      return phase === 'complete' || phase === 'broken off'
    },
    get is_reusable() {
      return is_reusable && phase === 'complete'
    },
    get length() {
      return content.length
    },
    all: () => content.all(),
  }
}
