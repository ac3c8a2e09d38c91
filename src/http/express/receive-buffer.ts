/**
 * Received bytes as one buffer. A request that arrives in one chunk is not copied. Otherwise the capacity doubles, so
 * each byte is copied about twice however small the chunks are. A class because it owns the buffer.
 */
export class ReceiveBuffer {
  #bytes: Buffer | undefined
  /** Our own buffer, with spare capacity. */
  #buffer: Buffer | undefined

  get length(): number {
    return this.#bytes?.length ?? 0
  }

  get bytes(): Buffer | undefined {
    return this.#bytes
  }

  add(chunk: Buffer): void {
    if (!this.#bytes) {
      this.#bytes = chunk
      return
    }
    const used = this.#bytes.length
    const length = used + chunk.length
    if (!this.#buffer || this.#buffer.length < length) {
      this.#buffer = Buffer.allocUnsafeSlow(Math.max(2 * length, MIN_CAPACITY))
      this.#bytes.copy(this.#buffer)
    }
    chunk.copy(this.#buffer, used)
    this.#bytes = this.#buffer.subarray(0, length)
  }

  /** Drops the first bytes. */
  drop(count: number): void {
    this.#bytes = count < this.length ? this.#bytes?.subarray(count) : undefined
    this.#buffer = undefined
  }
}

const MIN_CAPACITY = 256
