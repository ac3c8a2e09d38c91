/** The body of an answer, as it comes. */
export type BodyReader = {
  take(bytes: Buffer): void
  /** Of the bytes given so far those that belong to it, framing included. */
  readonly taken: number
  readonly is_complete: boolean
  /** Its connection can be used again, once it is complete. */
  readonly is_reusable: boolean
  /** Without the framing of chunks. */
  readonly length: number
  all(): Buffer
}

export function makeBodyReader(head: { status: number; length: number | undefined; chunked: boolean }): BodyReader {
  if (head.status === 204 || head.status === 304) return bodyOfLength(0)
  // With both, one of the two is a lie: the chunks are read, and the connection is not used again.
  if (head.chunked) return bodyInChunks(head.length === undefined)
  return bodyOfLength(head.length)
}

/** Without a length it ends with the connection. */
function bodyOfLength(wanted: number | undefined): BodyReader {
  const pile = makePile()
  return {
    take(bytes) {
      pile.add(wanted === undefined ? bytes : bytes.subarray(0, wanted - pile.length))
    },
    get taken() {
      return pile.length
    },
    get is_complete() {
      return pile.length === wanted
    },
    is_reusable: wanted !== undefined,
    get length() {
      return pile.length
    },
    all: () => pile.all(),
  }
}

const SIZE = /^[\da-f]{1,8}(?=\s*(?:;|$))/i
const LINE_BREAK = 2
const [CR, LF] = [0x0d, 0x0a]

function bodyInChunks(is_reusable: boolean): BodyReader {
  const pile = makePile()
  let line = makePile()
  let taken = 0
  /** Of the present chunk, and of the line break behind it. */
  let left = 0
  let to_skip = 0
  let phase: 'chunks' | 'trailers' | 'complete' | 'broken off' = 'chunks'

  function takeLine(text: string): void {
    if (phase === 'trailers') {
      if (text === '') phase = 'complete'
      return
    }
    const size = SIZE.exec(text)?.[0]
    if (size === undefined) phase = 'broken off' // as far as we can tell
    else if (Number.parseInt(size, 16) === 0) phase = 'trailers'
    else {
      left = Number.parseInt(size, 16)
      to_skip = LINE_BREAK
    }
  }

  /** How many of these bytes were taken. */
  function takeSome(bytes: Buffer): number {
    if (left > 0) {
      const part = bytes.subarray(0, left)
      pile.add(part)
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
      line = makePile()
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
      return pile.length
    },
    all: () => pile.all(),
  }
}

/** Bytes that come in pieces. It grows by doubling, so each is copied about twice however many pieces there are. */
export function makePile() {
  let room: Buffer = NOTHING
  let length = 0
  return {
    add(bytes: Buffer): void {
      if (length === 0) room = bytes // most answers come in one piece, which is not copied
      else if (length + bytes.length > room.length) {
        const larger = Buffer.allocUnsafe(2 * (length + bytes.length))
        room.copy(larger, 0, 0, length)
        room = larger
      }
      if (length > 0) bytes.copy(room, length)
      length += bytes.length
    },
    get length(): number {
      return length
    },
    all: (): Buffer => room.subarray(0, length),
  }
}

const NOTHING = Buffer.alloc(0)
