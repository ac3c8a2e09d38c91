import type { Socket } from 'node:net'

/** From 0 to `below` − 1. */
export type Dice = (sides: number) => number

export function makeDice(seed: number): Dice {
  let state = seed | 1
  return (sides) => {
    // xorshift32
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % sides
  }
}

/** Truncated, flipped, overwritten, shifted, duplicated, or random bytes. */
export function breakStream(stream: Buffer, chance: Dice): Buffer {
  const broken = Buffer.from(stream)
  switch (chance(7)) {
    case 0:
      return broken.subarray(0, chance(broken.length + 1))
    case 1:
      for (let n = chance(4); n >= 0; n--) broken[chance(broken.length)]! ^= 1 << chance(8)
      return broken
    case 2:
      for (let n = chance(12); n >= 0; n--) broken[chance(broken.length)] = chance(256)
      return broken
    case 3:
      return broken.subarray(chance(broken.length))
    case 4:
      return Buffer.concat([broken.subarray(0, chance(broken.length)), broken])
    case 5:
      return breakBody(broken.subarray(0, broken.readUInt32BE(0)), chance)
    default: {
      const noise = Buffer.allocUnsafe(1 + chance(120))
      for (let n = 0; n < noise.length; n++) noise[n] = chance(4) === 0 ? chance(256) : 0
      return noise
    }
  }
}

/** Broken inside, with a correct length, so that framing is kept; never an unbind, which would end the session. */
export function breakBody(pdu: Buffer, chance: Dice): Buffer {
  const body = Buffer.from(pdu.subarray(0, 16 + chance(pdu.length - 15)))
  for (let n = chance(6); n > 0; n--) body[4 + chance(body.length - 4)] = chance(256)
  body.writeUInt32BE(body.length, 0)
  if (body.readUInt32BE(4) === 0x06) body.writeUInt32BE(0x07, 4)
  return body
}

export function writeChopped(socket: Socket, bytes: Buffer, chance: Dice): void {
  const at = chance(bytes.length)
  socket.write(bytes.subarray(0, at))
  socket.write(bytes.subarray(at))
}
