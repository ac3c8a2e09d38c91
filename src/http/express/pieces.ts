/**
 * Received bytes as one buffer. A request that arrives in one chunk is not copied. Otherwise the capacity doubles, so
 * each byte is copied about twice however small the chunks are. A class because it owns the buffer.
 */
export class Pieces {
  #bytes: Buffer | undefined
  /** Our own buffer, with spare capacity. */
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

  /** Drops the first bytes. */
  drop(count: number): void {
    this.#bytes = count < this.length ? this.#bytes?.subarray(count) : undefined
    this.#room = undefined
  }
}

const SMALLEST = 256
