/**
 * Bytes as they come from a socket, as one buffer. Most requests come in one piece, which is not copied at all. Of others
 * each byte is copied twice or so, however small the pieces are: the room for them doubles. A class because it owns that
 * room.
 */
export class Pieces {
  #bytes: Buffer | undefined
  /** Of our own, with room behind the bytes. */
  #room: Buffer | undefined

  get length(): number {
    return this.#bytes?.length ?? 0
  }

  get bytes(): Buffer | undefined {
    return this.#bytes
  }

  add(piece: Buffer): void {
    if (!this.#bytes) {
      this.#bytes = piece
      return
    }
    const used = this.#bytes.length
    const length = used + piece.length
    if (!this.#room || this.#room.length < length) {
      this.#room = Buffer.allocUnsafeSlow(Math.max(2 * length, SMALLEST))
      this.#bytes.copy(this.#room)
    }
    piece.copy(this.#room, used)
    this.#bytes = this.#room.subarray(0, length)
  }

  /** Forgets the first bytes. */
  drop(count: number): void {
    this.#bytes = count < this.length ? this.#bytes?.subarray(count) : undefined
    this.#room = undefined
  }
}

const SMALLEST = 256
